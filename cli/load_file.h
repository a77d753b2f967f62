/* SPDX-License-Identifier: MIT */
/*
 * load_file.h - the file of a session (saved.h), read and checked: its lines, the commands that they
 * are, and the name of the session that they make. Nothing is done yet.
 */
#ifndef TACHO_CLI_LOAD_FILE_H
#define TACHO_CLI_LOAD_FILE_H

#include "classify.h"
#include "words.h"

struct load_line {
	struct words words;
	const struct command *command;
	int name_words;             /* of the command */
	struct word_class *classes; /* of the words behind its name */
};

struct load_file {
	const char *path;
	struct load_line *lines; /* the first is create, and no other */
	int count;
	char *name; /* of the session */
};

/* load_file_read() - Return: exit status; what is wrong was said. Free it in any case. */
int load_file_read(const char *path, struct load_file *ret_file);
void load_file_free(struct load_file *file);

/* load_file_rename() - let it make a session of this name. */
void load_file_rename(struct load_file *file, const char *name);

bool load_line_is_create(const struct load_line *line);
/* load_line_names_session() - does this word of another command than create name the session? */
bool load_line_names_session(const struct load_line *line, const struct word_class *class);

/* load_file_fail() - say what is wrong, and where: at a word of a line. Return: STATUS_FAILED. */
int load_file_fail(const struct load_file *file, const struct load_line *line, int word,
		   const char *text);

#endif
