#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# tacho stats: its numbers are those of a model in Python, and of what a program is known to record.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
need python3 jq

export HOME=$TMP/home
mkdir "$HOME"
program=$TACHO_BUILD/tests/e2e/known_values
trace=$TMP/trace
"$TACHO" record -o "$trace" -- "$program" 1000 2>/dev/null
"$TACHO" view --json "$trace" >"$TMP/all"

judged() # NAME WHAT.. -- OPTION..: what the command says of $trace is what the model says of $TMP/all
{
	local name=$1 what=()
	shift
	while [ "$1" != -- ]; do
		what+=("$1")
		shift
	done
	shift
	"$TACHO" stats --json "$@" "$trace" >"$TMP/stats" 2>"$TMP/err"
	show "$TMP/err"
	check "$name" python3 "$TACHO_SOURCE/tests/e2e/stats_model.py" "${what[@]}" "$TMP/stats" "$TMP/all"
}
says() # NAME JQ: true of the last one
{
	jq -e "$2" "$TMP/stats" >"$TMP/jq"
	check "$1" test $? = 0
}

# ---- counts

judged 'counts_are_exact' counts --
says 'counts_are_what_the_program_records' \
	'.events == 7001 and ([.by_event[] | select(.event == "net:request")][0].events == 1000)'
"$TACHO" stats "$trace" >"$TMP/text"
check 'the_text_has_the_sum' grep -qE '^events     7,001, ' "$TMP/text"
check 'the_text_has_the_events' grep -qE '^ *2,000 +29 % +[0-9,.]+ work:step_begin$' "$TMP/text"
check 'the_text_has_the_threads' grep -qE '^ *[0-9,]+ +50 % +[0-9,.]+ +[0-9]+/[0-9]+ second$' "$TMP/text"
check 'nothing_was_lost' grep -qx 'lost       nothing' "$TMP/text"
"$TACHO" stats --rows 2 "$trace" >"$TMP/text"
check 'tables_are_cut_and_say_so' grep -qx 'and 5 more' "$TMP/text"
cp "$TMP/all" "$TMP/whole"
grep '"net:' "$TMP/whole" >"$TMP/all"
judged 'counts_of_a_part_are_exact' counts -- --event 'net:*'
cp "$TMP/whole" "$TMP/all"

# ---- fields

for field in square half sign name list; do
	judged "values_are_exact: $field" field "numbers:value.$field" -- --field "numbers:value.$field"
done
"$TACHO" stats --json --field numbers:value.i,numbers:odd.big "$trace" >"$TMP/stats"
says 'values_are_what_the_program_records' '.fields[0] | .count == 1000 and .min == 0 and .max == 999 and
	.mean == 499.5 and ([.percentiles[].value] == [499, 899, 949, 989, 998])'
says 'large_numbers_are_rounded' '.fields[1].max == 18446744073709551616'
"$TACHO" stats --field numbers:value.i "$trace" >"$TMP/text"
check 'the_text_has_the_percentiles' grep -qE '^  99.9 % +998$' "$TMP/text"
check 'the_text_has_a_histogram' grep -qE '^ +512 \.\. +768 +256 #{40}$' "$TMP/text"
expect_exit 0 "$TACHO" stats --field numbers:value.none,no:event.i "$trace"
check 'a_missing_field_is_warned_about' has "$TMP/err" 'no such field'
check 'a_missing_event_is_warned_about' has "$TMP/err" 'no such event'

# ---- latencies

judged 'spans_nest' latency work:step_begin work:step_end - -- --latency work:step
judged 'two_events_by_a_key' latency net:request net:response id -- --latency net:request,net:response \
	--key id
says 'one_request_has_no_response' '.latencies[0] | .count == 999 and .without_end == 1'
judged 'two_events_of_a_thread' latency net:response numbers:value - -- --latency net:response,numbers:value
judged 'from_one_to_the_next' latency net:request net:request - -- --latency net:request,net:request
judged 'ends_alone' latency numbers:rare net:response - -- --latency numbers:rare,net:response
judged 'begun_again' latency numbers:value numbers:odd name -- --latency numbers:value,numbers:odd \
	--key name
says 'each_value_begins_again' '.latencies[0] | .begun_again == 998 and .without_end == 2 and .count == 0'
expect_exit 0 "$TACHO" stats --latency net:request,net:respons "$trace"
check 'a_latency_without_an_event_is_warned_about' has "$TMP/err" 'there is no event net:respons'
check 'with_its_neighbour' has "$TMP/err" 'did you mean net:response?'
expect_exit 0 "$TACHO" stats --latency step "$trace"
check 'a_span_without_its_provider_finds_it' has "$TMP/err" 'there is no span step; did you mean work:step?'
check 'and_has_no_empty_table' sh -c '! grep -q step_begin "$TMP/out"'

expect_exit 0 "$TACHO" stats --latency work:step_begin "$trace"
check 'the_begin_of_a_span_finds_it' has "$TMP/err" 'did you mean work:step?'
expect_exit 0 "$TACHO" stats --latency net:request "$trace"
check 'an_event_alone_is_no_span' has "$TMP/err" 'is one event, and no span; say until which one'
expect_exit 0 "$TACHO" stats --latency work:step "$trace"
check 'a_span_is_called_one' has "$TMP/out" 'span work:step, from work:step_begin to work:step_end'
expect_exit 0 "$TACHO" stats --field numbers:value.squar "$trace"
check 'a_misspelled_field_finds_its_neighbour' has "$TMP/err" \
	'the event has no such field; did you mean numbers:value.square?'
