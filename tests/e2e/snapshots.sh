#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Snapshots while two threads record at full speed: of each CPU the newest events, without a gap, of
# at least the size of the ring but for one sub-buffer.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
. "$TACHO_SOURCE/tests/lib-flood.sh"
need babeltrace2 awk python3

export HOME=$TMP/home
mkdir "$HOME"

deep_enough() # TRACE: each stream has 7 of 8 sub-buffers of 512 KiB, but for what does not fit in
{
	python3 - "$1" <<'PYTHON'
import glob, struct, sys

wrong = 0
files = glob.glob(sys.argv[1] + '/ust/uid/*/64-bit/channel0_[0-9]*')
for name in files:
    with open(name, 'rb') as file:
        data = file.read()
    at = content = 0
    while at < len(data):
        content_bits, packet_bits = struct.unpack_from('<QQ', data, at + 32)
        content += content_bits // 8 - 84
        at += packet_bits // 8
    if content < 7 * (512 * 1024 - 128):
        print('#', name, 'has only', content, 'bytes')
        wrong = 1
sys.exit(wrong or len(files) != 2)
PYTHON
}

filled() # both rings were written all over
{
	"$TACHO" status box --json | awk '
		/"cpu":/ { in_ring = 1 }
		in_ring && /"written_bytes":/ { gsub(/[^0-9]/, ""); full += ($0 + 0 > 8388608); in_ring = 0 }
		END { exit full < 2 }'
}

no_gap() # TRACE [THREADS]: a thread that had to wait for its CPU may have nothing that is so new
{
	ticks "$1" >"$TMP/ticks" && [ "$(wc -l <"$TMP/ticks")" -ge "${2:-1}" ] && return 0
	show "$TMP/ticks"
	return 1
}

# ---- a flight recorder at full speed

if [ "$(nproc)" -lt 2 ]; then
	skip 'snapshots_during_a_flood' 'there is one CPU only'
else
	"$TACHO" create --snapshot --buffer 4M box >"$TMP/out"
	"$TACHO" enable-event -s box 'flood:*' >"$TMP/out"
	"$TACHO" start box >"$TMP/out"
	flood_begin 2 0
	wait_until filled
	for i in 1 2 3 4 5; do
		expect_exit 0 "$TACHO" snapshot record box -o "$TMP/shot$i" ||
			not_ok 'a snapshot is taken during a flood' 'it is not'
		! grep -q overwritten "$TMP/err" || not_ok 'the writers are kept up with' "$(cat "$TMP/err")"
	done
	expect_exit 0 "$TACHO" snapshot record box -o "$TMP/small" --max-size 1M
	expect_exit 0 "$TACHO" snapshot record box -o "$TMP/last" --last 1ms
	flood_end
	for i in 1 2 3 4 5; do
		check "snapshot_${i}_has_no_gap" no_gap "$TMP/shot$i" 2
		check "snapshot_${i}_has_the_ring_but_for_one_subbuffer" deep_enough "$TMP/shot$i"
	done
	size=$(cat "$TMP"/small/ust/uid/*/64-bit/channel0_* | wc -c)
	check 'max-size_is_kept' test "$size" -le 1048576 -a "$size" -gt 520000
	check 'what_is_left_has_no_gap' no_gap "$TMP/small"
	size=$(cat "$TMP"/last/ust/uid/*/64-bit/channel0_* | wc -c)
	check 'last_leaves_out_what_is_older' test "$size" -le 4194304
	check 'what_is_last_has_no_gap' no_gap "$TMP/last"
fi

# ---- exact: a program that has ended

"$TACHO" destroy --all >"$TMP/out" 2>&1
"$TACHO" create --snapshot -o "$TMP/shots" box >"$TMP/out"
"$TACHO" enable-event -s box 'flood:*' >"$TMP/out"
"$TACHO" start box >"$TMP/out"
flood_begin 2 3000
flood_end
for i in 1 2; do
	expect_exit 0 "$TACHO" snapshot record box -o "$TMP/exact$i"
	check "snapshot_${i}_has_all_that_fits" ticks_are_all "$TMP/exact$i"
