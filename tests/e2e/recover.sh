#!/bin/bash
# SPDX-License-Identifier: MIT
#
# recover.sh - tacho recover: what programs, drains and machines left behind that are no more
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
. "$TACHO_SOURCE/tests/lib-flood.sh"
need babeltrace2

kill_all() # SESSION: its drain, then the program
{
	local drain
	drain=$(drain_pid "$1")
	[ -z "$drain" ] || kill_and_wait "$drain" # while it dies, recover says that it lives
	kill -KILL "$flood_pid"
	{ wait "$flood_pid"; } 2>/dev/null
	exec {flood_to}>&- {flood_from}<&-
	rm -f "$TMP/flood.in" "$TMP/flood.pipe"
}

begin() # SESSION CREATE-OPTIONS..: and a program that records
{
	local name=$1
	shift
	{
		"$TACHO" create "$name" "$@" && "$TACHO" enable-event -s "$name" 'flood:*' &&
			"$TACHO" start "$name"
	} >>"$TMP/log" || not_ok "$name begins" 'see its log'
	flood_begin 2 0 1000
}

# What the command says that it has recovered.
said()
{
	sed -n 's/^Recovered from session.*: \([0-9,]*\) events*,.*/\1/p' "$1" | tr -d ,
}

# THREAD FIRST LAST.. of traces: how many are that?
sum_ticks()
{
	ticks "$@" >"$TMP/ticks" || { show "$TMP/ticks" >&2; return 1; }
	awk '{ sum += $3 - $2 + 1 } END { print sum + 0 }' "$TMP/ticks"
}

tick_lines() # TRACE: "thread = N, number = N", as they come
{
	babeltrace2 "$1" | grep -o 'thread = .*'
}

boot_of() # FILE VALUE: where the machine's run is noted in a session's file, put another
{
	python3 - "$1" <<-'EOF'
		import sys
		boot = bytes.fromhex(open('/proc/sys/kernel/random/boot_id').read().strip().replace('-', ''))
		data = bytearray(open(sys.argv[1], 'rb').read())
		at = data.find(boot)
		assert at > 0
		data[at] ^= 255
		open(sys.argv[1], 'wb').write(data)
	EOF
}

# ---- a streaming session whose drain and program were killed ----

begin all -o "$TMP/all.trace" --buffer 4M
expect_case 'a_session_with_a_drain_that_lives_is_refused' 1 "$TACHO" recover all -o "$TMP/no"
check 'the_refusal_says_the_command_to_use' has "$TMP/err" "tacho stop -- 'all'"
check 'a_refusal_makes_no_directory' [ ! -e "$TMP/no" ]
has_stream()
{
	[ -n "$(find "$TMP/all.trace" -name 'channel0_*')" ]
}
wait_until has_stream
kill_all all
expect_case 'what_is_left_is_recovered' 0 "$TACHO" recover all -o "$TMP/all.rest"
check 'each_event_is_in_one_of_the_two_traces' ticks "$TMP/all.trace" "$TMP/all.rest"
rest=$(said "$TMP/out")
first=$(sum_ticks "$TMP/all.trace")
all=$(sum_ticks "$TMP/all.trace" "$TMP/all.rest")
check 'the_number_of_events_is_right' [ "$((first + rest))" = "$all" ]
expect_case 'again_gives_the_same' 0 "$TACHO" recover "$TACHO_RUNTIME_DIR/sessions/all" -o "$TMP/again"
check 'the_same_number' [ "$(said "$TMP/out")" = "$rest" ]
expect_case 'an_output_that_is_not_empty_is_refused' 1 "$TACHO" recover all -o "$TMP/again"

# The trace is gone, or is to be had a second time.
expect_case 'with_all_there_is_more' 0 "$TACHO" recover all --all -o "$TMP/more"
check 'nothing_less_than_without' [ "$(said "$TMP/out")" -ge "$rest" ]
check 'and_without_a_gap' ticks "$TMP/more"

# The session itself was not touched.
expect_case 'the_session_can_still_be_stopped' 0 "$TACHO" stop all
check 'and_has_the_same_events' [ "$(sum_ticks "$TMP/all.trace")" = "$all" ]
expect_case 'what_is_complete_already_is_recovered_as_nothing' 0 "$TACHO" recover all -o "$TMP/none"
check 'no_event' [ "$(said "$TMP/out")" = 0 ]
"$TACHO" destroy all >>"$TMP/log"

# ---- a flight recorder ----

