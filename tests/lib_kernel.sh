# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# lib_kernel.sh - for tests of the kernel's events: . it behind lib.sh. It skips all where tacho may not
# record them, or there is no sched_switch, and says why. Then it has
#
#	$TMP/tracefs          the kernel's tracer, mounted here; unmounted at the end
#	$has_syscalls         "yes" where system calls can be recorded
#	instances             the names of this test's instances; fails if there are none
#	no_instance           true when there are none
#	$judge                may be set to an instance's directory, which is removed at the end

test "$(id -u)" = 0 || skip_all "only root may use the kernel's tracer"
tacho list -k >events 2>why || skip_all "$(head -n 1 why)"
grep -q '^sched_switch$' events || skip_all "this kernel has no event sched_switch"
has_syscalls=
tacho list --syscall | grep -qx getppid && has_syscalls=yes
mkdir -p "$TMP/tracefs"
mount -t tracefs tracefs "$TMP/tracefs" || skip_all "tracefs cannot be mounted"
judge=
lib_kernel_finish()
{
	local status=$?
	test -z "$judge" || rmdir "$judge" 2>/dev/null
	umount "$TMP/tracefs"
	(exit "$status")
	lib_finish
}
trap lib_kernel_finish EXIT

# Those of this test's runtime directory: each begins with its inode.
instances()
{
	ls "$TMP/tracefs/instances" | grep "^tacho-$(printf %x "$(stat -c %i "$TACHO_RUNTIME_DIR")")-"
}
no_instance() { ! instances >/dev/null; }
