/* SPDX-License-Identifier: MIT */
/* recorder.c - see recorder.h */
#include "session/kernel/recorder.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fd.h"
#include "kernel/instance.h"
#include "kernel/layout.h"
#include "kernel/module.h"
#include "kernel/recipe.h"
#include "ring/rings.h"
#include "session/kernel/channel.h"
#include "session/kernel/classes.h"
#include "session/kernel/filters.h"
#include "session/state.h"

#define IDS (TACHO_ID_MEDIUM_MAX + 1u)

bool channel_is_of_module(const struct tacho_channel *channel)
{
	return channel->domain == TACHO_DOMAIN_KERNEL &&
	       channel->kernel_tracer == TACHO_KERNEL_TRACER_MODULE;
}

static struct tacho_recorder_name name_of(int dir_fd, const struct tacho_session *file,
					  uint32_t channel)
{
	return (struct tacho_recorder_name){
		.session_instance = file->instance,
		.directory = kernel_directory_of(dir_fd),
		.channel = channel,
	};
}

/* ---- which of the two ---- */

static int check_module(struct tacho_error *error)
{
	struct kernel_types types;
	int fd = kernel_module_open(error);
	int ret = fd < 0 ? fd : kernel_types_open(&types, error);

	fd_close(fd);
	if (!ret)
		kernel_types_close(&types);
	return ret;
}

static int set_wrong_tracer(const char *asked, struct tacho_error *error)
{
	return error_set(error, -EINVAL,
			 KERNEL_TRACER_VARIABLE " is '%s'; what there is: module, tracefs", asked);
}

static void use_module(struct tacho_channel *channel)
{
	uint32_t count = channel->subbuf_count;

	while (count & (count - 1))
		count &= count - 1;
	channel->subbuf_count = count;
	channel->stride = TACHO_RING_CONTROL_BYTES + ((uint64_t)count << channel->subbuf_shift);
	channel->kernel_tracer = TACHO_KERNEL_TRACER_MODULE;
}

int recorder_choose(struct tacho_channel *channel, struct tacho_error *error)
{
	const char *asked = getenv(KERNEL_TRACER_VARIABLE);
	bool is_forced = asked && !strcmp(asked, "module");
	bool may_be = channel->kernel_tracer == TACHO_KERNEL_TRACER_MODULE &&
		      channel->mode != TACHO_MODE_BLOCK;
	int ret;

	channel->kernel_tracer = TACHO_KERNEL_TRACER_TRACEFS;
	if (asked && !is_forced && strcmp(asked, "tracefs"))
		return set_wrong_tracer(asked, error);
	if ((asked && !is_forced) || !may_be)
		return 0;
	ret = check_module(is_forced ? error : NULL);
	if (!ret)
		use_module(channel);
	return is_forced ? ret : 0;
}

/* ---- its rings ---- */

static int attach(int module_fd, int dir_fd, const struct tacho_session *file,
		  const struct tacho_channel *channel, uint32_t index, struct tacho_error *error)
{
	struct tacho_module_attach call = { .name = name_of(dir_fd, file, index) };
	char name[NAME_MAX + 1];
	struct rings rings;
	int ret = session_ring_file(channel, TACHO_WRITER_KERNEL, name);

	if (!ret)
		ret = rings_open(dir_fd, name, &rings, error);
	if (ret)
		return ret;
	call.rings_address = (uintptr_t)rings.map;
	call.rings_bytes = rings.map_bytes;
	ret = kernel_module_call(module_fd, TACHO_MODULE_ATTACH, &call);
	rings_close(&rings);
	if (!ret || ret == -EEXIST)
		return 0;
	return error_set(error, ret, "the module does not take the buffers of channel '%s': %s",
			 channel->name, strerror(-ret));
}

int recorder_make(int dir_fd, const struct tacho_session *file, const struct tacho_channel *channel,
		  uint32_t index, struct tacho_error *error)
{
	int fd = kernel_module_open(error);
	int ret = fd < 0 ? fd : attach(fd, dir_fd, file, channel, index, error);

	fd_close(fd);
	return ret;
}

/* ---- of whom ---- */

static int say_whom(int module_fd, const struct tacho_recorder_name *name, enum tacho_whom whom, int tid)
{
	struct tacho_module_whom call = { .name = *name, .whom = whom, .tid = (uint32_t)tid };

	return kernel_module_call(module_fd, TACHO_MODULE_WHOM, &call);
}

