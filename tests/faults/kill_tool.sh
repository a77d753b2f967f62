#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# kill_tool.sh - each command is killed after each of its system calls in turn, while a program
# records. Afterwards the next command works, the same one can be given again, and nothing that was
# recorded is lost.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
. "$TACHO_SOURCE/tests/lib-faults.sh"

"$FAULTS/kill_at" 1 true
[ $? = 9 ] || skip_all 'programs cannot be traced with ptrace here'

stride=$(times 23 1)
killed=0

next_works() # WHAT
{
	expect_exit 0 timeout 60 "$TACHO" status s >"$TMP/status.said" && return 0
	show "$TMP/status.said" "$TMP/err"
	echo "# after $1"
	return 1
}

# Kills the command at every STRIDE-th system call, from a different one on in each run, until it
# comes to its end. Status of it: $ended.
kill_in_turn() # PREPARE COMMAND..: PREPARE is run before each, with what was killed; false ends it
{
	local prepare=$1 n=$((1 + RANDOM % stride)) status
	shift
	while :; do
		"$prepare" "$n" || return 1
		timeout 60 "$FAULTS/kill_at" "$n" "$@" >"$TMP/kill.out" 2>"$TMP/kill.err" </dev/null
		status=$?
		[ "$status" = 9 ] || break
		killed=$((killed + 1))
		next_works "$* was killed after $n system calls" || return 1
		n=$((n + stride))
	done
	ended=$status
	return 0
}

nothing() { :; }

# ---- commands that leave what is recorded as it is: one session goes through them all

ticker_begin all
fault_session s -o "$TMP/s" --buffer 4M || not_ok 'a session begins' 'see above'

# STATUS is a pattern: what was made by one that was killed afterwards may be there already.
stays() # STATUS COMMAND..: the session goes on recording; the command can be given (again)
{
	local want=$1
	shift
	if kill_in_turn nothing "$TACHO" "$@" && [[ "$ended" = $want ]]; then
		ok "tacho $* can be killed"
	else
		not_ok "tacho $* can be killed" "it ended with ${ended:-?}, expected $want"
		show "$TMP/kill.out" "$TMP/kill.err"
	fi
}

stays 0 list
stays 0 status s
stays 0 enable-event 'other:*' --filter 'number > 5' --exclude 'other:thing'
stays 0 disable-event 'other:*'
stays 0 enable-channel side --buffer 64K
stays 0 disable-channel side
stays 0 add-context -t procname
stays "[01]" add-trigger --name odd --condition events-lost --action snapshot-session
stays "[01]" remove-trigger odd
stays 0 set-session s
stays 0 save s -o "$TMP/saved" --force
stays 0 regenerate metadata
stays 0 track -s s --vuid "$(id -u)"
stays 0 track -s s --all --vuid
stays 0 untrack -s s --all --vuid
stays 0 list-triggers
stays "[01]" snapshot add-output -s s --name side "$TMP/side"
stays 0 snapshot list-output -s s
stays "[01]" snapshot del-output -s s
stays 0 regenerate statedump -s s
stays "[01]" load -i "$(echo "$TMP"/saved/*)" --force --override-name other --override-output "$TMP/other"
stays "[01]" destroy other
stays 0 enable-rotation --size 1G
stays 0 disable-rotation --size
stays 0 start s
check 'the drain or its successor is at work' [ -n "$(fault_drain s)" ]
"$TACHO" stop s >"$TMP/stop.out" 2>&1
stays 0 doctor
check 'through all of this nothing was lost' is_audited "$TMP/all.book" span "$TMP/s"
check 'and nothing was counted as lost' [ "$(lost_of s)" = 0 ]
"$TACHO" destroy s >"$TMP/end.out" 2>&1

# ---- commands that read a trace leave it as it is, and nothing that is in the way of the next

cp -r "$TMP/s" "$TMP/damaged"
find "$TMP/damaged" -type f ! -name metadata -size +8k -exec truncate -s -700 {} +
check 'a trace is damaged' [ -n "$("$TACHO" view "$TMP/damaged" 2>&1 >/dev/null)" ]

inventory()
{
	find "$TMP/s" "$TMP/damaged" -type f -exec md5sum {} + | sort
}

# NEW is what the command makes. Of one that was killed it may be there: then, if it is a trace, it is whole.
makes() # NEW COMMAND..
{
	local new=$1
	shift
	next_works() { [ ! -d "$new" ] || "$TACHO" info "$new" >"$TMP/out" 2>"$TMP/err"; }
	take_away() { rm -rf "$new"; }
	if kill_in_turn take_away "$TACHO" "$@" && [ "$ended" = 0 ]; then
		ok "tacho $* can be killed"
	else
		not_ok "tacho $* can be killed" "it ended with ${ended:-?}"
		show "$TMP/kill.out" "$TMP/kill.err" "$TMP/err"
	fi
}

