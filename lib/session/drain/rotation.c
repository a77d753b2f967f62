/* SPDX-License-Identifier: MIT */
/* rotation.c - see rotation.h */
#include "session/drain/rotation.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/str.h"
#include "ctf/file.h"
#include "session/state.h"

#define DIR_MODE 0770
/* "20151021T072800+0200" */
#define INSTANT_BYTES 24

/* ---- names ---- */

/* Where a chunk is put together before it is seen, or waits to be removed. A directory of its own
 * for each user, as root's session has several drains that write to one place. */
static int hidden_path(const struct session *session, bool is_clear, const char *below,
		       char ret_path[TACHO_PATH_BYTES])
{
	return str_print(ret_path, TACHO_PATH_BYTES, "%s/%s%u%s", session_output(session),
			 is_clear ? CTF_CLEARED_PREFIX : ARCHIVES_DIR "/.new-", geteuid(), below);
}

/* What moves: all of one user's trace, and that of the kernel, which root's own session has alone. */
static int part_path(enum tacho_domain domain, const char *above, char ret_path[TACHO_PATH_BYTES])
{
	if (domain == TACHO_DOMAIN_KERNEL)
		return str_print(ret_path, TACHO_PATH_BYTES, "%s/kernel", above);
	return str_print(ret_path, TACHO_PATH_BYTES, "%s/ust/uid/%u", above, geteuid());
}

/* Of what there are parts: in the order in which they move. */
static const enum tacho_domain domains[] = { TACHO_DOMAIN_KERNEL, TACHO_DOMAIN_USER };
#define DOMAINS (sizeof(domains) / sizeof(domains[0]))

static bool is_moved(enum tacho_domain domain, const char *hidden)
{
	char path[TACHO_PATH_BYTES];

	return !part_path(domain, hidden, path) && !access(path, F_OK);
}

static bool may_have_kernel(const struct session *session)
{
	return !session->file->mirror_of;
}

int rotation_path(const struct session *session, const struct ring_cuts *cuts,
		  char ret_path[TACHO_PATH_BYTES])
{
	return str_print(ret_path, TACHO_PATH_BYTES, "%s/" ARCHIVES_DIR "/%s",
			 session->file->output, cuts->archive);
}

static void print_instant(uint64_t realtime_ns, char ret_text[INSTANT_BYTES])
{
	time_t seconds = (time_t)(realtime_ns / 1000000000);
	struct tm tm;

	if (!localtime_r(&seconds, &tm) ||
	    !strftime(ret_text, INSTANT_BYTES, "%Y%m%dT%H%M%S%z", &tm))
		strcpy(ret_text, "0");
}

static uint64_t realtime_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* BEGIN-END-ID, as LTTng names it. */
static void name_archive(uint64_t began_ns, uint64_t ended_ns, uint64_t chunk,
			 char ret_name[CUT_ARCHIVE_BYTES])
{
	char began[INSTANT_BYTES];
	char ended[INSTANT_BYTES];

	print_instant(began_ns, began);
	print_instant(ended_ns, ended);
	snprintf(ret_name, CUT_ARCHIVE_BYTES, "%s-%s-%llu", began, ended,
		 (unsigned long long)chunk);
}

struct ring_cuts *rotation_prepare(const struct session *session, const struct ring_cuts *cuts,
				   uint32_t ring_count, bool is_clear)
{
	const struct tacho_session *file = session->file;
	uint64_t began_ns = cuts ? cuts->began_ns : file->clock_at_create.realtime_ns;
	uint64_t chunk = cuts ? cuts->chunk : 0;
	struct ring_cuts *next = ring_cuts_new(ring_count);

	if (!next)
		return NULL;
	next->chunk = chunk + !is_clear;
	next->began_ns = realtime_ns();
	next->rotate_wanted = tacho_load_acquire(&file->rotate_wanted);
	next->clear_wanted = tacho_load_acquire(&file->clear_wanted);
	if (!is_clear)
		name_archive(began_ns, next->began_ns, chunk, next->archive);
	if (!ctf_uuid_make(next->uuid))
		return next;
	free(next);
	return NULL;
}

/* ---- commit ---- */

static int set_cannot_move(const struct session *session, int ret, struct tacho_error *error)
{
	return error_set(error, ret, "cannot move the trace in '%s' to its archives: %s",
			 session->file->output, strerror(-ret));
}

/* Return: 0; -ENOENT: there is none. */
static int move_part(const struct session *session, enum tacho_domain domain, const char *hidden)
{
	char from[TACHO_PATH_BYTES];
	char parent[TACHO_PATH_BYTES];
	char to[TACHO_PATH_BYTES];
	int ret = part_path(domain, session_output(session), from);

	if (!ret)
		ret = part_path(domain, hidden, to);
	if (!ret && access(from, F_OK))
		ret = -errno;
	if (ret)
		return ret;
	strcpy(parent, to);
	*strrchr(parent, '/') = '\0';
	ret = dir_make_path(parent, DIR_MODE);
	return !ret && rename(from, to) ? -errno : ret;
}

/* commit:B. What is not there need not move; but something must have. */
static int move_trace(const struct session *session, bool is_clear)
{
	char hidden[TACHO_PATH_BYTES];
	int ret = hidden_path(session, is_clear, "", hidden);
	bool is_empty = true;

	for (size_t i = 0; !ret && i < DOMAINS; i++) {
		if (domains[i] == TACHO_DOMAIN_KERNEL && !may_have_kernel(session))
			continue;
		ret = move_part(session, domains[i], hidden);
		if (ret == -ENOENT)
			ret = 0;
		is_empty = is_empty && !is_moved(domains[i], hidden);
	}
	return !ret && is_empty && !is_clear ? -ENOENT : ret;
}

