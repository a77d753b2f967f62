/* SPDX-License-Identifier: MIT */
/* options.c - see options.h */
#include "options.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "say.h"
#include "suggest.h"

int wrong_use(const struct command *command, const char *fmt, ...)
{
	char text[1024];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	say(SAY_ERROR, "%s: %s", command->name, text);
	say(SAY_PLAIN, "how to use it: tacho %s --help", command->name);
	return STATUS_WRONG_USE;
}

int option_count(const char *const *values)
{
	int count = 0;

	while (values && values[count])
		count++;
	return count;
}

/* @argv[0] becomes what the help shows behind "Usage:". */
static poptContext context_new(const struct command *command, int argc, const char **argv)
{
	static char shown[64];
	unsigned int flags = command->options_end_early ? POPT_CONTEXT_POSIXMEHARDER : 0;
	poptContext context;

	snprintf(shown, sizeof(shown), "tacho %s", command->name);
	argv[0] = shown;
	context = poptGetContext(NULL, argc, argv, command->options, flags);
	if (!context)
		abort();
	return context;
}

static void print_help(const struct command *command, poptContext context)
{
	char shown[128];

	snprintf(shown, sizeof(shown), "[OPTION..] %s", command->arguments);
	poptSetOtherOptionHelp(context, shown);
	poptPrintHelp(context, stdout, 0);
	printf("\n%s.\n", command->summary);
	if (command->examples)
		printf("\n%s", command->examples);
	if (command == &cmd_help)
		puts("\nMore: man tacho");
	else
		printf("\nMore: man tacho-%.*s\n", (int)strcspn(command->name, " "), command->name);
}

void options_print_help(const struct command *command)
{
	const char *argv[] = { NULL, NULL };
	poptContext context = context_new(command, 1, argv);

	print_help(command, context);
	poptFreeContext(context);
}

static const char *nearest_option(const struct command *command, const char *typed)
{
	struct suggestion s = suggestion_for(typed);

	for (const struct poptOption *o = command->options; o->longName || o->shortName; o++)
		if (o->longName)
			suggestion_consider(&s, o->longName);
	return suggestion_word(&s);
}

/* Says what popt found wrong with the option it stopped at. */
static int wrong_option(const struct command *command, poptContext context, int code)
{
	const char *typed = poptBadOption(context, 0);
	const char *nearest = NULL;

	if (code == POPT_ERROR_NOARG)
		return wrong_use(command, "%s needs a value behind it", typed);
	if (code != POPT_ERROR_BADOPT)
		return wrong_use(command, "%s: %s", typed, poptStrerror(code));
	if (!strncmp(typed, "--", 2))
		nearest = nearest_option(command, typed + 2);
	if (nearest)
		return wrong_use(command, "there is no option %s; did you mean --%s?", typed,
				 nearest);
	return wrong_use(command, "there is no option %s", typed);
}

static int refuse_empty_options(const struct command *command)
{
	for (const struct poptOption *o = command->options; o->longName || o->shortName; o++) {
		const char *const *value = o->arg;

		if (o->argInfo != POPT_ARG_STRING || !value || !*value || **value)
			continue;
		if (o->longName)
			return wrong_use(command, "--%s: '' is no value", o->longName);
		return wrong_use(command, "-%c: '' is no value", o->shortName);
	}
	return STATUS_DONE;
}

/* Nothing has the name ''; it comes from a variable of a script that is empty. What stands behind a
 * program is its own, and what is to be completed may be nothing yet. */
static int refuse_empty(const struct command *command, const char **arguments)
{
	int status = refuse_empty_options(command);

	if (command->options_end_early || command == &cmd_complete)
		return status;
	for (; !status && arguments && *arguments; arguments++) {
		if (!**arguments)
			status = wrong_use(command, "'' is no name, but empty (a variable that is not set?)");
	}
	return status;
}

static int run_with(const struct command *command, const char **arguments)
{
	static const char *none[] = { NULL };
	int count = option_count(arguments);
	int status = refuse_empty(command, arguments);

	if (status)
		return status;
	if (!count && command->needs)
		return wrong_use(command, "%s is missing", command->needs);
	if (command->arguments_max != ARGUMENTS_ANY && count > command->arguments_max)
		return wrong_use(command, "'%s' is one argument too many",
				 arguments[command->arguments_max]);
	return command->run(command, arguments ? arguments : none);
}

/* Arguments that stand before the option that was just found, or at the end. */
static int take_arguments(const struct command *command, poptContext context)
{
	const char *argument;
	int status = STATUS_DONE;

	while (!status && (argument = poptGetArg(context)))
		status = command->in_order(command, 0, argument);
	return status;
}

/* Return: exit status; @ret_code is what popt ended with. What options say stays in memory: it is
 * used until the command ends. */
static int take_in_order(const struct command *command, poptContext context, int *ret_code)
{
	int status = STATUS_DONE;

	*ret_code = poptGetNextOpt(context);
	while (!status && *ret_code > 0 && *ret_code != OPTION_HELP) {
		status = take_arguments(command, context);
		if (!status)
			status = command->in_order(command, *ret_code, poptGetOptArg(context));
		if (!status)
			*ret_code = poptGetNextOpt(context);
	}
	if (!status && *ret_code == -1)
		status = take_arguments(command, context);
	return status;
}

static int parse(const struct command *command, poptContext context, int *ret_code)
{
	if (command->in_order)
		return take_in_order(command, context, ret_code);
	*ret_code = poptGetNextOpt(context);
	return STATUS_DONE;
}

int options_run(const struct command *command, int argc, const char **argv)
{
	poptContext context = context_new(command, argc, argv);
	int code;
	int status = parse(command, context, &code);

	if (!status && code == OPTION_HELP)
		print_help(command, context);
	else if (!status && code < -1)
		status = wrong_option(command, context, code);
	else if (!status)
		status = run_with(command, poptGetArgs(context));
	poptFreeContext(context);
	return status;
}