expect_exit 0 "$TACHO" stats --field number:value.square "$trace"
check 'and_so_does_a_misspelled_event' has "$TMP/err" 'did you mean numbers:value.square?'

# ---- more values than are kept

trace=$TMP/many
"$TACHO" record -o "$trace" --buffer 64M -- "$program" 80000 2>/dev/null
"$TACHO" view --json --event 'numbers:*,work:*' "$trace" >"$TMP/all"
judged 'percentiles_of_many_are_near' field numbers:value.square -- --field numbers:value.square
says 'and_it_is_said' '.fields[0] | .count == 80000 and (.percentiles_exact | not)'
judged 'latencies_of_many_are_near' latency work:step_begin work:step_end - -- --latency work:step
check 'the_text_says_so' has <("$TACHO" stats --field numbers:value.i "$trace") 'percentiles are to 0.4 %'

# ---- losses

trace=$TMP/lossy
"$TACHO" record -o "$trace" --buffer 64K -- "$TACHO_BUILD/tests/e2e/flood" 2 200000 >"$TMP/log" 2>&1
"$TACHO" view --json "$trace" >"$TMP/all"
judged 'losses_have_their_times' counts --
says 'something_was_lost' '.lost_events > 0'
check 'the_text_has_losses' grep -q 'LOST EVENTS' <("$TACHO" stats "$trace")

# ---- the heap

trace=$TMP/heap
"$TACHO" record -o "$trace" --malloc -- "$TACHO_BUILD/tests/e2e/malloc_calls" 20 >"$TMP/log" 2>&1
"$TACHO" view --json "$trace" >"$TMP/all"
judged 'allocations_are_exact' malloc -- --malloc
says 'there_are_all_calls' '.malloc.calls >= 360 and .malloc.failures >= 80'
trace=$TMP/sort
"$TACHO" record -o "$trace" --malloc -- sort "$TMP/all" >"$TMP/log" 2>&1
"$TACHO" view --json "$trace" >"$TMP/all"
judged 'what_is_not_freed_is_exact' malloc -- --malloc
says 'there_is_some' '.malloc.live_bytes > 0'
check 'the_text_has_sites' grep -q 'sites of what is not freed' <("$TACHO" stats --malloc "$trace")
expect_exit 0 "$TACHO" stats --malloc "$TMP/lossy"
check 'a_trace_without_the_heap_is_warned_about' has "$TMP/err" 'tacho record --malloc'

# ---- locks

trace=$TMP/locks
"$TACHO" record -o "$trace" --libs -- "$program" 300 locks >"$TMP/log" 2>&1
"$TACHO" stats --json --locks "$trace" >"$TMP/stats"
says 'waits_for_locks_are_exact' '
	[.locks.locks[] | [.kind, .address, .calls, .waits, .wait_ns, .longest_ns]] ==
	[["cond", 1024, 30, 30, 30000, 1000], ["mutex", 48, 100, 100, 15050, 299],
	 ["mutex", 32, 100, 100, 14950, 298], ["mutex", 16, 100, 99, 14850, 297],
	 ["rwlock", 512, 30, 29, 4350, 290]]'
says 'waits_for_conditions_are_not_among_the_others' \
	'.locks.waits | .count == 328 and .max == 299 and (.mean - (44850 + 4350) / 328 | fabs) < 1e-9'
"$TACHO" stats --locks "$trace" >"$TMP/text"
check 'the_text_has_the_locks' grep -qE '^ *15.05 us +100 +100 +299 ns +[0-9]+ mutex +0x30$' "$TMP/text"
"$TACHO" stats --json --locks --symbols "$trace" >"$TMP/stats"
says 'the_longest_wait_for_a_lock_has_its_place' '[.locks.locks[] | select(.kind == "mutex") | .symbol] |
	length == 3 and all(test("^record.* at .*known_values[.]c:[0-9]+"))'
says 'a_lock_that_names_no_caller_has_none' '
	[.locks.locks[] | select(.kind != "mutex") | .symbol] == [null, null]'
"$TACHO" stats --locks --symbols "$trace" >"$TMP/text"
check 'the_text_has_the_place' grep -qE ' mutex +0x30 +record.* at .*known_values\.c:[0-9]+' "$TMP/text"
check 'and_says_where_there_is_none' grep -qE ' cond +0x400 +[?]$' "$TMP/text"
expect_exit 0 "$TACHO" stats --locks "$TMP/lossy"
check 'a_trace_without_locks_is_warned_about' has "$TMP/err" 'tacho record --locks'

# ---- wrong use

for option in --field=total --latency= --latency=a,b,c --key=id --rows=many --level=loud; do
	expect_case "wrong_use_is_refused: $option" 2 "$TACHO" stats "$option" "$trace"
done
expect_case 'a_missing_trace_is_a_failure' 1 "$TACHO" stats "$TMP/nowhere"
