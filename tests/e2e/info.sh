#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# tacho info: what it says of a trace is what the program recorded and what other commands say.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
need jq

trace=$TMP/trace
"$TACHO" record -o "$trace" -- "$TACHO_BUILD/tests/e2e/known_values" 500 2>/dev/null

says() # NAME JQ: true of $TMP/info
{
	if jq -e "$2" "$TMP/info" >/dev/null; then
		ok "$1"
	else
		not_ok "$1" "$2"
	fi
}

expect_case 'a_sound_trace_is_described' 0 "$TACHO" info --json "$trace"
cp "$TMP/out" "$TMP/info"
events=$("$TACHO" stats --json "$trace" | jq .events)
says 'all_events_are_counted' ".traces[0].events == $events"
says 'streams_add_up' '.traces[0] | ([.streams[].events] | add) == .events'
says 'packets_and_bytes_add_up' '.traces[0] | ([.streams[].packets] | add) == .packets and
	([.streams[].bytes] | add) == .bytes'
says 'classes_add_up' '.traces[0] | 
	([.classes[] | select(.event != "tacho:writer") | .events] | add) == .events'
says 'fields_are_named' '[.traces[0].classes[] |
	select(.event == "net:request") | .fields[]] | index("id") != null'
says 'it_says_who_recorded' '.traces[0] | .env.tracer_name == "tacho" and .ctf_major == 1 and .uuid != null'
says 'it_says_on_which_clock' '.traces[0].clocks[0] | .freq_hz > 0 and .name != ""'
says 'the_process_is_named' '.traces[0].processes == [{pid: .traces[0].processes[0].pid,
	name: "known_values", events: .traces[0].events}]'
says 'nothing_is_damaged' '.traces[0].damages == [] and .traces[0].lost_events == 0'
"$TACHO" view --json "$trace" | jq -s '{first: .[0].time_ns, last: .[-1].time_ns}' >"$TMP/ends"
check 'the_time_span_is_that_of_the_events' test \
	"$(jq -r '"\(.first) \(.last)"' "$TMP/ends")" = \
	"$(jq -r '.traces[0] | "\(.begin_ns) \(.end_ns)"' "$TMP/info")"

"$TACHO" info "$trace" >"$TMP/text"
check 'the_text_names_the_tracer' grep -qE '^tracer +tacho ' "$TMP/text"
check 'the_text_has_the_classes' grep -qE '^ *500 net:request' "$TMP/text"
check 'the_text_has_the_streams' grep -qE ' channel0_[0-9]+$' "$TMP/text"

"$TACHO" info --json "$trace" "$trace" >"$TMP/info"
says 'several_traces_are_described' '.traces | length == 2'

"$TACHO" record -o "$TMP/lossy" --buffer 64K -- "$TACHO_BUILD/tests/e2e/flood" 2 200000 >"$TMP/log" 2>&1
"$TACHO" info --json "$TMP/lossy" >"$TMP/info"
says 'losses_add_up_and_have_times' '.traces[0] | .lost_events > 0 and
	([.losses[].events] | add) == .lost_events and
	([.losses[] | select(.begin_ns > .end_ns)] == [])'

# ---- damage

file=$(find "$trace" -name 'channel0_*' -size +8k -not -path '*/index/*' | head -n 1)
truncate -s -100 "$file"
expect_case 'a_truncated_trace_is_a_failure_that_is_described' 1 "$TACHO" info --json "$trace"
cp "$TMP/out" "$TMP/info"
says 'the_damage_names_the_file' ".traces[0].damages[0] | contains(\"${file##*/}\")"
says 'and_the_rest_is_counted' ".traces[0].events > 0 and .traces[0].events < $events"
find "$trace" -name metadata -exec truncate -s 10 {} +
expect_case 'a_trace_without_metadata_is_described' 1 "$TACHO" info "$trace"
check 'as_damaged' has "$TMP/out" 'damage'
mkdir "$TMP/empty"
expect_case 'no_trace_is_a_failure' 1 "$TACHO" info "$TMP/empty"
