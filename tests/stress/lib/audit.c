/* SPDX-License-Identifier: MIT */
#include "audit.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/context.h"

#define FAULTS_SHOWN 10

static void *must_calloc(size_t count, size_t bytes)
{
	void *p = calloc(count, bytes);

	if (!p)
		die("calloc");
	return p;
}

static const struct rings *rings_of(const struct audit *a)
{
	return &a->session->rings[a->channel];
}

void audit_init(struct audit *a, const struct home_session *session, uint32_t channel,
		uint32_t kinds, const struct work_books *books)
{
	*a = (struct audit){
		.session = session,
		.channel = channel,
		.kinds = kinds,
		.books = books,
	};
	a->ring = must_calloc(rings_of(a)->ring_count, sizeof(a->ring[0]));
	for (uint32_t i = 0; i < rings_of(a)->ring_count; i++)
		a->ring[i].last = must_calloc(WORK_WRITERS + 1, sizeof(a->ring[0].last[0]));
	a->flow = must_calloc(WORK_WRITERS + 1, sizeof(a->flow[0]));
	a->kind_of = must_calloc(TACHO_EVENT_IDS, 1);
	a->copy = must_calloc(1, 1ull << rings_of(a)->subbuf_shift);
}

void audit_fini(struct audit *a)
{
	for (uint32_t i = 0; i < rings_of(a)->ring_count; i++)
		free(a->ring[i].last);
	free(a->ring);
	free(a->flow);
	free(a->kind_of);
	free(a->copy);
}

static void fault(struct audit *a, uint32_t cpu, uint64_t number, size_t at, const char *what)
{
	if (a->faults++ < FAULTS_SHOWN)
		printf("# %s/%" PRIu32 " ring %" PRIu32 " sub-buffer %" PRIu64 " byte %zu: %s\n",
		       a->session->name, a->channel, cpu, number, at, what);
}

/* ---- records ---- */

/* NULL, or what is wrong with it. */
static const char *check_writer(const struct audit *a, const struct parse *p,
				const struct parse_record *r, const struct work_seen *seen)
{
	if (seen->writer >= WORK_WRITERS)
		return NULL;
	if (a->books->writer[seen->writer].tid != p->tid)
		return "the event is not of the thread that the writer record names";
	if (seen->clock && seen->clock > r->ts)
		return "the record is older than its event";
	return NULL;
}

static const char *count_seen(struct audit *a, struct audit_ring *ring, enum work_kind kind,
			      const struct work_seen *seen)
{
	uint32_t *last = &ring->last[seen->writer][seen->flow][kind];
	struct audit_flow *flow = &a->flow[seen->writer][seen->flow][kind];

	a->count[kind]++;
	flow->count++;
	flow->sum += seen->number;
	flow->sum2 += seen->number * seen->number;
	if (seen->writer < WORK_WRITERS && seen->number < *last)
		return "an event before an earlier one of the same thread";
	*last = (uint32_t)seen->number + 1;
	return NULL;
}

static enum work_kind kind_of(const struct audit *a, uint32_t id)
{
	char name[600];

	if (id >= TACHO_EVENT_IDS)
		return WORK_KINDS;
	if (!a->kind_of[id] && home_session_event_name(a->session, id, name, sizeof(name)))
		a->kind_of[id] = (unsigned char)(work_kind_of(name) + 1);
	return a->kind_of[id] ? (enum work_kind)(a->kind_of[id] - 1) : WORK_KINDS;
}

/* Only those of which is known what they must be; and that no more than is known is there. */
static const char *check_context(const struct parse *p, unsigned int number, const void *at)
{
	uint64_t place;
	uint32_t value;

	memcpy(&value, at, sizeof(value));
	if (number == TACHO_CONTEXT_IP) {
		memcpy(&place, at, sizeof(place));
		return place >> 47 || place < 4096 ? "an ip that is nowhere in a program" : NULL;
	}
	if (number == TACHO_CONTEXT_CPU_ID)
		return value == p->cpu ? NULL : "a cpu_id that is not the ring's";
	if (number == TACHO_CONTEXT_VPID)
		return value == p->pid ? NULL : "a vpid that is not the writer's";
	if (number == TACHO_CONTEXT_VTID)
		return value == p->tid ? NULL : "a vtid that is not the writer's";
	return number == TACHO_CONTEXT_PROCNAME ? NULL : "a context that nobody asked for";
}

