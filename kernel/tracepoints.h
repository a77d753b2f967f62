/* SPDX-License-Identifier: MIT OR GPL-2.0-only */
/*
 * tracepoints.h - the kernel's tracepoints by name, those of loaded modules as well.
 */
#ifndef TACHO_KERNEL_TRACEPOINTS_H
#define TACHO_KERNEL_TRACEPOINTS_H

struct module;
struct tracepoint;

/*
 * tracepoints_init() - begin to know the tracepoints of modules
 * @leaving: called before a module with tracepoints goes, below tracepoints_lock()
 */
int tracepoints_init(void (*leaving)(const struct module *module));
void tracepoints_fini(void);

/* A tracepoint that was found stays while this is held. */
void tracepoints_lock(void);
void tracepoints_unlock(void);

/* tracepoints_find() - below tracepoints_lock(). Return: NULL if there is none of that name. */
struct tracepoint *tracepoints_find(const char *name);

#endif
