// SPDX-License-Identifier: MIT OR GPL-2.0-only
/* recorder.c - see recorder.h */
#include "recorder.h"

#include <linux/cpumask.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/slab.h>
#include <linux/tracepoint.h>
#include <linux/uaccess.h>

#include "bell.h"
#include "calls.h"
#include "pinned.h"
#include "probe.h"
#include "tracepoints.h"

struct recorder {
	struct list_head node;
	struct tacho_recorder_name name;
	struct tacho_rings header; /* a copy, checked */
	struct pinned shared_header;
	struct pinned *rings; /* by CPU */
	struct writer __percpu *writers;
	struct recorder_rooms __percpu *rooms;
	struct whom whom;
	struct calls *calls[TACHO_POINT_MAX + 1]; /* of system calls, by point */
	struct list_head events;
	u32 event_count;
	struct bell *bell; /* which the writers have as well; or NULL */
};

static LIST_HEAD(recorders);
static u32 recorder_count;

static bool is_same_name(const struct tacho_recorder_name *a, const struct tacho_recorder_name *b)
{
	return a->session_instance == b->session_instance && a->directory == b->directory &&
	       a->channel == b->channel;
}

static struct recorder *find(const struct tacho_recorder_name *name)
{
	struct recorder *r;

	list_for_each_entry(r, &recorders, node)
	{
		if (is_same_name(&r->name, name))
			return r;
	}
	return NULL;
}

static struct recorder_event *find_event(struct recorder *r, u32 id)
{
	struct recorder_event *event;

	list_for_each_entry(event, &r->events, node)
	{
		if (event->format.id == id)
			return event;
	}
	return NULL;
}

/* Rings are made */

static int read_header(struct recorder *r, const struct tacho_module_attach *attach)
{
	const void __user *from = (const void __user *)(unsigned long)attach->rings_address;
	const struct tacho_rings *h = &r->header;

	if (!PAGE_ALIGNED(attach->rings_address) || attach->name.reserved)
		return -EINVAL;
	if (copy_from_user(&r->header, from, sizeof(r->header)))
		return -EFAULT;
	if (!tacho_rings_are_sane(h, attach->rings_bytes) ||
	    h->session_instance != attach->name.session_instance)
		return -EBADMSG;
	if (h->writer_kind != TACHO_WRITER_KERNEL || !is_power_of_2(h->subbuf_count) ||
	    h->mode == TACHO_MODE_BLOCK)
		return -EINVAL;
	return 0;
}

static bool has_ring(const struct tacho_rings *h, unsigned int cpu)
{
	return cpu < h->ring_count && h->allocated[cpu / 64] >> (cpu % 64) & 1;
}

static int make_writer(struct recorder *r, unsigned int cpu, unsigned long rings_address)
{
	struct writer *writer = per_cpu_ptr(r->writers, cpu);
	const struct tacho_rings *h = &r->header;
	int ret;

	if (!has_ring(h, cpu))
		return writer_init(writer, h, NULL) ? 0 : -EBADMSG;
	ret = pinned_init(&r->rings[cpu], rings_address + tacho_ring_at(cpu, h->stride), h->stride);
	if (ret)
		return ret;
	return writer_init(writer, h, r->rings[cpu].map) ? 0 : -EBADMSG;
}

static int make_writers(struct recorder *r, unsigned long rings_address)
{
	unsigned int cpu;
	int ret;

	r->rings = kvcalloc(nr_cpu_ids, sizeof(*r->rings), GFP_KERNEL);
	r->writers = __alloc_percpu(sizeof(struct writer), TACHO_LINE_BYTES);
	r->rooms = alloc_percpu(struct recorder_rooms);
	if (!r->rings || !r->writers || !r->rooms)
		return -ENOMEM;
	ret = pinned_init(&r->shared_header, rings_address, TACHO_RINGS_HEADER_BYTES);
	for_each_possible_cpu(cpu)
	{
		if (!ret)
			ret = make_writer(r, cpu, rings_address);
	}
	return ret;
}

