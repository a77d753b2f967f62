/* SPDX-License-Identifier: MIT */
/*
 * image.h - a ring file, copied to memory, with zeros for what is missing or cannot be read; so the
 * reader of rings (ring/rings.h) works on it as on a file.
 *
 * The control blocks are there from the beginning; the data of one ring at a time, from image_load()
 * to image_unload().
 */
#ifndef TACHO_SESSION_RECOVER_IMAGE_H
#define TACHO_SESSION_RECOVER_IMAGE_H

#include "format/session.h"
#include "ring/rings.h"
#include "session/recover/recover.h"

#define RECOVER_PAGE 4096 /* what is read, and lost, at once */

/* image_peek() - does the ring file @name say how it is laid out? */
bool image_peek(int dir_fd, const char *name, struct tacho_rings *ret_header);

/*
 * image_open() - copy the header and the control blocks of a ring file
 * @channel: how it is laid out, in case that the file does not say
 * @instance: of the session; 0: any
 *
 * A file that is not there, or of another session, is noted, and is as if it were empty.
 *
 * Return: 0, to be closed with rings_close(); -ENOMEM; -EBADMSG: nobody says how it is laid out.
 */
int image_open(int dir_fd, const char *name, const struct tacho_channel *channel, uint64_t instance,
	       const struct recover_options *options, struct rings *ret_rings);

/* image_load() - copy the data of a ring. Return: is all of it there? */
bool image_load(struct rings *rings, uint32_t cpu);
void image_unload(struct rings *rings, uint32_t cpu);

/* image_opened() - what the file says now of tacho_ring.opened: somebody may write to it still. */
uint64_t image_opened(const struct rings *rings, uint32_t cpu);

/* image_ring() - the control block, in memory. */
struct tacho_ring *image_ring(const struct rings *rings, uint32_t cpu);

#endif
