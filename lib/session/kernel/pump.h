/* SPDX-License-Identifier: MIT */
/*
 * pump.h - from the kernel's ring buffers into the rings of a session (doc/design/kernel.md).
 *
 *      kernel                       shared memory                               disk
 *      ------                       -------------                               ----
 *      trace_pipe_raw --read(2)--> CHANNEL.pages --recipes--> CHANNEL.kernel --drain, snapshot--> CTF
 *        (instance)                 a page a CPU               rings, as of programs
 *
 * In the rings the kernel's events are what programs' events are: drain, snapshot, rotation, clear and
 * all the rest do not know where they come from. A thread that is switched to is a writer who takes over
 * the CPU's ring: tacho:writer tells pid, tid and name, once for all its events up to the next switch.
 *
 * Who pumps: the drain of a streaming session, each round; of a flight recorder, in which the kernel
 * overwrites its own pages without anybody's help, who takes a snapshot. Two at once do not disturb each
 * other: a ring that another process owns is left to it.
 *
 * A ring that is full is no loss yet: what does not fit stays in the kernel's buffer. What the kernel
 * loses there is added to the ring's lost[TACHO_LOST_FULL].
 */
#ifndef TACHO_SESSION_KERNEL_PUMP_H
#define TACHO_SESSION_KERNEL_PUMP_H

#include "session/session.h"

struct kernel_pumps;

/* kernel_pumps_open() - of all channels for the kernel of a session; NULL if it has none */
int kernel_pumps_open(const struct session *session, struct kernel_pumps **ret_pumps,
		      struct tacho_error *error);
void kernel_pumps_close(struct kernel_pumps *pumps);

/* kernel_pumps_spare() - have nothing recorded of this thread: a drain that does what it does because of
 * events would never come to rest */
void kernel_pumps_spare(const struct kernel_pumps *pumps);

/* kernel_pumps_are_all() - or has the session got another channel for the kernel since then? */
bool kernel_pumps_are_all(const struct kernel_pumps *pumps, const struct session *session);

/*
 * kernel_pumps_run() - put what the kernel has, at most as much as its buffers hold
 * @ret_more: there is more, for which the rings have no room now
 */
int kernel_pumps_run(struct kernel_pumps *pumps, bool *ret_more, struct tacho_error *error);

/* kernel_pump_once() - open, run, close: what the kernel of a flight recorder holds itself. While a
 * drain runs, that has it in the rings already. */
int kernel_pump_once(const struct session *session, struct tacho_error *error);

#endif
