#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Programs instrumented with <lttng/tracepoint.h>, built only by what `make install` puts into
# lib/tacho/lttng-compat: what they record, in which dialects, and how they are linked.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
need meson pkg-config gcc g++

data=$TACHO_SOURCE/tests/data/lttng
root=$TMP/root
DESTDIR=$root meson install -C "$TACHO_BUILD" --no-rebuild --quiet >"$TMP/out" 2>&1 ||
	{ not_ok 'meson_installs_into_destdir' 'see the messages'; show "$TMP/out"; exit 1; }
prefix=$(dirname "$(dirname "$(find "$root" -type d -path '*/include/tacho')")")
compat=$prefix/lib/tacho/lttng-compat
export PKG_CONFIG_PATH=$compat/pkgconfig LD_LIBRARY_PATH=$prefix/lib
cflags="$(pkg-config --cflags lttng-ust) -I$data"
libs=$(pkg-config --libs lttng-ust)

quietly() # COMMAND..: its output is shown when it fails
{
	"$@" >"$TMP/out" 2>&1 && return 0
	show "$TMP/out"
	return 1
}

build() # OUTPUT COMPILER OPTION..
{
	local output=$1 compiler=$2
	shift 2
	# shellcheck disable=SC2086
	quietly "$compiler" -O2 $cflags -o "$output" "$@" $libs
}

record() # TRACE PROGRAM ARGUMENT..; the options of the recording are in $options
{
	local trace=$1
	shift
	# shellcheck disable=SC2086
	expect_exit 0 "$TACHO" record -o "$trace" ${options:-} -- "$@" &&
		"$TACHO" view "$trace" >"$trace.text"
}

# ---- what is recorded ----

each_field_is_recorded() # COMPILER OPTION..
{
	local compiler=$1
	shift
	rm -rf "$TMP/trace"
	build "$TMP/everything" "$compiler" "$@" && record "$TMP/trace" "$TMP/everything" || return
	# Without times and threads, and without the folder of the source.
	sed -e 's/^.*\(every:\|lttng_ust_\)/\1/; t' -e d "$TMP/trace.text" |
		sed 's|"/.*/everything|"everything|' >"$TMP/seen"
}
check 'a program in C is recorded' each_field_is_recorded gcc "$data/everything.c"
cp "$TMP/seen" "$TMP/seen-c"
check 'a program in C++ is recorded' each_field_is_recorded g++ -x c++ "$data/everything.c" -x none
same 'C and C++ record the same' "$TMP/seen-c" "$TMP/seen"
same 'each kind of field is what it should be' "$data/everything.txt" "$TMP/seen-c"

labels_are_seen()
{
	rm -rf "$TMP/trace"
	build "$TMP/labels" gcc "$data/labels.c" && record "$TMP/trace" "$TMP/labels" || return
	sed 's/^.*labels:/labels:/' "$TMP/trace.text" >"$TMP/seen"
}
check 'labels beyond the integers of their fields are recorded' labels_are_seen
same 'a label names what its values become there' "$data/labels.txt" "$TMP/seen"
babeltrace_sees_labels()
{
	expect_exit 0 babeltrace2 "$TMP/trace" && has "$TMP/out" \
		'n = -1, u32 = ( "around" : container = 4294967295 ), u8 = ( "around" : container = 255 )'
}
if command -v babeltrace2 >/dev/null; then
	check 'babeltrace2 sees them' babeltrace_sees_labels
else
	skip 'babeltrace2 sees them' 'babeltrace2 is not installed'
fi

wide_text_is_numbers() # COMPILER OPTION..
{
	local compiler=$1
	shift
	rm -rf "$TMP/trace"
	build "$TMP/wide" "$compiler" "$@" "$data/wide.c" -x none && record "$TMP/trace" "$TMP/wide" &&
		has "$TMP/trace.text" \
			'array = [ 97, 98 ], sequence = [ 97, 98, 99 ], bytes = "abc", behind = 7'
}
check 'text of wide characters is recorded as numbers' wide_text_is_numbers gcc -x c
check 'in C++, too' wide_text_is_numbers g++ -x c++

