#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The table of what lttng can say (doc/guide/from-lttng.md) is complete and true: there is a row for each
# command and option of lttng (tests/data/lttng/options.txt); what a row names exists.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
need python3

"$TACHO" help --json >"$TMP/commands.json" || exit 1
check 'the_table_is_complete_and_true' python3 - "$TACHO_SOURCE" "$TMP/commands.json" <<'END'
import glob
import json
import os
import re
import sys

source, commands_json = sys.argv[1:]
os.chdir(source)
commands = {c['name']: {o['name']: o['letter'] for o in c['options']}
            for c in json.load(open(commands_json))['commands']}
WHOLE, ANY = 'Before the command', 'Of any command'
VERDICTS = ('same', 'better', 'left out')
wrong = 0


def say(text):
    global wrong
    wrong += 1
    print('#', text)


def read_table():
    """{(section, word): (letter, verdict, tacho, remark, test)}"""
    rows, section = {}, None
    for line in open('doc/guide/from-lttng.md'):
        if line.startswith('## '):
            section = line[3:].strip()
        cells = [cell.strip() for cell in line.strip().strip('|').split('|')]
        if not line.startswith('| `') or len(cells) != 5:
            if line.startswith('| `'):
                say(f'not five cells: {line.strip()}')
            continue
        words = re.findall(r'`([^`]+)`', cells[0])
        key = (section, words[0])
        if key in rows:
            say(f'{section}: two rows for {words[0]}')
        rows[key] = (words[1] if len(words) > 1 else '', *cells[1:])
    return rows


def lttng_words():
    """(section, word, letter) of all that lttng understands."""
    for line in open('tests/data/lttng/options.txt'):
        if line.startswith('#'):
            continue
        words = line.split()
        section = WHOLE if words[0] == 'lttng' else words[0]
        if words == ['lttng', '-']:
            continue
        word = words[0] if words[1] == '-' else words[1]
        yield section, word, words[2] if len(words) > 2 else ''


def check_tacho(key, lttng_letter, row):
    """What the row says of tacho: a command, and perhaps its option."""
    words = row[2].strip('`').split()
    option = words.pop()[2:] if words and words[-1].startswith('--') else None
    name = ' '.join(words)
    if option == 'version' and not words:
        return
    if option == 'help' and not words:
        return
    if name not in commands:
        say(f'{key}: there is no command {name!r}')
    elif option is not None and option not in commands[name]:
        say(f'{key}: tacho {name} has no option --{option}')
    elif option and row[1] == 'same' and lttng_letter and \
            '-' + commands[name][option] != lttng_letter:
        say(f'{key}: tacho {name} --{option} has not the letter {lttng_letter}')


def check_test(key, row):
    """The test uses the option, or the command, that the row names."""
    tacho, test = row[2].strip('`').split(), row[4]
    files = glob.glob(f'tests/{test}.*')
    if not test or not files:
        say(f'{key}: there is no test {test!r}')
        return
    text = ''.join(open(name).read() for name in files)
    wanted = re.escape(tacho[-1])
    if tacho[-1].startswith('--'):
        letter = commands.get(' '.join(tacho[:-1]), {}).get(tacho[-1][2:])
        wanted += rf'\b|(?<=\s)-[a-zA-Z]?{letter}\b' if letter else r'\b'
    if not test.startswith(('golden/', 'unit/')) and not re.search(wanted, text):
        say(f'{key}: tests/{test} never says {" ".join(tacho)}')


def check_row(key, row):
    letter, verdict, tacho, remark, test = row
    if verdict not in VERDICTS:
        say(f'{key}: {verdict!r} is no verdict')
    elif verdict == 'left out':
        if not remark:
            say(f'{key}: no reason')
        if tacho or test:
            say(f'{key}: is left out, but names {tacho} {test}')
    else:
        check_tacho(key, letter, row)
        check_test(key, row)


rows = read_table()
known = set()
for section, word, letter in lttng_words():
    key = (section, word) if (section, word) in rows else (ANY, word)
    known.add(key)
    if key not in rows:
        say(f'no row: {section} {word}')
    elif rows[key][0] != letter:
        say(f'{key}: the letter is {letter!r}, not {rows[key][0]!r}')
for key, row in rows.items():
    check_row(key, row)
    if key not in known:
        say(f'{key}: lttng has no such word')
if len(known) < 150:
    say(f'only {len(known)} rows')
sys.exit(wrong != 0)
END
