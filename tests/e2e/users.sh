#!/bin/bash
# SPDX-License-Identifier: MIT
#
# users.sh - root records the programs of all users, and of containers; a user those of their own.
# Runs in namespaces of its own, with a /dev/shm of its own, so that it meets nobody.
if [ "$(id -u)" = 0 ] && [ -z "${TACHO_TEST_WORLD:-}" ] && unshare --mount --pid --fork true 2>/dev/null; then
	export TACHO_TEST_WORLD=own
	exec unshare --mount --pid --fork --mount-proc --kill-child \
		bash -c 'mount -t tmpfs none /dev/shm && exec bash "$0"' "$0"
fi
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"

[ "$(id -u)" = 0 ] || skip_all 'only root reaches the programs of other users'
[ -n "${TACHO_TEST_WORLD:-}" ] || skip_all 'mount namespaces cannot be made here'
need setpriv babeltrace2

export -n TACHO_RUNTIME_DIR # all work in the usual place
export HOME=$TMP/root
mkdir -m 700 "$HOME"
chmod 711 "$TMP"
mkdir "$TMP/pub"
cp "$TACHO_BUILD"/tests/e2e/cli_orders "$TACHO_BUILD"/lib/tracer/libtacho.so.0 "$TACHO" "$TMP/pub"
export LD_LIBRARY_PATH=$TMP/pub
ALICE=12345 BOB=12346

as() # UID COMMAND..
{
	local uid=$1
	shift
	setpriv --reuid "$uid" --regid "$uid" --clear-groups env HOME=/nonexistent "$@"
}

declare -A pid_of

start_orders() # NAME COMMAND..: runs it; places orders again when $NAME.go gets a line
{
	local name=$1
	shift
	mkfifo "$name.go"
	"$@" "$TMP/pub/cli_orders" 5 wait <>"$name.go" >"$name.out" &
	pid_of[$name]=$!
	wait_until grep -q ready "$name.out"
}

finish_orders() # NAME..
{
	local name
	for name; do
		echo >"$name.go"
		wait "${pid_of[$name]}"
	done
}

events_of() # TRACE UID: orders in the part of one user
{
	babeltrace2 "$1/ust/uid/$2" 2>"$TMP/warnings" | grep -c 'shop:order_placed'
	[ ! -s "$TMP/warnings" ] || show "$TMP/warnings"
}

bob_is_recorded()
{
	as $BOB "$TMP/pub/tacho" list | grep -q 'all *recording'
}

# ---- running and future programs of others ----

start_orders alice as $ALICE
expect_case root_makes_a_session 0 tacho create all --output "$HOME/trace"
expect_case root_enables_events_of_all_users 0 tacho enable-event --session all 'shop:*'
tacho list >root.list
check root_lists_the_programs_of_others has root.list "Of user $ALICE:"
check root_lists_the_events_of_others has root.list shop:order_placed
tacho list --json >root.json
check root_lists_them_as_json python3 -c '
import json, sys
user, = json.load(open("root.json"))["users"]
sys.exit(not (user["uid"] == int(sys.argv[1]) and user["programs"][0]["events"]))' $ALICE
expect_case root_starts_recording_them 0 tacho start all
start_orders bob as $BOB # the first program of a user
check a_user_who_comes_later_is_reached_soon wait_until bob_is_recorded
finish_orders bob
start_orders root env
as $ALICE "$TMP/pub/cli_orders" 3 >/dev/null
finish_orders alice root
expect_case root_stops_all 0 tacho stop all
cp "$TMP/out" stopped
check a_running_program_of_another_user_is_recorded_and_a_new_one_too \
	test "$(events_of "$HOME/trace" $ALICE)" = 8
check a_program_of_a_user_who_came_later_is_recorded \
	test "$(events_of "$HOME/trace" $BOB)" = 5
check root\'s_own_programs_are_recorded test "$(events_of "$HOME/trace" 0)" = 10
check what_all_recorded_is_told has stopped 'events'
check a_user\'s_part_of_the_trace_is_the_user\'s \
	test "$(stat -c %u "$HOME/trace/ust/uid/$ALICE")" = $ALICE
