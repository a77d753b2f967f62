#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Rotation: each event is in exactly one chunk, and each chunk is a trace, as babeltrace2 sees it;
# also when the drain is killed in between.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
. "$TACHO_SOURCE/tests/lib-flood.sh"
need babeltrace2 awk

export HOME=$TMP/home
mkdir "$HOME"

fresh() # a session in which nothing is lost: programs wait
{
	"$TACHO" destroy --all >"$TMP/out" 2>&1
	rm -rf "$TMP/trace"
	"$TACHO" create -o "$TMP/trace" s >"$TMP/out" &&
		"$TACHO" enable-channel -s s c --blocking-timeout inf >"$TMP/out" &&
		"$TACHO" enable-event -s s -c c 'flood:*' >"$TMP/out" && "$TACHO" start s >"$TMP/out"
}

all_chunks() # COUNT: there are so many at least, and together they hold all
{
	chunks "$TMP/trace" >"$TMP/chunks"
	[ "$(wc -l <"$TMP/chunks")" -ge "$1" ] || { show "$TMP/chunks"; return 1; }
	mapfile -t found <"$TMP/chunks"
	ticks_are_all "${found[@]}"
}

# ---- in the middle of sub-buffers, while two threads record

fresh
flood_begin 2 0 2000
for _ in 1 2 3 4 5 6 7 8; do
	expect_exit 0 "$TACHO" rotate s || not_ok 'rotate works' 'it does not'
done
check 'rotate_says_where_the_chunk_is' has "$TMP/out" "Chunk: $TMP/trace/archives/"
flood_end
"$TACHO" stop s >"$TMP/out"
check 'no_event_is_lost' nothing_lost s
check 'each_event_is_in_exactly_one_chunk' all_chunks 9
name=$(basename "$(head -1 "$TMP/chunks")")
check 'a_chunk_is_named_as_by_lttng' \
	grep -qE '^[0-9]{8}T[0-9]{6}[+-][0-9]{4}-[0-9]{8}T[0-9]{6}[+-][0-9]{4}-0$' <<<"$name"
check 'each_chunk_has_index_files' test -n "$(find "$(head -1 "$TMP/chunks")" -name 'c_0.idx')"
expect_case 'tacho_view_reads_a_chunk' 0 "$TACHO" view "$(head -1 "$TMP/chunks")"
check 'all_chunks_at_once_are_in_order' ticks_are_all "$TMP/trace"

# ---- after a stop, once

expect_case 'a_stopped_session_is_rotated' 0 "$TACHO" rotate s
check 'then_there_is_no_current_chunk' test ! -e "$TMP/trace/ust"
expect_case 'but_only_once' 1 "$TACHO" rotate s
check 'and_it_is_said_why' has "$TMP/err" 'there is nothing to archive'
check 'the_last_chunk_is_not_lost' all_chunks 9

# ---- without waiting, by size, by time

fresh
flood_begin 2 0 2000
expect_case 'no_wait_returns_at_once' 0 "$TACHO" rotate s --no-wait
has_chunks() { [ "$(chunks "$TMP/trace" | grep -c archives)" -ge "$1" ]; }
check 'and_the_chunk_appears' wait_until has_chunks 1
expect_case 'rotation_by_size_is_enabled' 0 "$TACHO" enable-rotation -s s --size 100K
check 'it_happens_by_itself' wait_until has_chunks 4
expect_exit 0 "$TACHO" disable-rotation -s s --size
expect_case 'rotation_by_time_is_enabled' 0 "$TACHO" enable-rotation -s s --timer 20ms
check 'it_happens_by_itself_as_well' wait_until has_chunks 8
expect_case 'rotation_by_time_is_disabled' 0 "$TACHO" disable-rotation -s s --timer
flood_end
"$TACHO" stop s >"$TMP/out"
check 'all_of_them_together_hold_all' all_chunks 9

# ---- the drain is killed, again and again, also while it rotates

fresh
flood_begin 2 0 5000
killed=0
for i in $(seq 30); do
	"$TACHO" rotate s --no-wait >"$TMP/out" 2>&1
	read -r -t "0.00$((i % 10))" _ <> <(:) || : # another moment each time
	pid=$(drain_pid s)
	[ -n "$pid" ] && kill -KILL "$pid" 2>/dev/null && killed=$((killed + 1))
done
expect_exit 0 "$TACHO" status s # another drain, where the last one was killed
flood_end
expect_exit 0 "$TACHO" rotate s
"$TACHO" stop s >"$TMP/out"
check 'drains_were_killed' test "$killed" -gt 5
check 'no_event_is_lost_by_killing' nothing_lost s
check 'none_is_missing_or_double' all_chunks 2

# ---- wrong use

"$TACHO" create --snapshot recorder >"$TMP/out"
expect_case 'a_flight_recorder_is_not_rotated' 1 "$TACHO" rotate recorder
check 'it_is_said_what_to_do_instead' has "$TMP/err" "tacho snapshot record"
expect_case 'nor_by_itself' 1 "$TACHO" enable-rotation -s recorder --timer 1s
"$TACHO" create idle -o "$TMP/idle" >"$TMP/out"
expect_case 'a_timer_of_a_number_alone_is_taken' 0 "$TACHO" enable-rotation -s idle --timer 1
check 'and_doubted' has "$TMP/err" 'did you mean 1s?'
expect_case 'a_timer_with_its_unit_is_taken' 0 "$TACHO" enable-rotation -s idle --timer 500us
check 'and_not_doubted' test ! -s "$TMP/err"
"$TACHO" destroy idle >"$TMP/out"
expect_case 'a_condition_must_be_named' 2 "$TACHO" enable-rotation -s s
expect_case 'a_time_must_be_one' 2 "$TACHO" enable-rotation -s s --timer soon
"$TACHO" create -o "$TMP/never" never >"$TMP/out"
expect_case 'what_never_recorded_is_not_rotated' 1 "$TACHO" rotate never
"$TACHO" destroy --all >"$TMP/out" 2>&1
