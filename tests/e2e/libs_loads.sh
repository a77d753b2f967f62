#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# tacho record --libs: what is loaded where, in each process and at each time, with its build id; and
# programs find their libraries as without it.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
need cc nm python3 readelf

program=$TACHO_BUILD/tests/e2e/libs_loads
summary=$TACHO_SOURCE/tests/e2e/libs_summary.py

library() # FILE SOURCE OPTIONS..
{
	local file=$1 source=$2
	shift 2
	echo "$source" | cc -shared -fPIC -Wl,--build-id -o "$file" -x c - "$@"
}

build_id() { readelf -n "$1" | sed -n 's/.*Build ID: //p'; } # FILE

summarise() # NAME OPTIONS..
{
	local name=$1
	shift
	"$TACHO" view --json "$TMP/$name.trace" 2>"$TMP/view.err" | python3 "$summary" "$@" \
		>"$TMP/$name.summary"
}

record() # NAME OPTIONS.. -- PROGRAM ARGS..
{
	local name=$1
	shift
	"$TACHO" record --fail-on-loss -o "$TMP/$name.trace" "$@" \
		>"$TMP/$name.out" 2>"$TMP/$name.err" </dev/null && summarise "$name"
}

value() { sed -n "s|^$2 ||p" "$TMP/$1.summary" | grep . || echo 0; } # RUN NAME

# ---- a library and the one that it needs

library libdeep.so 'int deep(void) { return 42; }'
library libouter.so 'int deep(void); int value(void) { return deep(); }' -L. -ldeep "-Wl,-rpath,$TMP"

"$program" 5 "$TMP/libouter.so" >plain.out 2>plain.err
check 'a_program_that_loads_is_recorded' record loads --libs -- "$program" 5 "$TMP/libouter.so"
same 'it_prints_the_same' plain.out loads.out
check 'each_dlopen_is_recorded' test "$(value loads lttng_ust_dl:dlopen)" = 6
check 'each_dlclose_is_recorded' test "$(value loads lttng_ust_dl:dlclose)" = 7
check 'a_dlmopen_is_recorded' test "$(value loads lttng_ust_dl:dlmopen)" = 1
check 'each_load_is_recorded' test "$(value loads "load $TMP/libouter.so")" = 6
check 'a_needed_library_is_recorded_too' test "$(value loads "load $TMP/libdeep.so")" = 6
check 'each_unload_is_recorded' test "$(value loads lttng_ust_lib:unload)" = 12
check 'nothing_is_unloaded_that_was_not_there' test "$(value loads unknown)" = 0
check 'nothing_overlaps_what_is_there' test "$(value loads overlaps)" = 0
check 'build_ids_are_those_of_the_files' \
	test "$(value loads "id $TMP/libouter.so")" = "$(build_id libouter.so)"
check 'build_ids_of_the_state_dump_too' test "$(value loads "id $program")" = "$(build_id "$program")"
check 'each_process_has_one_state_dump' test "$(value loads lttng_ust_statedump:start)" = 2
check 'each_state_dump_ends' test "$(value loads lttng_ust_statedump:end)" = 2
check 'each_state_dump_has_the_program' test "$(value loads "state $program")" = 2
check 'the_child_has_what_its_parent_had' test "$(value loads states_differ)" = 0
babeltrace2 "$TMP/loads.trace" >"$TMP/bt.out" 2>"$TMP/bt.err"
check 'babeltrace2_reads_the_trace_without_a_word' test ! -s "$TMP/bt.err"

# ---- by a bare name, found by the run path of who asks

mkdir private
library private/libhidden.so 'int deep(void) { return 43; }'
library libasks.so '#include <dlfcn.h>
	int value(void) { void *h = dlopen("libhidden.so", RTLD_NOW);
		int (*f)(void) = h ? (int (*)(void))dlsym(h, "deep") : 0; return f ? f() : -1; }' \
	"-Wl,-rpath,\$ORIGIN/private"
