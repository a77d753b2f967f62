# SPDX-License-Identifier: MIT
# lib/ctf on a big-endian machine: traces of this one are read there with the same result, number for
# number and byte for byte.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
need s390x-linux-gnu-gcc qemu-s390x

CROSS=s390x-linux-gnu
. "$TACHO_SOURCE/tests/worlds/lib/cross.sh"

build()
{
	cross_compile $(cd "$TACHO_SOURCE" &&
		ls lib/{base,ctf,ctf/read,ctf/print}/*.c tests/worlds/lib/print_trace.c |
			grep -v '/ctf2[._]') || return
	s390x-linux-gnu-gcc -static -pthread -o print_trace ./*.o -lm
}

record() # TRACE PROGRAM ARGS..
{
	"$TACHO" record --output "$TMP/$1" -- "${@:2}" > record.out 2>&1 &&
		"$TACHO" view --json "$1" > "$1.here"
}

read_there() # TRACE
{
	qemu-s390x ./print_trace "$1" > "$1.there"
}

check the_reader_compiles_for_s390x build
check orders_are_recorded record orders "$TACHO_BUILD/tests/e2e/cli_orders" 2000
check a_trace_is_read_there read_there orders
same it_is_read_with_the_same_result orders.here orders.there
check values_of_all_types_are_recorded record values "$TACHO_BUILD/tests/e2e/known_values"
check they_are_read_there read_there values
same they_are_read_with_the_same_result values.here values.there
check all_of_it_was_read test "$(wc -l < orders.there)" -ge 2000
