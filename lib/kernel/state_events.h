/* SPDX-License-Identifier: MIT */
/*
 * state_events.h - what the system was like when an event happened: events that tell which processes there
 * are, which files they have open, and so on. The kernel has none like these, so a tool tells them, and the
 * kernel takes them into an instance's buffer among its own events, with its time (trace_marker_raw):
 *
 *      what is written       u32 KERNEL_STATE_MAGIC | kind, then the payload as the record has it
 *      what is read back     an event ftrace:raw_data; behind its head the same, and up to 3 bytes of padding
 *
 * Names and fields are LTTng's; it does not have lttng_statedump_mount. Where its kernel tells the address of
 * a table of files, there is the pid of the process: as good a name, since threads share the table.
 */
#ifndef TACHO_KERNEL_STATE_EVENTS_H
#define TACHO_KERNEL_STATE_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/event_desc.h"

#define KERNEL_STATE_SYSTEM    "statedump" /* in place of tracefs's */
#define KERNEL_STATE_MAGIC     0x7ac40000u
#define KERNEL_STATE_BYTES_MAX 2560u /* of what is written: older kernels take 3,072 */

enum kernel_state_kind {
	KERNEL_STATE_START,
	KERNEL_STATE_PROCESS,
	KERNEL_STATE_PID_NS,
	KERNEL_STATE_FILE,
	KERNEL_STATE_INTERRUPT,
	KERNEL_STATE_INTERFACE,
	KERNEL_STATE_DISK,
	KERNEL_STATE_MOUNT,
	KERNEL_STATE_END,
	KERNEL_STATE_KINDS,
};

const struct event_desc *kernel_state_desc(enum kernel_state_kind kind);

/* A record being made: fields one after the other, as the description has them. */
struct kernel_state {
	uint32_t used;
	uint8_t bytes[KERNEL_STATE_BYTES_MAX];
};

void kernel_state_begin(struct kernel_state *state, enum kernel_state_kind kind);
/* kernel_state_add_number() - of the next field's size, from the low end of @value */
void kernel_state_add_number(struct kernel_state *state, uint64_t value, uint32_t bytes);
/* kernel_state_add_text() - what does not fit is cut; the last @spare bytes are for other fields */
void kernel_state_add_text(struct kernel_state *state, const char *text, uint32_t spare);
/* kernel_state_add_name() - 16 bytes, the last one 0 */
void kernel_state_add_name(struct kernel_state *state, const char *name);

/*
 * kernel_state_read() - what was read back: hostile
 * @bytes: behind the head of the event
 *
 * Return: bytes of the payload, at @bytes + 4; -EBADMSG: it is no such record.
 */
int kernel_state_read(const uint8_t *bytes, uint32_t size, enum kernel_state_kind *ret_kind);

#endif