# ---- how it is linked ----

check 'a static program is recorded' each_field_is_recorded gcc -static "$data/everything.c"
check 'a program optimized as a whole is recorded' each_field_is_recorded gcc -flto "$data/everything.c"
check 'sites and probes may be in two units' \
	each_field_is_recorded gcc -DONLY_SITES "$data/everything.c" "$data/probes.c"
same 'which makes no difference' "$TMP/seen-c" "$TMP/seen"

a_library_has_the_events() # OPTION..: of the program
{
	rm -rf "$TMP/trace"
	build "$TMP/liblibrary.so" gcc -fPIC -shared "$data/library.c" &&
		build "$TMP/user" gcc "$@" "$data/user.c" "$TMP/liblibrary.so" &&
		record "$TMP/trace" "$TMP/user" && [ "$(grep -c every:mother "$TMP/trace.text")" = 2 ]
}
check 'a program uses the events of a library' a_library_has_the_events -fPIC
check 'also by a copy of them in itself' a_library_has_the_events -fno-pie -no-pie
check 'also where its symbols are exported' a_library_has_the_events -fPIC -rdynamic

probes_come_and_go() # OPTION..: of the program
{
	rm -rf "$TMP/trace"
	# shellcheck disable=SC2086
	quietly gcc -O2 $cflags "$@" -o "$TMP/host" "$data/host.c" -ldl &&
		build "$TMP/probes.so" gcc -fPIC -shared "$data/probes.c" &&
		record "$TMP/trace" "$TMP/host" "$TMP/probes.so" 20 &&
		[ "$(grep -c every:mother "$TMP/trace.text")" = 20 ]
}
check 'probes come by dlopen and go by dlclose' probes_come_and_go
check 'also where the program exports its symbols' probes_come_and_go -rdynamic
check 'a program without its probes runs' quietly "$TMP/host" none 0
whole_plugins_serve_too()
{
	rm -rf "$TMP/trace"
	build "$TMP/whole.so" gcc -fPIC -shared "$data/library.c" &&
		record "$TMP/trace" "$TMP/host" "$TMP/whole.so" 3 &&
		[ "$(grep -c every:mother "$TMP/trace.text")" = 3 ]
}
check 'probes with events of their own serve an exporting program, too' whole_plugins_serve_too
preloaded_probes_serve()
{
	rm -rf "$TMP/trace"
	options='-e every:mother' record "$TMP/trace" env LD_PRELOAD="$TMP/probes.so" "$TMP/host" none 0
	[ "$(grep -c every:mother "$TMP/trace.text")" = 1 ]
}
rm -f "$TMP/host"
# It ends with 1 when it finds its event on: that is what is asked here.
sed 's/return use(2 \* rounds);/return use(2 * rounds) ? 0 : 5;/' "$data/host.c" >"$TMP/host.c"
# shellcheck disable=SC2086
quietly gcc -O2 $cflags -o "$TMP/host" "$TMP/host.c" -ldl
check 'probes may be preloaded' preloaded_probes_serve

# ---- sites in the unit of their probes ----

a_site_is_native_code() # COMPILER OPTION..
{
	local compiler=$1
	shift
	# shellcheck disable=SC2086
	quietly "$compiler" -O2 $cflags "$@" -DVERSION=1 -DCALL=call -S -o "$TMP/two.s" "$data/two.c" ||
		return
	sed -n '/^\(call\|_Z4calli\):/,/\.size/p' "$TMP/two.s" >"$TMP/call.s"
	has "$TMP/call.s" tacho_emit_parts && ! grep -q 'strlen\|tacho_lttng_put' "$TMP/call.s"
}
for compiler in gcc clang g++ clang++; do
	language=c
	case $compiler in *++) language=c++ ;; esac
	if command -v "$compiler" >/dev/null; then
		check "a site behind its probes is a native event's code: $compiler" \
			a_site_is_native_code "$compiler" -x "$language"
	else
		skip "a site behind its probes is a native event's code: $compiler" 'not installed'
	fi
