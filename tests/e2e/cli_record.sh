#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# tacho record: ends as the program ended, whatever happens to it, and keeps the trace; what cannot
# work is said before the program runs.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
need python3

export HOME=$TMP/home
mkdir "$HOME"

record() # DIR ARGUMENTS..
{
	local dir=$1
	shift
	"$TACHO" record -o "$TMP/$dir" "$@"
}

no_session() { [ -z "$(ls -A "$TACHO_RUNTIME_DIR/sessions" 2>/dev/null)" ]; }
is_trace() { [ -n "$(find "$1" -name metadata -size +0)" ]; }
is_summary()
{
	has "$1" 'tacho: recorded ' && has "$1" 'tacho: trace: ' && has "$1" 'tacho: next:  tacho view '
}

# ---- what a filter names

record misspelled -f 'squar == 4' -- "$TACHO_BUILD/tests/e2e/known_values" 3 2>"$TMP/err"
check 'a_field_of_a_filter_that_is_misspelled_is_named' has "$TMP/err" \
	"'numbers:value' has no field 'squar'; did you mean 'square'?"
record spelled -f 'square == 4' -- "$TACHO_BUILD/tests/e2e/known_values" 3 2>"$TMP/err"
check 'one_that_is_there_is_not_doubted' sh -c '! grep -q "has no field" "$TMP/err"'
record unknown -f 'squar == 4' -- true 2>"$TMP/err"
check 'what_cannot_be_known_is_not_doubted' sh -c '! grep -q "has no field" "$TMP/err"'

# ---- how it ends

expect_case 'the_exit_status_is_the_programs' 0 record fine -- true
expect_case 'a_failing_programs_status_is_kept' 7 record seven -- sh -c 'exit 7'
# shellcheck disable=SC2016
expect_case 'a_program_killed_by_a_signal_gives_128_and_its_number' 137 \
	record killed -- sh -c 'kill -KILL $$'
check 'the_signal_is_named' has "$TMP/err" 'the program was killed by signal 9 (Killed)'
check 'the_summary_comes_after_a_killed_program_too' is_summary "$TMP/err"
check 'the_trace_of_a_killed_program_is_kept' is_trace "$TMP/killed"
expect_case 'options_of_the_program_are_its_own' 3 record own sh -c 'exit 3' --buffer nonsense
# shellcheck disable=SC2016
expect_case 'two_dashes_behind_the_program_are_its_own' 4 record dashes -- sh -c 'exit $(($# + 2))' x -- y
check 'no_session_is_left' no_session

expect_exit 0 record output -- echo hello
check 'the_programs_output_is_its_own' test "$(cat "$TMP/out")" = hello
check 'each_line_of_the_summary_begins_with_tacho' test -z "$(grep -v '^tacho: ' "$TMP/err")"

expect_exit 0 "$TACHO" record -- true
check 'without_a_directory_the_trace_goes_to_the_home' is_trace "$HOME/tacho-traces"
expect_exit 0 record 'a dir' -- true
check 'the_next_command_is_quoted_for_the_shell' has "$TMP/err" "tacho view '$TMP/a dir'"
expect_case 'a_path_of_missing_directories_is_made' 0 record x/y/z -- true
mkdir "$TMP/empty"
expect_case 'an_empty_directory_is_taken' 0 record empty -- true

# ---- whom it records

orders=$TACHO_BUILD/tests/e2e/cli_orders
placed() { "$TACHO" view "$TMP/$1" | grep -c order_placed; } # DIR

# A program that runs already, and one that starts meanwhile, both with the same events.
mkfifo "$TMP/orders-go"
"$orders" 10 wait < "$TMP/orders-go" > "$TMP/ready" &
other=$!
exec 3> "$TMP/orders-go"
wait_until grep -q ready "$TMP/ready"
# shellcheck disable=SC2016
expect_exit 0 record family -- sh -c '"$1" 3; env -u TACHO_FAMILY "$1" 100; echo > "$2"; "$1" 4' \
	sh "$orders" "$TMP/orders-go"
exec 3>&-
wait "$other"
check 'only_the_program_and_its_descendants_are_recorded' test "$(placed family)" = 7
expect_exit 0 record outer -- "$TACHO" record -o "$TMP/inner" -- "$orders" 5
check 'a_recording_inside_another_gets_all_events' test "$(placed inner)" = 5
check 'and_so_does_the_outer_one' test "$(placed outer)" = 5

# ---- what cannot work

nothing_left() # DIR: no trace, no session
{
	[ ! -e "$TMP/$1" ] && no_session
}