/* A thread that has ended is tracked no more. */
static int track(int module_fd, const struct tacho_recorder_name *name,
		 const struct tacho_tracker *tracker)
{
	bool is_family = tracker->kind == TACHO_TRACK_DESCENDANTS;
	int ret;

	if (!tracker->is_used || (!is_family && tracker->kind != TACHO_TRACK_VPID))
		return 0;
	ret = say_whom(module_fd, name, is_family ? TACHO_WHOM_DESCENDANTS : TACHO_WHOM_THREAD,
		       (int)tracker->id);
	return ret == -ESRCH ? 0 : ret;
}

static int apply_trackers(int module_fd, const struct tacho_recorder_name *name,
			  const struct tacho_session *file)
{
	uint32_t kinds = 1u << TACHO_TRACK_VPID | 1u << TACHO_TRACK_DESCENDANTS;
	int ret = 0;

	if (!(file->tracked_kinds & kinds))
		return say_whom(module_fd, name, TACHO_WHOM_ALL, 0);
	for (uint32_t i = 0; !ret && i < TACHO_TRACKERS_MAX; i++)
		ret = track(module_fd, name, &file->tracker[i]);
	return ret;
}

static void spare(const struct session *session, uint32_t channel, int tid)
{
	struct tacho_recorder_name name = name_of(session->dir_fd, session->file, channel);
	int fd = kernel_module_open(NULL);

	if (fd >= 0)
		say_whom(fd, &name, TACHO_WHOM_SPARE, tid);
	fd_close(fd);
}

uint64_t recorders_spare(const struct session *session, int tid, uint64_t spared)
{
	const struct tacho_session *file = session->file;

	for (uint32_t i = 0; i < file->channel_count && i < TACHO_CHANNELS_MAX; i++) {
		if (spared >> i & 1 || !channel_is_of_module(&file->channel[i]) || file->mirror_of)
			continue;
		spare(session, i, tid);
		spared |= 1ull << i;
	}
	return spared;
}

/* ---- which events ---- */

struct recording {
	const struct session *session;
	uint32_t channel;
	int tracefs_fd;
	int module_fd;
	struct tacho_recorder_name name;
	struct kernel_types types;
	struct kernel_classes *classes;
	struct kernel_format *format;
	uint64_t *is_wanted; /* a bit for each id */
	struct tacho_error *error;
};

/* What a pattern matches besides others may be left out; what is asked for by its name may not. */
static bool is_asked_for(const struct recording *r, const struct kernel_event *event)
{
	const struct tacho_session *file = r->session->file;
	const char *name = kernel_event_subject(event);

	for (uint32_t i = 0; i < TACHO_RULES_MAX; i++)
		if (file->rule[i].enabled == TACHO_RULE_ENABLED &&
		    file->rule[i].channel == r->channel &&
		    !strncmp(file->rule[i].pattern, name, sizeof(file->rule[i].pattern)))
			return true;
	return false;
}

static int say_event(struct recording *r, const struct kernel_event *event,
		     const struct kernel_layout *layout)
{
	struct tacho_module_event call = layout->event;
	int id = kernel_classes_id(r->classes, kernel_recipe_desc(layout->recipe), r->error);
	int ret;

	if (id < 0)
		return id;
	if (id > TACHO_ID_MEDIUM_MAX)
		return error_set(r->error, -ENOSPC,
				 "the session has too many events for the kernel module to record "
				 "'%s' besides", event->name);
	call.name = r->name;
	call.event_id = (uint32_t)id;
	r->is_wanted[id / 64] |= 1ull << id % 64;
	ret = kernel_module_call(r->module_fd, TACHO_MODULE_EVENT, &call);
	if (!ret || ret == -EEXIST)
		return 0;
	return error_set(r->error, ret, "the module does not record the kernel's event '%s': %s",
			 event->name, strerror(-ret));
}

static int add_event(struct recording *r, const struct kernel_event *event)
{
	struct kernel_layout *layout = NULL;
	int ret = kernel_instance_format(r->tracefs_fd, event->system, event->event, r->format,
					 r->error);

	if (!ret)
		ret = kernel_layout_make(&r->types, event, r->format, &layout, r->error);
	if (!ret)
		ret = say_event(r, event, layout);
	kernel_layout_free(layout);
	return ret && !is_asked_for(r, event) ? 0 : ret;
}

static int apply_event(struct recording *r, const struct kernel_event *event)
{
	struct kernel_condition condition = { KERNEL_NEVER, NULL };
	int ret = kernel_filters_make(r->session, r->channel, r->tracefs_fd, event, &condition,
				      r->error);

	if (!ret && condition.verdict != KERNEL_NEVER)
		ret = add_event(r, event);
	kernel_condition_end(&condition);
	return ret;
}

