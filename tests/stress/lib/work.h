/* SPDX-License-Identifier: MIT */
/*
 * work.h - the events that the torture records, and the books about them.
 *
 * Each thread that records is a WRITER with a number; what it records in its own flow and in
 * signal handlers are two FLOWS. Per writer, flow and kind of event it counts in shared memory,
 * before and after each event, so that even a killed writer's books are right to one event a flow.
 *
 * The payload says who wrote it and the how manieth it is, and can be checked:
 *
 *      word8    u64 = writer << 48 | flow << 47 | check << 32 | number, check of 15 bits
 *      word5    the number's 32 bits and 8 of check; of a flow that the tid tells
 *      word0    nothing
 *      blob     u64 as in word8, u64 clock before, u32 length, bytes made from the number
 *      text     u64 as in word8, a string made from the number
 *      huge     a blob that is sometimes larger than a sub-buffer
 */
#ifndef TACHO_STRESS_WORK_H
#define TACHO_STRESS_WORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum work_kind {
	WORK_WORD8,
	WORK_WORD5,
	WORK_WORD0,
	WORK_BLOB,
	WORK_TEXT,
	WORK_HUGE,
	WORK_KINDS,
};

#define WORK_WRITERS 8192
#define WORK_FLOWS   2

struct work_flow {
	uint64_t begun[WORK_KINDS];
	uint64_t ended[WORK_KINDS];
};

struct work_writer {
	uint32_t tid; /* 0: the number is free */
	struct work_flow flow[WORK_FLOWS];
};

/* Shared by all processes of a test. */
struct work_books {
	uint32_t writer_count;
	uint32_t stop; /* writers are to end */
	struct work_writer writer[WORK_WRITERS];
};

struct work_books *work_books_new(void);

/* work_begin() - the calling thread is a writer from now on; false if there are too many. */
bool work_begin(struct work_books *books);
void work_end(void);
/* work_record() - record one event; also from signal handlers, with @flow 1 */
void work_record(enum work_kind kind, int flow);
/* work_record_by() - a word8, through an event of another object's */
void work_record_by(void (*emit)(uint64_t word), int flow);
/* work_record_some() - one of the kinds in @kinds (bits), chosen by how much was recorded so far */
void work_record_some(uint32_t kinds, int flow);

/* work_pass() - wait until every event that has begun by now has ended */
void work_pass(const struct work_books *books);

/* work_kind_of() - by the event's full name; WORK_KINDS if it is none of ours */
enum work_kind work_kind_of(const char *name);

/* What a payload says. */
struct work_seen {
	uint32_t writer; /* WORK_WRITERS: it does not say */
	uint32_t flow;
	uint64_t number;
	uint64_t clock; /* before the event; 0: it does not say */
};

/*
 * work_check() - is a payload of @kind at @p intact?
 * Return: its bytes; 0 with *ret_wrong set if it is not.
 */
size_t work_check(enum work_kind kind, const unsigned char *p, size_t max,
		  struct work_seen *ret_seen, const char **ret_wrong);

#endif
