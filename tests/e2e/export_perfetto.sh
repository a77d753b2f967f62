#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# tacho export --perfetto: what it writes is a trace of Perfetto, and shows what is in the trace.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
need python3 protoc

here=$TACHO_SOURCE/tests/e2e

decode() # FILE: as text
{
	protoc --decode=Trace "-I$here" "$here/export_perfetto.proto" <"$1"
}

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
	rm -f "$TMP/pftrace"
	"$TACHO" export --perfetto -o "$TMP/pftrace" --counter '*.total,*.share,*.big' \
		"${options[@]}" "${pairs[@]}" "$trace" 2>"$TMP/err" || not_ok "$name" "exit status $?"
	decode "$TMP/pftrace" >"$TMP/text" 2>>"$TMP/err" || not_ok "$name" 'it cannot be decoded'
	if python3 -B "$here/export_perfetto.py" "$TMP/text" "$TMP/events" "$@" >"$TMP/judged" 2>&1; then
		ok "$name"
	else
		not_ok "$name" 'it is not'
		show "$TMP/judged" "$TMP/err"
	fi
}

says() # NAME LINE: of the judge, about the last export
{
	check "$1" grep -qxF "$2" "$TMP/judged"
}

trace=$TMP/spans
"$TACHO" record -o "$trace" -- "$TACHO_BUILD/tests/e2e/export_spans" 10 2>/dev/null
judged 'spans_that_overlap_are_as_long_as_they_lasted' "$trace"
says 'a_process_has_the_name_of_its_first_thread' "processes ['export_spans']"
says 'a_counter_has_each_value' 'counter shop:stock.total [5, 4, 3, 2, 1, 0, -1, -2, -3, -4]'
says 'a_counter_may_be_a_float' \
	'counter shop:stock.share [0, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 2.25]'
check 'what_no_counter_holds_is_near_it' \
	grep -q '^counter shop:stock.big \[1.844674407370955.e+19' "$TMP/judged"
check 'a_text_is_what_it_was' has "$TMP/text" 'string_value: "a \"b\"\\\n\t\001\177"'
check 'what_is_no_utf8_is_replaced' has "$TMP/text" 'string_value: "x\000\303\244\357\277\275"'
check 'bytes_are_hexadecimal' has "$TMP/text" 'string_value: "01ff"'
check 'an_address_is_one' has "$TMP/text" 'pointer_value: 18446603336526616184'
check 'an_integer_is_whole' has "$TMP/text" 'uint_value: 18446744073709551615'
judged 'a_part_is_exported_as_it_is_viewed' "$trace" --event 'over:*' --exclude 'over:left_end'

"$TACHO" record -o "$TMP/deep" -- "$TACHO_BUILD/tests/e2e/export_spans" 1100 2>/dev/null
judged 'of_spans_within_spans_there_is_an_end' "$TMP/deep"
"$TACHO" record -o "$TMP/values" -- "$TACHO_BUILD/tests/e2e/known_values" 200 2>/dev/null
judged 'two_events_are_a_span_on_request' "$TMP/values" -- net:request,net:response
check 'elements_are_there' has "$TMP/text" 'array_values'
"$TACHO" record -o "$TMP/lossy" --buffer 64K -- "$TACHO_BUILD/tests/e2e/flood" 2 100000 >"$TMP/log" 2>&1
judged 'names_are_introduced_again_behind_a_loss' "$TMP/lossy"
check 'something_was_lost' has "$TMP/text" 'previous_packet_dropped: true'

"$TACHO" export --perfetto "$trace" >"$TMP/piped"
check 'it_is_written_to_the_standard_output' test "$(decode "$TMP/piped" | grep -c '^packet {')" -gt 40
expect_case 'one_form_at_a_time' 2 "$TACHO" export --perfetto --chrome -o "$TMP/both" "$trace"
