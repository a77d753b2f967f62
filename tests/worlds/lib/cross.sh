# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# cross.sh - compile for another machine; CROSS is the prefix of its tools.
#	cross_compile SOURCE..      from the root of the tree; objects into the working directory, names
#	                            with _ for /
printf '#define TACHO_VERSION "0.1.0"\n#define TACHO_VERSION_NUMBER 0x100\n' > version.h

cross_compile_one()
{
	"$CROSS-gcc" -std=gnu17 -O1 -w -D_GNU_SOURCE -fvisibility=hidden -include version.h \
		-I"$TACHO_SOURCE" -I"$TACHO_SOURCE/lib" -I"$TACHO_SOURCE/include" \
		-I"$TACHO_SOURCE/tests/stress" -c "$TACHO_SOURCE/$1" -o "$(echo "$1" | tr / _).o"
}
export CROSS
export -f cross_compile_one

cross_compile()
{
	printf '%s\n' "$@" | xargs -P 2 -I{} bash -c 'cross_compile_one {}'
}
