/* SPDX-License-Identifier: MIT */
/*
 * cmd-record.c - tacho record: a session for one program, from its start to its end.
 *
 *	check what was asked --> session, rules, start --> fork, exec, wait --> stop, stats,
 *	                         (discarded on failure)                         destroy, summary
 *
 * Whatever happens to the program, the trace is completed, and tacho ends as the program ended.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/tree.h"
#include "cmd.h"
#include "exe.h"
#include "filter_doubt.h"
#include "helpers.h"
#include "kernel_wants.h"
#include "lists.h"
#include "loss.h"
#include "options.h"
#include "pick.h"
#include "place.h"
#include "program.h"
#include "room.h"
#include "say.h"
#include "session/rules/trackers.h"
#include "tally.h"
#include "text.h"
#include "traces.h"
#include "wants.h"

/* What is asked for. */
static struct {
	const char *output;
	const char **patterns;
	const char *level_at_least;
	const char *level_only;
	const char *exclude;
	const char *filter;
	const char *buffer;
	const char *format;
	const char *blocking_timeout;
	int fail_on_loss;
	int overwrite;
	int kernel;
	int syscalls;
	int helpers[HELPERS_COUNT];
} asked;

/* Of --libs, in a flight recorder. */
#define LIBS_CHANNEL      "libs"
#define LIBS_BUFFER_BYTES (1ull << 20)

/* One recording. */
struct recording {
	const struct command *command;
	char *program; /* file to run */
	char *preload; /* or NULL */
	char **patterns; /* of all -e; empty: all events */
	char **exclude;
	struct channel_options channel;
	struct rule_options rule;
	uint32_t ctf_major; /* of the trace's format; 0: not asked for */
	struct picked picked;
	bool output_existed;
	char trace[TACHO_PATH_BYTES];
	struct session_stats stats;
	struct loss loss;
	struct child child;
	struct program_end end;
	bool is_destroyed; /* by somebody else */
};

static int program_missing(const char *name, int err)
{
	char *word = shell_word(name);

	if (err == -ENOENT && strchr(name, '/'))
		fail("cannot run %s: there is no such file", word);
	else if (err == -ENOENT)
		fail("cannot run %s: there is no such program in PATH; if it is a file here: "
		     "./%s",
		     word, word);
	else if (err == -EACCES)
		fail("cannot run %s: it is not executable; if it should be: chmod +x %s", word,
		     word);
	else if (err == -EISDIR)
		fail("cannot run %s: it is a directory", word);
	else
		fail("cannot run %s: its directory may not be searched: ls -ld %s", word, word);
	free(word);
	return err == -ENOENT ? STATUS_NOT_FOUND : STATUS_NOT_EXECUTABLE;
}

static int output_unusable(int err)
{
	if (err == -ENOTEMPTY)
		return fail("cannot write the trace to %s: there is something in it; name a new "
			    "directory: -o DIR",
			    asked.output);
	return fail("cannot write the trace to %s: %s; name a directory that you may write to: "
		    "-o DIR",
		    asked.output, strerror(-err));
}

/* "record -o -- PROGRAM" lacks a directory, and would take the dashes for it. */
static int wants_output(const struct recording *r)
{
	if (asked.output && !strcmp(asked.output, "--"))
		return wrong_use(r->command,
				 "--output needs a directory before the --; one that is "
				 "called so is ./--");
	return STATUS_DONE;
}

static int wants_mode(struct recording *r)
{
	if (asked.overwrite && asked.blocking_timeout)
		return wrong_use(r->command,
				 "--overwrite and --blocking-timeout exclude each other");
	r->channel.mode = asked.overwrite ? TACHO_MODE_OVERWRITE : TACHO_MODE_DISCARD;
	if (!asked.blocking_timeout)
		return STATUS_DONE;
	return wants_blocking(r->command, asked.blocking_timeout, &r->channel);
}

static int wants_rules(struct recording *r)
{
	int status = wants_level(r->command, asked.level_at_least, asked.level_only, &r->rule);

	for (char **pattern = r->patterns; !status && *pattern; pattern++)
		status = wants_pattern(r->command, *pattern);
	for (char **pattern = r->exclude; !status && *pattern; pattern++)
		status = wants_pattern(r->command, *pattern);
	if (!status && asked.filter)
		status = wants_filter(r->command, asked.filter);
	r->rule.exclude = (const char *const *)r->exclude;
	r->rule.filter = asked.filter;
	return status;
}

