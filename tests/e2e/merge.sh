#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# tacho merge: all events of all traces, in the order of time, also for babeltrace2; clocks are corrected
# by what is asked for, and those of one boot are one.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
need jq

for name in one two; do
	"$TACHO" record -o "$TMP/$name" -- "$TACHO_BUILD/tests/e2e/known_values" 300 >"$TMP/log" 2>&1
done
metadata=ust/uid/$(id -u)/64-bit/metadata
# Another host, whose clock is another one.
cp -r "$TMP/two" "$TMP/other"
sed -i 's/hostname = "[^"]*"/hostname = "elsewhere"/
	/^clock/,/^}/ s/uuid = "[^"]*"/uuid = "00000000-1111-2222-3333-444444444444"/' "$TMP/other/$metadata"

times() # DIR: of its events, in nanoseconds
{
	"$TACHO" view --json "$1" 2>/dev/null | sed -n 's/.*"time_ns":\([0-9]*\).*/\1/p'
}
babeltrace_agrees() # DIR
{
	command -v babeltrace2 >/dev/null || return 0
	babeltrace2 "$1" 2>"$TMP/warnings" | grep -cv tacho:writer >"$TMP/count"
	show "$TMP/warnings"
	[ "$(cat "$TMP/count")" = "$(times "$1" | wc -l)" ] && [ ! -s "$TMP/warnings" ]
}

expect_case 'traces_of_one_host_are_merged' 0 "$TACHO" merge -o "$TMP/same" "$TMP/one" "$TMP/two"
{ times "$TMP/one" && times "$TMP/two"; } | wc -l >"$TMP/expected"
times "$TMP/same" | wc -l >"$TMP/actual"
same 'all_events_are_there' "$TMP/expected" "$TMP/actual"
times "$TMP/same" >"$TMP/actual"
check 'in_the_order_of_time' sort -nc "$TMP/actual"
check 'babeltrace2_has_nothing_to_warn_of' babeltrace_agrees "$TMP/same"
"$TACHO" info --json "$TMP/same" |
	jq -c '[.traces[].clocks[] | [.freq_hz, .origin_ns]] | unique | length' >"$TMP/clocks"
check 'one_clock_has_one_origin' grep -qx 1 "$TMP/clocks"

expect_case 'traces_of_two_hosts_are_merged' 0 "$TACHO" merge -o "$TMP/both" "$TMP/one" "$TMP/other"
check 'babeltrace2_shows_two_hosts_together' babeltrace_agrees "$TMP/both"
times "$TMP/other" >"$TMP/expected"
times "$TMP/both/2-other" >"$TMP/actual"
same 'without_an_offset_times_stay' "$TMP/expected" "$TMP/actual"

earlier() # NAME ARGUMENT: it moves the second trace by -1.5 s, to the nanosecond of its clock
{
	rm -rf "$TMP/moved"
	expect_case "$1" 0 "$TACHO" merge -o "$TMP/moved" --offset "$2" "$TMP/one" "$TMP/other"
	paste <(times "$TMP/other") <(times "$TMP/moved/2-other") |
		awk '{ d = substr($1, 7) - substr($2, 7); if (d < 1499999998 || d > 1500000002) bad++ }
			END { exit bad > 0 || NR == 0 }'
	check "$1: by so much" test $? = 0
	cmp -s <(times "$TMP/one") <(times "$TMP/moved/1-one")
	check "$1: and not the other one" test $? = 0
}
earlier 'an_offset_is_of_a_host' elsewhere=-1.5
earlier 'an_offset_is_of_the_second_trace' 2=-1500ms
check 'babeltrace2_agrees' babeltrace_agrees "$TMP/moved"
first=$(times "$TMP/moved" | head -n 1)
check 'what_is_earlier_now_comes_first' test "$first" = "$(times "$TMP/moved/2-other" | head -n 1)"

# Clocks that drift, of which the true times of two events are known.
if command -v python3 >/dev/null; then
	make=$TACHO_SOURCE/tests/e2e/compact_make.py
	python3 "$make" "$TMP/true"
	stamps() # TRACE
	{
		"$TACHO" view --json "$1" 2>/dev/null | grep '"event":' | sed 's/.*"time_ns":\([0-9]*\).*/\1/'
	}
	drifts() # NAME PPM OFFSET_NS: what was recorded by such a clock has true times again, but for 1 ns
	{
		local name=$1 at true points=()
		rm -rf "$TMP/drifting" "$TMP/straight"
		python3 "$make" "$TMP/drifting" host=far trace=2 \
			uuid=22222222-2222-3333-4444-555555555555 "drift_ppm=$2" "offset_ns=$3"
		for which in 'head -n 20' 'tail -n 20'; do
			at=$(stamps "$TMP/drifting" | $which | tail -n 1)
			true=$(stamps "$TMP/true" | $which | tail -n 1)
			points+=(--offset "far=$((true - at))ns@${at:0:10}.${at:10}")
		done
		expect_case "$name" 0 "$TACHO" merge -o "$TMP/straight" "${points[@]}" \
			"$TMP/true" "$TMP/drifting"
		paste <(stamps "$TMP/true") <(stamps "$TMP/straight/2-drifting") |
			awk '{ d = substr($1, 9) - substr($2, 9); if (d < -2 || d > 2) bad++ }
				END { exit bad > 0 || NR < 500 }'
		check "$name: to two nanoseconds" test $? = 0
		command -v babeltrace2 >/dev/null || return 0
		babeltrace2 "$TMP/straight" 2>"$TMP/warnings" | wc -l >"$TMP/count"
		check "$name: for babeltrace2 as well" test "$(cat "$TMP/count")" = 1064
	}
	drifts 'a_clock_that_is_too_fast_is_corrected' 40 5000000
	drifts 'a_clock_that_is_too_slow_is_corrected' -250 -5000000
fi
for wrong in web=1s@ web=1s@noon web=1s@12:00 web=1s@+5; do
	expect_case "no_such_time_is_refused: $wrong" 2 "$TACHO" merge -o "$TMP/x" --offset "$wrong" \
		"$TMP/one" "$TMP/two"
done

expect_case 'a_host_that_is_not_there_is_refused' 2 "$TACHO" merge -o "$TMP/refused" --offset no=1s \
	"$TMP/one" "$TMP/two"
check 'with_its_name' has "$TMP/err" '--offset no: no trace is of this host'
check 'and_nothing_is_made' test ! -e "$TMP/refused" -a ! -e "$TMP/refused.partial"
expect_case 'nor_is_there_a_third_of_two_traces' 2 "$TACHO" merge -o "$TMP/refused" --offset 3=1s \
	"$TMP/one" "$TMP/two"
for wrong in web web= =1s web=soon; do
	expect_case "wrong_use_is_refused: $wrong" 2 "$TACHO" merge -o "$TMP/x" --offset "$wrong" \
		"$TMP/one" "$TMP/two"
done
expect_case 'one_trace_is_not_enough' 2 "$TACHO" merge -o "$TMP/x" "$TMP/one"
expect_case 'a_trace_that_is_not_there_fails' 1 "$TACHO" merge -o "$TMP/x" "$TMP/one" "$TMP/none"
check 'and_leaves_nothing' test ! -e "$TMP/x" -a ! -e "$TMP/x.partial"
