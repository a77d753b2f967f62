#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Sessions from the command line: names of all kinds, which session is meant, states, listings.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
need python3

export HOME=$TMP/home
mkdir "$HOME"

json() # FILE EXPRESSION: true when the Python expression about `o`, the object in the file, is
{
	local code='import json, sys; o = json.load(open(sys.argv[1])); sys.exit(not eval(sys.argv[2]))'
	python3 -c "$code" "$@" && return 0
	show "$1"
	return 1
}

listed() # EXPRESSION: about the object of tacho list --json
{
	"$TACHO" list --json >"$TMP/list" && json "$TMP/list" "$1"
}

# ---- names

life_of() # NAME: a session of that name can be made, seen, used and ended
{
	"$TACHO" create --snapshot -- "$1" && "$TACHO" enable-event -s "$1" '*' && "$TACHO" start -- "$1" &&
		listed "o['sessions'][0]['name'] == '''$1'''" && "$TACHO" status -- "$1" &&
		"$TACHO" snapshot record -o "$TMP/shot" -- "$1" && rmdir_shot &&
		"$TACHO" stop -- "$1" && "$TACHO" destroy -- "$1"
}
rmdir_shot() { rm -rf "$TMP/shot"; }

for name in plain 'with spaces' a/b/c ../../escape .hidden 'quote"s' 'star*' 100% Größe 日本語 -dash; do
	if life_of "$name" >"$TMP/log" 2>&1; then
		ok "a_session_may_be_called_'$name'"
	else
		not_ok "a_session_may_be_called_'$name'" 'see its life'
		show "$TMP/log"
	fi
done
odd=$(printf 'a\033[31m\nb\377')
expect_exit 0 "$TACHO" create --snapshot -- "$odd"
check 'a_name_that_is_not_utf8_is_still_json' listed "o['sessions'][0]['name'] == 'a\\x1b[31m\\nb\\ufffd'"
"$TACHO" list >"$TMP/list"
check 'a_name_does_not_command_the_terminal' test -z "$(grep -a "$(printf '\033')" "$TMP/list")"
"$TACHO" destroy >/dev/null
check 'names_stay_inside_the_runtime_directory' test ! -e "$TACHO_RUNTIME_DIR/../escape"

long=$(printf '%0300d' 0)
expect_case 'a_name_of_300_bytes_is_refused' 1 "$TACHO" create --snapshot "$long"
check 'a_name_of_300_bytes_is_refused_with_the_limit' grep -qE 'too long|at most' "$TMP/err"
expect_case 'an_empty_name_is_refused' 2 "$TACHO" create --snapshot ''
check 'an_empty_name_is_called_that' has "$TMP/err" empty

# ---- which session

expect_case 'without_any_session_start_fails' 1 "$TACHO" start
check 'without_any_session_it_says_how_to_make_one' has "$TMP/err" 'tacho create NAME'
expect_exit 0 "$TACHO" create one
expect_case 'a_second_session_of_the_same_name_is_refused' 1 "$TACHO" create one
check 'a_second_session_of_the_same_name_says_what_to_do' has "$TMP/err" 'tacho destroy'
expect_case 'the_only_session_need_not_be_named' 0 "$TACHO" status
expect_exit 0 "$TACHO" create two
expect_case 'of_two_sessions_the_newer_is_meant' 0 "$TACHO" start
check 'which_is_said' has "$TMP/out" "Session 'two' is recording"
rm "$TACHO_RUNTIME_DIR/current"
expect_case 'where_none_is_the_current_one_of_two_must_be_named' 2 "$TACHO" start
check 'both_are_offered_then' has "$TMP/err" "there are 'one', 'two'"
expect_exit 0 "$TACHO" stop two
expect_case 'an_unknown_session_is_refused' 1 "$TACHO" start three
check 'an_unknown_session_is_answered_with_those_there_are' has "$TMP/err" 'one, two'

# ---- states

expect_exit 0 "$TACHO" start one
check 'starting_without_rules_warns' has "$TMP/err" 'no event is enabled'
check 'starting_without_rules_says_of_which_session' has "$TMP/err" 'tacho enable-event -s one'
check 'a_started_session_is_recording' listed "o['sessions'][0]['state'] == 'recording'"
check 'a_started_streaming_session_has_a_drain' listed "o['sessions'][0]['drain_alive']"
expect_case 'starting_twice_does_no_harm' 0 "$TACHO" start one
expect_case 'stopping_says_where_the_trace_is' 0 "$TACHO" stop one
check 'stopping_says_what_to_do_if_nothing_was_recorded' has "$TMP/out" 'tacho list'
check 'a_stopped_session_is_stopped' listed "o['sessions'][0]['state'] == 'stopped'"
expect_case 'stopping_twice_does_no_harm' 0 "$TACHO" stop one
expect_case 'stopping_without_loss_passes_fail_on_loss' 0 "$TACHO" stop --fail-on-loss one

