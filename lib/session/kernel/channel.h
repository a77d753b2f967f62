/* SPDX-License-Identifier: MIT */
/*
 * channel.h - a channel for the kernel's events: besides its rings, which have the form of all rings,
 * an instance of the kernel's tracer (kernel/instance.h), and room for a page of each CPU on its way
 * from one to the other (pump.h).
 *
 * The instance is called tacho-DIRECTORY-SESSION-CHANNEL: the inode of the runtime directory, the
 * session's instance and the channel's index, so that any tool finds it, and can tell one that was left
 * behind, of a session that is no more.
 *
 * Or a recorder of the kernel module, which needs neither (recorder.h).
 */
#ifndef TACHO_SESSION_KERNEL_CHANNEL_H
#define TACHO_SESSION_KERNEL_CHANNEL_H

#include "session/session.h"

/* kernel_channel_make() - instance and room for pages; the rings are there
 * @dir_fd: of the session
 * Return: 0, or a negative errno with what to do. */
int kernel_channel_make(int dir_fd, const struct tacho_session *file,
			const struct tacho_channel *channel, struct tacho_error *error);

/* kernel_channel_open() - its instance. Return: a descriptor, or a negative errno. */
int kernel_channel_open(const struct session *session, uint32_t channel, int tracefs_fd);

/* kernel_directory_of() - the inode of the runtime directory, of which @dir_fd is sessions/NAME */
uint64_t kernel_directory_of(int dir_fd);

/* kernel_session_remove() - the instances of all channels of a session that ends, and its probes */
void kernel_session_remove(const struct session *session);

/* kernel_clean() - remove instances of this runtime directory whose sessions are no more. Below the
 * runtime lock. */
void kernel_clean(struct runtime *runtime);

/* session_has_kernel() - has it a channel for the kernel, that is its own? */
bool session_has_kernel(const struct session *session);

#endif
