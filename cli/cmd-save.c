/* SPDX-License-Identifier: MIT */
/* cmd-save.c - tacho save: write sessions as files that tacho load makes them of again. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fd.h"
#include "cmd.h"
#include "look.h"
#include "options.h"
#include "pick.h"
#include "saved.h"
#include "say.h"
#include "session/paths.h"
#include "text.h"

static struct {
	int all;
	int force;
	const char *output_path;
} asked;

#define STDOUT_PATH "-"

static bool is_to_stdout(void)
{
	return asked.output_path && !strcmp(asked.output_path, STDOUT_PATH);
}

/* The directory, made if it is missing; to be freed; NULL after an error, which was said. */
static char *make_directory(void)
{
	char path[TACHO_PATH_BYTES];
	struct tacho_error error;
	char *dir;
	int err;

	if (asked.output_path && trace_absolute_path(asked.output_path, path, &error)) {
		fail_with(&error);
		return NULL;
	}
	dir = asked.output_path ? xstrdup(path) : saved_directory("sessions");
	if (!dir) {
		fail("HOME is not set, so there is no place for saved sessions; say where they are "
		     "to go: --output-path DIR");
		return NULL;
	}
	err = dir_make_path(dir, 0777);
	if (!err)
		return dir;
	fail("cannot make the directory %s for saved sessions: %s; name another: "
	     "--output-path DIR",
	     dir, strerror(-err));
	free(dir);
	return NULL;
}

/* All or nothing: a reader finds the old file or the new one. */
static int write_file(const char *path, const struct tacho_session *file)
{
	char *made = xasprintf("%s.%d", path, (int)getpid());
	FILE *out = fopen(made, "wxe");
	int err = out ? 0 : -errno;

	if (out) {
		saved_print(out, file);
		if (fflush(out) || fsync(fileno(out)))
			err = -errno;
		if (fclose(out) && !err)
			err = -errno;
		if (!err && (asked.force ? rename(made, path) : link(made, path)))
			err = -errno;
		unlink(made);
	}
	free(made);
	return err;
}

static int save_to(const char *path, const struct tacho_session *file)
{
	int err = write_file(path, file);

	if (err == -EEXIST)
		return fail("there is a file %s already; tacho save --force replaces it", path);
	if (err)
		return fail("cannot write %s: %s; name another directory: --output-path DIR", path,
			    strerror(-err));
	printf("Session '%s' is saved: %s\n", visible(file->name).text, visible(path).text);
	return STATUS_DONE;
}

static int save(struct picked *picked)
{
	static struct tacho_session file; /* large */
	char *dir, *name, *path;
	int status;

	look_session(picked->session, &file);
	if (file.family)
		say(SAY_WARNING,
		    "session '%s' records only what tacho record has started; when it is loaded, it "
		    "will record all programs",
		    file.name);
	if (is_to_stdout()) {
		saved_print(stdout, &file);
		return STATUS_DONE;
	}
	dir = make_directory();
	if (!dir)
		return STATUS_FAILED;
	name = saved_file_name(file.name);
	path = xasprintf("%s/%s", dir, name ? name : "");
	status = save_to(path, &file);
	free(path);
	free(name);
	free(dir);
	return status;
}

static int run(const struct command *self, const char **arguments)
{
	if (asked.all && arguments[0])
		return wrong_use(self, "--all leaves no room for '%s'", arguments[0]);
	return asked.all ? with_all_sessions(self, save) : with_session(self, arguments[0], save);
}

static const struct poptOption options[] = {
	{ "all", 'a', POPT_ARG_NONE, &asked.all, 0, "All sessions, each to a file of its own",
	  NULL },
	{ "force", 'f', POPT_ARG_NONE, &asked.force, 0, "Replace a file that is there", NULL },
	{ "output-path", 'o', POPT_ARG_STRING, &asked.output_path, 0,
	  "Write NAME.tacho to this directory (else: to ~/.config/tacho/sessions); - for the "
	  "standard output",
	  "DIR" },
	OPTION_HELP_ENTRY,
	POPT_TABLEEND,
};

const struct command cmd_save = {
	.name = "save",
	.arguments = "[SESSION]",
	.summary = "Write a session to a file, as the commands that make it",
	.examples = "  tacho save work && tacho destroy work\n"
		    "  tacho load work\n",
	.options = options,
	.arguments_max = 1,
	.run = run,
};
