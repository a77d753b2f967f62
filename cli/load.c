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
#include "load_file.h"
#include "options.h"
#include "pick.h"
#include "say.h"
#include "session/current.h"
#include "text.h"

#define SAID_BYTES 4096

struct load {
	struct load_file file;
	const struct load_options *options;
	bool was_current; /* the session that it replaces */
};

/* ---- a line, in a process of its own ---- */

/* What is said otherwise: the output that the caller chose, the session that is presumed. */
static bool is_dropped(const struct load *load, const struct load_line *line,
		       const struct word_class *class)
{
	const char *option = class->option ? class->option->longName : NULL;

	if (!load_line_is_create(line))
		return load_line_names_session(line, class) ||
		       (option && !strcmp(option, "session"));
	return load->options->output && option &&
	       (!strcmp(option, "output") || !strcmp(option, "set-url"));
}

/* words[0] is where options_run() puts the name. To be freed as an array. */
static const char **words_to_run(const struct load *load, const struct load_line *line)
{
	const char **words = xcalloc((size_t)line->words.count + 4, sizeof(*words));
	int to = 1;

	if (load_line_is_create(line) && load->options->output) {
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
	pick_presume(load->file.name);
	status = options_run(line->command, count_words(words), words);
	fflush(NULL);
	_exit(status);
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

	say(kind, "%s:%d:%d: %s", load->file.path, line->words.line[word], line->words.column[word],
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
		return load_file_fail(&load->file, line, 0, strerror(errno));
	}
	if (!pid)
		run_line(load, line, said_fd);
	status = wait_for(pid);
	say_again(load, line, said_fd, status);
	fd_close(said_fd);
	return status ? STATUS_FAILED : STATUS_DONE;
}

/* ---- the session ---- */

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

static bool is_current(struct runtime *runtime, const char *name)
{
	char current[TACHO_SESSION_NAME_BYTES];

	return !current_get(runtime, current) && !strcmp(current, name);
}

static int is_there(struct load *load, bool *ret_is_there)
{
	const char *name = load->file.name;
	struct picked picked = { 0 };
	int status = pick_runtime(&picked.runtime);

	if (status)
		return status;
	picked.is_open = true;
	*ret_is_there = !session_open(&picked.runtime, name, &picked.session, NULL);
	load->was_current = *ret_is_there && is_current(&picked.runtime, name);
	pick_close(&picked);
	return STATUS_DONE;
}

/* What took the place of the current session is current as well. */
static int make_current(const char *name)
{
	struct picked picked = { 0 };
	struct tacho_error error;
	int status = pick_runtime(&picked.runtime);

	if (status)
		return status;
	picked.is_open = true;
	if (session_open(&picked.runtime, name, &picked.session, &error) ||
	    current_set(&picked.runtime, picked.session, &error))
		status = fail_with(&error);
	pick_close(&picked);
	return status;
}

static int make_room(struct load *load, bool *ret_is_done)
{
	bool is_taken;
	int status = is_there(load, &is_taken);

	*ret_is_done = false;
	if (status || !is_taken)
		return status;
	if (load->options->force)
		return remove_session(load->file.name, false);
	*ret_is_done = load->options->skip;
	if (*ret_is_done)
		printf("Session '%s' is there already.\n", visible(load->file.name).text);
	return *ret_is_done ? STATUS_DONE :
			      fail("there is a session '%s' already; tacho load --force replaces "
				   "it, --override-name gives this one another name",
				   load->file.name);
}

static int do_lines(const struct load *load)
{
	int status = STATUS_DONE;
	int done = 0;

	for (; !status && done < load->file.count; done++)
		status = do_line(load, &load->file.lines[done]);
	if (!status) {
		printf("Session '%s' is loaded: %s\n", visible(load->file.name).text,
		       visible(load->file.path).text);
		return load->was_current ? make_current(load->file.name) : STATUS_DONE;
	}
	if (done > 1 && !remove_session(load->file.name, true))
		say(SAY_PLAIN, "the session '%s', as far as it was made, is gone again",
		    load->file.name);
	return status;
}

int load_file(const char *path, const struct load_options *options)
{
	struct load load = { .options = options };
	bool is_done = false;
	int status = load_file_read(path, &load.file);

	if (!status && options->name)
		load_file_rename(&load.file, options->name);
	if (!status)
		status = make_room(&load, &is_done);
	if (!status && !is_done)
		status = do_lines(&load);
	load_file_free(&load.file);
	return status;
}
