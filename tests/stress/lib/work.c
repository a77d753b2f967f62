/* SPDX-License-Identifier: MIT */
#include "work.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "home.h"
#include "tacho/event.h"
#include "tracer/clock.h"

#define BLOB_BYTES_MAX 40000

/* ---- events ---- */

#define FIELD_U64(name)                                                                            \
	{                                                                                          \
		name, TACHO_TYPE(TACHO_KIND_INTEGER, 8, 0), 0                                      \
	}
#define FIELD_BYTE                                                                                 \
	{                                                                                          \
		"byte", TACHO_TYPE(TACHO_KIND_ARRAY, 1, 0), 5                                      \
	}
#define FIELD_STRING                                                                               \
	{                                                                                          \
		"text", TACHO_TYPE(TACHO_KIND_STRING, 1, 0), 0                                     \
	}
#define FIELD_BYTES                                                                                \
	{                                                                                          \
		"bytes", TACHO_TYPE(TACHO_KIND_BYTES, 1, 0), 0                                     \
	}

static const struct tacho_field word8_fields[] = { FIELD_U64("who") };
static const struct tacho_field word5_fields[] = { FIELD_BYTE };
static const struct tacho_field blob_fields[] = { FIELD_U64("who"), FIELD_U64("clock"),
						  FIELD_BYTES };
static const struct tacho_field text_fields[] = { FIELD_U64("who"), FIELD_STRING };

#define INFO(event, fields, count)                                                                 \
	{                                                                                          \
		"stress", event, fields, count, TACHO_LEVEL_DEBUG_LINE, "work.c", __LINE__, 0      \
	}

static const struct tacho_event_info infos[WORK_KINDS] = {
	[WORK_WORD8] = INFO("word8", word8_fields, 1),
	[WORK_WORD5] = INFO("word5", word5_fields, 1),
	[WORK_WORD0] = INFO("word0", NULL, 0),
	[WORK_BLOB] = INFO("blob", blob_fields, 3),
	[WORK_TEXT] = INFO("text", text_fields, 2),
	[WORK_HUGE] = INFO("huge", blob_fields, 3),
};

static struct tacho_event events[WORK_KINDS] = {
	TACHO_EVENT_INIT_(&infos[0]), TACHO_EVENT_INIT_(&infos[1]), TACHO_EVENT_INIT_(&infos[2]),
	TACHO_EVENT_INIT_(&infos[3]), TACHO_EVENT_INIT_(&infos[4]), TACHO_EVENT_INIT_(&infos[5]),
};

/* So that they are known from the start, as those of the macros are. */
static struct tacho_event *list[] __attribute__((section("tacho_events"), used)) = {
	&events[0], &events[1], &events[2], &events[3], &events[4], &events[5],
};

enum work_kind work_kind_of(const char *name)
{
	int kind;

	if (strncmp(name, "stress:", 7))
		return WORK_KINDS;
	for (kind = 0; kind < WORK_KINDS && strcmp(name + 7, infos[kind].name); kind++)
		;
	return (enum work_kind)kind;
}

/* ---- writers ---- */

static struct work_books *books_here;
static __thread struct work_writer *me;
static __thread uint32_t me_number;

