/* SPDX-License-Identifier: MIT */
/*
 * rotate.c - ask the drain for a new chunk of the trace, or do it in its place; see session.h.
 *
 *      tool                                      drain
 *      rotate_wanted + 1                         is woken, and sees it
 *      waits for rotate_done  <----------------- rotate_done = rotate_wanted, the chunk is there
 *      gets the drain lock: nobody is at work
 *        the drain was killed:  another one
 *        stopped:               does it itself
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/fd.h"
#include "session/drain/drain.h"
#include "session/drain/drain_doze.h"
#include "session/drain/rotation.h"
#include "session/state.h"

#define POLL_NS 1000000L
/* So many polls in a row with trouble: then it is told. */
#define TROUBLE_POLLS 1000

/* A wish: two counters of the session's file. */
struct wish {
	struct session *session;
	uint32_t *wanted;
	const uint32_t *done;
	uint32_t number; /* *done reaches it */
	bool is_clear;
	int trouble_polls;
	uint32_t halted_polls; /* drain_check_halted() */
};

static bool is_done(const struct wish *wish)
{
	return (int32_t)(tacho_load_acquire(wish->done) - wish->number) >= 0;
}

/* Nobody holds the drain lock but the caller. */
static int do_here(struct wish *wish, struct tacho_error *error)
{
	struct drain *drain;
	int ret;

	if (is_done(wish))
		return 0;
	ret = drain_open(wish->session, &drain, error);
	if (ret)
		return ret;
	ret = drain_end_chunk(drain, wish->is_clear, error);
	drain_close(drain);
	return ret;
}

static bool has_drain_to_be(const struct tacho_session *file)
{
	return tacho_load_acquire(&file->drain_pid) && !tacho_load_acquire(&file->drain_stop);
}

/* The drain goes on with other work meanwhile. */
static int look_for_trouble(struct wish *wish, struct tacho_error *error)
{
	char text[TACHO_ERROR_TEXT_BYTES];
	int ret = drain_check_halted(wish->session, &wish->halted_polls, error);

	if (ret)
		return ret;
	if (!session_drain_trouble(wish->session, text, sizeof(text)))
		wish->trouble_polls = 0;
	else if (++wish->trouble_polls >= TROUBLE_POLLS)
		return error_set(error, -EIO, "the drain of session '%s' cannot write: %s",
				 wish->session->file->name, text);
	return 0;
}

/* One look. Return: 0, or what is wrong. */
static int poll_wish(struct wish *wish, struct tacho_error *error)
{
	struct timespec period = { .tv_nsec = POLL_NS };
	int lock_fd = drain_lock(wish->session, false);
	bool has_to_be;
	int ret = 0;

	if (lock_fd == -EWOULDBLOCK) {
		nanosleep(&period, NULL);
		return look_for_trouble(wish, error);
	}
	if (lock_fd < 0)
		return error_set(error, lock_fd, "cannot lock the drain of session '%s': %s",
				 wish->session->file->name, strerror(-lock_fd));
	has_to_be = has_drain_to_be(wish->session->file);
	if (!has_to_be)
		ret = do_here(wish, error);
	fd_close(lock_fd);
	return has_to_be ? drain_spawn(wish->session, error) : ret;
}

static int await(struct wish *wish, struct tacho_error *error)
{
	int ret = 0;

	while (!ret && !is_done(wish))
		ret = poll_wish(wish, error);
	return ret;
}

static int make_wish(struct wish *wish, struct tacho_error *error)
{
	int ret = session_lock(wish->session, error);

	if (ret)
		return ret;
	wish->number = tacho_fetch_add_acq_rel(wish->wanted, 1) + 1;
	session_unlock(wish->session);
	doze_wake(wish->session);
	return 0;
}

static bool has_trace(const struct session *session)
{
	const char *output = session_output(session);
	uint8_t uuid[CTF_UUID_BYTES];

	return ctf_trace_uuid(output, TACHO_DOMAIN_USER, geteuid(), uuid) != -ENOENT ||
	       ctf_trace_uuid(output, TACHO_DOMAIN_KERNEL, 0, uuid) != -ENOENT;
}

