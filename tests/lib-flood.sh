# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# lib-flood.sh - programs that record as fast as they can (e2e/flood.c), and whether a trace has what
# they recorded, as babeltrace2 sees it. After lib.sh:
#
#	flood_begin THREADS COUNT [PAUSE_US]   start one; returns when all threads record
#	flood_end                              let it end; what it recorded is in $TMP/flood.out
#	ticks TRACE..                          for each thread: "THREAD FIRST LAST", of all traces one
#	                                       after the other; false if a number is missing or double
#	ticks_are_all TRACE..                  true if these are all that the program recorded
#	drain_pid SESSION                      of its drain; nothing if it has none
#	nothing_lost SESSION                   true if none was lost
#	chunks TRACE                           its archived chunks, then the current one, in order

flood_program=$TACHO_BUILD/tests/e2e/flood

flood_begin()
{
	mkfifo "$TMP/flood.in" "$TMP/flood.pipe"
	"$flood_program" "$@" <"$TMP/flood.in" >"$TMP/flood.pipe" &
	flood_pid=$!
	exec {flood_to}>"$TMP/flood.in" {flood_from}<"$TMP/flood.pipe"
	read -r -t "$DEADLINE_S" _ <&"$flood_from" || not_ok 'the flood begins' 'it does not say so'
}

flood_end()
{
	exec {flood_to}>&-
	cat <&"$flood_from" >"$TMP/flood.out"
	wait "$flood_pid"
	exec {flood_from}<&-
	rm -f "$TMP/flood.in" "$TMP/flood.pipe"
}

ticks()
{
	local trace
	for trace in "$@"; do
		babeltrace2 "$trace" 2>>"$TMP/babeltrace2.err" || echo 'babeltrace2 failed'
	done | awk '
		/flood:tick:/ {
			match($0, /thread = [0-9]+/); thread = substr($0, RSTART + 9, RLENGTH - 9)
			match($0, /number = [0-9]+/); number = substr($0, RSTART + 9, RLENGTH - 9) + 0
			if (!(thread in last))
				first[thread] = number
			else if (number != last[thread] + 1) {
				print "# thread " thread ": after " last[thread] " comes " number
				wrong = 1
			}
			last[thread] = number
		}
		/babeltrace2 failed/ { print "# " $0; wrong = 1 }
		END {
			for (thread in last)
				print thread, first[thread], last[thread]
			exit wrong
		}' | sort
	return "${PIPESTATUS[1]}"
}

ticks_are_all()
{
	ticks "$@" >"$TMP/ticks" || { show "$TMP/ticks"; return 1; }
	awk '{ print $1, 0, $2 - 1 }' "$TMP/flood.out" | sort >"$TMP/expected"
	diff "$TMP/expected" "$TMP/ticks" >"$TMP/diff" && return 0
	show "$TMP/diff"
	return 1
}

chunks()
{
	[ ! -d "$1/archives" ] || find "$1/archives" -mindepth 1 -maxdepth 1 -name '[0-9]*' |
		awk -F- '{ print $NF, $0 }' | sort -n | cut -d' ' -f2-
	[ ! -d "$1/ust" ] || echo "$1/ust"
}

drain_pid()
{
	"$TACHO" status "$1" --json | sed -n 's/.*"drain_pid": *\([1-9][0-9]*\).*/\1/p' | head -1
}

nothing_lost()
{
	"$TACHO" status "$1" --json >"$TMP/status" || return 1
	awk '/"lost": {/ { seen = inside = 1 } inside && /: [1-9]/ { some = 1 } /}/ { inside = 0 }
		END { exit some || !seen }' "$TMP/status" && return 0
	show "$TMP/status"
	return 1
}
