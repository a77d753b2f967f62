#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Filters end to end: typed into tacho, run by programs, exact counts of what is recorded.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"

program=$TACHO_BUILD/tests/e2e/filters

quietly()
{
	"$@" >"$TMP/out" 2>&1 || { show "$TMP/out"; return 1; }
}

record() # PATTERN FILTER [OPTION..]: 100 turns of a program; the events are in $TMP/events
{
	local pattern=$1 filter=$2
	shift 2
	rm -rf "$TMP/trace"
	quietly tacho create f --output "$TMP/trace" &&
		quietly tacho enable-event -s f "$pattern" --filter "$filter" "$@" &&
		quietly tacho start f && echo 100 | quietly "$program" && quietly tacho destroy f &&
		tacho view "$TMP/trace" >"$TMP/events" 2>"$TMP/err"
}

expect() # COUNT FILTER: of 100 events filters:all
{
	local found
	record 'filters:all' "$2" || { not_ok "$2" 'it could not be recorded'; return; }
	found=$(grep -c 'filters:all' "$TMP/events")
	if [ "$found" = "$1" ]; then
		ok "$2"
	else
		not_ok "$2" "$found events, expected $1"
	fi
}

# ---- each type of field ----

while read -r count filter; do
	expect "$count" "$filter"
done <<'END'
100 1
0 0
40 i8 >= 10
50 i8 < 0
1 i8 == -50
33 u16 > 40000
11 i64 > -11
100 u64 > 18446744073709551500
1 u64 == 0xffffffffffffffff
100 u64 > i64
50 yes
50 !yes
4 letter == 'a'
8 letter == 'a' || letter == 98
1 pointer == 0x1010
16 (hex & 0xf0) == 0x20
1 single == 2.5
10 single < 5
1 real == 0.1
50 real >= 5
25 name == "anna"
50 name == "an*"
25 name == "a\*c"
75 name == "a*"
25 name != "a*"
20 text == "grün"
80 text != "grün"
40 text == "gr*n" || text == "g"
1 bytes == "\1\2\377"
100 bytes[2] == 255
2 bytes[1] == 7 || bytes[1] == 8
16 words[4] == 50
49 words[2] + words[1] == 50
49 words[2] != 30 || 1
100 reals[0] < 0 && reals[1] > 1e299
10 order.id < 10
1 order_2eid == 10
0 missing == 1
0 !missing
0 name > 5
0 words
100 $ctx.procname == "fil*"
100 $ctx.vpid == $ctx.vtid
100 $ctx.vpid > 1 && $ctx.vuid >= 0 && $ctx.cpu_id >= 0 && $ctx.ip > 0
0 $ctx.vpid == 1
100 $ctx.pid_ns > 0
25 name == "anna" && yes == 0
38 name == "anna" && i8 < 0 || i8 >= 25
50 order.id % 2
10 order.id / 10 == 4
0 order.id / 0 == 0
9 order.id * order.id > 8100
8 (order.id & 3) == 1 && order.id < 32
END

# ---- where it is asked ----

record 'filters:word' 'i >= 97'
check 'an event of one word is filtered' test "$(grep -c 'i = 9[789]' "$TMP/events")" = 3
check 'nothing else is recorded' test "$(wc -l <"$TMP/events")" = 3

record '*' 'total == 5 || i == 7'
check 'an event that lacks one of the fields never matches' test "$(wc -l <"$TMP/events")" = 0

record '*' 'total == 5' --loglevel warning
check 'a filter and a level both have to fit' test "$(wc -l <"$TMP/events")" = 1

several_rules()
{
	rm -rf "$TMP/trace"
	tacho create f --output "$TMP/trace" &&
		tacho enable-event -s f filters:word --filter 'i < 10' &&
		tacho enable-event -s f filters:word --filter 'i < 20 && i % 2' &&
		tacho enable-event -s f filters:other --filter 'total < 5' &&
		tacho enable-event -s f 'filters:o*' && tacho start f &&
		echo 100 | "$program" && tacho destroy f
} >"$TMP/out" 2>&1
several_rules || show "$TMP/out"
tacho view "$TMP/trace" >"$TMP/events"
check 'an event that several filters match is recorded once' \
	test "$(grep -c filters:word "$TMP/events")" = 15
check 'where a rule has no filter, those of others do not matter' \
	test "$(grep -c filters:other "$TMP/events")" = 100

# ---- what is not asked ----

quietly tacho create f --output "$TMP/asked"
quietly tacho enable-event -s f 'filters:*' --filter 'i8 == 1'
quietly tacho start f
check 'events that can never match are not enabled in a program that starts' \
	test "$(echo 1 | "$program" say)" = 'all 1 word 0 other 0'
coproc "$program" say
program_pid=$COPROC_PID
echo 1 >&"${COPROC[1]}"
read -r -t 30 answer <&"${COPROC[0]}"
quietly tacho enable-event -s f 'filters:*' --filter 'total == 1'
echo 1 >&"${COPROC[1]}"
read -r -t 30 answer <&"${COPROC[0]}"
check 'nor in one that runs' test "$answer" = 'all 1 word 0 other 1'
echo end >&"${COPROC[1]}"
wait "$program_pid"
quietly tacho destroy f

# ---- fields that only filters see ----

