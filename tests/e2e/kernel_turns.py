# SPDX-License-Identifier: MIT
"""kernel_turns.py FILE - system calls of one thread, as JSON lines: after each begin its end, and the
times never go back. What began before the recording has no begin."""
import json
import sys

last, turn, count = 0, None, 0
with open(sys.argv[1], encoding='utf-8') as file:
    for line in file:
        event = json.loads(line)
        name = event['event'].split('_')[1]
        assert name != turn, f'two times {event["event"]} after {count} events'
        assert event['time_ns'] >= last, 'time goes back'
        last, turn, count = event['time_ns'], name, count + 1
assert turn == 'exit' and count > 1000, f'{count} events, the last is {turn}'
print(f'# {count} events')
