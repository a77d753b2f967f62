# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# lib.sh - for tests written in bash. Start a test with
#
#	. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
#
# and it has
#	$TMP                  a directory of its own, the working directory, removed at the end
#	$TACHO_RUNTIME_DIR    another one, on tmpfs
#	$TACHO                the command, first in PATH; $TACHO_BUILD, $TACHO_SOURCE
#
# and these verbs. A case is a sentence; it may hold spaces, or _ instead of them.
#	ok NAME                        the case passed
#	not_ok NAME REASON             the case failed
#	skip NAME REASON               the case cannot run here
#	skip_all REASON                no case of this file can run here; leaves
#	need COMMAND..                 skip_all unless each command exists
#	check NAME COMMAND ARGS..      ok when the command succeeds
#	expect_exit STATUS COMMAND..   run it, output into $TMP/out and $TMP/err; true when its status is that
#	expect_case NAME STATUS COMMAND..   the same as a case of its own, shows the output when it differs
#	has FILE TEXT                  true when the file holds the text (fixed string)
#	wait_until COMMAND ARGS..      true as soon as the command is; false after $DEADLINE_S seconds
#	kill_and_wait PID              SIGKILL; true when the process is no more: until it gets the CPU once
#	                               again, it has its files, and its locks
#	same NAME EXPECTED ACTUAL      a case: two files are equal; shows the difference
#
# At the end, a case of its own fails when a process of this test still runs (children, daemons,
# whoever inherited its environment: $TACHO_TEST_ID) or something was left in /dev/shm.

set -u

TACHO_SOURCE=$(cd "${TACHO_SOURCE:-$(dirname "${BASH_SOURCE[0]}")/..}" && pwd)
TACHO_BUILD=$(realpath -m "${TACHO_BUILD:-$TACHO_SOURCE/build}")
TACHO=${TACHO:-$TACHO_BUILD/cli/tacho}
DEADLINE_S=${DEADLINE_S:-30}
TMP=$(mktemp -d)
TACHO_RUNTIME_DIR=$(mktemp -d "/dev/shm/tacho-test.${TACHO_TEST_RUN:-alone}.XXXXXX")
TACHO_TEST_ID=$$.$RANDOM$RANDOM
export TACHO TACHO_SOURCE TACHO_BUILD TACHO_RUNTIME_DIR TACHO_TEST_ID TMP
export PATH="$TACHO_BUILD/cli:$PATH"
export LD_LIBRARY_PATH="$TACHO_BUILD/lib/tracer${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
export NO_COLOR=1 LC_ALL=C.UTF-8 TZ=UTC
cd "$TMP" || exit 1

lib_cases=0
lib_failures=0
lib_skipped_all=
lib_default_dir=/dev/shm/tacho-$(id -u)
lib_had_default_dir=$(test -e "$lib_default_dir" && echo yes)

ok()
{
	lib_cases=$((lib_cases + 1))
	printf 'ok %d - %s\n' "$lib_cases" "$1"
}

not_ok()
{
	lib_cases=$((lib_cases + 1))
	lib_failures=$((lib_failures + 1))
	printf 'not ok %d - %s\n' "$lib_cases" "$1"
	printf '# %s\n' "${2:-no reason given}"
}

skip()
{
	lib_cases=$((lib_cases + 1))
	printf 'ok %d - %s # SKIP %s\n' "$lib_cases" "$1" "${2:-no reason given}"
}

skip_all()
{
	lib_skipped_all=yes
	printf '1..0 # SKIP %s\n' "$1"
	exit 77
}

need()
{
	local command
	for command in "$@"; do
		command -v "$command" >/dev/null || skip_all "$command is not installed"
	done
}

show() # FILE..: as comments
{
	local file
	for file in "$@"; do
		[ -s "$file" ] || continue
		printf '# --- %s\n' "${file##*/}"
		tail -n 20 "$file" | cut -c1-300 | sed 's/^/#   /'
	done
}

