/* SPDX-License-Identifier: MIT */
/* load.c - see load.h */
#include "load.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fd.h"
#include "classify.h"
#include "find.h"
#include "options.h"
#include "pick.h"
#include "say.h"
#include "text.h"
#include "words.h"

#define FILE_BYTES_MAX (1u << 20)
#define SAID_BYTES     4096

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

struct load_line {
	struct words words;
	const struct command *command;
	int name_words;             /* of the command */
	struct word_class *classes; /* of the words behind its name */
};

struct load {
	const char *path;
	const struct load_options *options;
	struct load_line *lines;
	int count;
	char *name; /* of the session, as it will be */
};

/* ---- errors ---- */

/* "FILE:LINE:COLUMN: TEXT" of a word of a line. */
static int fail_at(const struct load *load, const struct load_line *line, int word,
		   const char *text)
{
	return fail("%s:%d:%d: %s", load->path, line->words.line[word], line->words.column[word],
		    text);
}

static bool is_quoted(const char *word, const char *message)
{
	char *quoted = xasprintf("'%s'", word);
	bool is_there = strstr(message, quoted);

	free(quoted);
	return is_there;
}

/* The word that a message is about: one that it quotes, or the longest that it has; else the first. */
static int find_word(const struct load_line *line, const char *message)
{
	size_t longest = 0;
	int found = 0;

	for (int i = line->name_words; i < line->words.count; i++) {
		const char *word = line->words.word[i];

		if (is_quoted(word, message))
			return i;
		if (strlen(word) <= longest || !strstr(message, word))
			continue;
		longest = strlen(word);
		found = i;
	}
	return found;
}

/* ---- reading ---- */

static int read_text(const char *path, char **ret_text)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	char *text = xrealloc(NULL, FILE_BYTES_MAX + 1);
	size_t bytes = 0;
	ssize_t n = fd < 0 ? -1 : 1;

	while (n > 0 && bytes < FILE_BYTES_MAX) {
		n = read(fd, text + bytes, FILE_BYTES_MAX - bytes);
		bytes += n > 0 ? (size_t)n : 0;
	}
	text[bytes] = 0;
	*ret_text = text;
	n = n < 0 ? -errno : 0;
	if (!n && bytes == FILE_BYTES_MAX)
		n = -EFBIG;
	if (!n && strlen(text) != bytes)
		n = -EILSEQ;
	fd_close(fd);
	return (int)n;
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

static int refuse_command(const struct load *load, const struct load_line *line)
{
	char all[256];
	char *text;
	int status;

	join_loadable(all, sizeof(all));
	text = xasprintf("'%s' has no place in the file of a session; there may be: %s",
			 line->words.word[0], all);
	status = fail_at(load, line, 0, text);
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

static int check_create(struct load *load, const struct load_line *line)
{
	int at = name_word(line);

	if (!at)
		return fail_at(load, line, 0, "the session needs a name: create NAME");
	load->name = xstrdup(line->words.word[at]);
	return STATUS_DONE;
}

static bool is_create(const struct load_line *line)
{
	return line->command == &cmd_create;
}

static int check_order(struct load *load, const struct load_line *line)
{
	if (!load->name)
		return is_create(line) ? check_create(load, line) :
					 fail_at(load, line, 0,
						 "the first command has to be create, which makes "
						 "the session");
	return is_create(line) ?
		       fail_at(load, line, 0, "a file makes just one session; this is another") :
		       STATUS_DONE;
}

/* What names a session, in a command other than create: an option, or the argument. */
static bool names_session(const struct load_line *line, const struct word_class *class)
{
	if (class->option && class->value)
		return class->option->longName && !strcmp(class->option->longName, "session");
	return class->kind == WORD_ARGUMENT && !class->argument_index &&
	       !strncmp(line->command->arguments, "[SESSION", strlen("[SESSION"));
}

static int check_names(const struct load *load, const struct load_line *line)
{
	for (int i = line->name_words; !is_create(line) && i < line->words.count; i++) {
		const struct word_class *class = &line->classes[i - line->name_words];
		const char *named = class->value ? class->value : line->words.word[i];

		if (names_session(line, class) && strcmp(named, load->name))
			return fail_at(load, line, i,
				       "this is another session than the one that the file makes");
	}
	return STATUS_DONE;
}

static int check_line(struct load *load, struct load_line *line)
{
	int count = line->words.count;
	int status;

	line->command = find_command(line->words.word, &line->name_words);
	if (!line->command || !is_loadable(line->command))
		return refuse_command(load, line);
	line->classes = xcalloc((size_t)count + 1, sizeof(*line->classes));
	classify(line->command, line->words.word + line->name_words, count - line->name_words,
		 line->classes);
	status = check_order(load, line);
	return status ? status : check_names(load, line);
}

static int read_lines(struct load *load, const char *text)
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
			return fail("%s:%d:%d: %s", load->path, error.line, error.column,
				    error.text);
		load->lines =
			xrealloc(load->lines, (size_t)(load->count + 1) * sizeof(*load->lines));
		load->lines[load->count] = line;
		status = check_line(load, &load->lines[load->count++]);
	}
	if (!status && !load->count)
		return fail("%s: there is no session in it", load->path);
	return status;
}

