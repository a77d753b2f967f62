# SPDX-License-Identifier: MIT
# The commands use the module: on a booted kernel, with what they need of this machine. tool.bash has the
# cases: what is recorded is compared with what the same commands record by way of tracefs.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
. "$TACHO_SOURCE/tests/kernel/lib/boot.sh"
kernel_need
need bash grep insmod

check the_module_builds kernel_build_modules
check the_programs_of_the_guest_build kernel_build_guest
kernel_put "$TACHO_BUILD/cli/tacho" bash grep sed sort comm cmp cat ls mkdir \
	mount insmod rmmod dmesg sleep true env
cp "$TACHO_SOURCE/tests/kernel/tool.bash" "$kernel_root"
if kernel_boot "$TMP/guest" 1024 -smp 2 -accel tcg,thread=single -- '/bin/bash /tool.bash'; then
	kernel_cases "$TMP/guest" 'on a booted kernel'
else
	not_ok 'the guest ends' "$(tail -n 30 "$TMP/guest")"
fi
