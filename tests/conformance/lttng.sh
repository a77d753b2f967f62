#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The conformance cases of LTTng-UST's API, each as a case of its own. They are in the folder that
# TACHO_CONFORMANCE names, else in ../shared/lttng-conformance beside the source.
# TACHO_CONFORMANCE_CASES: the beginnings of the names of those to run; all, if not set.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
need meson pkg-config gcc g++ babeltrace2

cases=${TACHO_CONFORMANCE:-$TACHO_SOURCE/../shared/lttng-conformance}
[ -x "$cases/run" ] || skip_all "no conformance cases in $cases: TACHO_CONFORMANCE says where they are"

root=$TMP/root
DESTDIR=$root meson install -C "$TACHO_BUILD" --no-rebuild --quiet >"$TMP/out" 2>&1 ||
	{ not_ok 'meson_installs_into_destdir' 'see the messages'; show "$TMP/out"; exit 1; }
TACHO_PREFIX=$(dirname "$(dirname "$(find "$root" -type d -path '*/include/tacho')")")
export TACHO_PREFIX TMPDIR=$TMP

# "ok   NAME", or "FAIL NAME: REASON" and lines that show it; at the end a count.
told='' verdicts=0
verdict() # LINE
{
	case $1 in
	'ok   '*) ok "${1#ok   }" ;;
	'FAIL '*) told=${1#FAIL }; not_ok "${told%%:*}" "${told#*: }" ;;
	*) printf '# %s\n' "$1" ;;
	esac
}
# The build's own library path is not for these programs.
unset LD_LIBRARY_PATH
judge() # [OPTION..] CASE..
{
	while IFS= read -r line; do
		verdict "$line"
		verdicts=$((verdicts + 1))
	done < <("$cases/run" --tool tacho "$@" 2>&1)
}
in_memory() # OPTION..
{
	local place
	place=$(mktemp -d -p /dev/shm tacho-test.XXXXXX)
	TMPDIR=$place judge "$@"
	rm -rf "$place"
}
# One of them writes as fast as it can, so the drain needs the other CPU: not beside compilers; and a trace
# in memory, as a disk may be slower.
fast=80-signal-storm
wanted=$("$cases/run" --tool tacho --list ${TACHO_CONFORMANCE_CASES:-} | cut -d' ' -f1)
! grep -qx "$fast" <<<"$wanted" || in_memory --jobs 1 "$fast"
mapfile -t others < <(grep -vx "$fast" <<<"$wanted")
[ ${#others[@]} = 0 ] || judge "${others[@]}"
check 'there_are_cases' test "$verdicts" -gt 1
