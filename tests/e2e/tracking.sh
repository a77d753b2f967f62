#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# track and untrack: of which processes a session records; exact counts.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
. "$TACHO_SOURCE/tests/lib-rounds.sh"
need python3

export HOME=$TMP/home
mkdir "$HOME"

begin()
{
	"$TACHO" destroy --all >"$TMP/out" 2>&1
	rm -rf "$TMP/trace"
	"$TACHO" create -o "$TMP/trace" --buffer 1M one >"$TMP/out"
	"$TACHO" enable-event 'round:alpha' >"$TMP/out"
	"$TACHO" start one >"$TMP/out" 2>&1
}

track() { "$TACHO" track "$@" >"$TMP/out" || not_ok "track $*" 'it fails'; }
untrack() { "$TACHO" untrack "$@" >"$TMP/out" || not_ok "untrack $*" 'it fails'; }
of() { recorded_of "$TMP/trace" "$1" alpha; }

# ---- processes

begin
program first
program second
round first 1
round second 1
track --vpid "${pid_of[first]}"
round first 10
round second 10
track --vpid "${pid_of[second]}"
round first 100
round second 100
untrack --vpid "${pid_of[first]}"
round first 1000
round second 1000
untrack -u --all --vpid
round first 10000
round second 10000
track --all --vpid
round first 20000
round second 20000
program third
round third 5
"$TACHO" stop >"$TMP/out"
count 'a_tracked_process_is_recorded' $((1 + 10 + 100 + 20000)) "$(of first)"
count 'another_one_is_added' $((1 + 100 + 1000 + 20000)) "$(of second)"
count 'all_means_those_that_start_later_too' 5 "$(of third)"
leave first
leave second
leave third

# ---- programs and users

begin
cp "$rounds" "$TMP/till-1"
track --exec 'till-*,nothing'
program till "$TMP/till-1"
program first
round till 10
round first 10
track --vuid "$(id -un)"
round till 100
track --vgid "$(id -g)"
round till 1000
track --vuid "$(($(id -u) + 1))"
untrack --vuid "$(id -u)"
round till 10000
"$TACHO" status >"$TMP/status"
check 'status_shows_programs' has "$TMP/status" 'Only of:  programs: till-*, nothing'
check 'status_shows_users' has "$TMP/status" "Only of:  user ids: $(($(id -u) + 1))"
"$TACHO" status --json >"$TMP/status"
check 'json_shows_them' python3 -c '
import json, sys
tracked = json.load(open(sys.argv[1]))["tracked"]
sys.exit(tracked != {"vuid": [sys.argv[2]], "vgid": [sys.argv[3]], "executable": ["till-*", "nothing"]})' \
	"$TMP/status" "$(($(id -u) + 1))" "$(id -g)"
"$TACHO" stop >"$TMP/out"
count 'a_program_is_tracked_by_its_name' 1110 "$(of till)"
count 'another_one_is_not' 0 "$(of first)"
leave first
leave till

# ---- descendants

begin
program shell sh -c "$rounds; :"
program other
track --descendants "${pid_of[shell]}"
round shell 10
round other 10
"$TACHO" stop >"$TMP/out"
count 'what_a_process_started_is_recorded' 10 "$(recorded "$TMP/trace" alpha)"
leave shell
leave other
begin
track --descendants $$
program child
program grandchild sh -c "$rounds; :"
round child 100
round grandchild 1000
untrack --descendants $$
round child 100
"$TACHO" stop >"$TMP/out"
count 'so_is_what_starts_later' 1100 "$(recorded "$TMP/trace" alpha)"
leave child
leave grandchild

# ---- what is refused

refused() # NAME STATUS TEXT ARGUMENTS
{
	local name=$1 status=$2 text=$3
	shift 3
	expect_case "$name" "$status" "$TACHO" "$@"
	check "${name}_with_words" has "$TMP/err" "$text"
}
begin
refused 'nothing_to_track_is_refused' 2 'say what it is about' track
refused 'a_kind_without_values_is_refused' 2 'needs values behind it, or --all' track --vpid
refused 'all_with_values_is_refused' 2 'takes no values' track --all --vpid=3
refused 'a_pid_that_is_none_is_refused' 2 "'x' is not a process id" track --vpid 1,x
refused 'a_user_that_is_none_is_refused' 2 "'no one' is not a user" track --vuid 'no one'
refused 'a_group_that_is_none_is_refused' 2 "'no one' is not a group" track --vgid 'no one'
refused 'java_is_refused' 2 'nothing for this kind of logger' track -j --pid 1
refused 'one_of_all_cannot_be_left_out' 1 'tracks every process id' untrack --vpid 1
track -p 17
expect_case 'one_that_is_not_tracked_can_be_untracked' 0 "$TACHO" untrack --vpid 18
check 'which_is_doubtful' has "$TMP/err" '--vpid 18: it is not among those that are tracked'
expect_case 'one_that_is_tracked_can_be_tracked' 0 "$TACHO" track --vpid 17,19
check 'which_is_doubtful_too' has "$TMP/err" '--vpid 17: it is already among those that are tracked'
check 'but_the_new_one_is_not' test -z "$(grep 19 "$TMP/err")"
refused 'too_many_are_refused' 1 'can track 64 values in all' track --vpid "$(seq -s, 100 164)"
"$TACHO" destroy --all >"$TMP/out"
