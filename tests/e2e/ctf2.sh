#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# CTF 2: a trace with every field class is read as what it is; what is rewritten in CTF 2 and back is, for
# babeltrace2, what it was. Debian's babeltrace2 reads 1.8 only: it judges what comes back.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
need python3 jq

python3 "$TACHO_SOURCE/tests/e2e/ctf2_make.py" "$TMP"

fields_of() # TRACE: time, event and fields of each event
{
	"$TACHO" view --json "$1" 2>"$TMP/err" | python3 -c '
import json, sys
for line in sys.stdin:
    item = json.loads(line)
    if "event" in item:
        print(json.dumps({key: item[key] for key in ("time_ns", "event", "fields")}))'
}

fields_of "$TMP/trace" >"$TMP/actual"
same 'every_field_class_is_read' "$TMP/expected" "$TMP/actual"
show "$TMP/err"
"$TACHO" view --json "$TMP/trace" >"$TMP/items" 2>/dev/null
check 'levels_threads_and_cpus_are_known' jq -se '[.[] | select(.event) | [.level, .tid, .cpu]] |
	unique == [[4, 4242, 2]]' "$TMP/items"
check 'losses_are_seen' jq -se '[.[] | select(.event | not)] | length == 1' "$TMP/items"
"$TACHO" info --json "$TMP/trace" >"$TMP/info"
check 'tacho_info_says_what_it_is' jq -e '.traces[0] | .ctf_major == 2 and .env.hostname == "here" and
	.uuid == "01020304-0506-0708-090a-0b0c0d0e0f10" and .clocks[0].absolute and
	.damages == []' "$TMP/info"

# ---- rewritten

"$TACHO" view --json "$TMP/trace" >"$TMP/expected" 2>/dev/null
expect_case 'it_is_repaired_as_it_is' 0 "$TACHO" repair -o "$TMP/sound" "$TMP/trace"
"$TACHO" view --json "$TMP/sound" >"$TMP/actual" 2>/dev/null
same 'and_stays_the_same' "$TMP/expected" "$TMP/actual"
part=(--event 'all:v*,all:t*' --begin +0.000005 "$TMP/trace")
expect_case 'a_part_is_cut' 0 "$TACHO" cut -o "$TMP/part" "${part[@]}"
"$TACHO" view --json "${part[@]}" >"$TMP/expected" 2>/dev/null
"$TACHO" view --json "$TMP/part" >"$TMP/actual" 2>/dev/null
same 'and_is_what_view_shows' "$TMP/expected" "$TMP/actual"
"$TACHO" view --json "$TMP/trace" >"$TMP/expected" 2>/dev/null
expect_case 'its_metadata_can_be_written_anew' 0 "$TACHO" merge -o "$TMP/both" "$TMP/trace" "$TMP/part"
"$TACHO" view --json "$TMP/both/1-trace" >"$TMP/actual" 2>/dev/null
same 'and_say_the_same' "$TMP/expected" "$TMP/actual"
check 'they_are_JSON' python3 -c 'import json, sys
for text in open(sys.argv[1], encoding="utf-8").read().split("\x1e")[1:]: json.loads(text)' \
	"$TMP/both/1-trace/metadata"

# ---- what 1.8 does not have

# Of fields that 1.8 can have only with a tag before them: without that, and without those that are not there.
without_tags()
{
	python3 -c '
import json, sys
def plain(value):
    if isinstance(value, list):
        return [plain(element) for element in value]
    if not isinstance(value, dict):
        return value
    return {name: plain(of) for name, of in value.items() if not name.startswith("tag_") and of != {}}
for line in sys.stdin:
    print(json.dumps(plain(json.loads(line))))'
}

fields_of "$TMP/trace" >"$TMP/expected"
expect_case 'all_of_it_becomes_1.8' 0 "$TACHO" cut -o "$TMP/old" --format ctf1 "$TMP/trace"
check 'which_the_metadata_say' has "$TMP/old/metadata" 'CTF 1.8'
fields_of "$TMP/old" | without_tags >"$TMP/actual"
same 'with_the_same_values' "$TMP/expected" "$TMP/actual"
"$TACHO" view --json "$TMP/old" | jq -c 'select(.event == "all:optionals") | .fields' | sort -u >"$TMP/actual"
echo '{"has":2,"tag_of_there":"some","there":"yes","which":-5,"tag_of_gone":"none","gone":{},"last":9}' \
	>"$TMP/expected"
same 'an_optional_has_a_tag_of_its_own' "$TMP/expected" "$TMP/actual"
expect_case 'a_part_becomes_1.8' 0 "$TACHO" cut -o "$TMP/old-part" --format ctf1 "${part[@]}"
fields_of "$TMP/part" >"$TMP/expected"
fields_of "$TMP/old-part" | without_tags >"$TMP/actual"
same 'with_the_same_values_of_the_part' "$TMP/expected" "$TMP/actual"
if command -v babeltrace2 >/dev/null; then
	"$TACHO" view --format babeltrace "$TMP/old" >"$TMP/expected" 2>/dev/null
	babeltrace2 "$TMP/old" >"$TMP/actual" 2>"$TMP/err"
	same 'babeltrace2_reads_it_as_tacho_does' "$TMP/expected" "$TMP/actual"
	grep -v 'WARNING: Tracer discarded\|MEANINGLESS' "$TMP/err" >"$TMP/said"
	check 'and_finds_nothing_wrong' test ! -s "$TMP/said"
