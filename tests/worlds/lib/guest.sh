# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# guest.sh - a kernel that is booted to run static programs, which the tests are cases of. After lib.sh
# and cross.sh:
#	guest_sources             of the tracer and of what its stress tests share
#	guest_link PROGRAM..      stress tests, from the objects of these sources and their own
#	guest_boot KERNEL QEMU..  with init, upset and these programs; runs each line of the standard input;
#	                          what it says is in the file guest
#	guest_cases               those that the guest ran become ours

guest_machine=${CROSS%%-*}

guest_sources()
{
	cd "$TACHO_SOURCE" || return
	ls lib/{ring,tracer,base,filter}/*.c lib/{ring,tracer}/*-"$guest_machine".S
	ls tests/stress/lib/*.c | grep -v plugin.c
}

guest_link()
{
	local program
	mkdir -p root
	for program in "$@"; do
		$CROSS-gcc -static -pthread -o "root/$program" lib_*.o tests_stress_lib_*.o \
			"tests_stress_$program.c.o" || return
	done
	for program in init upset; do
		$CROSS-gcc -O1 -w -static -o "root/$program" \
			"$TACHO_SOURCE/tests/worlds/lib/$program.c" || return
	done
}

guest_boot()
{
	local kernel=$1 limit=400 # seconds: a guest that hangs is no reason to wait for long
	shift
	cat > root/run
	[ -z "${TACHO_SOAK:-}" ] || limit=1500
	(cd root && find . | cpio -o -H newc --quiet) > initrd || return
	timeout "$limit" "$@" -nodefaults -display none -serial stdio -no-reboot -kernel "$kernel" \
		-initrd initrd < /dev/null > guest.out 2>&1
	tr -d '\r' < guest.out > guest
	has guest '# all was run'
}

guest_cases()
{
	local how='on a booted kernel' line
	while read -r line; do
		case $line in
			'# upset') how='while CPUs come and go, the time is set back, all is suspended' ;;
			'# /upset left'*) how='on a booted kernel' ;;
			'# CPUs '*) echo "$line" ;;
			'ok '*) ok "${line#ok * - }, $how" ;;
			'not ok '*) not_ok "${line#not ok * - }, $how" "$(tail -n 20 guest)" ;;
		esac
	done < guest
}
