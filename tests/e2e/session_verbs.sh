#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Sessions come and go: names, outputs, the current one, and the ways to stop, clear and destroy them.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
need jq

orders=$TACHO_BUILD/tests/e2e/cli_orders
export HOME=$TMP/home
mkdir "$HOME"

listed() # EXPRESSION: of jq, about the object of tacho list --json
{
	"$TACHO" list --json >"$TMP/list" && jq -e "$1" "$TMP/list" >/dev/null && return 0
	show "$TMP/list"
	return 1
}

names() # NAME..: exactly these sessions are there
{
	listed "[.sessions[].name] == $(printf '%s\n' "$@" | jq -Rn '[inputs | select(. != "")]' | jq -c)"
}

says() # NAME STATUS TEXT ARGUMENTS..
{
	local name=$1 status=$2 text=$3
	shift 3
	if expect_exit "$status" "$TACHO" "$@" && { grep -qF -- "$text" "$TMP/out" "$TMP/err"; }; then
		ok "$name"
	else
		not_ok "$name" "not said, or not status $status: $text"
		show "$TMP/out" "$TMP/err"
	fi
}

recorded() # DIR COUNT: the trace has so many events
{
	test "$("$TACHO" view --json "$1" | jq -s '[.[] | select(.event)] | length')" = "$2"
}

# ---- create

expect_exit 0 "$TACHO" create --snapshot
check 'a_session_without_a_name_is_called_after_the_time' \
	listed '.sessions[0].name | test("^auto-[0-9]{8}-[0-9]{6}$")'
"$TACHO" destroy >"$TMP/out"
expect_exit 0 "$TACHO" create shop
check 'a_trace_is_called_after_the_session_and_the_time' \
	listed ".sessions[0].output | test(\"^$HOME/tacho-traces/shop-[0-9]{8}-[0-9]{6}\$\")"
"$TACHO" destroy >"$TMP/out"
expect_exit 0 "$TACHO" create shop -o "$TMP/a"
check 'the_output_may_be_chosen' listed ".sessions[0].output == \"$TMP/a\""
"$TACHO" destroy >"$TMP/out"
expect_exit 0 "$TACHO" create shop "--set-url=file://$TMP/b"
check 'the_output_may_be_a_url' listed ".sessions[0].output == \"$TMP/b\""
"$TACHO" destroy >"$TMP/out"
expect_exit 0 "$TACHO" create shop -o "file://$TMP/b"
check 'also_where_a_directory_is_meant' listed ".sessions[0].output == \"$TMP/b\""
"$TACHO" destroy >"$TMP/out"
expect_exit 0 "$TACHO" create shop --no-output
check 'without_output_it_is_a_flight_recorder' listed '.sessions[0] | .streaming == false and .output == ""'
"$TACHO" destroy >"$TMP/out"
expect_exit 0 "$TACHO" create shop --snapshot -o "$TMP/c"
check 'a_flight_recorder_may_have_an_output' listed '.sessions[0].streaming == false'
"$TACHO" destroy >"$TMP/out"
says 'the_url_of_another_machine_is_refused' 2 'mount' create -U net://host shop
says 'two_urls_are_refused' 2 'mount' create -C tcp://host -D tcp://host shop
says 'live_says_that_it_is_not_needed' 2 'no mode is needed' create --live shop
says 'live_with_a_delay_says_so_too' 2 'no mode is needed' create --live=1000 shop
says 'two_outputs_are_refused' 2 'exclude each other' create -o "$TMP/d" --no-output shop
says 'a_limit_of_a_flight_recorder_is_refused' 2 '--buffer is the limit' \
	create --snapshot --max-size 1G shop
check 'what_was_refused_made_nothing' names
expect_exit 0 "$TACHO" create first -o "$TMP/mine"
ln -s "$TMP/mine" "$TMP/also_mine"
says 'the_output_of_another_session_is_refused' 1 "that of the session 'first'" \
	create second -o "$TMP/mine"
says 'also_by_another_name' 1 "that of the session 'first'" create second -o "$TMP/also_mine"
says 'also_above_snapshots' 1 "that of the session 'first'" create --snapshot second -o "$TMP/mine"
check 'whose_it_is_keeps_it' test -d "$TMP/mine"
check 'the_second_session_is_not_there' names first
"$TACHO" destroy >"$TMP/out"

# ---- buffers elsewhere

