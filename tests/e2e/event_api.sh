#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# <tacho/event.h> in each dialect, code model and linker: the cases of tests/unit/event_api.c and of
# tests/data/event_api/cases.cpp, against a libtacho that remembers.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
need gcc g++

data=$TACHO_SOURCE/tests/data/event_api
cases=$TACHO_SOURCE/tests/unit/event_api.c
includes="-I$data/alone -I$TACHO_SOURCE -I$TACHO_SOURCE/include -I$TACHO_SOURCE/tests"
strict='-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wcast-qual -Wundef
	-Wwrite-strings -Werror'
strict_c='-Wc++-compat -Wstrict-prototypes -Wmissing-prototypes -Wbad-function-cast'
strict_gcc='-Wduplicated-branches -Wduplicated-cond -Wlogical-op'
strict_cxx='-Wold-style-cast -Wzero-as-null-pointer-constant -Wextra-semi'

has_compiler() { command -v "$1" >/dev/null; }
# clang's runtime for them is a package of its own.
has_sanitizers()
{
	echo "int main(void) { return 0; }" | "$1" -x c -fsanitize=address,undefined - -o sane 2>/dev/null
}

quietly() # COMMAND..: its output is shown when it fails
{
	"$@" >"$TMP/out" 2>&1 && return 0
	show "$TMP/out"
	return 1
}

each_dialect() # COMPILER SOURCE DIALECT..
{
	local compiler=$1 source=$2 options="$strict $strict_c" dialect
	shift 2
	[ "$source" = dialect.c ] || options="$strict $strict_cxx"
	case $compiler in clang*) ;; *) options="$options $strict_gcc" ;; esac
	has_compiler "$compiler" || { skip "dialects of $compiler" 'not installed'; return; }
	for dialect in "$@"; do
		# shellcheck disable=SC2086
		check "$compiler has nothing to say in $dialect" \
			quietly "$compiler" -std="$dialect" -O2 $options $includes \
			-c "$data/$source" -o unit.o
	done
}

c_works() # COMPILER OPTION..
{
	local compiler=$1
	shift
	# shellcheck disable=SC2086
	quietly "$compiler" -std=gnu17 -D_GNU_SOURCE $includes "$@" "$cases" -o c-cases &&
		quietly ./c-cases
}

cxx_works() # COMPILER OPTION..
{
	local compiler=$1
	shift
	# shellcheck disable=SC2086
	quietly "$compiler" $includes "$@" "$data/cases.cpp" "$data/second.cpp" -o cxx-cases &&
		quietly ./cxx-cases
}

plugin_works() # COMPILER OPTION..
{
	local compiler=$1
	shift
	# shellcheck disable=SC2086
	quietly "$compiler" $includes "$@" -fPIC -shared "$data/plugin.cpp" -o plugin.so &&
		cxx_works "$compiler" "$@" -DTACHO_TEST_PLUGIN='"./plugin.so"' -rdynamic
}

each_model() # C-COMPILER C++-COMPILER
{
	local cc=$1 cxx=$2
	has_compiler "$cxx" || { skip "code models of $cxx" 'not installed'; return; }
	check "$cc C unoptimized, position independent executable" c_works "$cc" -O0 -fPIE -pie
	check "$cc C optimized for speed, at a fixed address" c_works "$cc" -O3 -fno-pie -no-pie
	check "$cc C optimized for size, static" c_works "$cc" -Os -static
	check "$cc C whole program" c_works "$cc" -O2 -flto
	if has_sanitizers "$cc"; then
		check "$cc C with sanitizers" c_works "$cc" -O1 -fsanitize=address,undefined \
			-fno-sanitize-recover=all
	else
		skip "$cc C with sanitizers" 'their runtime is not installed'
	fi
	check "$cxx C++11 unoptimized, position independent code" cxx_works "$cxx" -std=c++11 -O0 -fPIC
	check "$cxx C++14 for speed, at a fixed address, hidden" cxx_works "$cxx" -std=c++14 -O3 -fno-pie \
		-no-pie -fvisibility=hidden
	check "$cxx C++17 whole program" cxx_works "$cxx" -std=c++17 -O2 -flto
	check "$cxx C++20 without unused sections, static" cxx_works "$cxx" -std=c++20 -O2 -static \
		-ffunction-sections -fdata-sections -Wl,--gc-sections
	if has_sanitizers "$cxx"; then
		check "$cxx C++17 with sanitizers" cxx_works "$cxx" -std=c++17 -O1 \
			-fsanitize=address,undefined -fno-sanitize-recover=all
	else
		skip "$cxx C++17 with sanitizers" 'their runtime is not installed'
	fi
	check "$cxx plugin, unoptimized" plugin_works "$cxx" -O0
	check "$cxx plugin, optimized" plugin_works "$cxx" -O2
}