else
	skip 'babeltrace2_reads_it_as_tacho_does' 'babeltrace2 is not installed'
fi

# Of names that 1.8 cannot have, some become the same one.
python3 "$TACHO_SOURCE/tests/e2e/ctf2_names.py" "$TMP/names"
expect_case 'names_that_become_the_same_are_told_apart' 0 \
	"$TACHO" cut -o "$TMP/told" --format ctf1 "$TMP/names"
"$TACHO" view --json "$TMP/told" | jq -c .fields >"$TMP/actual"
cat >"$TMP/expected" <<'END'
{"a_b":0,"a_b_10":1,"a_b_3":2,"a_b_2":3,"int":4,"_int":5,"_":6,"__2":7}
{"n_b":1,"n_b_2":3,"of":[7,8,9]}
{"s":1,"tag_of_x_y":"some","x_y":5,"tag_of_x_y_2":"none","x_y_2":{},"field_tag_of_x_y":6}
{"s":"_a","tag_of_v":"option_1","v":"hi"}
END
same 'by_numbers' "$TMP/expected" "$TMP/actual"
check 'variables_and_clocks_as_well' test 4 = "$(grep -c -e '^	a_b = "x"' -e '^	a_b_2 = "y"' \
	-e 'name = "_c_d"' -e 'name = "_c_d_2"' "$TMP/told/metadata")"
if command -v babeltrace2 >/dev/null; then
	check 'which_babeltrace2_reads' test "$(babeltrace2 "$TMP/told" 2>"$TMP/err" | wc -l)" = 4
	show "$TMP/err"
else
	skip 'which_babeltrace2_reads' 'babeltrace2 is not installed'
fi
expect_case 'and_it_goes_back_to_2' 0 "$TACHO" cut -o "$TMP/anew" --format ctf2 "$TMP/old"
"$TACHO" view --json "$TMP/old" >"$TMP/expected" 2>/dev/null
"$TACHO" view --json "$TMP/anew" >"$TMP/actual" 2>/dev/null
same 'as_what_it_became' "$TMP/expected" "$TMP/actual"

round_trip() # NAME TRACE
{
	rm -rf "$TMP/ctf2" "$TMP/ctf1"
	expect_case "$1 is_rewritten_in_CTF_2" 0 "$TACHO" cut -o "$TMP/ctf2" --format ctf2 "$2"
	babeltrace2 "$2" >"$TMP/expected" 2>/dev/null
	"$TACHO" view --format babeltrace "$TMP/ctf2" >"$TMP/actual" 2>"$TMP/err"
	same "$1 is_in_CTF_2_what_babeltrace2_shows_of_1.8" "$TMP/expected" "$TMP/actual"
	expect_case "$1 comes_back_to_1.8" 0 "$TACHO" cut -o "$TMP/ctf1" --format ctf1 "$TMP/ctf2"
	babeltrace2 "$TMP/ctf1" >"$TMP/actual" 2>"$TMP/err"
	same "$1 is_for_babeltrace2_what_it_was" "$TMP/expected" "$TMP/actual"
	check "$1 without_a_warning_of_its_own" test -z "$(grep -v 'WARNING: Tracer discarded' "$TMP/err")"
}

if command -v babeltrace2 >/dev/null; then
	"$TACHO" record -o "$TMP/lossy" --buffer 64K -- "$TACHO_BUILD/tests/e2e/flood" 1 50000 \
		>"$TMP/log" 2>&1
	round_trip 'a_lossy_trace' "$TMP/lossy"
	"$TACHO" record -o "$TMP/known" -- "$TACHO_BUILD/tests/e2e/known_values" 100 >"$TMP/log" 2>&1
	round_trip 'a_trace_of_all_types' "$TMP/known"
else
	skip 'traces_in_CTF_2_and_back_are_what_they_were' 'babeltrace2 is not installed'
fi

# ---- what is wrong

refused() # NAME WORDS PYTHON: changes the list of fragments
{
	rm -rf "$TMP/wrong"
	cp -r "$TMP/trace" "$TMP/wrong"
	python3 - "$TMP/wrong/metadata" "$3" <<'END'
import json, sys
with open(sys.argv[1], encoding='utf-8') as file:
    f = [json.loads(text) for text in file.read().split('\x1e')[1:]]
exec(sys.argv[2])
with open(sys.argv[1], 'w', encoding='utf-8') as file:
    file.write(''.join('\x1e' + (x if isinstance(x, str) else json.dumps(x)) + '\n' for x in f))
END
	expect_exit 1 "$TACHO" view "$TMP/wrong" || true
	check "$1" has "$TMP/err" "$2"
}
refused 'extensions_are_refused' 'extension' 'f[0]["extensions"] = {"a": {"b": 1}}'
refused 'another_version_is_refused' 'version 2' 'f[0]["version"] = 3'
refused 'a_class_of_no_type_is_refused' 'field class' 'f[4]["packet-context-field-class"] = {"type": "odd"}'
refused 'an_alias_that_is_not_there_is_refused' 'alias' 'f[6]["payload-field-class"] = "nothing"'
refused 'a_length_that_is_no_field_is_refused' 'no earlier field' \
	'f[8]["payload-field-class"]["member-classes"][5]["field-class"]["length-field-location"] = {
		"path": ["x"]}'
refused 'text_that_is_no_JSON_is_refused' 'no JSON' 'f[5] = "{\"type\": "'
refused 'deep_JSON_is_refused' 'nested too deeply' 'f[5] = "[" * 100000'
