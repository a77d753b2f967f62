#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What `make install` puts into a prefix is enough to build, link and run an instrumented program.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
need meson pkg-config gcc

root=$TMP/root
DESTDIR=$root meson install -C "$TACHO_BUILD" --no-rebuild --quiet >"$TMP/out" 2>&1 ||
	{ not_ok 'meson_installs_into_destdir' 'see the messages'; show "$TMP/out"; exit 1; }
ok 'meson_installs_into_destdir'

prefix=$(dirname "$(dirname "$(find "$root" -type d -path '*/include/tacho')")")
lib=$prefix/lib
check 'the_command_is_installed' test -x "$prefix/bin/tacho"
check 'the_shared_library_has_its_soname' test -e "$lib/libtacho.so.0"
check 'the_static_library_is_installed' test -e "$lib/libtacho.a"
for helper in malloc locks libs functions; do
	check "the_helper_of_${helper}_is_installed" test -e "$lib/tacho/libtacho-$helper.so"
done
check 'bash_finds_the_completion' test -e "$prefix/share/bash-completion/completions/tacho"
check 'zsh_finds_the_completion' test -e "$prefix/share/zsh/site-functions/_tacho"
check 'systemd_finds_the_unit_that_loads_sessions' \
	grep -qx "ExecStart=${prefix#"$root"}/bin/tacho load --autoload" \
	"$lib/systemd/user/tacho-autoload.service"
check 'the_formats_are_installed_below_tacho' test -e "$prefix/include/tacho/format/ring.h"

[ -e "$lib/libtacho.so.0" ] || exit 1 # nothing below can be told without it

export PKG_CONFIG_LIBDIR=$lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$root
cat >"$TMP/program.c" <<'END'
#include <tacho/event.h>

int main(void)
{
	tacho_event(shop, order_placed, "id", 42);
	return 0;
}
END

build() # NAME FLAGS..
{
	local name=$1
	shift
	# shellcheck disable=SC2046
	gcc -o "$TMP/$name" "$TMP/program.c" $(pkg-config --cflags tacho) "$@" 2>"$TMP/err" && return 0
	show "$TMP/err"
	return 1
}

# shellcheck disable=SC2046
check 'a_program_links_with_the_flags_of_pkg_config' build shared $(pkg-config --libs tacho)
check 'a_program_links_with_the_archive' build archive "$lib/libtacho.a"
check 'a_program_links_statically' build static -static $(pkg-config --static --libs tacho)
check 'the_program_runs_with_the_shared_library' env LD_LIBRARY_PATH="$lib" "$TMP/shared"
check 'the_program_runs_with_the_archive' "$TMP/archive"
check 'the_static_program_runs' "$TMP/static"

needed=$(objdump -p "$lib/libtacho.so.0" | awk '$1 == "NEEDED" { print $2 }' |
	grep -vE '^(libc\.so|ld-linux)' || true)
check 'the_library_needs_nothing_but_libc' test -z "$needed"
visible=$(nm -D --defined-only "$lib/libtacho.so.0" | awk '{ print $3 }' |
	grep -v -e '^tacho_' -e '^lttng_ust_' -e '^vfork$' -e '^pthread_setname_np$' \
		-e '^set\(e\|re\|res\|\)[ug]id$' -e '^setns$' -e '^unshare$' -e '^prctl$' || true)
check 'the_library_exports_only_its_own_names' test -z "$visible"
stack=$(readelf -lW "$lib/libtacho.so.0" | awk '$1 == "GNU_STACK" { print $7 }')
check 'the_library_needs_no_executable_stack' test "$stack" = RW
[ -z "$needed$visible" ] || printf '# %s\n' "$needed" "$visible"