each_linker()
{
	local linker
	for linker in bfd gold lld; do
		has_compiler "ld.$linker" || { skip "linked by $linker" 'not installed'; continue; }
		check "linked by $linker without unused sections" c_works gcc -O2 -fuse-ld="$linker" \
			-ffunction-sections -fdata-sections -Wl,--gc-sections
		check "plugin linked by $linker without unused sections" plugin_works g++ -O2 \
			-fuse-ld="$linker" -ffunction-sections -fdata-sections -Wl,--gc-sections
	done
}

links_without_events()
{
	local options
	cat >none.c <<'END'
#include <tacho/event.h>
#include "event_api_fake.h"
int main(void) { return fake.event_count; }
END
	for options in '-O0' '-O2 -static' '-O2 -fPIC -pie' '-fuse-ld=gold'; do
		# shellcheck disable=SC2086
		quietly gcc $includes -I"$TACHO_SOURCE/tests/unit" $options none.c -o none || return 1
		quietly ./none || return 1
	done
}

on_aarch64() # OPTION..
{
	# shellcheck disable=SC2086
	quietly aarch64-linux-gnu-gcc -std=gnu17 -D_GNU_SOURCE $includes "$@" -static "$cases" \
		-o arm-cases && quietly qemu-aarch64 ./arm-cases
}

as_shared_code() # COMPILER..: position independent code assembles
{
	# shellcheck disable=SC2086
	quietly "$@" -std=gnu17 -O2 -fPIC $includes -c "$data/dialect.c" -o unit.o
}

# What a site costs: one u32 is a load, a load, a test; and to record it, moves and a tail call.
one_integer_needs_no_stack() # COMPILER
{
	# shellcheck disable=SC2086
	quietly "$1" -O2 -fcf-protection=none $includes -S "$data/dialect.c" -o unit.s || return 1
	sed -n '/^one:/,/size[[:space:]]*one/p' unit.s |
		sed '/pushsection/,/popsection/d' |
		grep -E '^[[:space:]]+[a-z]' >one
	grep -q 'jmp[[:space:]]*\*\?tacho_emit_word' one && ! grep -q 'sp\b' one &&
		[ "$(wc -l <one)" -le 9 ] && return 0
	show one
	return 1
}

nothing_is_initialized_at_run_time() # COMPILER
{
	# shellcheck disable=SC2086
	quietly "$1" -O0 $includes -S "$data/dialect.cpp" -o unit.s || return 1
	! grep -E '__cxa_guard|_GLOBAL__sub_I' unit.s
}

refused() # NAME WORDS STATEMENT: by all compilers, with these words
{
	local compiler
	cat >wrong.c <<END
#include <tacho/event.h>
struct s { int m; };
void f(int x, struct s s, const char *k);
void f(int x, struct s s, const char *k)
{
	(void)x; (void)s; (void)k;
	$3;
}
END
	for compiler in "gcc -x c" "g++ -x c++" "clang -x c" "clang++ -x c++"; do
		has_compiler "${compiler%% *}" || continue
		# shellcheck disable=SC2086
		if $compiler $includes -fsyntax-only wrong.c 2>err; then
			not_ok "$1" "$compiler accepts: $3"
			return
		fi
		has err "$2" || { not_ok "$1" "$compiler does not say so: $3"; return; }
	done
	ok "$1"
}

