/* SPDX-License-Identifier: MIT */
/*
 * ust-fork.h - what a program may call around fork() and changes of user and namespace. Nothing is
 * needed: libtacho finds out by itself. They do nothing, and are there for programs that call them.
 */
#ifndef LTTNG_UST_FORK_H
#define LTTNG_UST_FORK_H

#pragma GCC system_header

#include <signal.h>

#ifdef __cplusplus
extern "C" {
#endif

void lttng_ust_before_fork(sigset_t *saved_signals);
void lttng_ust_after_fork_parent(sigset_t *saved_signals);
void lttng_ust_after_fork_child(sigset_t *saved_signals);
void lttng_ust_after_setns(void);
void lttng_ust_after_unshare(void);
void lttng_ust_after_setuid(void);
void lttng_ust_after_setgid(void);
void lttng_ust_after_seteuid(void);
void lttng_ust_after_setegid(void);
void lttng_ust_after_setreuid(void);
void lttng_ust_after_setregid(void);
void lttng_ust_after_setresuid(void);
void lttng_ust_after_setresgid(void);

#ifdef __cplusplus
}
#endif

#endif
