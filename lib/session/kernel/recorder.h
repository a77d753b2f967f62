/* SPDX-License-Identifier: MIT */
/*
 * recorder.h - channels for the kernel that the module writes itself (format/module.h): instead of an
 * instance of tracefs, a recorder in the module, which is called by the inode of the runtime directory,
 * the session's instance and the channel's index. Nothing is pumped: the kernel's records are in the
 * channel's rings.
 *
 * A channel is the module's or tracefs's from its begin to its end: whose is chosen when it is made.
 * TACHO_KERNEL_TRACER=module or tracefs in the environment says which; otherwise it is the module
 * where it can be used, and for what it can do: filters and probes are tracefs's.
 */
#ifndef TACHO_SESSION_KERNEL_RECORDER_H
#define TACHO_SESSION_KERNEL_RECORDER_H

#include "kernel/catalog.h"
#include "session/session.h"

#define KERNEL_TRACER_VARIABLE "TACHO_KERNEL_TRACER"

/*
 * recorder_choose() - whose a new channel for the kernel is
 * @channel: its kernel_tracer is the best that will do, and then the one that is used; a ring of the module
 *	     has a power of two of sub-buffers, at most as many as before
 *
 * Return: 0; or a negative errno, with why the one that was asked for cannot be.
 */
int recorder_choose(struct tacho_channel *channel, struct tacho_error *error);

/* recorder_make() - for a channel whose rings are there. @index: that it will have */
int recorder_make(int dir_fd, const struct tacho_session *file, const struct tacho_channel *channel,
		  uint32_t index, struct tacho_error *error);

/* recorder_apply() - let it record what the session's rules say, of whom its trackers say; or nothing. A
 * module that was loaded again knows of no recorder: it is made once more. */
int recorder_apply(const struct session *session, uint32_t channel, int tracefs_fd,
		   const struct kernel_catalog *catalog, bool is_on, struct tacho_error *error);

/* recorders_spare() - of the thread @tid nothing is recorded, in all channels but those of @spared, where it
 * is so already. Return: those in which it is so now. */
uint64_t recorders_spare(const struct session *session, int tid, uint64_t spared);

/* recorders_remove() - those of a session that ends */
void recorders_remove(const struct session *session);
/* recorders_clean() - those of this runtime directory of which @is_of_living is not true
 * Return: is one left? */
bool recorders_clean(uint64_t directory, bool (*is_of_living)(void *arg, uint64_t instance), void *arg);

bool channel_is_of_module(const struct tacho_channel *channel);

#endif