/* Nobody else writes to the counters now: the channel's programs have files of their own. */
static void tell_lost_without_ring(struct recorder *r)
{
	struct tacho_rings *shared = r->shared_header.map;
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		tacho_fetch_add_relaxed(&shared->unattributed[TACHO_LOST_NO_MEMORY],
					per_cpu_ptr(r->writers, cpu)->lost_without_ring);
}

static void free_recorder(struct recorder *r)
{
	for (unsigned int cpu = 0; r->rings && cpu < nr_cpu_ids; cpu++)
		pinned_fini(&r->rings[cpu]);
	pinned_fini(&r->shared_header);
	bell_free(r->bell);
	for (unsigned int point = 0; point <= TACHO_POINT_MAX; point++)
		kvfree(r->calls[point]);
	kvfree(r->rings);
	free_percpu(r->writers);
	free_percpu(r->rooms);
	kfree(r);
}

int recorder_attach(const struct tacho_module_attach *attach)
{
	struct recorder *r;
	int ret;

	if (find(&attach->name))
		return -EEXIST;
	if (recorder_count == TACHO_RECORDERS_MAX)
		return -ENOSPC;
	r = kzalloc(sizeof(*r), GFP_KERNEL);
	if (!r)
		return -ENOMEM;
	r->name = attach->name;
	INIT_LIST_HEAD(&r->events);
	ret = read_header(r, attach);
	if (!ret)
		ret = make_writers(r, attach->rings_address);
	if (ret) {
		free_recorder(r);
		return ret;
	}
	list_add_tail(&r->node, &recorders);
	recorder_count++;
	return 0;
}

/* Events */

/* Words behind the arguments are there when a FOLLOW has loaded them. */
static bool is_word(u32 word, u32 loaded)
{
	return word < TACHO_ARGUMENTS_MAX || (word < TACHO_WORDS_MAX && loaded >> word & 1);
}

static bool has_second(const struct tacho_fetch *f)
{
	switch (f->kind) {
	case TACHO_FETCH_LOAD_4_4:
	case TACHO_FETCH_LOAD_8_8:
	case TACHO_FETCH_LOAD_4_ADD:
	case TACHO_FETCH_UNLESS:
		return true;
	case TACHO_FETCH_FOLLOW:
		return f->second_offset >= TACHO_ARGUMENTS_MAX && f->second_offset < TACHO_WORDS_MAX;
	}
	return !f->second_offset;
}

/* An operation that says nothing beyond its kind, and, of those that load, its offsets. */
static bool is_fetch(const struct tacho_fetch *f, u32 loaded)
{
	bool has_offset = f->kind >= TACHO_FETCH_LOAD_8 && f->kind != TACHO_FETCH_ARGUMENTS;

	if (f->kind == TACHO_FETCH_UNLESS && !is_word(f->offset, loaded))
		return false;
	return f->kind && f->kind <= TACHO_FETCH_KIND_MAX && is_word(f->word, loaded) &&
	       !f->reserved && (has_offset || !f->offset) && has_second(f);
}

/* Arguments that the operation looks at: the number of the last, counted from 1. */
static unsigned int count_words(const struct tacho_fetch *f)
{
	unsigned int last = f->word < TACHO_ARGUMENTS_MAX ? f->word + 1u : 0;

	if (f->kind == TACHO_FETCH_UNLESS && f->offset < TACHO_ARGUMENTS_MAX)
		last = max(last, f->offset + 1u);
	return last;
}

/* Sets what the recipe needs; -EINVAL if it is none. */
static int check_recipe(struct recorder_event *event, u32 id, unsigned int *ret_word_count)
{
	const struct tacho_fetch *f = event->fetch;
	const struct tacho_fetch *end = f + TACHO_FETCHES_MAX;
	u32 payload_bytes = 0, loaded = 0;

	for (; f < end && is_fetch(f, loaded); f++) {
		payload_bytes += tacho_fetch_bytes(f->kind);
		*ret_word_count = max(*ret_word_count, count_words(f));
		event->is_varied |= tacho_fetch_is_string(f->kind);
		if (f->kind == TACHO_FETCH_FOLLOW)
			loaded |= 1u << f->second_offset;
	}
	if (f == end || memchr_inv(f, 0, (end - f) * sizeof(*f)) ||
	    payload_bytes > TACHO_PAYLOAD_BYTES_MAX)
		return -EINVAL;
	writer_format_init(&event->format, id, payload_bytes);
	return 0;
}

