#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# All helpers at once, in a program that loads, locks, forks and starts programs at the same time:
# nothing hangs, and each call is counted once.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
need cc python3

program=$TACHO_BUILD/tests/e2e/helpers_stress
echo 'int value(void) { return 42; }' | cc -shared -fPIC -o libsome.so -x c -

check 'the_program_ends_well_without_helpers' expect_exit 0 timeout 60 "$program" "$TMP/libsome.so"
check 'the_program_ends_well_with_all_of_them' expect_exit 0 timeout 120 "$TACHO" record --fail-on-loss \
	--malloc --locks --libs --functions --buffer 64M -o trace -- "$program" "$TMP/libsome.so"
"$TACHO" view --summary trace >counts

count() # EVENT
{
	sed -n "s/^ *\([0-9,]*\) .* $1\$/\1/p" counts | tr -d , | grep . || echo 0
}

check 'each_request_of_a_mutex_is_counted' \
	test "$(count lttng_ust_pthread:pthread_mutex_lock_req)" = $((3 * 20000 + 100))
check 'each_mutex_is_counted' \
	test "$(count lttng_ust_pthread:pthread_mutex_lock_acq)" = $((3 * 20000 + 100))
check 'each_unlock_is_counted' \
	test "$(count lttng_ust_pthread:pthread_mutex_unlock)" = $((3 * 20000 + 100))
check 'each_read_lock_is_counted' test "$(count lttng_ust_pthread:pthread_rwlock_rdlock)" = $((3 * 20000))
check 'each_dlopen_is_counted' test "$(count lttng_ust_dl:dlopen)" = 900
check 'each_dlclose_is_counted' test "$(count lttng_ust_dl:dlclose)" = 900
check 'what_is_loaded_is_unloaded' test "$(count lttng_ust_lib:load)" = "$(count lttng_ust_lib:unload)"
check 'each_process_and_program_has_its_state_dump' \
	test "$(count lttng_ust_statedump:start)" = $((1 + 100 + 2 * 5))
check 'each_state_dump_is_complete' test "$(count lttng_ust_statedump:end)" = $((1 + 100 + 2 * 5))
