/* SPDX-License-Identifier: MIT */
/* mirrors.c - see mirrors.h */
#include "session/users/mirrors.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>

#include "base/fd.h"
#include "session/users/mirror.h"
#include "session/state.h"
#include "session/users/users.h"

static bool has_mirrors(const struct session *session)
{
	const struct tacho_session *file = session->file;

	return !session->runtime->is_visited && !file->family && !file->mirror_of &&
	       users_are_reached();
}

static void note_trouble(struct session *session, const struct tacho_error *error)
{
	if (!session->users_trouble_count++)
		session->users_trouble = *error;
}

/* What a child does, as the user, with the session that it may read but not write. */
struct visit {
	struct session *session;
	int file_fd; /* of the session file, for reading */
	void (*work)(struct runtime *runtime, const struct visit *visit,
		     const struct tacho_session *model, struct user_report *ret_report);
	struct snapshot_options snapshot;
};

/* In the child: the mapping that root's tool could write to does not stay in a process of a user. */
static void do_work(struct runtime *runtime, const void *arg, struct user_report *ret_report)
{
	const struct visit *visit = arg;
	void *model = mmap(NULL, sizeof(*visit->session->file), PROT_READ, MAP_SHARED,
			   visit->file_fd, 0);

	munmap(visit->session->file, sizeof(*visit->session->file));
	fd_close(visit->file_fd);
	if (model == MAP_FAILED)
		error_set(&ret_report->error, -errno, "cannot map root's session: %s",
			  strerror(errno));
	else
		visit->work(runtime, visit, model, ret_report);
}

static void visit_all(struct visit *visit, struct users_work *work)
{
	struct session *session = visit->session;
	struct tacho_error error;

	session->users_trouble_count = 0;
	visit->file_fd = file_open_at(session->dir_fd, SESSION_FILE, O_RDONLY, 0);
	if (visit->file_fd < 0)
		return; /* buried: all mirrors went before it */
	work->work = do_work;
	work->work_arg = visit;
	if (users_visit(work, &error))
		note_trouble(session, &error);
	fd_close(visit->file_fd);
}

/* ---- follow ---- */

static void bring_to_end(struct runtime *runtime, const struct tacho_session *model,
			 struct user_report *report)
{
	struct session *mirror;

	if (session_mirror_open(runtime, model, &mirror))
		return;
	if (session_destroy(mirror, &report->error) && session_discard(mirror, &report->error))
		session_close(mirror);
}

static struct mirror_drain drain_of(const struct session *mirror)
{
	return (struct mirror_drain){
		.pid = tacho_load_acquire(&mirror->file->drain_pid),
		.start_time = mirror->file->drain_start_time,
	};
}

static void follow(struct runtime *runtime, const struct visit *visit,
		   const struct tacho_session *model, struct user_report *ret_report)
{
	struct session *mirror;

	(void)visit;
	if (model->state == TACHO_SESSION_DEAD) {
		bring_to_end(runtime, model, ret_report);
	} else if (!session_mirror(runtime, model, &mirror, &ret_report->error)) {
		ret_report->drain = drain_of(mirror);
		session_close(mirror);
	}
}

static void tell_trouble(const struct user_dir *dir, const struct user_report *report,
			 struct session *session)
{
	struct tacho_error error;

	if (!report->error.code)
		return;
	error_set(&error, report->error.code, "user %u: %s", (unsigned)dir->uid, report->error.text);
	note_trouble(session, &error);
}

static void tell_followed(const struct user_dir *dir, const struct user_report *report, void *session)
{
	mirror_drains_note(session, report->drain);
	tell_trouble(dir, report, session);
}

static void wait_for_drains(struct session *session)
{
	struct tacho_error error;

	if (mirror_drains_wait(session))
		return;
	error_set(&error, -ETIMEDOUT,
		  "the part of the trace of a container that has gone may not be complete yet");
	note_trouble(session, &error);
}

