/* SPDX-License-Identifier: MIT */
/* cmd-disable-event.c - tacho disable-event: disable rules of a session, or take them out. */
#include <stdio.h>

#include "cmd.h"
#include "domain.h"
#include "lists.h"
#include "options.h"
#include "pick.h"
#include "say.h"
#include "text.h"

static struct {
	const char *session;
	const char *channel;
	int all;
	int remove;
	int tracepoint;
	int syscall;
	int kernel_only;
	enum tacho_rule_kind kind;
} asked;

static void print_disabled(const struct picked *picked, const struct rule_choice *choice,
			   size_t count)
{
	const char *done = choice->remove ? "is removed" : "is disabled";
	const char *session = picked_name(picked);

	if (count > 1)
		done = choice->remove ? "are removed" : "are disabled";
	if (!choice->pattern && count == 1)
		printf("The only rule of session '%s'", visible(session).text);
	else if (!choice->pattern)
		printf("All %zu rules of session '%s'", count, visible(session).text);
	else if (count > 1)
		printf("The %zu rules '%s' of session '%s'", count, visible(choice->pattern).text,
		       visible(session).text);
	else
		printf("The rule '%s' of session '%s'", visible(choice->pattern).text,
		       visible(session).text);
	if (choice->channel)
		printf(" in channel '%s'", visible(choice->channel).text);
	printf(" %s.\n", done);
}

static int disable(struct picked *picked, const char *pattern)
{
	const struct rule_choice choice = {
		.kind = asked.kind,
		.pattern = pattern,
		.channel = asked.channel,
		.remove = asked.remove,
	};
	struct tacho_error error;
	size_t count;

	if (session_disable_events(picked->session, &choice, &count, &error))
		return fail_with(&error);
	print_disabled(picked, &choice, count);
	return STATUS_DONE;
}

static int disable_all(const struct command *self, char *const *patterns)
{
	struct picked picked;
	int status = pick(self, asked.session, &picked);

	if (!status && asked.all)
		status = disable(&picked, NULL);
	for (; !status && *patterns; patterns++)
		status = disable(&picked, *patterns);
	pick_close(&picked);
	return status;
}

static int check(const struct command *self, char *const *patterns)
{
	enum tacho_domain domain;
	int status = wants_domain(self, &domain);

	if (status)
		return status;
	if (asked.kernel_only)
		return wrong_use(self, "a probe is disabled by its name alone: tacho "
				       "disable-event -k NAME");
	if (asked.syscall || domain == TACHO_DOMAIN_KERNEL)
		asked.kind = asked.syscall ? TACHO_RULE_SYSCALL : TACHO_RULE_TRACEPOINT;
	if (asked.all && *patterns)
		return wrong_use(self, "--all-events leaves nothing to name: '%s'", *patterns);
	if (!asked.all && !*patterns)
		return wrong_use(self, "a pattern is missing, or --all-events");
	return STATUS_DONE;
}

static int run(const struct command *self, const char **arguments)
{
	char **patterns = list_of_words(arguments);
	int status = check(self, patterns);

	if (!status)
		status = disable_all(self, patterns);
	list_free(patterns);
	return status;
}

#define HIDDEN_FLAG(name, value)                                                                   \
	{                                                                                          \
		name, 0, POPT_ARG_NONE | POPT_ARGFLAG_DOC_HIDDEN, value, 0, NULL, NULL             \
	}

static const struct poptOption options[] = {
	{ "session", 's', POPT_ARG_STRING, &asked.session, 0, "Of this session (else: the current)",
	  "SESSION" },
	{ "channel", 'c', POPT_ARG_STRING, &asked.channel, 0, "Of this channel (else: of all)",
	  "CHANNEL" },
	{ "all-events", 'a', POPT_ARG_NONE, &asked.all, 0, "All rules", NULL },
	{ "all", 0, POPT_ARG_NONE | POPT_ARGFLAG_DOC_HIDDEN, &asked.all, 0, NULL, NULL },
	{ "remove", 0, POPT_ARG_NONE, &asked.remove, 0,
	  "Do not keep the rules, to be enabled again, but take them out", NULL },
	HIDDEN_FLAG("tracepoint", &asked.tracepoint),
	{ "syscall", 0, POPT_ARG_NONE, &asked.syscall, 0, "Of the kernel: rules for system calls",
	  NULL },
	HIDDEN_FLAG("probe", &asked.kernel_only),
	HIDDEN_FLAG("function", &asked.kernel_only),
	DOMAIN_ENTRIES,
	OPTION_HELP_ENTRY,
	POPT_TABLEEND,
};

const struct command cmd_disable_event = {
	.name = "disable-event",
	.arguments = "PATTERN[,PATTERN]..",
	.summary = "Disable what enable-event enabled, or take it out",
	.examples =
		"PATTERN is exactly one that was enabled; all rules that have it are meant. tacho "
		"status shows\n"
		"them.\n",
	.options = options,
	.arguments_max = ARGUMENTS_ANY,
	.run = run,
};
