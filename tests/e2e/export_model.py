# SPDX-License-Identifier: MIT
"""export_model.py - what a timeline has to show of a trace, reckoned from all its events.

events(PATH) reads the lines of `tacho view --json`; spans() pairs them. How long spans of a name are
altogether, and how many, does not depend on how a form of output cuts those that overlap.
"""
import collections
import json

DEPTH_MAX = 1024


def events(path):
    with open(path, encoding='utf-8') as file:
        lines = [json.loads(line) for line in file]
    return [line for line in lines if 'event' in line], [line for line in lines if 'lost' in line]


def spans(found, pairs=()):
    """Return: spans (thread, name, begin_ns, end_ns) and how many events are no part of one."""
    begins = {begin: begin for begin, _ in pairs}
    ends = {end: begin for begin, end in pairs}
    stacks, pieces, instants = collections.defaultdict(list), [], 0
    last_ns = max(event['time_ns'] for event in found)
    beyond = collections.Counter()
    for event in found:
        name, thread = event['event'], (event['pid'], event['tid'])
        stack = stacks[thread]
        begin = begins.get(name) or (name[:-6] if name.endswith('_begin') else None)
        end = ends.get(name) or (name[:-4] if name.endswith('_end') else None)
        if begin and len(stack) == DEPTH_MAX:
            beyond[thread] += 1
            instants += 1
        elif begin:
            stack.append((begin, event['time_ns']))
        elif end and beyond[thread]:
            beyond[thread] -= 1
            instants += 1
        elif end and end in [span[0] for span in stack]:
            at = max(i for i, span in enumerate(stack) if span[0] == end)
            pieces.append((thread, end, stack.pop(at)[1], event['time_ns']))
        else:
            instants += 1
    for thread, stack in stacks.items():
        pieces += [(thread, name, begin, last_ns) for name, begin in stack]
    return pieces, instants


def lengths(pieces):
    """How long the spans of a name are in a thread, altogether."""
    total = collections.Counter()
    for thread, name, begin, end in pieces:
        total[thread, name] += end - begin
    return total
