#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""export_perfetto.py - judges what `tacho export --perfetto` wrote.

	export_perfetto.py TEXT EVENTS [BEGIN,END]..

TEXT is what protoc decodes of it by export_perfetto.proto; nothing in it may be unknown. By Perfetto's
rules: numbers of names and tracks are introduced before they are used, also behind a loss; slices of a
track nest. And by the trace: EVENTS are the lines of `tacho view --json`. Prints what is wrong.
"""
import ast
import collections
import re
import sys

import export_model

CLEARED, NEEDS = 1, 2
LINE = re.compile(r'^ *(?:(\w+) \{|(\})|(\w+): (.*))$')
KINDS = {'category_iids': 'event_categories', 'name_iid': 'event_names'}
wrong = []


def same(what, actual, expected):
    if actual != expected:
        wrong.append(f'{what}: {actual}, not {expected}')


def value(text):
    if text[0] == '"':
        return ast.literal_eval('b' + text).decode('utf-8')
    return text if text[0].isalpha() else ast.literal_eval(text)


def messages(lines):
    """Each packet of the text as {name: [value, ..]}."""
    stack = [collections.defaultdict(list)]
    for line in lines:
        match = LINE.match(line)
        if not match:
            wrong.append(f'unknown to the schema: {line!r}')
        elif match[1]:
            inner = collections.defaultdict(list)
            stack[-1][match[1]].append(inner)
            stack.append(inner)
        elif match[2]:
            stack.pop()
            if len(stack) == 1:
                yield stack[0].pop('packet')[0]
        else:
            stack[-1][match[3]].append(value(match[4]))


class Reader:
    def __init__(self):
        self.names, self.tracks, self.open = {}, {}, collections.defaultdict(list)
        self.pieces, self.counts = [], collections.Counter()
        self.values = collections.defaultdict(list)
        self.dropped, self.last = 0, collections.defaultdict(int)
        self.used = set()

    def take(self, packet):
        same('sequence', packet['trusted_packet_sequence_id'], [1])
        same('clock', packet['timestamp_clock_id'], [1])
        flags = packet['sequence_flags'][0]
        same('needs its state', flags & NEEDS, NEEDS)
        if packet['previous_packet_dropped'] and not flags & CLEARED:
            wrong.append('behind a loss, names are not introduced anew')
        self.dropped += bool(packet['previous_packet_dropped'])
        if flags & CLEARED:
            self.names = {}
        for interned in packet['interned_data']:
            for kind, entries in interned.items():
                for entry in entries:
                    self.names[kind, entry['iid'][0]] = entry['name'][0]
        for descriptor in packet['track_descriptor']:
            self.describe(descriptor)
        for event in packet['track_event']:
            self.event(event, packet['timestamp'][0])

    def describe(self, descriptor):
        for parent in descriptor['parent_uuid']:
            same('the parent of a track is there', parent in self.tracks, True)
        self.tracks[descriptor['uuid'][0]] = descriptor

    def name(self, kind, iid):
        if (kind, iid) not in self.names:
            wrong.append(f'{kind} {iid} was not introduced')
        return self.names.get((kind, iid))

    def check_annotations(self, annotations):
        for annotation in annotations:
            if annotation['name_iid']:
                self.name('debug_annotation_names', annotation['name_iid'][0])
            self.check_annotations(annotation['dict_entries'])

    def event(self, event, time_ns):
        uuid, kind = event['track_uuid'][0], event['type'][0]
        same('the track is there', uuid in self.tracks, True)
        for category in event['category_iids']:
            self.name('event_categories', category)
        self.check_annotations(event['debug_annotations'])
        self.counts[kind] += 1
        if kind != 'TYPE_COUNTER' and time_ns < self.last[uuid]:
            wrong.append(f'a track goes back to {time_ns}')
        self.last[uuid] = time_ns
        track = self.tracks[uuid]
        name = self.name('event_names', event['name_iid'][0]) if event['name_iid'] else None
        if kind == 'TYPE_SLICE_BEGIN':
            self.open[uuid].append((name, time_ns))
        elif kind == 'TYPE_SLICE_END' and not self.open[uuid]:
            wrong.append('an end without a begin')
        elif kind == 'TYPE_SLICE_END':
            begin = self.open[uuid].pop()
            self.pieces.append((self.thread(track), begin[0], begin[1], time_ns))
        elif kind == 'TYPE_COUNTER':
            number = event['counter_value'] + event['double_counter_value']
            self.values[track['name'][0]] += number
        if track['thread']:
            self.used.add(self.thread(track))

    @staticmethod
    def thread(track):
        return tuple(track['thread'][0][key][0] for key in ('pid', 'tid')) if track['thread'] else None


def main():
    reader = Reader()
    with open(sys.argv[1], encoding='utf-8') as file:
        for packet in messages(line.rstrip('\n') for line in file):
            reader.take(packet)
    found, losses = export_model.events(sys.argv[2])
    expected, instants = export_model.spans(found, [arg.split(',') for arg in sys.argv[3:]])
    same('slices that are open at the end', [s for s in reader.open.values() if s], [])
    same('threads', reader.used, {(event['pid'], event['tid']) for event in found})
    pieces = [piece for piece in reader.pieces if piece[0]]
    same('slices of losses', len(reader.pieces) - len(pieces), len(losses))
    same('packets behind a loss', reader.dropped, len(losses))
    if not losses:
        same('lengths of slices', export_model.lengths(pieces), export_model.lengths(expected))
        same('instants', reader.counts['TYPE_INSTANT'], instants)
    names = {d['process'][0]['process_name'][0] for d in reader.tracks.values()
             if d['process'] and d['process'][0]['process_name']}
    print('processes', sorted(names))
    for name, values in sorted(reader.values.items()):
        print('counter', name, values)
    for line in wrong[:20]:
        print('wrong:', line[:300])
    sys.exit(1 if wrong else 0)


main()