# Dialects that are too old: one error that tells what is needed comes first.
too_old() # COMPILER..
{
	# shellcheck disable=SC2086
	! "$@" $includes -fsyntax-only "$data/dialect.c" >out 2>&1 &&
		grep error out | head -1 | grep -q 'Tacho needs C11 or C++11' && return 0
	show out
	return 1
}

each_old_dialect() # C-COMPILER C++-COMPILER
{
	local dialect
	has_compiler "$2" || { skip "old dialects of $1" 'not installed'; return; }
	for dialect in c89 gnu89 c99; do
		check "$1 says what it needs in $dialect" too_old "$1" -std="$dialect"
	done
	check "$2 says what it needs in c++98" too_old "$2" -x c++ -std=c++98
	check "$1 works in gnu99" c_works "$1" -std=gnu99
}

each_dialect gcc dialect.c c11 gnu11 gnu17 gnu2x
each_dialect clang dialect.c c11 gnu11 gnu17 gnu2x
each_dialect g++ dialect.cpp c++11 c++14 gnu++17 c++20
each_dialect clang++ dialect.cpp c++11 c++14 gnu++17 c++20
each_old_dialect gcc g++
each_old_dialect clang clang++
each_model gcc g++
each_model clang clang++
each_linker
check 'a unit without events links' links_without_events

if has_compiler aarch64-linux-gnu-gcc && has_compiler qemu-aarch64; then
	check 'aarch64 unoptimized' on_aarch64 -O0
	check 'aarch64 optimized, position independent' on_aarch64 -O2 -fPIC
	check 'aarch64 shared code' as_shared_code aarch64-linux-gnu-gcc
else
	skip 'aarch64' 'no cross compiler or no qemu-aarch64'
fi

if [ "$(uname -m)" = x86_64 ]; then
	check 'an integer is recorded without the stack (gcc)' one_integer_needs_no_stack gcc
	! has_compiler clang ||
		check 'an integer is recorded without the stack (clang)' one_integer_needs_no_stack clang
else
	skip 'an integer is recorded without the stack' 'not x86-64'
fi

check 'events are initialized by g++' nothing_is_initialized_at_run_time g++
! has_compiler clang++ ||
	check 'events are initialized by clang++' nothing_is_initialized_at_run_time clang++

# The manual knows each macro, under its name, and each level.
manual=$TACHO_SOURCE/doc/man/tacho_event.3.scd

macros_have_manual_pages()
{
	local macro
	sed -n 's/^#define \(tacho_[a-z_]*\|TACHO_SPAN\)(.*/\1/p' \
		"$TACHO_SOURCE"/include/tacho/event{,-c}.h | sort -u >macros
	has macros tacho_array || return 1
	while read -r macro; do
		grep -A3 '^# NAME' "$manual" | grep -qw "$macro" || return 1
		[ "$macro" = tacho_event ] ||
			has "$TACHO_SOURCE/doc/man/meson.build" "'$macro'" || return 1
	done <macros
}

levels_are_in_the_manual()
{
	local level number
	sed -n 's/^\t\(TACHO_LEVEL_[A-Z_]*\) = \([0-9]*\),.*/\1 \2/p' \
		"$TACHO_SOURCE/format/record.h" | grep -v LEVEL_MAX >levels
	[ "$(wc -l <levels)" = 15 ] || return 1
	while read -r level number; do
		grep -Eq "^$level +$number " "$manual" || return 1
	done <levels
}