begin box --snapshot --buffer 256K
expect_case 'a_flight_recorder_that_records_is_refused' 1 "$TACHO" recover box -o "$TMP/no"
check 'the_refusal_says_snapshot' has "$TMP/err" "tacho snapshot record -- 'box'"
kill_all box
expect_case 'a_dead_flight_recorder_is_recovered' 0 "$TACHO" recover box -o "$TMP/box"
box=$(said "$TMP/out")
check 'each_of_its_events_is_there_once' [ "$(sum_ticks "$TMP/box")" = "$box" ]
"$TACHO" snapshot record box -o "$TMP/box.snapshot" >"$TMP/log"
check 'as_many_as_a_snapshot_has' [ "$(sum_ticks "$TMP/box.snapshot")" = "$box" ]

# ---- a copy of the runtime directory; damage ----

cp -a "$TACHO_RUNTIME_DIR" "$TMP/copy"
expect_case 'a_copy_of_the_runtime_directory_is_recovered' 0 "$TACHO" recover "$TMP/copy" -o "$TMP/copied"
check 'it_has_the_same_events' [ "$(said "$TMP/out")" = "$box" ]

rings=$TMP/copy/sessions/box/channel0.rings
truncate -s $(($(stat -c %s "$rings") * 3 / 4)) "$rings"
expect_case 'of_a_file_that_is_cut_short_the_rest_is_recovered' 0 "$TACHO" recover "$TMP/copy" -o "$TMP/short"
cp "$TMP/out" "$TMP/short.out"
check 'it_says_that_the_file_is_short' has "$TMP/err" "'channel0.rings' is cut short"
check 'some_events_are_left' [ "$(said "$TMP/short.out")" -gt 0 ]
check 'none_is_there_twice' [ "$(tick_lines "$TMP/short" | sort | uniq -d | wc -l)" = 0 ]
check 'as_many_as_it_says' [ "$(tick_lines "$TMP/short" | wc -l)" = "$(said "$TMP/short.out")" ]

cp "$TACHO_RUNTIME_DIR/sessions/box/channel0.rings" "$rings"
dd if=/dev/zero of="$rings" bs=4096 count=1 conv=notrunc 2>/dev/null
expect_case 'without_its_head_a_ring_file_is_recovered' 0 "$TACHO" recover "$TMP/copy" -o "$TMP/headless"
check 'it_has_all_events_without_the_head' [ "$(said "$TMP/out")" = "$box" ]

cp "$TACHO_RUNTIME_DIR/sessions/box/channel0.rings" "$rings"
truncate -s 100 "$TMP/copy/sessions/box/session"
expect_case 'without_a_session_file_rings_are_recovered' 0 "$TACHO" recover "$TMP/copy" -o "$TMP/bare"
check 'it_has_all_events_without_the_session_file' [ "$(said "$TMP/out")" = "$box" ]
check 'it_says_what_is_not_known' has "$TMP/err" 'no file says what clock'

printf 'x' >"$TMP/copy/sessions/box/events"
expect_case 'without_the_event_table_nothing_can_be_told' 1 "$TACHO" recover "$TMP/copy" -o "$TMP/no"
check 'nothing_is_left_of_it' [ ! -e "$TMP/no" ]
"$TACHO" destroy box >>"$TMP/log"

# ---- buffers on a disk, and the machine started again ----

begin disk --snapshot --buffer 256K --shm-path "$TMP/disk"
kill_all disk
"$TACHO" snapshot record disk -o "$TMP/disk.snapshot" >"$TMP/log"
place=$(echo "$TMP"/disk/disk-*)
check 'all_that_recovery_needs_is_with_the_buffers' [ -s "$place/events" -a -s "$place/session.copy" ]
cp -a "$place" "$TMP/saved"
boot_of "$TMP/saved/session.copy"
expect_case 'buffers_of_before_the_machine_started_are_recovered' 0 \
	"$TACHO" recover "$TMP/saved" -o "$TMP/past"
check 'the_snapshot_and_the_past_agree' \
	[ "$(said "$TMP/out")" = "$(sum_ticks "$TMP/disk.snapshot")" ]
expect_case 'the_directory_of_shm_path_itself_will_do' 0 "$TACHO" recover "$TMP/disk" -o "$TMP/past2"
"$TACHO" destroy disk >>"$TMP/log"
check 'destroy_leaves_nothing_on_the_disk' [ -z "$(ls -A "$TMP/disk")" ]

# ---- wrong use ----

expect_case 'a_missing_output_is_wrong_use' 2 "$TACHO" recover
expect_case 'a_name_that_means_nothing_is_said_to' 1 "$TACHO" recover nothing -o "$TMP/no"
check 'it_says_what_to_type' has "$TMP/err" 'tacho recover DIR -o OUT'
expect_case 'without_a_name_it_is_the_runtime_directory' 1 "$TACHO" recover -o "$TMP/no"
check 'and_that_is_said' has "$TMP/err" "no session is in $TACHO_RUNTIME_DIR"
mkdir "$TMP/empty"
expect_case 'in_an_empty_directory_there_is_nothing' 1 "$TACHO" recover "$TMP/empty" -o "$TMP/no"
