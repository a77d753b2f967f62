#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What the commands say in the life of a session, word for word, but for what differs from run to
# run. After a change that is meant: UPDATE=1 bash tests/golden/session.sh
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"

export HOME=$TMP/home
mkdir "$HOME"
golden=$TACHO_SOURCE/tests/golden/session.txt
orders=$TACHO_BUILD/tests/e2e/cli_orders

# Rows of tables for each CPU become one; columns are as wide as what is in them.
without_chance()
{
	sed -E \
		-e "s|$(realpath "$orders")|ORDERS|g; s|$orders|ORDERS|g; s|$TMP|TMP|g" \
		-e 's/[0-9]{8}-[0-9]{6}/DATE/g; s/[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{9}/TIME/' \
		-e 's/\[[0-9]+\] [0-9]+\/[0-9]+/[CPU] PID\/TID/; s/pid [0-9]+/pid PID/' \
		-e "s/\\b$pid\\b/PID/g; s/cli_orders\.c:[0-9]+/cli_orders.c:LINE/" \
		-e 's| at [^ ]*/cli_orders| at cli_orders|; s/^Clock: .*/Clock: CLOCK/' \
		-e 's/[0-9.]+ (bytes|[KM]iB)/SIZE/g; s/[0-9]+ rings?/RINGS/' \
		-e 's/^ +[0-9]+ +[0-9<>]+ %.*SIZE.*/ CPU FILL/; s/ +/ /g; s/ +$//' | uniq
}

say() # ARGUMENTS: the command as typed, its output, and its status
{
	local status
	printf '$ tacho %s\n' "$*"
	"$TACHO" "$@" 2>&1
	status=$?
	[ "$status" = 0 ] || echo "=> $status"
	echo
}

life()
{
	say list
	say create --snapshot --buffer 64K box
	say snapshot record -o "$TMP/empty"
	say start
	say enable-event 'shop:order*'
	say enable-event -s box --loglevel warning '*'
	say list
	say list "$pid"
	say status
	echo >&7
	read -r _ <&8
	say snapshot record -o "$TMP/shot"
	say view "$TMP/shot"
	say view --summary "$TMP/shot"
	say disable-event 'shop:*'
	say disable-event 'shop:order*'
	say stop
	say create -o "$TMP/web" --blocking-timeout 1000 web
	say set-session box
	say set-session web
	say enable-event -s web '*'
	say start web
	say status web
	say list -c other web
	say enable-rotation -s web --timer 90s --size 1M
	say disable-rotation -s web --timer
	say disable-rotation -s web --size
	say disable-event -s web --all-events
	say stop web
	say destroy web
	say create --snapshot --buffer 64K other
	say destroy other
	say destroy --all
	say record -o "$TMP/recorded" -- "$orders" 2
	say record -o "$TMP/small" --overwrite -- true
}

mkfifo "$TMP/to" "$TMP/from"
"$orders" 2 wait <"$TMP/to" >"$TMP/from" &
pid=$!
exec 7>"$TMP/to" 8<"$TMP/from"
read -r _ <&8
life >"$TMP/raw"
wait "$pid"
without_chance <"$TMP/raw" >"$TMP/actual"
[ "${UPDATE:-}" != 1 ] || cp "$TMP/actual" "$golden"
same 'the_life_of_a_session_is_told_as_ever' "$golden" "$TMP/actual"
