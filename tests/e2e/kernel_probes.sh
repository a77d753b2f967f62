#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# kernel_probes.sh - events that a session makes in the kernel: at functions and static probes of
# programs, and at instructions of the kernel where it has kprobes.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
. "$TACHO_SOURCE/tests/lib_kernel.sh"
program=$TACHO_BUILD/tests/e2e/kernel_probes
"$program" >out 2>&1; test $? != 77 || skip_all "this machine's operands are not known"
grep -qs uprobe "$TMP/tracefs/README" || skip_all "this kernel has no uprobes (CONFIG_UPROBE_EVENTS)"

# Those of this test's runtime directory.
probes() { grep "tacho_$(printf %x "$(stat -c %i "$TACHO_RUNTIME_DIR")")_" "$TMP/tracefs/dynamic_events"; }

tacho create one -o one >log
check "a function of a program becomes an event" tacho enable-event -s one \
	--userspace-probe "elf:$program:sell" --fetch 'number=%di:s32 text=+0(%si):ustring' called
check "a static probe becomes an event" tacho enable-event -s one \
	--userspace-probe "sdt:$program:shop:sold" sold
tacho enable-event -s one --userspace-probe "elf:$program:sell" --fetch 'number=%di:s32' \
	--filter 'number > 2' some >log
tacho start one >log
expect_case "the program sees that its static probe is recorded" 0 "$program"
tacho status one >status
check "status says where a probe is" has status "sdt:$program:shop:sold"
check "and which channel is the kernel's" grep -qx "Channel:  channel0 (kernel)" status
tacho save one -o saved >log 2>&1
check "what is saved has all of it" grep -rq -- "--fetch 'number=%di:s32 text=+0(%si):ustring'" saved
tacho destroy one >destroyed
tacho view one >one.txt
check "each call is recorded, with what was to be fetched" sh -c '
	test "$(grep -c "called ip = 0x[0-9a-f]*, number = [0-4], text = \"bread\"" one.txt)" = 5'
check "each hit of the static probe, with its arguments" sh -c '
	test "$(grep -c "sold ip = 0x[0-9a-f]*, arg1 = [0-4], arg2 = [0-9]*, arg3 = 7" one.txt)" = 5'
check "a filter holds for a probe" test "$(grep -c " some ip" one.txt)" = 2
check "babeltrace2 reads them" sh -c 'babeltrace2 one >bt 2>bt.err && ! test -s bt.err'
check "destroy removes them from tracefs" sh -c "$(declare -f probes); ! probes"
expect_case "without them the static probe is not recorded" 1 "$program"

# ---- what cannot be ----

tacho create two -o two >log
refuse() # NAME WORDS ARGUMENTS..
{
	expect_case "$1" 1 tacho enable-event -k -s two "${@:3}"
	check "it says: $2" has err "$2"
}
refuse "a function that is none is refused" "no function 'nobody'" \
	--userspace-probe "elf:$program:nobody" x
refuse "a static probe that is none is refused" "no static probe 'shop:nobody'" \
	--userspace-probe "sdt:$program:shop:nobody" x
refuse "a file that is no program is refused" "no executable or library" \
	--userspace-probe "elf:$TACHO_SOURCE/README.md:main" x
refuse "a name that the kernel cannot have is refused" "cannot be the name" \
	--userspace-probe "elf:$program:sell" a:b
refuse "a register that is none is refused, by the kernel's words" "Invalid" \
	--userspace-probe "elf:$program:sell" --fetch 'a=%zz' x
check "no channel was made for what was refused" sh -c '
	tacho list two --json >two.json && ! grep -q kernel two.json'
check "nothing of these is in tracefs" sh -c "$(declare -f probes); ! probes"
tacho enable-event -s two --userspace-probe "elf:$program:sell" same >log
check "the same again is the same" tacho enable-event -s two --userspace-probe "elf:$program:sell" same
refuse "another of the same name is refused" "another probe 'same'" \
	--userspace-probe "elf:$program:main" same
expect_case "two kinds at once are wrong use" 2 tacho enable-event --probe a --function b x
tacho create three -o three >log
check "another session may have the name" tacho enable-event -s three \
	--userspace-probe "elf:$program:main" same
check "both are there" test "$(probes | wc -l)" = 2

# ---- of the kernel ----

# A name that is opened, and what the call answers: 10 pairs of getppid() tell who is whose parent.
with_kprobes()
{
	tacho enable-event -s three --function __x64_sys_getppid parent &&
		tacho enable-event -s three --probe do_sys_openat2 \
			--fetch 'directory=$arg1:s32 name=+0($arg2):ustring' opened &&
		tacho enable-event -s three --probe do_sys_openat2 \
			--fetch 'name=+0($arg2):ustring' --filter 'name == "nobody has*"' filtered &&
		tacho start three
}
if grep -q kprobe_events "$TMP/tracefs/README"; then
	check "instructions and functions of the kernel become events" with_kprobes
	"$TACHO_BUILD/tests/e2e/kernel_pairs" 10
	echo 'nobody has this name' >'nobody has this name'
	tacho destroy three >log
	tacho view three >three.txt
	check "a function of the kernel has begin and end" sh -c '
		test "$(grep -c "kernel_pairs) parent_entry ip" three.txt)" = 20 &&
			test "$(grep -c "kernel_pairs) parent_return ip.*parent_ip.*ret" three.txt)" = 20'
	check "what a function returns is recorded" test \
		"$(grep -c "kernel_pairs) parent_return .* ret = $$\$" three.txt)" = 20
	check "so are its arguments, and a string in the program's memory" grep -q \
		' opened ip = 0x[0-9a-f]*, directory = -100, name = "nobody has this name"' three.txt
	check "a filter looks at them" test "$(grep -c ' filtered ip' three.txt)" = 1
	check "babeltrace2 reads these as well" sh -c 'babeltrace2 three >bt 2>bt.err && ! test -s bt.err'
else
	refuse "probes of the kernel are refused where it has none" CONFIG_KPROBE_EVENTS --probe do_exit x
	tacho destroy three >log
fi

# ---- a session whose directory vanished leaves its probes to the next command ----

rm -rf "${TACHO_RUNTIME_DIR:?}"/sessions/two "$TACHO_RUNTIME_DIR"/slots/*
tacho list >log 2>&1
check "the next command removes what was left behind" sh -c "$(declare -f probes); ! probes"
