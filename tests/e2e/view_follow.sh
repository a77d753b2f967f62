#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# tacho view --follow: what a session writes is shown while it does, each event exactly once.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
need python3

export HOME=$TMP/home
mkdir "$HOME"
orders=$TACHO_BUILD/tests/e2e/cli_orders
lines_are() { [ "$(wc -l <"$1")" -ge "$2" ]; }

# ---- a session that has not begun, records, goes on, ends

"$TACHO" create -o "$TMP/trace" web >"$TMP/log"
"$TACHO" enable-event '*' >"$TMP/log"
"$TACHO" view --follow --json web >"$TMP/shown" 2>"$TMP/err" &
viewer=$!
"$TACHO" start >"$TMP/log"
mkfifo "$TMP/to" "$TMP/from"
"$orders" 300 wait <"$TMP/to" >"$TMP/from" &
program=$!
exec 7>"$TMP/to" 8<"$TMP/from"
read -r _ <&8
check 'what_is_recorded_is_shown_while_the_session_records' wait_until lines_are "$TMP/shown" 300
check 'the_viewer_goes_on' kill -0 "$viewer"
echo >&7
wait "$program"
check 'what_comes_is_added' wait_until lines_are "$TMP/shown" 601
"$TACHO" stop >"$TMP/log"
check 'a_stopped_session_may_go_on' kill -0 "$viewer"
"$TACHO" start >"$TMP/log"
for _ in 1 2 3; do "$orders" 100; done
"$TACHO" destroy >"$TMP/log"
wait "$viewer"
check 'the_end_of_the_session_ends_the_viewer' test $? = 0
show "$TMP/err"
"$TACHO" view --json "$TMP/trace" >"$TMP/all"
check 'all_events_were_shown' test "$(wc -l <"$TMP/all")" = 904
timeless() { sed 's/"time_ns":[0-9]*,//' "$1" | sort; } # how long a tick is becomes known better
timeless "$TMP/all" >"$TMP/expected"
timeless "$TMP/shown" >"$TMP/actual"
same 'each_event_is_shown_exactly_once' "$TMP/expected" "$TMP/actual"

# ---- files that are replaced, two CPUs, under load

"$TACHO" create -o "$TMP/busy" busy >"$TMP/log"
"$TACHO" enable-channel --buffer 256K --tracefile-size 64K one >"$TMP/log"
"$TACHO" enable-event -c one '*' >"$TMP/log"
"$TACHO" start >"$TMP/log"
"$TACHO" view --follow --json busy >"$TMP/shown" 2>"$TMP/err" &
viewer=$!
for _ in 1 2 3 4 5 6; do
	"$orders" 2000 &
	"$orders" 2000
	wait $!
done
"$TACHO" destroy >"$TMP/log"
wait "$viewer"
check 'a_viewer_of_a_busy_session_ends_as_well' test $? = 0
"$TACHO" view --json "$TMP/busy" >"$TMP/all"
check 'there_was_much' test "$(wc -l <"$TMP/all")" -ge 24012
sum_up() # FILE: its events, sorted, and the sums of what was lost
{
	python3 -c '
import json, sys
lost = [0, 0]
for line in open(sys.argv[1]):
    item = json.loads(line)
    if "event" in item:
        sys.stdout.write(line)
    else:
        lost[0] += item["lost"]["events"]
        lost[1] += item["lost"]["packets"]
print("lost", *lost)' "$1" | timeless /dev/stdin
}
sum_up "$TMP/all" >"$TMP/expected"
sum_up "$TMP/shown" >"$TMP/actual"
same 'each_event_of_many_files_is_shown_exactly_once' "$TMP/expected" "$TMP/actual"

# ---- rotations, clears and files that are removed, under load

. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib-flood.sh"
is_right() # SHOWN ALL all|more: in order, each once, no damage; and all that the trace has, or more
{
	python3 - "$@" <<-'END'
		import re, sys
		tick = re.compile(r'"fields":{"thread":(\d+),"number":(\d+)}')
		def ticks(name):
		    threads = {}
		    for line in open(name):
		        found = tick.search(line)
		        if found:
		            threads.setdefault(found[1], []).append(int(found[2]))
		        elif '"lost"' not in line:
		            sys.exit("# " + line)
		    return threads
		shown, there = ticks(sys.argv[1]), ticks(sys.argv[2])
		for thread, numbers in shown.items():
		    for before, number in zip(numbers, numbers[1:]):
		        if number <= before:
		            sys.exit(f"# thread {thread}: {number} behind {before}")
		for thread, numbers in there.items():
		    missing = set(numbers) - set(shown.get(thread, []))
		    if missing:
		        sys.exit(f"# thread {thread}: {len(missing)} missing, from {min(missing)} on")
		if sys.argv[3] == "all" and shown != there:
		    sys.exit("# more is shown than there is")
	END
}
lines_beyond() { [ "$(wc -l <"$1")" -gt "$2" ]; }
follow_while() # WHAT LINES COMMAND..: five times, each LINES later, while two threads record
{
	local what=$1 lines=$2
	shift 2
	"$TACHO" enable-event -s turns 'flood:*' >"$TMP/log"
	"$TACHO" start turns >"$TMP/log"
	"$TACHO" view --follow --json turns >"$TMP/shown" 2>"$TMP/err" &
	viewer=$!
	flood_begin 2 0 20000
	for _ in 1 2 3 4 5; do
		check "the_viewer_goes_on: $what" \
			wait_until lines_beyond "$TMP/shown" $(($(wc -l <"$TMP/shown") + lines))
		"$@" >"$TMP/log"
	done
	flood_end
	"$TACHO" destroy turns >"$TMP/log"
	wait "$viewer"
	check "the_viewer_ends_as_well: $what" test $? = 0
	check "nothing_is_complained_of: $what" test ! -s "$TMP/err"
	"$TACHO" view --json "$TMP/turns" >"$TMP/all"
}

"$TACHO" create -o "$TMP/turns" turns >"$TMP/log"
follow_while rotate 0 "$TACHO" rotate turns
check 'each_event_of_all_chunks_is_shown_exactly_once' is_right "$TMP/shown" "$TMP/all" all
check 'there_are_chunks' test "$(find "$TMP/turns/archives" -mindepth 1 -maxdepth 1 | wc -l)" = 5
rm -r "$TMP/turns"

rotate_and_clear() { "$TACHO" rotate turns && "$TACHO" clear turns; }
"$TACHO" create -o "$TMP/turns" turns >"$TMP/log"
# The files hold more than what the viewer leaves for later, and less than it waits for.
"$TACHO" enable-channel -s turns --buffer 256K --tracefile-size 64K --tracefile-count 8 \
	channel0 >"$TMP/log"
follow_while 'rotate, clear, limits' 80000 rotate_and_clear
check 'each_event_that_stayed_is_shown_exactly_once' is_right "$TMP/shown" "$TMP/all" more
rm -r "$TMP/turns"

# ---- others

expect_exit 0 timeout 20 "$TACHO" view --follow "$TMP/trace"
check 'a_trace_that_nobody_writes_is_shown_once' test "$(wc -l <"$TMP/out")" = 904
"$TACHO" create --snapshot box >"$TMP/log"
expect_case 'a_flight_recorder_cannot_be_followed' 1 "$TACHO" view --follow box
check 'it_says_what_can_be_done' has "$TMP/err" 'tacho snapshot record -s box'
"$TACHO" destroy >"$TMP/log"
"$TACHO" create -o "$TMP/headed" web >"$TMP/log"
"$TACHO" enable-event '*' >"$TMP/log"
"$TACHO" start >"$TMP/log"
"$orders" 10
(set -o pipefail; timeout 30 "$TACHO" view --follow web 2>"$TMP/err" | head -n 5 >"$TMP/out")
check 'a_reader_that_has_enough_ends_it' test $? = 0
check 'a_reader_that_has_enough_got_its_lines' test "$(wc -l <"$TMP/out")" = 5
"$TACHO" view --follow --end +0.000000001 web >"$TMP/out" 2>"$TMP/err" &
viewer=$!
"$orders" 10
check 'what_comes_behind_the_end_ends_it' wait_until eval '! kill -0 "$viewer" 2>/dev/null'
wait "$viewer"
check 'the_end_is_no_failure' test $? = 0
"$TACHO" destroy >"$TMP/log"
for option in --summary '--last 1'; do
	# shellcheck disable=SC2086
	expect_case "wrong_use_is_refused: $option" 2 "$TACHO" view --follow $option "$TMP/trace"
done
