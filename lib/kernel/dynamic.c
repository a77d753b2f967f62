/* SPDX-License-Identifier: MIT */
/* dynamic.c - see dynamic.h */
#include "kernel/dynamic.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "kernel/tracefs.h"

#define EVENTS     "dynamic_events"
#define NAME_BYTES 160 /* "-:GROUP/NAME" */

/* The log has it without spaces at its end. */
static bool is_command(const char *logged, const char *line)
{
	size_t length = strlen(line);

	while (length && line[length - 1] == ' ')
		length--;
	return !strncmp(logged, line, length) &&
	       strspn(logged + length, " ") == strcspn(logged + length, "\n");
}

/*
 * The last complaint in error_log, if it is about this line. To be freed.
 *
 *      [  12.5] trace_uprobe: error: Invalid register name
 *        Command: p:GROUP/NAME ..
 */
static char *last_complaint(int tracefs_fd, const char *line)
{
	static const char mark[] = ": error: ";
	char *log, *found = NULL, *command;

	if (tracefs_read(tracefs_fd, "error_log", &log) < 0)
		return NULL;
	for (char *at = strstr(log, mark); at; at = strstr(at + 1, mark))
		found = at + strlen(mark);
	command = found ? strstr(found, "Command: ") : NULL;
	if (command && is_command(command + strlen("Command: "), line))
		found = strndup(found, strcspn(found, "\n"));
	else
		found = NULL;
	free(log);
	return found;
}

int kernel_probe_add(int tracefs_fd, const char *line, struct tacho_error *error)
{
	int ret = tracefs_append(tracefs_fd, EVENTS, line);
	char *complaint = ret == -EINVAL ? last_complaint(tracefs_fd, line) : NULL;

	if (ret == -ENOENT || (ret == -EINVAL && !complaint))
		error_set(error, ret,
			  "the kernel does not find the function or the file, or was built without "
			  "such probes (CONFIG_KPROBE_EVENTS, CONFIG_UPROBE_EVENTS): '%s'",
			  line);
	else if (ret)
		error_set(error, ret, "the kernel does not take the probe '%s': %s", line,
			  complaint ? complaint : strerror(-ret));
	free(complaint);
	return ret;
}

/* "p:GROUP/NAME place ..", "r16:GROUP/NAME ..". Return: false: it is no probe. */
static bool take_names(char *line, const char **ret_group, const char **ret_name)
{
	char *colon = strchr(line, ':');
	char *slash = colon ? strchr(colon, '/') : NULL;

	if (!slash)
		return false;
	line[strcspn(line, " ")] = 0;
	*slash = 0;
	*ret_group = colon + 1;
	*ret_name = slash + 1;
	return true;
}

/* Each probe; @each gives true to end. Return: was it ended? */
static bool visit_all(int tracefs_fd,
		      bool (*each)(void *arg, const char *group, const char *name), void *arg)
{
	char *text, *rest;
	bool is_over = false;

	if (tracefs_read(tracefs_fd, EVENTS, &text) < 0)
		return false;
	for (char *line = strtok_r(text, "\n", &rest); line && !is_over;
	     line = strtok_r(NULL, "\n", &rest)) {
		const char *group, *name;

		is_over = take_names(line, &group, &name) && each(arg, group, name);
	}
	free(text);
	return is_over;
}

struct wanted {
	int tracefs_fd;
	const char *group, *name;
	void (*visit)(void *arg, const char *group);
	void *arg;
};

static bool is_wanted(void *arg, const char *group, const char *name)
{
	const struct wanted *w = arg;

	return !strcmp(group, w->group) && !strcmp(name, w->name);
}

bool kernel_probe_is_there(int tracefs_fd, const char *group, const char *name)
{
	struct wanted w = { .group = group, .name = name };

	return visit_all(tracefs_fd, is_wanted, &w);
}

static bool visit_group(void *arg, const char *group, const char *name)
{
	const struct wanted *w = arg;

	(void)name;
	w->visit(w->arg, group);
	return false;
}

void kernel_probes_visit(int tracefs_fd, void (*visit)(void *arg, const char *group), void *arg)
{
	struct wanted w = { .visit = visit, .arg = arg };

	visit_all(tracefs_fd, visit_group, &w);
}

static bool remove_wanted(void *arg, const char *group, const char *name)
{
	const struct wanted *w = arg;
	char line[NAME_BYTES];

	if (!strcmp(group, w->group) && (!w->name || !strcmp(name, w->name)) &&
	    !str_print(line, sizeof(line), "-:%s/%s", group, name))
		tracefs_append(w->tracefs_fd, EVENTS, line);
	return false;
}

void kernel_probes_remove(int tracefs_fd, const char *group, const char *name)
{
	struct wanted w = { .tracefs_fd = tracefs_fd, .group = group, .name = name };

	visit_all(tracefs_fd, remove_wanted, &w);
}
