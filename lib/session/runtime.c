/* SPDX-License-Identifier: MIT */
/* runtime.c - the runtime directory and its lock; see session.h and state.h */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/str.h"
#include "session/dispose.h"
#include "session/kernel/channel.h"
#include "session/slots.h"
#include "session/state.h"

static int choose_path(struct runtime *runtime, struct tacho_error *error)
{
	const char *wanted = secure_getenv("TACHO_RUNTIME_DIR");
	int ret;

	if (wanted && *wanted)
		ret = str_copy(runtime->path, sizeof(runtime->path), wanted);
	else
		ret = str_print(runtime->path, sizeof(runtime->path), "/dev/shm/tacho-%u",
				(unsigned)geteuid());
	if (ret)
		error_set(error, ret, "the path in TACHO_RUNTIME_DIR is too long: %.60s...",
			  wanted);
	return ret;
}

/* Others could lay false sessions and rings into a directory that they own or may write to. */
static int check_owner(const struct runtime *runtime, struct tacho_error *error)
{
	struct stat st;

	if (fstat(runtime->fd, &st))
		return error_set(error, -errno, "cannot look at the runtime directory %s: %s",
				 runtime->path, strerror(errno));
	if (st.st_uid != geteuid())
		return error_set(error, -EPERM,
				 "the runtime directory %s belongs to user %u, not to you (user "
				 "%u); set TACHO_RUNTIME_DIR to a directory of your own",
				 runtime->path, (unsigned)st.st_uid, (unsigned)geteuid());
	if (st.st_mode & (S_IWGRP | S_IWOTH))
		return error_set(error, -EPERM,
				 "other users may write to the runtime directory %s (mode %04o); "
				 "forbid it with: chmod 700 '%s'",
				 runtime->path, st.st_mode & 07777, runtime->path);
	return 0;
}

/* A mistyped TACHO_RUNTIME_DIR may be any directory: nothing is made among the files of others. */
static int check_kind(const struct runtime *runtime, struct tacho_error *error)
{
	struct stat st;

	if (!fstatat(runtime->fd, APPS_DIR, &st, AT_SYMLINK_NOFOLLOW) ||
	    dir_is_empty(runtime->fd, "."))
		return 0;
	if (!fstatat(runtime->fd, APPS_DIR, &st, AT_SYMLINK_NOFOLLOW))
		return 0; /* a program was faster to make it */
	return error_set(error, -ENOTEMPTY,
			 "%s is no runtime directory: other files are in it; set TACHO_RUNTIME_DIR to "
			 "a new or an empty directory, on a tmpfs",
			 runtime->path);
}

static int make_dirs(const struct runtime *runtime, struct tacho_error *error)
{
	static const char *const names[] = { APPS_DIR, SESSIONS_DIR, SLOTS_DIR };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (mkdirat(runtime->fd, names[i], 0700) && errno != EEXIST)
			return error_set(error, -errno, "cannot make the directory %s/%s: %s",
					 runtime->path, names[i], strerror(errno));
	}
	return 0;
}

/* The default path lies in a directory where anyone may have put a symbolic link. */
static int open_path(struct runtime *runtime, struct tacho_error *error)
{
	int flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;

	if (!strncmp(runtime->path, "/dev/shm/", 9))
		flags |= O_NOFOLLOW;
	if (mkdir(runtime->path, 0700) && errno != EEXIST)
		return error_set(error, -errno,
				 "cannot make the runtime directory %s: %s; set TACHO_RUNTIME_DIR "
				 "to a directory that you can write to",
				 runtime->path, strerror(errno));
	runtime->fd = open(runtime->path, flags);
	if (runtime->fd < 0)
		return error_set(error, -errno,
				 "cannot open the runtime directory %s: %s; set TACHO_RUNTIME_DIR "
				 "to a directory of your own",
				 runtime->path, strerror(errno));
	return 0;
}

static int prepare(struct runtime *runtime, struct tacho_error *error)
{
	int ret = check_owner(runtime, error);

	if (!ret)
		ret = check_kind(runtime, error);
	if (!ret)
		ret = make_dirs(runtime, error);
	if (ret)
		runtime_close(runtime);
	else
		runtime_clean(runtime);
	return ret;
}

int runtime_open(struct runtime *ret_runtime, struct tacho_error *error)
{
	int ret;

	*ret_runtime = (struct runtime){ .fd = -1 };
	ret = choose_path(ret_runtime, error);
	if (!ret)
		ret = open_path(ret_runtime, error);
	return ret ? ret : prepare(ret_runtime, error);
}

int runtime_open_fd(int fd, struct runtime *ret_runtime, struct tacho_error *error)
{
	*ret_runtime = (struct runtime){ .fd = fcntl(fd, F_DUPFD_CLOEXEC, 0) };
	if (ret_runtime->fd < 0)
		return error_set(error, -errno, "cannot open a runtime directory: %s",
				 strerror(errno));
	str_print(ret_runtime->path, sizeof(ret_runtime->path), "/proc/self/fd/%d", fd);
	return prepare(ret_runtime, error);
}

void runtime_close(struct runtime *runtime)
{
	fd_close(runtime->fd);
	runtime->fd = -1;
}

int runtime_open_dir(struct runtime *runtime, const char *name, struct tacho_error *error)
{
	int fd = openat(runtime->fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0)
		return error_set(error, -errno, "cannot open the directory %s/%s: %s",
				 runtime->path, name, strerror(errno));
	return fd;
}

int runtime_lock(struct runtime *runtime, struct tacho_error *error)
{
	int fd = runtime_open_dir(runtime, SESSIONS_DIR, error);
	int ret;

	if (fd < 0)
		return fd;
	do {
		ret = flock(fd, LOCK_EX) ? -errno : 0;
	} while (ret == -EINTR);
	if (!ret)
		return fd;
	fd_close(fd);
	return error_set(error, ret, "cannot lock %s/%s: %s", runtime->path, SESSIONS_DIR,
			 strerror(-ret));
}

void runtime_unlock(int lock_fd)
{
	fd_close(lock_fd);
}

static bool has_prefix(const char *text, const char *prefix)
{
	return !strncmp(text, prefix, strlen(prefix));
}

static void clean_dir(struct runtime *runtime, int sessions_fd, const char *name)
{
	struct session *session;

	if (has_prefix(name, NEW_PREFIX) || has_prefix(name, GONE_PREFIX)) {
		session_dir_remove(sessions_fd, name);
		return;
	}
	if (session_open_at(runtime, name, &session, NULL))
		return;
	if (session->file->state == TACHO_SESSION_DEAD)
		session_bury(session, sessions_fd);
	session_close(session);
}

void runtime_clean(struct runtime *runtime)
{
	int fd = runtime_open_dir(runtime, SESSIONS_DIR, NULL);
	char **names = NULL;

	if (fd < 0)
		return;
	if (!flock(fd, LOCK_EX | LOCK_NB) && !dir_list(fd, ".", &names)) {
		for (char **name = names; *name; name++)
			clean_dir(runtime, fd, *name);
		slots_clean(runtime);
		kernel_clean(runtime);
	}
	str_array_free(names);
	fd_close(fd);
}