"$program" 1 "$TMP/libasks.so" >plain.out 2>plain.err
check 'the_run_path_finds_it' has plain.out 'value 43'
check 'a_library_that_loads_is_recorded' record asks --libs -- "$program" 1 "$TMP/libasks.so"
same 'the_run_path_of_the_caller_finds_it_as_ever' plain.out asks.out
check 'what_it_found_is_recorded' test "$(value asks "load $TMP/private/libhidden.so")" -ge 1

# ---- threads that load at the same time

cat >threads.c <<'END'
#include <dlfcn.h>
#include <pthread.h>
static void *load(void *file)
{
	for (int i = 0; i < 200; i++)
		dlclose(dlopen(file, RTLD_NOW));
	return 0;
}
int main(int argc, char **argv)
{
	pthread_t threads[8];
	for (int i = 0; i < 8; i++)
		pthread_create(&threads[i], 0, load, argv[1 + i % (argc - 1)]);
	for (int i = 0; i < 8; i++)
		pthread_join(threads[i], 0);
}
END
cc -o threads threads.c
check 'threads_that_load_are_recorded' record threads --libs --locks --malloc --buffer 16M -- ./threads \
	"$TMP/libouter.so" "$TMP/private/libhidden.so"
check 'each_dlopen_of_a_thread_is_recorded' test "$(value threads lttng_ust_dl:dlopen)" = 1600
check 'each_dlclose_of_a_thread_is_recorded' test "$(value threads lttng_ust_dl:dlclose)" = 1600
check 'each_load_is_unloaded' \
	test "$(value threads lttng_ust_lib:unload)" = "$(value threads lttng_ust_lib:load)"
check 'no_thread_unloads_what_was_not_there' test "$(value threads unknown)" = 0
check 'no_thread_loads_over_what_was_there' test "$(value threads overlaps)" = 0

# ---- functions: addresses become names

cat >calls.c <<'END'
static int leaf(int n) { return n + 1; }
static int twice(int n) { return leaf(leaf(n)); }
int main(void)
{
	int n = 0;
	for (int i = 0; i < 1000; i++)
		n = twice(n);
	return n != 2000;
}
END
for pie in pie no-pie; do
	cc -O0 "-$pie" "-f$pie" -finstrument-functions -o "calls.$pie" calls.c
	check "a_${pie}_program_of_functions_is_recorded" \
		record "calls.$pie" --functions --libs -- "./calls.$pie"
	nm "calls.$pie" >symbols
	summarise "calls.$pie" --symbols symbols
	check "each_entry_of_leaf_is_recorded_$pie" test "$(value "calls.$pie" 'entry leaf')" = 2000
	check "each_exit_of_leaf_is_recorded_$pie" test "$(value "calls.$pie" 'exit leaf')" = 2000
	check "each_entry_of_twice_is_recorded_$pie" test "$(value "calls.$pie" 'entry twice')" = 1000
	check "main_is_entered_and_left_once_$pie" test \
		"$(value "calls.$pie" 'entry main') $(value "calls.$pie" 'exit main')" = '1 1'
	check "functions_are_left_in_the_order_they_were_entered_$pie" \
		test "$(value "calls.$pie" disorder)" = 0
done
expect_exit 0 "$TACHO" record --functions -o "$TMP/none" -- true
check 'why_there_may_be_none_is_said' has "$TMP/err" 'finstrument-functions'

# ---- a flight recorder, which is overwritten some hundred times

check 'a_flight_recorder_is_recorded' record flight --overwrite --buffer 64K --libs -- "$program" 1500 \
	"$TMP/libouter.so"
check 'it_has_the_state_dumps_from_the_begin' test "$(value flight "state $program")" = 2
check 'each_state_dump_is_there_once' test "$(value flight lttng_ust_statedump:start)" = 2
check 'the_first_load_is_there_as_well' test "$(value flight "load $TMP/libouter.so")" = 1501
check 'nothing_of_it_is_unknown' test "$(value flight unknown)" = 0
