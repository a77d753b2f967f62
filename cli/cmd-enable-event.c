/* SPDX-License-Identifier: MIT */
/* cmd-enable-event.c - tacho enable-event: add rules to a session, or enable them again. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "domain.h"
#include "filter_doubt.h"
#include "kernel_wants.h"
#include "lists.h"
#include "look.h"
#include "options.h"
#include "parse.h"
#include "pick.h"
#include "rule_doubt.h"
#include "say.h"
#include "text.h"
#include "wants.h"

#define LEVEL_TEXT_BYTES 48

static struct {
	const char *session;
	const char *channel;
	const char *exclude;
	const char *level_at_least;
	const char *level_only;
	const char *filter;
	const char *executables;
	const char *pids;
	int all;
	int tracepoint;
	int syscall;
	const char *probe;
	const char *function;
	const char *userspace_probe;
	const char *fetch;
} asked;

/* The rules are all combinations of these, each with the same rest. */
struct wanted {
	struct rule_options rule;
	char **patterns;
	char **exclude;
	char **executables;
	char **pids;
	char *probe; /* what a probe is made of; NULL: it is none */
};

/* ---- what is asked for ---- */

/* What the kernel cannot be asked for. */
static int wants_kernel(const struct command *self, const struct wanted *w)
{
	if (asked.level_at_least || asked.level_only)
		return wrong_use(self, "the kernel's events have no levels; leave --loglevel out");
	if (*w->executables || *w->pids)
		return wrong_use(self, "--exec and --pid are of programs' events; to record the "
				       "kernel's of some processes only: tacho track --vpid");
	return STATUS_DONE;
}

static bool is_probe(void)
{
	return asked.probe || asked.function || asked.userspace_probe;
}

/* Where it is, and behind a newline what it fetches (session/kernel/probes.h). */
static int wants_probe(const struct command *self, struct wanted *w)
{
	const char *place = asked.probe ? asked.probe : asked.function ? asked.function :
									 asked.userspace_probe;
	const char *fetch = asked.fetch ? asked.fetch : "";

	if (!!asked.probe + !!asked.function + !!asked.userspace_probe + !!asked.syscall > 1)
		return wrong_use(self, "--syscall, --probe, --function and --userspace-probe exclude "
				       "each other");
	if (!*place || strpbrk(place, "\t\n") || strpbrk(fetch, "\t\n"))
		return wrong_use(self, "the place of a probe is empty, or it has a tab or newline");
	w->rule.kind = asked.probe ? TACHO_RULE_PROBE :
		       asked.function ? TACHO_RULE_FUNCTION : TACHO_RULE_USERSPACE;
	w->probe = xasprintf("%s%s%s", place, *fetch ? "\n" : "", fetch);
	return STATUS_DONE;
}

static int wants_kind(const struct command *self, struct wanted *w)
{
	enum tacho_domain domain;
	int status = wants_domain(self, &domain);

	if (!status && asked.fetch && !is_probe())
		return wrong_use(self, "--fetch is of probes: add --probe, --function or "
				       "--userspace-probe");
	if (!status && is_probe())
		status = wants_probe(self, w);
	if (status)
		return status;
	if (domain == TACHO_DOMAIN_USER && !asked.syscall && !is_probe())
		return STATUS_DONE;
	if (!is_probe())
		w->rule.kind = asked.syscall ? TACHO_RULE_SYSCALL : TACHO_RULE_TRACEPOINT;
	return wants_kernel(self, w);
}

static int wants_patterns(const struct command *self, char *const *patterns)
{
	int status = STATUS_DONE;

	for (; !status && *patterns; patterns++)
		status = wants_pattern(self, *patterns);
	return status;
}

static int wants_names(const struct command *self, struct wanted *w)
{
	if (asked.all && *w->patterns)
		return wrong_use(self, "--all leaves nothing to name: '%s'", *w->patterns);
	if (asked.all) {
		list_free(w->patterns);
		w->patterns = list_of("*");
	}
	if (!*w->patterns)
		return wrong_use(self, "a pattern is missing, or --all");
	if (is_probe() && (asked.all || w->patterns[1]))
		return wrong_use(self, "a probe has one name, which it gets here");
	return wants_patterns(self, w->patterns);
}

/* Probes are made, not looked for. */
static int wants_kernel_names(const struct wanted *w)
{
	int status = STATUS_DONE;

	if (w->rule.kind != TACHO_RULE_TRACEPOINT && w->rule.kind != TACHO_RULE_SYSCALL)
		return STATUS_DONE;
	for (char **pattern = w->patterns; !status && *pattern; pattern++)
		status = kernel_wants(w->rule.kind, *pattern);
	return status;
}

static int wants_programs(const struct command *self, const struct wanted *w)
{
	int pid;

	for (char **text = w->executables; *text; text++)
		if (!**text)
			return wrong_use(self, "--exec: the pattern of a program is empty");
	for (char **text = w->pids; *text; text++)
		if (parse_pid(*text, &pid))
			return wrong_use(self, "--pid: '%s' is not a process id", *text);
	return STATUS_DONE;
}

