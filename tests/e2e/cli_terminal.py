#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""cli_terminal.py COMMAND..: run a command on a terminal, and type ^C each time that it prints "ready".
The command's exit status is ours; what it printed is printed."""
import os
import pty
import sys

pid, fd = pty.fork()
if pid == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
text, typed = b'', 0
while True:
    try:
        data = os.read(fd, 4096)
    except OSError:  # the last one closed the terminal
        break
    text += data
    while typed < text.count(b'ready'):
        os.write(fd, b'\x03')
        typed += 1
sys.stdout.buffer.write(text.replace(b'\r\n', b'\n'))
sys.stdout.flush()
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