static void check_contexts(const struct audit *a, struct parse *p, struct parse_record *r)
{
	uint64_t mask = home_session_event_contexts(a->session, r->id);

	for (; mask && !p->wrong; mask &= mask - 1) {
		unsigned int number = (unsigned int)__builtin_ctzll(mask);
		uint32_t bytes = context_bytes(number);

		if (r->max >= bytes)
			p->wrong = check_context(p, number, r->payload);
		if (!p->wrong)
			parse_skip(p, bytes);
		r->payload += bytes;
		r->max -= bytes;
	}
}

/* Check the next record. @ring: where to count it; NULL: do not. */
static bool check_record(struct audit *a, struct parse *p, struct audit_ring *ring)
{
	struct parse_record r;
	struct work_seen seen;
	enum work_kind kind;
	size_t bytes;

	if (!parse_next(p, &r))
		return false;
	kind = kind_of(a, r.id);
	if (kind == WORK_KINDS || !(a->kinds >> kind & 1)) {
		p->wrong = "an event that should not be there";
		return false;
	}
	check_contexts(a, p, &r);
	if (p->wrong)
		return false;
	bytes = work_check(kind, r.payload, r.max, &seen, &p->wrong);
	if (!p->wrong)
		p->wrong = check_writer(a, p, &r, &seen);
	if (!p->wrong && ring)
		p->wrong = count_seen(a, ring, kind, &seen);
	if (!p->wrong)
		parse_skip(p, bytes);
	return !p->wrong;
}

/* ---- sub-buffers ---- */

static void check_subbuf(struct audit *a, uint32_t cpu, const struct ring_view *view,
			 struct audit_ring *ring)
{
	struct parse p;

	parse_begin(&p, a->copy, view->content_bytes, ring ? ring->ts : 0);
	p.cpu = cpu;
	while (check_record(a, &p, ring))
		;
	if (p.wrong)
		fault(a, cpu, view->number, p.at, p.wrong);
	if (p.ts > view->end_ts)
		fault(a, cpu, view->number, p.at, "a sub-buffer that was closed before its end");
	if (ring)
		ring->ts = p.ts;
}

static void check_lost(struct audit *a, uint32_t cpu, const struct ring_view *view)
{
	for (int i = 0; i < TACHO_LOST_REASONS; i++) {
		if (view->lost[i] < a->ring[cpu].lost[i])
			fault(a, cpu, view->number, 0, "a lost counter that goes back");
		a->ring[cpu].lost[i] = view->lost[i];
	}
}

/* Copy it; false if it was overwritten. */
static bool copy_subbuf(struct audit *a, uint32_t cpu, uint64_t number, struct ring_view *view)
{
	int ret = ring_view(rings_of(a), cpu, number, view);

	if (!ret) {
		memcpy(a->copy, view->content, view->content_bytes);
		if (ring_view_is_intact(rings_of(a), cpu, view))
			return true;
	} else if (ret != -ESTALE) {
		fault(a, cpu, number, 0, "a sub-buffer whose description makes no sense");
	}
	a->stale++;
	return false;
}

static uint64_t drain_ring(struct audit *a, uint32_t cpu, bool all)
{
	struct rings *rings = (struct rings *)rings_of(a);
	struct ring_range range = ring_range(rings, cpu);
	struct audit_ring *ring = &a->ring[cpu];
	struct ring_view view;
	uint64_t begin;

	if (range.oldest > ring->next) {
		if (rings->mode != TACHO_MODE_OVERWRITE)
			fault(a, cpu, ring->next, 0, "overwritten before it was released");
		ring->next = range.oldest;
	}
	for (begin = ring->next; ring->next + !all < range.end; ring->next++) {
		if (copy_subbuf(a, cpu, ring->next, &view)) {
			check_subbuf(a, cpu, &view, ring);
			check_lost(a, cpu, &view);
		} else if (rings->mode != TACHO_MODE_OVERWRITE) {
			fault(a, cpu, ring->next, 0, "overwritten while it was copied");
		}
		ring_release(rings, cpu, ring->next + 1);
		ring_wake(rings, cpu);
	}
	return ring->next - begin;
}

