#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What cannot be read or written is refused with what to type instead, not with the system's reason alone.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"

export HOME=$TMP/home
mkdir "$HOME"
echo text >"$TMP/file"
"$TACHO" record -o "$TMP/trace" -- "$TACHO_BUILD/tests/e2e/known_values" 10 >"$TMP/log" 2>&1

advises() # NAME WORDS ARGUMENT..
{
	local name=$1 words=$2
	shift 2
	expect_exit 1 "$TACHO" "$@"
	check "$name" has "$TMP/err" "$words"
}

for command in view stats info; do
	advises "$command: a_file_is_no_trace" 'it is no directory; name that of a trace' \
		"$command" "$TMP/file"
done
advises 'a_trace_cannot_be_in_a_file' "make the directory $TMP/file/x: Not a directory; name one where" \
	cut -o "$TMP/file/x" "$TMP/trace"
advises 'nor_can_what_is_exported' 'name a file where you may write' \
	export --chrome -o "$TMP/file/x" "$TMP/trace"
advises 'what_is_not_there_is_not_loaded' 'name a file that tacho save wrote' load --input-path "$TMP/nothing"
"$TACHO" create web >"$TMP/log" 2>&1
advises 'a_session_is_not_saved_in_a_file' '--output-path DIR' save --output-path "$TMP/file" web
"$TACHO" destroy web >"$TMP/log" 2>&1
TACHO_RUNTIME_DIR=$TMP/file advises 'a_file_is_no_runtime_directory' 'set TACHO_RUNTIME_DIR to' list
