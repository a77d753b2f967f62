#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# tacho view --format babeltrace prints what babeltrace2 prints, to the letter, of traces that are made at
# random: the same ones in each run, and those at which we failed once; RANDOM_TRACES="FROM TO" takes others.
# Those that babeltrace2 fails at are passed over.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
need babeltrace2 python3

read -r from to <<<"${RANDOM_TRACES:-1 30}"
compared=0
[ -n "${RANDOM_TRACES:-}" ] || failed_once='1135 1214 1270 1298 1308 3167 3282 3305'
for seed in $(seq "$from" "$to") ${failed_once:-}; do
	trace=$TMP/trace-$seed
	python3 -B "$TACHO_SOURCE/tests/e2e/random_make.py" "$trace" "$seed"
	if babeltrace2 "$trace" >"$TMP/theirs" 2>"$TMP/err"; then
		compared=$((compared + 1))
		"$TACHO" view --format babeltrace "$trace" >"$TMP/ours" 2>"$TMP/err"
		same "trace_${seed}_is_the_same_to_the_letter" "$TMP/theirs" "$TMP/ours"
	fi
	rm -r "$trace"
done 2>"$TMP/aborts"
check 'most_traces_are_compared' test "$compared" -gt $(((to - from) / 2))
