# SPDX-License-Identifier: MIT
"""kernel_trace_cmd.py LISTING.. TRACE.json REPORT CPU - what tacho recorded of the kernel on one CPU, as JSON
lines, against what trace-cmd reports of the same time, both with all fields.

Which events are within the window both must say alike: from a call of getppid at the begin to one at the
end, right before and behind which either has nothing but the calls before and behind. An interrupt may come
between the probes of the two tracers, and is then on this side of an event for one and on that side for the
other.
"""
import collections
import json
import re
import sys

ENTER, LEAVE = "sys_enter_getppid", "sys_exit_getppid"
LINE = re.compile(r".*-(?P<tid>\d+) +\[(?P<cpu>\d+)\] +[\d.]+: (?P<event>\w+): *(?P<fields>.*)")
FIELD = re.compile(r"(\w+)=(.*?)(?= \w+=|$)")
PRIORITIES = ("prio", "prev_prio", "next_prio", "oldprio", "newprio")


def number(text):
    return int(text, 16 if text.startswith("0x") else 10)


def bits(value, kind):
    """a number of the width that it has in tacho's trace; anything else as it is"""
    width = re.match(r"u?int(\d+)", kind)
    if not width and kind != "pointer":
        return str(value)
    value = number(value) if isinstance(value, str) else value
    return value & ((1 << int(width[1] if width else 64)) - 1)


def read_kinds(paths):
    """by tacho's name of an event: the kernel's, and the types of its fields"""
    kinds = {}
    for path in paths:
        for event in (event for events in json.load(open(path)).values() for event in events):
            types = [(field["name"], field["type"]) for field in event["fields"]]
            if event.get("tracefs") == "syscalls":
                kinds["syscall_entry_" + event["name"]] = (event["tracefs_event"], types)
                kinds["syscall_exit_" + event["name"]] = ("sys_exit_" + event["name"], [("ret", "int64")])
            elif "tracefs" in event:
                kinds[event["name"]] = (event["tracefs_event"], types)
    return kinds


def unbiased(event, name, value):
    return value + 100 if event.startswith("sched_") and name in PRIORITIES else value


def read_tacho(path, kinds, cpu):
    events = []
    for line in map(json.loads, open(path)):
        if line["cpu"] != cpu or line["event"] not in kinds:
            continue
        event, types = kinds[line["event"]]
        values = [bits(unbiased(event, name, line["fields"][name]), kind) for name, kind in types]
        events.append((event, line.get("tid", 0), *values))
    return events


def read_report(path, kinds, cpu):
    types = {event: types for event, types in kinds.values()}
    events = []
    for match in filter(None, map(LINE.match, open(path))):
        if int(match["cpu"]) != cpu:
            continue
        event = match["event"]
        told = [value for name, value in FIELD.findall(match["fields"]) if name != "__syscall_nr"]
        values = [bits(value, kind) for value, (_, kind) in zip(told, types.get(event, []), strict=True)]
        events.append((event, int(match["tid"]), *values))
    return events


def clean_calls(events):
    """by their numbers, where the calls are that have nothing but calls around them"""
    names = [event[0] for event in events]
    calls = [at for at, name in enumerate(names) if name == ENTER]
    return {number: at for number, at in enumerate(calls)
            if at and names[at - 1] == LEAVE and names[at + 1:at + 2] == [LEAVE]}


def windows(first, second):
    clean = clean_calls(first), clean_calls(second)
    common = sorted(clean[0].keys() & clean[1].keys())
    if not common:
        sys.exit(f"# no window: {len(first)} and {len(second)} events, clean calls {clean}")
    return [collections.Counter(events[at[common[0]]:at[common[-1]]])
            for events, at in zip((first, second), clean)]


def main():
    *listings, trace, report, cpu = sys.argv[1:]
    kinds = read_kinds(listings)
    tacho, judge = windows(read_tacho(trace, kinds, int(cpu)), read_report(report, kinds, int(cpu)))
    for name, only in ("tacho", tacho - judge), ("trace-cmd", judge - tacho):
        for event, count in sorted(only.items(), key=str)[:10]:
            print(f"# only {name}, {count} times: {event}")
    names = {event[0] for event in judge}
    print(f"# {judge.total()} events of {len(names)} kinds")
    needed = {"sched_switch", "sched_process_fork", "sched_process_exec", "sys_enter_openat"}
    sys.exit(tacho != judge or not needed <= names)


main()
