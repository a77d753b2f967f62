#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""stats_model.py - what `tacho stats --json` has to say of a trace, reckoned from all its events.

	stats_model.py counts STATS EVENTS
	stats_model.py field EVENT.FIELD STATS EVENTS
	stats_model.py latency BEGIN END KEY|- STATS EVENTS
	stats_model.py malloc STATS EVENTS

STATS is what the command printed, EVENTS the lines of `tacho view --json`. Prints what differs.
"""
import collections
import json
import math
import sys

EXACT_MAX = 65536
wrong = []


def same(what, actual, expected):
    if actual != expected:
        wrong.append(f'{what} is {actual}, not {expected}')


def near(what, actual, expected, part=1e-9):
    if abs(actual - expected) > part * max(abs(expected), 1e-300):
        wrong.append(f'{what} is {actual}, not {expected}')


def judge_counts(stats, items):
    events = [item for item in items if 'event' in item]
    lost = [item for item in items if 'lost' in item]
    seconds = (items[-1]['time_ns'] - items[0]['time_ns']) / 1e9
    same('events', stats['events'], len(events))
    same('begin', stats['begin_ns'], items[0]['time_ns'])
    same('end', stats['end_ns'], items[-1]['time_ns'])
    near('rate', stats['per_second'], len(events) / seconds)
    for name, key in (('by_event', lambda e: (e['event'],)), ('by_process', lambda e: (e['pid'],)),
                      ('by_thread', lambda e: (e['pid'], e['tid'])), ('by_cpu', lambda e: (e['cpu'],))):
        expected = collections.Counter(key(event) for event in events)
        actual = collections.Counter({key(row): row['events'] for row in stats[name]})
        same(name, actual, expected)
        counts = [row['events'] for row in stats[name]]
        same(f'the order of {name}', counts, sorted(counts, reverse=True))
        for row in stats[name]:
            near(f'the rate in {name}', row['per_second'], row['events'] / seconds)
    names = {(e['pid'], e['tid']): e['thread'] for e in events}
    same('the names', {(row['pid'], row['tid']): row['name'] for row in stats['by_thread']}, names)
    same('lost events', stats['lost_events'], sum(item['lost']['events'] for item in lost))
    same('lost packets', stats['lost_packets'], sum(item['lost']['packets'] for item in lost))
    same('losses', stats['losses'],
         [{'cpu': item['cpu'], 'begin_ns': item['lost']['begin_ns'], 'end_ns': item['lost']['end_ns'],
           'events': item['lost']['events'], 'packets': item['lost']['packets']} for item in lost][:4096])


def judge_values(stats, values):
    same('count', stats['count'], len(values))
    if not values:
        return
    same('min', stats['min'], min(values))
    same('max', stats['max'], max(values))
    mean = math.fsum(values) / len(values)
    near('mean', stats['mean'], mean)
    near('deviation', stats['deviation'],
         math.sqrt(math.fsum((value - mean) ** 2 for value in values) / len(values)), 1e-6)
    exact = len(values) <= EXACT_MAX
    same('percentiles_exact', stats['percentiles_exact'], exact)
    values = sorted(values)
    same('percents', [p['percent'] for p in stats['percentiles']], [50, 90, 95, 99, 99.9])
    for entry, per_mille in zip(stats['percentiles'], (500, 900, 950, 990, 999)):
        value = values[(len(values) * per_mille + 999) // 1000 - 1]
        near(f'{per_mille} per mille', entry['value'], value, 0 if exact else 1 / 256)
    judge_histogram(stats['histogram'], values)


def is_in(row, value):
    if row['low'] == row['high'] == 0:
        return value == 0
    if row['low'] < 0:
        return row['low'] < value <= row['high'] and value != 0
    return row['low'] <= value < row['high'] and value != 0


def judge_histogram(rows, values):
    same('the sum of the rows', sum(row['count'] for row in rows), len(values))
    same('at most so many rows', len(rows) <= 25, True)
    same('the order of the rows', rows, sorted(rows, key=lambda row: (row['low'], row['high'])))
    for row in rows:
        same(f'row {row["low"]} .. {row["high"]}', row['count'],
             sum(is_in(row, value) for value in values))


def judge_field(stats, items, name):
    event, field = name.rsplit('.', 1)
    fields = [item['fields'] for item in items if item.get('event') == event]
    values = [f[field] if isinstance(f[field], (int, float)) else len(f[field]) for f in fields]
    found = [entry for entry in stats['fields'] if entry['field'] == name]
    same('events', found[0]['events'], len(fields))
    judge_values(found[0], values)


def judge_latency(stats, items, begin, end, key):
    opened, values = collections.defaultdict(list), []
    alone = again = 0
    for item in items:
        if item.get('event') not in (begin, end):
            continue
        who = item['fields'][key] if key != '-' else (item['pid'], item['tid'])
        if item['event'] == end:
            if opened[who]:
                values.append(item['time_ns'] - opened[who].pop())
            else:
                alone += 1
        if item['event'] == begin:
            if key != '-' and opened[who]:
                again += 1
                opened[who].pop()
            opened[who].append(item['time_ns'])
    found = stats['latencies'][0]
    same('without a begin', found['without_begin'], alone)
    same('begun again', found['begun_again'], again)
    same('without an end', found['without_end'], sum(map(len, opened.values())))
    same('left out', found['left_out'], 0)
    judge_values(found, values)


class Heap:
    def __init__(self):
        self.live, self.sizes = {}, []
        self.sites = collections.defaultdict(lambda: [0, 0])
        self.calls = self.frees = self.alone = self.failures = self.now = self.peak = 0

    def free(self, ptr):
        if not ptr[1]:
            return
        self.frees += 1
        if ptr not in self.live:
            self.alone += 1
        else:
            self.now -= self.live.pop(ptr)[0]

    def take(self, ptr, size, site):
        self.calls += 1
        if not ptr[1]:
            self.failures += 1
            return
        if ptr in self.live:
            self.now -= self.live.pop(ptr)[0]
        self.live[ptr] = (size, site)
        self.now += size
        self.peak = max(self.peak, self.now)
        self.sizes.append(size)
        self.sites[site][0] += 1
        self.sites[site][1] += size


def judge_malloc(stats, items):
    heap = Heap()
    for item in items:
        provider, _, name = item.get('event', '').partition(':')
        if provider != 'malloc':
            continue
        f, pid = item['fields'], item['pid']
        if name == 'free':
            heap.free((pid, f['ptr']))
            continue
        if name == 'realloc' and (f['ptr'] or not f['size']):
            heap.free((pid, f['in_ptr']))
        if name == 'realloc' and not f['ptr'] and not f['size'] and f['in_ptr']:
            continue
        heap.take((pid, f['ptr']), f['size'] * f.get('nmemb', 1), (pid, f['caller']))
    found = stats['malloc']
    live = collections.defaultdict(lambda: [0, 0])
    for size, site in heap.live.values():
        live[site][0] += 1
        live[site][1] += size
    for what, value in (('calls', heap.calls), ('frees', heap.frees), ('frees_alone', heap.alone),
                        ('failures', heap.failures), ('bytes', sum(heap.sizes)), ('left_out', 0),
                        ('live_blocks', len(heap.live)), ('live_bytes', heap.now),
                        ('peak_bytes', heap.peak)):
        same(what, found[what], value)
    same('the sites', {(s['pid'], s['caller']): (s['calls'], s['bytes'], s['live_blocks'], s['live_bytes'])
                       for s in found['sites']},
         {site: (*sums, *live[site]) for site, sums in heap.sites.items()})
    judge_values(found['sizes'], heap.sizes)


def main():
    what, *more, stats, events = sys.argv[1:]
    with open(stats, encoding='utf-8') as file:
        stats = json.load(file)
    with open(events, encoding='utf-8') as file:
        items = [json.loads(line) for line in file]
    judges = {'counts': judge_counts, 'field': judge_field, 'latency': judge_latency,
              'malloc': judge_malloc}
    judges[what](stats, items, *more)
    for line in wrong[:10]:
        print('#', line[:500])
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
