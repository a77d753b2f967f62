#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What can be in the way of a session: a full tmpfs, a full disk, somebody else's directory, a
# killed drain. Each is said in words, and what was recorded stays.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
need python3

export HOME=$TMP/home
mkdir "$HOME"
orders=$TACHO_BUILD/tests/e2e/cli_orders

field() # NAME: of the first session
{
	local code='import json, sys; print(json.load(sys.stdin)["sessions"][0][sys.argv[1]])'
	"$TACHO" list --json | python3 -c "$code" "$1"
}
count_of() { "$TACHO" view --json "$1" | grep -c "\"$2\""; }

# ---- a drain that was killed

drain_is() { [ "$(field drain_pid)" != "$1" ] && [ "$(field drain_alive)" = True ]; }
kill_drain() # sets `killed`; 0 would be our own process group
{
	killed=$(field drain_pid)
	[ "${killed:-0}" -gt 1 ] || { not_ok 'there_is_a_drain' 'it has no pid'; exit 1; }
	kill_and_wait "$killed"
}

"$TACHO" create -o "$TMP/trace" box >/dev/null
"$TACHO" enable-event '*' >/dev/null
"$TACHO" start >/dev/null
"$orders" 1000
kill_drain
"$orders" 1000
check 'the_next_command_starts_another_drain' drain_is "$killed"
"$orders" 1000
expect_case 'stop_completes_the_trace' 0 "$TACHO" stop
check 'nothing_is_lost' has "$TMP/out" 'nothing lost'
check 'each_event_of_three_drained_times_is_there' test "$(count_of "$TMP/trace" shop:order_placed)" = 3000
babeltrace2 "$TMP/trace" >"$TMP/bt.out" 2>"$TMP/bt.err"
check 'babeltrace2_reads_the_trace_without_a_word' test ! -s "$TMP/bt.err"
"$TACHO" start >/dev/null
kill_drain
"$orders" 500
expect_case 'stop_completes_the_trace_without_a_drain_too' 0 "$TACHO" stop
check 'each_event_is_there_without_a_drain_too' test "$(count_of "$TMP/trace" shop:order_placed)" = 3500
"$TACHO" destroy >/dev/null

# ---- somebody else's runtime directory

mkdir "$TMP/open"
chmod 777 "$TMP/open"
expect_case 'a_directory_that_others_may_write_to_is_refused' 1 \
	env TACHO_RUNTIME_DIR="$TMP/open" "$TACHO" list
check 'it_is_said_how_to_forbid_it' has "$TMP/err" "chmod 700 '$TMP/open'"
echo >"$TMP/file"
expect_case 'a_file_is_no_runtime_directory' 1 env TACHO_RUNTIME_DIR="$TMP/file" "$TACHO" list
expect_case 'a_directory_that_cannot_be_made_is_refused' 1 \
	env TACHO_RUNTIME_DIR=/no/such/place "$TACHO" record -o "$TMP/t" -- touch "$TMP/ran"
check 'the_variable_that_moves_it_is_named' has "$TMP/err" TACHO_RUNTIME_DIR
check 'the_program_was_not_run' test ! -e "$TMP/ran"

other_owner()
{
	mkdir "$TMP/theirs"
	chmod 700 "$TMP/theirs"
	chown 65534 "$TMP/theirs"
	expect_case 'a_directory_of_another_user_is_refused' 1 \
		env TACHO_RUNTIME_DIR="$TMP/theirs" "$TACHO" list
	check 'the_owner_is_named' has "$TMP/err" 'belongs to user 65534, not to you (user 0)'
	expect_case 'doctor_fails_on_it' 1 env TACHO_RUNTIME_DIR="$TMP/theirs" "$TACHO" doctor
	check 'doctor_names_the_owner' has "$TMP/out" 'belongs to user 65534'
}
if [ "$(id -u)" = 0 ]; then
	other_owner
else
	skip 'a_directory_of_another_user_is_refused' 'only root can make one'
fi

mkdir "$TMP/elsewhere"
touch "$TMP/elsewhere/file"
expect_case 'a_directory_of_other_files_is_no_runtime_directory' 1 \
	env TACHO_RUNTIME_DIR="$TMP/elsewhere" "$TACHO" list