expect_case 'a_missing_program_is_127' 127 record missing -- no-such-program --option
check 'a_missing_program_is_named' \
	has "$TMP/err" 'cannot run no-such-program: there is no such program in PATH'
check 'a_missing_program_leaves_nothing' nothing_left missing
mkdir -p "$TMP/bin/no-such-program"
expect_exit 127 env PATH="$TMP/bin:$PATH" "$TACHO" record -o "$TMP/missing" -- no-such-program
check 'a_directory_in_the_path_is_no_program' has "$TMP/err" 'there is no such program in PATH'
expect_case 'a_missing_file_is_127' 127 record missing -- ./no/such
check 'a_missing_file_is_named' has "$TMP/err" 'cannot run ./no/such: there is no such file'
echo 'no program' >"$TMP/plain"
expect_case 'a_file_that_is_not_executable_is_126' 126 record missing -- ./plain
check 'a_file_that_is_not_executable_gets_advice' has "$TMP/err" 'chmod +x ./plain'
expect_case 'a_directory_is_126' 126 record missing -- /tmp
check 'a_directory_is_called_one' has "$TMP/err" 'it is a directory'
printf '#!/no/such/interpreter\n' >"$TMP/script"
chmod +x "$TMP/script"
expect_case 'a_missing_interpreter_is_127' 127 record missing -- ./script
check 'a_missing_interpreter_is_said' has "$TMP/err" 'the interpreter that it names is missing'
check 'a_program_that_cannot_be_run_leaves_nothing' nothing_left missing
rm -rf "$TMP/empty" && mkdir "$TMP/empty"
expect_exit 127 record empty -- ./script
check 'an_empty_directory_that_was_there_stays' test -d "$TMP/empty" -a -z "$(ls -A "$TMP/empty")"

not_run() # NAME TEXT DIR: refused with TEXT before the program runs
{
	rm -f "$TMP/ran"
	if expect_exit 1 "$TACHO" record -o "$3" -- touch "$TMP/ran" && has "$TMP/err" "$2" &&
		[ ! -e "$TMP/ran" ] && no_session; then
		ok "$1"
	else
		not_ok "$1" 'see above'
		show "$TMP/err"
	fi
}
not_run 'a_directory_below_a_file_is_refused' \
	"cannot write the trace to $TMP/plain/x: Not a directory" "$TMP/plain/x"
not_run 'a_file_is_refused' 'Not a directory' "$TMP/plain"
not_run 'a_directory_where_nobody_may_make_one_is_refused' \
	'cannot write the trace to /proc/trace' /proc/trace
not_run 'a_directory_with_something_in_it_is_refused' 'there is something in it' "$TMP/fine"
check 'what_is_in_it_stays' is_trace "$TMP/fine"

unwritable_directory()
{
	local who='setpriv --reuid=65534 --regid=65534 --clear-groups env HOME=/nonexistent'
	mkdir -p "$TMP/theirs" && chmod 755 "$TMP" "$TMP/theirs"
	[ "$(id -u)" = 0 ] || { skip 'an_unwritable_directory_is_refused' 'needs root'; return; }
	# shellcheck disable=SC2086
	$who "$TACHO" --version >/dev/null 2>&1 ||
		{ skip 'an_unwritable_directory_is_refused' 'another user cannot reach the build'; return; }
	# shellcheck disable=SC2086
	expect_exit 1 $who TACHO_RUNTIME_DIR="$TMP/none" "$TACHO" record -o "$TMP/theirs/trace" -- true
	check 'an_unwritable_directory_is_refused' has "$TMP/err" \
		"cannot write the trace to $TMP/theirs/trace: Permission denied; name a directory that"
}
unwritable_directory

# ---- signals

on_terminal() { python3 "$TACHO_SOURCE/tests/e2e/cli_terminal.py" "$TACHO" record "$@"; }

expect_case 'an_interrupt_ends_the_program' 130 \
	on_terminal -o "$TMP/int" -- sh -c 'echo ready; exec sleep 60'
check 'an_interrupt_leaves_the_summary' is_summary "$TMP/out"
check 'an_interrupt_leaves_the_trace' is_trace "$TMP/int"

cat >"$TMP/polite" <<'END'
trap 'echo saved; exit 5' INT
echo ready
while :; do read -r line || exit 9; done
END
expect_case 'a_program_that_handles_the_interrupt_goes_on' 5 \
	on_terminal -o "$TMP/polite.d" -- sh "$TMP/polite"
check 'it_does_what_it_wants_first' has "$TMP/out" saved

cat >"$TMP/stubborn.py" <<'END'
import signal
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
while True:
    print('ready', flush=True)
    signal.sigwait([signal.SIGINT])
