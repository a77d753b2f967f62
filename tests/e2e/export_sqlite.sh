#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# tacho export --sqlite: the database has what is in the trace.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
need sqlite3 jq

"$TACHO" record -o "$TMP/values" -- "$TACHO_BUILD/tests/e2e/known_values" 200 2>/dev/null
"$TACHO" view --json "$TMP/values" >"$TMP/events"
"$TACHO" export --sqlite "$TMP/db" "$TMP/values" 2>"$TMP/err"
if grep -q 'built without SQLite' "$TMP/err"; then
	skip_all 'this tacho has no SQLite'
fi

sql() # STATEMENT: rows as JSON, one a line
{
	sqlite3 -json -readonly "$TMP/db" "$1" | jq -c '.[]?'
}

answers() # NAME EXPECTED STATEMENT: one row and column
{
	local got
	got=$(sqlite3 -readonly "$TMP/db" "$3")
	[ "$got" = "$2" ] && ok "$1" || not_ok "$1" "$got, not $2"
}

matches() # NAME JQ STATEMENT: the rows are what jq makes of the lines of tacho view --json
{
	jq -c "select(.event) | $2" "$TMP/events" >"$TMP/expected"
	sql "$3" >"$TMP/actual"
	[ -s "$TMP/expected" ] || not_ok "$1" 'nothing is expected'
	same "$1" "$TMP/expected" "$TMP/actual"
}

matches 'each_event_is_a_row' '{time_ns, cpu, pid, tid, thread, event, level}' \
	'SELECT time_ns, cpu, pid, tid, thread, event, level FROM event_list ORDER BY id'
matches 'a_view_has_the_fields_of_a_type' 'select(.event == "numbers:value") |
	{time_ns} + .fields + {list: (.fields.list | tojson), nothing: (.fields.nothing | tojson)}' \
	'SELECT time_ns, i, square, iif(half = round(half), CAST(half AS INTEGER), half) AS half, sign,
	name, list, "nothing" FROM "numbers:value" ORDER BY id'
matches 'a_field_called_like_a_column_has_another_name' \
	'select(.event == "net:request") | {id: .fields.id}' \
	'SELECT id_2 AS id FROM "net:request" ORDER BY id'
answers 'an_unsigned_beyond_sql_is_text' 'text 18446744073709551615' \
	'SELECT typeof(big) || " " || big FROM "numbers:odd"'
answers 'bytes_are_a_blob' 'blob 01FF' 'SELECT typeof(bytes) || " " || hex(bytes) FROM "numbers:odd"'
answers 'a_text_has_all_its_bytes' '7800C3A4FF' 'SELECT hex(text) FROM "numbers:odd"'
answers 'spans_have_their_lengths' 400 \
	'SELECT count(*) FROM spans WHERE name = "work:step" AND end_ns >= begin_ns'
answers 'spans_are_within_each_other' 200 \
	'SELECT count(*) FROM spans a JOIN spans b ON a.thread = b.thread AND
	a.depth = b.depth + 1 AND a.begin_ns >= b.begin_ns AND a.end_ns <= b.end_ns'
answers 'threads_belong_to_a_process' 3 'SELECT count(*) FROM threads t JOIN processes p ON p.id = t.process'
answers 'a_process_has_its_name' known_values 'SELECT name FROM processes'
answers 'an_index_is_used' 1 'SELECT count(*) FROM sqlite_master WHERE name = "events_by_time"'
answers 'the_database_is_sound' ok 'PRAGMA integrity_check'
answers 'a_type_says_where_its_view_is' numbers:odd \
	'SELECT "view" FROM event_types WHERE name = "numbers:odd"'
answers 'the_trace_has_a_begin' "$(head -n 1 "$TMP/events" | grep -o '[0-9]\{19\}')" \
	'SELECT value FROM trace_info WHERE key = "begin_ns"'

rm "$TMP/db"
"$TACHO" record -o "$TMP/spans" -- "$TACHO_BUILD/tests/e2e/export_spans" 10 2>/dev/null
"$TACHO" export --sqlite "$TMP/db" "$TMP/spans"
answers 'a_span_that_overlaps_another_is_one' 1 'SELECT count(*) FROM spans WHERE name = "over:right"'
answers 'what_is_never_over_says_so' unfinished 'SELECT ended FROM spans WHERE name = "never:over"'

rm "$TMP/db"
"$TACHO" record -o "$TMP/lossy" --buffer 64K -- "$TACHO_BUILD/tests/e2e/flood" 2 100000 >"$TMP/log" 2>&1
"$TACHO" export --sqlite "$TMP/db" --event 'flood:*' "$TMP/lossy"
"$TACHO" view --json "$TMP/lossy" | jq -c 'select(.lost) | .lost' >"$TMP/expected"
sql 'SELECT events, packets, begin_ns, end_ns FROM losses ORDER BY id' >"$TMP/actual"
same 'losses_are_rows' "$TMP/expected" "$TMP/actual"
check 'something_was_lost' test -s "$TMP/expected"

# ---- files

cp "$TMP/db" "$TMP/before"
expect_case 'a_file_that_is_there_is_left_alone' 1 "$TACHO" export --sqlite "$TMP/db" "$TMP/values"
same 'byte_by_byte' "$TMP/before" "$TMP/db"
expect_case 'a_full_disk_is_a_failure' 1 \
	bash -c 'ulimit -f 64; trap "" XFSZ; exec "$TACHO" export --sqlite "$1" "$2"' bash \
	"$TMP/large" "$TMP/lossy"
check 'no_part_of_a_file_is_left' test ! -e "$TMP/large"
mkdir "$TMP/dir" && cd "$TMP/dir" || exit
expect_case 'a_name_is_a_file' 0 "$TACHO" export --sqlite :memory: "$TMP/spans"
check 'and_nothing_else' test -s "$TMP/dir/:memory:"
expect_case 'a_file_is_needed' 2 "$TACHO" export --sqlite - "$TMP/spans"
expect_case 'it_is_named_once' 2 "$TACHO" export --sqlite "$TMP/two" -o "$TMP/two" "$TMP/spans"
