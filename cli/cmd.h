/* SPDX-License-Identifier: MIT */
/*
 * cmd.h - what a command of `tacho` is.
 *
 * Each file cmd-NAME.c defines one struct command. main.c finds it by its name; options.c parses
 * its options and prints its help, both from the same table. What is left, the arguments, goes to
 * run(), which calls a library, prints, and returns the exit status.
 */
#ifndef TACHO_CLI_CMD_H
#define TACHO_CLI_CMD_H

#include <popt.h>
#include <stdbool.h>

enum {
	STATUS_DONE = 0,
	STATUS_FAILED = 1,
	STATUS_WRONG_USE = 2,
	STATUS_NOT_EXECUTABLE = 126, /* these three are a shell's */
	STATUS_NOT_FOUND = 127,
	STATUS_SIGNAL = 128, /* + its number */
};

#define ARGUMENTS_ANY (-1)

struct command {
	const char *name;      /* one word, or two: "snapshot record" */
	const char *arguments; /* "[SESSION]": how the help shows them */
	const char *summary;   /* one line, for the list of commands */
	const char *examples;  /* lines below the options */
	const struct poptOption *options;
	int arguments_max; /* or ARGUMENTS_ANY */
	const char *needs; /* what to say if there is no argument: "a program to run"; or NULL */
	bool is_hidden;         /* for scripts of our own, not for the list of commands */
	bool stands_alone;      /* of two words: the first one alone is it, too */
	bool options_end_early; /* at the first argument: the rest is a program's */
	/*
	 * Where the order of options and arguments matters: called for each in its place, then run()
	 * without arguments.
	 * @option: the `val` of an option in the table that has no `arg`; 0: an argument
	 * @value: of the option, or the argument; lives until run() returns
	 */
	int (*in_order)(const struct command *self, int option, const char *value);
	/* arguments: NULL-terminated. Return: exit status. */
	int (*run)(const struct command *self, const char **arguments);
};

/* Each table of options ends with these two. */
#define OPTION_HELP 'h'
#define OPTION_HELP_ENTRY                                                                          \
	{                                                                                          \
		"help", 'h', POPT_ARG_NONE, NULL, OPTION_HELP, "Show this help", NULL              \
	}

extern const struct command cmd_add_context;
extern const struct command cmd_add_trigger;
extern const struct command cmd_clear;
extern const struct command cmd_complete;
extern const struct command cmd_create;
extern const struct command cmd_cut;
extern const struct command cmd_destroy;
extern const struct command cmd_disable_channel;
extern const struct command cmd_disable_event;
extern const struct command cmd_disable_rotation;
extern const struct command cmd_doctor;
extern const struct command cmd_enable_channel;
extern const struct command cmd_enable_event;
extern const struct command cmd_enable_rotation;
extern const struct command cmd_export;
extern const struct command cmd_help;
extern const struct command cmd_info;
extern const struct command cmd_list;
extern const struct command cmd_list_triggers;
extern const struct command cmd_load;
extern const struct command cmd_merge;
extern const struct command cmd_record;
extern const struct command cmd_recover;
extern const struct command cmd_remove_trigger;
extern const struct command cmd_repair;
extern const struct command cmd_regenerate_metadata;
extern const struct command cmd_regenerate_statedump;
extern const struct command cmd_rotate;
extern const struct command cmd_save;
extern const struct command cmd_set_session;
extern const struct command cmd_snapshot_add_output;
extern const struct command cmd_snapshot_del_output;
extern const struct command cmd_snapshot_list_output;
extern const struct command cmd_snapshot_record;
extern const struct command cmd_start;
extern const struct command cmd_stats;
extern const struct command cmd_status;
extern const struct command cmd_stop;
extern const struct command cmd_track;
extern const struct command cmd_untrack;
extern const struct command cmd_version;
extern const struct command cmd_view;

/* All of them, in the order of the help; NULL-terminated. */
extern const struct command *const commands[];

#endif
