#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Programs of several pid namespaces, of which none has a thread with the id of another's, record into one
# session without restartable sequences: none takes another's ring away.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
. "$TACHO_SOURCE/tests/lib-faults.sh"
unshare --pid --fork true 2>/dev/null || skip_all 'pid namespaces cannot be made here'

programs=6
DEADLINE_S=240
export GLIBC_TUNABLES=glibc.pthread.rseq=0

all_go_on() # EVENTS: each records so many more
{
	local i since
	for i in $(seq $programs); do
		since=$(ticker_done "p$i")
		wait_until ticker_goes_on "p$i" $((since + $1)) || return
	done
}

# The N-th is process N + 1 of its namespace.
nth='for ((k = 1; k < $0; k++)); do (:); done; "$@"; exit $?'

begin_all()
{
	for i in $(seq $programs); do
		ticker_begin "p$i" 0 unshare --pid --fork --kill-child bash -c "$nth" "$i"
	done
}

end_all()
{
	local status=0
	for i in $(seq $programs); do
		ticker_end "p$i" || status=1
	done
	return $status
}

# What its book says is what the trace has, or the session has counted as lost.
all_is_there()
{
	local i said=0 found
	for i in $(seq $programs); do
		said=$((said + $(ticker_done "p$i")))
	done
	"$TACHO" view "$TMP/s" > view.out 2> view.err || return
	found=$(grep -c 'fault:tick' view.out)
	[ $((found + lost)) = $said ] && [ ! -s view.err ] && return
	echo "# recorded $said, found $found, lost $lost"
	show view.err
	return 1
}

fault_session s -o "$TMP/s" --buffer 32M || not_ok 'a session begins' 'see above'
begin_all
check 'programs of six namespaces record side by side' all_go_on "$(times 20000 400000)"
check 'they end as ever' end_all
"$TACHO" stop s > stop.out 2>&1
lost=$(lost_of s)
check 'what each has recorded is there once, or counted' all_is_there
"$TACHO" destroy s > destroy.out 2>&1
tried 'events of six pid namespaces' "$(wc -l < view.out)"
