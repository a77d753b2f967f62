/* SPDX-License-Identifier: MIT */
/*
 * audit.h - read a session's rings while writers are at work, check every record, and compare what
 * was found with the books of the writers (work.h).
 */
#ifndef TACHO_STRESS_AUDIT_H
#define TACHO_STRESS_AUDIT_H

#include <stdbool.h>
#include <stdint.h>

#include "home.h"
#include "parse.h"
#include "work.h"

struct audit_flow {
	uint64_t count;
	uint64_t sum;  /* of the numbers */
	uint64_t sum2; /* of their squares */
};

struct audit_ring {
	uint64_t next; /* sub-buffer */
	uint64_t ts;
	uint64_t lost[TACHO_LOST_REASONS];
	/* number + 1 of the last event, by writer, flow and kind */
	uint32_t (*last)[WORK_FLOWS][WORK_KINDS];
};

struct audit {
	const struct home_session *session;
	uint32_t channel;
	uint32_t kinds; /* bits: those that go to the channel */
	const struct work_books *books;
	struct audit_ring *ring;
	uint64_t count[WORK_KINDS];
	struct audit_flow (*flow)[WORK_FLOWS][WORK_KINDS];
	unsigned char *kind_of; /* by id: 1 + kind; 0: not looked up yet */
	unsigned char *copy;
	uint64_t stale; /* sub-buffers that were overwritten before or while they were copied */
	uint64_t faults;
};

void audit_init(struct audit *a, const struct home_session *session, uint32_t channel,
		uint32_t kinds, const struct work_books *books);
void audit_fini(struct audit *a);

/* audit_drain() - check and release the closed sub-buffers, and with @all the open ones; returns
 * how many there were. */
uint64_t audit_drain(struct audit *a, bool all);
/* audit_look() - check all that is there, as a snapshot does, and leave it there. */
void audit_look(struct audit *a);

/*
 * audit_settle() - nobody writes any more: does what was found and what was lost make up what was
 * recorded?
 * @is_exact: no writer was killed: to the last event
 */
void audit_settle(struct audit *a, bool is_exact);

/* audit_books() - how many events of the channel's kinds were begun, and ended, so far */
void audit_books(const struct audit *a, uint64_t *ret_begun, uint64_t *ret_ended);
/* audit_found() - by audit_drain() */
uint64_t audit_found(const struct audit *a);
/* audit_lost() - all reasons, all rings */
uint64_t audit_lost(const struct audit *a);

#endif
