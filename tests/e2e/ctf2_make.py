#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""ctf2_make.py DIR - a CTF 2 trace with every field class, and what its events' fields are.

Writes DIR/trace/metadata, DIR/trace/stream and DIR/expected: one JSON object a line.
"""
import json
import os
import struct
import sys

DIR = sys.argv[1]
UUID = list(range(1, 17))


def uint(bits, align=8, order='little', **more):
    return {'type': 'fixed-length-unsigned-integer', 'length': bits, 'byte-order': order + '-endian',
            'alignment': align, **more}


def sint(bits, align=8, order='little', **more):
    return {**uint(bits, align, order, **more), 'type': 'fixed-length-signed-integer'}


def structure(*members, **more):
    return {'type': 'structure',
            'member-classes': [{'name': name, 'field-class': cls} for name, cls in members], **more}


def at(*path, **more):
    return {'path': list(path), **more}


def leb(value, is_signed=False):
    out = b''
    while True:
        byte = value & 0x7f
        value >>= 7
        is_last = value == 0 and not (is_signed and byte & 0x40) or value == -1 and byte & 0x40
        out += bytes([byte | (0 if is_last else 0x80)])
        if is_last:
            return out


def text(value):
    return value.encode() + b'\0'


STRING = {'type': 'null-terminated-string'}
VARINT = {'type': 'variable-length-unsigned-integer'}
BOOLEAN = {'type': 'fixed-length-boolean', 'length': 8, 'byte-order': 'little-endian', 'alignment': 8}

# Each event: the class of its payload, its bytes, and what they mean.
EVENTS = [
    ('numbers', structure(
        ('u16be', uint(16, order='big')), ('s24', sint(24)), ('bits', {
            'type': 'fixed-length-bit-array', 'length': 12, 'byte-order': 'little-endian'}),
        ('nibble', uint(4, align=1)), ('flag', BOOLEAN),
        ('f32', {'type': 'fixed-length-floating-point-number', 'length': 32, 'alignment': 8,
                 'byte-order': 'big-endian'}),
        ('f64', {'type': 'fixed-length-floating-point-number', 'length': 64, 'alignment': 8,
                 'byte-order': 'little-endian'})),
     b'\x12\x34' + (-5 & 0xffffff).to_bytes(3, 'little') + struct.pack('<H', 0xabc | 7 << 12) + b'\x01' +
     struct.pack('>f', 1.5) + struct.pack('<d', -0.25),
     {'u16be': 0x1234, 's24': -5, 'bits': 0xabc, 'nibble': 7, 'flag': 1, 'f32': 1.5, 'f64': -0.25}),
    ('varints', structure(
        ('small', VARINT), ('large', VARINT),
        ('negative', {'type': 'variable-length-signed-integer'}),
        ('named', {**VARINT, 'mappings': {'three': [[3, 3]], 'more': [[4, 90], [200, 300]]}})),
     leb(5) + leb(2 ** 64 - 1) + leb(-1000, True) + leb(250),
     {'small': 5, 'large': 2 ** 64 - 1, 'negative': -1000, 'named': 'more'}),
    ('enums', structure(
        ('color', sint(8, mappings={'red': [[-3, -1]], 'blue': [[7, 7]]})), ('none', 'color'),
        ('map', {'type': 'fixed-length-bit-map', 'length': 8, 'byte-order': 'little-endian',
                 'alignment': 8, 'flags': {'READ': [[0, 0]], 'WRITE': [[1, 2]]}})),
     struct.pack('<bbB', -2, 9, 4), {'color': 'red', 'none': 9, 'map': 'WRITE'}),
    ('texts', structure(
        ('utf8', STRING), ('utf16le', {**STRING, 'encoding': 'utf-16le'}),
        ('utf32be', {**STRING, 'encoding': 'utf-32be'}),
        ('fixed', {'type': 'static-length-string', 'length': 6}),
        ('length', uint(8)), ('counted', {'type': 'dynamic-length-string', 'encoding': 'utf-16be',
                                          'length-field-location': at('length')})),
     text('größer') + 'a\U0001f600b\0'.encode('utf-16le') + 'ö\0'.encode('utf-32be') + b'abc\0xx' +
     b'\x06' + 'xyz'.encode('utf-16be'),
     {'utf8': 'größer', 'utf16le': 'a\U0001f600b', 'utf32be': 'ö', 'fixed': 'abc', 'length': 6,
      'counted': 'xyz'}),
    ('blobs', structure(
        ('fixed', {'type': 'static-length-blob', 'length': 3, 'media-type': 'image/png'}),
        ('n', VARINT), ('counted', {'type': 'dynamic-length-blob', 'length-field-location': at('n')})),
     b'\x01\x02\xff' + leb(2) + b'\xca\xfe', {'fixed': '0102ff', 'n': 2, 'counted': 'cafe'}),
    ('arrays', structure(
        ('fixed', {'type': 'static-length-array', 'length': 2, 'element-field-class': uint(16)}),
        ('in', structure(('n', uint(8)))),
        ('counted', {'type': 'dynamic-length-array', 'minimum-alignment': 16,
                     'length-field-location': at('n', origin='event-record-common-context'),
                     'element-field-class': structure(
                         ('n', VARINT), ('of', {'type': 'dynamic-length-array',
                                                'length-field-location': at(None, 'in', 'n'),
                                                'element-field-class': STRING}))})),
     None,
     {'fixed': [1, 2], 'in': {'n': 1}, 'counted': [{'n': 300, 'of': ['p']}, {'n': 4, 'of': ['q']}]}),
    ('optionals', structure(
        ('has', BOOLEAN), ('there', {'type': 'optional', 'selector-field-location': at('has'),
                                     'field-class': STRING}),
        ('which', sint(8)),
        ('gone', {'type': 'optional', 'selector-field-location': at('which'),
                  'selector-field-ranges': [[-4, -4], [1, 9]], 'field-class': uint(32)}),
        ('last', uint(8))),
     b'\x02' + text('yes') + struct.pack('<b', -5) + b'\x09',
     {'has': 2, 'there': 'yes', 'which': -5, 'last': 9}),
    ('variants', structure(
        ('tag', VARINT), ('it', {
            'type': 'variant', 'selector-field-location': at('tag', origin='event-record-payload'),
            'options': [{'selector-field-ranges': [[0, 3], [7, 7]], 'field-class': STRING},
                        {'selector-field-ranges': [[4, 6]], 'name': 'number', 'field-class': sint(32)}]})),
     leb(5) + struct.pack('<i', -77), {'tag': 5, 'it': -77}),
    ('mixtures', structure(
        ('on', uint(8)),
        ('list', {'type': 'static-length-array', 'length': 2, 'element-field-class': structure(
            ('k', sint(8)),
            ('o', {'type': 'optional', 'selector-field-location': at('k'),
                   'selector-field-ranges': [[1, 1]], 'field-class': {
                       'type': 'static-length-array', 'length': 2, 'element-field-class': {
                           'type': 'optional', 'selector-field-location': at(None, 'on'),
                           'field-class': {**STRING, 'encoding': 'utf-16be'}}}}))}),
        ('v', {'type': 'variant', 'selector-field-location': at('on'),
               'options': [{'selector-field-ranges': [[0, 0]], 'name': 'a', 'field-class': sint(8)},
                           {'selector-field-ranges': [[1, 9]], 'name': 'a b', 'field-class': {
                               'type': 'optional', 'selector-field-location': at('on'),
                               'field-class': VARINT}}]})),
     b'\1\1' + 'ab\0c\0'.encode('utf-16be') + b'\0' + leb(300),
     {'on': 1, 'list': [{'k': 1, 'o': ['ab', 'c']}, {'k': 0}], 'v': 300}),
]

HEADER = structure(
    ('magic!', uint(32, roles=['packet-magic-number'])),
    ('the uuid', {'type': 'static-length-blob', 'length': 16, 'roles': ['metadata-stream-uuid']}),
    ('class', uint(8, roles=['data-stream-class-id'])),
    ('stream', {**VARINT, 'roles': ['data-stream-id']}))
CONTEXT = structure(
    ('total', uint(32, roles=['packet-total-length'])),
    ('content', uint(32, roles=['packet-content-length'])),
    ('begin', uint(64, roles=['default-clock-timestamp'])),
    ('end', {**VARINT, 'roles': ['packet-end-default-clock-timestamp']}),
    ('lost', uint(16, roles=['discarded-event-record-counter-snapshot'])),
    ('seq', uint(16, roles=['packet-sequence-number'])), ('cpu_id', uint(16)))
EVENT_HEADER = structure(('id', {**VARINT, 'roles': ['event-record-class-id']}),
                         ('time', uint(16, roles=['default-clock-timestamp'])))
COMMON = structure(('vtid', uint(32)), ('n', uint(8)))

FRAGMENTS = [
    {'type': 'preamble', 'version': 2, 'uuid': UUID, 'attributes': {'some.one': {'says': [1, None, 'x']}}},
    {'type': 'field-class-alias', 'name': 'color', 'field-class': sint(8, mappings={'red': [[-3, -1]]})},
    {'type': 'trace-class', 'environment': {'hostname': 'here', 'number': -5},
     'packet-header-field-class': HEADER},
    {'type': 'clock-class', 'id': 'my clock', 'name': 'mono', 'frequency': 1000000, 'origin': 'unix-epoch',
     'offset-from-origin': {'seconds': 1700000000, 'cycles': 250000}, 'uid': 'boot-1', 'precision': 3},
    {'type': 'data-stream-class', 'id': 3, 'default-clock-class-id': 'my clock',
     'packet-context-field-class': CONTEXT, 'event-record-header-field-class': EVENT_HEADER,
     'event-record-common-context-field-class': COMMON},
]


def packet(number, events, begin, end, lost):
    head = struct.pack('<I', 0xc1fc1fc1) + bytes(UUID) + b'\x03' + leb(1)
    tail = struct.pack('<Q', begin) + leb(end) + struct.pack('<HHH', lost, number, 2)
    body = head + b'\0' * 8 + tail
    for index, (id_, payload) in enumerate(events):
        body += leb(id_) + struct.pack('<H', begin + index & 0xffff) + struct.pack('<IB', 4242, 2)
        if payload is None:  # 16-bit alignment, of the array and so of the structure around it
            body += b'\0' * (len(body) % 2)
            body += struct.pack('<HHB', 1, 2, 1)
            body += b'\0' * (len(body) % 2)
            body += leb(300) + text('p') + leb(4) + text('q')
        else:
            body += payload
    total = (len(body) + 15) // 8 * 8
    sizes = struct.pack('<II', total * 8, len(body) * 8)
    body = body[:len(head)] + sizes + body[len(head) + 8:]
    return body + b'\0' * (total - len(body))


def main():
    os.makedirs(DIR + '/trace')
    for id_, (name, cls, _, _) in enumerate(EVENTS):
        FRAGMENTS.append({'type': 'event-record-class', 'id': id_ + 200, 'data-stream-class-id': 3,
                          'name': 'all:' + name, 'payload-field-class': cls,
                          'attributes': {'babeltrace.org,2020': {'log-level': 'warning'}}})
    with open(DIR + '/trace/metadata', 'w', encoding='utf-8') as file:
        for fragment in FRAGMENTS:
            file.write('\x1e' + json.dumps(fragment) + '\n')
    ids = list(range(200, 200 + len(EVENTS)))
    payloads = [(id_, event[2]) for id_, event in zip(ids, EVENTS)]
    with open(DIR + '/trace/stream', 'wb') as file:
        file.write(packet(0, payloads, 70000, 80000, 0))
        file.write(packet(1, payloads[::-1], 80000, 90000, 4))
    with open(DIR + '/expected', 'w', encoding='utf-8') as file:
        for begin, events in ((70000, EVENTS), (80000, EVENTS[::-1])):
            for index, (name, _, _, fields) in enumerate(events):
                file.write(json.dumps({'time_ns': 1700000000250000000 + (begin + index) * 1000,
                                       'event': 'all:' + name, 'fields': fields}) + '\n')


main()
