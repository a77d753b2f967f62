/* SPDX-License-Identifier: MIT */
/*
 * header.h - the header of an event in the form that LTTng and Tacho write, compiled: an id,
 * and the low bits of a clock, in little-endian order. The id may be a tag that chooses between
 * several forms, of which the larger ones hold an id of their own:
 *
 *      tag 5 | time 27                          up to the largest small id
 *      tag 5 | time 27 | id 16                  Tacho's medium form
 *      tag 5 | pad 3   | id 32 | time 64        the id is large, or much time has passed
 *
 * A header that is anything else is decoded as any other scope.
 */
#ifndef TACHO_CTF_READ_HEADER_H
#define TACHO_CTF_READ_HEADER_H

#include <errno.h>
#include <string.h>

#include "decode.h"

#define READ_HEADER_FORMS 4
#define READ_SLACK_BYTES  8 /* that may be read behind the end of a packet's data */

/* An integer at a place, in bits from the start of the header; without bits, there is none. */
struct read_place {
	uint32_t at;
	uint32_t bits;
};

/* What follows a tag between two numbers. */
struct read_header_form {
	uint64_t low, high;
	struct read_place time;
	struct read_place id; /* none: the tag is the id */
	uint32_t bits;        /* of the whole header */
};

struct read_header {
	uint32_t align;
	struct read_place tag; /* none: there is one form */
	int32_t tag_slot;
	uint32_t form_count; /* 0: not of this form at all */
	struct read_header_form forms[READ_HEADER_FORMS];

	/* The first form, where the tag is the id and 64 bits hold tag and time: the usual one. */
	bool has_short;
	uint8_t short_time_at;
	uint8_t short_time_bits;
	uint64_t short_tag_mask, short_time_mask;
};

/* read_header_compile() - once all layouts of the trace are built; @layout may be NULL */
void read_header_compile(const struct read_layout *layout, struct read_header *ret_header);

/*
 * read_header_decode() - decode the header at d->pos, move behind it, and advance the clock
 * @d: its data has READ_SLACK_BYTES more bytes behind its end, whatever they are
 *
 * Return: 0; or -EAGAIN, and nothing is done: the general decoder has to see, or say, what it is.
 */
static inline int read_header_decode(const struct read_header *header, struct read_decoder *d,
				     uint64_t *ret_id);

/* ---- inline: this is done for each event ---- */

static inline uint64_t read_header_place(const uint8_t *data, struct read_place place)
{
	uint64_t word;

	memcpy(&word, data + (place.at >> 3), sizeof(word));
	return word >> (place.at & 7) & (~0ull >> (64 - place.bits));
}

static inline const struct read_header_form *read_header_find(const struct read_header *header,
							      uint64_t tag)
{
	for (uint32_t i = 0; i < header->form_count; i++) {
		if (tag >= header->forms[i].low && tag <= header->forms[i].high)
			return &header->forms[i];
	}
	return NULL;
}

static inline int read_header_short(const struct read_header *header, struct read_decoder *d,
				    uint64_t pos, uint64_t *ret_id)
{
	const struct read_header_form *form = &header->forms[0];
	uint64_t word, id;

	memcpy(&word, d->data + (pos >> 3), sizeof(word));
	id = word & header->short_tag_mask;
	if (id - form->low > form->high - form->low || form->bits > d->end - pos)
		return -EAGAIN;
	if (header->tag_slot >= 0)
		d->slots[header->tag_slot] = id;
	read_decoder_clock(d, word >> header->short_time_at & header->short_time_mask,
			   header->short_time_bits);
	d->pos = pos + form->bits;
	*ret_id = id;
	return 0;
}

static inline int read_header_decode(const struct read_header *header, struct read_decoder *d,
				     uint64_t *ret_id)
{
	uint64_t pos = (d->pos + header->align - 1) & ~(uint64_t)(header->align - 1);
	const uint8_t *data = d->data + (pos >> 3);
	const struct read_header_form *form;
	uint64_t id = 0;

	if (pos >= d->end || !header->form_count)
		return -EAGAIN;
	if (header->has_short && !read_header_short(header, d, pos, ret_id))
		return 0;
	if (header->tag.bits)
		id = read_header_place(data, header->tag);
	form = read_header_find(header, id);
	if (!form || form->bits > d->end - pos)
		return -EAGAIN;
	if (header->tag_slot >= 0)
		d->slots[header->tag_slot] = id;
	if (form->id.bits)
		id = read_header_place(data, form->id);
	if (form->time.bits)
		read_decoder_clock(d, read_header_place(data, form->time), form->time.bits);
	d->pos = pos + form->bits;
	*ret_id = id;
	return 0;
}

#endif
