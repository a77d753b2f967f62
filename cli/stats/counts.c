/* SPDX-License-Identifier: MIT */
/* counts.c - see counts.h */
#include "counts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/text.h"

void stats_counts_init(struct stats_counts *counts)
{
	*counts = (struct stats_counts){ 0 };
	for (int by = 0; by < STATS_BY_COUNT; by++)
		counts->by[by] = view_map_new(sizeof(struct stats_count), STATS_KEYS_MAX);
	counts->losses = xcalloc(STATS_LOSSES_MAX, sizeof(*counts->losses));
}

void stats_counts_fini(struct stats_counts *counts)
{
	for (int by = 0; by < STATS_BY_COUNT; by++)
		view_map_free(counts->by[by]);
	free(counts->losses);
}

static struct stats_count *count_one(struct stats_counts *counts, enum stats_by by, const void *key,
				     size_t bytes)
{
	struct stats_count *count = view_map_get(counts->by[by], key, bytes);

	if (count)
		count->events++;
	return count;
}

static void set_name(struct stats_count *count, const char *name)
{
	if (strncmp(count->name, name, sizeof(count->name) - 1))
		snprintf(count->name, sizeof(count->name), "%s", name);
}

static void count_process(struct stats_counts *counts, const struct ctf_event *event)
{
	struct stats_count *count =
		count_one(counts, STATS_BY_PROCESS, &event->pid, sizeof(event->pid));

	if (!count)
		return;
	count->pid = event->pid;
	count->is_of_first |= event->tid == event->pid;
	if (!count->name[0] || event->tid == event->pid)
		set_name(count, event->thread);
}

static void count_thread(struct stats_counts *counts, const struct ctf_event *event)
{
	const uint32_t key[] = { event->pid, event->tid };
	struct stats_count *count = count_one(counts, STATS_BY_THREAD, key, sizeof(key));

	if (!count)
		return;
	count->pid = event->pid;
	count->tid = event->tid;
	set_name(count, event->thread);
}

static void count_cpu(struct stats_counts *counts, int32_t cpu)
{
	struct stats_count *count = count_one(counts, STATS_BY_CPU, &cpu, sizeof(cpu));

	if (count)
		count->cpu = cpu;
}

static void count_event(struct stats_counts *counts, const struct ctf_event *event)
{
	counts->events++;
	count_one(counts, STATS_BY_EVENT, event->name, strlen(event->name) + 1);
	count_process(counts, event);
	count_thread(counts, event);
	count_cpu(counts, event->cpu);
}

static void count_loss(struct stats_counts *counts, const struct ctf_lost *lost)
{
	counts->lost_events += lost->events;
	counts->lost_packets += lost->packets;
	if (counts->loss_count < STATS_LOSSES_MAX)
		counts->losses[counts->loss_count++] = *lost;
	else
		counts->losses_left_out++;
}

void stats_counts_add(struct stats_counts *counts, const struct ctf_item *item)
{
	if (item->kind == CTF_ITEM_DAMAGE)
		return;
	if (!counts->has_time)
		counts->begin_ns = counts->end_ns = item->time_ns;
	counts->has_time = true;
	if (item->time_ns > counts->end_ns)
		counts->end_ns = item->time_ns;
	if (item->kind == CTF_ITEM_EVENT)
		count_event(counts, &item->event);
	else
		count_loss(counts, &item->lost);
}

/* ---- what was counted elsewhere ---- */

static void append_count(struct stats_count *count, const struct stats_count *later,
			 enum stats_by by)
{
	bool has_name = by != STATS_BY_PROCESS || later->is_of_first || !count->name[0];
	uint64_t events = count->events + later->events;
	struct stats_count before = *count;

	*count = *later;
	count->events = events;
	if (!has_name)
		memcpy(count->name, before.name, sizeof(count->name));
	count->is_of_first |= before.is_of_first;
}

/* Keys as they came, so that the same ones find no room. */
static void append_counts(struct stats_counts *counts, const struct stats_counts *later,
			  enum stats_by by)
{
	struct view_map_entry *entries = view_map_sorted(later->by[by], view_map_oldest_first);

	for (size_t i = 0; i < view_map_count(later->by[by]); i++) {
		const struct stats_count *more = entries[i].value;
		struct stats_count *count =
			view_map_get(counts->by[by], entries[i].key, entries[i].key_bytes);

		if (count)
			append_count(count, more, by);
		else
			view_map_refuse(counts->by[by], more->events - 1);
	}
	view_map_refuse(counts->by[by], view_map_refused(later->by[by]));
	free(entries);
}

static void append_losses(struct stats_counts *counts, const struct stats_counts *later)
{
	size_t room = STATS_LOSSES_MAX - counts->loss_count;
	size_t kept = later->loss_count < room ? later->loss_count : room;

	memcpy(counts->losses + counts->loss_count, later->losses, kept * sizeof(*later->losses));
	counts->loss_count += kept;
	counts->losses_left_out += later->loss_count - kept + later->losses_left_out;
	counts->lost_events += later->lost_events;
	counts->lost_packets += later->lost_packets;
}

void stats_counts_append(struct stats_counts *counts, const struct stats_counts *later)
{
	if (!later->has_time)
		return;
	if (!counts->has_time) {
		counts->begin_ns = later->begin_ns;
		counts->end_ns = later->end_ns;
	}
	counts->has_time = true;
	if (later->end_ns > counts->end_ns)
		counts->end_ns = later->end_ns;
	counts->events += later->events;
	for (int by = 0; by < STATS_BY_COUNT; by++)
		append_counts(counts, later, (enum stats_by)by);
	append_losses(counts, later);
}

/* The largest first; of the same size, by their keys. */
static int compare(const void *a, const void *b)
{
	const struct view_map_entry *x = a, *y = b;
	const struct stats_count *p = x->value, *q = y->value;
	size_t bytes = x->key_bytes < y->key_bytes ? x->key_bytes : y->key_bytes;

	if (p->events != q->events)
		return p->events < q->events ? 1 : -1;
	return memcmp(x->key, y->key, bytes);
}

struct view_map_entry *stats_counts_sorted(const struct stats_counts *counts, enum stats_by by)
{
	return view_map_sorted(counts->by[by], compare);
}

double stats_counts_rate(const struct stats_counts *counts, uint64_t events)
{
	double seconds = (double)(counts->end_ns - counts->begin_ns) / 1e9;

	return seconds > 0 ? (double)events / seconds : 0;
}
