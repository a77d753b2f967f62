/* SPDX-License-Identifier: MIT */
/*
 * control.h - what a program may ask of the sessions that record it. C from C11, C++ from C++11;
 * link with -ltacho.
 */
#ifndef TACHO_CONTROL_H
#define TACHO_CONTROL_H

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/*
 * tacho_snapshot() - ask for a snapshot, since something happened that is worth one
 * @reason: a few words for people, up to 95 bytes; what is longer is cut. May be NULL
 *
 * Each session that records this program and has a trigger for it,
 *
 *	tacho add-trigger --condition snapshot-request --action snapshot-session
 *
 * does what that trigger says, in a process of its own: what this thread recorded before the call is
 * in the snapshot, unless it was overwritten by then. The program does not wait for it.
 *
 * Context: any thread, any signal handler. Takes no lock, allocates nothing, keeps errno.
 * Return: how many triggers were hit; 0: nobody was interested. Since 0.1.
 */
int tacho_snapshot(const char *reason);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