/* With --kernel, a pattern without a provider is one of the kernel's events. */
static bool is_of_kernel(const char *pattern)
{
	return asked.kernel && !strchr(pattern, ':');
}

static int wants_kernel_names(const struct recording *r)
{
	int status = STATUS_DONE;

	for (char **pattern = r->patterns; !status && *pattern; pattern++)
		if (is_of_kernel(*pattern))
			status = kernel_wants(TACHO_RULE_TRACEPOINT, *pattern);
	return status;
}

/* All that can be known to be wrong before anything is made. */
static int check(struct recording *r, const char *program)
{
	int status = wants_buffer(r->command, asked.buffer, &r->channel.buffer_bytes);
	int err;

	if (!status)
		status = wants_output(r);
	if (!status)
		status = wants_mode(r);
	if (!status)
		status = wants_rules(r);
	if (!status)
		status = wants_format(r->command, asked.format, &r->ctf_major);
	if (!status)
		status = wants_kernel_names(r);
	if (status)
		return status;
	err = program_find(program, &r->program);
	if (err)
		return program_missing(program, err);
	if (asked.filter)
		filter_doubt_file(r->program, r->patterns, asked.filter);
	err = asked.output ? place_is_usable(asked.output) : 0;
	r->output_existed = asked.output && !access(asked.output, F_OK);
	if (err)
		return output_unusable(err);
	return helpers_find(asked.helpers, &r->preload);
}

static int create(struct recording *r)
{
	struct session_options options = {
		.output = asked.overwrite ? NULL : asked.output,
		.streaming = !asked.overwrite,
		.family = true,
		.ctf_major = r->ctf_major,
		.channel = r->channel,
	};
	struct tacho_error error;
	int status = pick_runtime(&r->picked.runtime);

	if (status)
		return status;
	r->picked.is_open = true;
	if (!asked.buffer)
		options.channel.buffer_bytes = room_ample_buffer(r->picked.runtime.fd);
	if (session_create(&r->picked.runtime, &options, &r->picked.session, &error))
		return fail_with(&error);
	snprintf(r->trace, sizeof(r->trace), "%s", session_file(r->picked.session)->output);
	return STATUS_DONE;
}

static int enable(struct recording *r, struct rule_options rule, const char *pattern)
{
	struct tacho_error error;

	rule.pattern = pattern;
	return session_enable_event(r->picked.session, &rule, &error) ? fail_with(&error) :
									STATUS_DONE;
}

/*
 * What is loaded where is told when it is loaded, and explains addresses until the end: a flight recorder
 * would overwrite it, so it has a channel of its own there.
 */
static bool keeps_libs(char *const *patterns)
{
	return asked.overwrite && asked.helpers[HELPER_LIBS] &&
	       !helper_is_chosen(&helpers[HELPER_LIBS], patterns);
}

/* What is not wanted in the channel of the program's events. */
static char **excluded(char *const *patterns)
{
	char *text = xstrdup(asked.exclude ? asked.exclude : ""), **list;

	for (const char *const *provider = helpers[HELPER_LIBS].providers;
	     keeps_libs(patterns) && *provider; provider++) {
		char *longer = xasprintf("%s%s%s*", text, *text ? "," : "", *provider);

		free(text);
		text = longer;
	}
	list = list_of(*text || asked.exclude ? text : NULL);
	free(text);
	return list;
}

static int make_libs_channel(struct recording *r)
{
	const struct channel_options options = {
		.name = LIBS_CHANNEL,
		.buffer_bytes = LIBS_BUFFER_BYTES,
		.mode_given = true,
		.mode = TACHO_MODE_DISCARD,
	};
	enum channel_change change;
	struct tacho_error error;

	return session_enable_channel(r->picked.session, &options, &change, &error) ?
		       fail_with(&error) :
		       STATUS_DONE;
}