static int read_file(struct load *load)
{
	char *text;
	int err = read_text(load->path, &text);
	int status;

	if (err == -EFBIG)
		status = fail("%s is too long for the file of a session", load->path);
	else if (err)
		status = fail("cannot read %s: %s", load->path,
			      err == -EILSEQ ? "it is not a text" : strerror(-err));
	else
		status = read_lines(load, text);
	free(text);
	return status;
}

static void free_lines(struct load *load)
{
	for (int i = 0; i < load->count; i++) {
		words_fini(&load->lines[i].words);
		free(load->lines[i].classes);
	}
	free(load->lines);
	free(load->name);
}

/* ---- doing ---- */

/* What is said otherwise: the output that the caller chose, the session that is presumed. */
static bool is_dropped(const struct load *load, const struct load_line *line,
		       const struct word_class *class)
{
	const char *option = class->option ? class->option->longName : NULL;

	if (!is_create(line))
		return names_session(line, class) || (option && !strcmp(option, "session"));
	return load->options->output && option &&
	       (!strcmp(option, "output") || !strcmp(option, "set-url"));
}

/* words[0] is where options_run() puts the name. To be freed as an array. */
static const char **words_to_run(const struct load *load, const struct load_line *line)
{
	const char **words = xcalloc((size_t)line->words.count + 4, sizeof(*words));
	int to = 1;

	if (is_create(line) && load->options->output) {
		words[to++] = "--output";
		words[to++] = load->options->output;
	}
	for (int i = line->name_words; i < line->words.count; i++)
		if (!is_dropped(load, line, &line->classes[i - line->name_words]))
			words[to++] = line->words.word[i];
	return words;
}

static int count_words(const char **words)
{
	int count = 1;

	while (words[count])
		count++;
	return count;
}

/* In the child: what the command would do, with what it says in a file. */
static _Noreturn void run_line(const struct load *load, const struct load_line *line, int said_fd)
{
	const char **words = words_to_run(load, line);
	int null_fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
	int status;

	dup2(null_fd, STDOUT_FILENO);
	dup2(said_fd, STDERR_FILENO);
	pick_presume(load->name);
	status = options_run(line->command, count_words(words), words);
	fflush(NULL);
	_exit(status);
}

/* Without the "tacho: " and the command that begin it, and without how to get help. */
static const char *bare(const struct load_line *line, char *text)
{
	const char *prefix = "tacho: ";
	size_t length = strlen(line->command->name);

	if (!strncmp(text, prefix, strlen(prefix)))
		text += strlen(prefix);
	if (!strncmp(text, line->command->name, length) && !strncmp(text + length, ": ", 2))
		text += length + 2;
	return strncmp(text, "how to use it: ", 15) ? text : "";
}

static void say_at(const struct load *load, const struct load_line *line, enum say_kind kind,
		   const char *text)
{
	int word = find_word(line, text);

	say(kind, "%s:%d:%d: %s", load->path, line->words.line[word], line->words.column[word],
	    text);
}

