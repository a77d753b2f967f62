/* SPDX-License-Identifier: MIT */
/* watch_process.c - the watcher as a process, and how tools start and wake it; see watch.h */
#include <errno.h>
#include <linux/futex.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/fd.h"
#include "session/detached.h"
#include "session/state.h"
#include "session/watch/watch.h"

#define END_POLL_NS 1000000L
#define END_POLLS   1000

static int watch_lock(const struct session *session)
{
	return file_lock_at(session->dir_fd, WATCH_FILE, false);
}

static void watch_free(struct watch *watch)
{
	if (!watch)
		return;
	for (uint32_t i = 0; i < TACHO_TRIGGERS_MAX; i++) {
		free(watch->watched[i].name);
		free(watch->watched[i].command);
		free(watch->watched[i].session);
	}
	triggers_unmap(watch->triggers);
	free(watch);
}

static int begin(struct session *session, void **ret_work, struct tacho_error *error)
{
	struct watch *watch = calloc(1, sizeof(*watch));

	if (watch)
		watch->triggers = triggers_map(session);
	if (!watch || !watch->triggers) {
		watch_free(watch);
		return error_set(error, -EBADMSG,
				 "the watcher of session '%s' cannot map its page of triggers",
				 session->file->name);
	}
	watch->session = session;
	watch->generation = 1;
	tacho_store_release(&session->file->watch_pid, (uint64_t)getpid());
	*ret_work = watch;
	return 0;
}

static int run(void *work)
{
	int ret = watch_run(work);

	watch_free(work);
	return ret;
}

static const struct detached a_watcher = {
	.what = "watcher",
	.name = "tacho-watch",
	.begin = begin,
	.run = run,
};

int watch_begin(struct session *session, struct tacho_error *error)
{
	int lock_fd, ret;

	if (!triggers_are_armed(session->file))
		return 0;
	lock_fd = watch_lock(session);
	if (lock_fd == -EWOULDBLOCK)
		return 0;
	if (lock_fd < 0)
		return error_set(error, lock_fd, "cannot lock the watcher of session '%s': %s",
				 session->file->name, strerror(-lock_fd));
	ret = detached_spawn(session, &a_watcher, lock_fd, error);
	fd_close(lock_fd);
	return ret;
}

bool session_is_watched(const struct session *session)
{
	int fd = watch_lock(session);

	fd_close(fd);
	return fd == -EWOULDBLOCK;
}

void watch_wake(const struct session *session)
{
	struct tacho_triggers *triggers = triggers_map(session);

	if (!triggers)
		return;
	tacho_fence_full(); /* pairs with watch:B: what was changed */
	if (tacho_exchange_acq_rel(&triggers->watch_sleeps, 0))
		syscall(SYS_futex, &triggers->watch_sleeps, FUTEX_WAKE, 1, NULL, NULL, 0);
	triggers_unmap(triggers);
}

void watch_wait(const struct session *session)
{
	struct timespec period = { .tv_nsec = END_POLL_NS };

	watch_wake(session);
	for (int i = 0; i < END_POLLS && session_is_watched(session); i++)
		nanosleep(&period, NULL);
}

static bool needs_one(const struct session *session)
{
	return triggers_are_armed(session->file) && !session_is_watched(session);
}

static void revive(struct session *session)
{
	if (needs_one(session) && !session_lock(session, NULL)) {
		watch_begin(session, NULL);
		session_unlock(session);
	}
}

void watch_revive_all(struct runtime *runtime)
{
	session_visit_living(runtime, revive);
}