int rotation_commit(struct session *session, const struct ring_cuts *next,
		    struct tacho_error *error)
{
	int ret = ring_cuts_save(session->dir_fd, CHUNK_NEXT_FILE, next); /* commit:A */

	if (!ret)
		ret = move_trace(session, !next->archive[0]);
	return ret ? set_cannot_move(session, ret, error) : 0;
}

/* ---- settle ---- */

/* Is the programs' part of the chunk before out of the way? The current chunk has its metadata before
 * the next one is described. Return: 1, 0, or a negative errno. */
static int is_user_part_gone(const struct session *session, const struct ring_cuts *next)
{
	uint8_t uuid[CTF_UUID_BYTES];
	int ret = ctf_trace_uuid(session_output(session), TACHO_DOMAIN_USER, geteuid(), uuid);

	if (ret == -ENOENT)
		return 1;
	return ret ? ret : !memcmp(uuid, next->uuid, sizeof(uuid));
}

/* Is @next the current chunk? It is as soon as one part has moved; then so does the other. */
static int is_committed(const struct session *session, const struct ring_cuts *next)
{
	bool is_clear = !next->archive[0];
	uint8_t uuid[CTF_UUID_BYTES];
	char hidden[TACHO_PATH_BYTES];
	int ret = is_user_part_gone(session, next);

	if (ret < 0 || !may_have_kernel(session))
		return ret;
	if (ctf_trace_uuid(session_output(session), TACHO_DOMAIN_KERNEL, 0, uuid) != -ENOENT)
		return 0; /* the first that would have moved */
	if (ret || hidden_path(session, is_clear, "", hidden) ||
	    !is_moved(TACHO_DOMAIN_KERNEL, hidden))
		return ret;
	ret = move_trace(session, is_clear);
	return ret ? ret : 1;
}

/* The losses that had no stream are told by another one in each chunk. */
static int adopt(struct session *session, const struct ring_cuts *next)
{
	int ret = 0;

	tacho_store_release(&session->file->drain_carrier, 0);
	if (!next->archive[0])
		ret = ring_cuts_save(session->dir_fd, CLEARED_FILE, next);
	if (!ret && renameat(session->dir_fd, CHUNK_NEXT_FILE, session->dir_fd, CHUNK_FILE))
		ret = -errno; /* commit:C */
	return ret;
}

static int settle_next(struct session *session)
{
	struct ring_cuts *next;
	int ret = ring_cuts_load(session->dir_fd, CHUNK_NEXT_FILE, &next);

	if (ret)
		return ret == -ENOENT ? 0 : ret;
	ret = is_committed(session, next);
	if (ret > 0)
		ret = adopt(session, next);
	else if (!ret && unlinkat(session->dir_fd, CHUNK_NEXT_FILE, 0))
		ret = -errno;
	free(next);
	return ret;
}

/* commit:D. Let the chunk be seen. */
static int publish(struct session *session, const struct ring_cuts *cuts)
{
	char hidden[TACHO_PATH_BYTES];
	char path[TACHO_PATH_BYTES];
	int ret = hidden_path(session, false, "", hidden);

	if (!ret)
		ret = str_print(path, sizeof(path), "%s/" ARCHIVES_DIR "/%s",
				session_output(session), cuts->archive);
	if (ret || (!is_moved(TACHO_DOMAIN_USER, hidden) && !is_moved(TACHO_DOMAIN_KERNEL, hidden)))
		return ret; /* it was seen before */
	return rename(hidden, path) ? -errno : 0;
}

static int remove_dir(const char *prefix, const char *below)
{
	char path[TACHO_PATH_BYTES];
	int ret = str_print(path, sizeof(path), "%s%s", prefix, below);

	if (!ret)
		ret = dir_remove(AT_FDCWD, path);
	return ret == -ENOENT ? 0 : ret;
}

static int remove_cleared(struct session *session)
{
	static const char *const user_levels[] = { "/64-bit/index", "/64-bit", "" };
	static const char *const levels[] = { "/ust/uid", "/ust", "/kernel/index", "/kernel", "" };
	char hidden[TACHO_PATH_BYTES];
	char user[TACHO_PATH_BYTES];
	int ret = hidden_path(session, true, "", hidden);

	if (!ret)
		ret = part_path(TACHO_DOMAIN_USER, hidden, user);
	for (size_t i = 0; !ret && i < sizeof(user_levels) / sizeof(user_levels[0]); i++)
		ret = remove_dir(user, user_levels[i]);
	for (size_t i = 0; !ret && i < sizeof(levels) / sizeof(levels[0]); i++)
		ret = remove_dir(hidden, levels[i]);
	return ret;
}

static void tell(struct session *session, const struct ring_cuts *cuts)
{
	tacho_store_release(&session->file->rotate_done, cuts->rotate_wanted);
	tacho_store_release(&session->file->clear_done, cuts->clear_wanted);
}

int rotation_settle(struct session *session, struct ring_cuts **ret_cuts, struct tacho_error *error)
{
	struct ring_cuts *cuts = NULL;
	int ret = settle_next(session);

	if (!ret)
		ret = ring_cuts_load(session->dir_fd, CHUNK_FILE, &cuts);
	if (ret == -ENOENT) {
		*ret_cuts = NULL;
		return 0;
	}
	if (!ret)
		ret = cuts->archive[0] ? publish(session, cuts) : remove_cleared(session);
	if (ret) {
		free(cuts);
		return set_cannot_move(session, ret, error);
	}
	tell(session, cuts);
	*ret_cuts = cuts;
	return 0;
}