/* The place stands before the first line of it. */
static void say_again(const struct load *load, const struct load_line *line, int said_fd,
		      bool has_failed)
{
	char said[SAID_BYTES];
	ssize_t bytes = pread(said_fd, said, sizeof(said) - 1, 0);
	char *rest = said, *one;
	bool is_first = true;

	said[bytes > 0 ? bytes : 0] = 0;
	while ((one = strsep(&rest, "\n"))) {
		const char *text = bare(line, one);

		if (!*text)
			continue;
		if (is_first)
			say_at(load, line, has_failed ? SAY_ERROR : SAY_WARNING, text);
		else
			say(SAY_PLAIN, "%s", text);
		is_first = false;
	}
}

static int wait_for(pid_t pid)
{
	int status = 0;

	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return WIFEXITED(status) ? WEXITSTATUS(status) : STATUS_FAILED;
}

static int do_line(const struct load *load, const struct load_line *line)
{
	int said_fd = memfd_create("tacho-said", MFD_CLOEXEC);
	pid_t pid;
	int status;

	fflush(NULL);
	pid = said_fd < 0 ? -1 : fork();
	if (pid < 0) {
		fd_close(said_fd);
		return fail_at(load, line, 0, strerror(errno));
	}
	if (!pid)
		run_line(load, line, said_fd);
	status = wait_for(pid);
	say_again(load, line, said_fd, status);
	fd_close(said_fd);
	return status ? STATUS_FAILED : STATUS_DONE;
}

/* @is_discarded: it was just made, so there is nothing to complete. */
static int remove_session(const char *name, bool is_discarded)
{
	struct tacho_error error;
	struct picked picked = { 0 };
	int status = pick_runtime(&picked.runtime);

	if (status)
		return status;
	picked.is_open = true;
	if (session_open(&picked.runtime, name, &picked.session, &error))
		status = fail_with(&error);
	else if (is_discarded ? session_discard(picked.session, &error) :
				session_destroy(picked.session, &error))
		status = fail_with(&error);
	else
		picked.session = NULL;
	pick_close(&picked);
	return status;
}

static int is_there(const char *name, bool *ret_is_there)
{
	struct picked picked = { 0 };
	int status = pick_runtime(&picked.runtime);

	if (status)
		return status;
	picked.is_open = true;
	*ret_is_there = !session_open(&picked.runtime, name, &picked.session, NULL);
	pick_close(&picked);
	return STATUS_DONE;
}

static int make_room(const struct load *load, bool *ret_is_done)
{
	bool is_taken;
	int status = is_there(load->name, &is_taken);

	*ret_is_done = false;
	if (status || !is_taken)
		return status;
	if (load->options->force)
		return remove_session(load->name, false);
	*ret_is_done = load->options->skip;
	if (*ret_is_done)
		printf("Session '%s' is there already.\n", visible(load->name).text);
	return *ret_is_done ? STATUS_DONE :
			      fail("there is a session '%s' already; tacho load --force replaces "
				   "it, --override-name gives this one another name",
				   load->name);
}

static int do_lines(const struct load *load)
{
	int status = STATUS_DONE;
	int done = 0;

	for (; !status && done < load->count; done++)
		status = do_line(load, &load->lines[done]);
	if (!status) {
		printf("Session '%s' is loaded: %s\n", visible(load->name).text,
		       visible(load->path).text);
		return STATUS_DONE;
	}
	if (done > 1 && !remove_session(load->name, true))
		say(SAY_PLAIN, "the session '%s', as far as it was made, is gone again",
		    load->name);
	return status;
}

static void override_name(struct load *load)
{
	struct load_line *first = &load->lines[0];
	int at = name_word(first);

	free((char *)first->words.word[at]);
	first->words.word[at] = xstrdup(load->options->name);
	free(load->name);
	load->name = xstrdup(load->options->name);
}

int load_file(const char *path, const struct load_options *options)
{
	struct load load = { .path = path, .options = options };
	bool is_done = false;
	int status = read_file(&load);

	if (!status && options->name)
		override_name(&load);
	if (!status)
		status = make_room(&load, &is_done);
	if (!status && !is_done)
		status = do_lines(&load);
	free_lines(&load);
	return status;
}
