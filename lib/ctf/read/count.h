/* SPDX-License-Identifier: MIT */
/*
 * count.h - events per name: what `tacho record` and the demo show at the end.
 */
#ifndef TACHO_CTF_READ_COUNT_H
#define TACHO_CTF_READ_COUNT_H

#include <stddef.h>

#include "reader.h"

struct ctf_counter;

struct ctf_count {
	char *name; /* "provider:event" */
	uint64_t events;
};

/* Return: 0 or -ENOMEM. */
int ctf_counter_new(struct ctf_counter **ret_counter);
void ctf_counter_free(struct ctf_counter *counter);

/* Counts an event; other items, and tacho:writer, are none. Return: 0 or -ENOMEM. */
int ctf_counter_add(struct ctf_counter *counter, const struct ctf_item *item);

/*
 * ctf_counter_sort() - the counts, most frequent first, the same number by name
 * @ret_count: how many there are
 *
 * Return: borrowed until the next ctf_counter_add().
 */
const struct ctf_count *ctf_counter_sort(struct ctf_counter *counter, size_t *ret_count);

#endif
