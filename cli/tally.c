/* SPDX-License-Identifier: MIT */
/* tally.c - see tally.h */
#include "tally.h"

#include <stddef.h>
#include <stdio.h>

#include "ctf/read/reader.h"
#include "text.h"

struct tally tally_trace(const char *dir, uint64_t bytes)
{
	struct tally tally = { 0 };
	const struct ctf_item *item;
	struct ctf_reader *reader;
	int more;

	if (bytes > TALLY_BYTES_MAX || ctf_reader_open(dir, NULL, &reader))
		return tally;
	while ((more = ctf_reader_next(reader, &item)) > 0)
		;
	tally.is_counted = !more;
	tally.events = ctf_reader_totals(reader).events;
	ctf_reader_close(reader);
	return tally;
}

struct tally_text tally_text(const struct tally *tally, uint64_t bytes)
{
	struct tally_text t;

	if (tally->is_counted)
		snprintf(t.text, sizeof(t.text), "%s event%s, %s", count_text(tally->events).text,
			 tally->events == 1 ? "" : "s", bytes_text(bytes).text);
	else
		snprintf(t.text, sizeof(t.text), "%s", bytes_text(bytes).text);
	return t;
}