static int check(const struct command *self, struct wanted *w)
{
	int status = wants_kind(self, w);

	if (!status)
		status = wants_level(self, asked.level_at_least, asked.level_only, &w->rule);
	if (!status)
		status = wants_names(self, w);
	if (!status)
		status = wants_patterns(self, w->exclude);
	if (!status && asked.filter)
		status = wants_filter(self, asked.filter);
	if (!status)
		status = wants_programs(self, w);
	return status ? status : wants_kernel_names(w);
}

/* ---- what came of it ---- */

static void print_exclusions(const char *const *exclude)
{
	for (const char *const *name = exclude; name && *name; name++)
		printf("%s '%s'", name == exclude ? ", but not" : ",", visible(*name).text);
}

static void print_enabled(const struct picked *picked, const struct rule_options *rule,
			  enum tacho_rule_state before)
{
	char room[LEVEL_TEXT_BYTES];

	printf("Session '%s' records %s'%s'", visible(picked_name(picked)).text,
	       look_rule_kind(rule->kind), visible(rule->pattern).text);
	print_exclusions(rule->exclude);
	if (rule->kind == TACHO_RULE_EVENT)
		printf(", level: %s",
		       look_level(rule->level_match, rule->level, room, sizeof(room)));
	if (rule->filter)
		printf(", filter: %s", visible(rule->filter).text);
	if (rule->executable && rule->kind == TACHO_RULE_EVENT)
		printf(", program: '%s'", visible(rule->executable).text);
	else if (rule->executable)
		printf(", at: '%.*s'", (int)strcspn(rule->executable, "\n"), rule->executable);
	if (rule->pid)
		printf(", process: %u", rule->pid);
	if (rule->channel)
		printf(", channel: '%s'", visible(rule->channel).text);
	puts(before == TACHO_RULE_ENABLED  ? ", as it did." :
	     before == TACHO_RULE_DISABLED ? ", again." :
					     ".");
}

/* For lttng's sake; but perhaps the name was mistyped. */
static void say_made(const struct picked *picked, uint32_t channels_before)
{
	const struct tacho_session *file = session_file(picked->session);

	if (asked.channel && file->channel_count > channels_before)
		printf("Channel '%s' of session '%s' made: there was none of this name.\n",
		       visible(asked.channel).text, visible(file->name).text);
}

static int enable(struct picked *picked, const struct rule_options *rule)
{
	uint32_t channels_before = session_file(picked->session)->channel_count;
	enum tacho_rule_state before = session_rule_state(picked->session, rule);
	struct tacho_error error;

	if (session_enable_event(picked->session, rule, &error))
		return fail_with(&error);
	say_made(picked, channels_before);
	print_enabled(picked, rule, before);
	return STATUS_DONE;
}

/* Why nothing will come of it. */
static void say_disabled(const struct picked *picked)
{
	static struct tacho_session file; /* large */

	look_session(picked->session, &file);
	for (uint32_t i = 0; i < file.channel_count; i++) {
		const char *name = file.channel[i].name;

		if (file.channel[i].is_disabled && (!asked.channel || !strcmp(name, asked.channel)))
			say(SAY_WARNING,
			    "the channel '%s' is disabled: it gets nothing until it is "
			    "enabled: tacho enable-channel '%s'",
			    name, name);
	}
}

static void print_next(const struct picked *picked)
{
	char *word = shell_operand(picked_name(picked));

	if (session_file(picked->session)->state != TACHO_SESSION_ACTIVE)
		printf("Next:  tacho start %s\n", word);
	free(word);
}

/* ---- all combinations ---- */

static int enable_pids(struct picked *picked, const struct wanted *w, struct rule_options rule)
{
	char *const *text = w->pids;
	int status = STATUS_DONE;
	int pid = 0;

	do {
		if (*text)
			parse_pid(*text, &pid);
		rule.pid = (uint32_t)pid;
		status = enable(picked, &rule);
	} while (!status && *text && *++text);
	return status;
}

static int enable_programs(struct picked *picked, const struct wanted *w, struct rule_options rule)
{
	char *const *text = w->executables;
	int status = STATUS_DONE;

	do {
		rule.executable = w->probe ? w->probe : *text;
		status = enable_pids(picked, w, rule);
	} while (!status && *text && *++text);
	return status;
}

static int enable_patterns(struct picked *picked, const struct wanted *w)
{
	struct rule_options rule = w->rule;
	int status = STATUS_DONE;

	rule.channel = asked.channel;
	rule.exclude = (const char *const *)w->exclude;
	rule.filter = asked.filter;
	for (char **pattern = w->patterns; !status && *pattern; pattern++) {
		rule.pattern = *pattern;
		status = enable_programs(picked, w, rule);
		if (rule.kind != TACHO_RULE_EVENT)
			continue;
		if (!status && rule_is_doubtful(&picked->runtime, &rule, w->executables, w->pids))
			puts("No program that runs now has such an event; what there is: tacho "
			     "list");
		else if (!status && rule.filter)
			filter_doubt(&picked->runtime, *pattern, rule.filter);
	}
	return status;
}