/* Who names events of a helper has chosen among them. */
static int enable_helper(struct recording *r, const struct helper *helper)
{
	struct rule_options any_level = { 0 };
	int status = STATUS_DONE;

	if (helper_is_chosen(helper, r->patterns))
		return STATUS_DONE;
	if (helper == &helpers[HELPER_LIBS] && keeps_libs(r->patterns)) {
		any_level.channel = LIBS_CHANNEL;
		status = make_libs_channel(r);
	}
	for (const char *const *provider = helper->providers; !status && *provider; provider++) {
		char *pattern = xasprintf("%s*", *provider);

		status = enable(r, any_level, pattern);
		free(pattern);
	}
	return status;
}

static int enable_of_kernel(struct recording *r, enum tacho_rule_kind kind, const char *pattern)
{
	return enable(r, (struct rule_options){ .kind = kind, .filter = asked.filter }, pattern);
}

static int enable_pattern(struct recording *r, const char *pattern)
{
	if (is_of_kernel(pattern))
		return enable_of_kernel(r, TACHO_RULE_TRACEPOINT, pattern);
	return enable(r, r->rule, pattern);
}

/* What tells where a program's time goes, where nothing is asked for in particular. */
static int enable_kernel(struct recording *r)
{
	int status = STATUS_DONE;

	if (asked.kernel && !*r->patterns && !asked.syscalls)
		status = enable_of_kernel(r, TACHO_RULE_TRACEPOINT, "sched_*");
	if (!status && asked.kernel && !*r->patterns && !asked.filter)
		status = enable_of_kernel(r, TACHO_RULE_TRACEPOINT, "lttng_statedump_*");
	if (!status && (asked.syscalls || (asked.kernel && !*r->patterns)))
		status = enable_of_kernel(r, TACHO_RULE_SYSCALL, "*");
	return status;
}

static int follow_program(struct recording *r)
{
	const struct tracked_value program = { .kind = TACHO_TRACK_DESCENDANTS,
					       .id = (uint64_t)r->child.pid };
	struct tacho_error error;

	if (!asked.kernel && !asked.syscalls)
		return STATUS_DONE;
	return session_track(r->picked.session, &program, 1, &error) ? fail_with(&error) : STATUS_DONE;
}

static int enable_all(struct recording *r)
{
	int status = *r->patterns ? STATUS_DONE : enable(r, r->rule, "*");

	if (!status)
		status = follow_program(r);
	if (!status)
		status = enable_kernel(r);
	for (char **pattern = r->patterns; !status && *pattern; pattern++)
		status = enable_pattern(r, *pattern);
	for (int i = 0; !status && i < HELPERS_COUNT; i++)
		if (asked.helpers[i])
			status = enable_helper(r, &helpers[i]);
	return status;
}

static int start(struct recording *r)
{
	struct tacho_error error;
	int status = enable_all(r);

	if (!status && session_start(r->picked.session, &error))
		status = fail_with(&error);
	return status;
}

/* Nothing was recorded that would be worth completing. */
static void undo(struct recording *r)
{
	if (!r->picked.session)
		return;
	session_discard(r->picked.session, NULL);
	r->picked.session = NULL;
	if (!asked.overwrite && r->trace[0])
		tree_remove(r->trace, r->output_existed);
}

static int exec_failed(const char *name, int err)
{
	char *word = shell_word(name);

	if (err == -ENOENT)
		fail("cannot run %s: the interpreter that it names is missing", word);
	else
		fail("cannot run %s: %s", word, strerror(-err));
	free(word);
	return err == -ENOENT ? STATUS_NOT_FOUND : STATUS_NOT_EXECUTABLE;
}

static int take_snapshot(struct recording *r)
{
	struct snapshot_options options = { .output = asked.output };
	struct snapshot_result result;
	struct tacho_error error;

	if (session_snapshot(r->picked.session, &options, &result, &error))
		return fail_with(&error);
	snprintf(r->trace, sizeof(r->trace), "%s", result.path);
	return STATUS_DONE;
}