done

# The symbols of the second library are those of the first.
two_versions_meet() # OPTION..
{
	local version
	rm -rf "$TMP/trace"
	for version in 1 2; do
		build "$TMP/libtwo$version.so" gcc -fPIC -shared "-DVERSION=$version" \
			"-DCALL=call$version" "$@" "$data/two.c" || return
	done
	printf '%s\n' 'void call1(int); void call2(int);' \
		'int main(void) { call1(1); call2(2); return 0; }' >"$TMP/two-main.c"
	build "$TMP/two" gcc "$TMP/two-main.c" -L"$TMP" -ltwo1 -ltwo2 "-Wl,-rpath,$TMP" &&
		record "$TMP/trace" "$TMP/two" &&
		has "$TMP/trace.text" 'two:order name = "literal", id = 2' &&
		[ "$(grep -c 'two:one name = "text"' "$TMP/trace.text")" = 2 ]
}
check 'a library that meets an older one of it records by its description' two_versions_meet
check 'also where it is not optimized' two_versions_meet -O0

# ---- templates of C++ ----

templates_are_recorded() # COMPILER OPTION..
{
	rm -rf "$TMP/trace"
	build "$TMP/templates" "$@" && record "$TMP/trace" "$TMP/templates" &&
		sed -n 's/^.*store:/store:/p' "$TMP/trace.text" >"$TMP/seen"
}
for compiler in g++ clang++; do
	if ! command -v "$compiler" >/dev/null; then
		skip "sites in templates and lambdas are recorded: $compiler" 'not installed'
		continue
	fi
	"$compiler" -DPROBES=0 -std=c++14 -O2 $cflags -c -o "$TMP/probes.o" "$data/templates.cpp"
	check "sites in templates and lambdas are recorded: $compiler" \
		templates_are_recorded "$compiler" -std=c++14 -DPROBES=1 "$data/templates.cpp"
	same "with what they call: $compiler" "$data/templates.txt" "$TMP/seen"
	check "also with probes in another unit: $compiler" \
		templates_are_recorded "$compiler" -std=c++14 "$data/templates.cpp" "$TMP/probes.o"
	same "which makes no difference: $compiler" "$data/templates.txt" "$TMP/seen"
done

# ---- filters ----

filters_see_what_is_hidden()
{
	rm -rf "$TMP/trace"
	build "$TMP/everything" gcc "$data/everything.c" || return
	expect_exit 0 "$TACHO" record -o "$TMP/trace" -e 'every:hidden' --filter 'secret == "open"' -- \
		"$TMP/everything" || return
	"$TACHO" view "$TMP/trace" >"$TMP/trace.text"
	[ "$(grep -c every:hidden "$TMP/trace.text")" = 1 ] && ! grep -q secret "$TMP/trace.text"
}
check 'a filter sees fields that are not written' filters_see_what_is_hidden

# ---- templates and build systems ----

cat >"$TMP/made.tp" <<'END'
# a comment
LTTNG_UST_TRACEPOINT_EVENT(made, event, LTTNG_UST_TP_ARGS(int, n),
	LTTNG_UST_TP_FIELDS(lttng_ust_field_integer(int, n, n)))
