#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# tacho list FILE: the events that are built into executables and libraries, however they are linked,
# are those that a process tells of.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
need jq gcc

source=$TACHO_SOURCE/tests/data/list/events.c
lttng=$TACHO_SOURCE/tests/data/lttng
includes="-I$TACHO_SOURCE/include -I$TACHO_SOURCE -I$lttng"
cat >"$TMP/expected" <<'EXPECTED'
empty:event debug_line events.c:11
shop:low warning events.c:10 list float64[]
shop:order debug_line events.c:9 id int32 who string at pointer
EXPECTED

# Nothing is run, so nothing has to be there that could.
build() # OUTPUT COMPILER OPTION..
{
	local output=$1 compiler=$2
	shift 2
	# shellcheck disable=SC2086
	"$compiler" $includes -O2 -o "$output" "$@" -Wl,--unresolved-symbols=ignore-all \
		>"$TMP/out" 2>&1 || { show "$TMP/out"; return 1; }
}

events_of() # JQ-PATH: a line for each event, without the folder of its source
{
	jq -r "$1"'[] | [.provider + ":" + .name, .level, (.file | sub(".*/"; "")) + ":" + (.line | tostring),
		(.fields[] | .name, .type)] | join(" ")'
}

lists() # NAME OUTPUT COMPILER OPTION..
{
	local name=$1 output=$TMP/$2
	shift 2
	build "$output" "$@" && "$TACHO" list --json "$output" | events_of .file.events >"$TMP/actual"
	same "$name" "$TMP/expected" "$TMP/actual"
}

lists 'the_events_of_a_position_independent_program' pie gcc -fPIE -pie "$source"
lists 'of_one_that_is_not' fixed gcc -fno-pie -no-pie "$source"
lists 'of_a_static_one' static gcc -static "$source"
lists 'of_a_stripped_one' stripped gcc -s "$source"
lists 'of_a_library' library.so gcc -fPIC -shared "$source"
lists 'of_one_with_packed_relocations' packed.so gcc -fPIC -shared -Wl,-z,pack-relative-relocs "$source"
lists 'of_one_whose_relocations_are_in_place_too' place.so gcc -fPIC -shared \
	-Wl,-z,notext,--emit-relocs "$source"
lists 'of_one_without_garbage' garbage.so gcc -fPIC -shared -ffunction-sections -Wl,--gc-sections "$source"
for compiler in g++ clang aarch64-linux-gnu-gcc; do
	if ! command -v "$compiler" >/dev/null; then
		skip "of_one_made_by_$compiler" "$compiler is not installed"
	elif [ "$compiler" = g++ ]; then
		lists 'of_one_made_by_g++' cxx.so g++ -x c++ -fPIC -shared "$source"
	else
		lists "of_one_made_by_$compiler" "$compiler.so" "$compiler" -fPIC -shared -nostdlib "$source"
	fi
done

# ---- what a process tells of is the same ----

orders=$TACHO_BUILD/tests/e2e/cli_orders
mkfifo "$TMP/input"
"$orders" 1 wait <"$TMP/input" >"$TMP/orders.out" &
pid=$!
exec 9>"$TMP/input"
wait_until grep -q ready "$TMP/orders.out"
"$TACHO" list --json "$pid" | events_of '.programs[].events' | sort >"$TMP/process"
exec 9>&-
wait
"$TACHO" list --json "$orders" | events_of .file.events | sort >"$TMP/file"
check 'a_process_has_events' grep -q shop:order_placed "$TMP/process"
same 'a_process_and_its_file_have_the_same_events' "$TMP/process" "$TMP/file"

# ---- programs instrumented for LTTng ----

build "$TMP/lttng.so" gcc -fPIC -shared "$lttng/library.c"
build "$TMP/probes.so" gcc -fPIC -shared "$lttng/probes.c"
build "$TMP/host" gcc "$lttng/host.c"
for file in lttng.so probes.so; do
	"$TACHO" list --json "$TMP/$file" | jq -c '.file.events[] | del(.file, .line)' >"$TMP/$file.events"
