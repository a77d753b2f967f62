#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""random_make.py DIR SEED - a CTF 1.8 trace of types and values that a number tells: integers of any
width, alignment and byte order, floats, enums, texts, structs, arrays, sequences and variants in each
other, in contexts of packets, streams and events and in fields; the same for a number in each run.

Kept off: what babeltrace2 has wrong. Of an empty text it prints what the field had before, and signed
integers of 61 to 63 bits in base 16 are 0 to it. Integers that share a byte are in one order.
"""
import os
import random
import struct
import sys

EVENTS = 12
SIGNS = b'abcXYZ 019_?"\'\\\n\t\x01\x7f\xc3'
LABELS = ('idle', 'RUN', 'a b', 'x_1', 'last')


class Bits:
    """A packet, bit by bit, in both orders."""

    def __init__(self):
        self.data = bytearray()
        self.pos = 0
        self.order = None  # of the bits in the last byte

    def align(self, bits):
        self.pos = (self.pos + bits - 1) // bits * bits

    def room(self, bits):
        missing = (self.pos + bits + 7) // 8 - len(self.data)
        self.data += bytes(max(missing, 0))

    def put(self, value, bits, order):
        self.room(bits)
        for i in range(bits):
            from_low = i if order == 'le' else bits - 1 - i
            if value >> from_low & 1:
                at = self.pos + i
                self.data[at // 8] |= 1 << (at % 8 if order == 'le' else 7 - at % 8)
        self.pos += bits
        self.order = order


class Maker:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.order = self.random.choice(('le', 'be'))
        self.bits = Bits()
        self.names = 0

    def chance(self, part):
        return self.random.random() < part

    def name(self):
        self.names += 1
        return f'_f{self.names}'

    # ---- types: (text before the name, text behind it, how to write one, alignment)

    def integer(self, bits=None, order=None, align=None, signed=None):
        r = self.random
        bits = bits or r.choice((1, 2, 3, 5, 7, 8, 8, 11, 13, 16, 16, 24, 31, 32, 32, 33, 47, 63, 64, 64))
        if align is None:
            align = r.choice((1, 1, 2, 4, 8, 8, 8, 16, 32, 64))
        order = order or (r.choice(('le', 'be')) if bits % 8 == 0 and align % 8 == 0 else self.order)
        # A byte has bits in one order.
        if order != self.order:
            align = max(align, 8)
        signed = self.chance(0.5) if signed is None else signed
        base = r.choice((10, 10, 10, 10 if signed and 60 < bits < 64 else 16, 8, 2))
        text = (f'integer {{ size = {bits}; align = {align}; signed = {str(signed).lower()}; '
                f'byte_order = {order}; base = {base}; }}')

        def write(value=None):
            self.bits.align(align)
            if value is None:
                value = r.choice((0, 1, (1 << bits) - 1, 1 << (bits - 1), r.getrandbits(bits)))
            self.bits.put(value & ((1 << bits) - 1), bits, order)
            return value

        return text, '', write, align

    def real(self):
        r = self.random
        single = self.chance(0.5)
        order, align = r.choice(('le', 'be')), r.choice((8, 16, 32, 64))
        text = (f'floating_point {{ exp_dig = {8 if single else 11}; mant_dig = {24 if single else 53}; '
                f'align = {align}; byte_order = {order}; }}')

        def write():
            self.bits.align(align)
            value = r.choice((0.0, -0.0, 1.5, -2.25, 1e-30, 1e30, 3.14159265, float('inf'),
                              r.uniform(-1e6, 1e6)))
            data = struct.pack('>f' if single else '>d', value)
            self.bits.put(int.from_bytes(data, 'big'), len(data) * 8, order)

        return text, '', write, align

    def text(self):
        def write():
            self.bits.align(8)
            count = self.random.randrange(1, 9)
            for byte in [self.random.choice(SIGNS) for _ in range(count)] + [0]:
                self.bits.put(byte, 8, self.order)

        return self.random.choice(('string', 'string { encoding = ASCII; }')), '', write, 8

    def enum(self, signed=None):
        r = self.random
        bits = r.choice((3, 5, 8, 8, 16, 32))
        signed = self.chance(0.5) if signed is None else signed
        text, _, write_integer, align = self.integer(bits, signed=signed)
        low = -(1 << (bits - 1)) if signed else 0
        high = (1 << (bits - 1)) - 1 if signed else (1 << bits) - 1
        ranges = []
        for label in LABELS[:r.randrange(1, len(LABELS) + 1)]:
            a, b = sorted((r.randint(low, high), r.randint(low, high)))
            if self.chance(0.5):
                b = a
            ranges.append((label, a, b))
        labels = ', '.join(f'"{label}" = {a}' + (f' ... {b}' if b > a else '') for label, a, b in ranges)

        def write():
            write_integer(r.choice((low, high, r.randint(low, high), ranges[0][1])))

        return f'enum : {text} {{ {labels} }}', '', write, align

    def struct(self, depth):
        text, write, align = self.fields(self.random.randrange(0 if depth else 1, 4), depth)
        least = self.random.choice((1, 1, 8, 32))
        suffix = f' align({least})' if least > 1 else ''
        align = max(align, least)

        def write_all():
            self.bits.align(align)
            write()

        return f'struct {{ {text} }}{suffix}', '', write_all, align

    def array(self, depth):
        text, suffix, write, align = self.type(depth + 1, elements=True)
        count = self.random.randrange(1, 5)

        def write_all():
            self.bits.align(align)
            for _ in range(count):
                write()

        return text, f'[{count}]{suffix}', write_all, align

    def type(self, depth, elements=False):
        kinds = [self.integer, self.integer, self.real, self.text, self.enum]
        if depth < 3:
            kinds += [lambda: self.struct(depth + 1)]
            if not elements:
                kinds += [lambda: self.array(depth)]
        return self.random.choice(kinds)()

    # ---- fields that others refer to

    def sequence(self, depth):
        length = self.name()
        text, suffix, write, align = self.type(depth + 1, elements=True)
        bits = self.random.choice((3, 8, 16))
        number, _, write_number, number_align = self.integer(bits, signed=False)

        def write_all():
            count = self.random.randrange(0, 4)
            write_number(count)
            self.bits.align(align)
            for _ in range(count):
                write()

        return (f'{number} {length}; {text} {self.name()}[{length}]{suffix};', write_all,
                max(align, number_align))

    def variant(self, depth):
        tag = self.name()
        number, _, write_number, align = self.integer(self.random.choice((3, 8, 16)), signed=False)
        count = self.random.randrange(1, 4)
        labels = LABELS[3:4] + LABELS[1:2] + LABELS[:1]
        options = [self.type(depth + 1) for _ in range(count)]
        choices = ' '.join(f'{text} {label}{suffix};'
                           for label, (text, suffix, _, _) in zip(labels, options))
        enum = ', '.join(f'{label} = {i * 2}' + (f' ... {i * 2 + 1}' if i % 2 else '')
                         for i, label in enumerate(labels[:count]))

        def write_all():
            which = self.random.randrange(count)
            write_number(which * 2)
            options[which][2]()

        return (f'enum : {number} {{ {enum} }} {tag}; variant <{tag}> {{ {choices} }} {self.name()};',
                write_all, align)

    def field(self, depth):
        if depth < 2 and self.chance(0.25):
            return self.random.choice((self.sequence, self.variant))(depth)
        text, suffix, write, align = self.type(depth)
        return f'{text} {self.name()}{suffix};', write, align

    def fields(self, count, depth=0):
        made = [self.field(depth) for _ in range(count)]

        def write_all():
            for _, write, _ in made:
                write()

        return ' '.join(text for text, _, _ in made), write_all, max([1] + [align for _, _, align in made])


def metadata(maker, scopes, events):
    text = f'''/* CTF 1.8 */
trace {{
	major = 1; minor = 8; byte_order = {maker.order};
	packet.header := struct {{ integer {{ size = 32; align = 8; }} magic;
		integer {{ size = 32; align = 8; }} stream_id; }};
}};
clock {{ name = c; freq = 1000000000; offset_s = 1700000000; }};
stream {{
	id = 0;
	packet.context := struct {{ integer {{ size = 64; align = 8; }} content_size;
		integer {{ size = 64; align = 8; }} packet_size; {scopes['packet'][0]} }};
	event.header := struct {{ integer {{ size = 16; align = 8; }} id;
		integer {{ size = 64; align = 8; map = clock.c.value; }} timestamp; }};
	event.context := struct {{ {scopes['stream'][0]} }};
}};
'''
    for i, (context, fields) in enumerate(events):
        text += (f'event {{ name = "made:kind_{i}"; id = {i}; stream_id = 0;\n'
                 f'\tcontext := struct {{ {context[0]} }};\n\tfields := struct {{ {fields[0]} }};\n}};\n')
    return text


def put_scope(bits, scope):
    bits.align(scope[2])
    scope[1]()


def packet(maker, scopes, events, now):
    maker.bits = bits = Bits()
    bits.put(0xC1FC1FC1, 32, maker.order)
    bits.put(0, 32, maker.order)
    bits.align(max(8, scopes['packet'][2]))
    sizes_at = bits.pos
    bits.put(0, 128, maker.order)
    scopes['packet'][1]()
    for i in range(EVENTS):
        which = maker.random.randrange(len(events))
        bits.align(8)
        bits.put(which, 16, maker.order)
        bits.put(now + i * 1234567, 64, maker.order)
        put_scope(bits, scopes['stream'])
        for scope in events[which]:
            put_scope(bits, scope)
    content = bits.pos
    bits.align(64)
    bits.room(0)
    size = len(bits.data) * 8
    bits.pos = sizes_at
    bits.put(content, 64, maker.order)
    bits.put(size, 64, maker.order)
    return bytes(bits.data)


def main():
    directory, seed = sys.argv[1], int(sys.argv[2])
    maker = Maker(seed)
    scopes = {'packet': maker.fields(maker.random.randrange(3)),
              'stream': maker.fields(maker.random.randrange(3))}
    events = [(maker.fields(maker.random.randrange(2)), maker.fields(maker.random.randrange(1, 6)))
              for _ in range(3)]
    os.makedirs(directory)
    with open(os.path.join(directory, 'metadata'), 'w', encoding='utf-8') as file:
        file.write(metadata(maker, scopes, events))
    with open(os.path.join(directory, 'stream'), 'wb') as file:
        for i in range(2):
            file.write(packet(maker, scopes, events, 1000 + i * 1000000000))


if __name__ == '__main__':
    main()