END
cat >"$TMP/use.c" <<'END'
#include "made.h"
int main(void)
{
	lttng_ust_tracepoint(made, event, 42);
	return 0;
}
END
a_template_is_built()
{
	rm -rf "$TMP/trace"
	# The folder of the headers is found from where the command is.
	quietly "$compat/bin/lttng-gen-tp" "$TMP/made.tp" && build "$TMP/use" gcc -I. use.c made.o &&
		record "$TMP/trace" "$TMP/use" && has "$TMP/trace.text" made:event
}
a_header_is_in_a_folder() # OPTION..
{
	local folder=some/folder
	mkdir -p "$TMP/some/folder"
	if [ "$1" = "$TMP" ]; then
		folder=$TMP/some/folder
		shift
	fi
	quietly "$compat/bin/lttng-gen-tp" -o "$folder/made.h" -o "$folder/made.c" "$TMP/made.tp" || return
	sed "s|made.h|$folder/made.h|" "$TMP/use.c" >"$TMP/use-folder.c"
	build "$TMP/use" gcc "$@" use-folder.c "$folder/made.c"
}
if command -v python3 >/dev/null; then
	check 'a template is made header, source and object' a_template_is_built
	check 'a header in another folder is found by its path' a_header_is_in_a_folder -I.
	check 'and by its name' a_header_is_in_a_folder -I. -Isome/folder
	check 'and by its whole path' a_header_is_in_a_folder "$TMP"
	check 'a template without events is refused' \
		expect_exit 1 "$compat/bin/lttng-gen-tp" "$data/../../../LICENSE"
else
	skip 'lttng-gen-tp' 'python3 is not installed'
fi

cmake_finds_it()
{
	mkdir -p "$TMP/cmake" && cp "$data/everything.c" "$data/everything.h" "$TMP/cmake"
	cat >"$TMP/cmake/CMakeLists.txt" <<-'END'
	cmake_minimum_required(VERSION 3.18)
	project(everything C)
	find_package(LTTngUST REQUIRED)
	include_directories(${CMAKE_SOURCE_DIR})
	add_executable(everything everything.c)
	target_link_libraries(everything LTTng::UST)
	END
	quietly cmake -S "$TMP/cmake" -B "$TMP/cmake/build" -DCMAKE_PREFIX_PATH="$compat" &&
		quietly cmake --build "$TMP/cmake/build" && rm -rf "$TMP/trace" &&
		record "$TMP/trace" "$TMP/cmake/build/everything" && has "$TMP/trace.text" every:number
}
if command -v cmake >/dev/null; then
	check 'the module of CMake finds it' cmake_finds_it
else
	skip 'the module of CMake finds it' 'cmake is not installed'
fi

# ---- dialects ----

strict='-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wundef -Wmissing-declarations -Werror'

each_dialect() # COMPILER LANGUAGE DIALECT..
{
	local compiler=$1 language=$2 dialect
	shift 2
	command -v "$compiler" >/dev/null || { skip "dialects of $compiler" 'not installed'; return; }
	for dialect in "$@"; do
		# shellcheck disable=SC2086
		check "$compiler has nothing to say in $dialect" quietly "$compiler" -std="$dialect" \
			-x "$language" -O2 $strict $cflags -c "$data/everything.c" -o unit.o
	done
}
for compiler in gcc clang; do
	each_dialect $compiler c gnu99 gnu11 gnu17 gnu2x
done
for compiler in g++ clang++; do
	each_dialect $compiler c++ c++11 gnu++11 c++17 gnu++20
done

# ---- where events are ----

