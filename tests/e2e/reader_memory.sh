#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What reading takes of memory does not grow with the trace, nor with its packets: each command has
# 64 MiB of address space, libraries and all, for a single packet that is larger.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
need python3

python3 - "$TMP/trace" <<'END'
import os
import struct
import sys

EVENTS, ROUNDS = 10_000, 300
os.mkdir(sys.argv[1])
with open(os.path.join(sys.argv[1], 'metadata'), 'w', encoding='utf-8') as file:
    file.write('''/* CTF 1.8 */
trace { major = 1; minor = 8; byte_order = le; };
clock { name = c; freq = 1000000000; };
typealias integer { size = 32; align = 8; signed = false; } := u32;
stream { event.header := struct {
	integer { size = 64; align = 8; signed = false; map = clock.c.value; } timestamp; }; };
event { name = "step"; fields := struct { u32 _n; string _text; }; };
''')
with open(os.path.join(sys.argv[1], 'stream'), 'wb') as file:
    for i in range(ROUNDS):
        file.write(b''.join(struct.pack('<QI', 1_000_000_000 + i * EVENTS + k, k) + b'a text of some bytes\0'
                            for k in range(EVENTS)))
END
check 'the_packet_is_larger_than_the_limit' test "$(stat -c %s "$TMP/trace/stream")" -gt 80000000
in_little() { (ulimit -v 65536 && exec "$@"); }

in_little "$TACHO" view --summary --json "$TMP/trace" >"$TMP/out"
counted=$(grep -o '"events": *[0-9]*' "$TMP/out" | head -1 | tr -dc 0-9)
check 'events_are_counted_in_64_MiB' test "$counted" = 3000000
in_little "$TACHO" view --time raw --begin @1.002 --end @1.0020001 "$TMP/trace" >"$TMP/out"
check 'events_are_printed_in_64_MiB' test "$(wc -l <"$TMP/out")" = 101
in_little "$TACHO" stats --field step.n --json "$TMP/trace" >"$TMP/out"
check 'fields_are_summed_up_in_64_MiB' grep -q 3000000 "$TMP/out"
rm -r "$TMP/trace"
