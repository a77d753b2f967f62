#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# tacho cut: what is in the new trace is what tacho view shows of the old one with the same options,
# with its losses; babeltrace2 finds the same events and nothing to warn of.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
need jq

lossy=$TMP/lossy
"$TACHO" record -o "$lossy" --buffer 64K -- "$TACHO_BUILD/tests/e2e/flood" 2 100000 >"$TMP/log" 2>&1
known=$TMP/known
"$TACHO" record -o "$known" -- "$TACHO_BUILD/tests/e2e/known_values" 2000 >"$TMP/log" 2>&1

babeltrace_agrees() # EVENTS: in $TMP/cut; no warning but of what the tracer lost
{
	command -v babeltrace2 >/dev/null || return 0
	babeltrace2 "$TMP/cut" 2>"$TMP/warnings" | grep -cv tacho:writer >"$TMP/count"
	[ "$(cat "$TMP/count")" = "$1" ] && ! grep -v 'WARNING: Tracer discarded' "$TMP/warnings"
}

# A packet that is cut ends earlier, and so does the loss that is told with it.
until_the_last_event()
{
	python3 -c '
import json, sys
lines = sys.stdin.readlines()
last = max([json.loads(line)["time_ns"] for line in lines if "\"event\":" in line], default=0)
for line in lines:
	item = json.loads(line)
	if "lost" in item:
		item["lost"]["end_ns"] = min(item["lost"]["end_ns"], last)
		line = json.dumps(item) + "\n"
	sys.stdout.write(line)'
}

cut_is_view() # NAME TRACE OPTION..
{
	local name=$1 trace=$2
	shift 2
	rm -rf "$TMP/cut"
	"$TACHO" cut -o "$TMP/cut" "$@" "$trace" >"$TMP/log" 2>&1 || show "$TMP/log"
	"$TACHO" view --json "$@" "$trace" 2>/dev/null | until_the_last_event >"$TMP/expected"
	"$TACHO" view --json "$TMP/cut" 2>"$TMP/err" | until_the_last_event >"$TMP/actual"
	same "$name" "$TMP/expected" "$TMP/actual"
	check "$name, for babeltrace2 as well" babeltrace_agrees "$(grep -c '"event":' "$TMP/expected")"
}

cut_is_view 'all_of_a_trace_is_the_same' "$lossy"
cut_is_view 'a_time_is_cut_with_its_losses' "$lossy" --begin +0.002 --end +0.008
cut_is_view 'the_end_is_cut' "$lossy" --last 5ms
cut_is_view 'a_cpu_is_cut' "$lossy" --cpu 1
cut_is_view 'a_few_events_far_apart_keep_their_times' "$lossy" --filter 'number % 20000 == 0'
tid=$("$TACHO" view --json "$lossy" 2>/dev/null | jq .tid | sort -n | uniq | tail -n 1)
cut_is_view 'a_thread_is_cut_with_its_name' "$lossy" --tid "$tid"
cut_is_view 'classes_are_cut' "$known" --event 'net:*,numbers:odd'
cut_is_view 'others_are_left_out' "$known" --exclude 'work:*'
cut_is_view 'nothing_is_a_trace_as_well' "$known" --event none:such
check 'the_new_trace_is_smaller' test "$(du -s "$TMP/cut" | cut -f1)" -lt "$(du -s "$known" | cut -f1)"

rm -rf "$TMP/cut"
"$TACHO" cut -o "$TMP/cut" --begin +0.002 --end +0.008 "$lossy" >"$TMP/log" 2>&1
expect_case 'a_cut_of_a_cut_is_one' 0 "$TACHO" cut -o "$TMP/again" "$TMP/cut"
"$TACHO" view --json "$TMP/cut" >"$TMP/expected" 2>/dev/null
"$TACHO" view --json "$TMP/again" >"$TMP/actual" 2>/dev/null
same 'and_the_same' "$TMP/expected" "$TMP/actual"
check 'the_new_trace_is_sound' expect_exit 0 "$TACHO" info "$TMP/cut"

