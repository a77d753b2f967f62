/* SPDX-License-Identifier: MIT */
/*
 * process.c - the tracer's life in a process.
 *
 *	            first use, or the constructor             registry made
 *	UNBORN ------------------------------------> STARTING ------------> READY
 *	                                                     ------------> OFF
 *	                                                       or not
 *
 * Whoever comes while another is STARTING (a signal handler, another thread before main) goes
 * without: there is nothing yet that it could be recorded in.
 *
 * FORK. What the child inherits is right but for its identity: the rings are the CPU's, not the
 * process's. The page `wiped` tells: its pid is 0 in a child, however it was made, and so are all
 * hot entries, so that the child's first event comes through here. (A child of vfork() is
 * another matter: vfork-x86_64.S.)
 *
 * A thread that owns a ring of the portable writer may fork in a signal handler. The parent goes on to
 * write, commit and disown, and so does the child: to a ring that it does not own. So such a child
 * leaves all that is attached: what its frames still write goes to memory of its own. What was being
 * recorded is its parent's event, and recorded once. (A child of clone() that the C library knows nothing
 * of must not return from such a handler: it learns that it is one with its next event.)
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/membarrier.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tracer/context.h"
#include "tracer/statedump.h"
#include "tracer/sys.h"
#include "tracer/tracer.h"

struct tracer tacho_tracer;

bool tracer_path(char *ret_path, const char *format, ...)
{
	size_t at = strnlen(tacho_tracer.runtime_path, TACHO_RUNTIME_PATH_BYTES);
	va_list args;
	int n;

	if (!at)
		return false;
	memcpy(ret_path, tacho_tracer.runtime_path, at);
	ret_path[at++] = '/';
	va_start(args, format);
	n = vsnprintf(ret_path + at, TRACER_PATH_BYTES - at, format, args);
	va_end(args);
	return n >= 0 && (size_t)n < TRACER_PATH_BYTES - at;
}

/* ---- the runtime directory ---- */

static void find_runtime_path(void)
{
	const char *moved = secure_getenv("TACHO_RUNTIME_DIR");
	size_t bytes = moved ? strlen(moved) : 0;

	if (!bytes)
		snprintf(tacho_tracer.runtime_path, TACHO_RUNTIME_PATH_BYTES, "/dev/shm/tacho-%u",
			 (unsigned int)geteuid());
	else if (moved[0] == '/' && bytes < TACHO_RUNTIME_PATH_BYTES)
		memcpy(tacho_tracer.runtime_path, moved, bytes + 1);
	/* A relative one would be another directory after chdir(): there is none. */
}

/* Someone else's directory could feed us anything. */
static bool is_ours(const char *path)
{
	uint32_t uid, mode;

	return !sys_stat_link(path, &uid, &mode) && S_ISDIR(mode) && uid == geteuid() &&
	       !(mode & (S_IWGRP | S_IWOTH));
}

static bool find_runtime(void)
{
	find_runtime_path();
	if (is_ours(tacho_tracer.runtime_path))
		return true;
	sys_mkdir(tacho_tracer.runtime_path, 0700);
	return is_ours(tacho_tracer.runtime_path);
}

static void make_folders(void)
{
	static const char *const folders[] = { "apps", "sessions", "slots" };
	char path[TRACER_PATH_BYTES];

	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
		if (tracer_path(path, "%s", folders[i]))
			sys_mkdir(path, 0700);
	}
}

/* Folders are missing only the first time after boot. */
static int make_registry(void)
{
	int ret = registry_create();

	if (ret != -ENOENT)
		return ret;
	make_folders();
	return registry_create();
}

/* ---- start ---- */

static void read_families(void)
{
	const char *p = secure_getenv(TACHO_FAMILY_VARIABLE);
	char *end;

	for (int i = 0; p && *p && i < TACHO_FAMILIES_MAX; i++) {
		tacho_tracer.family[i] = strtoull(p, &end, 16);
		p = *end == ':' ? end + 1 : NULL;
	}
}

static bool map_private(void)
{
	struct tracer *t = &tacho_tracer;

	t->wiped = sys_map(NULL, sizeof(*t->wiped), true, -1);
	if (!t->wiped)
		return false;
	/* Where the kernel cannot wipe, fork is known by pthread_atfork() only. */
	sys_madvise(t->wiped, sizeof(*t->wiped), MADV_WIPEONFORK);
	t->wiped->pid = t->pid;
	return true;
}

/* It stays over fork(), when it may have another name already. */
static void know_executable(void)
{
	struct tracer *t = &tacho_tracer;
	long n = sys_readlink("/proc/self/exe", t->executable, sizeof(t->executable) - 1);

	t->executable[n > 0 ? n : 0] = 0;
}