# ---- rules

expect_case 'several_patterns_at_once_are_taken' 0 "$TACHO" enable-event -s one 'a:*' 'b:*'
expect_case 'a_level_is_taken' 0 "$TACHO" enable-event -s one --loglevel TRACE_WARNING 'c:*'
"$TACHO" status --json one >"$TMP/status"
check 'status_shows_the_rules' json "$TMP/status" \
	"[r['pattern'] for r in o['rules']] == ['a:*', 'b:*', 'c:*']"
check 'status_shows_their_levels' json "$TMP/status" "o['rules'][2]['level_at_least'] == 'warning'"
expect_case 'a_rule_can_be_taken_back' 0 "$TACHO" disable-event -s one --remove 'b:*'
expect_case 'a_rule_that_is_not_there_cannot' 1 "$TACHO" disable-event -s one 'b:*'
check 'a_rule_that_is_not_there_is_named' has "$TMP/err" 'b:*'
expect_case 'list_of_a_session_is_its_status' 0 "$TACHO" list one
cp "$TMP/out" "$TMP/listed"
expect_exit 0 "$TACHO" status one
same 'word_for_word' "$TMP/out" "$TMP/listed"
expect_case 'list_knows_domains' 0 "$TACHO" list --domain one
check 'of_which_there_is_one' test "$(cat "$TMP/out")" = userspace
expect_case 'list_of_an_unknown_session_fails' 1 "$TACHO" list nothing
check 'and_names_those_there_are' has "$TMP/err" "there are: one"
expect_case 'list_of_programs_alone_has_no_sessions' 0 "$TACHO" list -u
check 'not_one' test "$(cat "$TMP/out")" = 'No instrumented program is running.'
expect_exit 0 "$TACHO" status one
check 'status_shows_what_is_left' has "$TMP/out" 'c:*'
check 'status_shows_each_cpu' test "$(grep -cE '^ +[0-9]+ +[0-9]+ %' "$TMP/out")" -ge 1
expect_exit 0 "$TACHO" enable-event -s one --loglevel-only err 'c:*'
check 'another_level_is_another_rule' has "$TMP/out" "records 'c:*', level: err only."
expect_exit 0 "$TACHO" enable-event -s one --loglevel-only err 'c:*'
check 'the_same_rule_again_is_no_other' has "$TMP/out" "records 'c:*', level: err only, as it did."
"$TACHO" status --json one >"$TMP/status"
check 'rules_of_one_pattern_stand_beside_each_other' json "$TMP/status" \
	"[r.get('level_only', r.get('level_at_least')) for r in o['rules']
		if r['pattern'] == 'c:*'] == ['err', 'warning']"
check 'a_stopped_session_says_that_it_must_be_started' has "$TMP/out" 'tacho start one'
expect_exit 0 "$TACHO" enable-event -s one 'd:*,e:\,*' 'f:?'
check 'patterns_may_be_a_list' has "$TMP/out" "records 'd:*'"
check 'a_comma_can_be_meant' has "$TMP/out" "records 'e:,*'"
check 'a_question_mark_in_a_pattern_is_warned_about' has "$TMP/err" "the '?' in 'f:?' stands for itself"
"$TACHO" destroy --all >"$TMP/out"
"$TACHO" create one >/dev/null
expect_exit 0 "$TACHO" stop one
check 'stopping_what_never_recorded_names_no_trace' test -z "$(grep -e Trace -e view "$TMP/out")"
expect_exit 0 "$TACHO" create --snapshot --buffer 100K -- -x
check 'a_rounded_buffer_is_said' has "$TMP/out" '96 KiB per CPU (100 KiB rounded down)'
check 'the_next_command_takes_a_name_with_a_dash' has "$TMP/out" 'tacho start -- -x'
expect_exit 0 "$TACHO" destroy one
check 'destroying_what_never_recorded_says_so' has "$TMP/out" "'one' is destroyed; nothing was recorded"

# ---- the end

expect_case 'all_sessions_end_at_once' 0 "$TACHO" destroy --all
check 'no_session_is_left' listed "o['sessions'] == []"
expect_case 'without_a_session_destroy_all_is_content' 0 "$TACHO" destroy --all

# ---- programs

orders=$TACHO_BUILD/tests/e2e/cli_orders
mkfifo "$TMP/to" "$TMP/from"
"$orders" 3 wait <"$TMP/to" >"$TMP/from" &
pid=$!
exec 7>"$TMP/to" 8<"$TMP/from"
read -r _ <&8
check 'a_running_program_is_listed' listed "[p['pid'] for p in o['programs']] == [$pid]"
check 'its_events_are_listed_with_fields' listed "[(f['name'], f['type'])
	for e in o['programs'][0]['events'] if e['name'] == 'order_placed' for f in e['fields']
	] == [('id', 'int32'), ('customer', 'string'), ('total', 'float64')]"
