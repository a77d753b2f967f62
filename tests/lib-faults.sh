# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# lib-faults.sh - for tests that break something (tests/faults). After lib.sh:
#
#	$FAULTS                        where the programs of tests/faults are
#	times SHORT LONG               how often to try: LONG with TACHO_SOAK=1 (make soak)
#	fault_session NAME OPTIONS..   a session that records fault:*; options of `tacho create`
#	lost_of NAME                   how many records it has counted as lost
#	fault_drain NAME               pid of its drain; nothing if there is none
#	is_audited BOOK HOW TRACE..    true if the traces have what the book says (faults/audit.c)
#	ticker_begin NAME [PAUSE_US [COMMAND..]]   a program that records every 200 us (faults/ticker.c),
#	                               started by COMMAND; its book is $TMP/NAME.book
#	ticker_end NAME                true if it ends as it should
#	ticker_done NAME               how many events it has recorded
#	ticker_goes_on NAME SINCE      true if these are more than SINCE
#	tried FAULT N                  a comment with what is to go into doc/reliability.md

FAULTS=$TACHO_BUILD/tests/faults
export HOME=$TMP/home
mkdir -p "$HOME"

times()
{
	if [ -n "${TACHO_SOAK:-}" ]; then echo "$2"; else echo "$1"; fi
}

fault_session()
{
	local name=$1
	shift
	{
		"$TACHO" create "$name" "$@" && "$TACHO" enable-event -s "$name" 'fault:*' &&
			"$TACHO" start "$name"
	} >"$TMP/session.out" 2>&1 && return 0
	show "$TMP/session.out"
	return 1
}

lost_of()
{
	"$TACHO" status "$1" --json |
		awk '/"lost": {/ { inside = 1 }
			inside && match($0, /: [0-9]+/) { n += substr($0, RSTART + 2, RLENGTH - 2) }
			inside && /}/ { print n + 0; exit }'
}

fault_drain()
{
	"$TACHO" status "$1" --json | sed -n 's/.*"drain_pid": *\([1-9][0-9]*\).*/\1/p' | head -1
}

is_audited()
{
	"$FAULTS/audit" "$@" >"$TMP/audit.out" 2>&1 && return 0
	show "$TMP/audit.out"
	return 1
}

tried()
{
	printf '# tried: %s: %s\n' "$1" "$2"
}

# ---- programs that tick

declare -A ticker_pid ticker_to

ticker_begin() # NAME [PAUSE_US [COMMAND..]]
{
	local name=$1 pause=${2:-200} fd
	shift $(($# < 2 ? $# : 2))
	mkfifo "$TMP/$name.in"
	(
		for fd in "${ticker_to[@]}"; do exec {fd}>&-; done
		exec "$@" "$FAULTS/ticker" "$TMP/$name.book" "$pause" <"$TMP/$name.in"
	) >"$TMP/$name.ticks" &
	ticker_pid[$name]=$!
	exec {fd}>"$TMP/$name.in"
	ticker_to[$name]=$fd
	wait_until has "$TMP/$name.ticks" ready >/dev/null || not_ok "$name ticks" 'it does not say so'
}

ticker_end()
{
	local fd=${ticker_to[$1]} status
	unset "ticker_to[$1]"
	exec {fd}>&-
	wait "${ticker_pid[$1]}"
	status=$?
	rm -f "$TMP/$1.in" "$TMP/$1.ticks"
	return "$status"
}

ticker_done() # NAME: how many events it has recorded
{
	od -An -tu8 -j16 -N8 "$TMP/$1.book" | tr -d ' '
}

ticker_goes_on() # NAME SINCE: it has recorded more
{
	[ "$(ticker_done "$1")" -gt "$2" ]
}