done
expect_exit 0 "$TACHO" snapshot record box --last 5s
check 'what_is_not_older_is_all_there' has "$TMP/out" 'Snapshot: 6,000 events'
expect_case 'a_size_for_nothing_is_refused' 1 "$TACHO" snapshot record box --max-size 100
check 'it_is_said_what_is_needed' has "$TMP/err" 'the newest packet alone'

# ---- where snapshots go

expect_exit 0 "$TACHO" snapshot record box --name crash
check 'name_begins_the_directory' has "$TMP/out" "Trace: $TMP/shots/crash-"
expect_exit 0 "$TACHO" snapshot list-output -s box
check 'no_output_is_listed_at_first' has "$TMP/out" 'by default'
expect_case 'an_output_is_added' 0 "$TACHO" snapshot add-output -s box -n here -m 100K "$TMP/out put"
expect_case 'a_second_one_is_refused' 1 "$TACHO" snapshot add-output -s box "$TMP/elsewhere"
expect_exit 0 "$TACHO" snapshot list-output -s box
check 'the_output_is_listed' has "$TMP/out" "[1] here: $TMP/out put (at most 100 KiB)"
expect_exit 0 "$TACHO" snapshot list-output -s box --json
check 'also_as_json' python3 -c 'import json, sys
[o] = json.load(open(sys.argv[1]))["outputs"]
sys.exit(o != {"id": 1, "name": "here", "path": sys.argv[2], "max_size_bytes": 102400})' \
	"$TMP/out" "$TMP/out put"
expect_exit 0 "$TACHO" snapshot record box
check 'snapshots_go_there' has "$TMP/out" "Trace: $TMP/out put/here-"
expect_case 'the_output_is_removed' 0 "$TACHO" snapshot del-output -s box 1
expect_case 'there_is_none_to_remove_then' 1 "$TACHO" snapshot del-output -s box
expect_exit 0 "$TACHO" snapshot record box
check 'snapshots_go_where_they_did' has "$TMP/out" "Trace: $TMP/shots/snapshot-"
expect_exit 0 "$TACHO" snapshot add-output -s box "file://$TMP/url"
check 'an_output_may_be_a_url' has "$TMP/out" "go to $TMP/url."
expect_exit 0 "$TACHO" snapshot del-output -s box
expect_case 'another_machine_is_refused' 2 "$TACHO" snapshot add-output -s box net://host
check 'and_it_is_said_what_to_do' has "$TMP/err" 'mount'
expect_case 'a_url_is_no_session' 2 "$TACHO" snapshot record "file://$TMP/url"
check 'output_is' has "$TMP/err" '--output'
expect_case 'a_name_is_no_path' 1 "$TACHO" snapshot record box --name ../x
expect_exit 0 "$TACHO" destroy box
check 'who_destroys_it_hears_where_the_newest_one_is' \
	has "$TMP/out" "newest snapshot is in $TMP/shots/snapshot-"
"$TACHO" create --snapshot -o "$TMP/none" box >"$TMP/out"
expect_exit 0 "$TACHO" destroy box
check 'one_that_never_recorded_held_nothing' has "$TMP/out" "Session 'box' is destroyed."
"$TACHO" create --snapshot -o "$TMP/none" box >"$TMP/out"
"$TACHO" enable-event -s box 'flood:*' >"$TMP/out"
"$TACHO" start box >"$TMP/out"
flood_begin 1 100 1000
flood_end
expect_exit 0 "$TACHO" destroy box
check 'who_destroys_one_without_a_snapshot_hears_that' has "$TMP/out" "no snapshot of it is in $TMP/none"

# ---- of a streaming session: also what the drain has written already

"$TACHO" create -o "$TMP/trace" s >"$TMP/out"
"$TACHO" enable-event -s s 'flood:*' >"$TMP/out"
"$TACHO" start s >"$TMP/out"
flood_begin 2 5000 1000
flood_end
expect_exit 0 "$TACHO" snapshot record s -o "$TMP/streamed"
check 'a_streaming_session_has_its_buffers_still' ticks_are_all "$TMP/streamed"
"$TACHO" stop s >"$TMP/out"
check 'and_its_trace_lacks_nothing' ticks_are_all "$TMP/trace"
"$TACHO" destroy --all >"$TMP/out" 2>&1
