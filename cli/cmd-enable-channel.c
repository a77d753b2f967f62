/* SPDX-License-Identifier: MIT */
/* cmd-enable-channel.c - tacho enable-channel: make channels, or enable them again. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "domain.h"
#include "lists.h"
#include "look.h"
#include "options.h"
#include "parse.h"
#include "pick.h"
#include "say.h"
#include "text.h"
#include "wants.h"

static struct {
	const char *session;
	int discard;
	int overwrite;
	const char *blocking_timeout;
	const char *buffer;
	const char *subbuf_size;
	const char *num_subbuf;
	const char *tracefile_size;
	const char *tracefile_count;
	int buffers_uid;
	int buffers_pid;
	int buffers_global;
	const char *ownership;
	const char *output;
	const char *switch_timer;
	const char *read_timer;
	const char *monitor_timer;
} asked;

/* ---- what is asked for ---- */

static int wants_mode(const struct command *self, struct channel_options *c)
{
	bool blocks = asked.blocking_timeout && strcmp(asked.blocking_timeout, "0");

	if (asked.overwrite && (asked.discard || blocks))
		return wrong_use(self, "--overwrite and --%s exclude each other",
				 asked.discard ? "discard" : "blocking-timeout");
	c->mode_given = asked.discard || asked.overwrite || asked.blocking_timeout;
	c->mode = asked.overwrite ? TACHO_MODE_OVERWRITE : TACHO_MODE_DISCARD;
	return blocks ? wants_blocking(self, asked.blocking_timeout, c) : STATUS_DONE;
}

static int wants_count(const struct command *self, const char *option, const char *text,
		       uint32_t *ret_count)
{
	uint64_t count;

	if (parse_count(text, &count) || count > UINT32_MAX)
		return wrong_use(self, "%s %s is not a number", option, text);
	*ret_count = (uint32_t)count;
	return STATUS_DONE;
}

static int wants_subbufs(const struct command *self, struct channel_options *c)
{
	int status = STATUS_DONE;

	if (asked.buffer && (asked.subbuf_size || asked.num_subbuf))
		return wrong_use(self, "--buffer is the size of all sub-buffers together; leave it "
				       "out, or --subbuf-size and --num-subbuf");
	if (asked.buffer)
		return wants_buffer(self, asked.buffer, &c->buffer_bytes);
	if (asked.subbuf_size)
		status = wants_size(self, "--subbuf-size", asked.subbuf_size, &c->subbuf_bytes);
	if (!status && asked.num_subbuf)
		status = wants_count(self, "--num-subbuf", asked.num_subbuf, &c->subbuf_count);
	if (!status && asked.num_subbuf && !c->subbuf_count)
		return wrong_use(self, "--num-subbuf 0: there must be some");
	return status;
}

static int wants_tracefiles(const struct command *self, struct channel_options *c)
{
	int status = STATUS_DONE;

	if (asked.tracefile_count && !asked.tracefile_size)
		return wrong_use(self, "--tracefile-count says how many files of --tracefile-size "
				       "there are at most; say that too");
	if (asked.tracefile_size && parse_bytes(asked.tracefile_size, &c->tracefile_bytes))
		return wrong_use(self,
				 "--tracefile-size %s is not a number of bytes, like 512K or "
				 "8M",
				 asked.tracefile_size);
	if (asked.tracefile_count)
		status = wants_count(self, "--tracefile-count", asked.tracefile_count,
				     &c->tracefile_count);
	return status;
}

static int wants_ownership(const struct command *self, struct channel_options *c)
{
	bool user = asked.buffers_uid, process = asked.buffers_pid;

	if (asked.ownership) {
		user |= !strcmp(asked.ownership, "user");
		process |= !strcmp(asked.ownership, "process");
		if (!user && !process)
			return wrong_use(self, "--buffer-ownership %s is neither user nor process",
					 asked.ownership);
	}
	if (asked.buffers_global && c->domain != TACHO_DOMAIN_KERNEL)
		return wrong_use(self, "--buffers-global is of the kernel's events: add --kernel");
	if (user && process)
		return wrong_use(self, "--buffers-uid and --buffers-pid exclude each other");
	if (process)
		say(SAY_PLAIN,
		    "buffers belong to CPUs, not to processes: a process can neither "
		    "fill those of another, nor does it leave any behind; of each record "
		    "it is known who wrote it");
	c->ownership = process ? TACHO_OWNERSHIP_PROCESS : TACHO_OWNERSHIP_USER;
	return STATUS_DONE;
}

/* Scripts have them; what they tune is not there. */
static int wants_timers(const struct command *self)
{
	const char *const timers[][2] = { { "--switch-timer", asked.switch_timer },
					  { "--read-timer", asked.read_timer },
					  { "--monitor-timer", asked.monitor_timer } };
	uint64_t ignored;

	for (size_t i = 0; i < sizeof(timers) / sizeof(timers[0]); i++) {
		if (!timers[i][1])
			continue;
		if (parse_count(timers[i][1], &ignored))
			return wrong_use(self, "%s %s is not a number of microseconds",
					 timers[i][0], timers[i][1]);
		say(SAY_PLAIN, "%s is not needed: a trace is never more than 100 ms behind",
		    timers[i][0]);
	}
	if (asked.output && strcmp(asked.output, "mmap"))
		return wrong_use(self, "--output %s: buffers are always shared memory (mmap)",
				 asked.output);
	return STATUS_DONE;
}

static int check(const struct command *self, struct channel_options *c)
{
	int status = wants_domain(self, &c->domain);

	if (!status)
		status = wants_mode(self, c);
	if (!status)
		status = wants_subbufs(self, c);
	if (!status)
		status = wants_tracefiles(self, c);
	if (!status)
		status = wants_ownership(self, c);
	return status ? status : wants_timers(self);
}

