# SPDX-License-Identifier: MIT
# The kernel module on a booted kernel: what it records, and that it can be made and taken away at any moment.
# TACHO_KERNEL_FULL=yes (`make check-kernel`) does all of it for longer, and on more CPUs.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
. "$TACHO_SOURCE/tests/kernel/lib/boot.sh"
kernel_need

# Two CPUs of the emulated machine are at work at the same time.
parallel='-accel tcg,thread=multi'
# One after the other, since QEMU 7.2 may go on with old instructions where the kernel changes its own while
# another CPU runs them, which is what switching tracepoints on and off does.
serial='-accel tcg,thread=single'

# shellcheck disable=SC2086 # options are words
boots() # CPUS HOW LINE..
{
	local cpus=$1 how=$2
	shift 2
	if kernel_boot "$TMP/guest" 512 -smp "$cpus" $how -- "$@"; then
		kernel_cases "$TMP/guest" "$cpus CPUs${note:+, $note}"
		cat "$TMP/nmis"
	else
		not_ok "the guest ends, $cpus CPUs${note:+, $note}" "$(tail -n 30 "$TMP/guest")"
	fi
}

check the_module_builds_without_a_warning kernel_build_modules
check the_programs_of_the_guest_build kernel_build_guest guest firings

in_short()
{
	boots 2 "$parallel" '/firings discard 500' '/firings outside 500' '/firings overwrite 500' \
		'/firings sleeper 300' '/firings waking 5'
	boots 2 "$serial" '/guest refusals' '/guest killed' '/guest leaving' '/guest hotplug 1' \
		'/guest no-ring' '/guest everything 300' '/guest events 5' '/guest module 5'
}

at_length()
{
	local cpus
	for cpus in 2 4 8; do
		boots $cpus "$parallel" '/firings discard 2000' '/firings outside 2000' \
			'/firings overwrite 2000' '/firings sleeper 1000' '/firings waking 100'
	done
	boots 2 "$serial" '/guest refusals' '/guest killed' '/guest leaving' '/guest hotplug 10' \
		'/guest no-ring' '/guest everything 1000' '/guest events 500' '/guest module 500'
	boots 8 "$serial" '/guest hotplug 10' '/guest everything 1000' '/guest events 50' \
		'/guest module 50'
}

# Debian's kernel with PREEMPT_RT, where softirqs are threads, and most interrupts.
on_real_time()
{
	kernel_use "$TACHO_BUILD/rt-amd64/vmlinuz" linux-headers-rt-amd64 || {
		skip the_module_works_on_a_real_time_kernel "$kernel_why"
		return
	}
	check the_module_builds_for_a_real_time_kernel kernel_build_modules
	note='real time'
	boots 4 "$parallel" '/firings discard 500' '/firings outside 500' '/firings overwrite 500' \
		'/firings sleeper 300' '/firings waking 5'
	in_short
}

note=
if [ -n "${TACHO_KERNEL_FULL:-}" ]; then
	at_length
	on_real_time
else
	in_short
fi