static unsigned int words_of(u32 point)
{
	static const u8 words[TACHO_POINT_MAX + 1] = { TACHO_ARGUMENTS_MAX, 6, 1 };

	return words[point];
}

static int register_tracepoint(struct recorder_event *event, const char *name,
			       unsigned int word_count)
{
	event->tracepoint = tracepoints_find(name);
	if (!event->tracepoint)
		return -ENOENT;
	event->probe = probe_for(word_count);
	return tracepoint_probe_register(event->tracepoint, event->probe, event);
}

static int register_event(struct recorder *r, struct recorder_event *event,
			  const struct tacho_module_event *said)
{
	unsigned int word_count = said->subject;
	int ret = check_recipe(event, said->event_id, &word_count);

	if (ret)
		return ret;
	if (word_count > words_of(said->point))
		return -EINVAL;
	event->writers = r->writers;
	event->rooms = r->rooms;
	event->whom = &r->whom;
	event->subject = said->subject;
	event->point = said->point;
	event->syscall = said->syscall;
	event->is_plain = !event->is_varied && !r->whom.threads;
	if (said->point == TACHO_POINT_TRACEPOINT)
		return register_tracepoint(event, said->tracepoint, word_count);
	return calls_add(&r->calls[said->point], said->point, said->syscall, event);
}

static int make_event(struct recorder *r, const struct tacho_module_event *said)
{
	struct recorder_event *event = kzalloc(sizeof(*event), GFP_KERNEL);
	int ret;

	if (!event)
		return -ENOMEM;
	memcpy(event->fetch, said->fetch, sizeof(event->fetch));
	ret = register_event(r, event, said);
	if (ret) {
		kfree(event);
		return ret;
	}
	list_add_tail(&event->node, &r->events);
	r->event_count++;
	return 0;
}

static bool is_point(const struct tacho_module_event *said)
{
	bool has_name = said->tracepoint[0];

	if (said->point == TACHO_POINT_TRACEPOINT)
		return has_name && !said->syscall;
	return said->point <= TACHO_POINT_MAX && !has_name && said->syscall < TACHO_SYSCALLS_MAX;
}

static bool is_event(const struct tacho_module_event *said)
{
	return said->event_id >= TACHO_ID_FIRST && said->event_id <= TACHO_ID_MEDIUM_MAX &&
	       !said->reserved && !said->reserved_too && !said->name.reserved &&
	       memchr(said->tracepoint, 0, sizeof(said->tracepoint)) && is_point(said);
}

int recorder_add_event(const struct tacho_module_event *said)
{
	struct recorder *r = find(&said->name);

	if (!is_event(said))
		return -EINVAL;
	if (!r)
		return -ENOENT;
	if (find_event(r, said->event_id))
		return -EEXIST;
	if (r->event_count == TACHO_RECORDER_EVENTS_MAX)
		return -ENOSPC;
	return make_event(r, said);
}

/* Moves an event that is not called from now on to @gone; free_events() when no call is left. */
static void stop_event(struct recorder *r, struct recorder_event *event, struct list_head *gone)
{
	if (event->tracepoint)
		tracepoint_probe_unregister(event->tracepoint, event->probe, event);
	else
		calls_remove(r->calls[event->point], event->point, event->syscall);
	list_move(&event->node, gone);
	r->event_count--;
}

static void stop_all_events(struct recorder *r, struct list_head *gone)
{
	struct recorder_event *event, *next;

	list_for_each_entry_safe(event, next, &r->events, node) stop_event(r, event, gone);
}

