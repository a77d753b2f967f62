/* SPDX-License-Identifier: MIT */
/* kernel_wants.c - see kernel_wants.h */
#include "kernel_wants.h"

#include <stdlib.h>
#include <string.h>

#include "base/fd.h"
#include "base/pattern.h"
#include "cmd.h"
#include "kernel/catalog.h"
#include "kernel/tracefs.h"
#include "say.h"
#include "suggest.h"
#include "text.h"

struct search {
	const char *pattern;
	bool is_syscall; /* they are looked for, else all but them */
	bool is_found;
	const char *other;       /* the pattern, or a name, of the other kind; or NULL */
	const char *renamed;     /* what is called so by the kernel; or NULL */
	struct suggestion close; /* to a pattern without a star */
};

/* "sched:sched_switch", as perf has it, "softirq_entry" and "syscall_entry_openat" */
static bool is_called_so(const struct kernel_event *event, const char *name)
{
	size_t system_bytes = strlen(event->system);

	if (!strncmp(name, event->system, system_bytes) && name[system_bytes] == ':')
		name += system_bytes + 1;
	return !strcmp(name, event->event) || !strcmp(name, event->name);
}

static void look_at(struct search *s, const struct kernel_event *event)
{
	const char *name = kernel_event_subject(event);
	bool is_match = pattern_is_match(s->pattern, strlen(s->pattern), name);
	bool is_name = is_called_so(event, s->pattern);

	if (!*name)
		return;
	if (kernel_event_is_syscall(event) != s->is_syscall) {
		if (is_match || is_name)
			s->other = is_match ? s->pattern : name;
		return;
	}
	if (is_match)
		s->is_found = true;
	if (is_name)
		s->renamed = name;
	suggestion_consider(&s->close, name);
}

static int refuse_other_kind(const struct search *s)
{
	char *word = shell_word(s->other);
	int status;

	if (s->is_syscall)
		status = fail("there is no system call '%s', it is an event of the kernel: tacho "
			      "enable-event -k %s",
			      s->pattern, word);
	else
		status = fail("there is no event '%s' of the kernel, it is a system call: tacho "
			      "enable-event -k --syscall %s, or tacho record --syscalls",
			      s->pattern, word);
	free(word);
	return status;
}

static int refuse(const struct search *s)
{
	const char *what = s->is_syscall ? "system call" : "event of the kernel";
	const char *list = s->is_syscall ? "tacho list --syscall" : "tacho list -k";
	const char *meant = s->renamed ? s->renamed : suggestion_word(&s->close);

	if (s->other && !s->renamed)
		return refuse_other_kind(s);
	if (meant)
		return fail("there is no %s '%s'; did you mean '%s'? All of them: %s", what,
			    s->pattern, meant, list);
	return fail("no %s matches '%s'; what there is: %s", what, s->pattern, list);
}

static int search(const struct kernel_catalog *catalog, struct search *s)
{
	for (size_t i = 0; !s->is_found && i < catalog->count; i++)
		look_at(s, &catalog->events[i]);
	return s->is_found ? STATUS_DONE : refuse(s);
}

int kernel_wants(enum tacho_rule_kind kind, const char *pattern)
{
	struct search s = {
		.pattern = pattern,
		.is_syscall = kind == TACHO_RULE_SYSCALL,
		.close = suggestion_for(pattern),
	};
	struct kernel_catalog catalog;
	int tracefs_fd = tracefs_open(NULL);
	int status = STATUS_DONE;

	if (tracefs_fd >= 0 && !kernel_catalog_open(tracefs_fd, &catalog, NULL)) {
		status = search(&catalog, &s);
		kernel_catalog_close(&catalog);
	}
	fd_close(tracefs_fd);
	return status;
}
