# SPDX-License-Identifier: MIT
# The writers on aarch64: cross compiled, and run on a booted kernel; with TACHO_SOAK, a thread is stopped
# there at each instruction of the restartable sections, which takes minutes.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
need aarch64-linux-gnu-gcc

# What tools/get-kernel has put there, in `make check`.
kernel=${TACHO_ARM64_KERNEL:-$TACHO_BUILD/arm64/vmlinuz}

CROSS=aarch64-linux-gnu
. "$TACHO_SOURCE/tests/worlds/lib/cross.sh"
. "$TACHO_SOURCE/tests/worlds/lib/guest.sh"
programs='torture every_instruction forks_below_owner'

build()
{
	cross_compile $(guest_sources) $(printf 'tests/stress/%s.c\n' $programs) &&
		guest_link $programs
}

to_run()
{
	cat <<-'END'
		/torture rseq_writers_that_discard_count_every_loss
		/torture rseq_writers_that_overwrite_leave_whole_records
		/torture rseq_writers_may_be_killed_while_they_overwrite
		/torture portable_writers_that_discard_count_every_loss
		/torture portable_writers_may_be_killed_while_they_overwrite
		/upset 60 /torture rseq_writers_that_discard_count_every_loss
		/forks_below_owner
	END
	[ -z "${TACHO_SOAK:-}" ] || echo /every_instruction a_section_may_be_left_at_any_instruction
}

boot()
{
	to_run | guest_boot "$kernel" qemu-system-aarch64 -M virt -cpu max,pauth-impdef=on -smp 2 -m 512 \
		-accel tcg,thread=multi -append 'console=ttyAMA0 quiet panic=-1 suspend.pm_test_delay=0'
}

check the_writers_compile_for_aarch64 build

if ! command -v qemu-system-aarch64 > /dev/null || ! command -v cpio > /dev/null; then
	skip sections_on_a_booted_kernel 'no qemu-system-aarch64, or no cpio'
elif ! [ -e "$kernel" ]; then
	skip sections_on_a_booted_kernel "no kernel: tools/get-kernel arm64 $(dirname "$kernel")"
elif boot; then
	guest_cases
else
	not_ok sections_on_a_booted_kernel "$(tail -n 20 guest.out)"
fi
