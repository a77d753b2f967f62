/* SPDX-License-Identifier: MIT */
/* times.c - see times.h */
#include "times.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ctf/read/decode.h"
#include "ctf/read/file.h"
#include "edit_private.h"

#define NS_PER_S 1000000000

uint64_t times_limit(const struct read_clock *clock)
{
	__int128 freq_hz = clock ? (__int128)clock->freq_hz : NS_PER_S;
	__int128 offset_ns = clock ? (__int128)clock->offset_s * NS_PER_S +
					     (__int128)clock->offset_ticks * NS_PER_S / freq_hz :
				     0;
	__int128 left_ns = offset_ns > 0 ? INT64_MAX - offset_ns : INT64_MAX;
	__int128 ticks = left_ns < 0 ? 0 : left_ns * freq_hz / NS_PER_S;

	return ticks > UINT64_MAX ? UINT64_MAX : (uint64_t)ticks;
}

/* ---- the heads of all packets ---- */

struct walk {
	const struct read_trace *trace;
	const char *path;
	int fd;
	uint64_t bytes, offset;
	struct read_packet packet;
	struct read_decoder decoder;
	struct times *times;
};

static int add(struct walk *walk)
{
	const struct read_packet *packet = &walk->packet;
	struct times *times = walk->times;

	if (times->count == times->capacity) {
		size_t capacity = times->capacity ? times->capacity * 2 : 64;
		struct times_packet *more = realloc(times->packets, capacity * sizeof(*more));

		if (!more)
			return -ENOMEM;
		times->packets = more;
		times->capacity = capacity;
	}
	times->packets[times->count++] = (struct times_packet){
		.path = walk->path,
		.offset = packet->offset,
		.class = packet->stream,
		.begin_ticks = packet->begin_ticks,
		.end_ticks = packet->end_ticks,
		.instance = read_decoder_has(&walk->decoder, READ_ROLE_INSTANCE) ?
				    walk->decoder.roles[READ_ROLE_INSTANCE] :
				    0,
		.discarded = packet->discarded,
		.sequence = packet->sequence,
		.has_times = packet->has_times,
		.has_sequence = packet->has_sequence,
	};
	return 0;
}

static int peek(struct walk *walk)
{
	return read_packet_peek(&walk->packet, walk->trace, walk->fd, walk->bytes, walk->offset,
				&walk->decoder);
}

/* Behind what is no packet; one that begins like one may have wrong sizes only. */
static int pass_damage(struct walk *walk)
{
	uint64_t next;
	int rc = resume_offset(walk->trace, walk->path, walk->offset + 1, &next);

	if (rc >= 0 && resume_has_magic(walk->trace, walk->path, walk->offset)) {
		walk->packet.forced_bytes = next - walk->offset;
		if (peek(walk) > 0)
			rc = add(walk) ? -ENOMEM : rc;
	}
	walk->packet.forced_bytes = 0;
	walk->offset = next;
	return rc;
}

static int walk_file(struct walk *walk)
{
	int rc = 1;

	for (walk->offset = 0; rc > 0 && walk->offset < walk->bytes;) {
		rc = peek(walk);
		if (rc > 0) {
			rc = add(walk) ? -ENOMEM : 1;
			walk->offset += walk->packet.bytes ? walk->packet.bytes : 1;
		} else if (rc < 0 && rc != -ENOMEM) {
			rc = pass_damage(walk);
		}
	}
	return rc == -ENOMEM ? rc : 0;
}

static int walk_files(struct walk *walk, const struct read_part *parts, size_t count)
{
	int rc = 0;

	for (size_t i = 0; i < count && !rc; i++) {
		walk->path = parts[i].path;
		walk->fd = read_file_open(walk->path, &walk->bytes);
		if (walk->fd < 0)
			continue;
		rc = walk_file(walk);
		close(walk->fd);
	}
	return rc;
}

/* ---- the longest sequence ---- */

struct sequence {
	uint64_t *values; /* two for each packet: begin, end */
	size_t count;
	size_t *tails;   /* the least last value of sequences, by their length - 1 */
	size_t *befores; /* the value before each in its sequence; itself: none */
	size_t length;
};

static void sequence_fini(struct sequence *sequence)
{
	free(sequence->values);
	free(sequence->tails);
	free(sequence->befores);
}

static int sequence_init(struct sequence *sequence, const struct times *times)
{
	size_t count = times->count * 2 + 1;

	*sequence = (struct sequence){
		.values = calloc(count, sizeof(*sequence->values)),
		.tails = calloc(count, sizeof(*sequence->tails)),
		.befores = calloc(count, sizeof(*sequence->befores)),
	};
	if (sequence->values && sequence->tails && sequence->befores)
		return 0;
	sequence_fini(sequence);
	return -ENOMEM;
}

