#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# lttng_ust_statedump:* of programs that were there before the session: each tells what it has loaded
# before its first event, whatever becomes of it afterwards.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
need cc python3 readelf

summary=$TACHO_SOURCE/tests/e2e/libs_summary.py

cat >program.c <<'END'
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <tacho/event.h>
#include <unistd.h>
/* A line of input is an order; the answer is a line of output. */
int main(void)
{
	char line[4096];
	while (fgets(line, sizeof(line), stdin)) {
		line[strcspn(line, "\n")] = 0;
		if (*line == '/')
			printf("loaded %d\n", dlopen(line, RTLD_NOW) != 0);
		else if (!strcmp(line, "fork")) {
			if (!fork()) {
				tacho_event(shop, child);
				_exit(0);
			}
			wait(NULL);
			puts("forked");
		} else if (!strcmp(line, "end")) {
			puts("ends");
			return 0;
		} else {
			tacho_event(shop, sale, "what", line);
			puts("sold");
		}
		fflush(stdout);
	}
}
END
cc -Wl,--build-id -I"$TACHO_SOURCE" -I"$TACHO_SOURCE/include" -o program program.c \
	-L"$TACHO_BUILD/lib/tracer" -ltacho -ldl
echo 'int late(void) { return 1; }' | cc -shared -fPIC -Wl,--build-id -o liblate.so -x c -
build_id() { readelf -n "$1" | sed -n 's/.*Build ID: //p'; } # FILE

order() # WORDS: to the program; and wait for its answer
{
	echo "$*" >&"${asks[1]}"
	read -r _ <&"${asks[0]}"
}

start_program() # VARIABLE=VALUE..
{
	coproc asks { exec env "$@" "$TMP/program" 2>program.err; }
	program=$!
	order first
}

end_program()
{
	order end
	wait "$program"
}

session() # NAME RULE..
{
	local name=$1
	shift
	"$TACHO" create "$name" -o "$TMP/$name.trace" >/dev/null &&
		"$TACHO" enable-event -s "$name" "$@" >/dev/null && "$TACHO" start "$name" >/dev/null
}

end_session() # NAME PART: and what its trace tells, or a part of that
{
	"$TACHO" destroy "$1" >/dev/null || return
	"$TACHO" view --json "$TMP/$1.trace${2:-}" 2>view.err >"$1.json"
	python3 "$summary" <"$1.json" >"$1.summary"
}

value() { sed -n "s|^$2 ||p" "$1.summary" | grep . || echo 0; } # SESSION NAME

first_event() # SESSION: the name of the first that is recorded
{
	python3 -c 'import json, sys
print(next(e["event"] for e in map(json.loads, sys.stdin) if "event" in e))' <"$1.json"
}

for helper in '' "$TACHO_BUILD/preload/libtacho-libs.so"; do
	with=${helper:+_with_the_helper}
	start_program ${helper:+"LD_PRELOAD=$helper"}
	order "$TMP/liblate.so"
	check "a_session_starts_after_the_program$with" session "young$with" shop:\* lttng_ust_statedump:\*
	order second
	order third
	order fork
	check "the_session_ends$with" end_session "young$with"
	check "the_program_tells_before_its_first_event$with" \
		test "$(first_event "young$with")" = lttng_ust_statedump:start
	check "it_tells_once_and_so_does_its_child$with" \
		test "$(value "young$with" lttng_ust_statedump:start)" = 2
	check "it_tells_all$with" test "$(value "young$with" lttng_ust_statedump:end)" = 2
	check "it_tells_the_program$with" test "$(value "young$with" "state $TMP/program")" = 2
	check "it_tells_what_was_loaded_before$with" test "$(value "young$with" "state $TMP/liblate.so")" = 2
	check "build_ids_are_those_of_the_files$with" \
		test "$(value "young$with" "id $TMP/program") $(value "young$with" "id $TMP/liblate.so")" = \
		"$(build_id program) $(build_id liblate.so)"
	check "the_child_tells_what_its_parent_does$with" test "$(value "young$with" states_differ)" = 0
	check "nothing_overlaps$with" test "$(value "young$with" overlaps)" = 0
	check "no_event_is_lost$with" test "$(value "young$with" shop:sale)" = 2
	session "other$with" shop:\*
	order fourth
	check "a_session_that_does_not_ask_is_not_told$with" end_session "other$with"
	check "only_what_it_asks_for_is_recorded$with" \
		test "$(value "other$with" lttng_ust_statedump:start) $(value "other$with" shop:sale)" = '0 1'
	end_program
