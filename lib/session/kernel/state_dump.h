/* SPDX-License-Identifier: MIT */
/*
 * state_dump.h - tell what the system is like: processes, threads, files, mounts, interrupts, network
 * interfaces, disks, from /proc and /sys, as events among the kernel's own (kernel/state_events.h).
 *
 *      /proc, /sys --> this tool --write(2)--> the instance's buffer --pump--> the channel's ring
 *
 * So they are in the kernel's order of time, they are lost and counted as its events are, and a tool
 * that is killed leaves a dump without an end. Who made what is read there is hostile: names are bytes, and
 * what makes no sense is passed over.
 */
#ifndef TACHO_SESSION_KERNEL_STATE_DUMP_H
#define TACHO_SESSION_KERNEL_STATE_DUMP_H

#include "session/session.h"

/*
 * kernel_state_dump() - into each channel of an active session with a rule for such an event
 * @is_drained: the drain runs meanwhile, so that it is waited for when a buffer is nearly full
 *
 * Return: 0; -ENOMSG: no channel has such a rule, or the session is not active; or a negative errno.
 */
int kernel_state_dump(const struct session *session, bool is_drained);

#endif