/* ---- what came of it ---- */

static const struct tacho_channel *find_channel(const struct tacho_session *file,
						const struct channel_options *wanted)
{
	for (uint32_t i = 0; i < file->channel_count; i++)
		if (file->channel[i].domain == wanted->domain &&
		    !strcmp(file->channel[i].name, wanted->name))
			return &file->channel[i];
	return NULL;
}

static void print_made(const struct picked *picked, const struct channel_options *wanted)
{
	static struct tacho_session file; /* large */
	const struct tacho_channel *channel;

	look_session(picked->session, &file);
	channel = find_channel(&file, wanted);
	if (!channel)
		return;
	printf("Channel '%s' of session '%s' made: %s, %s per CPU in %u sub-buffers of %s.\n",
	       visible(channel->name).text, visible(file.name).text, look_mode(channel->mode),
	       bytes_text(look_buffer_bytes(channel)).text, channel->subbuf_count,
	       bytes_text(look_buffer_bytes(channel) / channel->subbuf_count).text);
}

static int enable(struct picked *picked, const struct channel_options *wanted)
{
	static const char *const changes[] = {
		[CHANNEL_ENABLED] = "is enabled again",
		[CHANNEL_AS_IT_WAS] = "is enabled, as it was",
	};
	enum channel_change change;
	struct tacho_error error;

	if (session_enable_channel(picked->session, wanted, &change, &error))
		return fail_with(&error);
	if (change == CHANNEL_MADE)
		print_made(picked, wanted);
	else
		printf("Channel '%s' of session '%s' %s.\n", visible(wanted->name).text,
		       visible(picked_name(picked)).text, changes[change]);
	return STATUS_DONE;
}

static int enable_all(const struct command *self, char *const *names,
		      struct channel_options *wanted)
{
	struct picked picked;
	int status = pick(self, asked.session, &picked);

	for (; !status && *names; names++) {
		wanted->name = *names;
		status = enable(&picked, wanted);
	}
	pick_close(&picked);
	return status;
}

static int run(const struct command *self, const char **arguments)
{
	char **names = list_of_words(arguments);
	struct channel_options wanted = { 0 };
	int status = check(self, &wanted);

	if (!status)
		status = enable_all(self, names, &wanted);
	list_free(names);
	return status;
}

#define HIDDEN_TEXT(name, value)                                                                   \
	{                                                                                          \
		name, 0, POPT_ARG_STRING | POPT_ARGFLAG_DOC_HIDDEN, value, 0, NULL, NULL           \
	}

static const struct poptOption options[] = {
	{ "session", 's', POPT_ARG_STRING, &asked.session, 0, "Of this session (else: the current)",
	  "SESSION" },
	{ "discard", 0, POPT_ARG_NONE, &asked.discard, 0,
	  "When the buffer is full, new events are lost, and counted", NULL },
	{ "overwrite", 0, POPT_ARG_NONE, &asked.overwrite, 0,
	  "When the buffer is full, the oldest events go", NULL },
	{ "blocking-timeout", 0, POPT_ARG_STRING, &asked.blocking_timeout, 0,
	  "When the buffer is full, programs wait for room, so long at most", "USEC|inf" },
	{ "buffer", 0, POPT_ARG_STRING, &asked.buffer, 0,
	  "Memory for each CPU, like 512K, 8M or 1G (else: 4M)", "SIZE" },
	{ "subbuf-size", 0, POPT_ARG_STRING, &asked.subbuf_size, 0,
	  "Instead of --buffer: the size of a part of it", "SIZE" },
	{ "num-subbuf", 0, POPT_ARG_STRING, &asked.num_subbuf, 0,
	  "Instead of --buffer: how many parts it has (4 or more)", "COUNT" },
	{ "tracefile-size", 'C', POPT_ARG_STRING, &asked.tracefile_size, 0,
	  "Begin a new file when one is as large as this", "SIZE" },
	{ "tracefile-count", 'W', POPT_ARG_STRING, &asked.tracefile_count, 0,
	  "Keep so many of these files, the newest", "COUNT" },
	{ "buffer-ownership", 0, POPT_ARG_STRING, &asked.ownership, 0,
	  "Noted only: buffers belong to CPUs, and each record says its process", "user|process" },
	{ "buffers-uid", 0, POPT_ARG_NONE, &asked.buffers_uid, 0, "The same as user", NULL },
	{ "buffers-pid", 0, POPT_ARG_NONE, &asked.buffers_pid, 0, "The same as process", NULL },
	{ "buffers-global", 0, POPT_ARG_NONE | POPT_ARGFLAG_DOC_HIDDEN, &asked.buffers_global, 0,
	  NULL, NULL },
	HIDDEN_TEXT("output", &asked.output),
	HIDDEN_TEXT("switch-timer", &asked.switch_timer),
	HIDDEN_TEXT("read-timer", &asked.read_timer),
	HIDDEN_TEXT("monitor-timer", &asked.monitor_timer),
	DOMAIN_ENTRIES,
	OPTION_HELP_ENTRY,
	POPT_TABLEEND,
};

const struct command cmd_enable_channel = {
	.name = "enable-channel",
	.arguments = "CHANNEL[,CHANNEL]..",
	.summary = "Make a channel, with buffers of its own, or enable it again",
	.examples =
		"At any time, also while programs are recorded. A session without channels gets\n"
		"channel0 with the first event that is enabled.\n"
		"\n"
		"  tacho enable-channel --overwrite --buffer 64M big\n"
		"  tacho enable-event -c big 'shop:*'\n",
	.options = options,
	.arguments_max = ARGUMENTS_ANY,
	.needs = "the name of a channel",
	.run = run,
};