/* How many sequences end with a value that is not later. */
static size_t sequence_place(const struct sequence *sequence, uint64_t value)
{
	size_t low = 0, high = sequence->length;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (sequence->values[sequence->tails[middle]] <= value)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void sequence_add(struct sequence *sequence, uint64_t value, uint64_t limit)
{
	size_t at = sequence->count++, place;

	sequence->values[at] = value;
	if (value > limit)
		return;
	place = sequence_place(sequence, value);
	sequence->befores[at] = place ? sequence->tails[place - 1] : at;
	sequence->tails[place] = at;
	sequence->length += place == sequence->length;
}

static void sequence_find(struct sequence *sequence, const struct times *times)
{
	sequence->count = sequence->length = 0;
	for (size_t i = 0; i < times->count; i++) {
		const struct times_packet *packet = &times->packets[i];
		bool is_of_use = packet->has_times && !packet->is_foreign;
		uint64_t limit = times_limit(packet->class->clock);

		sequence_add(sequence, is_of_use ? packet->begin_ticks : UINT64_MAX, limit);
		sequence_add(sequence, is_of_use ? packet->end_ticks : UINT64_MAX, limit);
	}
}

static void mark(const struct sequence *sequence, struct times *times)
{
	size_t at = sequence->length ? sequence->tails[sequence->length - 1] : 0;
	struct times_packet *packet;

	for (size_t left = sequence->length; left; left--, at = sequence->befores[at]) {
		packet = &times->packets[at / 2];
		if (at % 2)
			packet->is_end_right = true;
		else
			packet->is_begin_right = true;
	}
}

/* ---- order, limits ---- */

static int compare(const void *a, const void *b)
{
	const struct times_packet *x = a, *y = b;

	if (x->begin_ticks != y->begin_ticks)
		return x->begin_ticks < y->begin_ticks ? -1 : 1;
	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/* As they are in the file, unless fewer times are wrong in the other order. */
static int sort(struct sequence *sequence, struct times *times)
{
	size_t length = sequence->length, bytes = times->count * sizeof(*times->packets);
	struct times_packet *before = malloc(bytes);

	if (!before)
		return -ENOMEM;
	memcpy(before, times->packets, bytes);
	qsort(times->packets, times->count, sizeof(*times->packets), compare);
	sequence_find(sequence, times);
	times->is_sorted = sequence->length > length;
	if (!times->is_sorted) {
		memcpy(times->packets, before, bytes);
		sequence_find(sequence, times);
	}
	free(before);
	return 0;
}

static void find_foreign(struct times *times)
{
	const struct read_stream_layout *most = NULL;
	size_t lead = 0;

	/* Who leads at the end is the one class that more than half are of, if there is one. */
	for (size_t i = 0; i < times->count; i++) {
		const struct read_stream_layout *class = times->packets[i].class;

		if (!lead)
			most = class;
		lead = class == most ? lead + 1 : lead - 1;
	}
	for (size_t i = 0; i < times->count; i++)
		times->packets[i].is_foreign = times->packets[i].class != most;
}

/* No number, if they do not agree, is all bits. */
static uint64_t find_instance(const struct times *times)
{
	uint64_t most = 0, least = UINT64_MAX;
	size_t lead = 0;

	for (size_t i = 0; i < times->count; i++) {
		uint64_t instance = times->packets[i].instance;

		if (!lead)
			most = instance;
		lead = instance == most ? lead + 1 : lead - 1;
		if (instance < least)
			least = instance;
	}
	return lead ? most : least;
}

static void set_limits(struct times *times)
{
	uint64_t limit = UINT64_MAX;

	for (size_t i = times->count; i-- > 0;) {
		struct times_packet *packet = &times->packets[i];
		uint64_t most = times_limit(packet->class->clock);

		packet->limit_ticks = limit < most ? limit : most;
		if (packet->is_end_right)
			limit = packet->end_ticks;
		if (packet->is_begin_right)
			limit = packet->begin_ticks;
	}
}

static bool is_between(uint64_t before, uint64_t value, uint64_t behind)
{
	return before <= value && value <= behind;
}

static void judge_counts(struct times *times)
{
	for (size_t i = 0; i + 1 < times->count; i++) {
		const struct times_packet *before = i ? &times->packets[i - 1] : NULL;
		const struct times_packet *behind = &times->packets[i + 1];
		struct times_packet *packet = &times->packets[i];
		uint64_t discarded = before ? before->discarded : 0;
		uint64_t sequence = before ? before->sequence : 0;

		packet->is_discarded_wrong =
			discarded <= behind->discarded &&
			!is_between(discarded, packet->discarded, behind->discarded);
		packet->is_sequence_wrong =
			sequence <= behind->sequence &&
			!is_between(sequence, packet->sequence, behind->sequence);
	}
}

static int judge(struct times *times, bool is_one_file)
{
	struct sequence sequence;
	int rc = sequence_init(&sequence, times);

	if (rc)
		return rc;
	find_foreign(times);
	times->instance = find_instance(times);
	sequence_find(&sequence, times);
	if (is_one_file && sequence.length < times->count * 2)
		rc = sort(&sequence, times);
	mark(&sequence, times);
	set_limits(times);
	judge_counts(times);
	sequence_fini(&sequence);
	return rc;
}

int times_read(const struct read_trace *trace, const struct read_part *parts, size_t count,
	       struct times *ret_times)
{
	struct times times = { 0 };
	struct walk walk = { .trace = trace, .times = &times };
	int rc = read_decoder_init(&walk.decoder, trace->slot_count);

	if (rc)
		return rc;
	rc = walk_files(&walk, parts, count);
	read_packet_fini(&walk.packet);
	read_decoder_fini(&walk.decoder);
	if (!rc && times.count)
		rc = judge(&times, count == 1);
	if (rc)
		times_fini(&times);
	else
		*ret_times = times;
	return rc;
}

void times_fini(struct times *times)
{
	free(times->packets);
	*times = (struct times){ 0 };
}

/* ---- looking up ---- */

static bool is_at(const struct times_packet *packet, const char *path, uint64_t offset)
{
	return packet->offset == offset && !strcmp(packet->path, path);
}

const struct times_packet *times_next(const struct times *times, const struct times_packet *packet)
{
	size_t at = packet ? (size_t)(packet - times->packets) + 1 : 0;

	return at < times->count ? &times->packets[at] : NULL;
}

const struct times_packet *times_find(const struct times *times, const struct times_packet *last,
				      const char *path, uint64_t offset)
{
	const struct times_packet *next = times_next(times, last);

	if (next && is_at(next, path, offset))
		return next;
	for (size_t i = 0; i < times->count; i++) {
		if (is_at(&times->packets[i], path, offset))
			return &times->packets[i];
	}
	return NULL;
}
