#!/bin/bash
# SPDX-License-Identifier: MIT
#
# fast_path.sh - the machine code of an event that takes the fast path, as it was built: counted,
# since a limit of time would fail on a busy machine.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
need objdump readelf python3

library=$TACHO_BUILD/lib/tracer/libtacho.so
[ "$(uname -m)" = x86_64 ] || skip_all "there is no fast path on $(uname -m) yet"
[ -e "$library" ] || skip_all 'libtacho is not built'

"$TACHO_SOURCE/bench/instructions" "$library" >counts
grep '^tacho_emit_word:' counts >shortest
grep '^ring_write_word:' counts >chosen
grep '^all of ' counts >choice
grep '^section ' counts >sections

largest() # FILE NAME: the largest of these numbers in a file's lines
{
	sed -n "s/.*[ ,]$2 \([0-9]*\).*/\1/p" "$1" | sort -n | tail -1
}

check fast_path_is_found test "$(largest shortest instructions)" -gt 10
check fast_path_reads_the_clock_once test "$(largest shortest clock)" -eq 1
check fast_path_has_no_locked_instruction test "$(largest shortest locked)" -eq 0
check fast_path_calls_nothing test "$(largest shortest calls)" -eq 0
check fast_path_has_no_fence test "$(largest shortest fences)" -eq 0
check fast_path_has_at_most_36_instructions test "$(largest shortest instructions)" -le 36

check who_chooses_has_no_locked_instruction test "$(largest choice locked)" -eq 0
check who_chooses_has_no_fence test "$(largest choice fences)" -eq 0
check who_chooses_has_at_most_260_instructions test "$(largest choice instructions)" -le 260
check what_is_chosen_reads_the_clock_once test "$(largest chosen clock)" -eq 1
check what_is_chosen_takes_at_most_52_instructions test "$(largest chosen instructions)" -le 52

check all_restartable_sections_are_found test "$(wc -l <sections)" -eq 16
check no_section_calls_anything test "$(largest sections calls)" -eq 0
check no_section_has_a_locked_instruction test "$(largest sections locked)" -eq 0
check no_section_has_a_fence test "$(largest sections fences)" -eq 0
check no_section_reads_the_clock_twice test "$(largest sections clock)" -eq 1
check no_section_is_longer_than_240_instructions test "$(largest sections instructions)" -le 240
