/* SPDX-License-Identifier: MIT */
/* cmd-snapshot-add-output.c - tacho snapshot add-output: where snapshots of a session go. */
#include <stdio.h>

#include "cmd.h"
#include "options.h"
#include "pick.h"
#include "say.h"
#include "text.h"
#include "wants.h"

static struct {
	const char *session;
	const char *name;
	const char *max_size;
	struct snapshot_options output;
} asked;

static int add(struct picked *picked)
{
	struct tacho_error error;

	if (session_add_snapshot_output(picked->session, &asked.output, &error))
		return fail_with(&error);
	printf("Snapshots of session '%s' go to %s.\n", visible(picked_name(picked)).text,
	       visible(session_file(picked->session)->snapshot_output).text);
	return STATUS_DONE;
}

static int run(const struct command *self, const char **arguments)
{
	int status = wants_directory(self, arguments[0], &asked.output.output);

	asked.output.name = asked.name;
	if (!status && asked.max_size)
		status = wants_size(self, "--max-size", asked.max_size, &asked.output.max_bytes);
	return status ? status : with_session(self, asked.session, add);
}

static const struct poptOption options[] = {
	{ "session", 's', POPT_ARG_STRING, &asked.session, 0, "The session", "SESSION" },
	{ "name", 'n', POPT_ARG_STRING, &asked.name, 0,
	  "What the names of the snapshots begin with (else: snapshot)", "NAME" },
	{ "max-size", 'm', POPT_ARG_STRING, &asked.max_size, 0,
	  "The most bytes of a snapshot that does not say so itself", "BYTES" },
	OPTION_HELP_ENTRY,
	POPT_TABLEEND,
};

const struct command cmd_snapshot_add_output = {
	.name = "snapshot add-output",
	.arguments = "DIR",
	.summary = "Say where the snapshots of a session go",
	.examples = "  tacho snapshot add-output -s box -n crash /var/tmp/shots\n",
	.options = options,
	.arguments_max = 1,
	.needs = "a directory",
	.run = run,
};
