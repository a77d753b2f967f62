#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A program that was stopped by a signal, anywhere, delays neither other programs nor tools.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
. "$TACHO_SOURCE/tests/lib-faults.sh"

halts=$(times 10 300)

commands_work()
{
	expect_exit 0 timeout 60 "$TACHO" rotate s &&
		expect_exit 0 timeout 60 "$TACHO" enable-event -s s 'other:*' &&
		expect_exit 0 timeout 60 "$TACHO" snapshot record s -o "$TMP/shot" &&
		expect_exit 0 timeout 60 "$TACHO" disable-event -s s --remove 'other:*' &&
		rm -rf "$TMP/shot"
}

halt() # one of the two; the other goes on, and so do commands
{
	local since
	kill -STOP "${ticker_pid[halted]}"
	since=$(ticker_done other)
	wait_until ticker_goes_on other $((since + 100)) && commands_work
	local result=$?
	kill -CONT "${ticker_pid[halted]}"
	since=$(ticker_done halted)
	wait_until ticker_goes_on halted "$since" && return "$result"
}

for writer in rseq portable; do
	unset GLIBC_TUNABLES
	[ "$writer" != portable ] || export GLIBC_TUNABLES=glibc.pthread.rseq=0
	fault_session s -o "$TMP/s" --buffer 32M || not_ok 'the session begins' 'see above'
	ticker_begin halted 0
	ticker_begin other
	failed=0
	for _ in $(seq "$halts"); do
		halt || { failed=1; break; }
	done
	check "$writer: who is not stopped goes on" [ "$failed" = 0 ]
	kill -STOP "${ticker_pid[halted]}"
	expect_case "$writer: stop does not wait for a stopped program" 0 timeout 60 "$TACHO" stop s
	kill -CONT "${ticker_pid[halted]}"
	check "$writer: the program that was stopped ends as ever" ticker_end halted
	check "$writer: the other one, too" ticker_end other
	"$TACHO" destroy s >"$TMP/end.out" 2>&1
	rm -rf "$TMP/s"
done
tried 'a writer halted by SIGSTOP' "$((2 * halts))"