static int forget_others(const struct recording *r)
{
	struct tacho_module_next next = { .name = r->name };
	int ret = 0;

	while (!ret && !kernel_module_call(r->module_fd, TACHO_MODULE_NEXT, &next)) {
		struct tacho_module_forget forget = { .name = r->name, .event_id = next.event_id };
		uint32_t id = next.event_id % IDS;

		if (!(r->is_wanted[id / 64] >> id % 64 & 1))
			ret = kernel_module_call(r->module_fd, TACHO_MODULE_FORGET, &forget);
	}
	return ret;
}

static int open_recording(struct recording *r)
{
	int ret = kernel_types_open(&r->types, r->error);

	if (ret)
		return ret;
	r->format = malloc(sizeof(*r->format));
	r->is_wanted = calloc(IDS / 64, sizeof(*r->is_wanted));
	if (!r->format || !r->is_wanted)
		return error_set(r->error, -ENOMEM, "no memory for the kernel's events");
	return kernel_classes_open(r->session, r->tracefs_fd, &r->classes, r->error);
}

static void close_recording(struct recording *r)
{
	if (r->classes)
		kernel_classes_close(r->classes);
	free(r->format);
	free(r->is_wanted);
	kernel_types_close(&r->types);
}

static int apply_events(struct recording *r, const struct kernel_catalog *catalog)
{
	int ret = open_recording(r), failed;

	if (!ret) {
		for (size_t i = 0; i < catalog->count; i++) {
			failed = apply_event(r, &catalog->events[i]);
			ret = ret ? ret : failed;
		}
		failed = forget_others(r);
		ret = ret ? ret : failed;
	}
	close_recording(r);
	return ret;
}

static int forget_all(const struct recording *r)
{
	struct tacho_module_forget forget = { .name = r->name };

	return kernel_module_call(r->module_fd, TACHO_MODULE_FORGET, &forget);
}

int recorder_apply(const struct session *session, uint32_t channel, int tracefs_fd,
		   const struct kernel_catalog *catalog, bool is_on, struct tacho_error *error)
{
	const struct tacho_session *file = session->file;
	struct recording r = {
		.session = session,
		.channel = channel,
		.tracefs_fd = tracefs_fd,
		.name = name_of(session->dir_fd, file, channel),
		.error = error,
	};
	int ret;

	r.module_fd = kernel_module_open(error);
	if (r.module_fd < 0)
		return r.module_fd;
	ret = attach(r.module_fd, session->dir_fd, file, &file->channel[channel], channel, error);
	/* Whoever says so is left out. What it starts is not, if it is tracked with its descendants. */
	if (!ret)
		ret = say_whom(r.module_fd, &r.name, TACHO_WHOM_SPARE, getpid());
	if (!ret)
		ret = apply_trackers(r.module_fd, &r.name, file);
	if (!ret)
		ret = is_on ? apply_events(&r, catalog) : forget_all(&r);
	fd_close(r.module_fd);
	return ret;
}

/* ---- the end ---- */

void recorders_remove(const struct session *session)
{
	const struct tacho_session *file = session->file;
	int fd = -1;

	for (uint32_t i = 0; i < file->channel_count && i < TACHO_CHANNELS_MAX; i++) {
		struct tacho_recorder_name name = name_of(session->dir_fd, file, i);

		if (!channel_is_of_module(&file->channel[i]) || file->mirror_of)
			continue;
		fd = fd < 0 ? kernel_module_open(NULL) : fd;
		if (fd >= 0)
			kernel_module_call(fd, TACHO_MODULE_DETACH, &name);
	}
	fd_close(fd);
}

bool recorders_clean(uint64_t directory, bool (*is_of_living)(void *arg, uint64_t instance), void *arg)
{
	struct tacho_module_look look = { .index = 0 };
	int fd = kernel_module_open(NULL);
	bool is_left = false;

	while (fd >= 0 && !kernel_module_call(fd, TACHO_MODULE_LOOK, &look)) {
		bool is_ours = look.name.directory == directory;
		bool stays = !is_ours || is_of_living(arg, look.name.session_instance);

		is_left |= is_ours && stays;
		if (stays || kernel_module_call(fd, TACHO_MODULE_DETACH, &look.name))
			look.index++;
	}
	fd_close(fd);
	return is_left;
}