check 'what_to_set_is_said' has "$TMP/err" 'set TACHO_RUNTIME_DIR to a new or an empty directory'
check 'nothing_is_made_in_it' test "$(ls "$TMP/elsewhere")" = file

# ---- no room

with_tmpfs() # SIZE DIR
{
	mkdir -p "$2"
	mount -t tmpfs -o "size=$1,mode=700" tmpfs "$2" 2>/dev/null
}

full_tmpfs()
{
	local dir=$TMP/small
	expect_case 'a_tmpfs_that_is_too_small_is_refused' 1 \
		env TACHO_RUNTIME_DIR="$dir" "$TACHO" record -o "$TMP/t" -- touch "$TMP/ran"
	check 'it_is_said_how_much_is_missing' has "$TMP/err" '(1.0 MiB) are free'
	check 'it_is_said_what_helps' has "$TMP/err" 'choose smaller ones (--buffer)'
	check 'the_program_was_not_run_then_either' test ! -e "$TMP/ran"
	check 'no_trace_is_left_then' test ! -e "$TMP/t"
	expect_case 'doctor_sees_it' 1 env TACHO_RUNTIME_DIR="$dir" "$TACHO" doctor
	check 'doctor_names_the_file_system_that_is_too_small' \
		grep -qE "mend it: mount -o remount,size=[0-9]+M $dir\$" "$TMP/out"
	check 'doctor_names_a_buffer_that_fits' grep -qE 'until then: --buffer [0-9]+K' "$TMP/out"
	fits=$(sed -nE 's/.*until then: --buffer ([0-9]+K).*/\1/p' "$TMP/out")
	expect_case 'and_it_does_fit' 0 \
		env TACHO_RUNTIME_DIR="$dir" "$TACHO" record --buffer "$fits" -o "$TMP/fits" -- true
	expect_case 'a_smaller_buffer_fits' 0 \
		env TACHO_RUNTIME_DIR="$dir" "$TACHO" record --buffer 64K -o "$TMP/t" -- "$orders" 10
	check 'its_events_are_all_there' test "$(count_of "$TMP/t" shop:order_placed)" = 10
}

# The program starts when there is no page left for its registry.
filled_tmpfs()
{
	local dir=$1
	TACHO_RUNTIME_DIR=$dir expect_exit 0 "$TACHO" record --buffer 16K -o "$TMP/filled" -- \
		sh -c 'cat /dev/zero > "$1/fill" 2>/dev/null; shift; exec "$@"' sh "$dir" "$orders" 10
	check 'a_program_without_room_for_its_registry_is_reported' \
		has "$TMP/err" '1 program was not recorded at all: they could not make a file'
	check 'and_nothing_is_called_complete' test -z "$(grep 'nothing lost' "$TMP/err")"
	rm -f "$dir/fill"
}

full_disk()
{
	local dir=$TMP/disk
	expect_exit 1 "$TACHO" record --buffer 4M -o "$dir/trace" -- "$orders" 60000
	check 'a_full_disk_is_said' has "$TMP/err" 'No space left on device'
	check 'a_full_disk_is_not_called_complete' test -z "$(grep 'nothing lost' "$TMP/err")"
	check 'what_a_full_disk_kept_out_of_the_trace_is_not_called_nothing' \
		grep -q '^tacho: recorded [1-9][0-9.]* [KM]iB, of which' "$TMP/err"
	check 'a_full_disk_keeps_the_session' has "$TMP/err" 'still holds what is missing'
	mount -o remount,size=32m "$dir"
	expect_case 'with_room_the_session_can_end' 0 "$TACHO" destroy
	check 'and_nothing_is_missing' test "$(count_of "$dir/trace" shop:order_placed)" = 60000
}

given_up_disk()
{
	local dir=$TMP/given-up
	expect_exit 1 "$TACHO" record --buffer 4M -o "$dir/trace" -- "$orders" 60000
	expect_exit 0 "$TACHO" destroy --discard
	check 'what_is_given_up_is_said' \
		grep -q 'had recorded [1-9].*what of it the trace did not have yet is given up' "$TMP/out"
}

if with_tmpfs 1m "$TMP/small"; then
	full_tmpfs
	umount "$TMP/small"
