#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""ctf2_names.py DIR - a CTF 2 trace of what CTF 1.8 cannot say as it is: names that are no identifiers."""
import json
import os
import struct
import sys

DIR = sys.argv[1]
STRING = {'type': 'null-terminated-string'}


def uint(bits, **more):
    return {'type': 'fixed-length-unsigned-integer', 'length': bits, 'byte-order': 'little-endian',
            'alignment': 8, **more}


def structure(*members):
    return {'type': 'structure', 'member-classes': [{'name': n, 'field-class': c} for n, c in members]}


def optional(selector, value):
    return {'type': 'optional', 'selector-field-location': {'path': [selector]},
            'selector-field-ranges': [[value, value]], 'field-class': BYTE}


BYTE = uint(8)
VARINT = {'type': 'variable-length-unsigned-integer'}
NAMES = ['a b', 'a-b', 'a.b', 'a_b_2', 'int', '_int', '_', '+']
EVENTS = [
    (structure(*[(name, BYTE) for name in NAMES]), bytes(range(len(NAMES)))),
    (structure(('n b', BYTE), ('n-b', BYTE),
               ('of', {'type': 'dynamic-length-array', 'length-field-location': {'path': ['n-b']},
                       'element-field-class': BYTE})), b'\1\3\7\x08\x09'),
    (structure(('s', BYTE), ('x y', optional('s', 1)), ('x-y', optional('s', 2)), ('tag_of_x_y', BYTE)),
     b'\1\5\6'),
    (structure(('s', uint(8, mappings={'a': [[0, 0]], '_a': [[1, 1]]})),
               ('v', {'type': 'variant', 'selector-field-location': {'path': ['s']}, 'options': [
                   {'name': 'a', 'selector-field-ranges': [[0, 0]], 'field-class': BYTE},
                   {'name': '_a', 'selector-field-ranges': [[1, 1]], 'field-class': STRING}]})), b'\1hi\0'),
    # Of which none is ever chosen: no event has it.
    (structure(('s', VARINT), ('v', {'type': 'variant', 'selector-field-location': {'path': ['s']},
                                     'options': []})), None),
]
FRAGMENTS = [
    {'type': 'preamble', 'version': 2},
    {'type': 'trace-class', 'environment': {'a b': 'x', 'a-b': 'y', '': 1, 'int': 2, '3': 4}},
    {'type': 'clock-class', 'id': 'c d', 'name': 'c d', 'frequency': 1000000000},
    {'type': 'clock-class', 'id': 'c-d', 'name': 'c-d', 'frequency': 1000},
    {'type': 'data-stream-class', 'id': 0, 'default-clock-class-id': 'c-d',
     'event-record-header-field-class': structure(
         ('id', uint(8, roles=['event-record-class-id'])),
         ('at', uint(64, roles=['default-clock-timestamp'])))},
]

os.makedirs(DIR)
with open(DIR + '/metadata', 'w', encoding='utf-8') as file:
    for fragment in FRAGMENTS + [{'type': 'event-record-class', 'id': i, 'name': 'x',
                                  'payload-field-class': cls} for i, (cls, _) in enumerate(EVENTS)]:
        file.write('\x1e' + json.dumps(fragment) + '\n')
with open(DIR + '/stream', 'wb') as file:
    for number, (_, payload) in enumerate(EVENTS):
        if payload is not None:
            file.write(struct.pack('<BQ', number, 1000 + number) + payload)