END
expect_case 'a_second_interrupt_kills_the_program' 137 \
	on_terminal -o "$TMP/kill" -- python3 "$TMP/stubborn.py"
check 'a_second_interrupt_leaves_the_trace' is_trace "$TMP/kill"

# A signal to tacho alone is passed on.
mkfifo "$TMP/started"
cat >"$TMP/waits" <<'END'
sleep 60 &
trap "kill $!; exit 6" TERM
echo >"$1"
wait
END
"$TACHO" record -o "$TMP/term" -- sh "$TMP/waits" "$TMP/started" 2>"$TMP/err" &
pid=$!
read -r _ <"$TMP/started"
kill -TERM "$pid"
wait "$pid"
check 'a_signal_to_tacho_reaches_the_program' test $? = 6
check 'a_signal_to_tacho_leaves_the_trace' is_trace "$TMP/term"

# What nobody can handle leaves a session that anybody can end.
mkfifo "$TMP/go" "$TMP/said"
orders=$TACHO_BUILD/tests/e2e/cli_orders
"$TACHO" record -o "$TMP/orphan" -- "$orders" 10 wait <"$TMP/go" >"$TMP/said" 2>/dev/null &
pid=$!
exec 7>"$TMP/go" 8<"$TMP/said"
read -r _ <&8
{ kill -KILL "$pid" && wait "$pid"; } 2>/dev/null
echo >&7
read -r _ <&8
check 'a_killed_tacho_leaves_a_session' has <("$TACHO" list) auto-
expect_case 'a_killed_tachos_session_can_be_ended' 0 "$TACHO" destroy
check 'a_killed_tachos_trace_is_complete' \
	test "$("$TACHO" view "$TMP/orphan" | grep -c shop:order_placed)" = 20
exec 7>&- 8<&-

# ---- what the program sees

{
	sh -c 'ls -l /proc/self/fd' </dev/null 2>/dev/null | wc -l >"$TMP/plain_fds"
	record fds -- sh -c 'ls -l /proc/self/fd' </dev/null 2>/dev/null | wc -l >"$TMP/traced_fds"
}
same 'the_program_inherits_no_descriptor' "$TMP/plain_fds" "$TMP/traced_fds"
signals='^Sig(Blk|Ign)'
grep -E "$signals" /proc/self/status >"$TMP/plain_signals"
record signals -- grep -E "$signals" /proc/self/status >"$TMP/traced_signals" 2>/dev/null
same 'the_program_inherits_no_blocked_signal' "$TMP/plain_signals" "$TMP/traced_signals"

sh -c 'ls -l /proc/self/fd' 0<&- 2>&- | wc -l >"$TMP/plain_fds"
record closed -- sh -c 'ls -l /proc/self/fd' 0<&- 2>&- | wc -l >"$TMP/traced_fds"
same 'the_program_finds_closed_what_was_closed' "$TMP/plain_fds" "$TMP/traced_fds"
check 'a_closed_standard_error_output_does_no_harm' is_trace "$TMP/closed"
expect_case 'without_a_home_a_directory_must_be_named' 1 env -u HOME "$TACHO" record -- true
check 'without_a_home_it_says_how' has "$TMP/err" '-o DIR'

# ---- events

count_of() { "$TACHO" view --json "$TMP/$1" | grep -c "\"$2\""; }

expect_case 'an_instrumented_program_is_recorded' 0 record events -- "$orders" 1000
check 'the_summary_counts_the_events' has "$TMP/err" 'recorded 1,001 events'
check 'the_summary_says_that_nothing_is_lost' has "$TMP/err" 'nothing lost'
check 'each_event_is_in_the_trace' test "$(count_of events shop:order_placed)" = 1000
expect_exit 0 record chosen -e 'shop:clo*' -- "$orders" 1000
check 'a_pattern_chooses_events' \
	test "$(count_of chosen shop:order_placed)/$(count_of chosen shop:closed)" = 0/1
expect_exit 0 record two -e 'shop:clo*' -e 'shop:order*' -- "$orders" 10
check 'patterns_add_up' \
	test "$(count_of two shop:order_placed)/$(count_of two shop:closed)" = 10/1
expect_exit 0 record grave --loglevel warning -- "$orders" 1000
check 'a_level_chooses_events' \
	test "$(count_of grave shop:order_placed)/$(count_of grave shop:closed)" = 0/1
expect_exit 0 record none -e 'other:*' -- "$orders" 10
check 'no_event_that_matches_is_said' has "$TMP/err" 'nothing that the program did matched'
expect_exit 0 record none2 -- true
check 'a_program_without_events_gets_advice' has "$TMP/err" 'tacho record --malloc'

