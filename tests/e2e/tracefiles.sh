#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Trace files of bounded size, in bounded number, and traces of bounded size: what is there is a
# trace without a gap, as babeltrace2 sees it, with the newest events; also when the drain is killed.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
. "$TACHO_SOURCE/tests/lib-flood.sh"
need babeltrace2 awk

export HOME=$TMP/home
mkdir "$HOME"
user=$(id -u)
streams=$TMP/trace/ust/uid/$user/64-bit

fresh() # CREATE-OPTION.. -- CHANNEL-OPTION..: programs wait where events would be lost
{
	local options=()
	"$TACHO" destroy --all >"$TMP/out" 2>&1
	rm -rf "$TMP/trace"
	while [ "$1" != -- ]; do
		options+=("$1")
		shift
	done
	shift
	"$TACHO" create -o "$TMP/trace" "${options[@]}" s >"$TMP/out" &&
		"$TACHO" enable-channel -s s c --blocking-timeout inf "$@" >"$TMP/out" &&
		"$TACHO" enable-event -s s -c c 'flood:*' >"$TMP/out" && "$TACHO" start s >"$TMP/out"
}

no_file_above() # BYTES
{
	[ -z "$(find "$streams" -maxdepth 1 -name 'c_*' -size "+${1}c")" ] && return 0
	find "$streams" -ls | show /dev/stdin
	return 1
}

each_has_an_index()
{
	local file
	for file in "$streams"/c_*; do
		[ -e "$streams/index/${file##*/}.idx" ] || { echo "# ${file##*/} has none"; return 1; }
	done
}

no_gap() # TRACE
{
	ticks "$1" >"$TMP/ticks" && return 0
	show "$TMP/ticks"
	return 1
}

newest_without_a_gap() # TRACE: what is there is all up to what the program did last
{
	ticks "$1" >"$TMP/ticks" || { show "$TMP/ticks"; return 1; }
	awk '{ print $1, $2 - 1 }' "$TMP/flood.out" | sort >"$TMP/expected"
	awk '{ print $1, $3 }' "$TMP/ticks" >"$TMP/actual"
	diff "$TMP/expected" "$TMP/actual" >"$TMP/diff" && return 0
	show "$TMP/diff"
	return 1
}

has_lost_some() # in the beginning
{
	awk '$2 > 0 { some = 1 } END { exit !some }' "$TMP/ticks"
}

count_of_view() { "$TACHO" view --json "$1" | grep -c '"flood:tick"'; }

# ---- files of bounded size

fresh -- --buffer 256K --tracefile-size 100K
flood_begin 2 100000 2000
flood_end
"$TACHO" stop s >"$TMP/out"
check 'nothing_is_lost' nothing_lost s
check 'files_have_the_names_of_lttng' test -e "$streams/c_0_0" -a -e "$streams/c_0_1" -a -e "$streams/c_1_1"
check 'no_file_is_larger_than_it_may_be' no_file_above 102400
check 'each_file_has_an_index' each_has_an_index
check 'together_they_hold_all' ticks_are_all "$TMP/trace"
check 'tacho_view_takes_them_for_one_stream' test "$(count_of_view "$TMP/trace")" = 200000
check 'babeltrace2_complains_of_nothing' test ! -s "$TMP/babeltrace2.err"

# ---- the drain is killed in between

fresh -- --buffer 8M --tracefile-size 300K
flood_begin 2 200000 2000
killed=0
for i in $(seq 25); do
	pid=$(drain_pid s)
	read -r -t "0.00$((i % 10))" _ <> <(:) || : # another moment each time
	[ -n "$pid" ] && kill -KILL "$pid" 2>/dev/null && killed=$((killed + 1))
done
expect_exit 0 "$TACHO" status s # another drain, where the last one was killed
flood_end
"$TACHO" stop s >"$TMP/out"
check 'drains_were_killed' test "$killed" -gt 5
check 'no_event_is_lost_by_killing' nothing_lost s
check 'none_is_missing_or_double' ticks_are_all "$TMP/trace"

# ---- a bounded number of files

fresh -- --buffer 256K --tracefile-size 64K --tracefile-count 3
flood_begin 2 100000 2000
flood_end
"$TACHO" stop s >"$TMP/out"
check 'there_are_no_more_files' test "$(find "$streams" -maxdepth 1 -name 'c_*' | wc -l)" = 6
check 'their_numbers_wrap' test -e "$streams/c_0_0" -a -e "$streams/c_0_2" -a ! -e "$streams/c_0_3"
check 'they_hold_the_newest' newest_without_a_gap "$TMP/trace"
check 'but_not_all' has_lost_some
"$TACHO" start s >"$TMP/out"
flood_begin 2 20000 2000
flood_end
"$TACHO" stop s >"$TMP/out"
check 'after_a_new_start_the_oldest_goes_on_going' \
	test "$(find "$streams" -maxdepth 1 -name 'c_*' | wc -l)" = 6
check 'and_the_newest_is_there' \
	test "$(babeltrace2 "$TMP/trace" | grep -c 'number = 19999 ')" = 2

# ---- a trace of bounded size

fresh --max-size 2M -- --buffer 512K
flood_begin 2 0 5000
largest=0
for _ in $(seq 60); do
	size=$(du -s -B1 "$streams" 2>/dev/null | cut -f1)
	[ "${size:-0}" -le "$largest" ] || largest=$size
	read -r -t 0.03 _ <> <(:) || :
done
pid=$(drain_pid s)
kill -STOP "$pid"
cp -r "$TMP/trace" "$TMP/middle"
kill -CONT "$pid"
check 'what_is_there_in_the_middle_is_a_trace' no_gap "$TMP/middle"
flood_end
"$TACHO" stop s >"$TMP/out"
echo "# at most $largest bytes"
check 'stop_says_that_the_newest_events_are_left' has "$TMP/out" ' recorded, of which the newest '
check 'the_trace_is_never_larger' test "$largest" -le $((2097152 + 131072 + 16384))
check 'it_uses_what_it_may' test "$(du -s -B1 "$streams" | cut -f1)" -gt 1200000
check 'nothing_is_lost_on_the_way' nothing_lost s
check 'it_holds_the_newest_without_a_gap' newest_without_a_gap "$TMP/trace"
check 'the_oldest_is_gone' has_lost_some
"$TACHO" destroy --all >"$TMP/out" 2>&1
