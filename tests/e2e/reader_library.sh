#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What `make install` puts into a prefix is enough to build, link and run a program that reads traces.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
need meson pkg-config gcc g++ objdump

root=$TMP/root
DESTDIR=$root meson install -C "$TACHO_BUILD" --no-rebuild --quiet >"$TMP/out" 2>&1 ||
	{ not_ok 'meson_installs_into_destdir' 'see the messages'; show "$TMP/out"; exit 1; }
lib=$(dirname "$(find "$root" -name libtacho-reader.so)")
export PKG_CONFIG_LIBDIR=$lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$root
example=$TACHO_SOURCE/examples/read-events.c
flags=$(pkg-config --cflags tacho-reader)
private=$(pkg-config --static --libs-only-l tacho-reader | sed 's/-ltacho-reader//')

build() # COMPILER NAME FLAGS..
{
	local compiler=$1 name=$2
	shift 2
	# shellcheck disable=SC2086
	$compiler -Wall -Wextra -Werror -o "$TMP/$name" $flags "$@" 2>"$TMP/err" && return 0
	show "$TMP/err"
	return 1
}

# shellcheck disable=SC2046
{
	check 'the_example_is_built_by_pkg_config' \
		build gcc shared "$example" $(pkg-config --libs tacho-reader)
	check 'it_is_cxx17_as_well' \
		build 'g++ -std=c++17' cxx -x c++ "$example" -x none $(pkg-config --libs tacho-reader)
}
# shellcheck disable=SC2086
check 'it_links_with_the_archive' build gcc archive "$example" "$lib/libtacho-reader.a" $private

visible=$(nm -D --defined-only "$lib/libtacho-reader.so" | awk '{ print $3 }' |
	grep -v -e '^tacho_reader_[a-z0-9_]*@@TACHO_READER_' -e '^TACHO_READER_' || true)
check 'only_versioned_names_of_the_api_are_visible' test -z "$visible"
visible=$(nm -g --defined-only "$lib/libtacho-reader.a" | awk 'NF == 3 { print $3 }' |
	grep -v '^tacho_reader_' || true)
check 'nor_has_the_archive_other_names' test -z "$visible"
declared=$(gcc -E -P "${lib%/*}/include/tacho/reader.h" | grep -o 'tacho_reader_[a-z0-9_]*(' |
	tr -d '(' | sort -u)
defined=$(nm -D --defined-only "$lib/libtacho-reader.so" |
	awk '$2 == "T" { sub(/@.*/, "", $3); print $3 }' | sort -u)
check 'the_header_declares_what_the_library_defines' test "$declared" = "$defined"

named=$(grep -o 'tacho_reader_[a-z0-9_]*\*(' "$TACHO_SOURCE/doc/man/tacho_reader.3.scd" |
	tr -d '*(' | sort -u)
check 'the_manual_page_names_what_the_header_declares' test "$declared" = "$named"
if command -v scdoc >/dev/null; then
	page=$(find "$root" -path '*/man3/tacho_reader_open.3')
	check 'the_page_is_installed' grep -q 'read traces' "$page"
else
	skip 'the_page_is_installed' 'scdoc is not installed'
fi

# ---- on a trace: what the command says

"$TACHO" record -o "$TMP/trace" -e 'shop:*' -- "$TACHO_BUILD/tests/e2e/cli_orders" 500 >"$TMP/log" 2>&1
export LD_LIBRARY_PATH=$lib
"$TACHO" view --summary --json "$TMP/trace" | python3 -c '
import json, sys
for count in json.load(sys.stdin)["counts"]:
    print(count["events"], count["event"])' | sort >"$TMP/expected"
for program in shared cxx archive; do
	"$TMP/$program" "$TMP/trace" | sed 's/^ *//' | sort >"$TMP/actual"
	same "counts_are_those_of_tacho_view_${program}" "$TMP/expected" "$TMP/actual"
done
event=$("$TACHO" view --json "$TMP/trace" | python3 -c '
import json, sys
first, total = None, 0
for line in sys.stdin:
    item = json.loads(line)
    for name, value in item.get("fields", {}).items():
        if first is None and isinstance(value, int):
            first = (item["event"], name)
        if first == (item.get("event"), name):
            total += value
print(*first, total)')
read -r name field sum <<<"$event"
check 'the_sum_of_a_field_is_that_of_its_values' \
	test "$("$TMP/shared" "$TMP/trace" "$name" "$field")" = "$sum"
check 'what_is_no_trace_is_an_error' test "$("$TMP/shared" /dev/null 2>&1)" != ''
