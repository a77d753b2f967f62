# SPDX-License-Identifier: MIT
"""kernel_fields.py TRACEFS EVENTS.json SYSCALLS.json - each event of the kernel as `tacho list -k --json`
and `tacho list --syscall --json` tell it, against what the files events/*/*/format in tracefs say. Nothing
here is taken from tacho: the text is parsed anew, LTTng's names stand here once more, the sizes of C's types
are ctypes'.
"""
import ctypes
import glob
import json
import os
import re
import sys

LINE = re.compile(r"\tfield:(?P<decl>[^;]+);\toffset:\d+;\tsize:(?P<size>\d+);\tsigned:(?P<signed>[01]);")
DECL = re.compile(r"(?P<loc>__data_loc |__rel_loc )?(?P<type>.*?)(?:\[\])? ?\b"
                  r"(?P<name>\w+)(?P<array>\[.*\])?")

# ---- what LTTng calls them ----

FRONTS = {
    "clk": "power_", "kmem": "kmem_", "power": "power_", "preemptirq": "preemptirq_", "timer": "timer_",
}
NAMES = {
    "irq": [(r"softirq_", "irq_softirq_")],
    "net": [(r"netif_", "net_if_"), (r"(napi_gro_(frags|receive)_)", r"net_\1")],
    "printk": [(r"console$", "printk_console")],
    "skb": [(r"(consume|kfree)_skb$", r"skb_\1")],
    "vmscan": [(r"mm_shrink_", "mm_vmscan_shrink_")],
    "writeback": [(r"(balance_dirty_pages|bdi_dirty_ratelimit|global_dirty_state)$", r"writeback_\1")],
}
TIDS = {"sched": r"(prev_|next_|parent_|child_|old_)?pid", "signal": "pid", "task": "pid"}


def lttng_event(system, event):
    front = FRONTS.get(system, "")
    for pattern, to in NAMES.get(system, []):
        event = re.sub("^" + pattern, to, event)
    return event if event.startswith(front) else front + event


# ---- what the kernel says ----

SYSCALL_TYPES = {
    "aio_context_t": ctypes.c_ulong, "clockid_t": ctypes.c_int, "gid_t": ctypes.c_uint, "int": ctypes.c_int,
    "key_serial_t": ctypes.c_int, "key_t": ctypes.c_int, "loff_t": ctypes.c_longlong, "long": ctypes.c_long,
    "mqd_t": ctypes.c_int, "off_t": ctypes.c_long, "pid_t": ctypes.c_int, "qid_t": ctypes.c_uint,
    "rwf_t": ctypes.c_int, "size_t": ctypes.c_size_t, "timer_t": ctypes.c_int, "u32": ctypes.c_uint32,
    "u64": ctypes.c_uint64, "uid_t": ctypes.c_uint, "umode_t": ctypes.c_ushort, "unsigned": ctypes.c_uint,
    "unsigned int": ctypes.c_uint, "unsigned long": ctypes.c_ulong, "__s32": ctypes.c_int32,
    "__u32": ctypes.c_uint32, "__u64": ctypes.c_uint64,
}
ELEMENTS = {"u8": 8, "u16": 16, "u32": 32, "u64": 64, "unsigned int": 32, "unsigned long": 64, "int": 32}
POINTERS = ("cap_user_header_t", "cap_user_data_t")


def is_signed(ctype):
    return ctype(-1).value < 0


def integer(size, signed):
    return f"{'' if signed else 'u'}int{8 * size}"


def syscall_type(ctype):
    plain = ctype.removeprefix("const ")
    if "*" in ctype or plain in POINTERS:
        return "pointer"
    if plain.startswith("enum "):
        return "uint32"
    if plain not in SYSCALL_TYPES:
        return None
    known = SYSCALL_TYPES[plain]
    return integer(ctypes.sizeof(known), is_signed(known))


def dynamic_type(ctype):
    if ctype == "char":
        return "string"
    return f"uint{ELEMENTS.get(ctype, 8)}[]"


def array_type(ctype, size, signed, length):
    if ctype in ("char", "const char"):
        return f"char[{size}]"
    length = int(length) if length.isdigit() else size
    if size % length or size // length not in (1, 2, 4, 8):
        return f"uint8[{size}]"
    return f"{integer(size // length, signed)}[{length}]"


def expected_type(system, part, size, signed):
    ctype = part["type"].strip()
    if part["loc"]:
        return dynamic_type(ctype)
    if part["array"]:
        return array_type(ctype, size, signed, part["array"][1:-1])
    if system == "syscalls":
        return syscall_type(ctype)
    if "*" in ctype:
        return "pointer"
    return integer(size, signed) if size in (1, 2, 4, 8) else f"uint8[{size}]"


def read_format(path, system):
    fields = []
    for line in open(path):
        match = LINE.match(line)
        if not match:
            continue
        part = DECL.fullmatch(match["decl"])
        size, name = int(match["size"]), part["name"]
        if name.startswith("common_") or not size or (system == "syscalls" and name == "__syscall_nr"):
            continue
        name = name[:-3] + "tid" if re.fullmatch(TIDS.get(system, "$."), name) else name
        fields.append((name, expected_type(system, part, size, match["signed"] == "1")))
    return fields


def read_tracefs(tracefs):
    """(name, fields) by (system, event)"""
    events = {}
    for path in glob.glob(f"{glob.escape(tracefs)}/events/*/*/format"):
        system, event = path.split("/")[-3:-1]
        if system == "ftrace" or event.startswith("sys_exit_"):
            continue
        name = event.removeprefix("sys_enter_") if system == "syscalls" else lttng_event(system, event)
        events[system, event] = (name, read_format(path, system))
    return events


# ---- what tacho says ----

def read_listing(path, key):
    return {(event["tracefs"], event["tracefs_event"]):
            (event["name"], [(f["name"], f["type"].replace(" (hex)", "")) for f in event["fields"]])
            for event in json.load(open(path))[key] if "tracefs" in event}


def main():
    tracefs, events, syscalls = sys.argv[1:]
    kernel = read_tracefs(tracefs)
    tacho = read_listing(events, "events") | read_listing(syscalls, "syscalls")
    wrong = [event for event in sorted(kernel | tacho) if kernel.get(event) != tacho.get(event)]
    for event in wrong:
        print("#", ":".join(event), "tracefs:", kernel.get(event), "tacho:", tacho.get(event))
    fields = sum(len(fields) for _, fields in kernel.values())
    print(f"# {len(kernel)} events with {fields} fields, {len(wrong)} differ")
    sys.exit(bool(wrong) or not kernel)


main()
