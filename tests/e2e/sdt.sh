#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Events as SDT probes: what their notes say, and that it is true when a probe is hit.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
need gcc readelf

data=$TACHO_SOURCE/tests/data/sdt
api=$TACHO_SOURCE/tests/data/event_api
includes="-I$TACHO_SOURCE -I$TACHO_SOURCE/include"
strict='-Wall -Wextra -Wshadow -Werror'

build() # OUTPUT COMPILER OPTION..
{
	local output=$1 compiler=$2
	shift 2
	# shellcheck disable=SC2086
	"$compiler" $strict $includes -o "$output" "$@" -L"$TACHO_BUILD/lib/tracer" -ltacho \
		>"$TMP/out" 2>&1 && return 0
	show "$TMP/out"
	return 1
}

notes() # FILE: a line for each: provider, name, location, semaphore, arguments
{
	readelf -n "$1" | awk '
		/Provider:/ { provider = $2 }
		/Name:/ { name = $2 }
		/Location:/ { sub(/,$/, "", $2); location = $2; semaphore = $6 }
		/Arguments:/ { sub(/^ *Arguments: ?/, ""); print provider, name, location, semaphore, $0 }'
}

note() # FILE NAME COLUMN..
{
	notes "$1" | awk -v name="$2" '$2 == name' | cut -d' ' -f"$3"
}

symbol() # FILE NAME: its address, as a note has it
{
	readelf -sW "$1" | awk -v name="$2" '$8 == name { print "0x" $2; exit }'
}

# The places of the arguments are the compiler's choice; their number and sizes are not.
sizes_are() # FILE NAME SIZES
{
	test "$(note "$1" "$2" 5- | tr ' ' '\n' | sed -n 's/@.*//p' | tr '\n' ' ')" = "$3"
}

arguments_are_true() # FILE BOOL-SIZE BITS-SIZE
{
	sizes_are "$1" kinds "-8 8 -8 $2 8 $3 8 8 -8 8 8 8 " && sizes_are "$1" none ''
}

a_hit_has_the_values() # FILE
{
	local address arguments text list half=4602678819172646912
	address=$(note "$1" kinds 3) arguments=$(note "$1" kinds 5-)
	"$1" "$address" "$arguments" >"$TMP/hit" || return 1
	read -r _ text _ list < <(grep ^text "$TMP/hit")
	has "$TMP/hit" "hit -7 4000000000 -1 1 65534 21 $half $half -5000000000 0 $text $list" &&
		has "$TMP/hit" 'evaluated 1'
}

untraced_evaluates_nothing() # FILE
{
	"$1" >"$TMP/hit" && has "$TMP/hit" 'evaluated 0'
}

recorded_and_traced_evaluates_once() # FILE
{
	expect_exit 0 "$TACHO" record -o "$TMP/trace" -- \
		"$1" "$(note "$1" kinds 3)" "$(note "$1" kinds 5-)" &&
		has "$TMP/out" 'evaluated 1' && has "$TMP/out" 'hit -7' &&
		"$TACHO" view "$TMP/trace" >"$TMP/text" && rm -r "$TMP/trace" &&
		has "$TMP/text" 'many:kinds' && has "$TMP/text" 'many:none'
}

other_processors_are_refused()
{
	printf '#include <%s>\n' errno.h stdarg.h stddef.h stdint.h >"$TMP/other.c"
	printf '#undef __x86_64__\n#undef __aarch64__\n#include <tacho/event.h>\n' >>"$TMP/other.c"
	# shellcheck disable=SC2086
	! gcc $includes -DTACHO_SDT=1 -fsyntax-only "$TMP/other.c" 2>"$TMP/err" &&
		has "$TMP/err" 'TACHO_SDT is for x86-64 and AArch64'
}

# All that <tacho/event.h> promises holds with probes as well.
cases_pass() # COMPILER OPTION..
{
	# shellcheck disable=SC2086
	"$@" "-I$api/alone" $includes "-I$TACHO_SOURCE/tests" -DTACHO_SDT=1 -o "$TMP/cases" \
		>"$TMP/out" 2>&1 && "$TMP/cases" >"$TMP/out" 2>&1 && return 0
	show "$TMP/out"
	return 1
}

