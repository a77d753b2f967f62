#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# tacho view: what is chosen of a trace is what a model in Python chooses of all its events.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
need python3 jq

export HOME=$TMP/home
mkdir "$HOME"
program=$TACHO_BUILD/tests/e2e/known_values
trace=$TMP/trace
"$TACHO" record -o "$trace" -- "$program" 200 2>/dev/null
"$TACHO" view --json "$trace" >"$TMP/all"

# E: an event; F: its fields; T: its time since the first event
cat >"$TMP/model.py" <<'END'
import json, sys
lines = [line for line in open(sys.argv[1])]
begin = json.loads(lines[0])['time_ns']
for line in lines:
    E = json.loads(line)
    F, T = E['fields'], E['time_ns'] - begin
    if eval(sys.argv[2]):
        sys.stdout.write(line)
END

chooses() # NAME PYTHON OPTION..: view with the options shows what the expression is true of, and not nothing
{
	local name=$1 expression=$2
	shift 2
	python3 "$TMP/model.py" "$TMP/all" "$expression" >"$TMP/expected"
	"$TACHO" view --json "$@" "$trace" >"$TMP/actual" 2>"$TMP/err"
	show "$TMP/err"
	[ -s "$TMP/expected" ] || not_ok "$name" 'the model chooses nothing'
	same "$name" "$TMP/expected" "$TMP/actual"
}

# ---- by what they are

chooses 'all_without_options' 'True'
chooses 'by_a_pattern' 'E["event"].startswith("net:")' --event 'net:*'
chooses 'by_several_patterns' 'E["event"][:4] in ("net:", "work")' --event 'net:*,work:*'
chooses 'by_an_option_given_twice' 'E["event"][:4] in ("net:", "work")' -e 'net:*' -e 'work:*'
chooses 'without_those_excluded' 'E["event"] in ("net:request", "numbers:rare")' \
	--event 'net:*,numbers:*' --exclude 'net:resp*,*:value' -x numbers:odd
chooses 'by_level' 'E["level"] <= 4' --level warning
chooses 'by_thread' 'E["thread"] == "second"' --thread 'sec*'
second=$(jq -r 'select(.thread == "second") | .tid' "$TMP/all" | head -n 1)
chooses 'by_tid' "E['tid'] == $second" --tid "1,$second"
pid=$(jq -r '.pid' "$TMP/all" | head -n 1)
chooses 'by_pid' "E['pid'] == $pid" --pid "$pid"
cpu=$(jq -r '.cpu' "$TMP/all" | head -n 1)
chooses 'by_cpu' "E['cpu'] == $cpu" --cpu "$cpu"
expect_exit 0 "$TACHO" view --pid 1 "$trace"
check 'nothing_is_not_an_empty_trace' has "$TMP/err" 'among what was asked for'
check 'nothing_is_shown_then' test ! -s "$TMP/out"

# ---- by filters

value='E["event"] == "numbers:value"'
chooses 'by_an_integer' "$value and F['square'] > 2500" --filter 'square > 2500'
chooses 'by_a_signed_integer' "$value and F['sign'] < -150" --filter 'sign < -150'
chooses 'by_a_double' "$value and F['half'] == 4.5" --filter 'half == 4.5'
chooses 'by_a_string' "$value and F['name'] == 'odd'" --filter 'name == "odd"'
chooses 'by_a_pattern_in_a_string' "'name' in F and F['name'][0] == 'e'" --filter 'name == "e*"'
chooses 'by_an_element' "$value and F['list'][1] == 31" --filter 'list[1] == 31'
chooses 'by_an_element_that_may_be_missing' "$value and len(F['nothing']) == 2" \
	--filter 'nothing[1] >= 0'
chooses 'before_a_missing_element_is_reached' "$value and F['i'] < 20" \
	--filter 'i < 20 || nothing[7] == 1'
chooses 'by_arithmetic' "$value and F['i'] % 7 == 3 and F['half'] * 2 >= 60" \
	--filter 'i % 7 == 3 && half * 2 >= 60'
chooses 'by_an_unsigned_of_64_bits' 'E["event"] == "numbers:odd"' --filter 'big > 9223372036854775807'
chooses 'by_a_byte' 'E["event"] == "numbers:odd"' --filter 'bytes[1] == 255'
chooses 'an_event_that_lacks_a_field_does_not_match' "$value" --filter '1 || square == 0'
chooses 'by_who_it_was' "'id' in F and E['thread'] == 'first' and E['tid'] != $second" \
	--filter "id >= 0 && \$ctx.procname == \"fi*\" && \$ctx.vtid != $second"
