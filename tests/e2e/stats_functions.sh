#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# tacho stats --functions: its numbers are those of a model in Python, on the events of the same trace.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
need gcc python3 jq

cat >calls.c <<'END_OF_FILE'
#include <pthread.h>
#include <setjmp.h>
#include <stdlib.h>

#define NOINLINE __attribute__((noinline))
static __thread jmp_buf back;
static __thread volatile long sum;

static NOINLINE void leaf(long n)
{
	for (long i = 0; i < n; i++)
		sum += i;
}
static NOINLINE void deep(long n)
{
	leaf(n);
	if (n)
		deep(n - 1);
	leaf(n);
}
static NOINLINE void jump(void)
{
	leaf(3);
	longjmp(back, 1);
}
static NOINLINE void catch_it(void)
{
	if (!setjmp(back))
		jump();
	leaf(5);
}
static NOINLINE void *work(void *rounds)
{
	for (long i = 0; i < (long)rounds; i++) {
		deep(i % 7);
		catch_it();
	}
	return NULL;
}
static NOINLINE void leave(void)
{
	exit(0);
}
int main(int argc, char **argv)
{
	pthread_t thread;
	long rounds = argc > 1 ? atol(argv[1]) : 100;

	pthread_create(&thread, NULL, work, (void *)rounds);
	work((void *)rounds);
	pthread_join(thread, NULL);
	leave();
}
END_OF_FILE
cat >model.py <<'END_OF_FILE'
"""model.py STATS EVENTS: what stats --functions --json says is what the events say, one by one"""
import collections
import json
import sys

said = json.load(open(sys.argv[1]))['functions']
calls, durations = collections.Counter(), collections.defaultdict(list)
total, own = collections.Counter(), collections.Counter()
stacks, dropped, alone = collections.defaultdict(list), 0, 0
for text in open(sys.argv[2]):
    line = json.loads(text)
    name = line.get('event', '')
    if not name.startswith('lttng_ust_cyg_profile:'):
        continue
    stack, address, now = stacks[line['tid']], line['fields']['func_addr'], line['time_ns']
    if name.endswith('func_entry'):
        calls[address] += 1
        stack.append([address, now, 0])
        continue
    if address not in [frame[0] for frame in stack]:
        alone += 1
        continue
    while stack[-1][0] != address:
        inside = stack.pop()[2]
        stack[-1][2] += inside
        dropped += 1
    _, begin, inside = stack.pop()
    durations[address].append(now - begin)
    own[address] += now - begin - inside
    if address not in [frame[0] for frame in stack]:
        total[address] += now - begin
    if stack:
        stack[-1][2] += now - begin

wrong = []
def expect(what, have, want):
    if have != want:
        wrong.append(f'{what}: {have}, not {want}')
expect('functions', len(said['functions']), len(calls))
expect('without_exit', said['without_exit'], dropped)
expect('without_entry', said['without_entry'], alone)
expect('unfinished', said['unfinished'], sum(len(stack) for stack in stacks.values()))
for row in said['functions']:
    address = row['address']
    times = sorted(durations[address])
    expect('calls', row['calls'], calls[address])
    expect('exits', row['exits'], len(times))
    expect('total_ns', row['total_ns'], total[address])
    expect('self_ns', row['self_ns'], own[address])
    for entry in row['percentiles']:
        exact = times[-int(-len(times) * entry['percent'] * 10 // 1000) - 1]
        if abs(entry['ns'] - exact) > exact / 32 + 1:
            wrong.append(f"{entry['percent']} %: {entry['ns']}, not near {exact}")
expect('order', [row['self_ns'] for row in said['functions']],
       sorted((row['self_ns'] for row in said['functions']), reverse=True))
print(*(f'# {line}' for line in wrong[:20]), sep='\n')
sys.exit(1 if wrong or not calls else 0)
END_OF_FILE
gcc -g -O1 -finstrument-functions calls.c -o calls -pthread || not_ok 'the_program_is_compiled' 'it is not'
"$TACHO" record --functions --libs --buffer 32M -o trace -- ./calls 300 >log 2>&1 || show log
"$TACHO" view --json trace >events
"$TACHO" stats --functions --json trace >stats
check 'numbers_are_those_of_the_model' python3 -B model.py stats events
check 'calls_that_were_left_by_longjmp_are_counted' jq -e '.functions.without_exit == 600' stats
check 'calls_that_are_not_over_are_counted' jq -e '.functions.unfinished >= 2' stats
# From the event in the middle on.
begin=$(jq -s '.[length / 2 | floor].time_ns - .[0].time_ns' events)
begin=+$(printf '%010d' "$begin" | sed 's/.\{9\}$/.&/')
"$TACHO" view --json --begin "$begin" trace >events
"$TACHO" stats --functions --json --begin "$begin" trace >stats
check 'of_a_part_as_well' python3 -B model.py stats events
"$TACHO" stats --functions --symbols trace >text
check 'functions_have_names' grep -qE "[0-9] 0x[0-9a-f]+ deep\\+0x0 at .*calls\\.c:1[0-9]" text
"$TACHO" stats --functions --symbols --json trace >stats
check 'calls_are_what_the_program_does' \
	jq -e '[.functions.functions[] | select(.symbol | startswith("catch_it"))][0].calls == 600' stats
"$TACHO" stats --functions --rows 2 trace >text
check 'a_table_is_cut_and_says_so' grep -q '^and [0-9]* more$' text

expect_exit 0 "$TACHO" record --functions -o none -- env -i ./calls 1
check 'env_-i_is_among_the_reasons_for_no_event' has err 'as by env -i'

gcc -O1 -pg calls.c -o entries -pthread 2>err &&
	"$TACHO" record --functions -o entries.trace -- ./entries 10 >log 2>&1
"$TACHO" stats --functions entries.trace >text
check 'without_exits_there_are_calls' grep -q 'only the entries were recorded' text
expect_exit 0 "$TACHO" stats --functions --event none trace
check 'a_trace_without_functions_is_warned_about' has err 'tacho record --functions'
expect_case 'symbols_need_something_to_name' 2 "$TACHO" stats --symbols trace
