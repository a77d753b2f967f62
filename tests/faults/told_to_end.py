#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""told_to_end.py SIGNAL DIR COMMAND.. - end a command with a signal while it writes DIR.partial.

It is stopped there by a pipe that is full, where it wants to say something. PIPE as the signal: who reads the
pipe goes away. Exit status 0: the command ended by the signal, and neither DIR nor DIR.partial is there.
"""
import fcntl
import os
import signal
import subprocess
import sys
import time

NAME, DIR, COMMAND = sys.argv[1], sys.argv[2], sys.argv[3:]
DEADLINE_S = 30


def fill(fd):
    os.set_blocking(fd, False)
    try:
        while True:
            os.write(fd, b'x' * 4096)
    except BlockingIOError:
        pass
    try:
        while True:
            os.write(fd, b'x')
    except BlockingIOError:
        os.set_blocking(fd, True)


def is_waiting(pid):
    with open('/proc/%d/stat' % pid, encoding='ascii') as file:
        return os.path.isdir(DIR + '.partial') and file.read().rpartition(')')[2].split()[0] == 'S'


read_fd, write_fd = os.pipe()
fcntl.fcntl(write_fd, fcntl.F_SETPIPE_SZ, 4096)
fill(write_fd)
with subprocess.Popen(COMMAND, stdin=subprocess.DEVNULL, stderr=write_fd) as child:
    os.close(write_fd)
    end = time.monotonic() + DEADLINE_S
    while not is_waiting(child.pid) and time.monotonic() < end:
        time.sleep(0.01)
    if NAME == 'PIPE':
        os.close(read_fd)
    else:
        child.send_signal(getattr(signal, 'SIG' + NAME))
    try:
        status = child.wait(DEADLINE_S)
    except subprocess.TimeoutExpired:
        child.kill()
        raise
sys.exit(status != -getattr(signal, 'SIG' + NAME) or os.path.exists(DIR) or os.path.exists(DIR + '.partial'))