hidden_field()
{
	quietly gcc -I"$TACHO_SOURCE/include" -I"$TACHO_SOURCE" -I"$TACHO_SOURCE/tests/data/lttng" \
		"$TACHO_SOURCE/tests/data/lttng/everything.c" -o hidden -L"$TACHO_BUILD/lib/tracer" \
		-ltacho || return
	rm -rf "$TMP/trace"
	quietly tacho create f --output "$TMP/trace" &&
		quietly tacho enable-event -s f every:hidden --filter 'secret == "op*" && shown > 0' &&
		quietly tacho start f && quietly ./hidden && quietly tacho destroy f &&
		tacho view "$TMP/trace" >"$TMP/events"
}
if command -v gcc >/dev/null; then
	check 'a program with LTTng headers is recorded' hidden_field
	check 'a field that is not recorded is asked for' \
		test "$(sed 's/.*every:hidden//' "$TMP/events")" = ' shown = 1'
fi

# ---- while a program runs ----

turn() # let the program record 100 events of each kind
{
	echo 100 >&"${COPROC[1]}"
	read -r -t 30 answer <&"${COPROC[0]}" && [ "$answer" = "done" ]
}

changes() # the filter of a running program is another one in each turn
{
	quietly tacho enable-event -s f filters:word --filter 'i < 1' && turn &&
		quietly tacho enable-event -s f filters:word --filter 'i >= 98' && turn &&
		quietly tacho disable-event -s f filters:word && turn &&
		quietly tacho enable-event -s f filters:word --filter 'i >= 98' && turn &&
		quietly tacho disable-event -s f filters:word --remove && turn &&
		quietly tacho enable-event -s f filters:word --filter 'i == 50' && turn &&
		quietly tacho enable-event -s f filters:word && turn
}

rm -rf "$TMP/trace"
quietly tacho create f --output "$TMP/trace" && quietly tacho start f
coproc "$program"
program_pid=$COPROC_PID
check 'filters change while a program runs' changes

expect_exit 0 tacho enable-event -s f 'filters:*' --filter 'i == 1 && totl > 2'
check 'a field that no running program has is warned of' has "$TMP/err" "has no field 'totl'"
expect_exit 0 tacho enable-event -s f 'filters:word' --filter 'i == "1"'
check 'so is a type that does not fit' has "$TMP/err" 'does not fit their types'
expect_exit 0 tacho enable-event -s f 'filters:*' --filter 'total == 1 && missing < 2 || i'
expect_exit 0 tacho enable-event -s f 'filters:*' --filter 'total == 1'
check 'one event that has the fields is enough' test ! -s "$TMP/err"
echo end >&"${COPROC[1]}"
wait "$program_pid"
quietly tacho destroy f
tacho view "$TMP/trace" | sed -n 's/.* i = //p' >"$TMP/events"
{
	echo 0                   # i < 1
	printf '%s\n' 0 98 99    # both
	printf '%s\n' 98 99      # again one
	echo 50
	seq 0 99
} >"$TMP/expected"
same 'each turn records what its filters say' "$TMP/expected" "$TMP/events"

# ---- a hostile session file ----

quietly tacho create f --output "$TMP/hostile" && quietly tacho start f
for i in $(seq 40); do
	quietly tacho enable-event -s f 'filters:*' --filter "i == $i || i * 3 > 5 && i < 20"
done
cat >spoil.py <<'END'
# spoil.py FILE SEED: change bytes of compiled filters in a session file
import mmap, random, sys
random.seed(int(sys.argv[2]))
with open(sys.argv[1], 'r+b') as file, mmap.mmap(file.fileno(), 0) as memory:
    at = memory.find(b'filt\1\0\0\0')
    while at >= 0:
        for _ in range(random.randrange(4)):
            memory[at + random.randrange(240)] = random.randrange(256)
        at = memory.find(b'filt\1\0\0\0', at + 8)
END
spoil() # with each new rule, programs look at all again
{
	local i
	for i in $(seq 25); do
		python3 spoil.py "$TACHO_RUNTIME_DIR/sessions/f/session" "$i" &&
			quietly tacho enable-event -s f "x$i:*" && turn || return 1
	done
}
coproc "$program"
program_pid=$COPROC_PID
check 'a program survives filters that somebody spoils' spoil
quietly tacho enable-event -s f filters:word
turn
echo end >&"${COPROC[1]}"
check 'and ends as it should' wait "$program_pid"
quietly tacho destroy f
check 'and goes on recording' test "$(tacho view "$TMP/hostile" | tail -n 300 | grep -c filters:word)" -ge 100

# ---- mistakes ----

quietly tacho create f --output "$TMP/other"
expect_case 'a mistake is wrong use' 2 tacho enable-event -s f '*' --filter 'total > && 1'
check 'it says the column' has "$TMP/err" 'column 9: expected a field'
check 'and shows it' grep -qx '            ^' "$TMP/err"
expect_case 'a counter that the session does not have is an error' 1 \
	tacho enable-event -s f '*' --filter '$ctx.perf:thread:cpu-cycles > 1'
check 'it says what to do' has "$TMP/err" 'tacho add-context -t perf:thread:cpu-cycles'
tacho status --json f >"$TMP/status"
check 'what failed has changed nothing' grep -qz '"rules": \[\s*\]' "$TMP/status"
expect_case 'what LTTng reads otherwise is accepted' 0 \
	tacho enable-event -s f '*' --filter 'i & 1 == 1'
check 'with a warning' has "$TMP/err" "comparisons bind stronger than '&'"
tacho status f >"$TMP/status"
check 'status shows the filter' has "$TMP/status" 'i & 1 == 1'
quietly tacho destroy f
