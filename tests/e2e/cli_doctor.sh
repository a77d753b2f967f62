#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# tacho doctor: one line a check, with what mends it where it is not well.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
need python3

verdict() # CHECK: its verdict in $TMP/json
{
	python3 -c '
import json, sys
for check in json.load(open(sys.argv[1]))["checks"]:
	if check["check"] == sys.argv[2]:
		print(check["verdict"])' "$TMP/json" "$1"
}

"$TACHO" doctor --json >"$TMP/json"
status=$?
check 'the_status_says_whether_something_failed' \
	test "$status" = "$(grep -c '"verdict": "FAIL"' "$TMP/json" | sed 's/[1-9].*/1/')"
for name in rseq membarrier limits privileges 'clock source' clock counter CPUs 'runtime directory' memory \
	'kernel events' 'kernel module' modules library loader; do
	check "it_checks_'$name'" test -n "$(verdict "$name")"
done
check 'the_runtime_directory_is_well' test "$(verdict 'runtime directory')" = ok
check 'the_library_is_found' test "$(verdict library)" = ok

"$TACHO" doctor >"$TMP/text"
lines=$(grep -cE '^(ok  |warn|FAIL)  ' "$TMP/text")
check 'each_check_is_one_line' test "$lines" = "$(grep -c '"check"' "$TMP/json")"

env -u LD_LIBRARY_PATH "$TACHO" doctor --json >"$TMP/json"
check 'a_loader_that_does_not_find_the_library_is_seen' test "$(verdict loader)" = warn
check 'and_what_to_set_is_said' grep -q '"mend": "export LD_LIBRARY_PATH=' "$TMP/json"
GLIBC_TUNABLES=glibc.pthread.rseq=0 "$TACHO" doctor --json >"$TMP/json"
check 'missing_rseq_is_seen' test "$(verdict rseq)" = warn
check 'missing_rseq_can_be_mended' grep -q '"mend": "unset GLIBC_TUNABLES' "$TMP/json"
(ulimit -f 1000 && exec "$TACHO" doctor --json) >"$TMP/json"
check 'a_limit_on_files_is_seen' test "$(verdict limits)" = warn
on_terminal() # VARIABLE=VALUE..: tacho doctor's output there
{
	env -u NO_COLOR TERM=xterm "$@" python3 "$TACHO_SOURCE/tests/e2e/cli_terminal.py" "$TACHO" doctor
}
escape=$(printf '\033')
on_terminal >"$TMP/terminal"
check 'a_terminal_gets_colours' has "$TMP/terminal" "${escape}[32mok"
check 'with_NO_COLOR_it_gets_none' test -z "$(on_terminal NO_COLOR=1 | grep "$escape")"
check 'a_dumb_terminal_gets_none' test -z "$(on_terminal TERM=dumb | grep "$escape")"
check 'a_file_gets_none' test -z "$(grep "$escape" "$TMP/text")"
mkdir -m 700 "$TMP/disk"
case $(stat -f -c %T "$TMP") in
tmpfs | ramfs) skip 'a_runtime_directory_on_disk_is_seen' 'the temporary directory is in memory' ;;
*)
	TACHO_RUNTIME_DIR=$TMP/disk "$TACHO" doctor --json >"$TMP/json"
	check 'a_runtime_directory_on_disk_is_seen' test "$(verdict 'file system')" = warn
	;;
esac
