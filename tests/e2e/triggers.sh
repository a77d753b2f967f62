#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Triggers: each condition and each action, with a program that does what it is told.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
need python3

export HOME=$TMP
program=$TACHO_BUILD/tests/e2e/triggers_program

# ---- the program, and what is said to it ----

start_program()
{
	coproc PROGRAM { exec "$program"; }
	program_pid=$PROGRAM_PID
}

tell() # WORDS..: prints the answer
{
	local answer
	printf '%s\n' "$*" >&"${PROGRAM[1]}"
	read -r answer <&"${PROGRAM[0]}"
	printf '%s\n' "$answer"
}

end_program()
{
	local pid=$program_pid
	exec {PROGRAM[1]}>&-
	wait "$pid" 2>/dev/null
}

# ---- what list-triggers says ----

field() # TRIGGER FIELD
{
	"$TACHO" list-triggers --json | python3 -c '
import json, sys
for t in json.load(sys.stdin)["triggers"]:
	if t["name"] == sys.argv[1]:
		print(t[sys.argv[2]])' "$1" "$2"
}

is_field() # TRIGGER FIELD VALUE
{
	[ "$(field "$1" "$2")" = "$3" ]
}

settles() # NAME TRIGGER FIELD VALUE: a case
{
	if wait_until is_field "$2" "$3" "$4"; then
		ok "$1"
	else
		not_ok "$1" "$3 of $2 is $(field "$2" "$3"), not $4"
		"$TACHO" list-triggers | sed 's/^/# /'
	fi
}

snapshots()
{
	find "$TMP" -maxdepth 3 -type d -name "${1:-*}*snapshot*" | sort
}

snapshot_of() # TRIGGER: the directory of its last snapshot
{
	field "$1" last_result | sed -n 's/.*snapshot in \([^,]*\).*/\1/p'
}

lines_are() # FILE NUMBER
{
	[ "$(cat "$1" 2>/dev/null | wc -l)" = "$2" ]
}

quietly()
{
	"$@" >"$TMP/out" 2>&1 && return
	show "$TMP/out"
	return 1
}

new_session() # NAME OPTION..
{
	quietly "$TACHO" create "$@" && quietly "$TACHO" enable-event '*'
}

watchers() # SESSION: of this test's, since other tests have sessions of the same name
{
	local pid
	for pid in $(pgrep -f "tacho-watch $1"); do
		! grep -qsz "^TACHO_TEST_ID=$TACHO_TEST_ID\$" "/proc/$pid/environ" || echo "$pid"
	done
}

no_watcher() # SESSION
{
	[ -z "$(watchers "$1")" ]
}

# ---- a program asks ----

start_program
check 'a_session_is_made' new_session box --snapshot
check 'a_trigger_by_request_is_added' quietly "$TACHO" add-trigger --name ask \
	--condition snapshot-request --action snapshot-session \
	--action run 'test -d "$TACHO_SNAPSHOT" &&
		echo "$TACHO_SESSION $TACHO_TRIGGER $TACHO_REASON" >>'"$TMP/asked"
check 'a_request_that_nobody_records_hits_nothing' test "$(tell snapshot too early)" = 0
quietly "$TACHO" start
tell number 1 >/dev/null
before=$(tell state)
tell number 2 >/dev/null
check 'a_request_says_how_many_were_asked' test "$(tell snapshot 'it is $(bad)')" = 1
ended_well() # TRIGGER: its last command
{
	field "$1" last_result | grep -q 'command started, exit status 0$'
}
check 'the_command_ran' wait_until ended_well ask
check 'with_its_environment' has "$TMP/asked" 'box ask it is $(bad)'
quietly "$TACHO" view "$(snapshot_of ask)"
check 'the_snapshot_has_what_came_before_the_request' has "$TMP/out" 'n = 2'
check 'the_program_has_no_more_files_and_threads' test "$(tell state)" = "$before"

# ---- the watcher is killed ----

kill -KILL "$(watchers box)"
wait_until no_watcher box
tell snapshot 'while nobody watches' >/dev/null
not_done() { ! grep -q 'while nobody watches' "$TMP/asked"; }
check 'a_hit_is_kept_while_nobody_watches' not_done # any command would bring another watcher
quietly "$TACHO" status
settles 'the_next_command_brings_another_that_handles_it' ask done 2
check 'with_its_reason' wait_until has "$TMP/asked" 'while nobody watches'

# ---- rates ----

