#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# kernel_filter.sh - filters that the kernel runs: what it lets through is what `tacho view --filter`
# makes of the same events recorded without one, and what it cannot do is refused before anything is
# enabled.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
. "$TACHO_SOURCE/tests/lib_kernel.sh"

cp "$(type -P true)" fk-one
cp "$(type -P true)" fk-two
work()
{
	local i
	for ((i = 0; i < 20; i++)); do
		./fk-one /etc/passwd
		./fk-two
		/bin/sh -c :
	done
}

# recorded SESSION - of the work, and nothing else
recorded()
{
	mkfifo $1.go
	{ read -r _ <$1.go; work; } &
	tacho track -s $1 -k --descendants $! && tacho start $1 && echo >$1.go && wait $! &&
		tacho destroy $1
}

# Events without what is not the same in two channels: their times; the name of the thread, which is
# learned from all events that there are; the state of a thread that ends, whose parent may reap it before
# the second channel looks; and the next thread's name and priority, which others may change until then.
events_of()
{
	tacho view --format json "${@:2}" "$1" |
		sed 's/"time[^,]*,//g; s/"thread[^,]*,//g; s/"prev_state[^,]*,//g; s/"next_[cp][^,}]*//g' |
		sort
}

# same_as_view NAME OPTIONS EVENT EXPRESSION - two channels of one session, with and without the filter
number=0
same_as_view()
{
	local s=s$((number += 1))
	{
		tacho create $s -o $s
		# shellcheck disable=SC2086
		tacho enable-event -s $s -c all -k $2 "$3"
		# shellcheck disable=SC2086
		tacho enable-event -s $s -c some -k $2 "$3" --filter "$4"
		recorded $s
	} >log 2>&1 || { not_ok "$1" "$(tail -n 1 log)"; return; }
	cp -r $s $s.all && rm -f $s.all/kernel/some_* $s.all/kernel/index/some_*
	rm -f $s/kernel/all_* $s/kernel/index/all_*
	events_of $s.all --filter "$4" | grep -v tacho:writer >expected
	events_of $s | grep -v tacho:writer >actual
	test -s expected || { not_ok "$1" "nothing matches"; return; }
	same "$1" expected actual
}

same_as_view "a pattern at the begin of a name" "" sched_switch 'prev_comm == "fk-*"'
same_as_view "a pattern at the end of a name" "" sched_switch 'prev_comm == "*-two"'
same_as_view "a priority is the one that the trace shows" "" sched_switch \
	'prev_prio == 20 && prev_comm == "fk-one"'
same_as_view "bits, negation and parentheses" "" sched_switch \
	'(prev_comm == "fk-*" || prev_comm == "sh") && !((prev_state & 3) == 2) && (prev_state & 0xff) != 0'
same_as_view "what can never be true of a field is not asked of it" "" sched_switch \
	'prev_tid < 1 << 40 && (prev_comm == "sh" || prev_tid == -5000000000)'
same_as_view "a dynamic string" "" sched_process_exec 'filename == "*fk-on*"'
if [ -n "$has_syscalls" ]; then
	same_as_view "a negative int in a register" --syscall openat 'dfd == -100 && flags < 0x80000'
	same_as_view "a comparison of a negative int in a register" --syscall openat 'dfd < 3'
	same_as_view "an exit by its result" --syscall 'openat,access,execve' 'ret < 0 && ret > -100'
	strings()
	{
		tacho create strings -o strings &&
			tacho enable-event -s strings -k --syscall execve \
				--filter 'filename == "./fk-*" && $ctx.procname != "fk-*"' &&
			recorded strings
	}
	check "the kernel looks at the strings of a program" strings
	check "each of them is seen" test "$(tacho view strings | grep -c syscall_entry_execve)" = 40
fi

# ---- several rules ----

tacho create several -o several >/dev/null
several() { tacho enable-event -s several -k "$@" >/dev/null; }
filter_of() { cat "$TMP/tracefs/instances/$(instances)/events/sched/$1/filter"; }
is_filter() { test "$(filter_of "$1")" = "$2"; }
several sched_switch --filter 'prev_tid == 12'
several sched_switch --filter 'next_comm == "x"'
check "two rules of one event: one of them is enough" \
	is_filter sched_switch '(prev_pid == 12) || (next_comm == "x")'
several 'sched_*' --filter 'prev_comm == "y"'
check "an event that lacks a field of the filter is not enabled" \
	test "$(cat "$TMP/tracefs/instances/$(instances)/set_event")" = sched:sched_switch
several sched_switch
check "a rule without a filter lets all through" is_filter sched_switch none
tacho disable-event -s several -k sched_switch >/dev/null
check "without those rules the filter of the third is left" \
	is_filter sched_switch 'prev_comm == "y"'
tacho destroy several >/dev/null

# ---- what the kernel cannot do ----

tacho create refused -o refused >/dev/null
refuse()
{
	expect_case "$1" 1 tacho enable-event -s refused -k sched_switch --filter "$2"
	check "it says: $3" has err "$3"
}
refuse "fields compared with each other are refused" 'prev_tid == next_tid' 'compare two of them'
refuse "arithmetic with fields is refused" 'prev_tid + 1 == 3' 'cannot compute'
refuse "a fraction is refused" 'prev_tid < 1.5' 'no fractions'
refuse "an element is refused" 'prev_comm[0] == 3' 'elements of fields'
refuse "a context that the kernel does not know is refused" '$ctx.vpid == 3' 'track --vpid'
refuse "a field that is none is refused" 'nope == 3' "has no field 'nope'"
refuse "a string with both quotes is refused" "prev_comm == \"a'\\\"\"" 'both kinds of quotes'
refuse "a filter that is too long is refused" \
	"$(printf 'prev_tid == %d || ' {100000..100200})prev_tid == 1" 'too long for the kernel'
check "nothing was made for them" no_instance
half="$(printf 'prev_tid == %d || ' {100000..100084})prev_tid == 1"
check "half of that is taken" tacho enable-event -s refused -k sched_switch --filter "$half"
tacho status refused >before
check "the same filter again is no second one" \
	tacho enable-event -s refused -k sched_switch --filter "$half"
refuse "filters of two rules that are too long together are refused" "$half || prev_tid == 2" \
	'too long for the kernel'
tacho status refused >after
same "and nothing is changed by them" before after
expect_case "record refuses the same" 1 \
	tacho record -k -e sched_switch --filter 'prev_tid == next_tid' -o never -- true
check "record takes a filter" tacho record -k -e sched_switch --filter 'next_comm == "nobody*"' \
	-o none -- ./fk-one
check "what it rejects is not in the trace" sh -c "! tacho view none | grep -q sched_switch"
tacho destroy refused >/dev/null
check "nothing is left in tracefs" no_instance
