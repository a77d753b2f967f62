#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# examples/ros2-like and examples/ceph-like are built by their own makefiles, which know only
# `pkg-config lttng-ust` and lttng-gen-tp, and recorded.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
need meson pkg-config make gcc g++ python3

root=$TMP/root
DESTDIR=$root meson install -C "$TACHO_BUILD" --no-rebuild --quiet >"$TMP/out" 2>&1 ||
	{ not_ok 'meson_installs_into_destdir' 'see the messages'; show "$TMP/out"; exit 1; }
prefix=$(dirname "$(dirname "$(find "$root" -type d -path '*/include/tacho')")")
compat=$prefix/lib/tacho/lttng-compat
export PKG_CONFIG_PATH=$compat/pkgconfig PATH=$compat/bin:$PATH
export LD_LIBRARY_PATH=$prefix/lib

builds() # EXAMPLE
{
	cp -r "$TACHO_SOURCE/examples/$1" "$TMP" && make -C "$TMP/$1" >"$TMP/out" 2>&1 &&
		! grep -q warning: "$TMP/out" && return 0
	show "$TMP/out"
	return 1
}

records() # EXAMPLE PROGRAM ARGUMENT
{
	cd "$TMP/$1" || return
	expect_exit 0 "$TACHO" record -o "$TMP/$1.trace" -- "./$2" "$3" &&
		"$TACHO" view "$TMP/$1.trace" >"$TMP/$1.text" && has "$TMP/err" 'nothing lost'
}

count() # EXAMPLE EVENT
{
	grep -c " $2\( \|$\)" "$TMP/$1.text"
}

check 'the robot is built without a warning' builds ros2-like
check 'the robot is recorded' records ros2-like robot 5
check 'each sweep is published' test "$(count ros2-like robot:publish)" = 5
check 'each of its subscribers is called' test "$(count ros2-like robot:callback_start)" = 10
check 'its nodes are known by name' has "$TMP/ros2-like.text" 'name = "planner"'

check 'the store is built without a warning' builds ceph-like
check 'the store is recorded' records ceph-like store 30
check 'only while its probes are loaded' test "$(count ceph-like store:write_enter)" = 10
check 'results have names' has "$TMP/ceph-like.text" 'result = missing'
mv "$TMP/ceph-like/libstore_tp.so" "$TMP/elsewhere.so"
check 'without its probes it runs' expect_exit 0 ./store 3
