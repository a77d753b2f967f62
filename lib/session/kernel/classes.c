/* SPDX-License-Identifier: MIT */
/* classes.c - see classes.h */
#include "session/kernel/classes.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/event_ids.h"
#include "base/fd.h"
#include "kernel/catalog.h"
#include "kernel/instance.h"
#include "session/state.h"

#define KERNEL_IDS 65536u

struct kernel_classes {
	int tracefs_fd;
	int events_fd;
	struct tacho_events *events;
	struct kernel_catalog catalog;
	uint32_t *event_of;                /* by the kernel's id: 1 + index in the catalog; 0: none */
	struct kernel_class **class;       /* by the kernel's id */
	uint64_t refused[KERNEL_IDS / 64]; /* a bit for each id: it has no class, which was said */
	uint16_t marker;
	int state_id[KERNEL_STATE_KINDS]; /* in the session; 0: not asked for yet */
};

static int map_events(const struct session *session, struct kernel_classes *classes)
{
	classes->events_fd = file_open_at(session->dir_fd, EVENTS_FILE, O_RDWR, 0);
	if (classes->events_fd < 0)
		return classes->events_fd;
	classes->events = mmap(NULL, TACHO_EVENTS_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED,
			       classes->events_fd, 0);
	if (classes->events == MAP_FAILED)
		return -errno;
	return classes->events->magic == TACHO_EVENTS_MAGIC ? 0 : -EBADMSG;
}

static uint16_t read_marker(int tracefs_fd)
{
	struct kernel_format *format = malloc(sizeof(*format));
	uint16_t id = KERNEL_NO_MARKER;

	if (format && !kernel_instance_format(tracefs_fd, "ftrace", "raw_data", format, NULL))
		id = format->id;
	free(format);
	return id;
}

int kernel_classes_open(const struct session *session, int tracefs_fd,
			struct kernel_classes **ret_classes, struct tacho_error *error)
{
	struct kernel_classes *classes = calloc(1, sizeof(*classes));
	int ret;

	if (!classes)
		return error_set(error, -ENOMEM, "no memory for the kernel's events");
	classes->tracefs_fd = tracefs_fd;
	classes->events_fd = -1;
	classes->events = MAP_FAILED;
	classes->class = calloc(KERNEL_IDS, sizeof(*classes->class));
	ret = classes->class ? map_events(session, classes) : -ENOMEM;
	if (!ret) {
		classes->marker = read_marker(tracefs_fd);
		*ret_classes = classes;
		return 0;
	}
	kernel_classes_close(classes);
	return error_set(error, ret, "cannot use the session's event table: %s", strerror(-ret));
}

static void forget_ids(struct kernel_classes *classes)
{
	kernel_catalog_close(&classes->catalog);
	free(classes->event_of);
	classes->event_of = NULL;
}

void kernel_classes_close(struct kernel_classes *classes)
{
	for (uint32_t i = 0; classes->class && i < KERNEL_IDS; i++) {
		if (classes->class[i])
			kernel_recipe_free(classes->class[i]->recipe);
		free(classes->class[i]);
	}
	if (classes->events != MAP_FAILED)
		munmap(classes->events, TACHO_EVENTS_BYTES);
	fd_close(classes->events_fd);
	forget_ids(classes);
	free(classes->class);
	free(classes);
}

/* ---- which event has an id ---- */

static uint32_t read_id(const struct kernel_classes *classes, const struct kernel_event *event)
{
	char path[512], text[16];
	int length = snprintf(path, sizeof(path), "events/%s/%s/id", event->system, event->event);

	if (length < 0 || (size_t)length >= sizeof(path) ||
	    file_read_text(classes->tracefs_fd, path, text, sizeof(text)) < 0)
		return 0;
	return (uint32_t)strtoul(text, NULL, 10);
}

/* All of them: the kernel tells an event's id, but not an id's event. */
static int read_ids(struct kernel_classes *classes, struct tacho_error *error)
{
	int ret = kernel_catalog_open(classes->tracefs_fd, &classes->catalog, error);

	if (ret)
		return ret;
	classes->event_of = calloc(KERNEL_IDS, sizeof(*classes->event_of));
	if (!classes->event_of)
		return error_set(error, -ENOMEM, "no memory for the kernel's events");
	for (size_t i = 0; i < classes->catalog.count; i++) {
		uint32_t id = read_id(classes, &classes->catalog.events[i]);

		if (id < KERNEL_IDS)
			classes->event_of[id] = (uint32_t)i + 1;
	}
	return 0;
}

/* An event may be younger than the list. */
static const struct kernel_event *find_event(struct kernel_classes *classes, uint16_t kernel_id,
					     struct tacho_error *error)
{
	if (classes->event_of && !classes->event_of[kernel_id])
		forget_ids(classes);
	if (!classes->event_of && read_ids(classes, error))
		return NULL;
	if (classes->event_of[kernel_id])
		return &classes->catalog.events[classes->event_of[kernel_id] - 1];
	error_set(error, -ENOENT, "the kernel has no event with the number %u any more", kernel_id);
	return NULL;
}

