/* SPDX-License-Identifier: MIT */
/* syscalls.c - see syscalls.h */
#include "kernel/syscalls.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const struct {
	const char *name;
	int number;
} calls[] = {
#include "kernel/call-numbers.h"
};

/* tracefs has the names of the functions that do it. */
static const char *const other_names[][2] = {
	{ "newstat", "stat" },	     { "newfstat", "fstat" },	    { "newlstat", "lstat" },
	{ "newuname", "uname" },     { "sendfile64", "sendfile" }, { "umount", "umount2" },
};

int kernel_call_number(const char *name)
{
	for (size_t i = 0; i < COUNT(other_names); i++)
		if (!strcmp(other_names[i][0], name))
			return kernel_call_number(other_names[i][1]);
	for (size_t i = 0; i < COUNT(calls); i++)
		if (!strcmp(calls[i].name, name))
			return calls[i].number;
	return -ENOENT;
}

/* Not: buffers, which are of the same type. */
bool kernel_call_is_string(const char *type, const char *name)
{
	static const char *const names[] = {
		"filename", "pathname", "path",	   "oldname", "newname",  "oldpath",
		"newpath",  "dev_name", "dir_name", "old",	  "new",	  "name",
		"u_name",   "linkpath", "specialfile", "library", "put_old", "new_root",
		"from_pathname", "to_pathname", "from_path", "to_path", "fs_name", "_fs_name", "uname",
	};

	if (strcmp(type, "const char *"))
		return false;
	for (size_t i = 0; i < COUNT(names); i++)
		if (!strcmp(names[i], name))
			return true;
	return false;
}