mkdir "$TMP/disk"
expect_exit 0 "$TACHO" create shop -o "$TMP/t0" --buffer 64K --shm-path "$TMP/disk"
"$TACHO" enable-event 'shop:*' >"$TMP/out"
"$TACHO" enable-channel --buffer 64K other >"$TMP/out"
"$TACHO" enable-event -c other 'shop:closed' >"$TMP/out"
"$TACHO" start >"$TMP/out"
check 'buffers_are_where_they_were_asked_for' test -f "$TMP/disk"/shop-*/other.rings
check 'the_session_leads_to_them' test -L "$TACHO_RUNTIME_DIR/sessions/shop/channel0.rings"
"$orders" 10
"$TACHO" stop >"$TMP/out"
check 'stopping_says_how_to_view_it' has "$TMP/out" "tacho view $TMP/t0"
check 'programs_record_there' recorded "$TMP/t0" 12
expect_exit 0 "$TACHO" destroy
check 'buffers_elsewhere_go_with_the_session' test -z "$(ls -A "$TMP/disk")"
says 'a_place_that_cannot_be_is_told' 1 'cannot make' create --shm-path /proc/x shop
check 'nothing_is_left_of_it' names
expect_exit 0 "$TACHO" create --snapshot --buffer 64K --shm-path "$TMP/disk" shop
"$TACHO" enable-event '*' >"$TMP/out"
mv "$TACHO_RUNTIME_DIR/sessions/shop" "$TACHO_RUNTIME_DIR/sessions/.gone-1234"
"$TACHO" list >"$TMP/out"
check 'what_a_killed_tool_left_elsewhere_is_removed' test -z "$(ls -A "$TMP/disk")"

# ---- the current session

for name in one two three; do expect_exit 0 "$TACHO" create --snapshot --buffer 64K $name; done
says 'the_session_that_was_made_is_the_current_one' 0 "'three'" stop
says 'another_may_be_chosen' 0 "'one' is the current one" set-session one
says 'the_chosen_one_is_meant' 0 "'one'" stop
says 'a_named_one_is_meant_all_the_same' 0 "'two'" stop two
says 'one_that_is_not_there_cannot_be_chosen' 1 "no session 'four'" set-session four
says 'the_choice_stays_when_another_one_is_destroyed' 0 "'two' is destroyed" destroy two
says 'the_chosen_one_is_destroyed' 0 "'one' is destroyed" destroy
says 'the_only_one_left_is_meant' 0 "'three'" stop
expect_exit 0 "$TACHO" create --snapshot --buffer 64K four
expect_exit 0 "$TACHO" set-session three
expect_exit 0 "$TACHO" destroy
expect_exit 0 "$TACHO" create --snapshot --buffer 64K three
expect_exit 0 "$TACHO" set-session four
ln -sfn sessions/nobody "$TACHO_RUNTIME_DIR/current"
says 'without_a_current_one_it_asks_which' 2 "there are 'four', 'three'" stop
check 'it_says_how_to_choose' has "$TMP/err" 'tacho set-session'
for target in /etc/passwd sessions/../../x sessions/.. "$(printf '%0300d' 0)"; do
	ln -sfn "$target" "$TACHO_RUNTIME_DIR/current"
	says "a_link_to_'${target:0:20}'_is_no_current_session" 2 "there are 'four', 'three'" stop
done
expect_exit 0 "$TACHO" create --snapshot --buffer 64K 'a/b %'
says 'a_current_session_may_have_any_name' 0 "'a/b %'" stop

# ---- destroy

says 'several_are_destroyed_by_name' 0 "'three' is destroyed" destroy four three
check 'the_others_stay' names 'a/b %'
for name in web-1 web-2 db; do expect_exit 0 "$TACHO" create --snapshot --buffer 64K $name; done
says 'a_pattern_that_matches_nothing_fails' 1 "like 'x*'" destroy --glob 'x*'
says 'a_pattern_without_glob_is_a_name' 1 "no session 'web-*'" destroy 'web-*'
says 'a_pattern_destroys_all_that_match' 0 "'web-2' is destroyed" destroy --glob 'web-*'
check 'a_pattern_leaves_the_others' names 'a/b %' db
says 'a_pattern_is_needed_for_glob' 2 'pattern of names' destroy --glob
says 'an_unknown_one_does_not_save_the_next' 1 "'db' is destroyed" destroy nobody db
says 'all_are_destroyed' 0 'is destroyed' destroy --all
check 'none_is_left' names
says 'all_of_none_is_no_failure' 0 'there is no session' destroy --all

# ---- what was recorded is summed up, whoever ends it

begin() # DIR
{
	"$TACHO" create web -o "$1" && "$TACHO" enable-event 'shop:*' && "$TACHO" start
} >"$TMP/out"

