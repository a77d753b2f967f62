/* SPDX-License-Identifier: MIT */
/*
 * channels.h - the ring files of a session's channel: one for restartable writers, with memory for
 * the CPUs that are online, of 16 at most, and one for portable writers, who allocate what they need.
 */
#ifndef TACHO_SESSION_RULES_CHANNELS_H
#define TACHO_SESSION_RULES_CHANNELS_H

#include "session/session.h"

#define CHANNEL_DEFAULT_NAME "channel0"

/* channel_init() - what the options mean: name, mode, geometry. */
int channel_init(const struct channel_options *options, struct tacho_channel *ret_channel,
		 struct tacho_error *error);

/*
 * channel_create() - make the ring files
 * @dir_fd: directory of the session
 *
 * Return: 0; -ENOSPC, with what is needed and what there is; another negative errno. What was made
 * by then stays, for the caller to remove with the directory.
 */
int channel_create(struct runtime *runtime, int dir_fd, const struct tacho_session *file,
		   const struct tacho_channel *channel, struct tacho_error *error);

/* channel_find() - its index; NULL: the only one, or "channel0". -ENOENT, with words, also where it
 * is not clear which is meant. Below the session lock. */
int channel_find(const struct tacho_session *file, enum tacho_domain domain, const char *name,
		 uint32_t *ret_index, struct tacho_error *error);

/* channel_need() - the same, but a session without channels of the domain gets "channel0" now, if that
 * is meant
 * @best: of a new one for the kernel, the best that will do (session/kernel/recorder.h) */
int channel_need(struct session *session, enum tacho_domain domain, const char *name,
		 enum tacho_kernel_tracer best, uint32_t *ret_index, struct tacho_error *error);

/* channel_make() - the channel of this name, not NULL; made as `create` was told if there is none */
int channel_make(struct session *session, enum tacho_domain domain, const char *name,
		 enum tacho_kernel_tracer best, uint32_t *ret_index, struct tacho_error *error);

/*
 * channel_add() - make the rings of one more channel, then let programs and tools know it
 *
 * Below the session lock. Killed in between, it leaves ring files that nobody knows; the next
 * channel of this name removes them.
 */
int channel_add(struct session *session, const struct tacho_channel *channel, uint32_t *ret_index,
		struct tacho_error *error);

#endif