quietly "$TACHO" remove-trigger ask
check 'a_removed_trigger_is_not_hit' test "$(tell snapshot again)" = 0
quietly "$TACHO" add-trigger --name third --condition snapshot-request --action run true \
	--rate-policy every:3
quietly "$TACHO" add-trigger --name once --condition snapshot-request --action run true \
	--rate-policy once-after:2
quietly "$TACHO" add-trigger --name seldom --condition snapshot-request --action run true \
	--interval 1h
for i in 1 2 3 4 5 6 7; do
	tell snapshot "$i" >/dev/null
	wait_until is_field third hits "$i"
	wait_until test "$(field once passed_over)$(field once done)" != "" # one hit at a time
	sum_is() { [ $(($(field "$1" passed_over) + $(field "$1" done))) = "$2" ]; }
	for name in third once seldom; do wait_until sum_is "$name" "$i"; done
done
check 'every_third_time' is_field third done 2
check 'only_at_the_second_time' is_field once done 1
check 'not_again_within_an_hour' is_field seldom done 1
check 'what_is_passed_over_is_counted' is_field seldom passed_over 6
quietly "$TACHO" remove-trigger third once seldom

# ---- sessions that start and stop each other ----

quietly "$TACHO" create late --snapshot
quietly "$TACHO" set-session box
quietly "$TACHO" add-trigger -s box --name other --condition snapshot-request \
	--action start-session late
tell snapshot 'start the other' >/dev/null
settles 'another_session_is_started' other done 1
state_of() # SESSION
{
	"$TACHO" status "$1" --json | python3 -c 'import json, sys; print(json.load(sys.stdin)["state"])'
}
check 'it_records' test "$(state_of late)" = recording
quietly "$TACHO" destroy late
tell snapshot 'it is gone' >/dev/null
settles 'a_session_that_is_gone_is_a_failure_that_is_said' other failed 1
quietly "$TACHO" add-trigger --name ending --condition snapshot-request --action stop-session
tell snapshot 'and stop' >/dev/null
stopped() { [ "$(state_of box)" = stopped ]; }
check 'a_trigger_stops_its_session' wait_until stopped
check 'a_trigger_that_starts_is_still_watched' test -n "$(watchers box)"
quietly "$TACHO" remove-trigger other
check 'when_it_is_gone_nobody_watches' wait_until no_watcher box
quietly "$TACHO" destroy box

# ---- rotation ----

check 'a_session_that_streams' new_session stream -o "$TMP/stream"
quietly "$TACHO" add-trigger --name turn --condition snapshot-request --action rotate-session \
	--action run 'test -d "$TACHO_CHUNK" && echo >>'"$TMP/turned"
quietly "$TACHO" start
tell number 5 >/dev/null
tell snapshot rotate >/dev/null
settles 'a_trigger_rotates_its_session' turn done 1
check 'the_chunk_is_there' wait_until lines_are "$TMP/turned" 1
quietly "$TACHO" view "$(field turn last_result | sed 's/.*chunk in \([^,]*\),.*/\1/')"
check 'and_has_what_came_before' has "$TMP/out" 'n = 5'
quietly "$TACHO" destroy stream

# ---- conditions that are looked at ----

check 'a_small_session' new_session small --snapshot --discard --buffer 64K
quietly "$TACHO" add-trigger --name full --condition channel-usage-over 75% \
	--action run "echo full >>$TMP/full" --action snapshot-session
quietly "$TACHO" add-trigger --name lost --condition events-lost --channel channel0 \
	--action run "echo lost >>$TMP/lost" --interval 1h
quietly "$TACHO" add-trigger --name size --condition session-size-over 20K \
	--action run "echo size >>$TMP/size"
quietly "$TACHO" start
tell number 1 >/dev/null
tell flood 1 100000 >/dev/null
settles 'a_full_buffer_takes_a_snapshot' full done 1
settles 'lost_events_run_a_command' lost done 1
settles 'so_does_a_size' size done 1
check 'once' wait_until lines_are "$TMP/full" 1
check 'each' wait_until lines_are "$TMP/lost" 1
check 'of_them' wait_until lines_are "$TMP/size" 1
quietly "$TACHO" destroy small
check 'a_destroyed_session_leaves_no_watcher' wait_until no_watcher small

# ---- events ----

check 'a_session_for_events' new_session events --snapshot
quietly "$TACHO" add-trigger --name alarm --condition event-rule-matches --type user --name 'demo:al*' \
	--action snapshot-session --action run "echo alarm >>$TMP/alarm"
