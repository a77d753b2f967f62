/* SPDX-License-Identifier: MIT */
/* cmd-snapshot-list-output.c - tacho snapshot list-output: where snapshots of a session go. */
#include <stdio.h>

#include "cmd.h"
#include "json.h"
#include "pick.h"
#include "text.h"

static struct {
	const char *session;
	int json;
	json_object *outputs;
} asked;

static const char *output_name(const struct tacho_session *file)
{
	return file->snapshot_name[0] ? file->snapshot_name : "snapshot";
}

static int list_json(const struct tacho_session *file)
{
	json_object *output;

	if (!file->snapshot_output[0])
		return STATUS_DONE;
	output = json_append_object(asked.outputs);
	json_add_count(output, "id", 1);
	json_add_text(output, "name", output_name(file));
	json_add_text(output, "path", file->snapshot_output);
	json_add_count(output, "max_size_bytes", file->snapshot_max_bytes);
	return STATUS_DONE;
}

static int list(struct picked *picked)
{
	const struct tacho_session *file = session_file(picked->session);

	if (asked.json)
		return list_json(file);
	if (!file->snapshot_output[0]) {
		printf("Snapshots of session '%s' go where they do by default.\n",
		       visible(picked_name(picked)).text);
		return STATUS_DONE;
	}
	printf("[1] %s: %s", visible(output_name(file)).text, visible(file->snapshot_output).text);
	if (file->snapshot_max_bytes)
		printf(" (at most %s)", bytes_text(file->snapshot_max_bytes).text);
	puts("");
	return STATUS_DONE;
}

static int run(const struct command *self, const char **arguments)
{
	json_object *root;
	int status;

	(void)arguments;
	if (!asked.json)
		return with_session(self, asked.session, list);
	root = json_object_new_object();
	asked.outputs = json_add_array(root, "outputs");
	status = with_session(self, asked.session, list);
	json_print(root);
	return status;
}

static const struct poptOption options[] = {
	{ "session", 's', POPT_ARG_STRING, &asked.session, 0, "The session", "SESSION" },
	{ "json", 0, POPT_ARG_NONE, &asked.json, 0, "Print JSON", NULL },
	OPTION_HELP_ENTRY,
	POPT_TABLEEND,
};

const struct command cmd_snapshot_list_output = {
	.name = "snapshot list-output",
	.arguments = "",
	.summary = "Say where the snapshots of a session go",
	.options = options,
	.arguments_max = 0,
	.run = run,
};
