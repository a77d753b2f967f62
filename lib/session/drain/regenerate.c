/* SPDX-License-Identifier: MIT */
/*
 * regenerate.c - have the metadata of a trace written again, with the time of day as it is set now;
 * see session.h.
 *
 *      tool                                    drain
 *      clock_at_create.realtime_ns
 *      metadata_wanted + 1 (session lock) ---> sees it in its next round
 *      waits                             <---- metadata_done = metadata_wanted (release), when all
 *                                              is in the file
 */
#include <errno.h>
#include <string.h>
#include <time.h>

#include "base/fd.h"
#include "ctf/write/clock.h"
#include "session/drain/drain.h"
#include "session/drain/drain_doze.h"
#include "session/rules/apply.h"
#include "session/state.h"

/* A drain that cannot write tries again after 200 ms. */
#define POLL_NS 1000000L
#define POLLS   5000

static bool has_drain(const struct session *session)
{
	int fd = drain_lock(session, false);

	fd_close(fd);
	return fd == -EWOULDBLOCK;
}

/*
 * A trace goes on with the time of day that there was when the session was made, even if it was wrong
 * and has been set since. From now on it is as if the time had been right then.
 */
static int set_time_of_day(struct tacho_session *file)
{
	struct tacho_clock_tuple *then = &file->clock_at_create;
	struct tacho_clock_tuple now;
	int ret = ctf_clock_sample(file->clock_kind, &now);

	if (!ret)
		tacho_store_relaxed(&then->realtime_ns,
				    now.realtime_ns - (now.boottime_ns - then->boottime_ns));
	return ret;
}

/* A drain that ends meanwhile has written its last metadata. */
static int wait_for_drain(struct session *session, uint32_t wanted, struct tacho_error *error)
{
	const struct tacho_session *file = session->file;
	struct timespec period = { .tv_nsec = POLL_NS };

	for (int i = 0; i < POLLS; i++) {
		if ((int32_t)(tacho_load_acquire(&file->metadata_done) - wanted) >= 0 ||
		    !has_drain(session))
			return 0;
		nanosleep(&period, NULL);
	}
	return error_set(
		error, -ETIMEDOUT,
		"the drain of session '%s' does not answer: it cannot write, or is stopped; "
		"tacho status '%s' says more",
		file->name, file->name);
}

int session_regenerate_metadata(struct session *session, bool *ret_now, struct tacho_error *error)
{
	struct tacho_session *file = session->file;
	uint32_t wanted;
	int ret = session_lock(session, error);

	if (ret)
		return ret;
	ret = set_time_of_day(file);
	wanted = tacho_load_relaxed(&file->metadata_wanted) + 1;
	if (!ret)
		tacho_store_release(&file->metadata_wanted, wanted);
	session_unlock(session);
	doze_wake(session);
	if (ret)
		return error_set(error, ret, "cannot read the clock: %s", strerror(-ret));
	*ret_now = file->streaming && has_drain(session);
	return *ret_now ? wait_for_drain(session, wanted, error) : 0;
}

int session_regenerate_statedump(struct session *session, struct tacho_error *error)
{
	int ret = session_lock(session, error);

	if (ret)
		return ret;
	ret = apply_dump(session, session->file->streaming);
	session_unlock(session);
	if (ret && ret != -ENOMSG)
		error_set(error, ret, "not all running programs could be told by session '%s': %s; do it "
				      "once more",
			  session->file->name, strerror(-ret));
	return ret;
}