each_event_is_in_its_function() # COMPILER OPTION..: they are named alike
{
	local compiler=$1
	shift
	rm -rf "$TMP/places"
	build "$TMP/places.program" "$compiler" -g -no-pie "$@" -x none || return
	quietly "$TACHO" create -o "$TMP/places" places && quietly "$TACHO" enable-event '*' &&
		quietly "$TACHO" add-context -t ip && quietly "$TACHO" start || return
	quietly "$TMP/places.program"
	quietly "$TACHO" destroy places
	"$TACHO" view --json "$TMP/places" | sed -n \
		's/.*"event":"\([^"]*\)".*"ip":\([0-9]*\).*/\1 \2/p' >"$TMP/places.seen"
	while read -r event ip; do
		event=${event##*:}
		[ "${event#LTTNG_}" = "$event" ] || event=tracelog_info
		printf '%s is in %s\n' "$event" "$(addr2line -Cif -e "$TMP/places.program" \
			"$(printf '%#x' "$ip")" | tail -n 2 | sed 's/[.(].*//; q')"
	done <"$TMP/places.seen" | sort >"$TMP/places.found"
	[ "$(wc -l <"$TMP/places.found")" = 24 ] && ! grep -Ev '^(.*) is in \1$' "$TMP/places.found"
}
if command -v addr2line >/dev/null; then
	for compiler in gcc g++ clang; do
		command -v $compiler >/dev/null || continue
		language=c
		[ $compiler != g++ ] || language=c++
		for level in -O0 -O2; do
			# shellcheck disable=SC2086
			quietly $compiler $cflags $level -x $language -DONLY_PROBES -c \
				-o "$TMP/places.o" "$data/places.c"
			check "ip is in the site's function, probes in another unit: $compiler $level" \
				each_event_is_in_its_function $compiler $level "$TMP/places.o" \
				-x $language "$data/places.c"
			check "and with probes in the same: $compiler $level" \
				each_event_is_in_its_function $compiler $level -DPROBES \
				-x $language "$data/places.c"
		done
	done
else
	skip 'ip is in the function of the site' 'addr2line is not installed'
fi

# ---- mistakes ----

says() # WORDS DECLARATION [COMPILER..]: what a wrong declaration is answered with
{
	local words=$1 compiler
	printf '%s\n' "$2" >"$TMP/declaration"
	sed -e "/^DECLARATION/{ r $TMP/declaration" -e 'd; }' "$data/wrong/template.h" >"$TMP/template.h"
	printf '%s\n' '#define TRACEPOINT_CREATE_PROBES' '#define TRACEPOINT_DEFINE' \
		'#include "template.h"' >"$TMP/unit.c"
	shift 2
	[ $# -gt 0 ] || set -- gcc g++ clang
	for compiler; do
		command -v "$compiler" >/dev/null || continue
		# shellcheck disable=SC2086
		"$compiler" $cflags -I"$TMP" -c "$TMP/unit.c" -o unit.o 2>"$TMP/err" && return 1
		has "$TMP/err" "$words" || return
	done
}
check 'an argument without a name is refused with words' says 'TP_ARGS() takes pairs' \
	'TRACEPOINT_EVENT(wrong, e, TP_ARGS(int, a, int), TP_FIELDS())'
check 'a level that is none is refused with words' says 'a level is one from' \
	'TRACEPOINT_EVENT(wrong, e, TP_ARGS(), TP_FIELDS()) TRACEPOINT_LOGLEVEL(wrong, e, 15)'
check 'an instance with other arguments is refused with words' \
	says 'the arguments of an instance have the types of its class' \
	'TRACEPOINT_EVENT_CLASS(wrong, c, TP_ARGS(int, a), TP_FIELDS())
	TRACEPOINT_EVENT_INSTANCE(wrong, c, e, TP_ARGS(long, a))'
check 'an event of another provider is refused with words' says 'is the one that TRACEPOINT_PROVIDER names' \
	'TRACEPOINT_EVENT(other, e, TP_ARGS(int, a), TP_FIELDS())'
check 'an integer field of a float is refused with words' says 'for float and double there is ctf_float()' \
	'TRACEPOINT_EVENT(wrong, e, TP_ARGS(float, a), TP_FIELDS(ctf_integer_hex(float, a, a)))'
check 'an integer of 128 bits is refused with words' says 'an integer type of up to 64 bits' \
	'TRACEPOINT_EVENT(wrong, e, TP_ARGS(int, a), TP_FIELDS(ctf_integer_nowrite(__int128, a, a)))'
check 'an enumeration of a double is refused with words' says 'ctf_enum() take an integer type' \
	'TRACEPOINT_ENUM(wrong, labels, TP_ENUM_VALUES(ctf_enum_value("one", 1)))
	TRACEPOINT_EVENT(wrong, e, TP_ARGS(double, a), TP_FIELDS(ctf_enum(wrong, labels, double, a, a)))'
check 'elements that are too large are refused with words' says 'the elements of an array or a sequence are' \
	'TRACEPOINT_EVENT(wrong, e, TP_ARGS(long double *, a), TP_FIELDS(ctf_array(long double, a, a, 2)))'
check 'a length that is no integer is refused with words' says 'the length of a sequence is of an integer' \
	'TRACEPOINT_EVENT(wrong, e, TP_ARGS(int *, a, int, n),
		TP_FIELDS(ctf_sequence(int, a, a, float, n)))'
check 'a string that is a number is refused with words' says 'takes a pointer to text, not a number' \
	'TRACEPOINT_EVENT(wrong, e, TP_ARGS(int, a), TP_FIELDS(ctf_string(a, a)))'
check 'a string that is an enumeration is refused with words' says 'takes a pointer to text, not a number' \
	'TRACEPOINT_EVENT(wrong, e, TP_ARGS(enum lttng_ust_tracepoint_loglevel, a),
		TP_FIELDS(ctf_string_nowrite(a, a)))'
