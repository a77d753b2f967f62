#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Contexts say the truth: of processes, threads, ids and namespaces that change, added at any time.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
need babeltrace2 python3

program=$TACHO_BUILD/tests/e2e/contexts
judge() # TRACE ARGUMENTS..: of contexts.py
{
	local trace=$1
	shift
	"$TACHO" view --json --all "$TMP/$trace" | python3 "$TACHO_SOURCE/tests/e2e/contexts.py" "$@"
}

babeltrace_reads() # TRACE: without a word, and as many events as we find
{
	local ours
	ours=$("$TACHO" view --all "$TMP/$1" | wc -l)
	babeltrace2 "$TMP/$1" >"$TMP/bt" 2>"$TMP/bt.err" && [ ! -s "$TMP/bt.err" ] &&
		[ "$(wc -l <"$TMP/bt")" = "$ours" ]
}

begin() # NAME: a session that records
{
	"$TACHO" create -o "$TMP/$1" "$1" >/dev/null && "$TACHO" enable-event -s "$1" '*' >/dev/null &&
		"$TACHO" start "$1" >/dev/null
}

end() # NAME
{
	"$TACHO" destroy "$1" >/dev/null
}

add() # SESSION TYPE..
{
	local session=$1 type
	shift
	for type in "$@"; do
		"$TACHO" add-context -s "$session" -t "$type" >/dev/null || return 1
	done
}

run() # ACTION..: the program, to its end
{
	timeout 60 "$program" "$@" </dev/null
}

thread_contexts="vpid vtid procname pthread_id cpu_id"
id_contexts="vuid veuid vsuid vgid vegid vsgid"
namespace_contexts="cgroup_ns ipc_ns mnt_ns net_ns pid_ns time_ns user_ns uts_ns"
all_contexts="$thread_contexts $id_contexts $namespace_contexts"

# ---- what they say ----

begin truth
# shellcheck disable=SC2086
check 'contexts_are_added_while_it_records' add truth $all_contexts
check 'the_program_runs' run event thread fork event
end truth
# shellcheck disable=SC2086
check 'processes_threads_and_children_are_who_they_are' judge truth $all_contexts
check 'babeltrace2_reads_them_without_a_warning' babeltrace_reads truth
check 'a_thread_has_its_name' has <(judge truth --show contexts:thread procname) worker

begin portable
# shellcheck disable=SC2086
add portable $all_contexts
GLIBC_TUNABLES=glibc.pthread.rseq=0 run event thread fork event
end portable
# shellcheck disable=SC2086
check 'so_they_are_with_the_portable_writer' judge portable $all_contexts

change() # NAME ACTION..: a case: ids or namespaces change, and contexts with them
{
	local name=$1
	shift
	begin change
	# shellcheck disable=SC2086
	add change $all_contexts
	run "$@"
	end change
	# shellcheck disable=SC2086
	check "$name" judge change $all_contexts
	rm -rf "$TMP/change"
}

can_unshare() # NAME
{
	unshare "--$1" true 2>/dev/null
}

if [ "$(id -u)" = 0 ]; then
	change 'setuid_is_seen' event setuid=1234 event thread
	change 'seteuid_is_seen_forth_and_back' event seteuid=1234 event seteuid=0 event
	change 'setreuid_is_seen' event setreuid=1234 event
	change 'setresuid_is_seen' event setresuid=1234 event
	change 'setgid_and_setegid_are_seen' event setegid=77 event setgid=78 event
	change 'setregid_and_setresgid_are_seen' event setregid=77 event setresgid=78 event
	change 'a_system_call_is_seen_when_it_is_told' event raw=1234 event
	change 'an_id_that_a_vfork_child_gets_is_not_its_parents' event vfork event
	change 'a_child_has_the_ids_it_got' event setuid=1234 fork event
else
	skip 'ids_that_change_are_seen' 'only root may change them'
fi
for name in uts ipc net mount pid cgroup; do
	if can_unshare $name; then
		change "a_new_${name}_namespace_is_seen" event unshare="${name/mount/mnt}" event fork thread
	else
		skip "a_new_${name}_namespace_is_seen" "not allowed: unshare --$name"
	fi
done
if can_unshare user; then
	change 'a_new_user_namespace_is_seen_and_when_it_gets_its_map' \
		event unshare=user event map="$(id -u)" event thread
else
	skip 'a_new_user_namespace_is_seen_and_when_it_gets_its_map' 'not allowed: unshare --user'
fi

# ---- where it was ----

begin place
add place ip
run place
end place
number_of() # NAME: a field's, or a context's
{
	"$TACHO" view --json "$TMP/place" | sed -n "s/.*\"$1\":\([0-9]*\).*/\1/p"
}

