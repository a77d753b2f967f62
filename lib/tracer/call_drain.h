/* SPDX-License-Identifier: MIT */
/*
 * call_drain.h - wake the drain of a session, if it sleeps, when a sub-buffer was completed
 * (format/trigger.h). That is all that the tracer's slow path ever does for a drain; for the watcher it
 * does the same when a trigger is hit.
 *
 * A system call kills a program whose seccomp(2) filter does not expect it. So only a process calls
 * of which it is known that it has no such filter, and that it will be known when it gets one:
 *
 *      when a session is attached     /proc/self/status has "NoNewPrivs: 0" and "Seccomp: 0", and
 *                                     our prctl() is the one that the program calls
 *      since then                     nobody called prctl(PR_SET_NO_NEW_PRIVS) or (PR_SET_SECCOMP):
 *                                     whoever makes a filter, with libseccomp or by hand, calls the
 *                                     former first, unless it is root and does without on purpose
 *
 * All others (in a container, a static program) only say in the session that they record: its drain, or
 * watcher, looks more often then.
 *
 * Context: in a section; any thread, any signal handler. Wait-free.
 */
#ifndef TACHO_TRACER_CALL_DRAIN_H
#define TACHO_TRACER_CALL_DRAIN_H

#include "tracer/tracer.h"

/* call_drain_attached() - of the session whose page of triggers was just mapped */
void call_drain_attached(const struct attachment *a);

/* call_is_allowed() - may this thread make a system call to wake anybody? */
bool call_is_allowed(void);

/* call_drain() - a sub-buffer was completed on one of its rings. */
void call_drain(const struct attachment *a);

#endif
