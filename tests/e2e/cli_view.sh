#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# tacho view: which trace, in which form.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
need python3

export HOME=$TMP/home
mkdir "$HOME"
orders=$TACHO_BUILD/tests/e2e/cli_orders

# ---- none

expect_case 'without_any_trace_view_fails' 1 "$TACHO" view
check 'without_any_trace_it_says_how_to_make_one' has "$TMP/err" 'tacho record -- PROGRAM'
expect_case 'a_missing_directory_is_refused' 1 "$TACHO" view "$TMP/nowhere"
check 'a_missing_directory_is_named' has "$TMP/err" "$TMP/nowhere"
mkdir "$TMP/empty"
expect_case 'a_directory_without_a_trace_is_refused' 1 "$TACHO" view "$TMP/empty"

# ---- which

"$TACHO" record -- "$orders" 1 2>/dev/null
"$TACHO" record -o "$HOME/tacho-traces/newer" -- "$orders" 50 2>/dev/null
touch -d '1 hour' "$HOME/tacho-traces/newer"
lines() { "$TACHO" view "$@" | wc -l; }
check 'without_a_name_the_newest_trace_is_shown' test "$(lines)" = 51
check 'last_is_the_newest' test "$(lines last)" = 51
check 'a_directory_is_shown' test "$(lines "$HOME/tacho-traces/newer")" = 51
"$TACHO" create -o "$TMP/of_session" web >/dev/null
"$TACHO" enable-event '*' >/dev/null
"$TACHO" start >/dev/null
"$orders" 5
"$TACHO" stop >/dev/null
check 'the_name_of_a_session_means_its_trace' test "$(lines web)" = 6
"$TACHO" destroy >/dev/null

check 'so_does_that_of_one_that_is_gone_if_it_is_at_home' test "$(lines newer)" = 51
expect_exit 1 "$TACHO" view nowhere
check 'an_unknown_name_says_where_to_look' has "$TMP/err" "sessions: tacho list; traces: ls -t $HOME"
mkdir "$HOME/tacho-traces/empty"
touch -d '2 hours' "$HOME/tacho-traces/empty"
check 'a_newer_directory_without_a_trace_is_passed_over' test "$(lines)" = 51

# ---- in which form

"$TACHO" view >"$TMP/text"
time='[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{9}'
check 'a_line_has_time_cpu_thread_event_and_fields' grep -qE \
	"^$time \\[[0-9]+\\] [0-9]+/[0-9]+ \\(cli_orders\\) shop:order_placed id = 0, customer = \"Ada\"," \
	"$TMP/text"
check 'events_are_in_order_of_time' sort -c -k1,1 "$TMP/text"
check 'writers_are_left_out' test -z "$(grep tacho:writer "$TMP/text")"
check 'all_shows_them' test -n "$("$TACHO" view --all | grep tacho:writer)"
check 'relative_times_begin_with_0' grep -qE '^\+0\.000000000' <("$TACHO" view --relative)
check 'dates_are_shown' grep -qE '^[0-9]{4}-[0-9]{2}-[0-9]{2} ' <("$TACHO" view --date)
"$TACHO" view --json >"$TMP/json"
check 'json_is_one_object_a_line' python3 -c '
import json, sys
events = [json.loads(line) for line in open(sys.argv[1])]
assert len(events) == 51
assert events[7]["event"] == "shop:order_placed"
assert events[7]["fields"] == {"id": 7, "customer": "Ada", "total": 2.5}' "$TMP/json"
"$TACHO" view --summary >"$TMP/summary"
check 'a_summary_counts' grep -qE '^ *50 +98 % shop:order_placed$' "$TMP/summary"
check 'a_summary_has_a_sum' grep -qx '51 events' "$TMP/summary"
"$TACHO" view --summary --json >"$TMP/summary"
check 'a_summary_can_be_json' python3 -c '
import json, sys
o = json.load(open(sys.argv[1]))
assert o["events"] == 51 and o["counts"][0] == {"event": "shop:order_placed", "events": 50}' "$TMP/summary"

# ---- to whom

"$TACHO" record -o "$TMP/long" -- "$orders" 50000 2>/dev/null
(set -o pipefail; "$TACHO" view "$TMP/long" 2>"$TMP/err" | head -n 1 >/dev/null)
check 'a_reader_that_has_enough_is_no_failure' test $? = 0
check 'a_reader_that_has_enough_is_no_message' test ! -s "$TMP/err"
if [ -e /dev/full ]; then
	"$TACHO" view "$TMP/long" >/dev/full 2>"$TMP/err"
	check 'a_full_disk_is_a_failure' test $? = 1
	"$TACHO" help >/dev/full 2>"$TMP/err"
	check 'a_full_disk_is_a_failure_of_any_command' test $? = 1
fi

"$TACHO" view "$TMP/long" >&- 2>"$TMP/err"
check 'a_closed_output_is_a_failure' test $? = 1
check 'a_closed_output_is_called_that' grep -q 'the standard output is closed' "$TMP/err"
"$TACHO" help >&- 2>"$TMP/err"
check 'a_closed_output_is_a_failure_of_any_command' test $? = 1
check 'any_command_calls_a_closed_output_that' grep -q 'the standard output is closed' "$TMP/err"
"$TACHO" record -o "$TMP/unheard" -- "$orders" 1 >&- 2>"$TMP/err"
check 'what_prints_nothing_needs_no_output' test $? = 0

# ---- damage

cut_trace()
{
	local stream
	stream=$(find "$TMP/long" -type f -name 'channel0_*' -size +20k | head -n 1)
	truncate -s -100 "$stream"
	rm -rf "$TMP/long"/ust/uid/*/64-bit/index
}
cut_trace
expect_case 'a_cut_trace_is_a_failure' 1 "$TACHO" view "$TMP/long"
check 'a_cut_trace_shows_most_of_its_events' test "$(wc -l <"$TMP/out")" -gt 1000
check 'a_cut_trace_is_warned_about' grep -q '^tacho: .*channel0' "$TMP/err"
