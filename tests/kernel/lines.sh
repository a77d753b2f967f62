# SPDX-License-Identifier: MIT
# Eight CPUs do not meet: a plugin of the emulator sees each store and each instruction of the module on each
# of them. No line of memory is stored to by two, and an event costs on eight what it costs on one.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
. "$TACHO_SOURCE/tests/kernel/lib/boot.sh"
kernel_need
qemu-system-x86_64 -help | grep -q -- -plugin || skip_all 'this QEMU has no plugins'

# As watch/watch.h numbers them.
calls_on_one=1 calls_on_all=2 firing=3 first_and_firing=4

build()
{
	gcc -std=gnu17 -O2 -Wall -Wextra -shared -fPIC -fvisibility=hidden -o "$TMP/watch.so" \
		"$TACHO_SOURCE/tests/kernel/watch/watch.c" &&
		kernel_build_modules && kernel_build_guest watched
}

boot()
{
	kernel_boot "$TMP/guest" 1024 -smp 8 -accel tcg,thread=single \
		-plugin "file=$TMP/watch.so,out=$TMP/watch" -- '/watched all'
}

seen() # AWK
{
	awk "$1" "$TMP/watch"
}

lines() # WATCH: stored to by one CPU, and by several
{
	seen "\$1 == $1 && \$2 == \"lines\" { print \$3, \$4 }"
}

no_line_is_shared() # WATCH
{
	local one several
	read -r one several < <(lines "$1")
	printf '# %s lines were stored to by one CPU, %s by several\n' "$one" "$several"
	[ "$one" -gt 1000 ] && [ "$several" = 0 ]
}

# The writers are made by one CPU and used by each: at least a line of seven of them, or nothing is seen.
shared_lines_are_seen()
{
	local one several
	read -r one several < <(lines $first_and_firing)
	printf '# %s lines were stored to by several CPUs\n' "$several"
	[ "$several" -ge 7 ]
}

# Of the same number of calls: the first CPU alone, and each of all.
all_cost_as_one()
{
	seen "\$2 != \"instructions\" { next }
		\$1 == $calls_on_one && \$3 == 0 { alone = \$4 }
		\$1 == $calls_on_all { cpus++; if (!least || \$4 < least) least = \$4
			if (\$4 > most) most = \$4 }
		END {
			printf \"# instructions on one CPU alone %d, on each of %d: %d to %d\\n\",
				alone, cpus, least, most
			exit !(alone > 0 && cpus == 8 && most <= alone * 1.01 && least >= alone * 0.99)
		}"
}

check the_plugin_and_the_programs_are_built build
if boot; then
	kernel_cases "$TMP/guest" '8 CPUs'
	check no_line_is_stored_to_by_two_cpus_in_system_calls no_line_is_shared $calls_on_all
	check no_line_is_stored_to_by_two_cpus_from_any_context no_line_is_shared $firing
	check a_line_that_two_cpus_store_to_would_be_seen shared_lines_are_seen
	check an_event_costs_as_many_instructions_on_eight_cpus_as_on_one all_cost_as_one
else
	not_ok the_guest_ends "$(tail -n 20 "$TMP/guest")"
fi
