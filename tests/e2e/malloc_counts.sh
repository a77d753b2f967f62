#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# tacho record --malloc counts exactly: each call of each function once, in every thread and process.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
need python3

programs=$TACHO_BUILD/tests/e2e
pairs=$TACHO_SOURCE/tests/e2e/malloc_pairs.py

record() # NAME PROGRAM ARGS..
{
	local name=$1
	shift
	expect_exit 0 "$TACHO" record --malloc --buffer 16M -o "$TMP/$name" -- "$@" &&
		has "$TMP/err" 'nothing lost' &&
		"$TACHO" view --json "$TMP/$name" 2>"$TMP/view.err" |
		python3 "$pairs" --mark 70001 >"$TMP/$name.pairs"
}

value() # NAME NUMBER: 0 if it does not occur
{
	sed -n "s/^$2 //p" "$TMP/$1.pairs" | grep . || echo 0
}

added() # NAME NUMBER: what 500 rounds made of it
{
	echo $(($(value "$1.500" "$2") - $(value "$1.0" "$2")))
}

# ---- each function

check 'a_program_of_known_calls_finds_nothing_wrong' record calls.0 "$programs/malloc_calls" 0
check 'results_and_errno_are_those_of_the_real_functions' record calls.500 "$programs/malloc_calls" 500
for expected in malloc=4 calloc=2 realloc=7 free=10 memalign=1 aligned_alloc=1 posix_memalign=2 valloc=1 \
	pvalloc=1; do
	name=${expected%=*}
	check "each_${name}_is_counted_once" test "$(added calls "$name")" = $((500 * ${expected#*=}))
done
check 'no_free_is_unknown' test "$(value calls.500 unknown)" = 0
check 'no_block_is_given_twice' test "$(value calls.500 twice)" = 0

check 'a_program_of_new_and_delete_is_recorded' record new.0 "$programs/malloc_new" 0
check 'many_new_and_delete_are_recorded' record new.500 "$programs/malloc_new" 500
check 'an_allocation_of_a_static_constructor_is_recorded' test "$(value new.0 free)" = 1
check 'new_is_a_malloc' test "$(added new malloc)" = 1500
check 'new_of_aligned_types_is_an_aligned_alloc' test "$(added new aligned_alloc)" = 500
check 'delete_is_a_free' test "$(added new free)" = 2000

# ---- threads, signals, fork, vfork and exec, dlopen, destructors of threads

check 'a_stressed_program_is_recorded' record stress "$programs/malloc_stress" 8 3000 2
check 'no_call_is_missing_in_any_thread_or_process' test "$(value stress mark)" = $((5 * 8 * 3000))
check 'each_process_is_told_apart' test "$(value stress processes)" = 5
check 'each_block_is_freed_in_the_trace_too' test "$(value stress unfreed)" = 0
check 'no_free_of_threads_is_unknown' test "$(value stress unknown)" = 0
check 'no_block_of_threads_is_given_twice' test "$(value stress twice)" = 0

# ---- what is recorded

"$TACHO" view --json "$TMP/calls.500" >"$TMP/json"
check 'each_event_names_its_caller' test "$(grep -c '"caller":[1-9]' "$TMP/json")" = "$(wc -l <"$TMP/json")"
"$TACHO" view "$TMP/calls.500" >"$TMP/text"
check 'pointers_are_hexadecimal' grep -qE ' malloc:free ptr = 0x[0-9a-f]+, caller = 0x[0-9a-f]+$' "$TMP/text"
babeltrace2 "$TMP/calls.500" >"$TMP/bt.out" 2>"$TMP/bt.err"
check 'babeltrace2_reads_the_trace_without_a_word' test ! -s "$TMP/bt.err"
