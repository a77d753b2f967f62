#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Rotation and snapshots for longer than e2e has time: forty snapshots of a ring that is written
# at full speed, and three hundred rotations while the drain is killed again and again.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
. "$TACHO_SOURCE/tests/lib-flood.sh"
need babeltrace2 awk

export HOME=$TMP/home
mkdir "$HOME"

# ---- snapshots of small rings, which are written over in less than a time slice

"$TACHO" create --snapshot --buffer 2M box >"$TMP/out"
"$TACHO" enable-event -s box 'flood:*' >"$TMP/out"
"$TACHO" start box >"$TMP/out"
flood_begin 2 0
gaps=0 behind=0
for _ in $(seq 40); do
	expect_exit 0 "$TACHO" snapshot record box -o "$TMP/shot" || break
	! grep -q overwritten "$TMP/err" || behind=$((behind + 1))
	ticks "$TMP/shot" >"$TMP/ticks" || { show "$TMP/ticks"; gaps=$((gaps + 1)); }
	rm -rf "$TMP/shot"
done
flood_end
check 'no_snapshot_has_a_gap' test "$gaps" = 0
check 'the_writers_are_kept_up_with' test "$behind" = 0

# ---- rotation, with the drain killed at any moment

"$TACHO" create -o "$TMP/trace" s >"$TMP/out"
"$TACHO" enable-channel -s s c --blocking-timeout inf --buffer 1M >"$TMP/out"
"$TACHO" enable-event -s s -c c 'flood:*' >"$TMP/out"
"$TACHO" start s >"$TMP/out"
flood_begin 2 0 20000
killed=0
for i in $(seq 300); do
	"$TACHO" rotate s --no-wait >"$TMP/out" 2>&1
	pid=$(drain_pid s)
	read -r -t "0.0$((i % 4))$((i % 10))" _ <> <(:) || : # another moment each time
	[ -n "$pid" ] && kill -KILL "$pid" 2>/dev/null && killed=$((killed + 1))
done
expect_exit 0 "$TACHO" status s # another drain, where the last one was killed
flood_end
"$TACHO" stop s >"$TMP/out"
check 'drains_were_killed' test "$killed" -gt 200
check 'nothing_is_lost' nothing_lost s
mapfile -t found < <(chunks "$TMP/trace")
check 'chunks_were_made' test "${#found[@]}" -gt 100
check 'each_event_is_in_exactly_one_chunk' ticks_are_all "${found[@]}"
"$TACHO" destroy --all >"$TMP/out" 2>&1