# ---- times that cannot be

if command -v python3 >/dev/null; then
	cp -r "$lossy" "$TMP/damaged"
	python3 - "$TMP/damaged"/ust/uid/*/64-bit/channel0_[0-9]* <<'END'
import struct, sys
for path in sys.argv[1:]:
    with open(path, 'r+b') as file:
        data = file.read()
        at, number = 0, 0
        while at < len(data):
            number += 1
            if number % 3 == 0:
                file.seek(at + (48 if number % 2 else 56))
                file.write(struct.pack('<Q', 1 << 62 if number % 4 < 2 else 1))
            at += struct.unpack_from('<Q', data, at + 40)[0] // 8
END
	rm -rf "$TMP/cut"
	"$TACHO" cut -o "$TMP/cut" "$TMP/damaged" >"$TMP/log" 2>&1
	check 'packets_with_times_that_cannot_be_get_others' babeltrace_agrees \
		"$("$TACHO" view --json "$lossy" 2>/dev/null | grep -c '"event":')"
fi

# ---- alignments, byte orders, fields within bytes: what is cut is padded anew

if command -v python3 >/dev/null; then
	for order in le be; do
		odd=$TMP/odd-$order
		python3 "$TACHO_SOURCE/tests/e2e/cut_make.py" "$odd" "$order"
		cut_is_view "events_move_to_other_places, $order" "$odd" --filter 'number % 5 == 0'
		cut_is_view "16_bits_of_a_clock_need_packets_between, $order" "$odd" \
			--filter 'number % 20 == 0'
		cut_is_view "others_stay_behind_them, $order" "$odd" --filter 'number % 3 != 0'
		rm -rf "$TMP/ctf2" "$TMP/ctf1"
		"$TACHO" cut -o "$TMP/ctf2" --format ctf2 --filter 'number % 3 != 0' "$odd" 2>"$TMP/log"
		"$TACHO" cut -o "$TMP/ctf1" --format ctf1 "$TMP/ctf2" 2>"$TMP/log"
		"$TACHO" view --json "$TMP/ctf2" >"$TMP/actual" 2>"$TMP/err"
		same "in_CTF_2_they_are_the_same, $order" "$TMP/expected" "$TMP/actual"
		"$TACHO" view --format babeltrace --filter 'number % 3 != 0' "$odd" >"$TMP/expected"
		command -v babeltrace2 >/dev/null || continue
		babeltrace2 "$TMP/ctf1" >"$TMP/actual" 2>"$TMP/err"
		same "and_back_for_babeltrace2_as_well, $order" "$TMP/expected" "$TMP/actual"
	done
else
	skip 'events_move_to_other_places' 'python3 is not installed'
fi

expect_case 'a_part_without_an_event_is_a_trace' 0 "$TACHO" cut -o "$TMP/empty" --event 'nosuch:*' "$known"
check 'and_is_warned_about' has "$TMP/err" 'no event of the trace is among what was asked for'

# ---- what is not written

expect_case 'an_output_is_needed' 2 "$TACHO" cut "$known"
mkdir "$TMP/there"
expect_case 'a_directory_that_is_there_is_left_alone' 1 "$TACHO" cut -o "$TMP/there" "$known"
check 'and_the_message_says_so' has "$TMP/err" 'is there already'
check 'nothing_was_put_into_it' rmdir "$TMP/there"
expect_case 'no_trace_is_a_failure' 1 "$TACHO" cut -o "$TMP/none" "$TMP/there"
check 'that_leaves_nothing' test ! -e "$TMP/none" -a ! -e "$TMP/none.partial"
(ulimit -f 8 && trap '' XFSZ && "$TACHO" cut -o "$TMP/full" "$lossy") >"$TMP/log" 2>&1
check 'what_cannot_be_written_fails' test $? = 1
check 'and_leaves_nothing' test ! -e "$TMP/full" -a ! -e "$TMP/full.partial"
