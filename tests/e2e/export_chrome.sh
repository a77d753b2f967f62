#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# tacho export --chrome: what it writes is the Trace Event Format, and shows what is in the trace.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
need python3 jq

judge=$TACHO_SOURCE/tests/e2e/export_chrome.py

judged() # NAME TRACE [OPTION..] [-- BEGIN,END..]: the export of a trace is right
{
	local name=$1 trace=$2 options=() pairs=() pair
	shift 2
	while [ $# -gt 0 ] && [ "$1" != -- ]; do
		options+=("$1")
		shift
	done
	[ $# = 0 ] || shift
	for pair in "$@"; do
		pairs+=(--span "$pair")
	done
	"$TACHO" view --json "${options[@]}" "$trace" >"$TMP/events"
	rm -f "$TMP/json"
	"$TACHO" export --chrome -o "$TMP/json" "${options[@]}" "${pairs[@]}" "$trace" 2>"$TMP/err" ||
		not_ok "$name" "exit status $?"
	if python3 -B "$judge" "$TMP/json" "$TMP/events" "$@" >"$TMP/wrong" 2>&1; then
		ok "$name"
	else
		not_ok "$name" 'it is not'
		show "$TMP/wrong" "$TMP/err"
	fi
}

is_true() # FILTER FILE
{
	jq -e "$1" "$2" >"$TMP/out"
}

says() # NAME FILTER: true of the entries of the last export
{
	check "$1" is_true ".traceEvents | $2" "$TMP/json"
}

trace=$TMP/spans
"$TACHO" record -o "$trace" -- "$TACHO_BUILD/tests/e2e/export_spans" 10 2>/dev/null
judged 'spans_that_overlap_are_as_long_as_they_lasted' "$trace"
says 'what_overlaps_is_continued' '[.[] | select(.ph == "B" and .name == "over:right")] |
	length == 2 and .[0].args.id == 3 and .[1].args.continued'
says 'an_end_has_its_fields' '.[] | select(.ph == "E" and .name == "over:left") | .args.result == -1'
says 'an_end_alone_is_an_instant' \
	'.[] | select(.name == "lone:some_end") | .ph == "i" and .args.id == 1'
says 'what_is_never_over_ends_with_the_trace' \
	'.[] | select(.ph == "E" and .name == "never:over") | .args.unfinished'
says 'a_thread_has_its_name' '[.[] | select(.name == "thread_name") | .args.name] | index("spans")'
says 'a_process_has_the_name_of_its_first_thread' \
	'[.[] | select(.name == "process_name") | .args.name] == ["export_spans"]'
says 'texts_are_escaped' '.[] | select(.name == "odd:texts") | .args |
	.quoted == "a \"b\"\\\n\t\u0001\u007f" and .bytes == "01ff" and .text == "x\u0000ä\ufffd" and
	.address == "0xffff800012345678"'
says 'an_integer_that_no_double_holds_is_a_string' \
	'[.[] | select(.name == "shop:stock") | .args.big][0] == "18446744073709551615"'
judged 'a_part_is_exported_as_it_is_viewed' "$trace" --event 'over:*,shop:stock' --exclude 'over:left_end'

judged 'numbers_are_drawn_on_request' "$trace" --event 'shop:*'
rm "$TMP/json"
"$TACHO" export --chrome -o "$TMP/json" --counter 'sh*:stock.total,shop:stock.share' "$trace"
says 'a_counter_has_each_value' \
	'[.[] | select(.ph == "C" and .name == "shop:stock.total") | .args.total] ==
	[5, 4, 3, 2, 1, 0, -1, -2, -3, -4]'
says 'a_counter_may_be_a_float' '[.[] | select(.ph == "C") | .args.share | numbers] | .[3] == 0.75'

deep=$TMP/deep
"$TACHO" record -o "$deep" -- "$TACHO_BUILD/tests/e2e/export_spans" 1100 2>/dev/null
judged 'of_spans_within_spans_there_is_an_end' "$deep"
check 'what_is_beyond_it_is_counted' has "$TMP/err" '76 events'

"$TACHO" record -o "$TMP/values" -- "$TACHO_BUILD/tests/e2e/known_values" 200 2>/dev/null
judged 'two_events_are_a_span_on_request' "$TMP/values" -- net:request,net:response
"$TACHO" export --chrome "$TMP/values" >"$TMP/json"
says 'it_is_written_to_the_standard_output' 'length > 1401'

"$TACHO" record -o "$TMP/lossy" --buffer 64K -- "$TACHO_BUILD/tests/e2e/flood" 2 200000 >"$TMP/log" 2>&1
judged 'what_was_lost_is_drawn' "$TMP/lossy"
says 'something_was_lost' '[.[] | select(.ph == "X")] | length > 0'

cat >functions.c <<'END'
__attribute__((noinline)) int inner(int n)
{
	return n + 1;
}

int main(void)
{
	return inner(inner(-2));
}
END
if gcc -O0 -g -finstrument-functions functions.c -o functions; then
	"$TACHO" record --functions --libs -o "$TMP/functions.trace" -- ./functions 2>/dev/null
	rm "$TMP/json"
	"$TACHO" export --chrome --symbols -o "$TMP/json" "$TMP/functions.trace"
	says 'functions_are_spans_by_their_names' \
		'[.[] | select(.ph == "B") | .name] == ["main", "inner", "inner"]'
	rm "$TMP/json"
	"$TACHO" export --chrome -o "$TMP/json" "$TMP/functions.trace"
	says 'or_by_their_addresses' \
		'[.[] | select(.ph == "B") | .name | test("^0x[0-9a-f]+$")] | length == 3 and all'
else
	skip 'functions_are_spans_by_their_names' 'gcc is missing'
fi

# ---- files

printf 'mine' >"$TMP/there"
expect_case 'a_file_that_is_there_is_left_alone' 1 "$TACHO" export --chrome -o "$TMP/there" "$trace"
check 'which_is_said' has "$TMP/err" 'is there already'
check 'and_so_it_is' test "$(cat "$TMP/there")" = mine
"$TACHO" export --chrome --counter shop:order_placed.totl --span shop:order_placed,shop:order_plced \
	"$trace" >"$TMP/out" 2>"$TMP/err"
check 'a_counter_that_is_mistyped_is_said' \
	has "$TMP/err" '--counter shop:order_placed.totl: the trace has no such'
check 'and_a_span' has "$TMP/err" '--span shop:order_plced: the trace has no such event'
echo half >"$TMP/left.partial"
expect_case 'what_a_killed_export_has_left_is_replaced' 0 "$TACHO" export --chrome -o "$TMP/left" "$trace"
check 'and_is_gone' test -s "$TMP/left" -a ! -e "$TMP/left.partial"
echo half >"$TMP/busy.partial"
expect_case 'what_another_one_is_writing_is_left_alone' 1 \
	flock "$TMP/busy.partial" "$TACHO" export --chrome -o "$TMP/busy" "$trace"
check 'and_that_is_said' has "$TMP/err" 'another command is writing'
check 'that_one_has_it_still' test "$(cat "$TMP/busy.partial")" = half
expect_case 'a_trace_that_is_not_there_leaves_no_file' 1 \
	"$TACHO" export --chrome -o "$TMP/none" "$TMP/nowhere"
check 'none_is_left' test ! -e "$TMP/none"
"$TACHO" export --chrome "$trace" | head -c 10 >"$TMP/out"
check 'a_reader_that_has_enough_is_no_failure' test "${PIPESTATUS[0]}" = 0
expect_case 'a_full_disk_is_a_failure' 1 sh -c '"$TACHO" export --chrome "$1" >/dev/full' sh "$trace"
cp -r "$trace" "$TMP/damaged"
file=$(find "$TMP/damaged" -name 'channel0*' -size +0 ! -name '*.idx' | head -n 1)
truncate -s 10 "$file"
expect_case 'damage_is_a_failure' 1 "$TACHO" export --chrome -o "$TMP/part" "$TMP/damaged"
check 'and_is_drawn' is_true '.traceEvents[] | select(.name == "damaged")' "$TMP/part"

# ---- wrong use

expect_case 'a_form_is_needed' 2 "$TACHO" export "$trace"
expect_case 'a_counter_is_a_field' 2 "$TACHO" export --chrome --counter shop:stock "$trace"
expect_case 'a_span_is_two_events' 2 "$TACHO" export --chrome --span shop:stock "$trace"
expect_case 'both_of_which_have_names' 2 "$TACHO" export --chrome --span shop:stock, "$trace"
