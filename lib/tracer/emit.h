/* SPDX-License-Identifier: MIT */
/*
 * emit.h - one event on its way into the sessions that want it: emit.c; into one channel by
 * restartable sequences, emit-rseq.c, or without, emit-portable.c; emit-wait.c where the channel
 * waits for its drain.
 */
#ifndef TACHO_TRACER_EMIT_H
#define TACHO_TRACER_EMIT_H

#include "tracer/route.h"

/* An event at its site. */
struct hit {
	struct tacho_event *event;
	const struct tacho_part *parts;
	uint32_t count;
	uint32_t hidden_count; /* parts behind those, for filters */
	const void *caller;
};

static inline uint64_t hit_payload_bytes(const struct hit *hit)
{
	uint64_t bytes = 0;

	for (uint32_t i = 0; i < hit->count; i++)
		bytes += (uint64_t)hit->parts[i].bytes + (hit->parts[i].is_string != 0);
	return bytes;
}

/* Not where it returns to: the call itself. */
static inline uint64_t hit_ip(const struct hit *hit)
{
	return (uint64_t)(uintptr_t)hit->caller - 1;
}

/* emit_slowly() - record it. @done_tags: of the channels that have it already */
void emit_slowly(const struct hit *hit, const uint32_t *done_tags, uint32_t done_count);

/* A channel that the event was written to, and what by. */
struct destination {
	struct attached_channel *channel;
	const struct attachment *attachment;
	const struct route *route;
	uint64_t id_and_tag; /* RING_ROUTED() */
	uint32_t tag;
	bool is_simplest; /* RING_HOT() will do, if there is no other */
};
#define DESTINATIONS_MAX 2 /* of those that the fast path can do */

/* An event, while it is recorded. */
struct emission {
	struct tacho_event *event;
	uint32_t index;           /* in the registry */
	uint32_t state;           /* its state word */
	uint64_t ip;              /* of the event in the program */
	uint32_t hidden_count;    /* parts behind the record's, for filters */
	const uint32_t *done_tags; /* of the channels that have it already */
	uint32_t done_count;
	uint32_t contexts_number; /* contexts_number(), before */
	bool is_plain; /* up to now it was written where it had to be, and there was no more to do */
	bool is_listable; /* up to now nothing keeps it from tracer/hot_list.h */
	uint32_t destination_count;
	struct destination destination[DESTINATIONS_MAX];
	struct grace_section section;
	bool was_away; /* the section was left and entered anew: only what is_there() is good */
	/* In the session at hand: */
	uint32_t slot;
	uint32_t generation; /* of the attachment */
	struct attachment *attachment;
	uint32_t rules; /* the session's generation, which its route is of */
	uint64_t done;  /* channels that have it, as bits; or that cannot have it */
	struct ring_record record;
	char contexts[TACHO_CONTEXTS_BYTES_MAX];
	char *cpu_at; /* in them, or NULL */
};

/* emit_is_there() - is the session that the emission is at still attached? If not, the attachment
 * may be gone. */
bool emit_is_there(const struct emission *e);

/* vfork_begin() - a child of vfork() is about to record: who is it? Return: false if it cannot */
bool vfork_begin(struct emission *e);

/* A channel on whose ring the event is to be. */
struct target {
	struct emission *emission;
	uint32_t index; /* of the channel in the session */
	struct attached_channel *channel;
	struct ring_channel ring; /* .tag: never 0 */
	uint32_t futex_seen;      /* the ring's release_futex, before it was found full */
	uint32_t restarts;
	bool has_other_rules; /* and nothing was written */
	bool has_completed;   /* a sub-buffer, with the record behind it */
	uint64_t deadline;    /* of blocking; 0: has not begun */
};

/* What must be so when the record is committed. */
static inline struct ring_append emit_append(const struct target *t)
{
	return (struct ring_append){
		.live = &t->channel->ring.tag,
		.live_tag = t->ring.tag,
		.rules = &t->emission->attachment->session->generation,
		.rules_number = t->emission->rules,
	};
}

void emit_rseq(struct target *t);
void emit_portable(struct target *t);

/* emit_count_lost() - on the ring of @cpu, if there is one. Each record that cannot be written is
 * counted once. */
void emit_count_lost(const struct ring_channel *ring, uint32_t cpu, enum tacho_lost reason);

enum emit_wait {
	EMIT_WAIT_OVER = 0,  /* the record is lost */
	EMIT_WAIT_AGAIN = 1, /* it is worth trying again */
	EMIT_WAIT_GONE = 2,  /* the session is gone; the channel must not be looked at */
};
/* emit_see_futex() - before the ring is found full */
void emit_see_futex(struct target *t, uint32_t cpu);
/* emit_wait() - the ring is full: wait, if the channel does, until the drain has released something,
 * or the time is up, or nobody records any more. Outside of the section. */
enum emit_wait emit_wait(struct target *t, uint32_t cpu);

#endif