static void know_identity(void)
{
	tacho_tracer.pid = sys_getpid();
	tacho_tracer.pid_namespace = sys_inode("/proc/self/ns/pid");
	tacho_store_relaxed(&tacho_tracer.uid, sys_getuid());
	tacho_store_relaxed(&tacho_tracer.gid, sys_getgid());
}

static void start(void)
{
	struct tracer *t = &tacho_tracer;

	know_identity();
	know_executable();
	t->rseq_works = ring_rseq_init();
	read_families();
	sys_membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_RSEQ);
	if (!find_runtime()) {
		tacho_store_release(&t->state, TRACER_OFF);
	} else if (map_private() && !make_registry()) {
		tacho_store_release(&t->state, TRACER_READY);
	} else {
		sessions_note_off();
		tacho_store_release(&t->state, TRACER_OFF);
	}
}

/* ---- other ids ---- */

/* A child of vfork() has its parent's memory, but not its ids. */
static bool are_ids_ours(void)
{
	return tacho_load_acquire(&tacho_tracer.state) == TRACER_READY && !tacho_thread.in_vfork &&
	       tacho_load_relaxed(&tacho_tracer.wiped->pid) == sys_getpid();
}

/* Sessions may record programs of some users only. What they may no longer read of this process's
 * is still known from before: so all events are looked up again. */
static void apply_ids(void)
{
	uint32_t count = registry_event_count();

	tacho_store_relaxed(&tacho_tracer.registry->uid, tacho_tracer.uid);
	tacho_store_relaxed(&tacho_tracer.registry->gid, tacho_tracer.gid);
	tacho_fetch_add_acq_rel(&tacho_tracer.identity, 1); /* ends routes that others are making */
	tacho_fence_full();
	for (uint32_t i = 0; i < count; i++) {
		if (tacho_load_relaxed(registry_state(i)))
			tacho_fetch_or_acq_rel(registry_state(i), TACHO_STATE_STALE);
	}
	sessions_apply(0, count);
}

void tacho_process_changed(void)
{
	uint32_t uid = tacho_load_relaxed(&tacho_tracer.uid);
	uint32_t gid = tacho_load_relaxed(&tacho_tracer.gid);

	context_changed();
	if (!are_ids_ours())
		return;
	know_identity();
	if (uid != tacho_load_relaxed(&tacho_tracer.uid) ||
	    gid != tacho_load_relaxed(&tacho_tracer.gid))
		apply_ids();
}

/* ---- fork ---- */

/* In a child: our own registry, and bits according to the sessions of now. */
static void reborn(void)
{
	if (tacho_thread.owning)
		attachments_leave();
	know_identity();
	tacho_thread.tid = 0;
	context_forget();
	for (int i = 0; i < RING_SLOTS; i++)
		tacho_thread.slot[i].tag = RING_SLOT_TAG_EMPTY;
	grace_reset();
	tacho_store_relaxed(&tacho_tracer.wiped->pid, tacho_tracer.pid);
	sys_membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_RSEQ);
	if (!registry_renew()) {
		sessions_apply(0, registry_event_count());
		statedump_reborn();
	}
}

bool tracer_is_ready(void)
{
	uint32_t unborn = TRACER_UNBORN;
	uint32_t state = tacho_load_acquire(&tacho_tracer.state);

	if (state == TRACER_UNBORN &&
	    tacho_cmpxchg_acq_rel(&tacho_tracer.state, &unborn, TRACER_STARTING)) {
		start();
		tracer_know_thread();
		state = tacho_load_acquire(&tacho_tracer.state);
	}
	if (state != TRACER_READY)
		return false;
	if (tacho_load_relaxed(&tacho_tracer.wiped->pid) == 0)
		reborn();
	return true;
}

/* A child of vfork() would leave its own id in what is its parent's. */
void tracer_know_thread(void)
{
	if (tacho_thread.tid || tacho_thread.in_vfork)
		return;
	thread_name_init();
	tacho_thread.tid = sys_gettid();
}

static void after_fork_in_child(void)
{
	if (tacho_load_acquire(&tacho_tracer.state) != TRACER_READY)
		return;
	tacho_store_relaxed(&tacho_tracer.wiped->pid, 0);
	tracer_is_ready();
	tracer_know_thread();
}

static __attribute__((constructor(101))) void begin_process(void)
{
	tracer_is_ready();
	pthread_atfork(NULL, NULL, after_fork_in_child);
}

/* The mapping stays: what other destructors record is recorded. */
static __attribute__((destructor(101))) void end_process(void)
{
	if (tacho_load_acquire(&tacho_tracer.state) == TRACER_READY &&
	    tacho_load_relaxed(&tacho_tracer.wiped->pid) == sys_getpid())
		registry_remove();
}
