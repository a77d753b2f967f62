/* SPDX-License-Identifier: MIT */
/*
 * drain_process.c - the drain as a process of its own; see drain.h.
 */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/process.h"
#include "session/detached.h"
#include "session/drain/drain.h"
#include "session/state.h"

#define END_POLL_NS 1000000L

/* sleep_for() of drain.c takes them. */
static void block_signals(void)
{
	sigset_t ends;

	sigemptyset(&ends);
	sigaddset(&ends, SIGTERM);
	sigaddset(&ends, SIGINT);
	sigaddset(&ends, SIGHUP);
	sigprocmask(SIG_SETMASK, &ends, NULL);
}

static void sign_in(struct session *session)
{
	process_start_time(getpid(), &session->file->drain_start_time);
	tacho_store_release(&session->file->drain_pid, (uint32_t)getpid());
}

static int begin(struct session *session, void **ret_work, struct tacho_error *error)
{
	struct drain *drain;
	int ret;

	block_signals();
	ret = drain_open(session, &drain, error);
	if (ret)
		return ret;
	drain_answer(drain);
	sign_in(session);
	*ret_work = drain;
	return 0;
}

static int run(void *work)
{
	struct drain *drain = work;
	struct tacho_error error = { 0 };
	int ret = drain_run(drain, &error);

	drain_close(drain);
	return ret;
}

static const struct detached a_drain = {
	.what = "drain",
	.name = "tacho-drain",
	.begin = begin,
	.run = run,
};

static int set_cannot_lock(const struct session *session, int code, struct tacho_error *error)
{
	return error_set(error, code, "cannot lock the drain of session '%s': %s",
			 session->file->name, strerror(-code));
}

int drain_spawn(struct session *session, struct tacho_error *error)
{
	int lock_fd;
	int ret;

	if (!session->file->streaming)
		return 0;
	lock_fd = drain_lock(session, false);
	if (lock_fd == -EWOULDBLOCK)
		return 0;
	if (lock_fd < 0)
		return set_cannot_lock(session, lock_fd, error);
	ret = detached_spawn(session, &a_drain, lock_fd, error);
	fd_close(lock_fd);
	return ret;
}

int drain_begin(struct session *session, struct tacho_error *error)
{
	struct tacho_session *file = session->file;
	int lock_fd;
	int ret;

	if (!file->streaming)
		return 0;
	if (!file->drain_stop)
		return drain_spawn(session, error);
	lock_fd = drain_lock(session, true);
	if (lock_fd < 0)
		return set_cannot_lock(session, lock_fd, error);
	tacho_store_release(&file->drain_stop, 0);
	ret = detached_spawn(session, &a_drain, lock_fd, error);
	if (ret)
		tacho_store_release(&file->drain_stop, 1);
	fd_close(lock_fd);
	return ret;
}

/* What the drain, which was killed or could not write, has left. */
static int drain_here(struct session *session, struct tacho_error *error)
{
	struct tacho_error reason = { 0 };
	struct drain *drain = NULL;
	int ret = drain_open(session, &drain, &reason);

	if (!ret)
		ret = drain_run(drain, &reason);
	drain_close(drain);
	if (!ret)
		return 0;
	return error_set(
		error, ret,
		"the trace of session '%s' is not complete: %s; the session keeps the rest: "
		"%s, then: tacho destroy '%s'; to give the rest up: tacho destroy --discard '%s'",
		session->file->name, reason.text,
		ret == -ENOSPC || ret == -EDQUOT ? "make room" : "mend that",
		session->file->name, session->file->name);
}

int drain_check_halted(const struct session *session, uint32_t *halted_polls,
		       struct tacho_error *error)
{
	const struct tacho_session *file = session->file;
	pid_t pid = (pid_t)tacho_load_acquire(&file->drain_pid);

	if (!process_is_halted(pid, file->drain_start_time))
		*halted_polls = 0;
	else if (++*halted_polls >= DRAIN_HALTED_POLLS)
		return error_set(error, -EBUSY,
				 "the drain of session '%s', process %d, is stopped by a signal, and "
				 "has not written all; continue it: kill -CONT %d",
				 file->name, (int)pid, (int)pid);
	return 0;
}

int drain_end(struct session *session, struct tacho_error *error)
{
	struct tacho_session *file = session->file;
	struct timespec period = { .tv_nsec = END_POLL_NS };
	uint32_t halted_polls = 0;
	int ret = 0;
	int lock_fd;

	while ((lock_fd = drain_lock(session, false)) == -EWOULDBLOCK) {
		if (!tacho_load_acquire(&file->drain_stop))
			return 0; /* another tool has started the session again */
		ret = drain_check_halted(session, &halted_polls, error);
		if (ret)
			return ret;
		nanosleep(&period, NULL);
	}
	if (lock_fd < 0)
		return set_cannot_lock(session, lock_fd, error);
	if (file->drain_stop && file->drain_pid)
		ret = drain_here(session, error);
	fd_close(lock_fd);
	return ret;
}

static void revive(struct session *session)
{
	if (drain_is_needed(session))
		drain_spawn(session, NULL);
}

void drain_revive_all(struct runtime *runtime)
{
	session_visit_living(runtime, revive);
}
