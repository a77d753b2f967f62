/* SPDX-License-Identifier: MIT */
/*
 * apply.h - tell the kernel what a session records of it now: which events are enabled in its instances,
 * whether they record, and of which threads.
 */
#ifndef TACHO_SESSION_KERNEL_APPLY_H
#define TACHO_SESSION_KERNEL_APPLY_H

#include "session/session.h"

/* kernel_apply() - after rules, trackers, channels or state were written, below the session lock.
 * Return: 0, or a negative errno, the first: the kernel did not take all of it. What it did take is
 * so. @error may be filled with words. */
int kernel_apply(const struct session *session, struct tacho_error *error);

#endif
