#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# tacho cut, repair and merge, told to end or killed at any system call, leave nothing that is in the way: the
# same command can be given again, and what is there is whole.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
. "$TACHO_SOURCE/tests/lib-faults.sh"
need python3

whole=$TMP/whole
python3 "$TACHO_SOURCE/tests/e2e/compact_make.py" "$whole"
cp -r "$whole" "$TMP/cut-off"
truncate -s -700 "$TMP/cut-off/stream_0"
events=$("$TACHO" view --json "$whole" 2>/dev/null | grep -c '"event":')

for signal in INT TERM HUP QUIT PIPE; do
	check "repair_is_ended_by_SIG${signal}_and_leaves_nothing" \
		python3 "$TACHO_SOURCE/tests/faults/told_to_end.py" "$signal" "$TMP/new" \
		"$TACHO" repair -o "$TMP/new" "$TMP/cut-off"
done
check 'cut_leaves_nothing_either' python3 "$TACHO_SOURCE/tests/faults/told_to_end.py" INT "$TMP/new" \
	"$TACHO" cut -o "$TMP/new" "$TMP/cut-off"
check 'nor_does_merge' python3 "$TACHO_SOURCE/tests/faults/told_to_end.py" INT "$TMP/new" \
	"$TACHO" merge -o "$TMP/new" "$TMP/cut-off" "$whole"

"$FAULTS/kill_at" 1 true
if [ $? = 9 ]; then
	killed=0 wrong=0
	for ((n = 1; ; n += $(times 7 1))); do
		rm -rf "$TMP/new"
		"$FAULTS/kill_at" "$n" "$TACHO" cut -o "$TMP/new" "$whole" >"$TMP/log" 2>&1
		[ $? = 9 ] || break
		killed=$((killed + 1))
		[ -e "$TMP/new" ] || "$TACHO" cut -o "$TMP/new" "$whole" 2>"$TMP/err" || wrong=$((wrong + 1))
		[ ! -e "$TMP/new.partial" ] || wrong=$((wrong + 1))
		[ "$("$TACHO" view --json "$TMP/new" 2>/dev/null | grep -c '"event":')" = "$events" ] ||
			wrong=$((wrong + 1))
		[ "$wrong" = 0 ] || break
	done
	check 'what_a_killed_one_left_is_replaced' test "$wrong" = 0 -a "$killed" -gt 20
	show "$TMP/err"
	tried 'tacho cut is killed' "$killed"
else
	skip 'what_a_killed_one_left_is_replaced' 'programs cannot be traced with ptrace here'
fi

rm -rf "$TMP/new"
mkdir "$TMP/new.partial"
touch "$TMP/new.partial/mine"
expect_case 'a_directory_of_that_name_that_is_ours_is_not_touched' 1 "$TACHO" cut -o "$TMP/new" "$whole"
check 'and_what_is_in_it_stays' test -e "$TMP/new.partial/mine"
