#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# kernel_fields.sh - every event of the kernel that runs: its name, fields and their types are what tracefs's
# own files say, read by somebody else.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
. "$TACHO_SOURCE/tests/lib_kernel.sh"

tacho list -k --json >events.json
tacho list --syscall --json >syscalls.json 2>log || echo '{"syscalls": []}' >syscalls.json
check "each event has the fields that tracefs tells, with their sizes and signs" \
	sh -c 'python3 "$TACHO_SOURCE/tests/e2e/kernel_fields.py" tracefs events.json syscalls.json >out 2>&1'
show out