begin "$TMP/t1"
"$orders" 10
says 'destroy_sums_up_what_was_recorded' 0 '11 events' destroy web
check 'destroy_completes_the_trace' recorded "$TMP/t1" 11
begin "$TMP/t2"
"$orders" 10
says 'stop_need_not_wait' 0 'is stopped' stop --no-wait
says 'another_stop_waits' 0 '11 events' stop
check 'what_was_stopped_without_waiting_is_complete' recorded "$TMP/t2" 11
"$orders" 10
says 'start_goes_on_after_a_stop' 0 'is recording' start
"$orders" 5
says 'destroy_need_not_wait' 0 'will be gone' destroy --no-wait
check 'it_goes_in_the_background' wait_until names
check 'what_was_destroyed_without_waiting_is_complete' recorded "$TMP/t2" 17
says 'no_wait_and_fail_on_loss_are_refused' 2 'exclude each other' stop --no-wait --fail-on-loss x

# ---- what helps against losses

"$TACHO" create --snapshot --discard --buffer 16K box >"$TMP/out"
"$TACHO" enable-event '*' >"$TMP/out"
"$TACHO" start >"$TMP/out"
"$orders" 2000
says 'a_recorder_that_is_full_may_overwrite' 0 'the oldest events go instead: --overwrite' stop
"$TACHO" destroy >"$TMP/out"
"$TACHO" create --blocking-timeout 1 --buffer 16K -o "$TMP/waited" web >"$TMP/out"
"$TACHO" enable-event '*' >"$TMP/out"
"$TACHO" start >"$TMP/out"
drain=$("$TACHO" list --json | jq '.sessions[0].drain_pid')
kill -STOP "$drain"
"$orders" 2000
kill -CONT "$drain"
says 'programs_that_waited_may_wait_longer' 0 'programs that wait longer: --blocking-timeout' stop
check 'a_session_that_is_there_does_not_get_larger' has "$TMP/err" 'a session or channel with --buffer'
"$TACHO" destroy >"$TMP/out"

# ---- clear

begin "$TMP/t3"
"$orders" 10
says 'a_session_is_cleared_while_it_records' 0 'goes on recording' clear web
"$orders" 3
expect_exit 0 "$TACHO" stop
check 'stop_says_that_these_are_the_newest' has "$TMP/out" 'of which the newest 4 events'
check 'only_what_came_after_clear_is_in_the_trace' recorded "$TMP/t3" 4
says 'a_stopped_session_is_cleared' 0 'is empty' clear
says 'then_stop_does_not_say_that_it_never_recorded' 0 'was cleared' stop
"$TACHO" start >"$TMP/out"
"$orders" 1
expect_exit 0 "$TACHO" destroy
check 'it_may_record_again' recorded "$TMP/t3" 2
"$TACHO" create --snapshot --buffer 64K box >"$TMP/out"
"$TACHO" enable-event '*' >"$TMP/out"
"$TACHO" start >"$TMP/out"
"$orders" 10
"$TACHO" snapshot record -o "$TMP/s0" >"$TMP/out"
says 'a_flight_recorder_is_cleared' 0 'is empty' clear --all
"$TACHO" snapshot record -o "$TMP/s1" >"$TMP/out"
"$orders" 2
"$TACHO" snapshot record -o "$TMP/s2" >"$TMP/out"
check 'a_snapshot_from_before_stays' recorded "$TMP/s0" 11
check 'a_snapshot_just_after_clear_is_empty' recorded "$TMP/s1" 0
check 'a_later_snapshot_has_what_came_since' recorded "$TMP/s2" 3
says 'all_and_a_name_are_refused' 2 'leaves no room' clear --all box
"$TACHO" destroy box >"$TMP/out"

# ---- regenerate

begin "$TMP/t4"
"$orders" 1
check 'there_is_metadata' wait_until test -e "$TMP/t4/ust/uid/$(id -u)/64-bit/metadata"
says 'metadata_is_regenerated' 0 'in all of its trace' regenerate metadata
says 'metadata_of_a_named_session_is' 0 "'web'" regenerate metadata -s web
says 'there_is_no_state_to_be_dumped' 0 'Nothing is to be done' regenerate statedump
expect_exit 0 "$TACHO" stop
check 'the_trace_is_as_it_was' recorded "$TMP/t4" 2
says 'a_stopped_session_has_it_later' 0 'from now on' regenerate metadata
"$TACHO" destroy >"$TMP/out"
says 'regenerate_needs_a_second_word' 2 'metadata, statedump' regenerate

says 'the_version_is_a_command_too' 0 "$("$TACHO" --version)" version