/* ---- its id in the session ---- */

static int allocate(uint64_t at, uint64_t bytes, void *arg)
{
	const struct kernel_classes *classes = arg;

	return fallocate(classes->events_fd, 0, (off_t)at, (off_t)bytes) ? -ENOSPC : 0;
}

int kernel_classes_id(struct kernel_classes *classes, const struct event_desc *desc,
		      struct tacho_error *error)
{
	struct tacho_desc *bytes = calloc(1, TACHO_DESC_BYTES_MAX);
	int ret = bytes ? event_desc_build(desc, bytes, TACHO_DESC_BYTES_MAX) : -ENOMEM;

	if (ret > 0)
		ret = event_ids_get(classes->events, TACHO_CLASS_KERNEL, bytes, allocate,
				    classes);
	free(bytes);
	return ret > 0 ? ret :
			 error_set(error, ret, "there is no room for the kernel's event '%s': %s",
				   desc->name, strerror(-ret));
}

static uint32_t offset_of(const struct kernel_format *format, const char *name, uint32_t bytes)
{
	for (uint32_t i = 0; i < format->field_count; i++)
		if (!strcmp(format->field[i].name, name) && format->field[i].bytes == bytes)
			return format->field[i].offset;
	return 0;
}

/* Thread names change with exec and with prctl(); the next switch to the thread tells. */
static void find_lesson(const struct kernel_format *format, struct kernel_name_lesson *ret_lesson)
{
	static const struct {
		const char *event, *name, *tid;
	} lessons[] = {
		{ "sched_switch", "next_comm", "next_pid" },
		{ "task_rename", "newcomm", "pid" },
		{ "task_newtask", "comm", "pid" },
		{ "sched_waking", "comm", "pid" },
	};

	ret_lesson->is_exec = !strcmp(format->name, "sys_exit_execve") ||
			      !strcmp(format->name, "sys_exit_execveat") ||
			      !strcmp(format->name, "sched_process_exec");
	if (!strcmp(format->name, "sched_process_exec"))
		ret_lesson->path_at = offset_of(format, "filename", sizeof(uint32_t));
	for (size_t i = 0; i < sizeof(lessons) / sizeof(lessons[0]); i++) {
		if (strcmp(format->name, lessons[i].event))
			continue;
		ret_lesson->name_at = offset_of(format, lessons[i].name, TACHO_THREAD_NAME_BYTES);
		ret_lesson->tid_at = offset_of(format, lessons[i].tid, sizeof(uint32_t));
	}
}

static int make_recipe(const struct kernel_classes *classes, const struct kernel_event *event,
		       struct kernel_class *class, struct tacho_error *error)
{
	struct kernel_format *format = malloc(sizeof(*format));
	int ret;

	if (!format)
		return error_set(error, -ENOMEM, "no memory for the kernel's events");
	ret = kernel_instance_format(classes->tracefs_fd, event->system, event->event, format, error);
	if (!ret)
		ret = kernel_recipe_make(event->system, format, &class->recipe, error);
	if (!ret)
		find_lesson(format, &class->lesson);
	free(format);
	return ret;
}

static struct kernel_class *make(struct kernel_classes *classes, uint16_t kernel_id,
				 struct tacho_error *error)
{
	const struct kernel_event *event = find_event(classes, kernel_id, error);
	struct kernel_class *class = event ? calloc(1, sizeof(*class)) : NULL;
	int id;

	if (!class || make_recipe(classes, event, class, error)) {
		free(class);
		return NULL;
	}
	id = kernel_classes_id(classes, kernel_recipe_desc(class->recipe), error);
	if (id < 0) {
		kernel_recipe_free(class->recipe);
		free(class);
		return NULL;
	}
	class->id = (uint32_t)id;
	class->needs = kernel_recipe_needs(class->recipe);
	class->has_lesson = class->lesson.is_exec || class->lesson.name_at;
	return class;
}

struct kernel_class *const *kernel_classes_known(const struct kernel_classes *classes)
{
	return classes->class;
}

const struct kernel_class *kernel_classes_get(struct kernel_classes *classes, uint16_t kernel_id,
					      struct tacho_error *error)
{
	uint64_t bit = 1ull << kernel_id % 64;

	if (classes->class[kernel_id] || classes->refused[kernel_id / 64] & bit)
		return classes->class[kernel_id];
	classes->class[kernel_id] = make(classes, kernel_id, error);
	if (!classes->class[kernel_id])
		classes->refused[kernel_id / 64] |= bit;
	return classes->class[kernel_id];
}

uint16_t kernel_classes_marker(const struct kernel_classes *classes)
{
	return classes->marker;
}

int kernel_classes_state(struct kernel_classes *classes, enum kernel_state_kind kind,
			 struct tacho_error *error)
{
	if (!classes->state_id[kind])
		classes->state_id[kind] = kernel_classes_id(classes, kernel_state_desc(kind), error);
	return classes->state_id[kind];
}