done
check 'events_for_LTTng_are_listed' has "$TMP/lttng.so.events" \
	'"provider":"every","name":"mother","level":"debug_line","fields_elsewhere":false,"fields":[{'
same 'probes_alone_are_listed_like_whole_events' "$TMP/lttng.so.events" "$TMP/probes.so.events"
check 'what_two_have_is_there_once' \
	test "$(jq -r .name "$TMP/lttng.so.events" | sort | uniq -d | wc -l)" = 0
build "$TMP/labels.so" gcc -fPIC -shared "$lttng/labels.c"
"$TACHO" list "$TMP/labels.so" >"$TMP/text"
check 'labels_are_listed_as_they_are_declared' has "$TMP/text" \
	'u8: enum of uint8 (around = -2 to 3, least = -128, turned = 90 to 80)'
check 'fields_without_labels_have_none' grep -q ' n: int32$' "$TMP/text"
"$TACHO" list --json "$TMP/labels.so" | jq -c '.file.events[].fields[] | select(.name == "many8") | .labels' \
	>"$TMP/labels"
check 'labels_are_in_JSON_too' has "$TMP/labels" '[{"label":"many","low":100,"high":1000}]'
"$TACHO" list "$TMP/host" >"$TMP/host.text"
check 'events_without_probes_say_so' grep -q 'every:mother at .*; its level and fields are in another file$' \
	"$TMP/host.text"

# ---- which argument is a file ----

"$TACHO" list "$TMP/pie" >"$TMP/text"
check 'the_text_has_level_place_and_fields' grep -qE '^ +shop:low \(warning\) at .*events\.c:10$' "$TMP/text"
check 'and_how_many_there_are' has "$TMP/text" "$TMP/pie  3 events"
expect_case 'a_program_without_a_slash_is_a_file' 0 "$TACHO" list pie
check 'and_listed_as_one' has "$TMP/out" 'pie  3 events'
expect_exit 0 "$TACHO" create pie
expect_case 'but_a_session_of_that_name_comes_first' 0 "$TACHO" list pie
check 'which_is_shown' grep -qi 'session' "$TMP/out"
expect_case 'a_session_has_channels_a_file_has_not' 2 "$TACHO" list -c channel0 ./pie
expect_exit 0 "$TACHO" destroy pie
expect_case 'a_program_without_events_has_none' 0 "$TACHO" list "$(type -P true)"
check 'and_it_says_so' has "$TMP/out" '0 events'

# ---- what cannot be read ----

refused() # NAME FILE WORDS
{
	expect_exit 1 "$TACHO" list "$2" && has "$TMP/err" "$3" && ok "$1" && return
	not_ok "$1" 'see above'
}

refused 'a_file_that_is_not_there' ./nosuch 'No such file'
refused 'a_directory' "$TMP" 'it is not a file'
refused 'a_script' "$TACHO_SOURCE/tests/e2e/list_file.sh" 'neither an executable nor a shared library'
# shellcheck disable=SC2086
gcc $includes -c -o object.o "$source" && ar rc archive.a object.o
refused 'an_object_file' ./object.o 'the program that it is linked into'
refused 'an_archive' ./archive.a 'an archive of object files'
objcopy --only-keep-debug pie pie.debug
refused 'debugging_information' ./pie.debug 'only debugging information'
cp pie of-32-bits && printf '\001' | dd of=of-32-bits bs=1 seek=4 conv=notrunc 2>/dev/null
refused 'a_program_of_32_bits' ./of-32-bits 'it is of 32 bits'
cp pie of-other-order && printf '\002' | dd of=of-other-order bs=1 seek=5 conv=notrunc 2>/dev/null
refused 'a_program_of_the_other_byte_order' ./of-other-order 'byte order'
cp pie of-other-kind && printf '\363' | dd of=of-other-kind bs=1 seek=18 conv=notrunc 2>/dev/null
refused 'a_program_for_another_processor' ./of-other-kind 'processor number 243'
