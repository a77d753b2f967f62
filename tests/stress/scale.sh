#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Many threads, many programs, many events, many CPUs: all are recorded, and memory follows the CPUs
# that are used. In the soak (TACHO_STRESS_SECONDS) there are ten times as many, 10,000 threads and 1,000
# programs. How long the commands took is printed, and not judged.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"

export HOME=$TMP/home
mkdir "$HOME"
factor=1
[ "${TACHO_STRESS_SECONDS:-0}" -lt 60 ] || factor=10
thread_count=$((1000 * factor))
program_count=$((100 * factor))
program=$TACHO_BUILD/tests/e2e/scale_threads

timed() # COMMAND..: print how long it took
{
	local from=${EPOCHREALTIME/./} status=0
	"$@" >"$TMP/out" 2>"$TMP/err" || status=$?
	echo "# $(((${EPOCHREALTIME/./} - from) / 1000)) ms: ${*##*/}"
	return $status
}


# ---- threads

"$TACHO" create --snapshot box >/dev/null
"$TACHO" enable-event 'scale:*' >/dev/null
"$TACHO" start >/dev/null
mkfifo in ready
"$program" "$thread_count" <in >ready &
pid=$!
exec {to}>in {from}<ready
read -r -t "$DEADLINE_S" line <&"$from"
check 'all_threads_record' test "$line" = ready
timed "$TACHO" snapshot record box -o "$TMP/shot"
exec {to}>&- {from}<&-
wait "$pid"
"$TACHO" view --json "$TMP/shot" >"$TMP/events"
check 'each_thread_has_its_event' test \
	"$(grep -o '"number": *[0-9]*' "$TMP/events" | sort -u | wc -l)" = "$thread_count"
"$TACHO" destroy >/dev/null

# ---- programs, which run before the session is made

rm -f in ready
mkfifo in
pids=()
for ((i = 0; i < program_count; i++)); do
	"$program" 1 <in >"$TMP/ready.$i" &
	pids+=($!)
done
exec {to}>in
are_ready()
{
	[ "$(cat "$TMP"/ready.* | grep -c ready)" = "$program_count" ]
}
check 'all_programs_run' wait_until are_ready
"$TACHO" create --snapshot box >/dev/null
timed "$TACHO" enable-event 'scale:*'
"$TACHO" start >/dev/null
timed "$TACHO" list --json
check 'all_programs_are_listed' test "$(grep -c '"pid"' "$TMP/out")" = "$program_count"
exec {to}>&-
wait "${pids[@]}"
"$TACHO" destroy >/dev/null

# ---- 100,000 events, more than a record's short header can tell apart, in two programs at a time

events=$TACHO_BUILD/tests/e2e/scale_events
event_count=100000
rm -f in "$TMP"/ready.*
mkfifo in
pids=()
for i in 0 1; do
	"$events" $event_count <in >"$TMP/ready.$i" &
	pids+=($!)
done
exec {to}>in
program_count=2
check 'programs_with_many_events_run' wait_until are_ready
"$TACHO" create --snapshot box >/dev/null
timed "$TACHO" enable-event 'many:*'
"$TACHO" start >/dev/null
printf '\n\n' >&"$to"
exec {to}>&-
wait "${pids[@]}"
rm -rf "$TMP/shot"
timed "$TACHO" snapshot record box -o "$TMP/shot"
"$TACHO" view --json "$TMP/shot" >"$TMP/events"
check 'each_of_100000_events_is_recorded_by_both' test \
	"$(grep -o '"many:event_[0-9]*"' "$TMP/events" | sort | uniq -c | grep -c '^ *2 ')" = $event_count
check 'a_number_is_under_its_own_event' test \
	"$(grep -c '"many:event_\([0-9]*\)".*"number": *\1[^0-9]' "$TMP/events")" = $((2 * event_count))
# Who adds the same event at the same time as another gets an id of its own: few do.
next_id=$(od -An -tu4 -j12 -N4 "$TACHO_RUNTIME_DIR/sessions/box/events" | tr -d ' ')
check 'both_share_the_ids_of_events' test "$next_id" -lt $((event_count * 11 / 10))
"$TACHO" destroy >/dev/null

# ---- 384 CPUs, of which this machine has a few

if ! unshare --mount true 2>/dev/null; then
	skip 'memory_follows_the_cpus_that_are_used' 'this user may not make a mount namespace'
	exit 0
fi
cat >"$TMP/inside" <<'EOF'
echo 0-383 >cpus
for file in possible online; do
	mount --bind cpus /sys/devices/system/cpu/$file || exit 1
done
tacho create --snapshot box >/dev/null && tacho enable-event 'scale:*' >/dev/null || exit 1
tacho start >/dev/null
"$1" 1 </dev/null >/dev/null
du -k "$TACHO_RUNTIME_DIR"/sessions/box/channel0.rings | cut -f1 >kilobytes
tacho snapshot record box -o "$2" >/dev/null
tacho destroy >/dev/null
EOF
rm -rf "$TMP/shot"
check 'a_session_for_384_cpus_is_made' timed unshare --mount bash "$TMP/inside" "$program" "$TMP/shot"
# 16 rings of 4 MiB are made ahead.
check 'memory_follows_the_cpus_that_are_used' test "$(cat kilobytes)" -lt $((20 * 4200))
check 'what_they_recorded_is_in_the_snapshot' \
	test "$("$TACHO" view --json "$TMP/shot" | grep -c '"scale:thread"')" = 1
