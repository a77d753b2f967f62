/* SPDX-License-Identifier: MIT */
/* session.c - open sessions, their names and their lock; see session.h and state.h */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/str.h"
#include "session/ring_place.h"
#include "session/state.h"
#include "session/users/mirrors.h"

static bool file_is_sane(const struct tacho_session *file)
{
	return file->magic == TACHO_SESSION_MAGIC && file->version == TACHO_SESSION_VERSION &&
	       file->slot < TACHO_SLOTS && file->clock_kind <= TACHO_CLOCK_MONOTONIC &&
	       file->channel_count <= TACHO_CHANNELS_MAX && file->rule_count <= TACHO_RULES_MAX &&
	       file->text_allocated <= TACHO_TEXT_BYTES &&
	       memchr(file->name, 0, sizeof(file->name)) &&
	       memchr(file->output, 0, sizeof(file->output)) &&
	       memchr(file->shm_path, 0, sizeof(file->shm_path)) &&
	       memchr(file->snapshot_output, 0, sizeof(file->snapshot_output)) &&
	       memchr(file->snapshot_name, 0, sizeof(file->snapshot_name));
}

static int map_fd(struct session *session, int fd)
{
	struct stat st;
	void *map;

	if (fstat(fd, &st))
		return -errno;
	if ((size_t)st.st_size < sizeof(struct tacho_session))
		return -EBADMSG;
	map = mmap(NULL, sizeof(struct tacho_session), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (map == MAP_FAILED)
		return -errno;
	session->file = map;
	return file_is_sane(session->file) ? 0 : -EBADMSG;
}

static int open_file(const struct session *session)
{
	return file_open_at(session->dir_fd, SESSION_FILE, O_RDWR, 0);
}

static int map_file(struct session *session)
{
	int fd = open_file(session);
	int ret;

	if (fd < 0)
		return fd;
	ret = map_fd(session, fd);
	fd_close(fd);
	return ret;
}

static int open_files(struct session *session, int sessions_fd, const char *dir_name)
{
	int ret = str_copy(session->escaped, sizeof(session->escaped), dir_name);

	if (ret)
		return ret;
	session->dir_fd =
		openat(sessions_fd, dir_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	return session->dir_fd < 0 ? -errno : map_file(session);
}

static struct session *new_session(struct runtime *runtime)
{
	struct session *session = calloc(1, sizeof(*session));

	if (!session)
		return NULL;
	session->runtime = runtime;
	session->dir_fd = -1;
	session->lock_fd = -1;
	return session;
}

int session_open_at(struct runtime *runtime, const char *dir_name, struct session **ret_session,
		    struct tacho_error *error)
{
	int sessions_fd = runtime_open_dir(runtime, SESSIONS_DIR, error);
	struct session *session;
	int ret;

	if (sessions_fd < 0)
		return sessions_fd;
	session = new_session(runtime);
	ret = session ? open_files(session, sessions_fd, dir_name) : -ENOMEM;
	fd_close(sessions_fd);
	if (!ret) {
		*ret_session = session;
		return 0;
	}
	session_close(session);
	if (ret == -EBADMSG)
		return error_set(error, ret,
				 "cannot open the session in %s/" SESSIONS_DIR
				 "/%s: it is damaged, "
				 "or of another version of tacho; if nothing uses it, remove that "
				 "directory",
				 runtime->path, dir_name);
	return error_set(error, ret, "cannot open the session in %s/" SESSIONS_DIR "/%s: %s",
			 runtime->path, dir_name, strerror(-ret));
}

void session_close(struct session *session)
{
	if (!session)
		return;
	if (session->file)
		munmap(session->file, sizeof(*session->file));
	fd_close(session->lock_fd);
	fd_close(session->dir_fd);
	free(session);
}

const struct tacho_session *session_file(const struct session *session)
{
	return session->file;
}

/* "no session 'x'; there are: a, b", as far as it fits. */
static int set_unknown(struct runtime *runtime, const char *name, struct tacho_error *error)
{
	char list[256] = "";
	size_t length = 0;
	char **names;

	if (session_names(runtime, &names, NULL))
		return error_set(error, -ENOENT, "there is no session '%s'", name);
	for (char **n = names; *n && length < sizeof(list); n++)
		length += (size_t)snprintf(list + length, sizeof(list) - length, "%s%s",
					   length ? ", " : "", *n);
	session_names_free(names);
	if (!length)
		return error_set(error, -ENOENT,
				 "there is no session '%s', nor any other; make "
				 "one with: tacho create",
				 name);
	return error_set(error, -ENOENT, "there is no session '%s'; there are: %s%s", name, list,
			 length >= sizeof(list) ? "..." : "");
}

int session_open(struct runtime *runtime, const char *name, struct session **ret_session,
		 struct tacho_error *error)
{
	char escaped[NAME_ESCAPED_BYTES];
	struct session *session;
	int ret = name_escape("session", name, TACHO_SESSION_NAME_BYTES - 1, escaped, error);

	if (ret)
		return ret;
	ret = session_open_at(runtime, escaped, &session, error);
	if (ret == -ENOENT)
		return set_unknown(runtime, name, error);
	if (ret)
		return ret;
	if (session->file->state == TACHO_SESSION_DEAD) {
		session_close(session);
		return set_unknown(runtime, name, error);
	}
	*ret_session = session;
	return 0;
}

/* Turns the names of directories, in place, into those of their sessions; drops other directories
 * and sessions that are dead. */
static void keep_sessions(struct runtime *runtime, char **names)
{
	char **kept = names;

	for (char **name = names; *name; name++) {
		struct session *session = NULL;
		char *text = NULL;

		if (**name != '.' && !session_open_at(runtime, *name, &session, NULL) &&
		    session->file->state != TACHO_SESSION_DEAD)
			text = strndup(session->file->name, TACHO_SESSION_NAME_BYTES - 1);
		session_close(session);
		free(*name);
		if (text)
			*kept++ = text;
	}
	*kept = NULL;
}

static int by_bytes(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static size_t count_names(char **names)
{
	size_t count = 0;

	while (names[count])
		count++;
	return count;
}

int session_names(struct runtime *runtime, char ***ret_names, struct tacho_error *error)
{
	char **names;
	int ret = dir_list(runtime->fd, SESSIONS_DIR, &names);

	if (ret)
		return error_set(error, ret, "cannot read the directory %s/" SESSIONS_DIR ": %s",
				 runtime->path, strerror(-ret));
	keep_sessions(runtime, names);
	qsort(names, count_names(names), sizeof(*names), by_bytes);
	*ret_names = names;
	return 0;
}

void session_names_free(char **names)
{
	str_array_free(names);
}

void session_visit_living(struct runtime *runtime, void (*visit)(struct session *session))
{
	char **names;

	if (dir_list(runtime->fd, SESSIONS_DIR, &names))
		return;
	for (char **name = names; *name; name++) {
		struct session *session;

		if (**name == '.' || session_open_at(runtime, *name, &session, NULL))
			continue;
		if (session->file->state != TACHO_SESSION_DEAD)
			visit(session);
		session_close(session);
	}
	session_names_free(names);
}

static int set_destroyed(const struct session *session, struct tacho_error *error)
{
	return error_set(error, -ENOENT, "the session '%s' was destroyed meanwhile",
			 session->file->name);
}

static int lock_file(struct session *session)
{
	int ret;

	session->lock_fd = open_file(session);
	if (session->lock_fd < 0)
		return session->lock_fd;
	do {
		ret = flock(session->lock_fd, LOCK_EX) ? -errno : 0;
	} while (ret == -EINTR);
	return ret;
}

int session_lock(struct session *session, struct tacho_error *error)
{
	int ret = lock_file(session);

	session->generation_locked = session->file->generation;
	if (!ret && session->file->state != TACHO_SESSION_DEAD)
		return 0;
	session_unlock(session);
	if (!ret || ret == -ENOENT)
		return set_destroyed(session, error);
	return error_set(error, ret, "cannot lock the session '%s': %s", session->file->name,
			 strerror(-ret));
}

/* Not by closing alone: a drain that was just forked has the descriptor for another moment. */
void session_unlock(struct session *session)
{
	bool is_changed = session->file->generation != session->generation_locked;

	if (is_changed)
		ring_place_copy_session(session->file);
	if (session->lock_fd >= 0)
		flock(session->lock_fd, LOCK_UN);
	fd_close(session->lock_fd);
	session->lock_fd = -1;
	if (is_changed)
		mirrors_follow(session);
}

uint32_t session_change_begin(struct tacho_session *file)
{
	uint32_t generation = tacho_load_relaxed(&file->generation) | 1;

	tacho_store_relaxed(&file->generation, generation); /* write:A pairs with read:D */
	tacho_fence_release();                              /* write:B pairs with read:C */
	return generation;
}

void session_change_end(struct tacho_session *file, uint32_t generation)
{
	/* write:D pairs with read:A: what was written before the number that vouches for it */
	tacho_store_release(&file->generation, generation + 1);
}

const char *session_output(const struct session *session)
{
	return session->file->mirror_of ? "/proc/self/cwd" : session->file->output;
}
