# SPDX-License-Identifier: MIT
"""kernel_pairs.py COUNT FILE - each shop:pair of the JSON lines lies between the end of one getppid()
of its thread and the begin of the next; COUNT 0: however many they are."""
import json
import sys

count, path = int(sys.argv[1]), sys.argv[2]
wanted = ['syscall_entry_getppid', 'syscall_exit_getppid', 'shop:pair', 'syscall_entry_getppid',
          'syscall_exit_getppid']
with open(path, encoding='utf-8') as file:
    events = [json.loads(line) for line in file]
tids = {event['tid'] for event in events if event['event'] == 'shop:pair'}
assert len(tids) == 1, tids
numbers = [event['fields']['number'] for event in events if event['event'] == 'shop:pair']
assert numbers == list(range(len(numbers))), 'a number is missing, or is there twice'
count = count or len(numbers)
own = [event['event'] for event in events if event['tid'] in tids]
assert own == wanted * count, f'{len(own)} events, not {5 * count} in order'
