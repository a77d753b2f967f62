# SPDX-License-Identifier: MIT
# tool.bash - the cases of tool.sh, in the guest: "ok - NAME" or "not ok - NAME", and why.
export PATH=/bin TACHO_RUNTIME_DIR=/dev/shm/run HOME=/tmp
cd /tmp || exit
mkdir -p /dev/shm/run /sys/kernel/tracing
mount -t tracefs tracefs /sys/kernel/tracing

check() # NAME COMMAND..
{
	if "${@:2}" >out 2>&1; then
		echo "ok - $1"
	else
		sed 's/^/# /' out
		echo "not ok - $1"
	fi
}

has() # FILE REGEX
{
	grep -q -E "$2" "$1"
}

says() # REGEX COMMAND..
{
	"${@:2}" >said 2>&1
	has said "$1" || { cat said; false; }
}

insists() { TACHO_KERNEL_TRACER=module tacho record -k -o none -- ls /; }
check who_insists_on_the_module_is_told_why_not says 'the kernel module is not loaded: ' insists
insmod /tacho.ko || exit

sleep 1000 &
stranger=$!
work='echo $$ >pid; ls /bin >/dev/null; cat /init >/dev/null'
check record_with_the_module env TACHO_KERNEL_TRACER=module tacho record -k -o one -- bash -c "$work"
kill $stranger
check what_is_recorded_can_be_read bash -c 'tacho view one >one.txt'
check a_switch_has_the_names_and_priorities_of_both_threads \
	has one.txt 'sched_switch.*prev_comm = "[^"]+", prev_tid = [0-9]+, prev_prio = [0-9]+, prev_state = [0-9]+, next_comm = "[^"]+", next_tid'
check file_names_of_system_calls_are_recorded has one.txt 'syscall_entry_openat.*filename = "/init"'
check what_it_starts_is_recorded has one.txt '\(ls\) syscall_entry_getdents64'
check other_processes_are_not bash -c "! grep -q '/$stranger .*syscall_' one.txt"
check the_end_of_a_system_call_is_recorded has one.txt '\(cat\) syscall_exit_openat ret = [0-9]+'

check the_state_dump_is_recorded_beside has one.txt 'lttng_statedump_process_state.*name = "bash"'
filtered()
{
	tacho create -o filtered f && tacho enable-event -k sched_switch && tacho enable-event -k \
		--filter 'comm == "true"' sched_wakeup && tacho list f >said && tacho destroy f
}
check a_rule_with_a_filter_gets_a_channel_beside bash -c "$(declare -f filtered); filtered"
check that_channel_has_its_name has said 'tracefs'

# Of each event that both ways have recorded, what its fields are called.
fields_of() # TRACE
{
	tacho view "$1" | sed -n 's/^[^(]*([^)]*) //p' | sed 's/ = \("[^"]*"\|[^,]*\)//g' | sort -u
}
wrong() { TACHO_KERNEL_TRACER=both tacho record -k -o none -- true; }
check another_way_is_refused says 'what there is: module, tracefs' wrong
check record_by_tracefs env TACHO_KERNEL_TRACER=tracefs tacho record -k -o two -- bash -c "$work"
fields_of one >fields.one
fields_of two >fields.two
comm -13 fields.one fields.two | sed 's/^/# only by tracefs: /'
comm -23 fields.one fields.two | sed 's/^/# only by the module: /'
check both_ways_have_the_same_switch_and_system_calls bash -c '
	for event in sched_switch sched_wakeup sched_process_fork syscall_entry_openat syscall_exit_openat; do
		grep "^$event " fields.one >a; grep "^$event " fields.two >b
		test -s a && cmp a b || exit
	done'
check a_session_that_ends_leaves_no_recorder rmmod tacho
dmesg >log
check the_kernel_does_not_complain bash -c '! grep -E "BUG:|WARNING:|Oops|rcu.*stall" log'