/* The session goes on holding what is not in the trace. */
static int incomplete(struct recording *r)
{
	char *word = shell_word(picked_name(&r->picked));

	say(SAY_WARNING,
	    "the session %s still holds what is missing in the trace; when the reason "
	    "is mended:",
	    word);
	if (asked.overwrite)
		say(SAY_PLAIN, "  tacho snapshot record %s && tacho destroy %s", word, word);
	else
		say(SAY_PLAIN, "  tacho destroy %s", word);
	free(word);
	return STATUS_FAILED;
}

/* `tacho destroy` completed the trace; of a flight recorder nothing is left. */
static int destroyed(struct recording *r)
{
	r->is_destroyed = true;
	session_close(r->picked.session);
	r->picked.session = NULL;
	if (asked.overwrite)
		r->trace[0] = 0;
	return fail("another command destroyed the session while the program ran%s",
		    asked.overwrite ? ": what its buffers held is gone" : "; the trace ends there");
}

static int write_rest(struct recording *r)
{
	struct tacho_error error;
	int err = session_stop(r->picked.session, &error);

	if (err == -ENOENT)
		return destroyed(r);
	if (err)
		return fail_with(&error);
	return asked.overwrite ? take_snapshot(r) : STATUS_DONE;
}

static int destroy(struct recording *r)
{
	struct tacho_error error;

	if (session_destroy(r->picked.session, &error))
		return fail_with(&error);
	r->picked.session = NULL;
	return STATUS_DONE;
}

/* Whatever goes wrong, nothing that was recorded is thrown away. */
static int complete(struct recording *r)
{
	int status = write_rest(r);
	struct tacho_error error;

	if (r->is_destroyed)
		return status;
	if (session_stats(r->picked.session, &r->stats, &error))
		status = fail_with(&error);
	loss_init(&r->picked.runtime, session_file(r->picked.session), &r->stats, &r->loss);
	if (!status)
		status = destroy(r);
	return status ? incomplete(r) : STATUS_DONE;
}

static const struct helper *first_helper(void)
{
	for (int i = 0; i < HELPERS_COUNT; i++)
		if (asked.helpers[i])
			return &helpers[i];
	return NULL;
}

/* The helper was not loaded, or was but never called. */
static void say_why_no_help(const struct recording *r, const struct helper *helper)
{
	const char *obstacle = exe_obstacle(exe_kind(r->program));

	if (obstacle)
		say(SAY_WARNING,
		    "no event of %s: the program %s, so that nothing can be preloaded",
		    helper->subject, obstacle);
	else
		say(SAY_WARNING, "no event: %s", helper->reasons);
}

static bool is_all_recorded(void)
{
	return !option_count(asked.patterns) && !asked.level_at_least && !asked.level_only &&
	       !asked.exclude && !asked.filter;
}

/* What can be known; else, what may be. */
static void say_why_empty(const struct recording *r)
{
	if (r->end.status == STATUS_NOT_FOUND)
		say(SAY_WARNING, "no event: the program ended with 127, as one does that cannot be "
				 "found or whose libraries cannot; libtacho.so.0: tacho doctor");
	else if (!is_all_recorded())
		say(SAY_WARNING,
		    "no event: nothing that the program did matched; what events there "
		    "are, while it runs: tacho list --events");
	else if (first_helper())
		say_why_no_help(r, first_helper());
	else
		say(SAY_WARNING,
		    "no event: the program has no tacho_event() in it, or came to none, "
		    "or what has them goes on running without it; the memory of any "
		    "program: tacho record --malloc");
}

/* There are events, but perhaps not all kinds that were asked for. */
static void say_what_is_missing(const struct recording *r, const struct tally *tally)
{
	if (r->stats.unrecorded || r->is_destroyed || !tally->is_counted)
		return;
	if (!tally->events && !r->stats.bytes)
		say_why_empty(r);
	else if (first_helper() && exe_obstacle(exe_kind(r->program)))
		say_why_no_help(r, first_helper());
}

static bool is_complete(const struct recording *r)
{
	return !r->picked.session && !r->is_destroyed && loss_is_none(&r->stats);
}

