#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Channels, rules and trackers change as fast as commands can, while programs record as fast as they
# can, and start and end: what is enabled all the time is complete, and the trace is whole.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
. "$TACHO_SOURCE/tests/lib-rounds.sh"
need babeltrace2

export HOME=$TMP/home
mkdir "$HOME"
programs='one two three four'
changes=16
each=100

# Rounds without a pause, until it is enough; notes how many.
feed() # NAME
{
	local count=0
	until [ -e "$TMP/enough" ]; do
		round "$1" "$each"
		count=$((count + 1))
	done
	echo "$count" >"$TMP/$1.rounds"
}

change() # N: everything that can be, once
{
	"$TACHO" enable-event -c side 'round:*' -x 'round:be*' &&
		"$TACHO" disable-channel side && "$TACHO" enable-channel side &&
		"$TACHO" disable-event -c side --remove 'round:*' &&
		"$TACHO" track --exec 'ro*,nothing' && "$TACHO" track --all --exec &&
		"$TACHO" enable-event -c "extra$(($1 % 10))" 'round:beta' --loglevel info --pid "$1" &&
		"$TACHO" disable-event -c "extra$(($1 % 10))" --remove 'round:beta'
}

"$TACHO" create -o "$TMP/trace" --blocking-timeout inf --buffer 1M one >"$TMP/out"
"$TACHO" enable-event 'round:alpha' >"$TMP/out"
"$TACHO" start >"$TMP/out"
"$TACHO" enable-channel --discard --buffer 256K side >"$TMP/out"
for name in $programs; do program "$name"; done
feeders=
for name in $programs; do
	feed "$name" &
	feeders="$feeders $!"
done
failed=0
for number in $(seq 0 9); do
	"$TACHO" enable-channel --buffer 64K "extra$number" >>"$TMP/changes" 2>&1 || failed=1
done
for number in $(seq 1 "$changes"); do
	change "$number" >>"$TMP/changes" 2>&1 || failed=1
done
touch "$TMP/enough"
# shellcheck disable=SC2086
wait $feeders
"$TACHO" stop >"$TMP/stop" 2>&1
for name in $programs; do leave "$name"; done
total=0
for name in $programs; do total=$((total + each * $(cat "$TMP/$name.rounds"))); done

count 'every_change_is_possible' 0 "$failed"
[ "$failed" = 0 ] || show "$TMP/changes"
check 'the_channel_that_lost_most_is_named' grep -qE "channel 'side'|nothing lost" "$TMP/stop"
check 'nothing_is_damaged' test -z "$(grep -i damaged "$TMP/stop")"
count 'what_is_enabled_all_the_time_is_complete' "$total" "$(recorded_in "$TMP/trace" channel0 alpha)"
check 'the_other_channel_has_some' test "$(recorded_in "$TMP/trace" side alpha)" -gt 0
count 'but_nothing_that_is_excluded' 0 "$(recorded_in "$TMP/trace" side beta)"
babeltrace2 "$TMP/trace" 2>"$TMP/bt.err" | wc -l >"$TMP/lines"
check 'babeltrace2_reads_it_without_a_word_but_of_losses' \
	test -z "$(grep -v 'discarded' "$TMP/bt.err")"
"$TACHO" destroy >"$TMP/out"

# ---- programs that start and end meanwhile

"$TACHO" create -o "$TMP/second" --blocking-timeout inf --buffer 256K two >"$TMP/out"
"$TACHO" enable-event 'shop:order_placed' >"$TMP/out"
"$TACHO" enable-channel --discard --buffer 64K side >"$TMP/out"
"$TACHO" start >"$TMP/out"
seq 200 | xargs -P 8 -n 1 "$TACHO_BUILD/tests/e2e/cli_orders" &
starter=$!
number=0
while kill -0 "$starter" 2>/dev/null && [ "$number" -lt 1000 ]; do
	number=$((number + 1))
	"$TACHO" enable-event -c side 'shop:*' --loglevel-only warning &&
		"$TACHO" disable-event -c side 'shop:*' &&
		"$TACHO" track --exec 'cli_*' && "$TACHO" track --all --exec || failed=1
done >"$TMP/changes" 2>&1
wait "$starter"
"$TACHO" enable-event -c side 'shop:*' --loglevel-only warning >"$TMP/out"
"$TACHO_BUILD/tests/e2e/cli_orders" 1
"$TACHO" stop >"$TMP/stop" 2>&1
count 'every_change_is_possible_then_too' 0 "$failed"
placed=$("$TACHO" view --summary "$TMP/second" |
	awk '$NF == "shop:order_placed" { gsub(",", "", $1); print $1 }')
count 'each_of_200_programs_is_recorded_from_its_first_event_to_its_last' $((200 * 201 / 2 + 1)) "$placed"
printf '# %d changes\n' "$number"
"$TACHO" destroy >"$TMP/out"
