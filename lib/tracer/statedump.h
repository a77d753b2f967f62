/* SPDX-License-Identifier: MIT */
/*
 * statedump.h - says which files this process has mapped where, so that addresses in a trace can be
 * told as functions: doc/design/state-dump.md.
 *
 *      /proc/self/maps     start-end r-xp offset dev inode  path       statedump.c
 *      /proc/self/mem      ELF header, program headers, notes          statedump_image.c
 *           |
 *           v
 *      lttng_ust_statedump:start, procname, { bin_info, build_id }.., end
 *
 * A tool that wants it once more (session.dump_wanted) marks all events of the session stale, so that
 * the next one of each process comes here on its way:
 *
 *	dump:A  dump_wanted + 1                     (the tool)
 *	dump:B  STALE in the state word of an event (the tool)
 *
 *	dump:C  STALE goes                          (refresh:B of emit.c)
 *	dump:D  dump_wanted
 *
 *	pairs: dump:B with dump:C: who finds STALE finds the wish. Which thread dumps is settled by the
 *	exchange of attachment.dump_done.
 *
 * Context: any thread, any signal handler, in a section (grace.h). No lock, no allocation but a
 * mapping of its own; keeps errno.
 */
#ifndef TACHO_TRACER_STATEDUMP_H
#define TACHO_TRACER_STATEDUMP_H

#include <stdbool.h>
#include <stdint.h>

#include "tracer/tracer.h"

#define STATEDUMP_BUILD_ID_MAX 64
#define STATEDUMP_PATH_BYTES   4096

struct statedump_image {
	uint64_t begin;
	uint64_t end;
	uint64_t inode;
	bool is_executable;      /* something of it is */
	bool is_pic;             /* it is elsewhere than it was linked to be */
	uint32_t build_id_bytes; /* 0: it has none */
	uint8_t build_id[STATEDUMP_BUILD_ID_MAX];
	char path[STATEDUMP_PATH_BYTES];
};

/* statedump_attached() - the process has been attached to the session: dump, if that asks for it */
void statedump_attached(const struct attachment *a);
/* statedump_refreshed() - an event of the session was stale: dump, if that is wanted again */
void statedump_refreshed(struct attachment *a);
/* statedump_reborn() - in a child of fork(): dump, if a session asks for it */
void statedump_reborn(void);

/*
 * statedump_describe() - what is to be known beyond /proc/self/maps
 * @memory_fd: of /proc/self/mem
 *
 * What is mapped is the program's, and may change: everything is checked. Return: false if it is no
 * ELF file of this process's kind.
 */
bool statedump_describe(int memory_fd, struct statedump_image *image);

#endif