struct work_books *work_books_new(void)
{
	struct work_books *books = mmap(NULL, sizeof(*books), PROT_READ | PROT_WRITE,
					MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	return books == MAP_FAILED ? NULL : books;
}

bool work_begin(struct work_books *books)
{
	uint32_t number = __atomic_fetch_add(&books->writer_count, 1, __ATOMIC_RELAXED);

	if (number >= WORK_WRITERS)
		return false;
	books_here = books;
	me_number = number;
	books->writer[number].tid = (uint32_t)syscall(SYS_gettid);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	me = &books->writer[number];
	return true;
}

void work_end(void)
{
	me = NULL;
}

/* ---- payloads ---- */

static uint64_t mix(uint64_t x)
{
	x ^= x >> 31;
	x *= 0x7fb5d329728ea185ull;
	x ^= x >> 27;
	x *= 0x81dadef4bc2dd44dull;
	return x ^ x >> 33;
}

static uint64_t who(uint32_t writer, uint32_t flow, uint32_t number)
{
	uint64_t plain = (uint64_t)writer << 48 | (uint64_t)flow << 47 | number;

	return plain | (mix(plain) & 0x7fff) << 32;
}

static bool read_who(uint64_t word, struct work_seen *seen)
{
	seen->writer = (uint32_t)(word >> 48);
	seen->flow = word >> 47 & 1;
	seen->number = (uint32_t)word;
	return word == who(seen->writer, seen->flow, (uint32_t)seen->number);
}

static uint32_t blob_bytes(enum work_kind kind, uint64_t number)
{
	uint64_t r = mix(number ^ 0x55);

	if (kind == WORK_HUGE)
		return (uint32_t)(r % BLOB_BYTES_MAX);
	return (uint32_t)(r % 37 ? r % 90 : r % 3000);
}

static void fill(unsigned char *bytes, uint32_t count, uint64_t number)
{
	uint64_t word = mix(number);

	for (uint32_t i = 0; i < count; i++) {
		bytes[i] = (unsigned char)(word >> (i % 8 * 8));
		if (i % 8 == 7)
			word += 0x9e3779b97f4a7c15ull;
	}
}

static bool is_filled(const unsigned char *bytes, uint32_t count, uint64_t number)
{
	uint64_t word = mix(number);

	for (uint32_t i = 0; i < count; i++) {
		if (bytes[i] != (unsigned char)(word >> (i % 8 * 8)))
			return false;
		if (i % 8 == 7)
			word += 0x9e3779b97f4a7c15ull;
	}
	return true;
}

static uint32_t text_bytes(uint64_t number)
{
	return (uint32_t)(mix(number ^ 0xaa) % 70);
}

static char text_byte(uint64_t number, uint32_t i)
{
	return (char)('a' + (number + i) % 26);
}

/* ---- recording ---- */

static void record_blob(enum work_kind kind, uint64_t word, uint64_t number)
{
	static __thread unsigned char bytes[WORK_FLOWS][BLOB_BYTES_MAX];
	unsigned char *own = bytes[word >> 47 & 1];
	uint32_t count = blob_bytes(kind, number);
	uint64_t clock;
	struct tacho_part parts[] = {
		{ &word, 8, 0 },
		{ &clock, 8, 0 },
		{ &count, 4, 0 },
		{ own, count, 0 },
	};

	fill(own, count, number);
	clock = clock_counter();
	tacho_emit_parts(&events[kind], parts, 4);
}

static void record_text(uint64_t word, uint64_t number)
{
	uint32_t count = text_bytes(number);
	char text[128];
	struct tacho_part parts[] = { { &word, 8, 0 }, { text, count, 1 } };

	for (uint32_t i = 0; i < count; i++)
		text[i] = text_byte(number, i);
	tacho_emit_parts(&events[WORK_TEXT], parts, 2);
}

static void record(enum work_kind kind, uint64_t word, uint64_t number, void (*emit)(uint64_t word))
{
	if (emit) {
		emit(word);
		return;
	}
	switch (kind) {
	case WORK_WORD8:
		tacho_emit_word(&events[kind], word, 8);
		break;
	case WORK_WORD5:
		tacho_emit_word(&events[kind], (uint32_t)number | (mix(number) & 0xff) << 32, 5);
		break;
	case WORK_WORD0:
		tacho_emit_word(&events[kind], 0, 0);
		break;
	case WORK_TEXT:
		record_text(word, number);
		break;
	default:
		record_blob(kind, word, number);
	}
}

static void record_in_books(enum work_kind kind, int flow, void (*emit)(uint64_t word))
{
	struct work_flow *books;
	uint64_t number;

	if (!me)
		return;
	books = &me->flow[flow];
	number = books->begun[kind];
	tacho_store_relaxed(&books->begun[kind], number + 1);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	record(kind, who(me_number, (uint32_t)flow, (uint32_t)number), number, emit);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	tacho_store_relaxed(&books->ended[kind], number + 1);
}

void work_record(enum work_kind kind, int flow)
{
	record_in_books(kind, flow, NULL);
}

void work_record_by(void (*emit)(uint64_t word), int flow)
{
	record_in_books(WORK_WORD8, flow, emit);
}

void work_record_some(uint32_t kinds, int flow)
{
	static __thread uint64_t chance[WORK_FLOWS];
	uint64_t r;
	uint32_t kind;

	do {
		r = mix(chance[flow]++);
		kind = r % 64 ? (uint32_t)(r >> 8) % WORK_HUGE : WORK_HUGE;
	} while (!(kinds >> kind & 1));
	work_record((enum work_kind)kind, flow);
}

void work_pass(const struct work_books *books)
{
	uint32_t count = tacho_load_relaxed(&books->writer_count);

	for (uint32_t w = 0; w < count && w < WORK_WRITERS; w++) {
		for (int i = 0; i < WORK_FLOWS * WORK_KINDS; i++) {
			const struct work_flow *flow = &books->writer[w].flow[i / WORK_KINDS];
			uint64_t begun = tacho_load_acquire(&flow->begun[i % WORK_KINDS]);

			while (tacho_load_acquire(&flow->ended[i % WORK_KINDS]) < begun)
				sched_yield();
		}
	}
}

/* ---- checking ---- */

static size_t check_word5(const unsigned char *p, size_t max, struct work_seen *seen,
			  const char **ret_wrong)
{
	uint32_t number;

	memcpy(&number, p, 4);
	seen->number = number;
	*ret_wrong = max < 5 || p[4] != (mix(number) & 0xff) ? "the check byte of a word5" : NULL;
	return *ret_wrong ? 0 : 5;
}

static size_t check_blob(enum work_kind kind, const unsigned char *p, size_t max,
			 struct work_seen *seen, const char **ret_wrong)
{
	uint32_t count;