ip_is_in_program() # wherever it was mapped
{
	local start
	start=$((16#$(nm "$program" | sed -n 's/ . __executable_start$//p')))
	addr2line -i -e "$program" "$(printf '%#x' $(($(number_of ip) - $(number_of start) + start)))" \
		>"$TMP/line"
	has "$TMP/line" "contexts.c:$(number_of line)"
}
if command -v addr2line >/dev/null; then
	check 'ip_is_where_the_event_is_in_the_program' ip_is_in_program
else
	skip 'ip_is_where_the_event_is_in_the_program' 'addr2line is not installed'
fi

# ---- added while events pour in ----

mkfifo "$TMP/in"
begin flood
"$program" flood <"$TMP/in" >"$TMP/steps" &
flooding=$!
exec 8>"$TMP/in"
wait_until test -s "$TMP/steps"
check 'contexts_are_added_one_by_one_to_events_that_pour_in' \
	add flood vtid procname vpid ip vuid perf:thread:faults mnt_ns cpu_id
echo >&8
wait $flooding
exec 8>&-
end flood
check 'no_record_is_damaged_and_none_is_without_what_it_had' judge flood --grow
check 'babeltrace2_reads_them_all' babeltrace_reads flood

# ---- counters ----

begin counters
add counters perf:thread:context-switches perf:thread:task-clock perf:thread:cpu-cycles perf:thread:faults
run event event event
end counters
grows() # NAME: never less than before, and more at the end
{
	judge counters --show contexts:thread "$1" >"$TMP/values"
	sort -n "$TMP/values" | cmp -s - "$TMP/values" &&
		[ "$(head -n 1 "$TMP/values")" -lt "$(tail -n 1 "$TMP/values")" ]
}
is_unavailable_or_grows() # NAME
{
	judge counters --show contexts:thread "$1" >"$TMP/values"
	[ "$(sort -u "$TMP/values")" = None ] || grows "$1"
}
check 'the_time_that_a_thread_has_run_grows' grows perf_thread_task_clock
faults=$(judge counters --show contexts:thread perf_thread_faults | sort -n | tail -n 1)
check 'faults_are_counted' test "$faults" -gt 0
check 'cycles_grow_or_are_unavailable_but_never_wrong' is_unavailable_or_grows perf_thread_cpu_cycles
check 'unavailable_is_said_in_text' \
	eval "! grep -q 'cpu_cycles = 18446744073709551615' <('$TACHO' view '$TMP/counters')"

# ---- channels ----

begin two
"$TACHO" enable-channel -s two other >/dev/null
"$TACHO" enable-event -s two -c other 'contexts:*' >/dev/null
"$TACHO" add-context -s two -c channel0 -t vpid >/dev/null
"$TACHO" add-context -s two -c other -t vtid -t vuid >/dev/null
run event thread event
check 'a_snapshot_holds_them_too' "$TACHO" snapshot record -o "$TMP/two-snapshot" two
end two
of_channel() # TRACE CHANNEL: only that
{
	mkdir "$TMP/$1-$2" && cp -r "$TMP/$1/ust" "$TMP/$1-$2" &&
		find "$TMP/$1-$2" -name '*_[0-9]' ! -name "$2*" -delete
}
for trace in two two-snapshot; do
	of_channel $trace channel0
	of_channel $trace other
	check "each_channel_of_${trace}_has_its_own_contexts" judge $trace-channel0 vpid
	check "and_the_other_of_${trace}_others" judge $trace-other vtid vuid
	check "babeltrace2_reads_both_of_$trace" babeltrace_reads $trace
done

# ---- the command ----

"$TACHO" create --snapshot words >/dev/null
expect_case 'adding_again_is_no_failure' 0 "$TACHO" add-context -s words -t vpid -t vpid
expect_case 'adding_what_is_there_says_so' 0 "$TACHO" add-context -s words -u -t vpid
check 'in_words' has "$TMP/out" 'was already'
expect_case 'a_mistyped_context_is_wrong_use' 2 "$TACHO" add-context -s words -t vpd
check 'and_the_nearest_is_told' has "$TMP/err" "did you mean 'vpid'?"
expect_case 'a_counter_of_cpus_is_refused' 2 "$TACHO" add-context -s words -t perf:cpu:cycles
check 'and_that_of_threads_is_told' has "$TMP/err" 'perf:thread:cycles'
expect_case 'a_raw_counter_needs_a_name' 2 "$TACHO" add-context -s words -t perf:thread:raw:r1c2
expect_case 'a_raw_counter_with_a_name_is_taken' 0 \
	"$TACHO" add-context -s words -t perf:thread:raw:r1c2:mine
expect_case 'nothing_to_add_is_wrong_use' 2 "$TACHO" add-context -s words
expect_case 'an_unknown_channel_is_a_failure' 1 "$TACHO" add-context -s words -c nope -t vpid
check 'and_the_channels_are_told' has "$TMP/err" channel0
expect_case 'contexts_of_the_kernel_are_refused' 2 "$TACHO" add-context -s words -k -t vpid
expect_case 'all_that_can_be_added_is_listed' 0 "$TACHO" add-context --list
check 'as_names' has "$TMP/out" perf:thread:L1-dcache-loads
expect_case 'and_as_json' 0 "$TACHO" add-context --list --json
has_vpid='import json, sys; sys.exit("vpid" not in json.load(open(sys.argv[1]))["contexts"])'
check 'which_is_json' python3 -c "$has_vpid" "$TMP/out"
end words
