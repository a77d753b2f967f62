/* SPDX-License-Identifier: MIT */
/*
 * parse.h - read a sub-buffer record by record, written from format/record.h alone and stricter
 * than a reader has to be: what a writer may not do is an error.
 */
#ifndef TACHO_STRESS_PARSE_H
#define TACHO_STRESS_PARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct parse {
	const unsigned char *bytes; /* of one sub-buffer */
	size_t size;
	size_t at;
	bool has_ts;  /* a record was read */
	uint64_t ts;  /* of the last record; set it to that of the ring's last before the first */
	uint32_t cpu; /* of the ring, if the caller says it */
	uint32_t pid; /* of the last tacho:writer */
	uint32_t tid;
	const char *wrong; /* NULL: all is well */
};

struct parse_record {
	uint32_t id;
	uint64_t ts;
	const unsigned char *payload;
	size_t max; /* bytes that are left in the sub-buffer */
};

/*
 * parse_begin() - at the first record of a sub-buffer
 * @not_before: what its timestamp may not be smaller than
 */
void parse_begin(struct parse *p, const void *bytes, size_t size, uint64_t not_before);

/*
 * parse_next() - the next record that is no tacho:writer; parse_skip() must follow, with the
 * bytes of its payload
 * Return: false at the end, and when something is wrong (p->wrong).
 */
bool parse_next(struct parse *p, struct parse_record *ret_record);
void parse_skip(struct parse *p, size_t bytes);

#endif