	*ret_wrong = "the length of a blob";
	if (max < 20)
		return 0;
	memcpy(&seen->clock, p + 8, 8);
	memcpy(&count, p + 16, 4);
	if (count != blob_bytes(kind, seen->number) || max < 20 + (size_t)count)
		return 0;
	*ret_wrong = "the bytes of a blob";
	if (!is_filled(p + 20, count, seen->number))
		return 0;
	*ret_wrong = NULL;
	return 20 + (size_t)count;
}

static size_t check_text(const unsigned char *p, size_t max, const struct work_seen *seen,
			 const char **ret_wrong)
{
	uint32_t count = text_bytes(seen->number);

	*ret_wrong = "a text";
	if (max < 8 + (size_t)count + 1 || p[8 + count])
		return 0;
	for (uint32_t i = 0; i < count; i++) {
		if (p[8 + i] != text_byte(seen->number, i))
			return 0;
	}
	*ret_wrong = NULL;
	return 8 + (size_t)count + 1;
}

size_t work_check(enum work_kind kind, const unsigned char *p, size_t max,
		  struct work_seen *ret_seen, const char **ret_wrong)
{
	uint64_t word;

	*ret_seen = (struct work_seen){ .writer = WORK_WRITERS };
	*ret_wrong = NULL;
	if (kind == WORK_WORD0)
		return 0;
	if (kind == WORK_WORD5)
		return check_word5(p, max, ret_seen, ret_wrong);
	*ret_wrong = "who wrote it";
	if (max < 8)
		return 0;
	memcpy(&word, p, 8);
	if (!read_who(word, ret_seen))
		return 0;
	if (kind == WORK_WORD8) {
		*ret_wrong = NULL;
		return 8;
	}
	if (kind == WORK_TEXT)
		return check_text(p, max, ret_seen, ret_wrong);
	return check_blob(kind, p, max, ret_seen, ret_wrong);
}
