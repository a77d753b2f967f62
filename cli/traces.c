/* SPDX-License-Identifier: MIT */
/* traces.c - see traces.h */
#include "traces.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/tree.h"
#include "session/names.h"
#include "session/session.h"
#include "text.h"

#define SNAPSHOT "snapshot-"

char *traces_home(void)
{
	const char *home = getenv("HOME");

	return xasprintf("%s/tacho-traces", home && *home ? home : "");
}

bool trace_is_in(const char *dir)
{
	return tree_has_file(dir, "metadata");
}

static bool is_newer(const struct stat *a, const struct stat *b)
{
	if (a->st_mtim.tv_sec != b->st_mtim.tv_sec)
		return a->st_mtim.tv_sec > b->st_mtim.tv_sec;
	return a->st_mtim.tv_nsec > b->st_mtim.tv_nsec;
}

/* What the library puts behind a name: DATE-TIME, and a number if there are several. */
static bool is_date(const char *text)
{
	static const char form[] = "dddddddd-dddddd";
	size_t i;

	for (i = 0; form[i]; i++)
		if (form[i] == 'd' ? !isdigit((unsigned char)text[i]) : text[i] != form[i])
			return false;
	return !text[i] || text[i] == '-';
}

/* Names of directories: NULL for all; else only the prefix with what the library puts behind. */
static bool is_named(const char *entry, const char *prefix)
{
	size_t length = prefix ? strlen(prefix) : 0;

	if (entry[0] == '.')
		return false;
	if (!prefix)
		return true;
	if (strncmp(entry, prefix, length))
		return false;
	entry += length;
	return is_date(strncmp(entry, SNAPSHOT, strlen(SNAPSHOT)) ? entry :
								    entry + strlen(SNAPSHOT));
}

/* The newest directory in @parent that has such a name and a trace. */
static int newest_in(const char *parent, const char *prefix, char **ret_dir)
{
	DIR *dir = opendir(parent);
	struct stat newest = { 0 }, st;
	struct dirent *entry;
	char *found = NULL;

	while (dir && (entry = readdir(dir))) {
		char *path;

		if (!is_named(entry->d_name, prefix) ||
		    fstatat(dirfd(dir), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) ||
		    !S_ISDIR(st.st_mode) || !is_newer(&st, &newest))
			continue;
		path = xasprintf("%s/%s", parent, entry->d_name);
		if (trace_is_in(path)) {
			newest = st;
			free(found);
			found = path;
		} else {
			free(path);
		}
	}
	if (dir)
		closedir(dir);
	if (!found)
		return -ENOENT;
	*ret_dir = found;
	return 0;
}

int trace_newest(char **ret_dir)
{
	char *home = traces_home();
	int err = newest_in(home, NULL, ret_dir);

	free(home);
	return err;
}

/* Beside the trace of a streaming session; in the directory of a flight recorder. */
static int snapshot_below(const struct tacho_session *file, char **ret_dir)
{
	char *copy, *name, *prefix;
	int err;

	if (!file->streaming)
		return newest_in(file->output, "", ret_dir);
	copy = xstrdup(file->output);
	name = strrchr(copy, '/');
	if (!name) {
		free(copy);
		return -ENOENT;
	}
	*name++ = 0;
	prefix = xasprintf("%s-", name);
	err = newest_in(copy, prefix, ret_dir);
	free(prefix);
	free(copy);
	return err;
}

static int trace_of_open(const struct session *session, char **ret_dir)
{
	const struct tacho_session *file = session_file(session);

	if (!file->output[0])
		return -ENOENT;
	if (!file->streaming || !trace_is_in(file->output))
		return snapshot_below(file, ret_dir);
	*ret_dir = xstrdup(file->output);
	return 0;
}

/* Also of sessions that are gone. The name of one that had none carries its date already. */
static int trace_by_name(const char *name, char **ret_dir)
{
	char escaped[NAME_ESCAPED_BYTES];
	char *home, *exact, *prefix;
	int err;

	if (name_escape("session", name, TACHO_SESSION_NAME_BYTES - 1, escaped, NULL))
		return -ENOENT;
	home = traces_home();
	exact = xasprintf("%s/%s", home, escaped);
	prefix = xasprintf("%s-", escaped);
	if (trace_is_in(exact)) {
		*ret_dir = xstrdup(exact);
		err = 0;
	} else {
		err = newest_in(home, prefix, ret_dir);
	}
	free(prefix);
	free(exact);
	free(home);
	return err;
}

int trace_of_session(const char *name, char **ret_dir)
{
	struct runtime runtime;
	struct session *session = NULL;
	bool has_place = false;
	int err = -ENOENT;

	if (!runtime_open(&runtime, NULL)) {
		if (!session_open(&runtime, name, &session, NULL)) {
			has_place = session_file(session)->output[0];
			err = trace_of_open(session, ret_dir);
			session_close(session);
		}
		runtime_close(&runtime);
	}
	return has_place ? err : trace_by_name(name, ret_dir);
}
