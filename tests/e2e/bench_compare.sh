#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# bench/bench-compare: what it calls worse, better, or the same.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
need python3

compare=$TACHO_SOURCE/bench/bench-compare

results() # VALUES: of one row
{
	printf '{"rows": [{"part": "p", "name": "event", "unit": "ns", "values": {"tacho": [%s]}}]}' "$1"
}

results '10, 11, 12' >old
results '14, 15, 16' >slower
results '6, 7, 8' >faster
results '11, 12, 13' >similar
results '10.5, 12.5, 30' >noisy
expect_case 'slower_is_worse' 1 "$compare" old slower
check 'it_says_what' has "$TMP/out" 'worse'
expect_case 'faster_is_not_worse' 0 "$compare" old faster
check 'it_says_that_too' has "$TMP/out" 'better'
expect_case 'ranges_that_overlap_are_the_same' 0 "$compare" old similar
expect_case 'noise_is_not_worse' 0 "$compare" old noisy
expect_case 'what_is_not_a_result_is_wrong_use' 2 "$compare" old /dev/null
expect_case 'two_files_are_needed' 2 "$compare" old
