#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""libs_summary - what the JSON lines of `tacho view --json` tell of libraries and functions.

Prints lines of "NAME VALUE":
    PROVIDER:NAME            so many such events
    load PATH, state PATH    so often it was loaded, or was there in a state dump
    id PATH                  its build id
    unknown                  unloads of what was not there
    overlaps                 loads over what was there
    states_differ            state dumps of children that differ from their parent's
    entry NAME, exit NAME    of functions, with --symbols FILE: the output of nm
    call NAME from NAME      of functions compiled with -pg; the first is where that was called
    disorder                 exits from another function than was entered last
"""
import argparse
import collections
import json
import sys


def read_symbols(path):
    """Functions by their address in the file, as nm prints it."""
    symbols = {}
    with open(path, encoding='utf-8') as file:
        for line in file:
            words = line.split()
            if len(words) == 3 and words[1] in 'Tt':
                symbols[int(words[0], 16)] = words[2]
    return symbols


class Process:
    def __init__(self):
        self.loaded = {}   # base: (path, bytes)
        self.state = set()
        self.program = None
        self.stacks = collections.defaultdict(list)


class Summary:
    def __init__(self, symbols):
        self.symbols = symbols
        self.counts = collections.Counter()
        self.ids = {}
        self.processes = collections.defaultdict(Process)

    def read(self, event):
        name, fields = event['event'], event.get('fields') or {}
        process = self.processes[event['pid']]
        self.counts[name] += 1
        provider, _, short = name.partition(':')
        if short in ('bin_info', 'load'):
            self.appear(process, short, fields)
        elif short == 'unload':
            self.counts['unknown'] += process.loaded.pop(fields['baddr'], None) is None
        elif short == 'build_id' and provider != 'lttng_ust_dl':
            path = process.loaded[fields['baddr']][0]
            self.ids[path] = ''.join(f'{byte:02x}' for byte in bytes_of(fields['build_id']))
        elif name == 'function:entry':
            function, caller = (self.symbol(process, fields[f]) for f in ('func_addr', 'call_site'))
            self.counts[f'call {function} from {caller}'] += 1
        elif provider == 'lttng_ust_cyg_profile':
            self.call(process, event['tid'], short[len('func_'):], fields['func_addr'])

    def appear(self, process, short, fields):
        base, size, path = fields['baddr'], fields['memsz'], fields['path']
        self.counts[f'{"state" if short == "bin_info" else short} {path}'] += 1
        for other, (_, other_size) in process.loaded.items():
            self.counts['overlaps'] += base < other + other_size and other < base + size
        process.loaded[base] = (path, size)
        if short == 'bin_info':
            process.state.add((base, size, path))
            if process.program is None:
                process.program = base if fields['is_pic'] else 0

    def symbol(self, process, address):
        """The function that the address is in."""
        offset = address - (process.program or 0)
        before = max((begin for begin in self.symbols if begin <= offset), default=None)
        return self.symbols.get(before, 'unknown') if before and offset - before < 65536 else 'other'

    def call(self, process, thread, what, address):
        stack = process.stacks[thread]
        if what == 'entry':
            stack.append(address)
        else:
            self.counts['disorder'] += not stack or stack.pop() != address
        if process.program is not None:
            name = self.symbols.get(address - process.program, 'unknown')
            self.counts[f'{what} {name}'] += 1

    def print(self):
        states = [process.state for process in self.processes.values() if process.state]
        self.counts['states_differ'] = sum(state != states[0] for state in states)
        for name, value in sorted([*self.counts.items(), *((f'id {p}', i) for p, i in self.ids.items())]):
            print(name, value)


def bytes_of(value):
    return bytes.fromhex(value) if isinstance(value, str) else bytes(value)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--symbols')
    options = parser.parse_args()
    summary = Summary(read_symbols(options.symbols) if options.symbols else {})
    for line in sys.stdin:
        event = json.loads(line)
        if 'event' in event:
            summary.read(event)
    summary.print()


if __name__ == '__main__':
    main()
