#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# tacho repair: of a trace that is damaged in each way that files are, babeltrace2 reads the new one
# without a warning of damage, with as many events as are whole, and the old one is not changed.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
need python3

whole=$TMP/whole
"$TACHO" record -o "$whole" --buffer 64K -- "$TACHO_BUILD/tests/e2e/flood" 1 100000 >"$TMP/log" 2>&1
dir=ust/uid/$(id -u)/64-bit
stream=$(cd "$whole/$dir" && find . -maxdepth 1 -name 'channel0_*' -printf '%s %f\n' | sort -n | tail -n 1)
stream=${stream#* }
events=$("$TACHO" view --json "$whole" 2>/dev/null | grep -c '"event":')
# A packet in the middle: its offset, its size, the offset of the last one.
read -r middle bytes last <<<"$(python3 - "$whole/$dir/$stream" <<'END'
import struct, sys
data = open(sys.argv[1], 'rb').read()
offsets = [0]
while offsets[-1] < len(data):
    offsets.append(offsets[-1] + struct.unpack_from('<Q', data, offsets[-1] + 40)[0] // 8)
at = len(offsets) // 2
print(offsets[at], offsets[at + 1] - offsets[at], offsets[-2])
END
)"

damaged() # a fresh copy, and no output
{
	rm -rf "$TMP/damaged" "$TMP/sound"
	cp -r "$whole" "$TMP/damaged"
	file=$TMP/damaged/$dir/$stream
}
poke() # FILE OFFSET BYTES
{
	printf '%b' "$3" | dd of="$1" bs=1 seek="$2" conv=notrunc 2>/dev/null
}
shown() # how many events of $TMP/sound
{
	"$TACHO" view --json "$TMP/sound" 2>"$TMP/err" | grep -c '"event":'
}
babeltrace_agrees()
{
	command -v babeltrace2 >/dev/null || return 0
	babeltrace2 "$TMP/sound" 2>"$TMP/warnings" | grep -cv tacho:writer >"$TMP/count"
	[ "$(cat "$TMP/count")" = "$(shown)" ] && ! grep -v 'WARNING: Tracer ' "$TMP/warnings"
}
mended() # NAME WORDS LEAST MOST: so many events are left
{
	local name=$1 count
	cp -r "$TMP/damaged" "$TMP/before"
	expect_exit 0 "$TACHO" repair -o "$TMP/sound" "$TMP/damaged" || show "$TMP/err"
	cp "$TMP/err" "$TMP/said"
	count=$(shown)
	check "$name: it says what it did" has "$TMP/said" "$2"
	check "$name: what is whole is there" test "$count" -ge "$3" -a "$count" -le "$4"
	check "$name: babeltrace2 has nothing to warn of" babeltrace_agrees
	check "$name: nor has tacho" expect_exit 0 "$TACHO" info "$TMP/sound"
	check "$name: the damaged one is as it was" diff -r "$TMP/before" "$TMP/damaged"
	rm -rf "$TMP/before"
}

damaged
mended 'nothing' 'there was nothing to mend' "$events" "$events"
"$TACHO" view --json "$whole" >"$TMP/expected" 2>/dev/null
"$TACHO" view --json "$TMP/sound" >"$TMP/actual" 2>/dev/null
same 'a_whole_trace_stays_the_same' "$TMP/expected" "$TMP/actual"
damaged
truncate -s -100 "$file"
mended 'a_file_cut_within_an_event' 'to the end' $((events - 100)) $((events - 1))
check 'since_when_is_said' grep -qE 'to the end, of the time from [0-9:]{8}\.[0-9]{9} on$' "$TMP/said"
damaged
truncate -s $((last + 50)) "$file"
mended 'a_file_cut_within_a_header' 'to the end' $((events - 1000)) $((events - 1))
damaged
poke "$file" $((middle + 32)) '\xff\xff\xff\xff'
mended 'a_content_size_that_cannot_be' "$middle is taken to have $bytes bytes" "$events" "$events"
damaged
poke "$file" $((middle + 40)) '\x08\x00\x00'
mended 'a_packet_size_that_is_too_small' "$middle is taken to have $bytes bytes" "$events" "$events"
damaged
poke "$file" $((middle + 40)) '\xff\xff\xff'
mended 'a_packet_size_that_is_too_large' "$middle is taken to have $bytes bytes" "$events" "$events"
damaged
poke "$file" $((middle + 54)) '\x10'
mended 'a_begin_behind_the_events' "$middle has a begin that cannot be" "$events" "$events"
# It ends before most of its events: it is the end that is wrong, as the next packet begins later.
damaged
python3 - "$file" "$middle" <<'END'
import struct, sys
with open(sys.argv[1], 'r+b') as file:
    file.seek(int(sys.argv[2]) + 48)
    begin = struct.unpack('<Q', file.read(8))[0]
    file.seek(int(sys.argv[2]) + 56)
    file.write(struct.pack('<Q', begin + 1))
END
mended 'events_later_than_their_packet' "$middle ends before its last event" "$events" "$events"
damaged
poke "$file" $((middle + 63)) '\x7f'
mended 'an_end_in_a_far_future' "$middle has an end that cannot be" "$events" "$events"
damaged
python3 - "$file" "$middle" "$bytes" <<'END'
import sys
at, size = int(sys.argv[2]), int(sys.argv[3])
with open(sys.argv[1], 'r+b') as file:
    data = file.read()
    file.seek(0)
    file.write(data[at:at + size] + data[size:at] + data[:size] + data[at + size:])
END
mended 'packets_that_were_swapped' 'not in the order of time' "$events" "$events"
damaged
poke "$file" $((middle + 71)) '\x7f'
poke "$file" $((middle + 79)) '\x7f'
mended 'counts_that_cannot_be' 'wrote' "$events" "$events"
lost() # in the trace $1
{
	"$TACHO" view --json "$1" 2>/dev/null | grep -c '"lost"'
}
check 'they_are_no_loss' test "$(lost "$TMP/sound")" -le "$(lost "$whole")"
damaged
poke "$file" "$middle" 'none'
mended 'a_packet_that_begins_with_something_else' "from byte $middle to byte $((middle + bytes))" \
	$((events - 1000)) $((events - 1))
check 'it_is_a_loss_of_a_packet' grep -q '"packets":1' <("$TACHO" view --json "$TMP/sound")
damaged
poke "$file" $((middle + 2000)) "$(printf '\\xff%.0s' {1..24})"
mended 'a_packet_with_rubbish_in_it' "to byte $((middle + bytes))" $((events - 1000)) $((events - 1))
check 'its_rest_is_a_loss_of_a_packet' grep -q '"packets":1' <("$TACHO" view --json "$TMP/sound")
damaged
rm -f "$TMP/damaged/$dir/index/$stream.idx"
mended 'no_index' "$stream: it had no index" "$events" "$events"
damaged
poke "$TMP/damaged/$dir/index/$stream.idx" 30 '\xff\xff'
mended 'a_wrong_index' "$stream: its index did not fit" "$events" "$events"
damaged
truncate -s -3 "$TMP/damaged/$dir/metadata"
mended 'metadata_without_their_end' 'written anew' "$events" "$events"

damaged
printf 'event {\n\tname = "other"; id = 1; stream_id = 0; fields := struct { string text; };\n};\n' \
	>>"$TMP/damaged/$dir/metadata"
mended 'two_events_with_one_id' 'two events have the same id; written anew' "$events" "$events"
"$TACHO" view --json "$TMP/sound" >"$TMP/actual" 2>/dev/null
same 'the_first_is_the_one_that_is_meant' "$TMP/expected" "$TMP/actual"
damaged
sed -i 's/^event {/&\n\tcolour = "red";/' "$TMP/damaged/$dir/metadata"
mended 'attributes_that_nobody_knows' '`colour`; written anew' "$events" "$events"
"$TACHO" view --json "$TMP/sound" >"$TMP/actual" 2>/dev/null
same 'what_events_are_stays_the_same' "$TMP/expected" "$TMP/actual"

# Without heads of packets, what stands behind damage may look like an event of a time that none has.
rm -rf "$TMP/damaged" "$TMP/sound"
mkdir "$TMP/damaged"
cat >"$TMP/damaged/metadata" <<'END'
/* CTF 1.8 */
trace { major = 1; minor = 8; byte_order = le; };
clock { name = slow; freq = 1000; };
stream {
	event.header := struct {
		integer { size = 8; } id;
		integer { size = 64; align = 8; map = clock.slow.value; } at;
	};
};
event { name = "one"; id = 0; };
END
printf '%b' '\xff\0\0\0\0\0\0\0\0\x02\0\xe8\x03\0\0\0\0\0\0' >"$TMP/damaged/stream"
mended 'an_event_behind_damage_has_a_time_that_can_be' 'cannot have been at their time' 1 1

damaged
truncate -s 20 "$TMP/damaged/$dir/metadata"
expect_case 'without_metadata_there_is_nothing_to_be_had' 1 "$TACHO" repair -o "$TMP/sound" "$TMP/damaged"
check 'and_nothing_is_left' test ! -e "$TMP/sound" -a ! -e "$TMP/sound.partial"
expect_case 'an_output_is_needed' 2 "$TACHO" repair "$whole"
mkdir "$TMP/sound"
expect_case 'a_directory_that_is_there_is_left_alone' 1 "$TACHO" repair -o "$TMP/sound" "$whole"
