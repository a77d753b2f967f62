#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""locks_pairs - count the locks in the JSON lines of `tacho view --json` (standard input).

Prints lines of "NAME NUMBER":
    NAME            events lttng_ust_pthread:pthread_NAME
    NAME.ERROR      those whose status is that
    waits           locks of mutexes that were waited for
    long_waits      of those, so long as locks_calls.c holds one
    unanswered      requests for a mutex that are not the thread's last event before it has it
    processes       that recorded anything
"""
import collections
import errno
import json
import sys

PREFIX = 'lttng_ust_pthread:pthread_'
LONG_NS = 20_000_000
ERRORS = {**errno.errorcode, errno.EDEADLK: 'EDEADLK'}  # it has two names


def main():
    counts = collections.Counter()
    requested = {}
    processes = set()
    for line in sys.stdin:
        event = json.loads(line)
        if not event.get('event', '').startswith(PREFIX):
            continue
        name, fields = event['event'][len(PREFIX):], event['fields']
        thread = event['tid']
        processes.add(event['pid'])
        counts[name] += 1
        if fields.get('status'):
            counts[f'{name}.{ERRORS[fields["status"]]}'] += 1
        if name == 'mutex_lock_acq':
            counts['waits'] += fields['wait_ns'] > 0
            counts['long_waits'] += fields['wait_ns'] > LONG_NS
            counts['unanswered'] += requested.get(thread) != fields['mutex']
        requested[thread] = fields['mutex'] if name == 'mutex_lock_req' else None
    counts['processes'] = len(processes)
    for name, count in sorted(counts.items()):
        print(name, count)


if __name__ == '__main__':
    main()