expect_exit 0 "$TACHO" list
check 'the_list_names_the_program' has "$TMP/out" "$(realpath "$orders")"
check 'the_list_names_its_events' has "$TMP/out" shop:order_placed
expect_exit 0 "$TACHO" list "$pid"
check 'the_list_of_a_program_has_its_fields' has "$TMP/out" 'total: float64'
check 'the_list_of_a_program_has_levels' has "$TMP/out" 'shop:closed (warning)'
expect_exit 0 "$TACHO" list --events
check 'the_list_of_events_has_fields' has "$TMP/out" 'customer: string'
expect_case 'an_unknown_pid_is_refused' 1 "$TACHO" list 1
check 'an_unknown_pid_says_so' has "$TMP/err" 'no instrumented program with the process id 1'

doubtful() # ARGUMENTS: it is said that no program has such an event
{
	"$TACHO" enable-event -s doubt "$@" >"$TMP/out" && has "$TMP/out" 'No program that runs now'
}
doubtless()
{
	! doubtful "$@" && has "$TMP/out" 'records'
}
"$TACHO" create --snapshot --buffer 64K doubt >/dev/null
check 'an_event_that_there_is_is_not_doubted' doubtless shop:closed
check 'a_name_that_no_event_has_is_doubted' doubtful shop:closd
check 'a_level_that_no_event_has_is_doubted' doubtful --loglevel err 'shop:*'
check 'a_level_that_one_has_is_not' doubtless --loglevel warning 'shop:*'
check 'a_program_that_does_not_run_is_doubted' doubtful --exec cli_order 'shop:*'
check 'a_program_that_runs_is_not' doubtless --exec 'other,cli_*' 'shop:*'
check 'nor_is_its_path' doubtless --exec '*/e2e/cli_orders' 'shop:*'
check 'a_process_without_events_is_doubted' doubtful --pid 1 'shop:*'
check 'a_process_with_events_is_not' doubtless --pid "1,$pid" 'shop:*'
check 'a_rule_that_excludes_all_is_doubted' doubtful -x 'shop:*' 'shop:*'
"$TACHO" destroy doubt >/dev/null

"$TACHO" create --snapshot box >/dev/null
"$TACHO" enable-event '*' >/dev/null
"$TACHO" start >/dev/null
expect_exit 0 "$TACHO" list "$pid"
check 'who_records_an_event_is_listed' has "$TMP/out" 'recorded by box'
echo >&7
exec 7>&-
wait "$pid"
expect_exit 0 "$TACHO" snapshot record -o "$TMP/shot"
check 'a_snapshot_says_how_much_it_is' grep -qE '^Snapshot: 4 events, [0-9]+ bytes$' "$TMP/out"
check 'a_snapshot_says_where_it_is' has "$TMP/out" "Trace: $TMP/shot"
check 'a_snapshot_holds_what_a_running_program_did' \
	test "$("$TACHO" view "$TMP/shot" | grep -cE 'shop:(order_placed|closed)')" = 4
expect_case 'a_snapshot_into_a_full_directory_is_refused' 1 "$TACHO" snapshot record -o "$TMP/shot"
expect_exit 0 "$TACHO" snapshot record
check 'a_second_snapshot_goes_to_the_home' has "$TMP/out" "Trace: $HOME/tacho-traces/box-snapshot-"
expect_exit 0 "$TACHO" snapshot
check 'snapshot_alone_takes_one' has "$TMP/out" "Trace: $HOME/tacho-traces/box-snapshot-"
check 'the_name_of_a_flight_recorder_means_its_newest_snapshot' \
	test "$("$TACHO" view box | grep -c shop:)" = 4
"$TACHO" destroy >/dev/null
check 'also_when_it_is_gone' test "$("$TACHO" view box | grep -c shop:)" = 4
expect_exit 0 "$TACHO" create --snapshot -o "$TMP/shots" box
expect_exit 0 "$TACHO" snapshot record
check 'or_has_a_directory_of_its_own' test -z "$("$TACHO" view box 2>/dev/null)"
"$TACHO" destroy >/dev/null

# ---- names that a terminal would obey

odd=$'\e[31mred\nline'
expect_exit 0 "$TACHO" create --snapshot "$odd"
check 'a_name_cannot_give_orders_to_the_terminal' test -z "$(tr -d '\n -~' < "$TMP/out")"
# shellcheck disable=SC2016
check 'and_the_next_command_names_it_all_the_same' has "$TMP/out" "\$'\\033[31mred\\012line'"
expect_exit 0 "$TACHO" destroy "$odd"
