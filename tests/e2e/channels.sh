#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Channels: they come, and are disabled and enabled, while programs record; exact counts.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
. "$TACHO_SOURCE/tests/lib-rounds.sh"
need python3 babeltrace2

export HOME=$TMP/home
mkdir "$HOME"

status() # EXPRESSION: about `o`, the object of tacho status --json
{
	"$TACHO" status --json >"$TMP/status" || return 1
	python3 -c 'import json, sys; o = json.load(open(sys.argv[1])); sys.exit(not eval(sys.argv[2]))' \
		"$TMP/status" "$1" && return 0
	show "$TMP/status"
	return 1
}

fresh() # OPTION..: a session of no other name
{
	"$TACHO" destroy --all >"$TMP/out" 2>&1
	rm -rf "$TMP/trace"
	"$TACHO" create "$@" one >"$TMP/out" || not_ok 'create works' 'it does not'
}

# ---- channel0 is made when it is needed

fresh -o "$TMP/trace" --buffer 64K
check 'create_allocates_no_buffers' status "o['memory_bytes'] == 0 and o['channels'] == []"
expect_exit 0 "$TACHO" status
check 'status_says_what_channel0_will_be' has "$TMP/out" 'makes channel0, with 64 KiB per CPU'
expect_exit 0 "$TACHO" enable-event 'round:alpha'
check 'the_first_event_makes_channel0_as_create_was_told' status \
	"[(c['name'], c['mode'], c['buffer_bytes']) for c in o['channels']] == [
		('channel0', 'discard', 65536)]"

fresh -o "$TMP/trace"
expect_exit 0 "$TACHO" enable-channel -u --buffer 64K big
expect_exit 0 "$TACHO" enable-event -u -c big 'round:*'
check 'no_channel0_is_made_beside_another' status "[c['name'] for c in o['channels']] == ['big']"
expect_exit 0 "$TACHO" enable-event -u 'other:*'
check 'the_only_channel_need_not_be_named' status "[r['channel'] for r in o['rules']] == ['big', 'big']"
expect_case 'a_new_name_makes_a_channel_as_lttng_does' 0 "$TACHO" enable-event -c new 'x:*'
check 'and_it_is_said' has "$TMP/out" "Channel 'new' of session 'one' made: there was none"
check 'which_is_as_create_was_told' status "o['channels'][1]['buffer_bytes'] == 4 << 20"
expect_case 'an_unknown_channel_cannot_be_disabled' 1 "$TACHO" disable-channel nowhere
check 'and_those_there_are_are_named' has "$TMP/err" "it has 'big', 'new'"

# ---- a channel that is made while a program records

fresh -o "$TMP/trace"
"$TACHO" enable-event 'round:alpha' >"$TMP/out"
"$TACHO" start >"$TMP/out"
program first
round first 10
expect_case 'a_channel_is_made_while_a_program_records' 0 "$TACHO" enable-channel late --buffer 256K
round first 10
"$TACHO" enable-event -c late 'round:*' >"$TMP/out"
round first 100
program second
round second 1000
"$TACHO" disable-channel late >"$TMP/out"
round first 10000
round second 10000
"$TACHO" enable-channel late >"$TMP/out"
round first 5
"$TACHO" stop >"$TMP/stop"
round first 7
leave first
leave second
check 'nothing_was_lost' has "$TMP/stop" 'nothing lost'
count 'the_first_channel_has_all' $((10 + 10 + 100 + 1000 + 20000 + 5)) \
	"$(recorded_in "$TMP/trace" channel0 alpha)"
count 'the_first_channel_has_nothing_else' 0 "$(recorded_in "$TMP/trace" channel0 beta)"
count 'the_late_one_has_the_same_event_while_it_is_enabled' $((100 + 1000 + 5)) \
	"$(recorded_in "$TMP/trace" late alpha)"
count 'and_the_others' $((100 + 1000 + 5)) "$(recorded_in "$TMP/trace" late beta)"
count 'in_the_whole_trace_the_event_is_there_twice' $((21125 + 1105)) "$(recorded "$TMP/trace" alpha)"
babeltrace2 "$TMP/trace" >"$TMP/bt" 2>"$TMP/bt.err"
check 'babeltrace2_reads_it_without_a_word' test ! -s "$TMP/bt.err"
count 'and_finds_as_many' 22230 "$(grep -c round:alpha "$TMP/bt")"
"$TACHO" start >"$TMP/out"
program third
round third 3
"$TACHO" stop >"$TMP/out"
leave third
count 'a_second_start_goes_on_in_both' $((1105 + 3)) "$(recorded_in "$TMP/trace" late beta)"

# ---- started without any channel

fresh -o "$TMP/trace"
"$TACHO" start >"$TMP/out" 2>&1
program first
round first 10
"$TACHO" enable-event 'round:beta' >"$TMP/out"
round first 20
"$TACHO" stop >"$TMP/out"
leave first
count 'a_session_may_start_without_a_channel' 20 "$(recorded "$TMP/trace" beta)"

