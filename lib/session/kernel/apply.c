/* SPDX-License-Identifier: MIT */
/* apply.c - see apply.h */
#include "session/kernel/apply.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fd.h"
#include "base/rule.h"
#include "kernel/catalog.h"
#include "kernel/instance.h"
#include "kernel/names.h"
#include "kernel/tracefs.h"
#include "session/kernel/channel.h"
#include "session/state.h"

/* "system:event" of tracefs */
#define FULL_NAME_BYTES (2 * TACHO_NAME_MAX + 2)

struct application {
	const struct session *session;
	int tracefs_fd;
	struct kernel_catalog catalog;
	uint32_t channel;
	int instance_fd;
	int tid; /* to be spared */
	char *enabled; /* "\nsystem:event\n..": what is so already */
};

/* ---- which events ---- */

/* What a rule's pattern is compared with: of a system call its bare name. */
static const char *subject_name(const struct kernel_event *event, enum tacho_rule_kind kind)
{
	static const char *const fronts[] = { "sys_enter_", "sys_exit_" };

	if (kind == TACHO_RULE_TRACEPOINT)
		return event->name;
	for (int i = 0; i < 2; i++)
		if (!strncmp(event->event, fronts[i], strlen(fronts[i])))
			return event->event + strlen(fronts[i]);
	return "";
}

static bool is_wanted(const struct application *a, const struct kernel_event *event)
{
	const struct tacho_session *file = a->session->file;
	bool is_syscall = !strcmp(event->system, KERNEL_SYSCALLS);
	struct rule_subject subject = {
		.kind = is_syscall ? TACHO_RULE_SYSCALL : TACHO_RULE_TRACEPOINT,
		.executable = "",
	};

	subject.event = subject_name(event, subject.kind);
	for (uint32_t i = 0; i < rule_count(file); i++) {
		const struct tacho_rule *rule = &file->rule[i];

		if (rule->channel == a->channel && !rule->trigger &&
		    rule_is_match(file, rule, &subject))
			return true;
	}
	return false;
}

static bool is_enabled(const struct application *a, const char *full_name)
{
	const char *at = a->enabled;
	size_t length = strlen(full_name);

	while ((at = strstr(at, full_name))) {
		if (at[-1] == '\n' && at[length] == '\n')
			return true;
		at += length;
	}
	return false;
}

static int apply_event(const struct application *a, const struct kernel_event *event)
{
	bool wanted = is_wanted(a, event);
	char full_name[FULL_NAME_BYTES];

	snprintf(full_name, sizeof(full_name), "%s:%s", event->system, event->event);
	if (wanted == is_enabled(a, full_name))
		return 0;
	return kernel_instance_enable(a->instance_fd, event->system, event->event, wanted);
}

static int read_enabled(struct application *a)
{
	char *text;
	long ret = tracefs_read(a->instance_fd, "set_event", &text);

	if (ret < 0)
		return (int)ret;
	ret = asprintf(&a->enabled, "\n%s", text) < 0 ? -ENOMEM : 0;
	free(text);
	return (int)ret;
}

/* An event that the kernel does not let anybody enable does not keep the others from it. */
static int apply_events(struct application *a)
{
	int ret = read_enabled(a);

	for (size_t i = 0; a->enabled && i < a->catalog.count; i++) {
		int failed = apply_event(a, &a->catalog.events[i]);

		ret = ret ? ret : failed;
	}
	free(a->enabled);
	a->enabled = NULL;
	return ret;
}

/* ---- of whom ---- */

static int apply_trackers(const struct application *a)
{
	const struct tacho_session *file = a->session->file;
	uint32_t kinds = 1u << TACHO_TRACK_VPID | 1u << TACHO_TRACK_DESCENDANTS;
	int ret = 0;

	if (!(file->tracked_kinds & kinds))
		return kernel_instance_follow_all(a->instance_fd);
	for (uint32_t i = 0; !ret && i < TACHO_TRACKERS_MAX; i++) {
		const struct tacho_tracker *tracker = &file->tracker[i];

		if (tracker->is_used && 1u << (tracker->kind & 31) & kinds)
			ret = kernel_instance_follow(a->instance_fd, (int)tracker->id,
						     tracker->kind == TACHO_TRACK_DESCENDANTS);
	}
	return ret;
}

static int apply_channel(struct application *a)
{
	const struct tacho_session *file = a->session->file;
	bool is_on = file->state == TACHO_SESSION_ACTIVE &&
		     !file->channel[a->channel].is_disabled;
	int ret;

	a->instance_fd = kernel_channel_open(a->session, a->channel, a->tracefs_fd);
	if (a->instance_fd < 0)
		return a->instance_fd;
	ret = is_on ? 0 : kernel_instance_switch(a->instance_fd, false);
	if (!ret)
		ret = apply_trackers(a);
	if (!ret)
		ret = apply_events(a);
	if (!ret && is_on)
		ret = kernel_instance_switch(a->instance_fd, true);
	fd_close(a->instance_fd);
	return ret;
}

/* Of each of its channels for the kernel. Return: the first failure. */
static int visit(const struct session *session, int (*apply)(struct application *a), int tid)
{
	const struct tacho_session *file = session->file;
	struct application a = { .session = session, .tid = tid };
	int ret;

	a.tracefs_fd = tracefs_open(NULL);
	if (a.tracefs_fd < 0)
		return a.tracefs_fd;
	ret = kernel_catalog_open(a.tracefs_fd, &a.catalog, NULL);
	for (; !ret && a.channel < file->channel_count && a.channel < TACHO_CHANNELS_MAX; a.channel++)
		if (file->channel[a.channel].domain == TACHO_DOMAIN_KERNEL)
			ret = apply(&a);
	kernel_catalog_close(&a.catalog);
	fd_close(a.tracefs_fd);
	return ret;
}

int kernel_apply(const struct session *session)
{
	if (!session_has_kernel(session) || session->file->state == TACHO_SESSION_DEAD)
		return 0;
	return visit(session, apply_channel, 0);
}

static int spare(struct application *a)
{
	a->instance_fd = kernel_channel_open(a->session, a->channel, a->tracefs_fd);
	if (a->instance_fd >= 0)
		kernel_instance_spare(a->instance_fd, a->tid);
	fd_close(a->instance_fd);
	return 0;
}

void kernel_session_spare(const struct session *session, int tid)
{
	if (session_has_kernel(session))
		visit(session, spare, tid);
}