/* Of a stopped session: a rotation that a tool began, and was killed, is brought to its end. Where nothing
 * was recorded since, that is the one which is asked for. Who holds the lock does it otherwise. */
static int complete(struct session *session, bool *ret_is_complete, struct tacho_error *error)
{
	const struct tacho_session *file = session->file;
	uint32_t done = tacho_load_acquire(&file->rotate_done);
	int lock_fd = -EWOULDBLOCK;
	int ret = 0;

	*ret_is_complete = false;
	if (file->streaming && !tacho_load_acquire(&file->drain_pid))
		lock_fd = drain_lock(session, false);
	if (lock_fd < 0)
		return 0;
	if (!tacho_load_acquire(&file->drain_pid))
		ret = drain_settle(session, error);
	*ret_is_complete = !ret && tacho_load_acquire(&file->rotate_done) != done && !has_trace(session);
	fd_close(lock_fd);
	return ret;
}

static int refuse_rotation(const struct session *session, struct tacho_error *error)
{
	const struct tacho_session *file = session->file;

	if (!file->streaming)
		return error_set(error, -ENOTSUP,
				 "the session '%s' is a flight recorder, which has no trace that "
				 "could be rotated; write what its buffers hold with: tacho "
				 "snapshot record '%s'",
				 file->name, file->name);
	if (!tacho_load_acquire(&file->drain_pid) && !has_trace(session))
		return error_set(error, -ENODATA,
				 "there is nothing to archive: the session '%s' has not recorded "
				 "since it was created, rotated or cleared",
				 file->name);
	return 0;
}

static int find_path(const struct session *session, char ret_path[TACHO_PATH_BYTES],
		     struct tacho_error *error)
{
	struct ring_cuts *cuts;
	int ret = ring_cuts_load(session->dir_fd, CHUNK_FILE, &cuts);

	if (!ret) {
		ret = rotation_path(session, cuts, ret_path);
		free(cuts);
	}
	return ret ? error_set(error, ret, "cannot tell where the archived chunk is: %s",
			       strerror(-ret)) :
		     0;
}

int session_rotate(struct session *session, bool wait, char ret_path[TACHO_PATH_BYTES],
		   struct tacho_error *error)
{
	struct wish wish = {
		.session = session,
		.wanted = &session->file->rotate_wanted,
		.done = &session->file->rotate_done,
	};
	bool is_complete;
	int ret = complete(session, &is_complete, error);

	ret_path[0] = '\0';
	if (is_complete)
		return find_path(session, ret_path, error);
	if (!ret)
		ret = refuse_rotation(session, error);
	if (!ret)
		ret = make_wish(&wish, error);
	if (!ret && !wait && has_drain_to_be(session->file) && !drain_is_needed(session))
		return 0;
	if (!ret)
		ret = await(&wish, error);
	return ret ? ret : find_path(session, ret_path, error);
}

int session_schedule_rotation(struct session *session, uint64_t every_ns, uint64_t every_bytes,
			      struct tacho_error *error)
{
	struct tacho_session *file = session->file;
	int ret;

	if (!file->streaming)
		return refuse_rotation(session, error);
	ret = session_lock(session, error);
	if (ret)
		return ret;
	tacho_store_relaxed(&file->rotate_every_ns, every_ns);
	tacho_store_relaxed(&file->rotate_every_bytes, every_bytes);
	session_unlock(session);
	doze_wake(session);
	return 0;
}

/* Of a flight recorder. */
static int clear_rings(struct session *session, struct tacho_error *error)
{
	int lock_fd = drain_lock(session, true);
	int ret = lock_fd;

	if (lock_fd >= 0)
		ret = drain_clear_rings(session, error);
	fd_close(lock_fd);
	return ret;
}

int session_clear(struct session *session, struct tacho_error *error)
{
	struct wish wish = {
		.session = session,
		.wanted = &session->file->clear_wanted,
		.done = &session->file->clear_done,
		.is_clear = true,
	};
	int ret;

	if (!session->file->streaming)
		return clear_rings(session, error);
	ret = make_wish(&wish, error);
	return ret ? ret : await(&wish, error);
}
