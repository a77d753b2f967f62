#!/bin/bash
# SPDX-License-Identifier: MIT
#
# fast_path.sh - the machine code of an event that takes the fast path, as it was built: counted,
# since a limit of time would fail on a busy machine.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
need objdump awk

library=$TACHO_BUILD/lib/tracer/libtacho.so
[ "$(uname -m)" = x86_64 ] || skip_all "there is no fast path on $(uname -m) yet"
[ -e "$library" ] || skip_all 'libtacho is not built'

"$TACHO_SOURCE/bench/instructions" "$library" >counts
value() # NAME
{
	sed -n "s/.*[ ,]$1 \([0-9]*\).*/\1/p" counts
}

check fast_path_is_found test "$(value instructions)" -gt 10
check fast_path_reads_the_clock_once test "$(value clock)" -eq 1
check fast_path_has_no_locked_instruction test "$(value locked)" -eq 0
check fast_path_calls_nothing test "$(value calls)" -eq 0
check fast_path_has_no_fence test "$(value fences)" -eq 0
check fast_path_has_at_most_40_instructions test "$(value instructions)" -le 40
