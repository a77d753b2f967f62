/* SPDX-License-Identifier: MIT */
/*
 * lttng.c - what programs for LTTng-UST expect of its library (include/lttng/ust-fork.h). Nothing of
 * it is needed.
 */
#include <lttng/ust-fork.h>

#define EXPORTED __attribute__((visibility("default")))

/* Programs ask by this whether they are linked with a tracer. */
EXPORTED extern int lttng_ust_loaded;
int lttng_ust_loaded = 1;

EXPORTED void lttng_ust_before_fork(sigset_t *saved_signals)
{
	(void)saved_signals;
}

EXPORTED void lttng_ust_after_fork_parent(sigset_t *saved_signals)
{
	(void)saved_signals;
}

EXPORTED void lttng_ust_after_fork_child(sigset_t *saved_signals)
{
	(void)saved_signals;
}

#define DEFINE_NOTHING(name)  \
	EXPORTED void name(void) \
	{                     \
	}
DEFINE_NOTHING(lttng_ust_after_setns)
DEFINE_NOTHING(lttng_ust_after_unshare)
DEFINE_NOTHING(lttng_ust_after_setuid)
DEFINE_NOTHING(lttng_ust_after_setgid)
DEFINE_NOTHING(lttng_ust_after_seteuid)
DEFINE_NOTHING(lttng_ust_after_setegid)
DEFINE_NOTHING(lttng_ust_after_setreuid)
DEFINE_NOTHING(lttng_ust_after_setregid)
DEFINE_NOTHING(lttng_ust_after_setresuid)
DEFINE_NOTHING(lttng_ust_after_setresgid)
