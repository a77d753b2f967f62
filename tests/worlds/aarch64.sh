# SPDX-License-Identifier: MIT
# The writers on aarch64: cross compiled, and run on a booted kernel; with TACHO_SOAK, a thread is stopped
# there at each instruction of the restartable sections, which takes minutes.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
need aarch64-linux-gnu-gcc

# What tools/get-arm64-kernel has put there, in `make check`.
kernel=${TACHO_ARM64_KERNEL:-$TACHO_BUILD/arm64/vmlinuz}

CROSS=aarch64-linux-gnu
. "$TACHO_SOURCE/tests/worlds/lib/cross.sh"

sources()
{
	cd "$TACHO_SOURCE" || return
	ls lib/{ring,tracer,base,filter}/*.c lib/{ring,tracer}/*-aarch64.S
	ls tests/stress/lib/*.c | grep -v plugin.c
	echo tests/stress/{torture,every_instruction}.c
}

build()
{
	cross_compile $(sources) || return
	for program in torture every_instruction; do
		$CROSS-gcc -static -pthread -o $program lib_*.o tests_stress_lib_*.o \
			tests_stress_$program.c.o || return
	done
	$CROSS-gcc -O1 -w -static -o init "$TACHO_SOURCE/tests/worlds/lib/init.c"
}

boot() # writes what the guest says
{
	mkdir -p root
	cp init torture every_instruction root/
	cat > root/run <<-'END'
		/torture rseq_writers_that_discard_count_every_loss
		/torture rseq_writers_that_overwrite_leave_whole_records
		/torture rseq_writers_may_be_killed_while_they_overwrite
		/torture portable_writers_that_discard_count_every_loss
		/torture portable_writers_may_be_killed_while_they_overwrite
	END
	[ -z "${TACHO_SOAK:-}" ] ||
		echo /every_instruction a_section_may_be_left_at_any_instruction >> root/run
	(cd root && find . | cpio -o -H newc --quiet) > initrd || return
	timeout 900 qemu-system-aarch64 -M virt -cpu max,pauth-impdef=on -smp 2 -m 512 -nodefaults \
		-display none -serial stdio -no-reboot -accel tcg,thread=multi -kernel "$kernel" \
		-initrd initrd -append 'console=ttyAMA0 quiet panic=-1' < /dev/null > guest.out 2>&1
	tr -d '\r' < guest.out > guest
	has guest '# all was run'
}

# The cases that the guest ran become ours.
guest_cases()
{
	while read -r line; do
		case $line in
			'ok '*) ok "${line#ok * - }, on a booted kernel" ;;
			'not ok '*) not_ok "${line#not ok * - }" "$(tail -n 20 guest)" ;;
		esac
	done < guest
}

check the_writers_compile_for_aarch64 build

if ! command -v qemu-system-aarch64 > /dev/null || ! command -v cpio > /dev/null; then
	skip sections_on_a_booted_kernel 'no qemu-system-aarch64, or no cpio'
elif ! [ -e "$kernel" ]; then
	skip sections_on_a_booted_kernel "no kernel: tools/get-arm64-kernel $(dirname "$kernel")"
elif boot; then
	guest_cases
else
	not_ok sections_on_a_booted_kernel "$(tail -n 20 guest.out)"
fi