inventory >"$TMP/inventory.before"
makes "$TMP/none" view "$TMP/s" -e 'none:*'
makes "$TMP/none" stats "$TMP/s"
makes "$TMP/none" info "$TMP/s"
makes "$TMP/new.json" export "$TMP/s" --chrome -o "$TMP/new.json"
makes "$TMP/new.sqlite" export "$TMP/s" --sqlite "$TMP/new.sqlite"
makes "$TMP/new" repair -o "$TMP/new" "$TMP/damaged"
"$TACHO" repair -o "$TMP/sound" "$TMP/damaged" >"$TMP/out" 2>&1
makes "$TMP/new" merge -o "$TMP/new" "$TMP/s" "$TMP/sound"
makes "$TMP/new" cut -o "$TMP/new" "$TMP/s"
inventory >"$TMP/inventory.after"
same 'the traces that were read are as they were' "$TMP/inventory.before" "$TMP/inventory.after"
rm -rf "$TMP/damaged" "$TMP/sound" "$TMP/new"

# ---- commands that begin, end or move what is recorded: each time a new session

fresh() # a session that records, in a new directory
{
	"$TACHO" destroy s >"$TMP/end.out" 2>&1
	rm -rf "$TMP/s" "$TMP/s.first" "$TMP/shot"
	fault_session s -o "$TMP/s" --buffer 4M
}

anew() # NAME PREPARE JUDGE COMMAND..: JUDGE is run after each kill
{
	local name=$1 prepare=$2 status n
	judge=$3
	shift 3
	next_works() { "$judge" || { echo "# after: $1"; return 1; }; }
	if kill_in_turn "$prepare" "$@" && [ "$ended" = 0 ]; then
		ok "$name can be killed"
	else
		not_ok "$name can be killed" "status ${ended:-?}"
		show "$TMP/kill.out" "$TMP/kill.err" "$TMP/out" "$TMP/err"
	fi
}

again_and_whole() # COMMAND..: it works now, and then the trace has no gap
{
	expect_exit 0 timeout 60 "$TACHO" status s || return 1
	expect_exit 0 timeout 60 "$TACHO" "$@" || return 1
	expect_exit 0 timeout 60 "$TACHO" stop s || return 1
	is_audited "$TMP/all.book" span "$TMP/s"
}

stop_again() { again_and_whole stop s; }
start_again() { again_and_whole start s; }
rotate_again() { again_and_whole rotate s; }
clear_again() { again_and_whole clear s; }
shot_again()
{
	expect_exit 0 timeout 60 "$TACHO" snapshot record s -o "$TMP/shot.again" || return 1
	is_audited "$TMP/all.book" span "$TMP/shot.again" || return 1
	rm -rf "$TMP/shot.again"
	again_and_whole stop s
}
# It is there, or it was: its trace is whole.
destroy_again()
{
	timeout 60 "$TACHO" destroy s >"$TMP/out" 2>"$TMP/err" </dev/null ||
		has "$TMP/err" 'no session' >/dev/null || return 1
	[ -z "$(ls -A "$TACHO_RUNTIME_DIR/sessions" "$TACHO_RUNTIME_DIR/slots" | grep -v :)" ] || {
		ls -A "$TACHO_RUNTIME_DIR/sessions" "$TACHO_RUNTIME_DIR/slots" | sed 's/^/# left: /'
		return 1
	}
	is_audited "$TMP/all.book" span "$TMP/s"
}
create_again()
{
	timeout 60 "$TACHO" create s -o "$TMP/s" --buffer 4M >"$TMP/out" 2>"$TMP/err" </dev/null ||
		has "$TMP/err" "a session 's' already" >/dev/null || { show "$TMP/err"; return 1; }
	expect_exit 0 "$TACHO" enable-event -s s 'fault:*' || return 1
	again_and_whole start s
}
no_session()
{
	"$TACHO" destroy s >"$TMP/end.out" 2>&1
	rm -rf "$TMP/s"
}
record_again()
{
	expect_exit 0 timeout 60 "$TACHO" list || return 1
	expect_exit 0 timeout 60 "$TACHO" record -o "$TMP/r2" -- true || return 1
	rm -rf "$TMP/r2"
}
no_record()
{
	"$TACHO" destroy --all >"$TMP/end.out" 2>&1
	rm -rf "$TMP/r"
}

anew 'tacho stop' fresh stop_again "$TACHO" stop s
anew 'tacho start' fresh start_again "$TACHO" start s
anew 'tacho rotate' fresh rotate_again "$TACHO" rotate s
anew 'tacho clear' fresh clear_again "$TACHO" clear s
anew 'tacho snapshot record' fresh shot_again "$TACHO" snapshot record s -o "$TMP/shot"
anew 'tacho destroy' fresh destroy_again "$TACHO" destroy s
anew 'tacho create' no_session create_again "$TACHO" create s -o "$TMP/s" --buffer 4M
anew 'tacho record' no_record record_again "$TACHO" record -o "$TMP/r" -- true
"$TACHO" destroy --all >"$TMP/end.out" 2>&1
check 'the program did not notice' ticker_end all
tried 'commands killed between two system calls' "$killed"
