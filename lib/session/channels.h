/* SPDX-License-Identifier: MIT */
/*
 * channels.h - the ring files of a session's channel: one for restartable writers, with memory for
 * the CPUs that are online, and one for portable writers, who allocate what they need.
 */
#ifndef TACHO_SESSION_CHANNELS_H
#define TACHO_SESSION_CHANNELS_H

#include "session/session.h"

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

#endif
