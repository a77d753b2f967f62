# SPDX-License-Identifier: MIT
# What an event of the module costs, in instructions, which are counted exactly: against what is accepted
# (accepted-counts), against the kernel's own tracer in the same run, and others as they were measured.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
. "$TACHO_SOURCE/tests/kernel/lib/boot.sh"
kernel_need

accepted=$TACHO_SOURCE/tests/kernel/accepted-counts

# The emulated CPU's counter is the number of instructions: it runs by nothing else.
count()
{
	kernel_build_modules && kernel_build_guest counts || return
	kernel_boot "$TMP/guest" 1024 -smp 1 -accel tcg,thread=single -icount shift=0,sleep=off -- /counts
}

counted() # NAME
{
	awk -v name="$1" '$1 == "count" && $2 == name { print $3 }' "$TMP/guest"
}

at_most() # COUNT BOUND
{
	printf '# counted %s, at most %s\n' "$1" "$2"
	awk -v count="$1" -v bound="$2" 'BEGIN { exit !(count > 0 && count <= bound) }'
}

percent_of() # PERCENT COUNT
{
	awk -v percent="$1" -v count="$2" 'BEGIN { printf "%.1f\n", count * percent / 100 }'
}

if ! count; then
	not_ok the_guest_counts "$(tail -n 20 "$TMP/make.log" "$TMP/guest" 2>/dev/null)"
	exit
fi
kernel_cases "$TMP/guest" 'after counting'
while read -r name bound percent prototype lttng; do
	peer=$(counted "ftrace_${name%_next}")
	check "$name costs no more than 5 % above what is accepted" \
		at_most "$(counted "$name")" "$(percent_of 105 "$bound")"
	check "$name costs at most $percent % of the kernel's own tracer" \
		at_most "$(counted "$name")" "$(percent_of "$percent" "$peer")"
	[ "$prototype" = - ] || check "$name costs at most 150 % of the prototype" \
		at_most "$(counted "$name")" "$(percent_of 150 "$prototype")"
	[ "$lttng" = - ] || check "$name costs at most 30 % of LTTng, as it was measured" \
		at_most "$(counted "$name")" "$(percent_of 30 "$lttng")"
done < <(grep -v '^#' "$accepted")