for field in 'ctf_array(int, a, a, 2)' 'ctf_array_text(char, a, a, 2)' 'ctf_sequence_hex(int, a, a, int, 2)' \
	'ctf_sequence_text(char, a, a, int, 2)'; do
	check "a number is no pointer to elements: $field" \
		says 'takes a pointer to its elements, not a number' \
		"TRACEPOINT_EVENT(wrong, e, TP_ARGS(int, a), TP_FIELDS($field))"
done
an_unknown_field_is_one_error() # FIELDS
{
	local compiler
	for compiler in gcc g++ clang; do
		command -v "$compiler" >/dev/null || continue
		says 'tacho: TP_FIELDS() knows no such field: ctf_intger(' \
			"TRACEPOINT_EVENT(wrong, e, TP_ARGS(int, a, const char *, s), TP_FIELDS($1))" \
			"$compiler" && [ "$(grep -c 'error: ' "$TMP/err")" = 1 ] ||
			{ show "$TMP/err"; return 1; }
	done
}
two_of_a_name_are_first_told_in_words()
{
	local compiler
	for compiler in gcc g++ clang; do
		command -v "$compiler" >/dev/null || continue
		says 'tacho: the event wrong___e is declared twice' \
			'TRACEPOINT_EVENT(wrong, e, TP_ARGS(int, a), TP_FIELDS())
			TRACEPOINT_EVENT(wrong, e, TP_ARGS(int, a), TP_FIELDS())' "$compiler" &&
			grep -m 1 'error: ' "$TMP/err" | grep -q 'declared twice' ||
			{ show "$TMP/err"; return 1; }
	done
}
check 'an event that is declared twice is refused, first with words' two_of_a_name_are_first_told_in_words
check 'a field macro that is none is refused with words, and once' \
	an_unknown_field_is_one_error 'ctf_intger(int, a, a)'
check 'also between others' \
	an_unknown_field_is_one_error 'ctf_integer(int, a, a) ctf_intger(int, b, a) ctf_string(s, s)'
check 'also as the last' an_unknown_field_is_one_error \
	'ctf_string(s, s) ctf_unused(a) ctf_integer_nowrite(int, a, a) ctf_intger(int, b, a)'
cat >"$TMP/texts.h" <<'END'
#pragma once
struct quiet { operator const char *() const { return "q"; } };
struct loud { explicit operator const char *() const { return "l"; } };
END
whatever_is_text_compiles()
{
	! says 'error' '#include "texts.h"
		TRACEPOINT_EVENT(wrong, e, TP_ARGS(quiet, q, const loud &, l, const unsigned char *, u,
			const char *const &, a, volatile char *, v), TP_FIELDS(ctf_string(q, q)
			ctf_string(l, l) ctf_string(u, u) ctf_string(a, a) ctf_string(v, v)
			ctf_string(n, NULL) ctf_string(p, nullptr)))' g++ && [ -s unit.o ]
}
check 'whatever is text in C++ compiles' whatever_is_text_compiles
many=$(printf 'int, a%s, ' $(seq 33))
check 'more than 32 arguments are refused with words' says 'an event has at most 32 arguments' \
	"TRACEPOINT_EVENT(wrong, e, TP_ARGS(${many%, }), TP_FIELDS())"
