#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# compiles.sh HEADER - the header compiles alone, twice, without a warning, as every dialect.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"

header=$1
case $header in
format/*) c_dialects='gnu11 gnu17' cxx_dialects='gnu++17' include=$header ;;
*)
	c_dialects='gnu11 gnu17 gnu2x' cxx_dialects='gnu++11 gnu++17 gnu++20'
	include=${header#include/}
	;;
esac
strict='-Wall -Wextra -Wpedantic -Wshadow -Werror -fsyntax-only'

compile() # COMPILER DIALECT LANGUAGE
{
	printf '#include <%s>\n' "$include" "$include" >"$TMP/unit"
	printf 'int main(void)\n{\n\treturn 0;\n}\n' >>"$TMP/unit"
	# shellcheck disable=SC2086
	"$1" -std="$2" $strict -I"$TACHO_SOURCE" -I"$TACHO_SOURCE/include" -x "$3" "$TMP/unit" 2>"$TMP/err"
}

try() # COMPILER DIALECT LANGUAGE
{
	local name="${header##*/} compiles as $2 by $1"
	if ! command -v "$1" >/dev/null; then
		skip "$name" "$1 is not installed"
	elif compile "$@"; then
		ok "$name"
	else
		not_ok "$name" 'see the messages'
		show "$TMP/err"
	fi
}

for dialect in $c_dialects; do
	try gcc "$dialect" c
	try clang "$dialect" c
done
for dialect in $cxx_dialects; do
	try g++ "$dialect" c++
	try clang++ "$dialect" c++
done
