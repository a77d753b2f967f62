# SPDX-License-Identifier: MIT
# A traced program below valgrind's tools, and where the C library is told not to register restartable
# sequences: it is recorded, by the portable writer, and nothing is found to be wrong with it.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
need babeltrace2

orders=$TACHO_BUILD/tests/e2e/cli_orders
threads=$TACHO_BUILD/tests/e2e/thread_names

# recorded NAME COUNT COMMAND..: it succeeds, its output is that without tracing, its events are there
recorded()
{
	local name=$1 count=$2
	shift 2
	"$@" > "$name.untraced" 2> "$name.untraced.err"
	"$TACHO" create "$name" --output "$TMP/$name" > /dev/null &&
		"$TACHO" enable-event --session "$name" '*' > /dev/null &&
		"$TACHO" start "$name" > /dev/null || return
	"$@" > "$name.traced" 2> "$name.err"
	status=$?
	"$TACHO" destroy "$name" > /dev/null || return
	[ $status -eq 0 ] || { tail -n 30 "$name.err"; return 1; }
	cmp "$name.untraced" "$name.traced" || return
	[ "$(babeltrace2 "$name" 2> /dev/null | wc -l)" -ge "$count" ]
}

below() # TOOL ARGS..
{
	valgrind -q --error-exitcode=9 --trace-children=no --tool="$1" "${@:2}"
}

check a_program_without_rseq_is_recorded \
	recorded norseq 1000 env GLIBC_TUNABLES=glibc.pthread.rseq=0 "$orders" 1000
if command -v valgrind > /dev/null; then
	check memcheck_finds_nothing recorded memcheck 1000 below memcheck --leak-check=no "$orders" 1000
	check helgrind_finds_nothing recorded helgrind 1000 below helgrind "$orders" 1000
	check helgrind_finds_nothing_in_threads recorded threads 1 below helgrind "$threads"
else
	skip memcheck_and_helgrind_find_nothing 'no valgrind'
fi
