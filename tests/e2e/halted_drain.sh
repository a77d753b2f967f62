#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A drain that was stopped by a signal: who waits for it is told, and nothing is lost once it goes on.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
. "$TACHO_SOURCE/tests/lib-flood.sh"
need babeltrace2

orders=$TACHO_BUILD/tests/e2e/cli_orders
export HOME=$TMP/home
mkdir "$HOME"

"$TACHO" create work -o "$TMP/trace" >/dev/null
"$TACHO" enable-event 'shop:*' >/dev/null
"$TACHO" start >/dev/null
pid=$(drain_pid work)
kill -STOP "$pid"
"$orders" 100 >/dev/null
expect_case 'rotate_does_not_wait_for_a_halted_drain_for_ever' 1 timeout 20 "$TACHO" rotate
check 'rotate_says_how_to_continue_it' has "$TMP/err" "kill -CONT $pid"
expect_case 'stop_does_not_wait_for_a_halted_drain_for_ever' 1 timeout 20 "$TACHO" stop
check 'stop_says_how_to_continue_it' has "$TMP/err" "kill -CONT $pid"
kill -CONT "$pid"
expect_case 'stop_completes_the_trace_when_the_drain_goes_on' 0 timeout 20 "$TACHO" stop
check 'nothing_is_lost' test \
	"$(find "$TMP/trace" -name metadata -printf '%h\n' | xargs babeltrace2 | grep -c order_placed)" = 100
"$TACHO" destroy >/dev/null