else
	skip 'a_tmpfs_that_is_too_small_is_refused' 'mounting a tmpfs needs root'
fi
if with_tmpfs 4m "$TMP/filled-up"; then
	filled_tmpfs "$TMP/filled-up"
	umount "$TMP/filled-up"
else
	skip 'a_program_without_room_for_its_registry_is_reported' 'mounting a tmpfs needs root'
fi
if with_tmpfs 512k "$TMP/disk"; then
	full_disk
	umount "$TMP/disk"
else
	skip 'a_full_disk_is_said' 'mounting a tmpfs needs root'
fi

# ---- a program and a tacho that do not belong together

other_version() # the four bytes behind the magic number of the session file; prints what was there
{
	local file=$TACHO_RUNTIME_DIR/sessions/$1/session
	dd if="$file" bs=1 skip=8 count=4 status=none
	printf '%b' "$2" | dd of="$file" bs=1 seek=8 conv=notrunc status=none
}

expect_exit 0 "$TACHO" create versions --output "$TMP/versions"
expect_exit 0 "$TACHO" enable-event -s versions '*'
expect_exit 0 "$TACHO" start versions
other_version versions '\001\0\0\0' > "$TMP/version"
expect_case 'a_program_of_another_version_runs_as_ever' 0 "$orders" 10
dd if="$TMP/version" of="$TACHO_RUNTIME_DIR/sessions/versions/session" bs=1 seek=8 conv=notrunc \
	status=none
expect_exit 0 "$TACHO" status versions
check 'status_tells_of_it' has "$TMP/out" '1 program could not be recorded: their libtacho'
expect_exit 0 "$TACHO" stop versions
check 'stop_tells_of_it_and_what_helps' has "$TMP/err" 'install both from one source'
expect_exit 0 "$TACHO" destroy versions

# ---- limits of the program

# shellcheck disable=SC2016
limited() # LIMIT VALUE DIR
{
	expect_exit 0 "$TACHO" record -o "$TMP/$3" -- \
		sh -c 'ulimit "$1" "$2"; shift 2; exec "$@"' sh "$1" "$2" "$orders" 10
}

expect_case 'a_limit_of_file_sizes_does_not_kill_a_program' 0 sh -c 'ulimit -f 100; exec "$1" 10' sh "$orders"
limited -f 100 limit-f
check 'but_it_cannot_be_recorded_and_that_is_said' has "$TMP/err" '1 program was not recorded at all'
limited -v 50000 limit-v
check 'a_program_that_may_not_map_the_buffers_is_reported' \
	has "$TMP/err" "they could not map the session's buffers"
expect_case 'a_limit_of_file_sizes_is_an_error_of_the_tools' 1 \
	sh -c 'ulimit -f 100; exec "$1" create limited' sh "$TACHO"
check 'with_a_reason' has "$TMP/err" 'File too large'

# ---- someone writes where nobody should

expect_exit 0 "$TACHO" create scribbled --output "$TMP/scribbled" --buffer 16K
expect_exit 0 "$TACHO" enable-event -s scribbled '*'
expect_exit 0 "$TACHO" start scribbled
drain=$("$TACHO" status --json scribbled |
	python3 -c 'import json, sys; print(json.load(sys.stdin)["drain_pid"])')
kill -STOP "$drain"
expect_exit 0 taskset -c 0 "$orders" 300
# The entry of the first, closed sub-buffer in the table of CPU 0's ring: its number.
printf '\377' | dd of="$TACHO_RUNTIME_DIR/sessions/scribbled/channel0.rings" bs=1 seek=8192 \
	conv=notrunc status=none
kill -CONT "$drain"
expect_exit 0 "$TACHO" stop scribbled
check 'a_damaged_part_of_a_buffer_is_reported' has "$TMP/err" '1 part of the buffers made no sense'
check 'and_nothing_is_called_complete' test -z "$(grep 'nothing lost' "$TMP/out")"
expect_exit 0 "$TACHO" destroy scribbled
if with_tmpfs 512k "$TMP/given-up"; then
	given_up_disk
	umount "$TMP/given-up"
else
	skip 'what_is_given_up_is_said' 'mounting a tmpfs needs root'
fi
