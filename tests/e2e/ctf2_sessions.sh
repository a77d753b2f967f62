#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Sessions that write CTF 2: streams, chunks and snapshots. Converted to CTF 1.8, which babeltrace2 reads,
# they are the same events; but a text ends at its first 0 byte in CTF 2.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
need python3
export HOME=$TMP/home
mkdir "$HOME"

is_ctf2() # DIR: all metadata are, and each part is JSON
{
	python3 - "$1" <<'END_PYTHON'
import glob, json, sys
paths = glob.glob(sys.argv[1] + '/**/metadata', recursive=True)
for path in paths:
    with open(path, encoding='utf-8') as file:
        parts = file.read().split('\x1e')
    assert parts[0] == ''
    fragments = [json.loads(part) for part in parts[1:]]
    assert fragments[0]['type'] == 'preamble' and fragments[0]['version'] == 2
sys.exit(not paths)
END_PYTHON
}

same_as_ctf1() # NAME DIR
{
	rm -rf "$TMP/ctf1"
	"$TACHO" repair -o "$TMP/ctf1" --format ctf1 "$2" 2>"$TMP/log" || show "$TMP/log"
	"$TACHO" view --json "$2" >"$TMP/expected" 2>"$TMP/err"
	"$TACHO" view --json "$TMP/ctf1" 2>>"$TMP/err" |
		sed 's/"text":"x\\u0000[^"]*"/"text":"x"/' >"$TMP/actual"
	check "$1: it is in CTF 2" is_ctf2 "$2"
	check "$1: something is in it" test -s "$TMP/expected"
	same "$1: the same in CTF 1.8" "$TMP/expected" "$TMP/actual"
	command -v babeltrace2 >/dev/null || return 0
	babeltrace2 "$TMP/ctf1" 2>"$TMP/warnings" | grep -cv tacho:writer >"$TMP/count"
	check "$1: for babeltrace2 as well" \
		test "$(cat "$TMP/count")" = "$(grep -c '"event":' "$TMP/expected")"
}

known=$TACHO_BUILD/tests/e2e/known_values
expect_case 'a_program_is_recorded_in_CTF_2' 0 \
	"$TACHO" record -o "$TMP/recorded" --format ctf2 -- "$known" 300
same_as_ctf1 'record' "$TMP/recorded"
check 'where_events_are_in_the_source_is_kept' \
	grep -q '"source":"[^"]*known_values.c:' "$TMP/recorded"/ust/uid/*/64-bit/metadata

"$TACHO" create two --format ctf2 -o "$TMP/two" >"$TMP/log"
"$TACHO" enable-event -s two '*' >>"$TMP/log"
"$TACHO" start two >>"$TMP/log"
"$known" 10
drain=$("$TACHO" list --json |
	python3 -c 'import json, sys; print(json.load(sys.stdin)["sessions"][0]["drain_pid"])')
kill -KILL "$drain"
"$TACHO" status two >>"$TMP/log" 2>&1
"$known" 10
"$TACHO" rotate two >>"$TMP/log" 2>&1 || show "$TMP/log"
"$known" 20
"$TACHO" save two >>"$TMP/log"
check 'it_is_saved_as_one_of_CTF_2' grep -rq -- '--format.ctf2' "$HOME/.config/tacho/sessions"
"$TACHO" stop two >>"$TMP/log" 2>&1
"$TACHO" destroy two >>"$TMP/log" 2>&1
same_as_ctf1 'chunks' "$TMP/two"
"$TACHO" load two --override-output "$TMP/loaded" >>"$TMP/log" 2>&1 || show "$TMP/log"
"$TACHO" start two >>"$TMP/log" 2>&1
"$known" 1
"$TACHO" destroy two >>"$TMP/log" 2>&1
check 'what_is_loaded_again_is_one_as_well' is_ctf2 "$TMP/loaded"

"$TACHO" create box --snapshot --format ctf2 >"$TMP/log"
"$TACHO" enable-event -s box '*' >>"$TMP/log"
"$TACHO" start box >>"$TMP/log"
"$known" 10
"$TACHO" snapshot record -s box -o "$TMP/box" >>"$TMP/log" 2>&1 || show "$TMP/log"
same_as_ctf1 'a_snapshot' "$TMP/box"
"$TACHO" destroy box >>"$TMP/log" 2>&1

expect_case 'there_is_no_CTF_3' 2 "$TACHO" create --format ctf3
check 'and_it_is_said' has "$TMP/err" "--format is ctf1 or ctf2, not 'ctf3'"
