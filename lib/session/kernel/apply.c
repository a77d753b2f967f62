/* SPDX-License-Identifier: MIT */
/* apply.c - see apply.h */
#include "session/kernel/apply.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fd.h"
#include "kernel/catalog.h"
#include "kernel/instance.h"
#include "kernel/tracefs.h"
#include "session/kernel/channel.h"
#include "session/kernel/filters.h"
#include "session/kernel/recorder.h"
#include "session/state.h"

/* "system:event" of tracefs */
#define FULL_NAME_BYTES (2 * TACHO_NAME_MAX + 2)

struct application {
	const struct session *session;
	int tracefs_fd;
	struct kernel_catalog catalog;
	uint32_t channel;
	int instance_fd;
	char *enabled; /* "\nsystem:event\n..": what is so already */
	struct tacho_error *error;
};

/* ---- which events ---- */

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

static int set_refused(const struct application *a, const struct kernel_event *event,
		       const struct kernel_condition *condition, int err)
{
	if (!condition->text)
		return error_set(a->error, err, "the kernel does not enable its event '%s': %s",
				 event->name, strerror(-err));
	return error_set(a->error, err,
			 "the kernel does not take the filter of its event '%s': %s: '%s'", event->name,
			 strerror(-err), condition->text);
}

/* The filter first: nothing that it rejects is recorded. */
static int set_event(const struct application *a, const struct kernel_event *event,
		     const struct kernel_condition *condition)
{
	bool is_wanted = condition->verdict != KERNEL_NEVER, was_enabled;
	char full_name[FULL_NAME_BYTES];
	int ret = 0;

	snprintf(full_name, sizeof(full_name), "%s:%s", event->system, event->event);
	was_enabled = is_enabled(a, full_name);
	if (!is_wanted && !was_enabled)
		return 0;
	if (!is_wanted)
		ret = kernel_instance_enable(a->instance_fd, event->system, event->event, false);
	if (!ret)
		ret = kernel_instance_filter(a->instance_fd, event->system, event->event,
					     condition->text);
	if (!ret && is_wanted && !was_enabled)
		ret = kernel_instance_enable(a->instance_fd, event->system, event->event, true);
	return ret ? set_refused(a, event, condition, ret) : 0;
}

static int apply_event(const struct application *a, const struct kernel_event *event)
{
	struct kernel_condition condition = { KERNEL_NEVER, NULL };
	int ret = kernel_filters_make(a->session, a->channel, a->tracefs_fd, event, &condition,
				      a->error);

	if (!ret)
		ret = set_event(a, event, &condition);
	kernel_condition_end(&condition);
	return ret;
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
		const struct kernel_event *event = &a->catalog.events[i];
		int failed = kernel_event_is_state(event) ? 0 : apply_event(a, event);

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

static int apply_instance(struct application *a, bool is_on)
{
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

static int apply_channel(struct application *a)
{
	const struct tacho_session *file = a->session->file;
	const struct tacho_channel *channel = &file->channel[a->channel];
	bool is_on = file->state == TACHO_SESSION_ACTIVE && !channel->is_disabled;

	if (!channel_is_of_module(channel))
		return apply_instance(a, is_on);
	return recorder_apply(a->session, a->channel, a->tracefs_fd, &a->catalog, is_on, a->error);
}

/* Of each of its channels for the kernel. Return: the first failure. */
static int apply_channels(const struct session *session, struct tacho_error *error)
{
	const struct tacho_session *file = session->file;
	struct application a = { .session = session, .error = error };
	int ret;

	a.tracefs_fd = tracefs_open(error);
	if (a.tracefs_fd < 0)
		return a.tracefs_fd;
	ret = kernel_catalog_open(a.tracefs_fd, &a.catalog, error);
	for (; !ret && a.channel < file->channel_count && a.channel < TACHO_CHANNELS_MAX; a.channel++)
		if (file->channel[a.channel].domain == TACHO_DOMAIN_KERNEL)
			ret = apply_channel(&a);
	kernel_catalog_close(&a.catalog);
	fd_close(a.tracefs_fd);
	return ret;
}

int kernel_apply(const struct session *session, struct tacho_error *error)
{
	if (!session_has_kernel(session) || session->file->state == TACHO_SESSION_DEAD)
		return 0;
	return apply_channels(session, error);
}
