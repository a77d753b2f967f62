#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""export_chrome.py - judges what `tacho export --chrome` wrote.

	export_chrome.py JSON EVENTS [BEGIN,END]..

By the rules of the Trace Event Format: keys and types of each phase; B and E of a thread nest, by
name; times of a track do not go back. And by the trace: EVENTS are the lines of `tacho view --json`.
Prints what is wrong.
"""
import collections
import json
import sys

import export_model

LOST_PID = 4194305
NEEDED = {
    'M': {'name': str, 'args': dict},
    'B': {'name': str, 'cat': str, 'ts': float},
    'E': {'ts': float},
    'i': {'name': str, 'cat': str, 'ts': float, 's': str},
    'X': {'name': str, 'ts': float, 'dur': float},
    'C': {'name': str, 'ts': float, 'args': dict},
}
METADATA = {'process_name': 'name', 'thread_name': 'name', 'process_labels': 'labels'}
wrong = []


def same(what, actual, expected):
    if actual != expected:
        wrong.append(f'{what}: {actual}, not {expected}')


def no_twice(pairs):
    keys = [key for key, _ in pairs]
    same('a key is there twice', sorted(keys), sorted(set(keys)))
    return dict(pairs)


def check_keys(entry):
    phase = entry.get('ph')
    if phase not in NEEDED:
        wrong.append(f'unknown phase: {entry}')
        return
    needed = dict(NEEDED[phase], pid=int, tid=int)
    for key, kind in needed.items():
        if not isinstance(entry.get(key), kind):
            wrong.append(f'{key} is missing or no {kind.__name__}: {entry}')
    if phase == 'i' and entry['s'] not in 'gpt':
        wrong.append(f'no such scope: {entry}')
    if phase == 'M' and not isinstance(entry['args'].get(METADATA.get(entry['name'])), str):
        wrong.append(f'no such metadata: {entry}')
    if phase == 'C' and not all(isinstance(v, (int, float)) for v in entry['args'].values()):
        wrong.append(f'a counter is no number: {entry}')


def check_order(entries):
    last = collections.defaultdict(float)
    for entry in entries:
        track = entry['pid'], entry['tid']
        if entry['ph'] in 'MC':
            continue
        if entry['ts'] < last[track]:
            wrong.append(f'goes back in time: {entry}')
        last[track] = entry['ts']


def nanoseconds(entry):
    return round(entry['ts'] * 1000)


def pieces(entries):
    """Pairs of B and E; says where they do not nest."""
    stacks, found = collections.defaultdict(list), []
    for entry in entries:
        thread = entry['pid'], entry['tid']
        if entry['ph'] == 'B':
            stacks[thread].append(entry)
        elif entry['ph'] == 'E' and not stacks[thread]:
            wrong.append(f'an end without a begin: {entry}')
        elif entry['ph'] == 'E':
            begin = stacks[thread].pop()
            same('name of an end', entry['name'], begin['name'])
            found.append((thread, begin['name'], nanoseconds(begin), nanoseconds(entry)))
    same('spans that are open at the end', [s for s in stacks.values() if s], [])
    return found


def check_losses(entries, losses):
    drawn = [entry for entry in entries if entry['ph'] == 'X' and entry['pid'] == LOST_PID]
    same('losses', [int(entry['args']['events']) for entry in drawn],
         [line['lost']['events'] for line in losses])
    marks = [entry for entry in entries if entry['ph'] == 'i' and entry['s'] == 'g']
    same('marks of losses', len(marks), len(losses))


def main():
    with open(sys.argv[1], encoding='utf-8') as file:
        whole = json.load(file, object_pairs_hook=no_twice)
    found, losses = export_model.events(sys.argv[2])
    expected, instants = export_model.spans(found, [arg.split(',') for arg in sys.argv[3:]])
    entries = whole['traceEvents']
    for entry in entries:
        check_keys(entry)
    check_order(entries)
    if not losses:
        same('lengths of spans', export_model.lengths(pieces(entries)), export_model.lengths(expected))
        same('begins', sum('unfinished' not in e.get('args', {}) and 'continued' not in e.get('args', {})
                           for e in entries if e['ph'] == 'B'), len(expected))
        same('instants', sum(e['ph'] == 'i' for e in entries), instants)
    else:
        pieces(entries)
    check_losses(entries, losses)
    same('threads', {(e['pid'], e['tid']) for e in entries if e['ph'] in 'BEi' and e['pid'] != LOST_PID},
         {(e['pid'], e['tid']) for e in found})
    begin_ns = int(whole['otherData']['begin_ns'])
    drawn = {begin_ns + nanoseconds(e) for e in entries if e['ph'] == 'i' and e['s'] == 't'}
    same('times without an event', sorted(drawn - {event['time_ns'] for event in found}), [])
    for line in wrong[:20]:
        print(line)
    sys.exit(1 if wrong else 0)


main()