check()
{
	local name=$1
	shift
	if "$@"; then
		ok "$name"
	else
		not_ok "$name" "false: $*"
	fi
}

expect_exit()
{
	local want=$1 got=0
	shift
	"$@" >"$TMP/out" 2>"$TMP/err" </dev/null || got=$?
	[ "$got" = "$want" ] && return 0
	printf '# exit status %s, expected %s: %s\n' "$got" "$want" "$*"
	return 1
}

expect_case()
{
	local name=$1 want=$2
	shift 2
	if expect_exit "$want" "$@"; then
		ok "$name"
	else
		not_ok "$name" "wrong exit status"
		show "$TMP/out" "$TMP/err"
	fi
}

has()
{
	grep -qF -- "$2" "$1" && return 0
	printf '# not found in %s: %s\n' "${1##*/}" "$2"
	show "$1"
	return 1
}

same()
{
	if diff -u "$2" "$3" >"$TMP/diff"; then
		ok "$1"
	else
		not_ok "$1" "${2##*/} and ${3##*/} differ"
		show "$TMP/diff"
	fi
}

wait_until()
{
	local end=$((SECONDS + DEADLINE_S))
	until "$@"; do
		if [ "$SECONDS" -ge "$end" ]; then
			printf '# still false after %s s: %s\n' "$DEADLINE_S" "$*"
			return 1
		fi
		read -r -t 0.02 <> <(:) || : # between two polls of the condition
	done
}

lib_has_ended() # PID
{
	[ ! -e "/proc/$1" ] || grep -qs '^State:.[ZX]' "/proc/$1/status"
}

kill_and_wait()
{
	kill -KILL "$1" && wait_until lib_has_ended "$1"
}

lib_is_ours() # PID: inherited our environment, and is neither this shell nor a zombie
{
	[ "$1" != "$BASHPID" ] && [ "$1" != "$$" ] || return 1
	grep -qzxF "TACHO_TEST_ID=$TACHO_TEST_ID" "/proc/$1/environ" 2>/dev/null
}

lib_left_processes()
{
	local directory
	for directory in /proc/[0-9]*; do
		! lib_is_ours "${directory#/proc/}" || printf '%s\n' "${directory#/proc/}"
	done
}

lib_no_left_processes()
{
	[ -z "$(lib_left_processes)" ]
}

lib_judge_processes()
{
	local pid left
	# What was told to end is given the time to.
	DEADLINE_S=5 wait_until lib_no_left_processes >/dev/null && return
	left=$(lib_left_processes)
	# On a busy machine one look takes longer than that.
	[ -n "$left" ] || return 0
	for pid in $left; do
		printf '# still running: %s %s\n' "$pid" "$(tr '\0' ' ' <"/proc/$pid/cmdline" 2>/dev/null)"
		kill -KILL "$pid" 2>/dev/null
	done
	not_ok 'the_test_leaves_no_process_behind' "$(echo "$left" | wc -w) left"
}

lib_judge_shm()
{
	if ! rm -rf "$TACHO_RUNTIME_DIR" || [ -e "$TACHO_RUNTIME_DIR" ]; then
		not_ok 'the_test_leaves_nothing_in_shared_memory' "$TACHO_RUNTIME_DIR cannot be removed"
	elif [ -z "$lib_had_default_dir" ] && [ -e "$lib_default_dir" ]; then
		not_ok 'the_test_leaves_nothing_in_shared_memory' "$lib_default_dir appeared during the test"
	fi
}

lib_finish()
{
	local status=$?
	trap - EXIT
	cd /
	lib_judge_processes
	chmod -R u+rwX "$TMP" 2>/dev/null
	rm -rf "$TMP"
	lib_judge_shm
	if [ -z "$lib_skipped_all" ] && [ "$status" != 0 ]; then
		not_ok 'the_test_runs_to_its_end' "left with status $status"
	elif [ -z "$lib_skipped_all" ]; then
		printf '1..%d\n' "$lib_cases"
	fi
	[ "$lib_failures" = 0 ] || exit 1
	exit "$status"
}
trap lib_finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
