#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""contexts.py - judge a trace of contexts.c: lines of `tacho view --json --all` on the standard input.

	contexts.py NAME..     each record has exactly these contexts, and they say what the event's
	                       fields of the same name say
	contexts.py --grow     contexts only come, and numbers of contexts:flood have no gap
	contexts.py --show EVENT NAME   the values of a context in records of an event, one a line
"""
import json
import sys


def records():
    for line in sys.stdin:
        record = json.loads(line)
        if record.get('event', '').startswith('contexts:'):
            yield record


def judge(names):
    count = 0
    for record in records():
        context, fields = record.get('context', {}), record['fields']
        if sorted(context) != sorted(names):
            return f'{record["event"]} has {sorted(context)}'
        for name, value in context.items():
            if name in fields and fields[name] != value:
                return f'{record["event"]}: {name} is {value}, but should be {fields[name]}'
            count += name in fields
    return '' if count else 'nothing was compared'


def grow():
    number, known = 0, set()
    for record in records():
        names = set(record.get('context', {}))
        if record['fields']['number'] != number:
            return f'{record["fields"]["number"]} follows {number - 1}'
        if known - names:
            return f'{known - names} went'
        number, known = number + 1, names
    return '' if number and known else 'nothing was compared'


def show(event, name):
    for record in records():
        if record['event'] == event:
            print(record.get('context', {}).get(name))
    return ''


def main():
    if sys.argv[1] == '--grow':
        wrong = grow()
    elif sys.argv[1] == '--show':
        wrong = show(sys.argv[2], sys.argv[3])
    else:
        wrong = judge(sys.argv[1:])
    if wrong:
        print(f'# {wrong}')
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
