#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# tacho view --format babeltrace prints what babeltrace2 prints, to the letter: traces that LTTng makes
# in this test, and Tacho's of several processes, with losses, rotated, in several files.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
need babeltrace2

export TZ=UTC HOME=$TMP/home LTTNG_HOME=$TMP/home
mkdir "$HOME"
orders=$TACHO_BUILD/tests/e2e/cli_orders

same_as_babeltrace() # NAME TRACE EVENTS
{
	babeltrace2 "$2" >"$TMP/theirs" 2>"$TMP/err"
	"$TACHO" view --format babeltrace "$2" >"$TMP/ours" 2>"$TMP/err"
	check "${1}_has_events" test "$(wc -l <"$TMP/ours")" -ge "$3"
	same "${1}_is_the_same_to_the_letter" "$TMP/theirs" "$TMP/ours"
}

# A chunk begins with who wrote last, at the time of the last event of the chunk before: of such a pair
# babeltrace2 takes any first.
in_any_order_of_one_time() { sed 's/ (+[0-9.?]*)//' "$1" | sort; }
same_in_any_order_of_one_time() # NAME TRACE EVENTS
{
	babeltrace2 "$2" 2>"$TMP/err" | in_any_order_of_one_time /dev/stdin >"$TMP/theirs"
	"$TACHO" view --format babeltrace "$2" 2>"$TMP/err" | in_any_order_of_one_time /dev/stdin >"$TMP/ours"
	check "${1}_has_events" test "$(wc -l <"$TMP/ours")" -ge "$3"
	same "${1}_is_the_same_but_for_events_of_one_time" "$TMP/theirs" "$TMP/ours"
}

# ---- Tacho's

"$TACHO" create -o "$TMP/several" several >"$TMP/log"
"$TACHO" enable-event '*' >"$TMP/log"
"$TACHO" add-context procname vpid vtid >"$TMP/log" 2>&1 || true
"$TACHO" start >"$TMP/log"
for _ in 1 2 3; do "$orders" 200; done
"$TACHO" stop >"$TMP/log"
same_as_babeltrace 'a_trace_of_several_processes' "$TMP/several" 603
"$TACHO" start >"$TMP/log"
"$TACHO" rotate >"$TMP/log"
"$orders" 200
"$TACHO" destroy >"$TMP/log"
same_in_any_order_of_one_time 'a_trace_that_was_rotated' "$TMP/several" 804

"$TACHO" create -o "$TMP/lossy" lossy >"$TMP/log"
"$TACHO" enable-channel --buffer 64K --tracefile-size 64K small >"$TMP/log"
"$TACHO" enable-event -c small '*' >"$TMP/log"
"$TACHO" start >"$TMP/log"
"$orders" 300000
"$TACHO" destroy >"$TMP/log"
check 'events_were_lost' test "$("$TACHO" view --summary --json "$TMP/lossy" | tr -d '\n ' |
	sed 's/.*"lost":\([0-9]*\).*/\1/')" -gt 0
same_as_babeltrace 'a_trace_with_losses_in_several_files' "$TMP/lossy" 1000

# ---- LTTng's. No text is empty: of one that is, babeltrace2 prints what the field had before.

names='lttng_traces_have_events lttng_traces_are_the_same_to_the_letter'
if ! command -v lttng >/dev/null || ! command -v lttng-sessiond >/dev/null; then
	for name in $names; do skip "$name" 'lttng-tools is not installed'; done
	exit 0
fi
if ! printf '#include <lttng/tracepoint.h>\n' | gcc -E -xc - >/dev/null 2>&1; then
	for name in $names; do skip "$name" 'liblttng-ust-dev is not installed'; done
	exit 0
fi
cat >"$TMP/kinds.h" <<'END'
#undef TRACEPOINT_PROVIDER
#define TRACEPOINT_PROVIDER kinds
#undef TRACEPOINT_INCLUDE
#define TRACEPOINT_INCLUDE "./kinds.h"
#if !defined(KINDS_H) || defined(TRACEPOINT_HEADER_MULTI_READ)
#define KINDS_H
#include <stdint.h>
#include <lttng/tracepoint.h>
TRACEPOINT_ENUM(kinds, colour, TP_ENUM_VALUES(
	ctf_enum_value("red", 0) ctf_enum_range("green", 1, 3) ctf_enum_value("also green", 2)))
