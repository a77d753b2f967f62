#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Declarations in the manner of large projects compile without a warning in each dialect, and record the
# same however they are built.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
need cc gcc

data=$TACHO_SOURCE/tests/data/lttng/projects
include="-I$data -I$TACHO_SOURCE -I$TACHO_SOURCE/include"
warnings='-Wall -Wextra -Wpedantic -Wshadow -Werror'

compiles() # COMPILER OPTION..
{
	# shellcheck disable=SC2086
	"$@" $warnings $include -c "$data/projects.c" -o unit.o 2>cc.err && return
	show cc.err
	return 1
}

dialects() # COMPILER LANGUAGE DIALECT..
{
	local compiler=$1 language=$2 dialect
	shift 2
	for dialect; do
		if command -v "$compiler" >/dev/null; then
			check "it_compiles_with_${compiler}_as_$dialect" \
				compiles "$compiler" -O2 -x "$language" "-std=$dialect"
		else
			skip "it_compiles_with_${compiler}_as_$dialect" "$compiler is not installed"
		fi
	done
}

for compiler in gcc clang; do
	dialects $compiler c gnu99 gnu11 gnu17 gnu2x
done
for compiler in g++ clang++; do
	dialects $compiler c++ c++11 gnu++14 c++17 c++20
done

# Addresses differ each time.
without_addresses()
{
	sed 's/^[^)]*) //; s/ cb = 0x[0-9a-f]*/ cb = X/; s/arg2 = 0x[0-9a-f]*/arg2 = X/'
}

records() # NAME COMPILER OPTION..
{
	local name=$1
	shift
	# shellcheck disable=SC2086
	"$@" $warnings $include -o program >cc.err 2>&1 || {
		show cc.err
		return 1
	}
	expect_exit 0 "$TACHO" record -o "$TMP/$name.trace" -- ./program &&
		"$TACHO" view "$TMP/$name.trace" | without_addresses >"$name.txt"
}

built() # NAME COMPILER OPTION..
{
	check "it_is_recorded_when_built_$1" records "$@"
	same "it_is_the_same_when_built_$1" "$data/projects.txt" "$1.txt"
}

shared="$data/projects.c -L$TACHO_BUILD/lib/tracer -ltacho -ldl"
# shellcheck disable=SC2086
{
	built unoptimized gcc -O0 $shared
	built hidden gcc -O2 -fvisibility=hidden $shared
	built as_pie gcc -Os -fPIE -pie $shared
	built with_unsigned_char gcc -funsigned-char $shared
	built with_short_enums gcc -fshort-enums $shared
	built with_lto gcc -O2 -flto $shared
	built with_sanitizers gcc -fsanitize=address,undefined $shared
	built statically gcc -static "$data/projects.c" "$TACHO_BUILD/lib/tracer/libtacho.a"
	command -v g++ >/dev/null && built in_cxx g++ -x c++ -std=c++17 $shared
	command -v clang >/dev/null && built by_clang clang -O2 $shared
}
babeltrace2 "$TMP/unoptimized.trace" >bt.out 2>bt.err
check 'babeltrace2_reads_it_without_a_word' test ! -s bt.err
