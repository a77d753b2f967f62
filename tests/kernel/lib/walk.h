/* SPDX-License-Identifier: MIT */
/*
 * walk.h - the records of a sub-buffer that the module wrote, one by one, with every rule of
 * format/record.h checked.
 */
#ifndef TACHO_TESTS_KERNEL_WALK_H
#define TACHO_TESTS_KERNEL_WALK_H

#include "ring/rings.h"

struct walk_record {
	uint32_t id;
	uint64_t ts;
	uint32_t pid, tid; /* whose tacho:writer was last */
	const char *name;
	const uint8_t *payload;
};

struct walk {
	uint32_t (*payload_bytes)(uint32_t id);
	void (*see)(void *data, const struct walk_record *record); /* tacho:writer apart; or NULL */
	void *data;
	uint64_t last_ts; /* kept from sub-buffer to sub-buffer of a ring */
	uint64_t records;
	char why[96]; /* what is wrong */
};

/* walk_content() - Return: false if there is a hole, time goes back, or a rule is broken. */
bool walk_content(struct walk *walk, const uint8_t *content, uint64_t bytes);

#endif
