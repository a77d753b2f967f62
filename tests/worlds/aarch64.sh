# SPDX-License-Identifier: MIT
# The writers on aarch64: cross compiled; run as a process that qemu emulates, without restartable sequences,
# and on a booted kernel; with TACHO_SOAK, a thread is stopped there at each instruction of the restartable
# sections, which takes minutes.
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
		/forks_below_owner
	END
	[ -z "${TACHO_SOAK:-}" ] || echo /every_instruction a_section_may_be_left_at_any_instruction
	# The last: breakpoints do not work on a CPU that was away.
	echo /upset 60 /torture rseq_writers_that_discard_count_every_loss
}

boot()
{
	to_run | guest_boot "$kernel" qemu-system-aarch64 -M virt -cpu max,pauth-impdef=on -smp 2 -m 512 \
		-accel tcg,thread=single -append 'console=ttyAMA0 quiet panic=-1 suspend.pm_test_delay=0'
}

# torture runs each scenario by an execve() of itself, of which nothing comes in an emulation: so it is told
# that this was done.
emulated() # SCENARIO
{
	local home=$TACHO_RUNTIME_DIR/$1
	mkdir "$home"
	TACHO_RUNTIME_DIR=$home TACHO_STRESS_HOME=$home TACHO_STRESS_SECONDS=36 \
		GLIBC_TUNABLES=glibc.pthread.rseq=0 \
		timeout 300 qemu-aarch64 root/torture "$1" > emulated.out 2>&1 && return
	show emulated.out
	return 1
}

check the_writers_compile_for_aarch64 build
if command -v qemu-aarch64 > /dev/null; then
	for scenario in that_discard_count_every_loss that_overwrite_leave_whole_records \
		may_be_killed_while_they_overwrite; do
		check "portable_writers_$scenario, emulated" emulated "portable_writers_$scenario"
	done
else
	skip the_portable_writer_is_emulated 'no qemu-aarch64'
fi

if ! command -v qemu-system-aarch64 > /dev/null || ! command -v cpio > /dev/null; then
	skip sections_on_a_booted_kernel 'no qemu-system-aarch64, or no cpio'
elif ! [ -e "$kernel" ]; then
	skip sections_on_a_booted_kernel "no kernel: tools/get-kernel arm64 $(dirname "$kernel")"
elif boot; then
	guest_cases
else
	not_ok sections_on_a_booted_kernel "$(tail -n 20 guest.out)"
fi
