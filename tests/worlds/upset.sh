# SPDX-License-Identifier: MIT
# Programs record while the machine below them is upset (lib/upset.c): CPUs are taken away and given back, the
# time of day is set back, all is suspended but for the last step. On a booted kernel, as it would upset all
# others here; with TACHO_SOAK for ten minutes.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
[ "$(uname -m)" = x86_64 ] || skip_all 'the kernel that is booted is for x86-64'
need qemu-system-x86_64 cpio x86_64-linux-gnu-gcc

# What tools/get-kernel has put there, in `make check`.
kernel=${TACHO_AMD64_KERNEL:-$TACHO_BUILD/amd64/vmlinuz}
[ -e "$kernel" ] || skip_all "no kernel: tools/get-kernel amd64 $(dirname "$kernel")"

CROSS=x86_64-linux-gnu
. "$TACHO_SOURCE/tests/worlds/lib/cross.sh"
. "$TACHO_SOURCE/tests/worlds/lib/guest.sh"

build()
{
	cross_compile $(guest_sources) tests/stress/torture.c && guest_link torture
}

to_run()
{
	local seconds=60 # of all scenarios together, of which these are a third
	[ -z "${TACHO_SOAK:-}" ] || seconds=1800
	cat <<-END
		/upset $seconds /torture rseq_writers_that_discard_count_every_loss
		/upset $seconds /torture rseq_writers_that_overwrite_leave_whole_records
		/upset $seconds /torture portable_writers_that_discard_count_every_loss
		/upset $seconds /torture portable_writers_may_be_killed_while_they_overwrite
	END
}

# CPUs run in turn: with a thread for each, QEMU 7.2 may go on with code that the kernel has changed
# (doc/design/kernel-module.md), and the kernel waits for that CPU for ever.
boot()
{
	to_run | guest_boot "$kernel" qemu-system-x86_64 -accel tcg,thread=single -cpu max -smp 4 -m 1024 \
		-append 'console=ttyS0 quiet panic=-1 no_timer_check tsc=reliable suspend.pm_test_delay=0'
}

check the_writers_are_built build
if boot; then
	guest_cases
else
	not_ok a_kernel_boots "$(tail -n 20 guest.out)"
fi
