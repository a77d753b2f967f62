#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# tacho record --locks counts exactly: each call of each function once, in every thread and process,
# with what it returned and how long it waited.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
need python3

programs=$TACHO_BUILD/tests/e2e
pairs=$TACHO_SOURCE/tests/e2e/locks_pairs.py

record() # NAME PROGRAM ARGS..
{
	local name=$1
	shift
	expect_exit 0 "$TACHO" record --locks --buffer 16M -o "$TMP/$name" -- "$@" &&
		has "$TMP/err" 'nothing lost' &&
		"$TACHO" view --json "$TMP/$name" 2>"$TMP/view.err" | python3 "$pairs" >"$TMP/$name.pairs"
}

value() # NAME NUMBER: 0 if it does not occur
{
	sed -n "s/^$2 //p" "$TMP/$1.pairs" | grep . || echo 0
}

added() # NAME NUMBER: what 20 rounds made of it
{
	echo $(($(value "$1.20" "$2") - $(value "$1.0" "$2")))
}

# ---- each function

check 'the_answers_without_it_are_as_expected' expect_exit 0 "$programs/locks_calls" 2
check 'a_program_of_known_calls_is_recorded' record calls.0 "$programs/locks_calls" 0
check 'the_answers_are_those_of_the_real_functions' record calls.20 "$programs/locks_calls" 20
for expected in mutex_lock_req=15 mutex_lock_acq=15 mutex_trylock=3 mutex_timedlock=2 mutex_clocklock=3 \
	mutex_unlock=16 rwlock_rdlock=2 rwlock_wrlock=2 rwlock_tryrdlock=2 rwlock_trywrlock=2 \
	rwlock_timedrdlock=2 rwlock_timedwrlock=2 rwlock_clockrdlock=2 rwlock_clockwrlock=2 rwlock_unlock=6 \
	cond_wait=2 cond_timedwait=2 cond_clockwait=1 cond_signal=2 cond_broadcast=1; do
	name=${expected%=*}
	check "each_${name}_is_counted_once" test "$(added calls "$name")" = $((20 * ${expected#*=}))
done
check 'a_constructor_is_recorded' test "$(value calls.0 mutex_lock_acq)" = 1

# ---- what they returned, how long they waited

check 'a_deadlock_that_is_refused_is_recorded' test "$(value calls.20 mutex_lock_acq.EDEADLK)" = 20
check 'the_death_of_an_owner_is_recorded' test "$(value calls.20 mutex_lock_acq.EOWNERDEAD)" = 20
check 'an_unlock_that_is_refused_is_recorded' test "$(value calls.20 mutex_unlock.EPERM)" = 20
check 'a_wait_that_is_cancelled_is_recorded' test "$(value calls.20 cond_wait.ECANCELED)" = 20
check 'the_wait_for_a_lock_is_as_long_as_it_was_held' test "$(value calls.20 long_waits)" = 20
check 'a_lock_that_is_free_is_not_waited_for' test "$(value calls.20 waits)" -le 60
check 'a_child_is_recorded' test "$(value calls.20 processes)" = 21

# ---- threads

check 'threads_that_share_a_lock_are_recorded' record threads "$programs/locks_threads" 8 5000
check 'no_lock_of_any_thread_is_missing' test "$(value threads mutex_lock_acq)" = $((8 * 5000))
check 'no_unlock_of_any_thread_is_missing' test "$(value threads mutex_unlock)" = $((8 * 5000))
check 'each_request_is_followed_by_its_lock' test "$(value threads unanswered)" = 0

"$TACHO" view --json "$TMP/calls.20" >"$TMP/json"
check 'each_event_names_its_caller' test "$(grep -c '"caller":[1-9]' "$TMP/json")" = "$(wc -l <"$TMP/json")"
babeltrace2 "$TMP/calls.20" >"$TMP/bt.out" 2>"$TMP/bt.err"
check 'babeltrace2_reads_the_trace_without_a_word' test ! -s "$TMP/bt.err"

# ---- what is asked for

expect_exit 0 "$TACHO" record --locks -e 'lttng_ust_pthread:pthread_mutex_lock_acq' -o "$TMP/some" -- \
	"$programs/locks_threads" 2 100
"$TACHO" view --json "$TMP/some" 2>"$TMP/view.err" | python3 "$pairs" >"$TMP/some.pairs"
check 'events_can_be_chosen' test "$(value some mutex_lock_acq) $(value some mutex_unlock)" = '200 0'
expect_exit 0 "$TACHO" record --locks --malloc -e 'malloc:free' -o "$TMP/both" -- \
	"$programs/locks_threads" 2 100
"$TACHO" view --json "$TMP/both" 2>"$TMP/view.err" >"$TMP/both.json"
check 'choosing_among_those_of_one_helper_leaves_the_other_alone' \
	test "$(grep -c 'pthread_mutex_unlock' "$TMP/both.json")" = 200
check 'and_takes_only_what_was_chosen' test "$(grep -c '"malloc:malloc"' "$TMP/both.json")" = 0

# ---- where there is nothing to record

echo 'int main(void) { return 0; }' >nothing.c
expect_exit 0 "$TACHO" record --locks -o "$TMP/none" -- true
check 'why_there_may_be_none_is_said' has "$TMP/err" 'man tacho-locks'
if cc -static -o static nothing.c 2>"$TMP/cc.err"; then
	expect_exit 0 "$TACHO" record --locks -o "$TMP/static.trace" -- ./static
	check 'a_static_program_is_named_as_the_reason' \
		has "$TMP/err" 'no event of locks: the program is linked'
else
	skip 'a_static_program_is_named_as_the_reason' 'there is no static C library'
fi
