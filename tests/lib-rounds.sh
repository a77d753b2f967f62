# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# lib-rounds.sh - programs that record so many events when they are told to (e2e/rounds.c), and how
# many of them are in a trace. After lib.sh:
#
#	program NAME [COMMAND..]      start one, and wait until it runs; COMMAND: else rounds itself.
#	                              Its pid is in ${pid_of[NAME]}
#	round NAME COUNT              COUNT events of each kind
#	leave NAME                    let it end
#	recorded TRACE EVENT          how many are in the trace: "alpha", "beta", "alarm"
#	recorded_in TRACE CHANNEL EVENT   the same, of one channel
#	recorded_of TRACE NAME EVENT      the same, of one program
#	count CASE EXPECTED ACTUAL    a case: two numbers are equal

rounds=$TACHO_BUILD/tests/e2e/rounds
declare -A pid_of rounds_to rounds_from

program()
{
	local name=$1 fd
	shift
	[ $# != 0 ] || set -- "$rounds"
	mkfifo "$TMP/$name.in" "$TMP/$name.out"
	"$@" <"$TMP/$name.in" >"$TMP/$name.out" &
	pid_of[$name]=$!
	exec {fd}>"$TMP/$name.in"
	rounds_to[$name]=$fd
	exec {fd}<"$TMP/$name.out"
	rounds_from[$name]=$fd
	read -r -t "$DEADLINE_S" _ <&"$fd" || not_ok "$name runs" 'it does not say that it is ready'
}

round()
{
	printf '%s\n' "$2" >&"${rounds_to[$1]}"
	read -r -t "$DEADLINE_S" _ <&"${rounds_from[$1]}" || not_ok "$1 does a round" 'no answer'
}

leave()
{
	local to=${rounds_to[$1]} from=${rounds_from[$1]}
	printf 'end\n' >&"$to"
	wait "${pid_of[$1]}"
	exec {to}>&- {from}<&-
	rm -f "$TMP/$1.in" "$TMP/$1.out"
}

recorded()
{
	"$TACHO" view --summary "$1" 2>"$TMP/view.err" |
		awk -v name="round:$2" '$NF == name { gsub(",", "", $1); n = $1 } END { print n + 0 }'
}

recorded_in()
{
	local part=$TMP/one-channel dir
	rm -rf "$part"
	dir=$(dirname "$(find "$1" -name metadata)")
	mkdir "$part"
	cp "$dir/metadata" "$part"
	cp "$dir/$2"_* "$part" 2>/dev/null
	recorded "$part" "$3"
}

recorded_of()
{
	"$TACHO" view --json "$1" 2>"$TMP/view.err" | grep "\"round:$3\"" |
		grep -c "\"pid\": *${pid_of[$2]}\\b"
}

count()
{
	if [ "$2" = "$3" ]; then
		ok "$1"
	else
		not_ok "$1" "$3, expected $2"
	fi
}
