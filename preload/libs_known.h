/* SPDX-License-Identifier: MIT */
/*
 * libs_known.h - the executable and the shared libraries of the process, as they were last seen;
 * what came and went since then is recorded.
 *
 * Records lttng_ust_statedump:start, procname, bin_info, build_id and end, once per process and session,
 * and lttng_ust_lib:load, build_id and unload. doc/design/state-dump.md.
 */
#ifndef TACHO_PRELOAD_LIBS_KNOWN_H
#define TACHO_PRELOAD_LIBS_KNOWN_H

/*
 * known_refresh() - look at what is loaded now; the first time, record all of it as the state dump
 *
 * Context: any thread, also within dl_iterate_phdr(). Keeps errno. When another thread is looking,
 * it looks once more, and this one does not wait for it.
 */
void known_refresh(void);

/*
 * known_dump() - record the state dump once more, of what was last seen: the process has been attached
 *                to another session
 *
 * Context: any thread, any signal handler. Keeps errno. When another thread is looking, that one does
 * it. Before the first dump it does nothing, since that is going to be recorded there, too.
 */
void known_dump(void);

/* known_after_fork() - in the child: the state dump of it, which is its parent's state */
void known_after_fork(void);

#endif
