/* SPDX-License-Identifier: MIT */
/* cmd-create.c - tacho create: make a session. */
#include <stdio.h>
#include <stdlib.h>

#include "cmd.h"
#include "options.h"
#include "pick.h"
#include "say.h"
#include "session/current.h"
#include "text.h"
#include "wants.h"

static struct {
	const char *output;
	const char *buffer;
	const char *blocking_timeout;
	int discard;
	int overwrite;
	int snapshot;
} asked;

/* At most one way to deal with a full buffer. */
static int wants_mode(const struct command *self, struct channel_options *ret_channel)
{
	int modes = asked.discard + asked.overwrite + (asked.blocking_timeout != NULL);

	if (modes > 1)
		return wrong_use(self, "--discard, --overwrite and --blocking-timeout exclude each "
				       "other");
	if (asked.snapshot && asked.blocking_timeout)
		return wrong_use(self, "--snapshot and --blocking-timeout exclude each other: in a "
				       "flight recorder nothing frees the buffer");
	ret_channel->mode = TACHO_MODE_DISCARD;
	if (asked.overwrite || (asked.snapshot && !asked.discard))
		ret_channel->mode = TACHO_MODE_OVERWRITE;
	if (!asked.blocking_timeout)
		return STATUS_DONE;
	return wants_blocking(self, asked.blocking_timeout, ret_channel);
}

static void print_created(const struct tacho_session *file, uint64_t wanted_bytes)
{
	char *word = shell_word(file->name), *operand = shell_operand(file->name);
	bool is_rounded = wanted_bytes && session_buffer_bytes(file) != wanted_bytes;

	printf("Session '%s' created: %s, %s per CPU%s%s%s.\n", visible(file->name).text,
	       file->streaming ? "streaming" : "flight recorder",
	       bytes_text(session_buffer_bytes(file)).text, is_rounded ? " (" : "",
	       is_rounded ? bytes_text(wanted_bytes).text : "", is_rounded ? " rounded down)" : "");
	if (file->output[0])
		printf("%s: %s\n", file->streaming ? "Trace" : "Snapshots go to",
		       visible(file->output).text);
	printf("Next:  tacho enable-event -s %s '*' && tacho start %s\n", word, operand);
	free(operand);
	free(word);
}

static int create(const struct session_options *wanted)
{
	struct picked picked = { 0 };
	struct tacho_error error;
	int status = pick_runtime(&picked.runtime);

	if (status)
		return status;
	picked.is_open = true;
	if (session_create(&picked.runtime, wanted, &picked.session, &error) ||
	    current_set(&picked.runtime, picked.session, &error))
		status = fail_with(&error);
	else
		print_created(session_file(picked.session), wanted->channel.buffer_bytes);
	pick_close(&picked);
	return status;
}

static int run(const struct command *self, const char **arguments)
{
	struct session_options wanted = {
		.name = arguments[0],
		.output = asked.output,
		.streaming = !asked.snapshot && !asked.overwrite,
	};
	int status = wants_mode(self, &wanted.channel);

	if (!status)
		status = wants_buffer(self, asked.buffer, &wanted.channel.buffer_bytes);
	return status ? status : create(&wanted);
}

static const struct poptOption options[] = {
	{ "output", 'o', POPT_ARG_STRING, &asked.output, 0,
	  "Write the trace to this new or empty directory (else: a new one in ~/tacho-traces)",
	  "DIR" },
	{ "buffer", 0, POPT_ARG_STRING, &asked.buffer, 0,
	  "Memory for each CPU, like 512K, 8M or 1G (else: 4M)", "SIZE" },
	{ "snapshot", 0, POPT_ARG_NONE, &asked.snapshot, 0,
	  "Flight recorder: write nothing but snapshots; implies --overwrite", NULL },
	{ "overwrite", 0, POPT_ARG_NONE, &asked.overwrite, 0,
	  "When the buffer is full, the oldest events go; implies --snapshot", NULL },
	{ "discard", 0, POPT_ARG_NONE, &asked.discard, 0,
	  "When the buffer is full, new events are lost, and counted (default)", NULL },
	{ "blocking-timeout", 0, POPT_ARG_STRING, &asked.blocking_timeout, 0,
	  "When the buffer is full, programs wait for room, so long at most", "USEC|inf" },
	OPTION_HELP_ENTRY,
	POPT_TABLEEND,
};

const struct command cmd_create = {
	.name = "create",
	.arguments = "[NAME]",
	.summary = "Make a session, to record programs that run already or start later",
	.examples = "  tacho create --snapshot box && tacho enable-event '*' && tacho start\n"
		    "  tacho snapshot record\n",
	.options = options,
	.arguments_max = 1,
	.run = run,
};
