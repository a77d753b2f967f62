#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# tacho view on several CPUs prints what it prints on one: lines, messages and exit status.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
need taskset python3
[ "$(nproc)" -gt 1 ] || skip_all 'there is one CPU only'

orders=$TACHO_BUILD/tests/e2e/cli_orders
cat >"$TMP/load" <<'END'
taskset -c "$2" "$1" 400000 &
taskset -c "$3" "$1" 400000
wait $!
END
mapfile -t cpus < <(python3 -c 'import os
print(*sorted(os.sched_getaffinity(0))[:2], sep="\n")')
"$TACHO" record -o "$TMP/trace" --buffer 4M --blocking-timeout inf -e '*' -- \
	bash "$TMP/load" "$orders" "${cpus[0]}" "${cpus[1]}" >"$TMP/log" 2>&1
check 'the_trace_is_large_enough_to_be_cut' \
	test "$(du -sk --apparent-size "$TMP/trace" | cut -f1)" -gt $((12 * 1024))

same_on_one_and_on_all() # NAME ARGUMENT..
{
	local name=$1 status
	shift
	taskset -c "${cpus[0]}" "$TACHO" view "$@" >"$TMP/one" 2>"$TMP/one.err"
	status=$?
	"$TACHO" view "$@" >"$TMP/all" 2>"$TMP/all.err"
	check "${name}_ends_in_the_same_way" test $? = $status
	check "${name}_is_the_same" cmp "$TMP/one" "$TMP/all"
	same "${name}_says_the_same" "$TMP/one.err" "$TMP/all.err"
}

same_on_one_and_on_all 'text' "$TMP/trace"
check 'there_are_all_lines' test "$(wc -l <"$TMP/all")" = 800002
if command -v strace >/dev/null; then
	strace -f -e trace=clone,clone3 -o "$TMP/calls" "$TACHO" view "$TMP/trace" >"$TMP/all" 2>"$TMP/err"
	check 'there_are_threads' grep -q CLONE_THREAD "$TMP/calls"
else
	skip 'there_are_threads' 'strace is not installed'
fi
same_on_one_and_on_all 'json' --json "$TMP/trace"
same_on_one_and_on_all 'relative_time' --relative --all "$TMP/trace"
same_on_one_and_on_all 'a_part' --begin +0.05 --end +0.3 --filter 'id % 3 == 1' "$TMP/trace"
same_on_one_and_on_all 'the_time_since_the_event_before' --delta "$TMP/trace"
(ulimit -s 1000000 && ulimit -v 600000 && exec "$TACHO" view "$TMP/trace") >"$TMP/all" 2>"$TMP/err"
"$TACHO" view "$TMP/trace" >"$TMP/one" 2>"$TMP/err"
check 'without_threads_it_is_printed_all_the_same' cmp "$TMP/one" "$TMP/all"
"$TACHO" view "$TMP/trace" 2>"$TMP/err" | head -n 3 >"$TMP/out"
check 'head_ends_it' test "${PIPESTATUS[0]} $(wc -l <"$TMP/out")" = '0 3'

# Damage ends its stream, wherever it is, and what is out of order is shown where it stands. Within
# a packet, bytes may be padding, or be events again: only the begin of one is damaged for sure.
# Packets begin with the same number and UUID.
spoil() # HOW FILE PART OF
{
	python3 - "$@" <<'END'
import sys
how, path, part, of = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
with open(path, "rb") as file:
    data = file.read()
at = len(data) * part // of
begin = data[:20]
if how != "events":
    at = data.index(begin, at)
if how == "swap":  # this packet and the one behind it
    second = data.index(begin, at + 1)
    end = data.index(begin, second + 1)
    data = data[:at] + data[second:end] + data[at:second] + data[end:]
else:
    data = data[:at] + b"\xff" * 64 + data[at + 64:]
with open(path, "wb") as file:
    file.write(data)
END
}
cp -r "$TMP/trace" "$TMP/swapped"
files=("$TMP"/trace/ust/uid/*/64-bit/*_"${cpus[0]}" "$TMP"/trace/ust/uid/*/64-bit/*_"${cpus[1]}")
spoil events "${files[0]}" 2 3
same_on_one_and_on_all 'damage' "$TMP/trace"
spoil events "${files[0]}" 1 5
same_on_one_and_on_all 'more_damage' --json "$TMP/trace"
spoil packet "${files[1]}" 1 2
same_on_one_and_on_all 'a_damaged_packet' "$TMP/trace"
check 'damage_is_a_failure' grep -q "${files[1]##*/}, byte" "$TMP/all.err"
rm -r "$TMP"/trace/ust/uid/*/64-bit/index
same_on_one_and_on_all 'a_damaged_packet_without_index' "$TMP/trace"

spoil swap "$TMP"/swapped/ust/uid/*/64-bit/*_"${cpus[0]}" 1 3
same_on_one_and_on_all 'packets_in_a_wrong_order' "$TMP/swapped"
rm -r "$TMP"/swapped/ust/uid/*/64-bit/index
same_on_one_and_on_all 'packets_in_a_wrong_order_without_index' "$TMP/swapped"
