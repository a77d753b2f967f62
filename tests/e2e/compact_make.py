#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""compact_make.py DIR [NAME=VALUE..] - a CTF 1.8 trace as LTTng and Tacho write them: of two CPUs, with
headers of 27 bits of the clock, losses, and sequence numbers; the same in each run.

host=TEXT is its host, uuid=TEXT the UUID of its clock, trace=N the first byte of its own one; offset_ns=N
and drift_ppm=X say by how much its clock differs from that of a trace without them.
"""
import os
import random
import struct
import sys

DIR = sys.argv[1]
SAID = dict(word.split('=', 1) for word in sys.argv[2:])
TRACE = int(SAID.get('trace', 1))
METADATA = '''/* CTF 1.8 */

trace {
	major = 1;
	minor = 8;
	uuid = "%(trace)02x020304-0506-0708-090a-0b0c0d0e0f10";
	byte_order = le;
	packet.header := struct {
		integer { size = 32; align = 8; } magic;
		integer { size = 8; align = 8; } uuid[16];
		integer { size = 32; align = 8; } stream_id;
		integer { size = 64; align = 8; } stream_instance_id;
	};
};

env {
	hostname = "%(host)s";
	domain = "ust";
	tracer_name = "made";
};

clock {
	name = "monotonic";
	uuid = "%(uuid)s";
	freq = 1000000000;
	offset_s = 1700000000;
	offset = 0;
};

typealias integer { size = 64; align = 8; } := uint64_t;
typealias integer { size = 27; align = 1; map = clock.monotonic.value; } := uint27_clock_t;
typealias integer { size = 64; align = 8; map = clock.monotonic.value; } := uint64_clock_t;

stream {
	id = 0;
	packet.context := struct { uint64_t content_size; uint64_t packet_size;
		uint64_clock_t timestamp_begin; uint64_clock_t timestamp_end;
		uint64_t packet_seq_num; uint64_t events_discarded;
		integer { size = 32; align = 8; } cpu_id; };
	event.header := struct {
		enum : integer { size = 5; align = 1; } { compact = 0 ... 28, extended = 31 } id;
		variant <id> {
			struct { uint27_clock_t timestamp; } compact;
			struct { integer { size = 32; align = 8; } id; uint64_clock_t timestamp; } extended;
		} v;
	} align(8);
	event.context := struct { integer { size = 32; align = 8; signed = true; } _vtid; };
};

event {
	name = "net:sent";
	id = 0;
	stream_id = 0;
	loglevel = 13;
	fields := struct { uint64_t _id; string { encoding = UTF8; } _text; };
};

event {
	name = "net:received";
	id = 1;
	stream_id = 0;
	loglevel = 13;
	fields := struct { uint64_t _id;
		enum : integer { size = 8; align = 8; } { "few" = 0 ... 3, "many" = 4 ... 9 } _how;
		integer { size = 8; align = 8; } __list_length; uint64_t _list[__list_length]; };
};

event {
	name = "far:away";
	id = 40;
	stream_id = 0;
	loglevel = 6;
	fields := struct { floating_point { exp_dig = 8; mant_dig = 24; align = 8; } _x; };
};
'''


def clock(true_ns):
    """What the host's clock shows."""
    return round(true_ns * (1 + float(SAID.get('drift_ppm', 0)) / 1e6) + int(SAID.get('offset_ns', 0)))


def record(event, ticks, last, payload):
    if event > 28 or last is None or ticks >> 27 != last >> 27:
        return b'\x1f' + struct.pack('<IQ', event, ticks) + payload
    return struct.pack('<I', event | (ticks & 0x7ffffff) << 5) + payload


def payload_of(event, number):
    tid = struct.pack('<i', 100 + number % 3)
    if event == 0:
        return tid + struct.pack('<Q', number) + b'text %d\0' % number
    if event == 1:
        values = range(number % 4)
        lists = b''.join(struct.pack('<Q', value) for value in values)
        return tid + struct.pack('<QBB', number, number % 4, number % 4) + lists
    return tid + struct.pack('<f', number / 2)


def packet(cpu, sequence, events, lost):
    body, last = b'', None
    for event, ticks, number in events:
        body += record(event, ticks, last, payload_of(event, number))
        last = ticks
    content = 84 + len(body)
    size = (content + 1023) // 1024 * 1024
    head = struct.pack('<I16sIQ', 0xc1fc1fc1, bytes([TRACE, *range(2, 17)]), 0, cpu)
    head += struct.pack('<QQQQQQI', content * 8, size * 8, events[0][1] - 50, events[-1][1] + 50,
                        sequence, lost, cpu)
    return head + body + bytes(size - content)


def stream(cpu):
    """Its packets: of each CPU, every other event; a received one is 20 us behind what was sent."""
    rand = random.Random(cpu)
    at, data, number, lost = 10000000 + cpu * 1000, b'', cpu, 0
    for sequence in range(6):
        events = []
        for _ in range(rand.randrange(20, 60)):
            at += rand.choice([1000, 30000, 2000000, 300000000])
            event = rand.choice([0, 0, 1, 1, 40])
            events.append((event, clock(at), number))
            number += 2
        lost += rand.choice([0, 0, 3])
        at += 200000
        data += packet(cpu, sequence, events, lost)
    return data


os.makedirs(DIR)
with open(DIR + '/metadata', 'w', encoding='utf-8') as file:
    file.write(METADATA % {'host': SAID.get('host', 'one'), 'trace': TRACE,
                           'uuid': SAID.get('uuid', '11111111-2222-3333-4444-555555555555')})
for cpu_id in range(2):
    with open('%s/stream_%d' % (DIR, cpu_id), 'wb') as file:
        file.write(stream(cpu_id))
