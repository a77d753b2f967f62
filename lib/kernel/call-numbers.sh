#!/bin/sh
# SPDX-License-Identifier: MIT
# call-numbers.sh CC..     what system calls are called, and their numbers, as the C library's header has them
printf '#include <sys/syscall.h>\n' | "$@" -E -dM - |
	sed -n 's/^#define __NR_\([a-z0-9_]*\) .*/\t{ "\1", __NR_\1 },/p' | LC_ALL=C sort