uint64_t audit_drain(struct audit *a, bool all)
{
	uint64_t count = 0;

	for (uint32_t cpu = 0; cpu < rings_of(a)->ring_count; cpu++)
		count += drain_ring(a, cpu, all);
	return count;
}

void audit_look(struct audit *a)
{
	for (uint32_t cpu = 0; cpu < rings_of(a)->ring_count; cpu++) {
		struct ring_range range = ring_range(rings_of(a), cpu);
		struct ring_view view;

		for (uint64_t number = range.oldest; number < range.end; number++) {
			if (copy_subbuf(a, cpu, number, &view))
				check_subbuf(a, cpu, &view, NULL);
		}
	}
}

/* ---- the books ---- */

uint64_t audit_lost(const struct audit *a)
{
	uint64_t lost[TACHO_LOST_REASONS], sum = 0;

	for (uint32_t cpu = 0; cpu <= rings_of(a)->ring_count; cpu++) {
		if (cpu < rings_of(a)->ring_count)
			ring_lost(rings_of(a), cpu, lost);
		else
			rings_lost_unattributed(rings_of(a), lost);
		for (int i = 0; i < TACHO_LOST_REASONS; i++)
			sum += lost[i];
	}
	return sum;
}

void audit_books(const struct audit *a, uint64_t *ret_begun, uint64_t *ret_ended)
{
	uint32_t count = tacho_load_relaxed(&a->books->writer_count);

	*ret_begun = *ret_ended = 0;
	for (uint32_t w = 0; w < count && w < WORK_WRITERS; w++) {
		for (int flow = 0; flow < WORK_FLOWS; flow++) {
			for (int kind = 0; kind < WORK_KINDS; kind++) {
				if (!(a->kinds >> kind & 1))
					continue;
				*ret_begun += a->books->writer[w].flow[flow].begun[kind];
				*ret_ended += a->books->writer[w].flow[flow].ended[kind];
			}
		}
	}
}

static uint64_t sum2_to(uint64_t n)
{
	uint64_t sum = 0;

	for (uint64_t i = 0; i < n; i++)
		sum += i * i;
	return sum;
}

/* Nothing was lost: each flow must be there, from number 0 on, each number once. */
static void check_complete(struct audit *a, uint32_t w, int flow, int kind)
{
	const struct audit_flow *found = &a->flow[w][flow][kind];
	const struct work_flow *books = &a->books->writer[w].flow[flow];

	if (!(a->kinds >> kind & 1) || kind == WORK_WORD5 || kind == WORK_WORD0)
		return;
	if (found->count < books->ended[kind] || found->count > books->begun[kind] ||
	    (found->count && found->sum != found->count * (found->count - 1) / 2) ||
	    found->sum2 != sum2_to(found->count))
		fault(a, 0, 0, 0, "a thread whose events are not all there, each once");
}

uint64_t audit_found(const struct audit *a)
{
	uint64_t found = 0;

	for (int kind = 0; kind < WORK_KINDS; kind++)
		found += a->count[kind];
	return found;
}

void audit_settle(struct audit *a, bool is_exact)
{
	uint64_t begun, ended, found = audit_found(a), lost = audit_lost(a);

	audit_books(a, &begun, &ended);
	printf("# %s/%" PRIu32 ": recorded %" PRIu64 " to %" PRIu64 ", found %" PRIu64
	       ", lost %" PRIu64 ", overwritten sub-buffers %" PRIu64 ", faults %" PRIu64 "\n",
	       a->session->name, a->channel, ended, begun, found, lost, a->stale, a->faults);
	if (is_exact && begun != ended)
		fault(a, 0, 0, 0, "books that are not closed");
	if (found + lost > begun)
		fault(a, 0, 0, 0, "more was found and lost than was recorded");
	if (rings_of(a)->mode != TACHO_MODE_OVERWRITE && found + lost < ended)
		fault(a, 0, 0, 0, "less was found and lost than was recorded");
	for (uint32_t w = 0; w < WORK_WRITERS && !lost && rings_of(a)->mode != TACHO_MODE_OVERWRITE;
	     w++) {
		for (int flow = 0; flow < WORK_FLOWS; flow++) {
			for (int kind = 0; kind < WORK_KINDS; kind++)
				check_complete(a, w, flow, kind);
		}
	}
}
