/* SPDX-License-Identifier: MIT */
/* parts.c - are the libraries there that belong to the command? */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/place.h"
#include "cli/text.h"
#include "doctor.h"

static void check_module(struct findings *all)
{
	char *path;
	int err = place_of_module("libtacho-malloc.so", &path);

	if (!err) {
		found(all, "modules", VERDICT_OK, "%s", path);
		free(path);
	} else if (err == -EINVAL) {
		found_mend(found(all, "modules", VERDICT_WARN,
				 "record --malloc cannot work from a "
				 "directory with a space or a colon in its name"),
			   "make install prefix=DIR");
	} else {
		found_mend(found(all, "modules", VERDICT_WARN,
				 "libtacho-malloc.so is missing; "
				 "record --malloc cannot work"),
			   "make install");
	}
}

/* The path of what the dynamic linker gives a program for @name, to @fd. The library's constructor
 * must not make this process a program to trace: its runtime directory is none. */
static void load_and_tell(const char *name, int fd)
{
	struct link_map *map;
	void *library;
	char *path;

	setenv("TACHO_RUNTIME_DIR", "/dev/null", 1);
	library = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
	if (!library || dlinfo(library, RTLD_DI_LINKMAP, &map))
		return;
	path = realpath(map->l_name, NULL);
	if (path && write(fd, path, strlen(path)) < 0)
		_exit(1);
}

/* The dynamic linker is asked in a process of its own. Return: 0 and a path, to be freed; -errno. */
static int place_loaded(const char *name, char **ret_path)
{
	char path[PATH_MAX];
	ssize_t length;
	int fds[2];
	pid_t pid;

	if (pipe2(fds, O_CLOEXEC))
		return -errno;
	pid = fork();
	if (!pid) {
		load_and_tell(name, fds[1]);
		_exit(0);
	}
	close(fds[1]);
	length = pid < 0 ? -1 : read(fds[0], path, sizeof(path) - 1);
	close(fds[0]);
	if (pid > 0)
		waitpid(pid, NULL, 0);
	if (length <= 0)
		return -ENOENT;
	path[length] = 0;
	*ret_path = xstrdup(path);
	return 0;
}

static void found_unloadable(struct findings *all, const char *path, const char *instead)
{
	char *copy = xstrdup(path);
	char *word = shell_word(dirname(copy));

	found_mend(found(all, "loader", VERDICT_WARN,
			 "programs that are linked with libtacho.so.0 %s%s",
			 instead ? "get another one than this tacho has: " :
				   "do not start: the dynamic linker does not find it",
			 instead ? instead : ""),
		   "export LD_LIBRARY_PATH=%s, or link them with -Wl,-rpath,%s", word, word);
	free(word);
	free(copy);
}

static void check_loader(struct findings *all, const char *path)
{
	char *loaded = NULL;
	int err = place_loaded("libtacho.so.0", &loaded);

	if (err || strcmp(loaded, path))
		found_unloadable(all, path, loaded);
	else
		found(all, "loader", VERDICT_OK, "programs that are linked with it find it");
	free(loaded);
}

static void check_library(struct findings *all)
{
	char *path;

	if (place_of_library("libtacho.so", &path)) {
		found_mend(found(all, "library", VERDICT_WARN,
				 "libtacho.so is missing; programs "
				 "with events in them cannot start"),
			   "make install");
		return;
	}
	found(all, "library", VERDICT_OK, "%s", path);
	check_loader(all, path);
	free(path);
}

void doctor_parts(struct findings *all)
{
	check_module(all);
	check_library(all);
}