void mirrors_follow(struct session *session)
{
	struct visit visit = { .session = session, .work = follow };
	struct users_work work = {
		.output = session->file->streaming ? session->file->output : NULL,
		.tell = tell_followed,
		.tell_arg = session,
	};

	if (!has_mirrors(session))
		return;
	visit_all(&visit, &work);
	if (session->file->state != TACHO_SESSION_ACTIVE)
		wait_for_drains(session);
}

/* ---- what they did ---- */

static void get_stats(struct runtime *runtime, const struct visit *visit,
		      const struct tacho_session *model, struct user_report *ret_report)
{
	struct session *mirror;

	(void)visit;
	if (session_mirror_open(runtime, model, &mirror))
		return;
	session_stats(mirror, &ret_report->stats, &ret_report->error);
	session_close(mirror);
}

/* A stranger's numbers: what they say of their own programs. */
static void add_stats(const struct user_dir *dir, const struct user_report *report, void *arg)
{
	struct session_stats *sum = arg;
	const struct session_stats *stats = &report->stats;

	(void)dir;
	sum->bytes += stats->bytes;
	for (int i = 0; i < TACHO_LOST_REASONS; i++)
		sum->lost[i] += stats->lost[i];
	for (int i = 0; i < TACHO_CHANNELS_MAX; i++)
		sum->channel_lost[i] += stats->channel_lost[i];
	sum->overwritten_bytes += stats->overwritten_bytes;
	sum->memory_bytes += stats->memory_bytes;
	sum->rings += stats->rings;
	sum->unrecorded += stats->unrecorded;
	sum->damaged += stats->damaged;
}

void mirrors_add_stats(struct session *session, struct session_stats *stats)
{
	struct visit visit = { .session = session, .work = get_stats };
	struct users_work work = { .tell = add_stats, .tell_arg = stats };

	if (has_mirrors(session))
		visit_all(&visit, &work);
}

/* ---- snapshots ---- */

static void take_snapshot(struct runtime *runtime, const struct visit *visit,
			  const struct tacho_session *model, struct user_report *ret_report)
{
	struct session *mirror;

	if (session_mirror_open(runtime, model, &mirror))
		return;
	session_snapshot(mirror, &visit->snapshot, &ret_report->snapshot, &ret_report->error);
	session_close(mirror);
}

struct snapshot_sum {
	struct visit *visit;
	struct snapshot_result *result;
};

/* Of a limit, each user has what those before have left. */
static void use_up(struct snapshot_options *options, uint64_t bytes)
{
	if (options->max_bytes)
		options->max_bytes = bytes < options->max_bytes ? options->max_bytes - bytes : 1;
}

static void add_snapshot(const struct user_dir *dir, const struct user_report *report, void *arg)
{
	const struct snapshot_sum *sum = arg;

	tell_trouble(dir, report, sum->visit->session);
	use_up(&sum->visit->snapshot, report->snapshot.bytes);
	sum->result->packets += report->snapshot.packets;
	sum->result->bytes += report->snapshot.bytes;
	sum->result->overwritten_while_copying += report->snapshot.overwritten_while_copying;
	sum->result->damaged += report->snapshot.damaged;
}

void mirrors_snapshot(struct session *session, const struct snapshot_options *options,
		      struct snapshot_result *result)
{
	struct visit visit = { .session = session, .work = take_snapshot, .snapshot = *options };
	struct snapshot_sum sum = { &visit, result };
	struct users_work work = {
		.output = result->path,
		.tell = add_snapshot,
		.tell_arg = &sum,
	};

	if (!has_mirrors(session))
		return;
	visit.snapshot.output = NULL; /* a part of this one, wherever it is */
	use_up(&visit.snapshot, result->bytes);
	visit_all(&visit, &work);
}

const struct tacho_error *session_users_trouble(const struct session *session)
{
	return session->users_trouble_count ? &session->users_trouble : NULL;
}