expect_exit 0 "$TACHO" view --filter '1 || name < 5' "$trace"
check 'a_type_that_does_not_fit_never_matches' test ! -s "$TMP/out"
expect_exit 0 "$TACHO" view --filter '1 || $ctx.vuid == 0' "$trace"
check 'a_context_is_looked_for_when_it_is_reached' test "$(wc -l <"$TMP/out")" = "$(wc -l <"$TMP/all")"
expect_case 'a_wrong_filter_is_wrong_use' 2 "$TACHO" view --filter 'a ==' "$trace"
check 'a_wrong_filter_is_shown_with_a_caret' grep -q '^ *^' "$TMP/err"

# ---- by time

time_of() { sed 's/.*"time_ns":\([0-9]*\).*/\1/'; } # jq rounds them
begin=$(sed -n 1p "$TMP/all" | time_of)
from=$(sed -n 500p "$TMP/all" | time_of)
to=$(sed -n 900p "$TMP/all" | time_of)
span() { echo "$1 <= E['time_ns'] <= $2"; }
seconds() { echo "$(($1 / 1000000000)).$(printf %09d $(($1 % 1000000000)))"; }
chooses 'between_seconds_since_1970' "$(span "$from" "$to")" --begin "@$(seconds "$from")" \
	--end "@$(seconds "$to")"
chooses 'between_seconds_since_the_begin' "$(span "$from" "$to")" \
	--begin "+$(seconds $((from - begin)))" --end "+$(seconds $((to - begin)))"
nine() { printf %09d $(($1 % 1000000000)); }
clock() { date -u -d "@$(($1 / 1000000000))" "+$2.$(nine "$1")"; }
chooses 'between_times_of_day' "$(span "$from" "$to")" --begin "$(clock "$from" %T)" \
	--end "$(clock "$to" %T)"
chooses 'between_dates' "$(span "$from" "$to")" --begin "$(clock "$from" '%F %T')" \
	--end "$(clock "$to" '%FT%T')Z"
TZ=Asia/Tokyo chooses 'between_times_of_another_zone' "$(span "$from" "$to")" \
	--begin "$(TZ=Asia/Tokyo date -d "@$((from / 1000000000))" "+%T.$(nine "$from")")" \
	--end "$(TZ=Asia/Tokyo date -d "@$((to / 1000000000))" "+%F %T.$(nine "$to")")"
end=$(tail -n 1 "$TMP/all" | time_of)
chooses 'the_last_of_it' "$end - E['time_ns'] <= $((end - from))" --last "$(seconds $((end - from)))"
chooses 'all_at_once' "$(span "$from" "$to") and 'id' in F and F['id'] % 2 == 1" \
	--begin "+$(seconds $((from - begin)))" --end "@$(seconds "$to")" --event 'net:*' \
	--filter '(id & 1) == 1'
# ---- a loss that is in front of all, and reaches into what is wanted

python3 - "$TMP/early" <<'END'
import os
import struct
import sys

os.mkdir(sys.argv[1])
with open(os.path.join(sys.argv[1], 'metadata'), 'w', encoding='utf-8') as file:
    file.write('''/* CTF 1.8 */
typealias integer { size = 64; align = 8; signed = false; } := u64;
trace { major = 1; minor = 8; byte_order = le; };
clock { name = c; freq = 1000000000; };
typealias integer { size = 64; align = 8; signed = false; map = clock.c.value; } := time;
stream { packet.context := struct { time timestamp_begin; time timestamp_end; u64 content_size;
		u64 packet_size; u64 events_discarded; };
	event.header := struct { time timestamp; }; };
event { name = "step"; fields := struct { u64 n; }; };
''')
packet = struct.pack('<QQQQQ', 10 ** 9, 4 * 10 ** 9, 72 * 8, 72 * 8, 7)
packet += struct.pack('<QQ', 2 * 10 ** 9, 1) + struct.pack('<QQ', 3 * 10 ** 9, 2)
with open(os.path.join(sys.argv[1], 'stream'), 'wb') as file:
    file.write(packet)
END
"$TACHO" view --time raw --begin @2.5 "$TMP/early" >"$TMP/out"
check 'a_loss_in_front_is_shown_once' test "$(grep -c lost "$TMP/out")" = 1
check 'and_what_is_behind_it' test "$(grep -c 'n = 2' "$TMP/out") $(wc -l <"$TMP/out")" = '1 2'
head -c 20 /dev/zero >"$TMP/early/torn"
"$TACHO" view --begin @2.5 "$TMP/early" >"$TMP/out" 2>"$TMP/err"
check 'damage_in_front_is_said_once' test "$(grep -c 'torn, byte 0' "$TMP/err")" = 1