quietly "$TACHO" add-trigger --name none --condition event-rule-matches --name 'demo:*' \
	--exclude-name demo:alarm --exclude-name 'demo:n*' --action run true
quietly "$TACHO" add-trigger --name grave --condition event-rule-matches --log-level warning.. \
	--action run true
quietly "$TACHO" add-trigger --name filtered --condition event-rule-matches --name demo:number \
	--filter 'n == 42 || n > 1000' --action run true
quietly "$TACHO" start
tell number 41 >/dev/null
tell number 42 >/dev/null
check 'an_event_that_does_not_match_hits_nothing' is_field alarm hits 0
tell alarm 1 >/dev/null
settles 'an_event_that_matches_hits_at_once' alarm hits 1
settles 'and_a_snapshot_is_taken' alarm done 1
check 'the_command_has_ended' wait_until ended_well alarm
quietly "$TACHO" view "$(snapshot_of alarm)"
check 'it_has_the_event_before' has "$TMP/out" 'n = 42'
check 'and_the_event_itself' has "$TMP/out" 'demo:alarm'
settles 'a_filter_decides_what_hits' filtered hits 1
check 'excluded_names_hit_nothing' is_field none hits 0
check 'nor_do_events_of_other_levels' is_field grave hits 0
quietly "$TACHO" disable-event '*'
tell alarm 2 >/dev/null
settles 'an_event_need_not_be_recorded_to_hit' alarm hits 2
quietly "$TACHO" remove-trigger alarm
tell alarm 3 >/dev/null
quietly "$TACHO" stop
quietly "$TACHO" add-trigger --name begin --condition event-rule-matches --name demo:alarm \
	--action start-session
quietly "$TACHO" add-trigger --name end --condition event-rule-matches --name demo:number \
	--action stop-session
tell number 1 >/dev/null
tell alarm 4 >/dev/null
recording() { [ "$(state_of events)" = recording ]; }
check 'an_event_starts_the_session' wait_until recording
check 'what_came_while_it_was_stopped_did_not_end_it' is_field end hits 0
tell number 2 >/dev/null
settles 'and_another_one_stops_it' end done 1
check 'it_is_stopped' test "$(state_of events)" = stopped
tell alarm 5 >/dev/null
check 'and_started_again' wait_until recording
quietly "$TACHO" destroy events

# ---- a flood does not pile up ----

check 'a_session_for_a_flood' new_session flood --snapshot
alone=$(tell flood 2 1000000)
quietly "$TACHO" add-trigger --name flooded --condition event-rule-matches --name demo:alarm \
	--action snapshot-session --action run "echo >>$TMP/flooded" --interval 1h
quietly "$TACHO" start
tell alarm 0 >/dev/null
took=$(tell flood 2 5000000)
echo "# 10 million hits of 2 threads took $((took / 1000000)) ms;" \
	"2 million events that nobody records $((alone / 1000000)) ms"
settles 'each_of_10_million_hits_is_counted' flooded hits 10000001
settles 'but_once_only_something_is_done' flooded done 1
settles 'and_the_rest_is_passed_over' flooded passed_over 10000000
check 'by_one_command' lines_are "$TMP/flooded" 1
check 'the_program_has_no_more_threads_or_files_yet' test "$(tell state)" = "$before"
quietly "$TACHO" destroy flood

# ---- triggers come and go while they are hit ----

check 'a_session_for_changes' new_session changes --snapshot
quietly "$TACHO" add-trigger --name stays --condition event-rule-matches --name demo:alarm --action run true \
	--interval 1h
quietly "$TACHO" start
printf 'flood 2 3000000\n' >&"${PROGRAM[1]}"
changes=0
while [ "$changes" -lt 20 ]; do
	quietly "$TACHO" add-trigger --name comes --condition event-rule-matches --name 'demo:*' \
		--action run true || break
	quietly "$TACHO" remove-trigger comes || break
	changes=$((changes + 1))
done
check 'a_trigger_comes_and_goes_20_times' test "$changes" = 20
read -r _ <&"${PROGRAM[0]}"
settles 'the_other_one_counts_each_hit' stays hits 6000000
quietly "$TACHO" add-trigger --name comes --condition event-rule-matches --name 'demo:*' --action run true
tell number 1 >/dev/null
settles 'one_that_comes_later_counts_its_own' comes hits 1
check 'and_the_first_one_is_not_hit_by_that' is_field stays hits 6000000
quietly "$TACHO" destroy changes
check 'nobody_watches_any_more' wait_until no_watcher changes

# ---- what a command may be called with ----