/* The rest is in the session, and is not lost. */
static void say_incomplete(const struct recording *r, const struct tally *tally)
{
	struct short_text recorded = bytes_text(r->stats.bytes - r->stats.overwritten_bytes);

	if (tally->events)
		say(SAY_PLAIN, "recorded %s, of which the trace has %s event%s so far", recorded.text,
		    count_text(tally->events).text, tally->events == 1 ? "" : "s");
	else
		say(SAY_PLAIN, "recorded %s, of which nothing can be read in the trace yet",
		    recorded.text);
}

static void say_recorded(const struct recording *r, const struct tally *tally)
{
	if (r->picked.session)
		say_incomplete(r, tally);
	else if (r->is_destroyed)
		say(SAY_PLAIN, "the trace has %s event%s", count_text(tally->events).text,
		    tally->events == 1 ? "" : "s");
	else
		say(SAY_PLAIN, "recorded %s%s",
		    tally_text(tally, r->stats.bytes - r->stats.overwritten_bytes).text,
		    is_complete(r) ? ", nothing lost" : "");
	if (r->stats.overwritten_bytes)
		say(SAY_PLAIN, "the flight recorder kept the newest; %s before were overwritten",
		    bytes_text(r->stats.overwritten_bytes).text);
}

static void say_loss(struct recording *r, const struct tally *tally)
{
	r->loss.recorded_events = tally->events;
	loss_say(&r->loss);
	loss_say_unrecorded(&r->stats);
	loss_say_damaged(r->stats.damaged);
}

static void say_trace(const struct recording *r)
{
	char *word = shell_word(r->trace);

	say(SAY_PLAIN, "trace: %s", r->trace);
	say(SAY_PLAIN, "next:  tacho view %s", word);
	free(word);
}

/* A shell is silent about the same signals. */
static void say_killed(const struct program_end *end)
{
	const char *name = sigdescr_np(end->signal);

	if (end->signal && end->signal != SIGINT && end->signal != SIGPIPE)
		say(SAY_WARNING, "the program was killed by signal %d (%s)%s", end->signal,
		    name ? name : "unknown", end->dumped_core ? ", core dumped" : "");
}

static void say_summary(struct recording *r)
{
	struct tally tally = tally_trace(r->trace, r->stats.bytes - r->stats.overwritten_bytes);

	say_recorded(r, &tally);
	say_loss(r, &tally);
	say_what_is_missing(r, &tally);
	if (trace_is_in(r->trace))
		say_trace(r);
}

static int end_status(const struct recording *r, int status)
{
	if (r->end.status)
		return r->end.status;
	if (!status && asked.fail_on_loss && !loss_is_none(&r->stats))
		return STATUS_FAILED;
	return status;
}

/* The terminal shows ^C; what follows begins a line of its own. */
static void end_line(const struct recording *r)
{
	if (r->end.interrupts && isatty(STDERR_FILENO))
		fputc('\n', stderr);
}

static int fork_program(struct recording *r, const char **words)
{
	int err = program_fork(r->program, words, r->preload, session_file(r->picked.session)->family,
			       &r->child);

	return err ? exec_failed(words[0], err) : STATUS_DONE;
}

/* All that comes before the program runs. */
static int prepare(struct recording *r, const char **words)
{
	int ended, status = create(r);

	if (status)
		return status;
	status = fork_program(r, words);
	if (!status)
		status = start(r);
	if (!status && (ended = program_interrupted()))
		status = STATUS_SIGNAL + ended;
	if (status)
		program_cancel(&r->child);
	return status;
}

static int record(struct recording *r, const char **words)
{
	int err, status;

	program_shield();
	status = prepare(r, words);
	if (status) {
		undo(r);
		return status;
	}
	err = program_start(&r->child);
	if (err) {
		undo(r);
		return exec_failed(words[0], err);
	}
	program_wait(r->child.pid, &r->end);
	end_line(r);
	say_killed(&r->end);
	status = complete(r);
	if (r->trace[0])
		say_summary(r);
	return end_status(r, status);
}

static int run(const struct command *self, const char **arguments)
{
	struct recording r = {
		.command = self,
		.patterns = list_of_words(asked.patterns),
	};
	int status;

	r.exclude = excluded(r.patterns);
	status = check(&r, arguments[0]);

	if (!status)
		status = record(&r, arguments);
	pick_close(&r.picked);
	loss_fini(&r.loss);
	free(r.program);
	free(r.preload);
	list_free(r.patterns);
	list_free(r.exclude);
	return status;
}

