#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""cut_make.py DIR ORDER - a CTF 1.8 trace of big- or little-endian data, with alignments up to 64 bits,
fields within bytes, a header with 16 bits of the clock and a variant behind a sequence."""
import os
import random
import struct
import sys

DIR, ORDER = sys.argv[1:]
E = '>' if ORDER == 'be' else '<'
METADATA = '''/* CTF 1.8 */
typealias integer { size = 8; align = 8; } := u8;
typealias integer { size = 64; align = 64; } := u64;
trace { major = 1; minor = 8; byte_order = %s; packet.header := struct {
	integer { size = 32; align = 32; } magic; }; };
clock { name = c; freq = 1000; offset_s = 1700000000; };
typealias integer { size = 16; align = 16; map = clock.c.value; } := stamp;
stream {
	packet.context := struct { u64 packet_size; u64 content_size;
		integer { size = 64; align = 64; map = clock.c.value; } timestamp_begin;
		integer { size = 64; align = 64; map = clock.c.value; } timestamp_end;
		integer { size = 32; align = 32; } cpu_id; };
	event.header := struct { u8 id; stamp timestamp; };
};
event { name = "odd"; id = 0; fields := struct { integer { size = 3; align = 1; } three;
	integer { size = 13; align = 1; signed = true; } thirteen; u8 number; string text; }; };
event { name = "wide"; id = 1; fields := struct { u8 number; u8 _seq_length; u64 seq[_seq_length];
	enum : u8 { SMALL = 0 ... 9, LARGE = 10 ... 255 } tag;
	variant <tag> { u8 SMALL; struct { u64 value; u8 last; } LARGE; } choice; }; };
''' % ORDER


def pad(body, align):
    return body + b'\0' * (-len(body) % align)


def odd(body, number):
    three, thirteen = number % 8, number * 37 % 8192
    word = three << 13 | thirteen if ORDER == 'be' else thirteen << 3 | three
    return body + struct.pack(E + 'HB', word, number) + b'x' * (1 + number % 11) + b'\0'


def wide(body, number):
    # The structure, and what stands in it, is aligned to 64 bits.
    body = pad(body, 8) + bytes([number, number % 3])
    body = pad(body, 8)
    for i in range(number % 3):
        body += struct.pack(E + 'Q', number << 40 | i)
    tag = number % 20
    body += bytes([tag])
    if tag < 10:
        return body + bytes([number])
    return pad(body, 8) + struct.pack(E + 'QB', number << 33, 255 - number)


def packet(first, ticks):
    rand = random.Random(first)
    body = b'\0' * 44
    begin = ticks
    for number in range(first, first + 60):
        body = pad(body, 2) + bytes([number % 2])
        body = pad(body, 2) + struct.pack(E + 'H', ticks & 0xffff)
        body = (wide if number % 2 else odd)(body, number)
        ticks += rand.randrange(1, 9000)
        last = ticks
    size = (len(body) + 7) // 8 * 8
    head = pad(struct.pack(E + 'I', 0xc1fc1fc1), 8) + struct.pack(E + 'QQQQI', size * 8, len(body) * 8,
                                                                  begin, last, 3)
    return head + body[44:] + b'\0' * (size - len(body)), last


def main():
    os.makedirs(DIR)
    with open(DIR + '/metadata', 'w', encoding='utf-8') as file:
        file.write(METADATA)
    with open(DIR + '/stream', 'wb') as file:
        data, ticks = packet(0, 100000)
        file.write(data)
        file.write(packet(100, ticks)[0])


main()