check 'a_session_with_a_hostile_name' new_session '$(touch owned); "'"'"'x' --snapshot
quietly "$TACHO" add-trigger --name '-n $(touch owned)' --condition event-rule-matches --name demo:alarm \
	--action 'run=printf "%s|%s" "$TACHO_SESSION" "$TACHO_TRIGGER" >'"$TMP/hostile"
quietly "$TACHO" start
tell alarm 1 >/dev/null
check 'names_are_passed_on_as_they_are' wait_until \
	grep -sqF '$(touch owned); "'"'"'x|-n $(touch owned)' "$TMP/hostile"
check 'and_not_obeyed' test ! -e "$TMP/owned" -a ! -e /owned
"$TACHO" list-triggers >"$TMP/listed"
line=$(sed -n 's/^    tacho \(add-trigger\)/\1/p' "$TMP/listed")
quietly "$TACHO" remove-trigger -- '-n $(touch owned)'
check 'the_line_that_is_listed_makes_the_same_trigger' eval "quietly \"\$TACHO\" $line"
"$TACHO" list-triggers | head -n 3 >"$TMP/again"
same 'which_is_listed_the_same' <(head -n 3 "$TMP/listed") "$TMP/again"
quietly "$TACHO" destroy --all

# ---- a session that somebody removes by hand ----

check 'one_more_session' new_session gone --snapshot
quietly "$TACHO" add-trigger --name gone --condition snapshot-request --action run true
quietly "$TACHO" start
rm -rf "$TACHO_RUNTIME_DIR/sessions/gone"
check 'a_watcher_ends_when_its_session_is_gone' wait_until no_watcher gone

# ---- wrong use ----

check 'a_flight_recorder' new_session recorder --snapshot
expect_case 'a_flight_recorder_is_not_rotated_by_a_trigger' 1 \
	"$TACHO" add-trigger --condition events-lost --action rotate-session
check 'and_it_is_said_what_to_do' has "$TMP/err" 'snapshot-session'
quietly "$TACHO" destroy recorder

expect_case 'a_condition_that_is_none' 2 "$TACHO" add-trigger --condition full --action run true
expect_case 'no_action' 2 "$TACHO" add-trigger --condition events-lost
expect_case 'notify_is_left_out' 2 "$TACHO" add-trigger --condition events-lost --action notify
check 'with_the_reason' has "$TMP/err" '--action run'
expect_case 'two_rates' 2 "$TACHO" add-trigger --condition events-lost \
	--action start-session --rate-policy every:2 --action run true --rate-policy every:3
expect_case 'a_rate_of_nothing' 2 "$TACHO" add-trigger --condition events-lost --action run true \
	--rate-policy every:0
expect_case 'an_interval_without_unit' 2 "$TACHO" add-trigger --condition events-lost --action run true \
	--interval 10
expect_case 'a_filter_of_no_event' 2 "$TACHO" add-trigger --condition events-lost --log-level warning \
	--action run true
expect_case 'a_share_of_two' 2 "$TACHO" add-trigger --condition channel-usage-over 2 --action run true
expect_case 'a_trigger_without_a_session' 1 "$TACHO" add-trigger --condition events-lost --action run true
end_program

# ---- a program that gave up system calls hits a trigger, and lives

quietly "$TACHO" create cage --snapshot && quietly "$TACHO" enable-event -s cage 'sandboxed:*'
quietly "$TACHO" add-trigger -s cage --name caught --condition event-rule-matches --name sandboxed:tick \
	--filter 'number == 5' --action run 'echo caught >>'"$TMP/caught"
quietly "$TACHO" start cage
mkfifo "$TMP/cage.in" "$TMP/cage.out"
"$TACHO_BUILD/tests/e2e/sandboxed" 1000 <"$TMP/cage.in" >"$TMP/cage.out" &
caged=$!
exec {cage_to}>"$TMP/cage.in" {cage_from}<"$TMP/cage.out"
read -r -t "$DEADLINE_S" _ <&"$cage_from"
exec {cage_to}>&-
read -r -t "$DEADLINE_S" line <&"$cage_from"
wait "$caged"
status=$?
exec {cage_from}<&-
if [ "$status" = 77 ]; then
	skip 'a_hit_does_not_kill_a_program_in_a_sandbox' 'this kernel has no seccomp filters'
else
	check 'a_hit_does_not_kill_a_program_in_a_sandbox' test "$status.$line" = 0.done
	check 'and_is_seen' wait_until lines_are "$TMP/caught" 1
fi
quietly "$TACHO" destroy cage