TRACEPOINT_EVENT(kinds, all, TP_ARGS(int, i, const char *, text, const uint8_t *, bytes),
	TP_FIELDS(
		ctf_integer(int8_t, i8, i) ctf_integer(uint16_t, u16, i) ctf_integer(int32_t, i32, -i)
		ctf_integer(uint64_t, u64, ((uint64_t)i) << 40) ctf_integer_hex(uint32_t, hex, i)
		ctf_integer_hex(int16_t, shex, -i) ctf_integer_network(uint32_t, network, i)
		ctf_integer_network_hex(uint16_t, network_hex, i)
		ctf_float(float, single, i / 3.0f) ctf_float(double, twice, -i / 7.0)
		ctf_string(text, text) ctf_array_text(char, fixed, (const char *)bytes, 8)
		ctf_array(uint8_t, array, bytes, 4) ctf_array_hex(uint8_t, array_hex, bytes, 4)
		ctf_sequence(uint8_t, sequence, bytes, uint16_t, i % 8)
		ctf_sequence_hex(uint8_t, sequence_hex, bytes, uint8_t, i % 8)
		ctf_sequence_text(char, counted, (const char *)bytes, uint32_t, 1 + i % 4)
		ctf_enum(kinds, colour, int, colour, i % 5)))
TRACEPOINT_EVENT(kinds, nothing, TP_ARGS(), TP_FIELDS())
#endif
#include <lttng/tracepoint-event.h>
END
cat >"$TMP/kinds.c" <<'END'
#define TRACEPOINT_CREATE_PROBES
#define TRACEPOINT_DEFINE
#include "kinds.h"
#include <string.h>
int main(void)
{
	static const char *const texts[] = { "plain", "a \"quote\"\n", "gr\xc3\xbc\xc3\x9f", "\\", "x" };
	static const uint8_t bytes[8] = { 65, 66, 0, 200, 10, 31, 127, 92 };

	for (int i = 0; i < 300; i++) {
		tracepoint(kinds, all, i, i % 5 ? texts[i % 5] : "zero ?", bytes);
		tracepoint(kinds, nothing);
	}
	return 0;
}
END
# shellcheck disable=SC2016
if ! (cd "$TMP" && gcc -I. -o kinds kinds.c -llttng-ust -ldl) 2>"$TMP/err"; then
	show "$TMP/err"
	not_ok 'the_program_with_all_kinds_of_fields_is_built' 'see the messages'
	exit 1
fi
cat >"$TMP/record" <<'END'
set -e
mount -t tmpfs none /dev/shm && mount -t tmpfs none /run
lttng-sessiond --no-kernel --background
lttng create kinds --output "$1/lttng"
lttng enable-event -u 'kinds:*'
lttng add-context -u -t vpid -t vtid -t procname -t ip
lttng start
"$1/kinds" &
"$1/kinds"
wait $!
lttng stop
lttng destroy kinds
END
# LTTng's daemon, sockets and buffers live in namespaces of their own and end with the script.
namespaces='unshare --mount --pid --fork --mount-proc --kill-child'
[ "$(id -u)" = 0 ] || namespaces="$namespaces --map-root-user"
# shellcheck disable=SC2086
if ! $namespaces true 2>"$TMP/err"; then
	for name in $names; do skip "$name" 'namespaces cannot be made here'; done
	exit 0
fi
# shellcheck disable=SC2086
record() { $namespaces bash "$TMP/record" "$TMP" >"$TMP/log" 2>&1 || { show "$TMP/log" && false; }; }
check 'lttng_records' record
same_as_babeltrace 'lttng_traces' "$TMP/lttng" 1200

# Copied event by event, described in CTF 2, and back in 1.8.
"$TACHO" cut -o "$TMP/ctf2" --format ctf2 "$TMP/lttng" 2>"$TMP/log" || show "$TMP/log"
"$TACHO" view --format babeltrace "$TMP/ctf2" >"$TMP/ours" 2>"$TMP/err"
same 'lttng_traces_are_the_same_in_CTF_2' "$TMP/theirs" "$TMP/ours"
"$TACHO" cut -o "$TMP/ctf1" --format ctf1 "$TMP/ctf2" 2>"$TMP/log" || show "$TMP/log"
babeltrace2 "$TMP/ctf1" >"$TMP/ours" 2>"$TMP/err"
same 'and_back_in_1.8' "$TMP/theirs" "$TMP/ours"
