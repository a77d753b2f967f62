#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""damaged_traces.py TACHO FIRST COUNT TRACE.. - damage copies of traces, repair them, ask readers.

Damage number N is the same in each run. Of each repaired trace, babeltrace2 has to read all without a
warning of damage, and to find as many events as `tacho view`; and they are those that `tacho view` shows of
the damaged one, but for those that were said to be left out, and with those behind damage, where view stops.
Where nothing of a damaged trace can be read, or its metadata give a size of a packet too few bits, nothing is
to be written.
"""
import os
import random
import re
import shutil
import struct
import subprocess
import sys

TACHO, FIRST, COUNT = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
SOURCES = sys.argv[4:]
TMP = os.environ.get('TMP', '/tmp')
PAGE = 4096
INTERESTING = [0, 1, 7, 8, 64, 0x7f, 0xff, 0x7fffffff, 0xffffffff, 1 << 40, 1 << 62, (1 << 63) - 1, 1 << 63,
               (1 << 64) - 1]


def stream_files(trace):
    for directory, _, names in os.walk(trace):
        if os.path.basename(directory) == 'index':
            continue
        for name in sorted(names):
            if name != 'metadata':
                yield os.path.join(directory, name)


def metadata_files(trace):
    return [os.path.join(d, 'metadata') for d, _, names in os.walk(trace) if 'metadata' in names]


def packets(data):
    """Where packets begin: each has the magic number."""
    found = []
    for magic in (b'\xc1\x1f\xfc\xc1', b'\xc1\xfc\x1f\xc1'):
        at = data.find(magic)
        while at >= 0:
            if at % 8 == 0:
                found.append(at)
            at = data.find(magic, at + 1)
    return sorted(found) or [0]


def some_packet(rand, data):
    bounds = packets(data) + [len(data)]
    at = rand.randrange(len(bounds) - 1)
    return bounds[at], bounds[at + 1]


def flip(rand, data):
    for _ in range(rand.randint(1, 8)):
        data[rand.randrange(len(data))] ^= 1 << rand.randrange(8)


def truncate(rand, data):
    del data[rand.randrange(len(data)):]


def zero(rand, data):
    at = rand.randrange(len(data)) & ~(rand.choice([64, 512, PAGE]) - 1)
    end = min(len(data), at + rand.choice([64, 512, PAGE]))
    data[at:end] = bytes(end - at)


def rubbish(rand, data):
    at = rand.randrange(len(data))
    end = min(len(data), at + rand.randint(1, 200))
    data[at:end] = rand.randbytes(end - at)


def swap(rand, data):
    (a, a_end), (b, b_end) = sorted([some_packet(rand, data), some_packet(rand, data)])
    if a != b:
        data[:] = data[:a] + data[b:b_end] + data[a_end:b] + data[a:a_end] + data[b_end:]


def double(rand, data):
    begin, end = some_packet(rand, data)
    data[end:end] = data[begin:end]


def leave_out(rand, data):
    begin, end = some_packet(rand, data)
    if end - begin < len(data):
        del data[begin:end]


def lengthen(rand, data):
    data += rand.choice([bytes(rand.randint(1, PAGE)), rand.randbytes(rand.randint(1, 64))])


def field(rand, data):
    """A number in the head of a packet: its sizes and times are among them."""
    begin, end = some_packet(rand, data)
    at = begin + 8 * rand.randrange(1, 13)
    if at + 8 > end:
        return
    order = rand.choice('<>')
    value = struct.unpack_from(order + 'Q', data, at)[0]
    other = struct.unpack_from(order + 'Q', data, begin + 8 * rand.randrange(0, (end - begin) // 8))[0]
    value = rand.choice([rand.choice(INTERESTING), value + rand.randint(-100000, 100000), value * 2,
                         value // 2, value ^ 1 << rand.randrange(64), rand.getrandbits(64), other])
    struct.pack_into(order + 'Q', data, at, value & (1 << 64) - 1)


STREAM = [flip, truncate, zero, rubbish, swap, double, leave_out, lengthen, field, field, field, field]


def blocks(text, word):
    return [m.span() for m in re.finditer(r'^%s \{.*?^\};\n' % word, text, re.M | re.S)]


def double_block(rand, text):
    spans = blocks(text, rand.choice(['event', 'stream', 'clock', 'env', 'trace'])) or blocks(text, 'event')
    if not spans:
        return text
    begin, end = rand.choice(spans)
    at = rand.choice([begin, end, spans[-1][1]])
    return text[:at] + text[begin:end] + text[at:]


def drop_block(rand, text):
    spans = blocks(text, rand.choice(['event', 'stream', 'clock', 'env']))
    if not spans:
        return text
    begin, end = rand.choice(spans)
    return text[:begin] + text[end:]


def add_attribute(rand, text):
    places = [m.end() for m in re.finditer(r'\{[ \t]*\n?', text)]
    at = rand.choice(places)
    return text[:at] + rand.choice(['colour = "red";', 'weight = 12;', 'event.x := struct { };', 'a.b = c;',
                                    'id = 1;', 'id = 0;', 'stream_id = 7;', 'encoding = UTF8;', 'align = 8;',
                                    'loglevel = 300;', 'uuid = "none";', 'freq = 17;']) + text[at:]


def drop_mark(rand, text):
    places = [m.start() for m in re.finditer(rand.choice([';', '[{}]', '"', ':=', '=']), text)]
    if not places:
        return text
    at = rand.choice(places)
    return text[:at] + text[at + 1:]


def change_number(rand, text):
    match = rand.choice(list(re.finditer(r'\b\d+\b', text)))
    value = rand.choice(['0', '1', '2', '7', '8', '64', '65', '4294967295', '18446744073709551615', '-1'])
    return text[:match.start()] + value + text[match.end():]


def change_name(rand, text):
    match = rand.choice(list(re.finditer(r'\b[a-z_]{3,}\b', text)))
    other = rand.choice(list(re.finditer(r'\b[a-z_]{3,}\b', text))).group()
    return text[:match.start()] + other + text[match.end():]


def cut_text(rand, text):
    return text[:rand.randrange(len(text))]


def flip_text(rand, text):
    data = bytearray(text.encode('latin-1'))
    flip(rand, data)
    return data.decode('latin-1')


def unknown_block(rand, text):
    at = rand.choice([m.start() for m in re.finditer(r'^\w+ \{', text, re.M)])
    return text[:at] + 'callsite {\n\tname = "x"; func = "f"; file = "a.c"; line = 3;\n};\n' + text[at:]


TEXT = [double_block, double_block, drop_block, add_attribute, add_attribute, drop_mark, change_number,
        change_name, cut_text, flip_text, unknown_block]


def change(path, rand):
    with open(path, 'rb') as file:
        data = bytearray(file.read())
    if os.path.basename(path) != 'metadata':
        kind = rand.choice(STREAM)
        if data:
            kind(rand, data)
    else:
        kind = rand.choice(TEXT)
        if len(data) > 200:
            data = kind(rand, data.decode('latin-1')).encode('latin-1')
    with open(path, 'wb') as file:
        file.write(data)
    return '%s of %s' % (kind.__name__, os.path.basename(path))


def damage(number, to):
    rand = random.Random(number)
    shutil.rmtree(to, ignore_errors=True)
    shutil.copytree(SOURCES[number % len(SOURCES)], to)
    done = []
    for _ in range(rand.choice([1, 1, 1, 2, 3])):
        files = metadata_files(to) if rand.randrange(3) == 0 else list(stream_files(to))
        done.append(change(rand.choice(files), rand))
    return ', '.join(done)


def run(*command):
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)


def view_count(trace):
    out = run(TACHO, 'view', '--json', trace)
    return out.returncode, out.stdout.count(b'"event":')


def babeltrace(trace):
    """What is wrong, and how many events there are."""
    out = run('babeltrace2', trace)
    lines = out.stdout.split(b'\n')[:-1]
    wrong = [line for line in out.stderr.decode('utf-8', 'replace').split('\n')
             if line and 'WARNING: Tracer ' not in line and 'User field found in' not in line]
    return wrong or (['exit status %d' % out.returncode] if out.returncode else []), \
        sum(b' tacho:writer: ' not in line for line in lines)


def has_half_the_times(trace):
    """Packets that say when they begin but not when they end: babeltrace2 does not take the begin then."""
    for path in metadata_files(trace):
        with open(path, encoding='latin-1') as file:
            text = file.read()
        if ('timestamp_begin' in text) != ('timestamp_end' in text):
            return True
    return False


def left_out_events(said):
    return sum(int(n.replace(',', '')) for n in re.findall(r'left out ([\d,]+) events? ', said))


def examine(number):
    """Return: what is wrong, or None."""
    damaged, sound = TMP + '/damaged', TMP + '/sound'
    what = damage(number, damaged)
    shutil.rmtree(sound, ignore_errors=True)
    status, before = view_count(damaged)
    out = run(TACHO, 'repair', '-o', sound, damaged)
    said = out.stderr.decode('utf-8', 'replace')
    if out.returncode == 1 and not os.path.exists(sound) and \
            ('too few bits' in said or before == 0 and 'cannot write' not in said):
        return None
    if out.returncode:
        return '%s: repair ends with %d: %s' % (what, out.returncode, said)
    wrong, count = babeltrace(sound)
    if wrong and has_half_the_times(sound):
        return None
    if wrong:
        return '%s: babeltrace2 says: %s' % (what, '\n#   '.join(wrong[-4:]))
    after_status, after = view_count(sound)
    if after_status:
        return '%s: tacho view ends with %d' % (what, after_status)
    if after != count:
        return '%s: %d events, %d in babeltrace2' % (what, after, count)
    if after + left_out_events(said) < before or (status == 0 and after + left_out_events(said) != before):
        return '%s: %d events, of %d that were seen; said: %s' % (what, after, before, said)
    return None


def main():
    failures = 0
    for number in range(FIRST, FIRST + COUNT):
        wrong = examine(number)
        if wrong:
            failures += 1
            print('# damage %d, %s' % (number, wrong), flush=True)
    print('# %d of %d damaged traces are not mended' % (failures, COUNT))
    sys.exit(failures != 0)


main()