can_run=$([ "$(uname -m)" = x86_64 ] && echo yes)
while read -r compiler language options; do
	name="$compiler $options"
	command -v "$compiler" >/dev/null ||
		{ skip "probes by $name" "$compiler is not installed"; continue; }
	program=$TMP/program
	# shellcheck disable=SC2086
	check "a program with probes is built by $name" \
		build "$program" "$compiler" -x "$language" -fno-pie -no-pie $options "$data/probes.c"
	check '.. notes have provider and name' \
		test "$(notes "$program" | cut -d' ' -f1,2 | sort | tr '\n' ' ')" = 'many kinds many none '
	semaphore=$(symbol "$program" tacho_sdt.many.TACHO_N_kinds)
	check '.. the semaphore is that of the event' \
		test "$(($(note "$program" kinds 4)))" = "$((${semaphore:-1}))"
	if [ "$language" = c ]; then bits=-8; bool=-8; else bits=8; bool=8; fi
	case $compiler in clang) bits=8 ;; esac
	check '.. arguments have their sizes and signs' arguments_are_true "$program" "$bool" "$bits"
	if [ "$can_run" ]; then
		check '.. a hit has the values where the note says' a_hit_has_the_values "$program"
		check '.. values are evaluated once, also while a session records' \
			recorded_and_traced_evaluates_once "$program"
	else
		skip '.. a hit has the values where the note says' 'the test knows registers of x86-64'
	fi
done <<'END'
gcc c -O2
gcc c -O0
gcc c -O2 -std=c11 -D_GNU_SOURCE -flto
g++ c++ -O2
g++ c++ -O0 -std=gnu++11
clang c -O2
clang++ c++ -O2 -std=gnu++20
END
build "$TMP/untraced" gcc -O2 "$data/probes.c"
check 'a_probe_that_nobody_traces_evaluates_nothing' untraced_evaluates_nothing "$TMP/untraced"

# ---- several sites, objects and processors ----

cat >"$TMP/one.c" <<'END'
#include <tacho/event.h>
void SELF(void);
void SELF(void)
{
	tacho_event(many, places, "n", 1);
	tacho_event(many, places, "n", 2);
}
END
main='int main(void) { return 0; }'
# shellcheck disable=SC2086
for unit in a b; do
	gcc $includes -DTACHO_SDT=1 -DSELF=$unit -O2 -c "$TMP/one.c" -o "$TMP/$unit.o"
done
echo "$main" >"$TMP/main.c"
build "$TMP/several" gcc "$TMP/main.c" "$TMP/a.o" "$TMP/b.o"
check 'each_site_has_a_note' test "$(note "$TMP/several" places 3 | sort -u | wc -l)" = 4
check 'sites_of_a_name_share_a_semaphore' test "$(note "$TMP/several" places 4 | sort -u | wc -l)" = 1
# shellcheck disable=SC2086
gcc $includes -DSELF=a -O2 -c "$TMP/one.c" -o "$TMP/without.o"
check 'without_TACHO_SDT_there_is_no_note' test -z "$(readelf -n "$TMP/without.o" | grep stapsdt)"
check 'other_processors_are_refused_in_words' other_processors_are_refused
for level in -O0 -O2; do
	check "the_cases_of_the_API_pass_in_C_with_$level" \
		cases_pass gcc "$level" -std=gnu17 -D_GNU_SOURCE "$TACHO_SOURCE/tests/unit/event_api.c"
	if command -v g++ >/dev/null; then
		check "the_cases_of_the_API_pass_in_C++_with_$level" \
			cases_pass g++ "$level" "$api/cases.cpp" "$api/second.cpp"
	fi
done
if command -v aarch64-linux-gnu-gcc >/dev/null; then
	# shellcheck disable=SC2086
	aarch64-linux-gnu-gcc $includes -DTACHO_SDT=1 -DSELF=a -O2 -fPIC -shared -nostdlib \
		"$TMP/one.c" -o "$TMP/aarch64.so"
	check 'on_AArch64_places_are_spelled_as_there' \
		grep -qxE '(-8@\[x[0-9]+, 0\])' <(note "$TMP/aarch64.so" places 5-)
else
	skip 'on_AArch64_places_are_spelled_as_there' 'aarch64-linux-gnu-gcc is not installed'
fi

# ---- those who are to find them ----

perf_lists_them()
{
	HOME=$TMP perf buildid-cache --add "$TMP/untraced" >"$TMP/out" 2>&1 &&
		HOME=$TMP perf list sdt >"$TMP/out" 2>&1 && has "$TMP/out" 'sdt_many:kinds'
}

if ! command -v perf >/dev/null; then
	skip 'perf_lists_the_probes' 'perf is not installed'
elif ! perf version --build-options 2>/dev/null | grep -q 'libelf: .*on'; then
	skip 'perf_lists_the_probes' 'perf is built without libelf'
else
	check 'perf_lists_the_probes' perf_lists_them
fi
if ! command -v bpftrace >/dev/null; then
	skip 'bpftrace_lists_the_probes' 'bpftrace is not installed'
elif [ "$(id -u)" != 0 ]; then
	skip 'bpftrace_lists_the_probes' 'only root may run bpftrace'
else
	check 'bpftrace_lists_the_probes' \
		grep -q 'many:kinds' <(bpftrace -l "usdt:$TMP/untraced:*" 2>&1)
fi
