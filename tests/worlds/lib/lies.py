#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""lies.py DIR VICTIM SEED - what a hostile user does to a runtime directory of their own, once.

One lie a call, by SEED: bytes of a file are changed, a file grows, shrinks, or becomes a hole; a file
or a directory becomes a symbolic link to VICTIM (a file of root's), to itself, to a FIFO, a socket, a
device; names appear that nobody would give. Prints what it did.
"""
import os
import random
import shutil
import socket
import struct
import sys

VALUES = [0, 1, 7, 0x7f, 0xff, 0x1000, 0x7fffffff, 0x80000000, 0xffffffff, 1 << 34, (1 << 63) - 1, 1 << 63,
          (1 << 64) - 1, (1 << 64) - 4096]


def tree(top):
    files, dirs = [], []
    for path, names, leaves in os.walk(top):
        dirs += [os.path.join(path, name) for name in names]
        files += [os.path.join(path, leaf) for leaf in leaves]
    return sorted(files), sorted(dirs)


def change_words(path, rng):
    """Numbers of 4 or 8 bytes become others, most of them in what comes first."""
    with open(path, 'r+b') as file:
        size = os.fstat(file.fileno()).st_size
        for _ in range(rng.choice([1, 1, 2, 8, 64])):
            reach = rng.choice([64, 512, 4096, 16384, max(size, 1)])
            file.seek(rng.randrange(max(1, min(size, reach))) & ~3)
            file.write(rng.choice([lambda: struct.pack('<Q', rng.choice(VALUES)),
                                   lambda: struct.pack('<I', rng.choice(VALUES) & 0xffffffff),
                                   lambda: rng.randbytes(8)])())


def cut(path, rng):
    size = os.path.getsize(path)
    os.truncate(path, rng.choice([0, 1, 100, 4095, 4096, 8192, size // 2, size + (1 << 20)]))


def replace(path, rng, victim):
    if os.path.isdir(path) and not os.path.islink(path):
        shutil.rmtree(path)
    else:
        os.unlink(path)
    kind = rng.randrange(7)
    if kind == 0:
        os.symlink(victim, path)
    elif kind == 1:
        os.symlink(path, path)
    elif kind == 2:
        os.mkfifo(path)
    elif kind == 3:
        with socket.socket(socket.AF_UNIX) as sock:
            os.chdir(os.path.dirname(path))
            sock.bind(os.path.basename(path)[:90])
    elif kind == 4:
        os.symlink('/dev/zero', path)
    elif kind == 5:
        os.symlink(os.path.dirname(victim), path)
    else:
        os.mkdir(path)
    return kind


def add(top, rng, victim):
    place = rng.choice(['apps', 'sessions', 'slots', 'sessions/all', '.'])
    name = rng.choice(['1.1', '99999999.1', '-1.5', 'x' * 255, 'a\nb', '%2e%2e', '\x1b[31m', '7', '31', '-'])
    path = os.path.join(top, place, name)
    if os.path.isdir(os.path.dirname(path)) and not os.path.lexists(path):
        rng.choice([lambda: os.symlink(victim, path), lambda: os.mkfifo(path), lambda: os.mkdir(path),
                    lambda: os.symlink('../../../..', path), lambda: open(path, 'wb').close()])()
    return f'{place}/{name!r}'


def main():
    top, victim, seed = sys.argv[1], sys.argv[2], int(sys.argv[3])
    rng = random.Random(seed)
    files, dirs = tree(top)
    regular = [f for f in files if os.path.isfile(f) and not os.path.islink(f)]
    kind = rng.choices(['words', 'cut', 'replace', 'add'], [6, 2, 2, 1])[0]
    if kind in ('words', 'cut') and regular:
        path = rng.choice(regular)
        (change_words if kind == 'words' else cut)(path, rng)
        print(kind, path)
    elif kind == 'replace' and files + dirs:
        path = rng.choice(files + dirs)
        print(kind, path, replace(path, rng, victim))
    else:
        print('add', add(top, rng, victim))


if __name__ == '__main__':
    main()
