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

static const char not_asked[] = "";

static struct {
	const char *output;
	const char *url;
	const char *network_url;
	const char *live; /* may come without a value: NULL then */
	const char *buffer;
	const char *max_size;
	const char *format;
	const char *shm_path;
	const char *blocking_timeout;
	int no_output;
	int discard;
	int overwrite;
	int snapshot;
} asked = { .live = not_asked };

/* The directory may be said as the path of a URL. */
static int wants_output(const struct command *self, const char **ret_output)
{
	if (asked.network_url || (asked.url && !wants_is_url(asked.url)))
		return wrong_use(self, "traces go to a directory: --output DIR, or --set-url "
				       "file:///DIR; on another machine, mount that one's");
	if (!!asked.output + !!asked.url + asked.no_output > 1)
		return wrong_use(self, "--output, --set-url and --no-output exclude each other");
	return wants_directory(self, asked.url ? asked.url : asked.output, ret_output);
}

static int wants_no_live(const struct command *self)
{
	if (asked.live == not_asked)
		return STATUS_DONE;
	return wrong_use(self,
			 "--live: no mode is needed to read a trace while it is recorded: "
			 "babeltrace2 and tacho view read what the directory of any streaming "
			 "session holds, which is never more than 100 ms behind");
}

/* A recorder's directory is that of whole snapshots. */
static int wants_max_size(const struct command *self, bool is_streaming, uint64_t *ret_bytes)
{
	if (asked.max_size && !is_streaming)
		return wrong_use(self, "--max-size is of a trace that is written while it is "
				       "recorded; of a flight recorder, --buffer is the limit");
	return asked.max_size ? wants_size(self, "--max-size", asked.max_size, ret_bytes) :
				STATUS_DONE;
}

/* At most one way to deal with a full buffer. */
static int wants_mode(const struct command *self, bool is_recorder,
		      struct channel_options *ret_channel)
{
	int modes = asked.discard + asked.overwrite + (asked.blocking_timeout != NULL);

	if (modes > 1)
		return wrong_use(self, "--discard, --overwrite and --blocking-timeout exclude each "
				       "other");
	if (is_recorder && asked.blocking_timeout)
		return wrong_use(self, "--snapshot and --blocking-timeout exclude each other: in a "
				       "flight recorder nothing frees the buffer");
	ret_channel->mode = TACHO_MODE_DISCARD;
	if (asked.overwrite || (is_recorder && !asked.discard))
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

static int make(struct picked *picked, const struct session_options *wanted,
		struct tacho_error *error)
{
	int err = session_create(&picked->runtime, wanted, &picked->session, error);

	if (err || pick_is_presumed())
		return err;
	return current_set(&picked->runtime, picked->session, error);
}

static int create(const struct session_options *wanted)
{
	struct picked picked = { 0 };
	struct tacho_error error;
	int status = pick_runtime(&picked.runtime);

	if (status)
		return status;
	picked.is_open = true;
	if (make(&picked, wanted, &error))
		status = fail_with(&error);
	else
		print_created(session_file(picked.session), wanted->channel.buffer_bytes);
	pick_close(&picked);
	return status;
}

static int run(const struct command *self, const char **arguments)
{
	bool is_recorder = asked.snapshot || asked.no_output;
	struct session_options wanted = {
		.name = arguments[0],
		.shm_path = asked.shm_path,
		.streaming = !is_recorder && !asked.overwrite,
		.channel_later = true,
	};
	int status = wants_no_live(self);

	if (!status)
		status = wants_output(self, &wanted.output);
	if (!status)
		status = wants_mode(self, is_recorder, &wanted.channel);
	if (!status)
		status = wants_buffer(self, asked.buffer, &wanted.channel.buffer_bytes);
	if (!status)
		status = wants_max_size(self, wanted.streaming, &wanted.max_bytes);
	if (!status)
		status = wants_format(self, asked.format, &wanted.ctf_major);
	return status ? status : create(&wanted);
}

static const struct poptOption options[] = {
	{ "output", 'o', POPT_ARG_STRING, &asked.output, 0,
	  "Write the trace to this new or empty directory (else: a new one in ~/tacho-traces)",
	  "DIR" },
	{ "set-url", 'U', POPT_ARG_STRING, &asked.url, 0, "The same, as file:///DIR", "URL" },
	{ "no-output", 0, POPT_ARG_NONE, &asked.no_output, 0,
	  "Write nothing by itself: the same as --snapshot", NULL },
	{ "max-size", 0, POPT_ARG_STRING, &asked.max_size, 0,
	  "Keep the trace below so many bytes, like 10G: its oldest parts go", "SIZE" },
	{ "format", 0, POPT_ARG_STRING, &asked.format, 0,
	  "In which version of the Common Trace Format: 1.8 (default) or 2", "ctf1|ctf2" },
	{ "shm-path", 0, POPT_ARG_STRING, &asked.shm_path, 0,
	  "Have the buffers in a new directory below this one (else: in /dev/shm)", "DIR" },
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
	{ "live", 0, POPT_ARG_STRING | POPT_ARGFLAG_OPTIONAL | POPT_ARGFLAG_DOC_HIDDEN, &asked.live,
	  0, NULL, NULL },
	{ "ctrl-url", 'C', POPT_ARG_STRING | POPT_ARGFLAG_DOC_HIDDEN, &asked.network_url, 0, NULL,
	  NULL },
	{ "data-url", 'D', POPT_ARG_STRING | POPT_ARGFLAG_DOC_HIDDEN, &asked.network_url, 0, NULL,
	  NULL },
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
