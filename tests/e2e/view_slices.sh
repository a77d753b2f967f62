#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# tacho view and stats on several CPUs print what they print on one: lines, messages and exit status.
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

same_by() # COMMAND NAME ARGUMENT..
{
	local command=$1 name=$2 status
	shift 2
	taskset -c "${cpus[0]}" "$TACHO" "$command" "$@" >"$TMP/one" 2>"$TMP/one.err"
	status=$?
	"$TACHO" "$command" "$@" >"$TMP/all" 2>"$TMP/all.err"
	check "${name}_ends_in_the_same_way" test $? = $status
	check "${name}_is_the_same" cmp "$TMP/one" "$TMP/all"
	same "${name}_says_the_same" "$TMP/one.err" "$TMP/all.err"
}
same_on_one_and_on_all() { same_by view "$@"; }
same_numbers() # NAME TRACE KEY: all kinds of statistics
{
	local name=$1 trace=$2 key=$3
	same_by stats "statistics_of_$name" --json "$trace"
	same_by stats "values_and_latencies_of_$name" --json \
		--field shop:order_placed.total,flood:tick.number \
		--latency shop:order_placed,shop:order_placed --latency flood:tick,flood:tick \
		--key "$key" "$trace"
}

same_on_one_and_on_all 'text' "$TMP/trace"
check 'there_are_all_lines' test "$(wc -l <"$TMP/all")" = 800002
threads() # WORD..: does the command use several?
{
	strace -f -e trace=clone,clone3 -o "$TMP/calls" "$TACHO" "$@" >"$TMP/all" 2>"$TMP/err"
	grep -q CLONE_THREAD "$TMP/calls"
}
for words in view 'view --csv' 'view --delta' 'view --format babeltrace' stats \
	'stats --field shop:order_placed.total'; do
	name="there_are_threads: $words"
	if command -v strace >/dev/null; then
		# shellcheck disable=SC2086
		check "$name" threads $words "$TMP/trace"
	else
		skip "$name" 'strace is not installed'
	fi
done
same_on_one_and_on_all 'json' --json "$TMP/trace"
same_on_one_and_on_all 'relative_time' --relative --all "$TMP/trace"
same_numbers 'all' "$TMP/trace" id
check 'there_are_latencies' grep -q '"count": *[1-9]' "$TMP/all"
same_by stats 'statistics_as_text' "$TMP/trace"
check 'statistics_take_less_than_64_MiB' python3 -c 'import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
sys.exit(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >= 65536)' \
	"$TACHO" stats --latency shop:order_placed,shop:order_placed --key id "$TMP/trace"
same_by stats 'statistics_of_a_part' --json --begin +0.05 --end +0.3 --filter 'id % 3 == 1' "$TMP/trace"
same_on_one_and_on_all 'a_part' --begin +0.05 --end +0.3 --filter 'id % 3 == 1' "$TMP/trace"
same_on_one_and_on_all 'the_time_since_the_event_before' --delta "$TMP/trace"
same_on_one_and_on_all 'the_time_before_a_part' --delta --begin +0.05 --filter 'id % 7 == 1' "$TMP/trace"
same_on_one_and_on_all 'babeltrace' --format babeltrace "$TMP/trace"
same_on_one_and_on_all 'csv' --csv "$TMP/trace"
check 'csv_has_one_header' test "$(grep -c ^time_ns, "$TMP/all")" = 1
same_on_one_and_on_all 'columns' --csv --columns id --event '*placed' "$TMP/trace"
same_on_one_and_on_all 'nothing_in_babeltrace' --format babeltrace --event none "$TMP/trace"
(ulimit -s 1000000 && ulimit -v 600000 && exec "$TACHO" view "$TMP/trace") >"$TMP/all" 2>"$TMP/err"
"$TACHO" view "$TMP/trace" >"$TMP/one" 2>"$TMP/err"
check 'without_threads_it_is_printed_all_the_same' cmp "$TMP/one" "$TMP/all"
"$TACHO" view "$TMP/trace" 2>"$TMP/err" | head -n 3 >"$TMP/out"
check 'head_ends_it' test "${PIPESTATUS[0]} $(wc -l <"$TMP/out")" = '0 3'

# ---- events were lost

taskset -c "${cpus[0]},${cpus[1]}" "$TACHO" record -o "$TMP/lossy" --buffer 64K -- \
	"$TACHO_BUILD/tests/e2e/flood" 2 1000000 >"$TMP/log" 2>&1
check 'a_trace_with_losses_is_large_enough_too' \
	test "$(du -sk --apparent-size "$TMP/lossy" | cut -f1)" -gt $((12 * 1024))
same_on_one_and_on_all 'losses' "$TMP/lossy"
check 'there_are_some' grep -q 'lost' "$TMP/all"
same_on_one_and_on_all 'times_of_losses_since_the_event_before' --delta "$TMP/lossy"
same_on_one_and_on_all 'losses_alone' --delta --event none "$TMP/lossy"
same_on_one_and_on_all 'losses_in_csv' --csv "$TMP/lossy"
check 'they_are_said_once' test "$(grep -c 'events were lost' "$TMP/all.err")" = 1
same_numbers 'losses' "$TMP/lossy" number
rm -r "$TMP/lossy"

# ---- damage

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
same_numbers 'a_damaged_packet' "$TMP/trace" id
same_on_one_and_on_all 'a_damaged_packet_in_csv' --csv "$TMP/trace"
same_on_one_and_on_all 'a_damaged_packet_in_babeltrace' --format babeltrace "$TMP/trace"
same_on_one_and_on_all 'times_since_the_event_before_a_damaged_packet' --delta "$TMP/trace"
check 'damage_is_a_failure' grep -q "${files[1]##*/}, byte" "$TMP/all.err"
rm -r "$TMP"/trace/ust/uid/*/64-bit/index
same_on_one_and_on_all 'a_damaged_packet_without_index' "$TMP/trace"

spoil swap "$TMP"/swapped/ust/uid/*/64-bit/*_"${cpus[0]}" 1 3
same_on_one_and_on_all 'packets_in_a_wrong_order' "$TMP/swapped"
same_numbers 'packets_in_a_wrong_order' "$TMP/swapped" id
same_on_one_and_on_all 'packets_in_a_wrong_order_in_csv' --csv "$TMP/swapped"
same_on_one_and_on_all 'their_times_since_the_event_before' --delta "$TMP/swapped"
rm -r "$TMP"/swapped/ust/uid/*/64-bit/index
same_on_one_and_on_all 'packets_in_a_wrong_order_without_index' "$TMP/swapped"
