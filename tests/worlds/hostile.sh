#!/bin/bash
# SPDX-License-Identifier: MIT
#
# hostile.sh - root traces everybody, also one who writes every lie into their own runtime directory:
# into files that are mapped, and while they are. Root's commands end, by themselves and soon enough;
# nothing of root's is changed, nothing is made outside of the trace; the other users are recorded.
# TACHO_HOSTILE_ROUNDS lies are told (24; 300 with TACHO_SOAK), from the seed TACHO_HOSTILE_SEED on.
if [ "$(id -u)" = 0 ] && [ -z "${TACHO_TEST_WORLD:-}" ] && unshare --mount --pid --fork true 2>/dev/null; then
	export TACHO_TEST_WORLD=own
	exec unshare --mount --pid --fork --mount-proc --kill-child \
		bash -c 'mount -t tmpfs none /dev/shm && exec bash "$0"' "$0"
fi
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"

[ "$(id -u)" = 0 ] || skip_all 'only root reaches the programs of other users'
[ -n "${TACHO_TEST_WORLD:-}" ] || skip_all 'mount namespaces cannot be made here'
need setpriv python3 babeltrace2

export -n TACHO_RUNTIME_DIR # all work in the usual place
export HOME=$TMP/root
mkdir -m 700 "$HOME"
chmod 711 "$TMP"
mkdir "$TMP/pub"
cp "$TACHO_BUILD"/tests/e2e/cli_orders "$TACHO_BUILD"/lib/tracer/libtacho.so.0 "$TACHO" \
	"$TACHO_SOURCE/tests/worlds/lib/lies.py" "$TMP/pub"
export LD_LIBRARY_PATH=$TMP/pub
MALLORY=12345 BOB=12346
MALLORYS=/dev/shm/tacho-$MALLORY
seed=${TACHO_HOSTILE_SEED:-1}
rounds=${TACHO_HOSTILE_ROUNDS:-$([ -n "${TACHO_SOAK:-}" ] && echo 300 || echo 24)}

as() # UID COMMAND..
{
	local uid=$1
	shift
	setpriv --reuid "$uid" --regid "$uid" --clear-groups env HOME=/nonexistent "$@"
}

declare -A pid_of

start_orders() # NAME UID: a program that waits
{
	mkfifo "$1.go"
	setpriv --reuid "$2" --regid "$2" --clear-groups "$TMP/pub/cli_orders" 5 wait <>"$1.go" >"$1.out" &
	pid_of[$1]=$!
	wait_until grep -q ready "$1.out"
}

# What must not change: root's files, and which there are, but for what the test writes itself.
echo 'only for root' > "$HOME/secret"
chmod 600 "$HOME/secret"
inventory()
{
	find "$HOME" -mindepth 1 -path "$HOME/trace*" -prune -o -printf '%p %y %m %U %s %T@\n' | sort
	ls -d /* /dev/shm/* | grep -v '^/dev/shm/tacho-'
}

# root COMMAND..: any end but by a signal or by our patience is one; what it did is kept
root()
{
	local status
	timeout -s KILL 60 "$TACHO" "$@" > root.out 2>&1 < /dev/null
	status=$?
	[ $status -le 2 ] && return
	echo "# tacho $*: status $status, after: $(cat lie)"
	tail -n 3 root.out | sed 's/^/#   /'
	faults=$((faults + 1))
}

# What a lie damaged is made anew, so that the next one is told to a directory of full worth.
fresh_mallory()
{
	kill -KILL "${pid_of[mallory]}"
	wait "${pid_of[mallory]}" 2> /dev/null
	rm -rf "$MALLORYS" mallory.go mallory.out
	start_orders mallory $MALLORY
}

start_orders bob $BOB
start_orders mallory $MALLORY
"$TACHO" create all --output "$HOME/trace" > /dev/null
"$TACHO" enable-event --session all 'shop:*' > /dev/null
"$TACHO" start all > /dev/null
"$TACHO" create flight --snapshot > /dev/null
"$TACHO" enable-event --session flight 'shop:*' > /dev/null
"$TACHO" start flight > /dev/null
inventory > before

faults=0
for ((i = seed; i < seed + rounds; i++)); do
	as $MALLORY python3 "$TMP/pub/lies.py" "$MALLORYS" "$HOME/secret" "$i" > lie 2>&1
	root list
	root list --json
	root snapshot record flight --output "$HOME/trace.snapshot.$i"
	root enable-event --session all "none:$i*"
	root status
	# While the next commands read, their files change.
	(for ((k = 0; k < 6; k++)); do
		as $MALLORY python3 "$TMP/pub/lies.py" "$MALLORYS" "$HOME/secret" $((i * 1000 + k))
	done > lies 2>&1) &
	liar=$!
	root list
	root snapshot record flight --output "$HOME/trace.snapshot2.$i"
	root stop all
	root start all
	wait $liar
	fresh_mallory > /dev/null 2>&1
done
if [ $faults -eq 0 ]; then
	ok roots_commands_end_whatever_lies_in_the_files_of_a_user
else
	not_ok roots_commands_end_whatever_lies_in_the_files_of_a_user "$faults did not"
fi
inventory > after
same nothing_of_roots_changes_and_nothing_is_made_outside_of_the_trace before after
check root_never_says_what_mallory_must_not_know \
	sh -c "! grep -r 'only for root' '$HOME'/trace* '$MALLORYS' > /dev/null 2>&1"

# ---- users and each other ----

as $BOB ls "$MALLORYS" > ls.out 2>&1
check a_user_cannot_look_into_the_directory_of_another has ls.out 'Permission denied'
expect_case nor_have_the_tool_do_it 1 as $BOB env TACHO_RUNTIME_DIR="$MALLORYS" "$TMP/pub/tacho" list
open_to_others=$(find /dev/shm/tacho-* -perm /077 ! -type l)
check modes_of_runtime_directories_are_for_their_owner_only test -z "$open_to_others"

# ---- and Bob is recorded ----

echo > bob.go
wait "${pid_of[bob]}"
"$TACHO" stop all > stop.out 2>&1
events=$(babeltrace2 "$HOME/trace/ust/uid/$BOB" 2>/dev/null | grep -c 'shop:order_placed')
check another_user_is_recorded_all_the_time test "$events" = 5
"$TACHO" destroy all > /dev/null 2>&1
"$TACHO" destroy flight > /dev/null 2>&1
kill -KILL "${pid_of[mallory]}"
wait 2> /dev/null
rm -rf /dev/shm/tacho-*