check files_of_a_mirror_are_the_user\'s \
	test -z "$(find "/dev/shm/tacho-$ALICE" ! -user $ALICE)"

# ---- what a user sees ----

as $ALICE "$TMP/pub/tacho" list >alice.list 2>&1
check a_user_sees_root\'s_session_in_their_own_directory has alice.list all
check a_user_does_not_see_what_others_have \
	test -z "$(grep -e "tacho-$BOB" -e "$BOB" alice.list)"

# ---- changes reach everybody ----

expect_case root_records_less 0 tacho disable-event --session all 'shop:*'
expect_case root_starts_again 0 tacho start all
as $ALICE "$TMP/pub/cli_orders" 3 >/dev/null
expect_case root_stops_again 0 tacho stop all
check what_root_disabled_is_not_recorded test "$(events_of "$HOME/trace" $ALICE)" = 8
expect_case root_destroys_all 0 tacho destroy all
check no_mirror_is_left test -z "$(ls "/dev/shm/tacho-$ALICE/sessions")"

# ---- flight recorder ----

tacho create recorder --snapshot >/dev/null
tacho enable-event --session recorder 'shop:*' >/dev/null
tacho start recorder >/dev/null
as $ALICE "$TMP/pub/cli_orders" 4 >/dev/null
as $BOB "$TMP/pub/cli_orders" 2 >/dev/null
expect_case root_takes_a_snapshot_of_all 0 \
	tacho snapshot record recorder --output "$HOME/snap" --last 1h --max-size 64M
check a_snapshot_holds_the_events_of_all_users \
	test "$(events_of "$HOME/snap" $ALICE) $(events_of "$HOME/snap" $BOB)" = '4 2'
tacho destroy recorder >/dev/null

# ---- containers ----

if unshare --mount --pid --fork true 2>/dev/null; then
	tacho create boxes --output "$HOME/boxes" >/dev/null
	tacho enable-event --session boxes 'shop:*' >/dev/null
	mkfifo box.go
	unshare --mount --pid --fork --mount-proc --kill-child bash -c \
		"mount -t tmpfs none /dev/shm; exec setpriv --reuid $ALICE --regid $ALICE \
		--clear-groups '$TMP/pub/cli_orders' 5 wait" <>box.go >box.out &
	pid_of[box]=$!
	wait_until grep -q ready box.out
	tacho start boxes >/dev/null
	finish_orders box
	expect_case root_stops_what_records_a_container 0 tacho stop boxes
	check a_container_is_found_and_recorded_without_its_help \
		test "$(events_of "$HOME/boxes/container-"* $ALICE)" = 5
	tacho destroy boxes >/dev/null
	export TACHO_RUNTIME_DIR
	tacho create shared --output "$HOME/shared" >/dev/null
	tacho enable-event --session shared 'shop:*' >/dev/null
	tacho start shared >/dev/null
	unshare --mount --pid --fork --mount-proc "$TMP/pub/cli_orders" 6
	expect_case what_records_a_shared_directory_stops 0 tacho stop shared
	check a_container_that_shares_the_runtime_directory_is_recorded \
		test "$(events_of "$HOME/shared" 0)" = 6
	tacho destroy shared >/dev/null
	export -n TACHO_RUNTIME_DIR
else
	skip a_container_is_found_and_recorded_without_its_help 'pid namespaces cannot be made here'
fi

# ---- trouble ----

as $ALICE "$TMP/pub/tacho" create mine --snapshot >/dev/null
tacho create mine --output "$HOME/mine" >"$TMP/out" 2>"$TMP/err"
check a_session_that_a_user_has_already_is_left_alone_and_told \
	has "$TMP/err" "there is a session 'mine' of this user already"
as $ALICE "$TMP/pub/tacho" list >alice.list
check the_user\'s_own_session_is_still_there has alice.list mine
tacho destroy mine >/dev/null 2>&1
as $ALICE "$TMP/pub/tacho" destroy mine >/dev/null
mkdir -m 777 /dev/shm/tacho-54321
check a_directory_that_is_not_its_owner\'s_is_passed_over expect_exit 0 tacho list

rm -rf /dev/shm/tacho-*
