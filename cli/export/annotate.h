/* SPDX-License-Identifier: MIT */
/*
 * annotate.h - fields of an event as Perfetto's debug annotations, and names as numbers that
 * are introduced at first use: a part of perfetto.h.
 */
#ifndef TACHO_CLI_EXPORT_ANNOTATE_H
#define TACHO_CLI_EXPORT_ANNOTATE_H

#include "proto.h"
#include "tracks.h"

/* What a name is the name of; the numbers are those of its list in InternedData. */
enum export_name_kind {
	EXPORT_NAME_CATEGORY = 1,
	EXPORT_NAME_EVENT = 2,
	EXPORT_NAME_FIELD = 3,
};

struct export_names {
	struct export_tracks *tracks;
	struct proto interned; /* those that were introduced since the last packet */
	uint32_t generation;
	/* By the name's id: the generation it was introduced in, times 8, and a bit for each kind. */
	uint32_t introduced[EXPORT_NAMES_MAX + 1];
};

/* export_names_id() - its number, which the reader knows from then on */
uint64_t export_names_id(struct export_names *names, enum export_name_kind kind,
			 const struct export_name *name);
/* export_names_forget() - the reader knows none any more; also at first */
void export_names_forget(struct export_names *names);

/* All of these: @event gets annotations, as its @field. */
void export_annotate_level(struct export_names *names, struct proto *event, uint32_t field,
			   const struct ctf_value *values, uint32_t count);
void export_annotate_context(struct export_names *names, struct proto *event, uint32_t field,
			     const struct ctf_event *of);
void export_annotate_number(struct proto *event, uint32_t field, const char *name, uint64_t number);
void export_annotate_text(struct proto *event, uint32_t field, const char *name, const char *text);
void export_annotate_truth(struct proto *event, uint32_t field, const char *name);

#endif