fresh -o "$TMP/trace"
"$TACHO" start >"$TMP/out" 2>&1
"$TACHO" stop >"$TMP/out"
expect_case 'a_trace_without_channels_can_be_viewed' 0 "$TACHO" view --summary "$TMP/trace"
check 'and_is_empty' has "$TMP/out" '0 events'

# ---- as many as a session may have, and one event in all of them

fresh -o "$TMP/trace"
for ((i = 0; i < 64; i++)); do
	"$TACHO" enable-channel --buffer 16K "c$i" >"$TMP/out" || not_ok "channel $i is made" 'it is not'
	filter=()
	[ $((i % 2)) = 0 ] || filter=(--filter 'number < 5')
	"$TACHO" enable-event -c "c$i" 'round:alpha' "${filter[@]}" >"$TMP/out"
done
expect_case 'a_session_has_64_channels_and_no_more' 1 "$TACHO" enable-channel --buffer 16K more
check 'it_is_said_how_many' has "$TMP/err" '64'
"$TACHO" start >"$TMP/out"
program first
round first 20
"$TACHO" stop >"$TMP/stop"
leave first
check 'nothing_was_lost_in_64' has "$TMP/stop" 'nothing lost'
count 'all_have_what_their_rules_say' $((32 * 20 + 32 * 5)) "$(recorded "$TMP/trace" alpha)"
count 'the_first_as_well' 20 "$(recorded_in "$TMP/trace" c0 alpha)"
count 'and_the_last_one' 5 "$(recorded_in "$TMP/trace" c63 alpha)"

# ---- names

names='a/b,with space,.hidden,Größe,x%y'
fresh -o "$TMP/trace"
expect_case 'channels_may_have_any_name' 0 "$TACHO" enable-channel --buffer 16K "$names"
for name in a/b 'with space' .hidden Größe x%y; do
	"$TACHO" enable-event -c "$name" 'round:beta' >"$TMP/out"
done
"$TACHO" start >"$TMP/out"
program first
round first 3
"$TACHO" stop >"$TMP/out"
leave first
count 'and_all_record' 15 "$(recorded "$TMP/trace" beta)"
expect_case 'a_name_has_63_bytes_at_most' 1 "$TACHO" enable-channel "$(printf '%064d' 1)"
expect_case 'an_empty_name_is_refused' 1 "$TACHO" enable-channel 'x,'

# ---- flight recorders

fresh --snapshot --buffer 64K
check 'channels_of_a_flight_recorder_overwrite' expect_exit 0 "$TACHO" enable-channel box
check 'unless_they_are_told_otherwise' status "o['channels'][0]['mode'] == 'overwrite'"
"$TACHO" enable-event 'round:*' >"$TMP/out"
"$TACHO" start >"$TMP/out"
program first
"$TACHO" enable-channel late >"$TMP/out"
"$TACHO" enable-event -c late 'round:alarm' >"$TMP/out"
round first 10
"$TACHO" snapshot record -o "$TMP/shot" >"$TMP/out"
leave first
count 'a_snapshot_has_the_first_channel' 10 "$(recorded_in "$TMP/shot" box beta)"
count 'a_snapshot_has_the_late_channel' 10 "$(recorded_in "$TMP/shot" late alarm)"
expect_case 'a_flight_recorder_cannot_block' 1 "$TACHO" enable-channel --blocking-timeout 100 wait
check 'and_it_is_said_why' has "$TMP/err" 'nothing empties their buffers'

# ---- no memory

"$TACHO" destroy --all >"$TMP/out"
small=$TMP/small
mkdir "$small"
if mount -t tmpfs -o size=2m,mode=700 tmpfs "$small" 2>/dev/null; then
	usual=$TACHO_RUNTIME_DIR
	export TACHO_RUNTIME_DIR=$small
	"$TACHO" create --snapshot --buffer 64K one >"$TMP/out"
	expect_case 'a_channel_without_memory_is_refused' 1 "$TACHO" enable-channel --buffer 16M large
	check 'it_is_said_how_much_there_is' has "$TMP/err" 'are free; choose smaller ones (--buffer)'
	check 'and_nothing_is_left_of_it' test -z "$(ls "$small/sessions/one" | grep large)"
	expect_case 'the_first_event_works_all_the_same' 0 "$TACHO" enable-event 'a:*'
	cat /dev/zero >"$small/fill" 2>/dev/null
	texts=$(seq -s, -f "a:%0400g" 200) # many pages
	expect_case 'a_rule_with_texts_without_memory_is_refused' 1 "$TACHO" enable-event -x "$texts" 'a:*'
	check 'and_it_is_said_why' has "$TMP/err" 'No space left on device'
	expect_case 'one_without_texts_needs_none' 0 "$TACHO" enable-event 'b:*'
	rm "$small/fill"
	expect_case 'with_memory_texts_are_taken' 0 "$TACHO" enable-event -x "$texts" 'a:*'
	"$TACHO" destroy --all >"$TMP/out"
	export TACHO_RUNTIME_DIR=$usual
	umount "$small"
else
	skip 'a_channel_without_memory_is_refused' 'mounting a tmpfs needs root'
fi