static const struct poptOption options[] = {
	{ "output", 'o', POPT_ARG_STRING, &asked.output, 0,
	  "Write the trace to this new or empty directory (else: a new one in ~/tacho-traces)",
	  "DIR" },
	{ "event", 'e', POPT_ARG_ARGV, &asked.patterns, 0,
	  "Record events whose provider:name matches; * stands for anything; may be repeated "
	  "(else: all events)",
	  "PATTERN[,PATTERN].." },
	{ "exclude", 'x', POPT_ARG_STRING, &asked.exclude, 0, "But not events that match these",
	  "PATTERN[,PATTERN].." },
	{ "loglevel", 0, POPT_ARG_STRING, &asked.level_at_least, 0,
	  "Only events as grave as this, or graver", "LEVEL" },
	{ "loglevel-only", 0, POPT_ARG_STRING, &asked.level_only, 0, "Only events of this level",
	  "LEVEL" },
	{ "filter", 'f', POPT_ARG_STRING, &asked.filter, 0,
	  "Only if this is true of the event's fields (tacho-filter(7))", "EXPRESSION" },
	{ "format", 0, POPT_ARG_STRING, &asked.format, 0,
	  "In which version of the Common Trace Format: 1.8 (default) or 2", "ctf1|ctf2" },
	{ "buffer", 0, POPT_ARG_STRING, &asked.buffer, 0,
	  "Memory for each CPU, like 512K, 8M or 1G (else: 8M, less where room is short)",
	  "SIZE" },
	{ "blocking-timeout", 0, POPT_ARG_STRING, &asked.blocking_timeout, 0,
	  "When the buffer is full, the program waits for room, so long at most (else: the event "
	  "is "
	  "lost, and counted)",
	  "USEC|inf" },
	{ "fail-on-loss", 0, POPT_ARG_NONE, &asked.fail_on_loss, 0,
	  "Exit with status 1 if an event was lost and the program ended with 0", NULL },
	{ "overwrite", 0, POPT_ARG_NONE, &asked.overwrite, 0,
	  "Be a flight recorder: keep the newest events in memory, write them at the end", NULL },
	{ "kernel", 'k', POPT_ARG_NONE, &asked.kernel, 0,
	  "Record what the kernel does for the program as well: -e PATTERN without a ':' names its "
	  "events (else: scheduling, and system calls)",
	  NULL },
	{ "syscalls", 0, POPT_ARG_NONE, &asked.syscalls, 0,
	  "Record the system calls of the program as well", NULL },
	{ "malloc", 0, POPT_ARG_NONE, &asked.helpers[HELPER_MALLOC], 0,
	  "Record malloc(), free() and so on as well, of any dynamically linked program", NULL },
	{ "locks", 0, POPT_ARG_NONE, &asked.helpers[HELPER_LOCKS], 0,
	  "Record mutexes, read-write locks and condition variables as well, and how long they are "
	  "waited for",
	  NULL },
	{ "libs", 0, POPT_ARG_NONE, &asked.helpers[HELPER_LIBS], 0,
	  "Record which libraries are loaded as well, where, and their build ids", NULL },
	{ "functions", 0, POPT_ARG_NONE, &asked.helpers[HELPER_FUNCTIONS], 0,
	  "Record each function as well, of a program built with -finstrument-functions or -pg",
	  NULL },
	OPTION_HELP_ENTRY,
	POPT_TABLEEND,
};

const struct command cmd_record = {
	.name = "record",
	.arguments = "[--] PROGRAM [ARGUMENT..]",
	.summary = "Run a program and record it",
	.examples =
		"The exit status is the program's. ^C goes to the program; a second one kills it.\n"
		"\n"
		"  tacho record -- ./server --port 80\n"
		"  tacho record --malloc -o /tmp/sort -- sort /etc/services\n"
		"  tacho record -e 'shop:*' --loglevel warning -- ./server\n",
	.options = options,
	.arguments_max = ARGUMENTS_ANY,
	.needs = "a program to run",
	.options_end_early = true,
	.run = run,
};