done
check 'the_helper_and_the_library_tell_the_same' \
	test "$(grep '^state ' young.summary | grep -v libtacho-libs)" = \
	"$(grep '^state ' young_with_the_helper.summary | grep -v libtacho-libs)"

# ---- killed, and a program that starts during the session

start_program
session killed shop:\* lttng_ust_statedump:\*
order second
kill -KILL "$program"
wait "$program" 2>/dev/null
check 'the_session_of_a_killed_program_ends' end_session killed
check 'what_it_told_is_there' test "$(value killed "state $TMP/program")" = 1
check 'and_its_event' test "$(value killed shop:sale)" = 1

session during shop:\* lttng_ust_statedump:\*
echo sale | "$TMP/program" >/dev/null
end_session during
check 'a_program_that_starts_later_tells_as_well' test "$(value during "state $TMP/program")" = 1
check 'and_once' test "$(value during lttng_ust_statedump:start)" = 1
"$TACHO" record -o "$TMP/all.trace" -- sh -c "echo sale | $TMP/program" >/dev/null 2>&1
"$TACHO" view --json "$TMP/all.trace" 2>/dev/null >all.json
check 'who_asks_for_everything_does_not_ask_for_this' test "$(grep -c statedump all.json)" = 0

# ---- once more: in each chunk, and when it is asked for

for helper in '' "$TACHO_BUILD/preload/libtacho-libs.so"; do
	with=${helper:+_with_the_helper}
	start_program ${helper:+"LD_PRELOAD=$helper"}
	order "$TMP/liblate.so"
	session "turned$with" shop:\* lttng_ust_statedump:\*
	order second
	check "a_chunk_is_archived$with" "$TACHO" rotate "turned$with"
	order third
	order fourth
	check "the_last_chunk_ends$with" end_session "turned$with" /ust
	check "it_has_what_came_after_the_rotation$with" test "$(value "turned$with" shop:sale)" = 2
	check "it_begins_with_what_is_loaded$with" \
		test "$(first_event "turned$with")" = lttng_ust_statedump:start
	check "it_tells_that_once$with" test "$(value "turned$with" lttng_ust_statedump:end)" = 1
	check "and_wholly$with" test "$(value "turned$with" "state $TMP/liblate.so")" = 1

	session "asked$with" shop:\* lttng_ust_statedump:\*
	order fifth
	"$TACHO" regenerate statedump -s "asked$with" >"$TMP/out"
	check "who_asks_is_told_what_happens$with" has "$TMP/out" 'before its next event'
	order sixth
	order seventh
	end_session "asked$with"
	check "a_program_says_it_again_when_it_is_asked_to$with" \
		test "$(value "asked$with" lttng_ust_statedump:start)" = 2
	end_program
done

# ---- in each snapshot, from a channel that does not overwrite

start_program
"$TACHO" create flight --snapshot -o "$TMP/flight" >/dev/null
"$TACHO" enable-event shop:\* >/dev/null
"$TACHO" enable-channel --discard dump >/dev/null
"$TACHO" enable-event -c dump 'lttng_ust_statedump:*' >/dev/null
"$TACHO" start >/dev/null
for snapshot in first second; do
	order sale
	"$TACHO" snapshot record -n "$snapshot" >/dev/null
	"$TACHO" view --json "$TMP/flight/$snapshot"* 2>/dev/null >"$snapshot.json"
	python3 "$summary" <"$snapshot.json" >"$snapshot.summary"
	check "the_${snapshot}_snapshot_has_what_is_loaded" \
		test "$(value "$snapshot" "state $TMP/program")" = 1
	check "and_before_the_events_of_the_$snapshot" \
		test "$(first_event "$snapshot")" = lttng_ust_statedump:start
done
"$TACHO" destroy flight >/dev/null
end_program