# ---- what lttng scripts say

fresh -o "$TMP/trace"
expect_case 'subbufs_are_made_into_a_buffer' 0 \
	"$TACHO" enable-channel -u --subbuf-size=600k --num-subbuf=3 subbufs
check 'and_it_is_said_what_was_made_of_them' has "$TMP/out" \
	'discard, 4 MiB per CPU in 4 sub-buffers of 1 MiB'
expect_case 'timers_are_taken' 0 "$TACHO" enable-channel --userspace --discard --switch-timer=1000000 \
	--read-timer=0 --monitor-timer=7 --output=mmap --subbuf-size=4096 --num-subbuf=4 timers
check 'and_said_to_be_needless' has "$TMP/err" '--switch-timer is not needed'
expect_case 'buffers_of_users_are_taken' 0 "$TACHO" enable-channel --buffers-uid --buffer 16K uid
check 'without_a_word' test ! -s "$TMP/err"
expect_case 'buffers_of_processes_are_taken' 0 "$TACHO" enable-channel --buffers-pid --buffer 16K pid
check 'with_a_word' has "$TMP/err" 'of each record it is known who wrote it'
check 'and_noted' status "[c['ownership'] for c in o['channels']][2:] == ['user', 'process']"
expect_case 'the_newer_name_is_taken' 0 "$TACHO" enable-channel --buffer-ownership=user --buffer 16K own
expect_case 'no_timeout_is_no_blocking' 0 "$TACHO" enable-channel --blocking-timeout=0 --buffer 16K zero
expect_case 'blocking_is_taken' 0 "$TACHO" enable-channel --discard --blocking-timeout=inf --buffer 16K wait
check 'and_kept_apart' status "[c['mode'] for c in o['channels']][5:] == ['discard', 'block']"
expect_case 'sizes_of_files_are_taken' 0 \
	"$TACHO" enable-channel --tracefile-size=8M --tracefile-count=16 --buffer 16K files
check 'and_shown' status \
	"[o['channels'][7]['tracefile_' + k] for k in ('bytes', 'count')] == [8 << 20, 16]"
expect_case 'several_names_at_once_are_taken' 0 "$TACHO" disable-channel uid,pid own
check 'and_all_are_disabled' status \
	"[c['name'] for c in o['channels'] if not c['enabled']] == ['uid', 'pid', 'own']"
expect_case 'an_event_may_be_enabled_in_one' 0 "$TACHO" enable-event -c pid 'round:*'
check 'and_it_is_said_that_it_gets_nothing' has "$TMP/err" "the channel 'pid' is disabled"
expect_case 'several_are_enabled_again' 0 "$TACHO" enable-channel -u uid,pid,own
check 'all_of_them' status "all(c['enabled'] for c in o['channels'])"
expect_case 'a_channel_keeps_its_mode' 1 "$TACHO" enable-channel --overwrite uid
check 'it_is_said_what_to_do' has "$TMP/err" 'make a channel of another name'
expect_case 'a_channel_keeps_its_size' 1 "$TACHO" enable-channel --buffer 32K uid
expect_case 'a_channel_that_is_not_there_cannot_be_disabled' 1 "$TACHO" disable-channel nothing
expect_case 'list_shows_one_channel' 0 "$TACHO" list -c files one
check 'with_its_files' has "$TMP/out" 'Files:    8 MiB at most, the newest 16'
check 'and_no_other' test -z "$(grep timers "$TMP/out")"
expect_case 'list_of_an_unknown_channel_is_refused' 1 "$TACHO" list -c nothing one

refused() # NAME TEXT ARGUMENTS: wrong use, which is said so
{
	local name=$1 text=$2
	shift 2
	expect_case "$name" 2 "$TACHO" enable-channel "$@" x
	check "${name}_with_words" has "$TMP/err" "$text"
}
refused 'both_domains_at_once_are_refused' 'exclude each other' -k -u
refused 'splice_is_refused' 'always shared memory' --output=splice
refused 'global_buffers_are_refused' "is of the kernel's events" --buffers-global
refused 'two_modes_are_refused' 'exclude each other' --discard --overwrite
refused 'blocking_and_overwriting_are_refused' 'exclude each other' --overwrite --blocking-timeout=10
refused 'two_sizes_are_refused' 'leave it out' --buffer 1M --num-subbuf 4
expect_case 'a_subbuf_larger_than_any_buffer_is_refused' 1 \
	"$TACHO" enable-channel --subbuf-size 1T --num-subbuf 4 huge
refused 'no_subbufs_are_refused' 'there must be some' --num-subbuf 0
refused 'a_size_that_is_none_is_refused' 'not a number of bytes' --subbuf-size many
refused 'a_count_without_a_size_is_refused' 'say that too' --tracefile-count 4
refused 'an_owner_that_is_none_is_refused' 'neither user nor process' --buffer-ownership=cat
refused 'a_timer_that_is_none_is_refused' 'not a number of microseconds' --switch-timer often
expect_case 'a_channel_needs_a_name' 2 "$TACHO" enable-channel
"$TACHO" destroy --all >"$TMP/out"
