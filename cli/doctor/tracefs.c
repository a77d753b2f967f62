/* SPDX-License-Identifier: MIT */
/* tracefs.c - may the kernel's events be recorded, and which of them? */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/fd.h"
#include "doctor.h"
#include "kernel/tracefs.h"

/* What there is if tracefs has the file. */
static const struct {
	const char *file, *what, *option;
} features[] = {
	{ "events/sched/sched_switch", "tracepoints", "CONFIG_EVENT_TRACING" },
	{ "events/syscalls", "system calls", "CONFIG_FTRACE_SYSCALLS" },
	{ "uprobe_events", "probes of programs", "CONFIG_UPROBE_EVENTS" },
	{ "kprobe_events", "probes of the kernel", "CONFIG_KPROBE_EVENTS" },
};
#define FEATURES (sizeof(features) / sizeof(features[0]))

static void append(char *list, size_t size, const char *separator, const char *text)
{
	size_t used = strlen(list);

	snprintf(list + used, size - used, "%s%s", used ? separator : "", text);
}

static void list_features(int tracefs_fd, char *ret_has, char *ret_lacks, size_t size)
{
	*ret_has = *ret_lacks = 0;
	for (size_t i = 0; i < FEATURES; i++) {
		if (!faccessat(tracefs_fd, features[i].file, F_OK, 0)) {
			append(ret_has, size, ", ", features[i].what);
			continue;
		}
		append(ret_lacks, size, ", ", features[i].what);
		append(ret_lacks, size, "", " (");
		append(ret_lacks, size, "", features[i].option);
		append(ret_lacks, size, "", ")");
	}
}

static void tell_features(struct findings *all, int tracefs_fd)
{
	char has[160], lacks[160];

	list_features(tracefs_fd, has, lacks, sizeof(has));
	if (!*has)
		found_mend(found(all, "kernel events", VERDICT_WARN, "this kernel has none"),
			   "a kernel with CONFIG_EVENT_TRACING, if they are wanted");
	else if (*lacks)
		found(all, "kernel events", VERDICT_OK, "%s; this kernel was built without %s", has,
		      lacks);
	else
		found(all, "kernel events", VERDICT_OK, "%s", has);
}

/* What programs do is recorded without any of it. */
void doctor_tracefs(struct findings *all)
{
	struct tacho_error error = { .text = "" };
	int tracefs_fd = tracefs_open(&error);

	if (tracefs_fd >= 0)
		tell_features(all, tracefs_fd);
	else if (geteuid())
		found(all, "kernel events", VERDICT_OK, "are for root; programs' events for everyone");
	else
		found_mend(found(all, "kernel events", VERDICT_WARN, "cannot be recorded"), "%s",
			   error.text);
	fd_close(tracefs_fd);
}
