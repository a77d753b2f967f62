/* SPDX-License-Identifier: MIT */
/* cmd-load.c - tacho load: make sessions of files that tacho save wrote, or people did. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/str.h"
#include "cmd.h"
#include "load.h"
#include "options.h"
#include "saved.h"
#include "say.h"
#include "text.h"
#include "wants.h"

static struct {
	int all;
	int force;
	int autoload;
	const char *input_path;
	const char *override_name;
	const char *override_output;
	const char *override_url;
} asked;

static struct load_options wanted;

static bool is_saved(const char *name)
{
	size_t length = strlen(name), suffix = strlen(SAVED_SUFFIX);

	return length > suffix && !strcmp(name + length - suffix, SAVED_SUFFIX);
}

static bool is_directory(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

/* All files of a directory; one that is not there has none. */
static int load_directory(const char *dir, int *count)
{
	char **names;
	int status = STATUS_DONE;
	int err = dir_list(AT_FDCWD, dir, &names);

	if (err == -ENOENT)
		return STATUS_DONE;
	if (err)
		return fail("cannot read the directory %s: %s", dir, strerror(-err));
	for (char **name = names; *name; name++) {
		char *path;

		if (!is_saved(*name))
			continue;
		++*count;
		path = xasprintf("%s/%s", dir, *name);
		if (load_file(path, &wanted))
			status = STATUS_FAILED;
		free(path);
	}
	str_array_free(names);
	return status;
}

static int say_none(const char *dir)
{
	if (asked.autoload)
		return STATUS_DONE;
	return fail("there is no saved session in %s; tacho save makes one, tacho load -i FILE "
		    "takes any file",
		    dir ? dir : "$HOME/.config/tacho/sessions (HOME is not set)");
}

/* The user's, then those of the system. */
static int load_all(const char *kind)
{
	char *own = asked.input_path ? xstrdup(asked.input_path) : saved_directory(kind);
	char *systems = saved_system_directory(kind);
	int count = 0;
	int status = own ? load_directory(own, &count) : STATUS_DONE;

	if (!asked.input_path && load_directory(systems, &count))
		status = STATUS_FAILED;
	if (!status && !count)
		status = say_none(own);
	free(systems);
	free(own);
	return status;
}

/* The file of a session; to be freed; NULL: there is none. */
static char *find_file(const char *dir, const char *session)
{
	char *name = saved_file_name(session);
	char *path = dir && name ? xasprintf("%s/%s", dir, name) : NULL;

	free(name);
	if (path && !access(path, F_OK))
		return path;
	free(path);
	return NULL;
}

static int load_named(const char *session)
{
	char *own = asked.input_path ? xstrdup(asked.input_path) : saved_directory("sessions");
	char *systems = saved_system_directory("sessions");
	char *path = find_file(own, session);
	int status;

	if (!path && !asked.input_path)
		path = find_file(systems, session);
	if (path)
		status = load_file(path, &wanted);
	else
		status = fail("there is no saved session '%s' in %s; tacho save makes one, tacho "
			      "load -i FILE loads another file",
			      session, own ? own : systems);
	free(path);
	free(systems);
	free(own);
	return status;
}

static int wants_output(const struct command *self)
{
	const char *url = asked.override_url;

	if (url && !wants_is_url(url))
		return wrong_use(self, "--override-url %s is not file:///DIR", url);
	return wants_directory(self, url ? url : asked.override_output, &wanted.output);
}

static int check(const struct command *self, const char *session)
{
	bool is_file = asked.input_path && !is_directory(asked.input_path);
	bool is_one = session || is_file;

	if (asked.all && session)
		return wrong_use(self, "--all leaves no room for '%s'", session);
	if (asked.autoload && (session || asked.input_path || asked.force))
		return wrong_use(self,
				 "--autoload has its own directories, and leaves sessions alone "
				 "that there are");
	if (session && is_file)
		return wrong_use(self, "'%s': the file %s has just one session", session,
				 asked.input_path);
	if (asked.override_name && !is_one)
		return wrong_use(self,
				 "--override-name needs one session to be loaded: its name, or "
				 "--input-path FILE");
	return wants_output(self);
}

static int run(const struct command *self, const char **arguments)
{
	int status = check(self, arguments[0]);

	if (status)
		return status;
	wanted.name = asked.override_name;
	wanted.force = asked.force;
	wanted.skip = asked.autoload;
	if (asked.autoload)
		return load_all("autoload");
	if (arguments[0])
		return load_named(arguments[0]);
	if (asked.input_path && !is_directory(asked.input_path))
		return load_file(asked.input_path, &wanted);
	return load_all("sessions");
}

static const struct poptOption options[] = {
	{ "all", 'a', POPT_ARG_NONE, &asked.all, 0, "All saved sessions (default)", NULL },
	{ "force", 'f', POPT_ARG_NONE, &asked.force, 0,
	  "Replace a session of the same name that there is", NULL },
	{ "input-path", 'i', POPT_ARG_STRING, &asked.input_path, 0,
	  "From this file or directory (else: ~/.config/tacho/sessions, then "
	  "/etc/xdg/tacho/sessions)",
	  "FILE|DIR" },
	{ "override-name", 0, POPT_ARG_STRING, &asked.override_name, 0, "Give it this name instead",
	  "NAME" },
	{ "override-output", 0, POPT_ARG_STRING, &asked.override_output, 0,
	  "Write its trace to this new or empty directory instead", "DIR" },
	{ "override-url", 0, POPT_ARG_STRING, &asked.override_url, 0, "The same, as file:///DIR",
	  "URL" },
	{ "autoload", 0, POPT_ARG_NONE, &asked.autoload, 0,
	  "What is to be there from login on: ~/.config/tacho/autoload, then "
	  "/etc/xdg/tacho/autoload; sessions that are there stay as they are",
	  NULL },
	OPTION_HELP_ENTRY,
	POPT_TABLEEND,
};

const struct command cmd_load = {
	.name = "load",
	.arguments = "[SAVED-SESSION]",
	.summary = "Make sessions of the files that tacho save wrote",
	.options = options,
	.arguments_max = 1,
	.run = run,
};
