/* SPDX-License-Identifier: MIT */
/* state_events.c - see state_events.h */
#include "kernel/state_events.h"

#include <errno.h>
#include <string.h>

#include "base/load.h"

#define NAME_BYTES   16
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#define INT      TACHO_TYPE(TACHO_KIND_INTEGER, 4, TACHO_FLAG_SIGNED)
#define UINT     TACHO_TYPE(TACHO_KIND_INTEGER, 4, 0)
#define HEX      TACHO_TYPE(TACHO_KIND_INTEGER, 4, TACHO_FLAG_HEX)
#define ADDRESS  TACHO_TYPE(TACHO_KIND_INTEGER, 8, TACHO_FLAG_HEX)
#define INTERNET TACHO_TYPE(TACHO_KIND_INTEGER, 4, TACHO_FLAG_HEX | TACHO_FLAG_NETWORK)
#define STRING   TACHO_TYPE(TACHO_KIND_STRING, 1, 0)
#define NAME     TACHO_TYPE(TACHO_KIND_ARRAY, 1, TACHO_FLAG_CHAR)

static const struct event_field process_fields[] = {
	{ "tid", INT, 0 },     { "pid", INT, 0 },
	{ "ppid", INT, 0 },    { "name", NAME, NAME_BYTES },
	{ "type", INT, 0 },    { "mode", INT, 0 },
	{ "submode", INT, 0 }, { "status", INT, 0 },
	{ "cpu", UINT, 0 },    { "file_table_address", ADDRESS, 0 },
};

static const struct event_field pid_ns_fields[] = {
	{ "tid", INT, 0 },   { "vtid", INT, 0 },     { "vpid", INT, 0 },
	{ "vppid", INT, 0 }, { "ns_level", INT, 0 }, { "ns_inum", UINT, 0 },
};

static const struct event_field file_fields[] = {
	{ "file_table_address", ADDRESS, 0 },
	{ "fd", INT, 0 },
	{ "flags", HEX, 0 },
	{ "fmode", HEX, 0 },
	{ "filename", STRING, 0 },
};

static const struct event_field interrupt_fields[] = {
	{ "irq", UINT, 0 },
	{ "name", STRING, 0 },
	{ "action", STRING, 0 },
	{ "tid", INT, 0 },
};

static const struct event_field interface_fields[] = {
	{ "name", STRING, 0 },
	{ "address_ipv4", INTERNET, 0 },
};

static const struct event_field disk_fields[] = { { "dev", UINT, 0 }, { "diskname", STRING, 0 } };

static const struct event_field mount_fields[] = {
	{ "dev", UINT, 0 },
	{ "fstype", STRING, 0 },
	{ "source", STRING, 0 },
	{ "mountpoint", STRING, 0 },
};

#define EVENT(event, event_fields, count)                                                          \
	{                                                                                          \
		.provider = "", .name = "lttng_statedump_" event, .file = "",                      \
		.level = TACHO_LEVEL_DEBUG_LINE, .fields = event_fields, .field_count = count,     \
	}

static const struct event_desc descs[KERNEL_STATE_KINDS] = {
	[KERNEL_STATE_START] = EVENT("start", NULL, 0),
	[KERNEL_STATE_PROCESS] = EVENT("process_state", process_fields, COUNT(process_fields)),
	[KERNEL_STATE_PID_NS] = EVENT("process_pid_ns", pid_ns_fields, COUNT(pid_ns_fields)),
	[KERNEL_STATE_FILE] = EVENT("file_descriptor", file_fields, COUNT(file_fields)),
	[KERNEL_STATE_INTERRUPT] = EVENT("interrupt", interrupt_fields, COUNT(interrupt_fields)),
	[KERNEL_STATE_INTERFACE] =
		EVENT("network_interface", interface_fields, COUNT(interface_fields)),
	[KERNEL_STATE_DISK] = EVENT("block_device", disk_fields, COUNT(disk_fields)),
	[KERNEL_STATE_MOUNT] = EVENT("mount", mount_fields, COUNT(mount_fields)),
	[KERNEL_STATE_END] = EVENT("end", NULL, 0),
};

const struct event_desc *kernel_state_desc(enum kernel_state_kind kind)
{
	return &descs[kind];
}

/* ---- making ---- */

static void add(struct kernel_state *state, const void *data, uint32_t bytes)
{
	if (bytes > sizeof(state->bytes) - state->used)
		return; /* not with what state_dump.c says: numbers and spared texts fit */
	memcpy(state->bytes + state->used, data, bytes);
	state->used += bytes;
}

void kernel_state_begin(struct kernel_state *state, enum kernel_state_kind kind)
{
	uint32_t word = KERNEL_STATE_MAGIC | kind;

	state->used = 0;
	add(state, &word, sizeof(word));
}

void kernel_state_add_number(struct kernel_state *state, uint64_t value, uint32_t bytes)
{
	const uint8_t *low = (const uint8_t *)&value;

	add(state, TACHO_BIG_ENDIAN ? low + sizeof(value) - bytes : low, bytes);
}

void kernel_state_add_text(struct kernel_state *state, const char *text, uint32_t spare)
{
	uint32_t room = (uint32_t)sizeof(state->bytes) - state->used - spare - 1;

	add(state, text, (uint32_t)strnlen(text, room));
	add(state, "", 1);
}

void kernel_state_add_name(struct kernel_state *state, const char *name)
{
	char bytes[NAME_BYTES] = "";

	memcpy(bytes, name, strnlen(name, NAME_BYTES - 1));
	add(state, bytes, NAME_BYTES);
}

/* ---- reading back ---- */

/* Return: bytes of a field; 0: it has no end. */
static uint32_t field_bytes(const struct event_field *field, const uint8_t *at, uint32_t left)
{
	const uint8_t *end;
	uint32_t bytes = TACHO_TYPE_BYTES(field->type);

	if (TACHO_TYPE_KIND(field->type) == TACHO_KIND_STRING) {
		end = left ? memchr(at, 0, left) : NULL;
		return end ? (uint32_t)(end - at) + 1 : 0;
	}
	bytes *= field->count ? field->count : 1;
	return bytes <= left ? bytes : 0;
}

int kernel_state_read(const uint8_t *bytes, uint32_t size, enum kernel_state_kind *ret_kind)
{
	uint32_t word = size >= sizeof(word) ? load_u32(bytes) : 0;
	uint32_t kind = word - KERNEL_STATE_MAGIC, at = sizeof(word);

	if (kind >= KERNEL_STATE_KINDS)
		return -EBADMSG;
	for (uint32_t i = 0; i < descs[kind].field_count; i++) {
		uint32_t used = field_bytes(&descs[kind].fields[i], bytes + at, size - at);

		if (!used)
			return -EBADMSG;
		at += used;
	}
	*ret_kind = kind;
	return (int)(at - sizeof(word));
}