# Of what an event costs that nobody records: what one_integer_needs_no_stack sees.
the_same_cost_is_named_everywhere()
{
	local file
	for file in README.md doc/guide/instrumenting.md doc/man/tacho_event.3.scd \
			include/tacho/event.h; do
		tr -s ' *\n' ' ' <"$TACHO_SOURCE/$file" |
			grep -qi 'two loads, a compare and a branch that is not taken' ||
			{ echo "$file" >out; show out; return 1; }
	done
}

check 'each macro has a manual page' macros_have_manual_pages
check 'the levels are in the manual' levels_are_in_the_manual
check 'the same cost is named everywhere' the_same_cost_is_named_everywhere

long=$(printf 'n%.0s' {1..256})
pairs=$(printf '"k%d", 1, ' {1..17})
refused 'a value without a key is refused' 'come in pairs' 'tacho_event(shop, e, "k")'
refused 'more than 16 fields are refused' 'at most 16 fields' "tacho_event(shop, e, ${pairs%, })"
refused 'a key that is no literal is refused' "key is a string literal" 'tacho_event(shop, e, k, 1)'
refused 'an event without a name is refused' 'need a name' 'tacho_event(shop, )'
refused 'a long provider is refused' 'at most 255 bytes' "tacho_event($long, e)"
refused 'a long event is refused' 'at most 255 bytes' "tacho_event(shop, $long)"
refused 'a long key is refused' 'at most 255 bytes' "tacho_event(shop, e, \"$long\", 1)"
refused 'an empty key is refused' 'needs a key' 'tacho_event(shop, e, "", 1)'
refused 'a value with a bare comma is refused' 'needs them around it' \
	'tacho_event(shop, e, "k", (int[2]){1, 2}[0])'
plain='written as identifiers are'
refused 'a quoted event is refused' "$plain" 'tacho_event(shop, "e", "k", 1)'
refused 'a quoted provider is refused' "$plain" 'tacho_event("shop", e)'
refused 'a provider with a colon is refused' "$plain" 'tacho_event(a:b, e)'
refused 'a span of two words is refused' "$plain" 'TACHO_SPAN(shop, an order)'
refused 'an event with an asterisk is refused' "$plain" 'tacho_begin(shop, e*)'
refused 'asking for a name with a colon is refused' "$plain" '(void)tacho_enabled(shop, a:b)'
for level in -1 15 99 255 256 4294967296 4294967297; do
	refused "an event of level $level is refused" 'a level is one from' \
		"tacho_event_level($level, shop, e, \"k\", 1)"
	refused "a message of level $level is refused" 'a level is one from' "tacho_log($level, \"x\")"
done
refused 'a variable level is refused' 'is a constant' 'tacho_event_level(x, shop, e)'
refused 'a message of a variable level is refused' 'is a constant' 'tacho_log(x, "x")'
no_field='tacho: no field can have this type'
refused 'a structure is refused' 'tacho: ' 'tacho_event(shop, e, "k", s)'
refused 'an integer of 128 bits is refused' "$no_field" '__int128 y = 1; tacho_event(shop, e, "k", y)'
refused 'an unsigned integer of 128 bits is refused' "$no_field" \
	'unsigned __int128 y = 1; tacho_event(shop, e, "k", y)'
refused 'a complex number is refused' "$no_field" '_Complex double y = 1; tacho_event(shop, e, "k", y)'
refused 'hexadecimal floats are refused' 'tacho_hex() takes integers' \
	'tacho_event(shop, e, "k", tacho_hex(1.5))'
refused 'hexadecimal pointers are refused' 'tacho_hex() takes integers' \
	'tacho_event(shop, e, "k", tacho_hex(&x))'
refused 'a hexadecimal integer of 128 bits is refused' "$no_field" \
	'__int128 y = 1; tacho_event(shop, e, "k", tacho_hex(y))'
refused 'a sequence of structures is refused' 'tacho_array()' \
	'tacho_event(shop, e, "k", tacho_array(&s, 1))'
refused 'a sequence of pointers is refused' 'tacho_array()' \
	'tacho_event(shop, e, "k", tacho_array(&k, 1))'
