/* SPDX-License-Identifier: MIT */
/* lifecycle.c - start, stop and the end of sessions; see session.h */
#include <errno.h>
#include <string.h>
#include <time.h>

#include "base/fd.h"
#include "session/rules/apply.h"
#include "session/detached.h"
#include "session/dispose.h"
#include "session/drain/drain.h"
#include "session/drain/drain_doze.h"
#include "session/kernel/state_dump.h"
#include "session/state.h"
#include "session/watch/watch.h"

/* How long a drain gets to notice that its session is dead. */
#define DEAD_POLL_NS 1000000L
#define DEAD_POLLS   1000

/* en:A of format/runtime.h; apply_rules() does the rest. */
static void write_state(struct session *session, enum tacho_session_state state)
{
	uint32_t generation = session_change_begin(session->file);

	tacho_store_release(&session->file->state, (uint32_t)state);
	session_change_end(session->file, generation);
}

static void change_state(struct session *session, enum tacho_session_state state)
{
	write_state(session, state);
	apply_rules(session);
}

int session_start(struct session *session, struct tacho_error *error)
{
	int ret = session_lock(session, error);
	bool is_begin = false;

	if (ret)
		return ret;
	ret = drain_begin(session, error);
	is_begin = !ret && session->file->state != TACHO_SESSION_ACTIVE;
	if (is_begin) {
		triggers_forget_hits(session);
		change_state(session, TACHO_SESSION_ACTIVE);
	}
	if (!ret)
		ret = watch_begin(session, error);
	session_unlock(session);
	if (is_begin)
		kernel_state_dump(session, session->file->streaming);
	return ret;
}

int session_stop_begin(struct session *session, struct tacho_error *error)
{
	int ret = session_lock(session, error);

	if (ret)
		return ret;
	if (!session->file->streaming) /* for the snapshot of what is stopped */
		kernel_state_dump(session, false);
	if (session->file->state == TACHO_SESSION_ACTIVE)
		change_state(session, TACHO_SESSION_STOPPED);
	tacho_store_release(&session->file->drain_stop, 1);
	session_unlock(session);
	doze_wake(session);
	watch_wake(session);
	return 0;
}

int session_stop(struct session *session, struct tacho_error *error)
{
	int ret = session_stop_begin(session, error);

	return ret || !session->file->streaming ? ret : drain_end(session, error);
}

static void wait_for_drain(struct session *session)
{
	struct timespec period = { .tv_nsec = DEAD_POLL_NS };
	int fd = drain_lock(session, false);

	for (int i = 0; fd == -EWOULDBLOCK && i < DEAD_POLLS; i++) {
		nanosleep(&period, NULL);
		fd = drain_lock(session, false);
	}
	fd_close(fd);
}

static int bury(struct session *session, struct tacho_error *error)
{
	int lock_fd = runtime_lock(session->runtime, error);
	int ret;

	if (lock_fd < 0)
		return lock_fd;
	ret = session_bury(session, lock_fd);
	runtime_unlock(lock_fd);
	if (ret)
		error_set(error, ret, "cannot remove the session '%s' from %s: %s",
			  session->file->name, session->runtime->path, strerror(-ret));
	return ret;
}

int session_discard(struct session *session, struct tacho_error *error)
{
	int ret = session_lock(session, error);

	if (ret)
		return ret;
	write_state(session, TACHO_SESSION_DEAD);
	session_unlock(session);
	doze_wake(session);
	wait_for_drain(session);
	watch_wait(session);
	ret = bury(session, error);
	if (!ret)
		session_close(session);
	return ret;
}

int session_destroy(struct session *session, struct tacho_error *error)
{
	int ret = session_stop(session, error);

	return ret ? ret : session_discard(session, error);
}

static int begin_to_destroy(struct session *session, void **ret_work, struct tacho_error *error)
{
	*ret_work = session;
	return session_stop_begin(session, error);
}

/* Where the trace cannot be completed, the session stays: tacho status says why. */
static int destroy_in_background(void *session)
{
	return session_destroy(session, NULL);
}

int session_destroy_later(struct session *session, struct tacho_error *error)
{
	static const struct detached destroyer = {
		.what = "destroyer",
		.name = "tacho-destroy",
		.begin = begin_to_destroy,
		.run = destroy_in_background,
	};

	return detached_spawn(session, &destroyer, -1, error);
}
