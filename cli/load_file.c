/* SPDX-License-Identifier: MIT */
/* load_file.c - see load_file.h */
#include "load_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fd.h"
#include "find.h"
#include "say.h"
#include "text.h"

#define FILE_BYTES_MAX (1u << 20)

/* What may be in a file: what makes a session, and nothing that ends one or runs a program now. */
static const char *const loadable[] = {
	"create",
	"enable-channel",
	"disable-channel",
	"add-context",
	"enable-event",
	"disable-event",
	"track",
	"untrack",
	"add-trigger",
	"enable-rotation",
	"snapshot add-output",
	"start",
};

int load_file_fail(const struct load_file *file, const struct load_line *line, int word,
		   const char *text)
{
	return fail("%s:%d:%d: %s", file->path, line->words.line[word], line->words.column[word],
		    text);
}

/* Return: how many bytes, at most FILE_BYTES_MAX; or a negative errno. */
static ssize_t read_some(int fd, char *text)
{
	size_t bytes = 0;
	ssize_t n = 1;

	while (n > 0 && bytes < FILE_BYTES_MAX) {
		n = read(fd, text + bytes, FILE_BYTES_MAX - bytes);
		if (n < 0)
			return -errno;
		bytes += (size_t)n;
	}
	return (ssize_t)bytes;
}

/* To be freed also after a failure. */
static int read_text(const char *path, char **ret_text)
{
	char *text = xcalloc(FILE_BYTES_MAX + 1, 1);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t bytes = fd < 0 ? -errno : read_some(fd, text);

	fd_close(fd);
	*ret_text = text;
	if (bytes < 0)
		return (int)bytes;
	if (bytes == FILE_BYTES_MAX)
		return -EFBIG;
	return strlen(text) == (size_t)bytes ? 0 : -EILSEQ;
}

static bool is_loadable(const struct command *command)
{
	for (size_t i = 0; i < sizeof(loadable) / sizeof(loadable[0]); i++)
		if (!strcmp(command->name, loadable[i]))
			return true;
	return false;
}

static void join_loadable(char *text, size_t size)
{
	size_t at = 0;

	text[0] = 0;
	for (size_t i = 0; i < sizeof(loadable) / sizeof(loadable[0]) && at < size; i++)
		at += (size_t)snprintf(text + at, size - at, "%s%s", i ? ", " : "", loadable[i]);
}

static int refuse_command(const struct load_file *file, const struct load_line *line)
{
	char all[256];
	char *text;
	int status;

	join_loadable(all, sizeof(all));
	text = xasprintf("'%s' has no place in the file of a session; there may be: %s",
			 line->words.word[0], all);
	status = load_file_fail(file, line, 0, text);
	free(text);
	return status;
}

/* The word that is the name of the session that create makes; 0: none. */
static int name_word(const struct load_line *line)
{
	for (int i = line->name_words; i < line->words.count; i++) {
		const struct word_class *class = &line->classes[i - line->name_words];

		if (class->kind == WORD_ARGUMENT && !class->argument_index)
			return i;
	}
	return 0;
}

static int check_create(struct load_file *file, const struct load_line *line)
{
	int at = name_word(line);

	if (!at)
		return load_file_fail(file, line, 0, "the session needs a name: create NAME");
	file->name = xstrdup(line->words.word[at]);
	return STATUS_DONE;
}

bool load_line_is_create(const struct load_line *line)
{
	return line->command == &cmd_create;
}

static int check_order(struct load_file *file, const struct load_line *line)
{
	if (!file->name)
		return load_line_is_create(line) ?
			       check_create(file, line) :
			       load_file_fail(file, line, 0,
					      "the first command has to be create, which makes "
					      "the session");
	return load_line_is_create(line) ?
		       load_file_fail(file, line, 0,
				      "a file makes just one session; this is another") :
		       STATUS_DONE;
}

/* What names a session, in a command other than create: an option, or the argument. */
bool load_line_names_session(const struct load_line *line, const struct word_class *class)
{
	if (class->option && class->value)
		return class->option->longName && !strcmp(class->option->longName, "session");
	return class->kind == WORD_ARGUMENT && !class->argument_index &&
	       !strncmp(line->command->arguments, "[SESSION", strlen("[SESSION"));
}

static int check_names(const struct load_file *file, const struct load_line *line)
{
	for (int i = line->name_words; !load_line_is_create(line) && i < line->words.count; i++) {
		const struct word_class *class = &line->classes[i - line->name_words];
		const char *named = class->value ? class->value : line->words.word[i];

		if (load_line_names_session(line, class) && strcmp(named, file->name))
			return load_file_fail(
				file, line, i,
				"this is another session than the one that the file makes");
	}
	return STATUS_DONE;
}

static int check_line(struct load_file *file, struct load_line *line)
{
	int count = line->words.count;
	int status;

	line->command = find_command(line->words.word, &line->name_words);
	if (!line->command || !is_loadable(line->command))
		return refuse_command(file, line);
	line->classes = xcalloc((size_t)count + 1, sizeof(*line->classes));
	classify(line->command, line->words.word + line->name_words, count - line->name_words,
		 line->classes);
	status = check_order(file, line);
	return status ? status : check_names(file, line);
}

static int read_lines(struct load_file *file, const char *text)
{
	struct words_error error;
	int number = 1;
	int status = STATUS_DONE;

	while (!status) {
		struct load_line line = { 0 };
		int err = words_next(&text, &number, &line.words, &error);

		if (err == -ENODATA)
			break;
		if (err)
			return fail("%s:%d:%d: %s", file->path, error.line, error.column,
				    error.text);
		file->lines =
			xrealloc(file->lines, (size_t)(file->count + 1) * sizeof(*file->lines));
		file->lines[file->count] = line;
		status = check_line(file, &file->lines[file->count++]);
	}
	if (!status && !file->count)
		return fail("%s: there is no session in it", file->path);
	return status;
}

int load_file_read(const char *path, struct load_file *file)
{
	char *text;
	int err = read_text(path, &text);
	int status;

	*file = (struct load_file){ .path = path };
	if (err == -EFBIG)
		status = fail("%s is too long for the file of a session", file->path);
	else if (err)
		status = fail("cannot read %s: %s; name a file that tacho save wrote", file->path,
			      err == -EILSEQ ? "it is not a text" : strerror(-err));
	else
		status = read_lines(file, text);
	free(text);
	return status;
}

void load_file_free(struct load_file *file)
{
	for (int i = 0; i < file->count; i++) {
		words_fini(&file->lines[i].words);
		free(file->lines[i].classes);
	}
	free(file->lines);
	free(file->name);
}

void load_file_rename(struct load_file *file, const char *name)
{
	struct load_line *first = &file->lines[0];
	int at = name_word(first);

	free((char *)first->words.word[at]);
	first->words.word[at] = xstrdup(name);
	free(file->name);
	file->name = xstrdup(name);
}
