# SPDX-License-Identifier: MIT
"""What the lints share: the files of the tree, and the comments of a C file."""
import os
import re
import subprocess

# Data that tests compare with is not written by hand.
NOT_SOURCES = ('tests/data/', 'tests/golden/expected/', 'tests/fuzz/corpus/')
COMMENT = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', re.S)


def tree_files():
    """Paths of the tree below the working directory: what git tracks, or could."""
    command = ['git', 'ls-files', '-co', '--exclude-standard', '-z']
    try:
        git = subprocess.run(command, capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        git = None
    if git:
        listed = git.stdout.decode().split('\0')
        return sorted(path for path in listed if path and os.path.isfile(path))
    found = []
    for folder, folders, names in os.walk('.'):
        folders[:] = [name for name in folders if name not in ('.git', 'build', '__pycache__')]
        found += [os.path.relpath(os.path.join(folder, name)) for name in names]
    return sorted(found)


def source_files(*endings):
    """Those of tree_files() with one of the endings."""
    ours = [path for path in tree_files() if not path.startswith(NOT_SOURCES)]
    return [path for path in ours if path.endswith(endings)]


def comments(text):
    """Yield (line, text) of each comment, its lines joined and without the stars."""
    for match in COMMENT.finditer(text):
        body = match.group(0)
        if body.startswith('"'):
            continue
        body = re.sub(r'\n\s*\*', ' ', body.removeprefix('/*').removeprefix('//').removesuffix('*/'))
        yield text.count('\n', 0, match.start()) + 1, ' '.join(body.split())