static void free_events(struct list_head *gone)
{
	struct recorder_event *event, *next;

	if (list_empty(gone))
		return;
	tracepoint_synchronize_unregister();
	list_for_each_entry_safe(event, next, gone, node) kfree(event);
}

int recorder_forget_event(const struct tacho_module_forget *forget)
{
	struct recorder *r = find(&forget->name);
	bool is_all = !forget->event_id;
	struct recorder_event *event = r && !is_all ? find_event(r, forget->event_id) : NULL;
	LIST_HEAD(gone);

	if (forget->reserved || forget->name.reserved)
		return -EINVAL;
	if (!r || (!event && !is_all))
		return -ENOENT;
	if (is_all)
		stop_all_events(r, &gone);
	else
		stop_event(r, event, &gone);
	free_events(&gone);
	return 0;
}

int recorder_next_event(struct tacho_module_next *next)
{
	struct recorder *r = find(&next->name);
	struct recorder_event *event;
	u32 found = U32_MAX;

	if (next->reserved || next->name.reserved)
		return -EINVAL;
	if (!r)
		return -ENOENT;
	list_for_each_entry(event, &r->events, node)
	{
		if (event->format.id > next->event_id)
			found = min(found, event->format.id);
	}
	if (found == U32_MAX)
		return -ENOENT;
	next->event_id = found;
	return 0;
}

/* Whose threads are chosen once is never plain again: that is only a matter of speed. */
int recorder_choose_threads(const struct tacho_module_whom *whom)
{
	struct recorder *r = find(&whom->name);
	struct recorder_event *event;
	int ret = r ? whom_change(&r->whom, whom) : -ENOENT;

	if (ret || !r->whom.threads)
		return ret;
	list_for_each_entry(event, &r->events, node) WRITE_ONCE(event->is_plain, false);
	return 0;
}

void recorder_module_leaves(const struct module *module)
{
	struct recorder *r;
	struct recorder_event *event, *next;
	LIST_HEAD(gone);

	list_for_each_entry(r, &recorders, node)
	{
		list_for_each_entry_safe(event, next, &r->events, node)
		{
			if (event->tracepoint &&
			    within_module((unsigned long)event->tracepoint, module))
				stop_event(r, event, &gone);
		}
	}
	free_events(&gone);
}

/* Waking the drain */

/* No writer knows the one before when this returns. */
static void change_bell(struct recorder *r, struct bell *bell)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu) smp_store_release(&per_cpu_ptr(r->writers, cpu)->bell, bell);
	if (!r->bell)
		return;
	tracepoint_synchronize_unregister();
	bell_free(r->bell);
}

int recorder_hang_bell(const struct tacho_module_bell *said)
{
	struct recorder *r = find(&said->name);
	struct bell *bell = NULL;

	if (said->reserved || said->name.reserved)
		return -EINVAL;
	if (!r)
		return -ENOENT;
	if (said->event_fd >= 0)
		bell = bell_new(said->word_address, said->event_fd);
	if (IS_ERR(bell))
		return PTR_ERR(bell);
	change_bell(r, bell);
	r->bell = bell;
	return 0;
}

/* The end */

static void detach(struct recorder *r)
{
	LIST_HEAD(gone);

	stop_all_events(r, &gone);
	free_events(&gone);
	whom_fini(&r->whom);
	tell_lost_without_ring(r);
	list_del(&r->node);
	recorder_count--;
	free_recorder(r);
}

int recorder_detach(const struct tacho_recorder_name *name)
{
	struct recorder *r = find(name);

	if (name->reserved)
		return -EINVAL;
	if (!r)
		return -ENOENT;
	detach(r);
	return 0;
}

void recorder_detach_all(void)
{
	struct recorder *r, *next;

	list_for_each_entry_safe(r, next, &recorders, node) detach(r);
}

int recorder_look(struct tacho_module_look *look)
{
	struct recorder *r;
	u32 index = 0;

	list_for_each_entry(r, &recorders, node)
	{
		if (index++ != look->index)
			continue;
		look->name = r->name;
		look->event_count = r->event_count;
		return 0;
	}
	return -ENOENT;
}