# Whoever drains is stopped, so that the buffer must become full.
cat >"$TMP/flood" <<'END'
code='import json, sys; print(json.load(sys.stdin)["sessions"][0]["drain_pid"])'
drain=$("$TACHO" list --json | python3 -c "$code")
[ "$drain" -gt 1 ] || exit 9
kill -STOP "$drain"
"$1" 100000
kill -CONT "$drain"
END
expect_case 'a_program_that_is_too_fast_is_not_disturbed' 0 \
	record loss --buffer 64K -- sh "$TMP/flood" "$orders"
check 'what_is_lost_is_said_with_the_reason' \
	grep -qE '^tacho: lost [0-9,]+ events: the buffer was full' "$TMP/err"
check 'what_is_lost_comes_with_what_helps' has "$TMP/err" 'what helps: --buffer 2M (now 64 KiB per CPU)'
lost=$(sed -nE 's/^tacho: lost ([0-9,]+) events.*/\1/p' "$TMP/err" | tr -d ,)
recorded=$(sed -nE 's/^tacho: recorded ([0-9,]+) events.*/\1/p' "$TMP/err" | tr -d ,)
check 'recorded_and_lost_are_all_there_were' test "$((lost + recorded))" = 100001

expect_case 'fail_on_loss_fails_on_loss' 1 \
	record loss1 --fail-on-loss --buffer 64K -- sh "$TMP/flood" "$orders"
expect_case 'fail_on_loss_leaves_what_is_complete_alone' 0 record loss2 --fail-on-loss -- "$orders" 10
expect_case 'a_program_that_waits_loses_nothing' 0 \
	record blocked --fail-on-loss --blocking-timeout inf --buffer 16K -- "$orders" 100000
check 'and_has_all_its_events' test "$(count_of blocked shop:order_placed)" = 100000

# ---- sessions that others destroy

# shellcheck disable=SC2016
expect_case 'a_session_that_another_command_destroyed_is_a_failure' 1 \
	record theirs -- sh -c '"$1" 10; tacho destroy --all' sh "$orders"
check 'it_is_said_once' test "$(grep -c 'destroyed' "$TMP/err")" = 1
check 'nothing_false_is_said' test -z "$(grep -e damaged -e 'still holds' "$TMP/err")"
check 'what_was_recorded_until_then_is_there' test "$(count_of theirs shop:order_placed)" = 10

# ---- unmodified programs

expect_exit 127 record status -- sh -c 'exit 127'
check 'status_127_is_explained' has "$TMP/err" 'whose libraries cannot; libtacho.so.0: tacho doctor'

expect_exit 0 record wrapped --malloc -- sort "$TMP/plain"
check 'an_unmodified_program_is_recorded' test "$(count_of wrapped malloc:malloc)" -ge 1
expect_exit 0 record both --malloc -e 'shop:*' -- "$orders" 10 wait
check 'patterns_do_not_switch_the_wrapper_off' test "$(count_of both malloc:malloc)" -ge 1
check 'the_wrapper_does_not_switch_patterns_off' test "$(count_of both shop:order_placed)" = 20
expect_exit 0 record frees --malloc -e 'malloc:free' -- sort "$TMP/plain"
check 'a_pattern_chooses_among_the_wrappers_events' test "$(count_of frees malloc:free)" -ge 1
check 'a_pattern_leaves_the_wrappers_other_events_out' test "$(count_of frees malloc:malloc)" = 0
# shellcheck disable=SC2016
expect_exit 0 env LD_PRELOAD=libm.so.6 \
	"$TACHO" record -o "$TMP/preload" --malloc -- sh -c 'echo "$LD_PRELOAD"'
check 'what_is_preloaded_already_stays' grep -qE '/libtacho-malloc.so:libm.so.6$' "$TMP/out"

# ---- flight recorders

expect_exit 0 record flight --overwrite -- "$orders" 1000
check 'a_flight_recorder_leaves_a_trace_at_the_end' test "$(count_of flight shop:order_placed)" = 1000
check 'a_flight_recorder_leaves_no_session' no_session
expect_exit 0 record small --overwrite --buffer 16K -- "$orders" 100000
check 'a_flight_recorder_keeps_the_newest' test "$(count_of small shop:closed)" = 1
check 'a_flight_recorder_says_what_is_gone' has "$TMP/err" 'overwritten'

babeltrace2 "$TMP/events" >"$TMP/bt.out" 2>"$TMP/bt.err"
check 'babeltrace2_reads_the_trace_without_a_word' test ! -s "$TMP/bt.err"
check 'babeltrace2_counts_the_same' test "$(grep -c 'shop:order_placed' "$TMP/bt.out")" = 1000
