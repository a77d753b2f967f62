/* SPDX-License-Identifier: MIT */
/* sound.h - which sub-buffers of a ring are sound, and how far; recover.h says what that is. */
#ifndef TACHO_SESSION_RECOVER_SOUND_H
#define TACHO_SESSION_RECOVER_SOUND_H

#include "ring/rings.h"
#include "session/drain/event_table.h"

struct sound_part {
	struct ring_view view; /* as much of it as is sound */
	uint64_t event_count;
	bool is_whole;
};

struct sound {
	struct sound_part part[TACHO_SUBBUFS_MAX]; /* by number */
	uint32_t part_count;
	/* Sub-buffers, or their ends, that should be there and are not sound. */
	uint64_t damaged;
};

/*
 * sound_find() - look through a ring whose data was loaded (image.h)
 * @first: number of the first sub-buffer that is wanted
 * @is_by_page: the file may have pages of different moments: a page on which something is wrong has
 *              nothing that is sound
 */
void sound_find(const struct rings *rings, uint32_t cpu, const struct event_table *events,
		uint64_t first, bool is_by_page, struct sound *ret_sound);

#endif
