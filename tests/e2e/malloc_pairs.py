#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""malloc_pairs.py - reads the events of the heap, as `tacho view --json` prints them, and counts.

Prints one line per number:
    NAME        how often event malloc:NAME occurred
    processes   that wrote an event
    mark        malloc() of --mark BYTES
    unfreed     of those, the blocks that were never freed, nor moved by realloc()
    twice       blocks that were handed out although nobody had freed them
    unknown     blocks that were freed and never handed out, to the process or one it was forked by
"""
import collections
import json
import sys

ALLOCATORS = ('malloc', 'calloc', 'realloc', 'memalign', 'aligned_alloc', 'posix_memalign', 'valloc',
              'pvalloc')


class Heap:
    """The blocks of one process."""

    def __init__(self):
        self.live = {}
        self.taken = set()
        self.twice = 0
        self.unknown = []

    def free(self, ptr):
        if ptr and self.live.pop(ptr, None) is None:
            self.unknown.append(ptr)

    def take(self, ptr, size):
        if ptr:
            self.twice += ptr in self.live
            self.live[ptr] = size
            self.taken.add(ptr)


def main():
    mark = int(sys.argv[sys.argv.index('--mark') + 1]) if '--mark' in sys.argv else None
    heaps = collections.defaultdict(Heap)
    counts = collections.Counter()
    for line in sys.stdin:
        event = json.loads(line)
        provider, _, name = event.get('event', '').partition(':')  # a loss has no event
        if provider != 'malloc':
            continue
        fields, heap = event['fields'], heaps[event['pid']]
        counts[name] += 1
        if name == 'free':
            heap.free(fields['ptr'])
            continue
        # realloc(ptr, 0) frees; one that fails does not.
        if name == 'realloc' and (fields['ptr'] or not fields['size']):
            heap.free(fields['in_ptr'])
        if name in ALLOCATORS:
            heap.take(fields['ptr'], fields['size'])
            counts['mark'] += name == 'malloc' and fields['size'] == mark
    taken = set().union(*(heap.taken for heap in heaps.values()))
    counts['processes'] = len(heaps)
    counts['unfreed'] = sum(mark is not None and size in (mark, mark + 1)
                            for heap in heaps.values() for size in heap.live.values())
    counts['twice'] = sum(heap.twice for heap in heaps.values())
    counts['unknown'] = sum(ptr not in taken for heap in heaps.values() for ptr in heap.unknown)
    for name, count in sorted(counts.items()):
        print(name, count)


if __name__ == '__main__':
    main()
