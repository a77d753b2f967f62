/* SPDX-License-Identifier: MIT OR GPL-2.0-only */
/*
 * recorder.h - what is recorded where: the objects behind the calls of format/module.h.
 *
 *	recorder (a ring file)  --->  per-CPU writers (writer.h)  --->  pinned rings
 *	     |                              ^
 *	     +--> event: tracepoint, id, recipe --- the probe's data
 *
 * All calls hold tracepoints_lock(); an event of a tracepoint is only ever looked at by its probe, which the
 * kernel calls with preemption disabled.
 *
 * LIFE. An event is complete before its probe is registered; it is freed after its probe was
 * unregistered and tracepoint_synchronize_unregister() has waited for all that ran. A recorder is freed
 * after all its events were. So nothing that a probe uses goes away below it, at whatever moment an event is
 * forgotten, a recorder detached, or the module unloaded.
 *
 * CPUS that come online later find their writer ready, since there is one for each possible CPU; if
 * the file had no ring for it, its records are counted, and added to the file's `unattributed` when the
 * recorder is detached.
 */
#ifndef TACHO_KERNEL_RECORDER_H
#define TACHO_KERNEL_RECORDER_H

#include <linux/list.h>
#include <linux/types.h>

#include "cpu.h"
#include "format/module.h"
#include "whom.h"
#include "writer.h"

struct module;
struct tracepoint;

/* Where payloads are made whose length is not known before: one for each context that can nest. */
struct recorder_rooms {
	u8 bytes[WRITER_DEPTH_MAX][TACHO_PAYLOAD_BYTES_MAX];
};

/* What a probe needs, first. */
struct recorder_event {
	struct writer __percpu *writers;
	const struct whom *whom;
	bool is_plain;  /* of all threads, and not varied: four of these are all that is looked at */
	bool is_varied; /* its length is: it has strings */
	u16 subject;    /* tacho_module_event.subject */
	struct writer_format format;
	struct tacho_fetch fetch[TACHO_FETCHES_MAX];
	struct recorder_rooms __percpu *rooms;
	u16 point;
	u16 syscall;
	struct list_head node;
	struct tracepoint *tracepoint; /* NULL: of a system call */
	void *probe;
};

/* Each returns 0 or a negative errno of format/module.h. */
int recorder_attach(const struct tacho_module_attach *attach);
int recorder_add_event(const struct tacho_module_event *event);
int recorder_forget_event(const struct tacho_module_forget *forget);
int recorder_detach(const struct tacho_recorder_name *name);
int recorder_look(struct tacho_module_look *look);
int recorder_hang_bell(const struct tacho_module_bell *said);
int recorder_next_event(struct tacho_module_next *next);
int recorder_choose_threads(const struct tacho_module_whom *whom);

/* recorder_module_leaves() - forget the events whose tracepoints go with a module. */
void recorder_module_leaves(const struct module *module);
void recorder_detach_all(void);

#endif
