/* SPDX-License-Identifier: MIT */
/* read_print_private.h - between read_print.c and the two formats */
#ifndef TACHO_CTF_READ_PRINT_PRIVATE_H
#define TACHO_CTF_READ_PRINT_PRIVATE_H

#include <time.h>

#include "read_out.h"
#include "read_print.h"

struct ctf_printer {
	struct ctf_print_options options;
	bool has_begin;    /* first_ns is set */
	bool has_previous; /* there was an item */
	uint64_t first_ns;
	uint64_t previous_ns;
	uint64_t minute; /* for which `local` is right */
	struct tm local;
	struct read_out out;
};

/* print_is_wanted() - is this value of an event's context to be shown? */
bool print_is_wanted(const struct ctf_printer *printer, const struct ctf_value *context);
/* print_is_unavailable() - is it a counter that could not be read? */
bool print_is_unavailable(const struct ctf_value *context);

void print_text_item(struct ctf_printer *printer, const struct ctf_item *item);
void print_json_item(struct ctf_printer *printer, const struct ctf_item *item);

#endif
