#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A thread's events bear the name that it has, also when it was named after its first event.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"

program=$TACHO_BUILD/tests/e2e/thread_names
named() # TRACE EVENT NAME
{
	"$TACHO" view "$TMP/$1" | grep " names:$2" | grep -q "($3) "
}

expect_exit 0 "$TACHO" record -o "$TMP/t" -- "$program"
check 'before_it_is_named_it_has_its_programs_name' named t unnamed thread_names
check 'a_name_from_another_thread_is_seen' named t by_other by-other
check 'its_own_change_of_name_is_seen' named t by_itself by-itself
expect_exit 0 env GLIBC_TUNABLES=glibc.pthread.rseq=0 "$TACHO" record -o "$TMP/portable" -- "$program"
check 'the_portable_writer_sees_it_too' named portable by_itself by-itself
check 'and_what_another_thread_said' named portable by_other by-other
expect_exit 0 "$TACHO" record --malloc -o "$TMP/heap" -- "$program"
check 'so_does_a_program_with_a_preloaded_module' named heap by_other by-other
