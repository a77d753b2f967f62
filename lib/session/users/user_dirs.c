/* SPDX-License-Identifier: MIT */
/* user_dirs.c - see user_dirs.h */
#include "session/users/user_dirs.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/str.h"

#define SHM_DIR    "/dev/shm"
#define DIR_PREFIX "tacho-"

/* What was looked at already: a place of a mount namespace, by its inode. */
struct seen {
	ino_t *inodes;
	size_t count;
};

struct search {
	struct user_dir *dirs;
	size_t count;
	struct seen namespaces;
};

static bool has_seen(const struct seen *seen, ino_t inode)
{
	for (size_t i = 0; i < seen->count; i++) {
		if (seen->inodes[i] == inode)
			return true;
	}
	return false;
}

static int add_seen(struct seen *seen, ino_t inode)
{
	ino_t *grown = reallocarray(seen->inodes, seen->count + 1, sizeof(*grown));

	if (!grown)
		return -ENOMEM;
	grown[seen->count++] = inode;
	seen->inodes = grown;
	return 0;
}

/* Two mount namespaces may share one /dev/shm. */
static bool has_dir(const struct search *s, const struct stat *st)
{
	for (size_t i = 0; i < s->count; i++) {
		if (s->dirs[i].device == st->st_dev && s->dirs[i].inode == st->st_ino)
			return true;
	}
	return false;
}

static int add_dir(struct search *s, int fd, const struct stat *st, pid_t pid)
{
	struct user_dir *grown = reallocarray(s->dirs, s->count + 1, sizeof(*grown));

	if (!grown)
		return -ENOMEM;
	s->dirs = grown;
	s->dirs[s->count++] = (struct user_dir){
		.fd = fd,
		.uid = st->st_uid,
		.gid = st->st_gid,
		.device = st->st_dev,
		.inode = st->st_ino,
		.pid = pid,
	};
	return 0;
}

/* In a user namespace the number in the name is not the owner's as we see it. */
static bool is_of_owner(const char *name, uid_t uid, pid_t pid)
{
	const char *number = name + strlen(DIR_PREFIX);
	char expected[16];

	snprintf(expected, sizeof(expected), "%u", (unsigned)uid);
	if (pid)
		return *number && strspn(number, "0123456789") == strlen(number);
	return !strcmp(number, expected);
}

static bool is_safe(const struct stat *st, const char *name, pid_t pid)
{
	return S_ISDIR(st->st_mode) && !(st->st_mode & (S_IWGRP | S_IWOTH)) &&
	       is_of_owner(name, st->st_uid, pid);
}

static bool is_own(const struct stat *st, pid_t pid)
{
	return !pid && st->st_uid == geteuid();
}

static int look_at_dir(struct search *s, int shm_fd, const char *name, pid_t pid)
{
	int fd = openat(shm_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct stat st;
	int ret = 0;

	if (fd < 0)
		return 0;
	if (!fstat(fd, &st) && is_safe(&st, name, pid) && !is_own(&st, pid) && !has_dir(s, &st))
		ret = add_dir(s, fd, &st, pid);
	else
		ret = 1;
	if (ret)
		fd_close(fd);
	return ret < 0 ? ret : 0;
}

/* @shm_fd is closed. */
static int look_at_shm(struct search *s, int shm_fd, pid_t pid)
{
	char **names = NULL;
	int ret = 0;

	if (shm_fd < 0)
		return 0;
	if (!dir_list(shm_fd, ".", &names)) {
		for (char **name = names; !ret && *name; name++) {
			if (!strncmp(*name, DIR_PREFIX, strlen(DIR_PREFIX)))
				ret = look_at_dir(s, shm_fd, *name, pid);
		}
	}
	str_array_free(names);
	fd_close(shm_fd);
	return ret;
}

/* Symbolic links of a container lead to places in the container, not to ours. */
static int open_shm_of(const char *pid)
{
	struct open_how how = {
		.flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC,
		.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS,
	};
	char path[64];
	int root_fd, fd;

	snprintf(path, sizeof(path), "/proc/%.20s/root", pid);
	root_fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (root_fd < 0)
		return root_fd;
	fd = (int)syscall(SYS_openat2, root_fd, SHM_DIR, &how, sizeof(how));
	fd_close(root_fd);
	return fd;
}

static ino_t mount_namespace(const char *pid)
{
	char path[64];
	struct stat st;

	snprintf(path, sizeof(path), "/proc/%.20s/ns/mnt", pid);
	return stat(path, &st) ? 0 : st.st_ino;
}

static int look_at_process(struct search *s, const char *pid)
{
	ino_t namespace = mount_namespace(pid);
	int ret;

	if (!namespace || has_seen(&s->namespaces, namespace))
		return 0;
	ret = add_seen(&s->namespaces, namespace);
	return ret ? ret : look_at_shm(s, open_shm_of(pid), (pid_t)atoi(pid));
}

static int look_everywhere(struct search *s)
{
	char **names = NULL;
	int ret = look_at_shm(s, open(SHM_DIR, O_RDONLY | O_DIRECTORY | O_CLOEXEC), 0);

	if (!ret)
		ret = add_seen(&s->namespaces, mount_namespace("self"));
	if (ret || dir_list(AT_FDCWD, "/proc", &names))
		return ret;
	for (char **name = names; !ret && *name; name++) {
		if (**name >= '0' && **name <= '9')
			ret = look_at_process(s, *name);
	}
	str_array_free(names);
	return ret;
}

int user_dirs_find(struct user_dir **ret_dirs, size_t *ret_count, struct tacho_error *error)
{
	struct search s = { 0 };
	int ret = look_everywhere(&s);

	free(s.namespaces.inodes);
	if (ret) {
		user_dirs_free(s.dirs, s.count);
		return error_set(error, ret, "cannot look for the programs of other users: %s",
				 strerror(-ret));
	}
	*ret_dirs = s.dirs;
	*ret_count = s.count;
	return 0;
}

void user_dirs_free(struct user_dir *dirs, size_t count)
{
	for (size_t i = 0; i < count; i++)
		fd_close(dirs[i].fd);
	free(dirs);
}