static int enable_all(const struct command *self, const struct wanted *w)
{
	struct picked picked;
	int status = pick(self, asked.session, &picked);

	if (!status)
		status = enable_patterns(&picked, w);
	if (!status) {
		say_disabled(&picked);
		print_next(&picked);
	}
	pick_close(&picked);
	return status;
}

static int run(const struct command *self, const char **arguments)
{
	struct wanted w = {
		.patterns = list_of_words(arguments),
		.exclude = list_of(asked.exclude),
		.executables = list_of(asked.executables),
		.pids = list_of(asked.pids),
	};
	int status = check(self, &w);

	if (!status)
		status = enable_all(self, &w);
	list_free(w.patterns);
	list_free(w.exclude);
	list_free(w.executables);
	list_free(w.pids);
	free(w.probe);
	return status;
}

#define HIDDEN_FLAG(name, value)                                                                   \
	{                                                                                          \
		name, 0, POPT_ARG_NONE | POPT_ARGFLAG_DOC_HIDDEN, value, 0, NULL, NULL             \
	}

static const struct poptOption options[] = {
	{ "session", 's', POPT_ARG_STRING, &asked.session, 0, "Of this session (else: the current)",
	  "SESSION" },
	{ "channel", 'c', POPT_ARG_STRING, &asked.channel, 0,
	  "Into this channel (else: channel0, or the only one)", "CHANNEL" },
	{ "all", 'a', POPT_ARG_NONE, &asked.all, 0, "All events: the same as '*'", NULL },
	{ "exclude", 'x', POPT_ARG_STRING, &asked.exclude, 0, "But not events that match these",
	  "PATTERN[,PATTERN].." },
	{ "loglevel", 0, POPT_ARG_STRING, &asked.level_at_least, 0,
	  "Only events as grave as this, or graver", "LEVEL" },
	{ "loglevel-only", 0, POPT_ARG_STRING, &asked.level_only, 0, "Only events of this level",
	  "LEVEL" },
	{ "filter", 'f', POPT_ARG_STRING, &asked.filter, 0,
	  "Only if this is true of the event's fields (tacho-filter(7))", "EXPRESSION" },
	{ "exec", 0, POPT_ARG_STRING, &asked.executables, 0,
	  "Only of these programs: names, or paths if there is a / in it; * is anything",
	  "PATTERN[,PATTERN].." },
	{ "pid", 0, POPT_ARG_STRING, &asked.pids, 0, "Only of these processes", "PID[,PID].." },
	HIDDEN_FLAG("tracepoint", &asked.tracepoint),
	{ "syscall", 0, POPT_ARG_NONE, &asked.syscall, 0,
	  "Of the kernel: system calls of these names, their begin and their end", NULL },
	{ "probe", 0, POPT_ARG_STRING, &asked.probe, 0,
	  "Of the kernel: an instruction of it, to be recorded as PATTERN", "SYMBOL[+N]|ADDRESS" },
	{ "function", 0, POPT_ARG_STRING, &asked.function, 0,
	  "Of the kernel: begin and end of a function of it, as PATTERN_entry and PATTERN_return",
	  "SYMBOL" },
	{ "userspace-probe", 0, POPT_ARG_STRING, &asked.userspace_probe, 0,
	  "Of the kernel: an instruction of any program, as PATTERN: elf:PATH:FUNCTION or "
	  "sdt:PATH:PROVIDER:NAME",
	  "PLACE" },
	{ "fetch", 0, POPT_ARG_STRING, &asked.fetch, 0,
	  "With a probe: fields to record, in the kernel's words, like 'size=%si:u64'", "FIELDS" },
	DOMAIN_ENTRIES,
	OPTION_HELP_ENTRY,
	POPT_TABLEEND,
};

const struct command cmd_enable_event = {
	.name = "enable-event",
	.arguments = "PATTERN[,PATTERN]..",
	.summary = "Record events that match, in running programs and in those to come",
	.examples = "A pattern is matched against provider:name; * stands for anything, \\* for a "
		    "star, \\, for a\n"
		    "comma. Rules that differ in anything stand beside each other; an event that "
		    "several match is\n"
		    "recorded once in each channel.\n"
		    "\n"
		    "  tacho enable-event 'shop:*' --exclude 'shop:debug*'\n"
		    "  tacho enable-event -s box --loglevel warning --all\n"
		    "  tacho enable-event --exec 'cash*' 'shop:order,shop:paid'\n"
		    "  tacho enable-event -k 'sched_*'\n"
		    "  tacho enable-event -k --syscall open,openat,close\n"
		    "  tacho enable-event --userspace-probe elf:/bin/bash:readline typed\n"
		    "  tacho enable-event -k sched_switch --filter 'next_comm == \"cash*\"'\n"
		    "  tacho enable-event 'shop:*' --filter 'total > 100 && customer == \"a*\"'\n",
	.options = options,
	.arguments_max = ARGUMENTS_ANY,
	.run = run,
};