for option in --begin=noon --end=12 --begin=25:00:00 --end=@1.x --last=soon --last=0 --level=loud \
	--cpu=first --time=soon '--begin=+1 --last=1' '--csv --json' '--format babeltrace --json' \
	--format=xml '--format csv --summary' '--format babeltrace --delta' '--columns=i' '--event='; do
	# shellcheck disable=SC2086
	expect_case "wrong_use_is_refused: $option" 2 "$TACHO" view $option "$trace"
done

# ---- forms

relative() { "$TACHO" view --time relative --event net:response "$trace" | head -n 1 | cut -d' ' -f1; }
first=$(grep -m 1 net:response "$TMP/all" | time_of)
check 'relative_times_are_since_the_begin_of_the_trace' test "$(relative)" = "+$(seconds $((first - begin)))"
check 'raw_times_are_seconds_since_1970' test \
	"$("$TACHO" view --time raw "$trace" | head -n 1 | cut -d' ' -f1)" = "$(seconds "$begin")"
if command -v babeltrace2 >/dev/null; then
	babeltrace2 "$trace" >"$TMP/expected" 2>"$TMP/err"
	"$TACHO" view --format babeltrace "$trace" >"$TMP/actual"
	same 'the_form_of_babeltrace_is_what_it_prints' "$TMP/expected" "$TMP/actual"
	grep ' net:request: ' "$TMP/expected" | sed 's/ (+[?.0-9]*)//' >"$TMP/requests"
	"$TACHO" view --format babeltrace --event net:request "$trace" |
		sed 's/ (+[?.0-9]*)//' >"$TMP/actual"
	same 'in_this_form_as_well_a_part_is_shown' "$TMP/requests" "$TMP/actual"
else
	skip 'the_form_of_babeltrace_is_what_it_prints' 'babeltrace2 is not installed'
fi
"$TACHO" view --format json "$trace" >"$TMP/actual"
same 'json_is_a_form' "$TMP/all" "$TMP/actual"
"$TACHO" view --csv "$trace" >"$TMP/csv"
check 'csv_says_what_json_says' python3 -c '
import csv, json, sys
rows = list(csv.DictReader(open(sys.argv[1], newline="", encoding="utf-8", errors="strict")))
events = [json.loads(line) for line in open(sys.argv[2])]
assert len(rows) == len(events)
for row, event in zip(rows, events):
    assert json.loads(row.pop("fields")) == event.pop("fields"), event
    assert row == {key: str(value) for key, value in event.items()}, event' "$TMP/csv" "$TMP/all"
"$TACHO" view --csv --columns squar,value,nothing_like_it "$trace" >"$TMP/csv" 2>"$TMP/err"
check 'a_column_that_is_misspelled_is_named' has "$TMP/err" "has a field 'squar'; did you mean 'square'?"
check 'and_so_is_one_without_a_neighbour' has "$TMP/err" "no event of the trace has a field 'nothing_like_it'"
for verb in 'view' 'view --summary' 'stats' "cut -o $TMP/none" 'export --chrome'; do
	# shellcheck disable=SC2086
	"$TACHO" $verb --filter 'squar == 4 && i == 2' "$trace" >"$TMP/out" 2>"$TMP/err"
	check "$verb names_a_field_of_its_filter_that_is_misspelled" \
		has "$TMP/err" "--filter: no event of the trace has a field 'squar'; did you mean 'square'?"
done
"$TACHO" view --filter 'square == 4 && name == "even"' "$trace" >"$TMP/out" 2>"$TMP/err"
check 'fields_that_there_are_are_not_doubted' test ! -s "$TMP/err"
"$TACHO" view --csv --columns i,name --columns list,half "$trace" >"$TMP/csv"
check 'fields_can_be_columns' python3 -c '
import csv, json, sys
rows = list(csv.DictReader(open(sys.argv[1], newline="")))
events = [json.loads(line)["fields"] for line in open(sys.argv[2])]
assert len(rows) == len(events)
for row, fields in zip(rows, events):
    for name in "i", "name":
        assert row[name] == str(fields.get(name, "")), fields
    assert not row["list"] or json.loads(row["list"]) == fields["list"]
    assert not row["half"] or float(row["half"]) == fields["half"]' "$TMP/csv" "$TMP/all"
check 'a_summary_is_of_what_was_chosen' grep -qx '200 events' \
	<("$TACHO" view --summary --event net:request "$trace")

(set -o pipefail; "$TACHO" view --csv "$trace" 2>"$TMP/err" | head -n 1 >"$TMP/out")
check 'csv_for_head_is_no_failure' test $? = 0 -a ! -s "$TMP/err"
