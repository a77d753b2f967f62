#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""nmis.py QMP ASK - NMIs into an emulated machine, from outside, while its programs ask for them.

QMP is the socket of QEMU's monitor, ASK that of a serial line of the machine, on which '1' asks for NMIs and
'0' for no more. Both appear when QEMU starts. Ends with the machine, and says how many were sent.
"""
import contextlib
import json
import os
import select
import socket
import sys
import time

BETWEEN_S = 0.002
APPEAR_S = 30


def connect(path):
    for _ in range(APPEAR_S * 20):
        if os.path.exists(path):
            break
        time.sleep(0.05)
    end = socket.socket(socket.AF_UNIX)
    end.connect(path)
    return end


class Monitor:
    def __init__(self, path):
        self.lines = connect(path).makefile('rw')
        self.lines.readline()
        self.do('qmp_capabilities')

    def do(self, command):
        """True when it was done. Events of the machine may come before the answer, and its end."""
        with contextlib.suppress(OSError):
            self.lines.write(json.dumps({'execute': command}) + '\n')
            self.lines.flush()
            for line in self.lines:
                answer = json.loads(line)
                if 'event' not in answer:
                    return 'return' in answer
        return False


def hear(ask):
    """What the machine says; nothing when it has ended."""
    with contextlib.suppress(OSError):
        return ask.recv(64)
    return b''


def send_while_asked(monitor, ask):
    sent, is_asked = 0, False
    while True:
        if select.select([ask], [], [], BETWEEN_S if is_asked else None)[0]:
            said = hear(ask)
            if not said:
                return sent
            is_asked = b'1' in said and b'0' not in said
        elif monitor.do('inject-nmi'):
            sent += 1
        else:
            return sent


def main():
    monitor, ask = Monitor(sys.argv[1]), connect(sys.argv[2])
    print(f'# {send_while_asked(monitor, ask)} NMIs were sent from outside', flush=True)


main()
