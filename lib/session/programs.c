/* SPDX-License-Identifier: MIT */
/* programs.c - list running programs and their events; see session.h */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/event_desc.h"
#include "session/registry.h"
#include "session/state.h"

struct program_list {
	struct program *programs;
	size_t count;
	size_t room;
};

static void add_event(struct program *program, struct program_event *events,
		      const struct registry *registry, uint32_t i)
{
	struct event_desc *desc = registry_event(registry, i);

	if (!desc)
		return;
	events[program->event_count++] = (struct program_event){
		.index = i,
		.state = tacho_load_relaxed(registry_state_of(registry, i)),
		.desc = desc,
	};
}

static void fini_program(struct program *program)
{
	for (uint32_t i = 0; i < program->event_count; i++)
		event_desc_free((struct event_desc *)program->events[i].desc);
	free((void *)program->events);
	free((void *)program->executable);
}

static int init_program(struct program *program, const struct registry *registry)
{
	struct program_event *events = calloc(registry->event_count + 1u, sizeof(*events));

	*program = (struct program){
		.pid = (pid_t)registry->head.pid,
		.uid = registry->head.uid,
		.executable = strdup(registry->head.executable),
		.events = events,
		.attach_failures = registry->head.attach_failures,
		.lost_without_ring = registry->head.lost_without_ring,
	};
	if (!events || !program->executable) {
		fini_program(program);
		return -ENOMEM;
	}
	for (uint32_t i = 0; i < registry->event_count; i++)
		add_event(program, events, registry, i);
	return 0;
}

static int add_program(struct registry *registry, void *arg)
{
	struct program_list *list = arg;
	int ret;

	if (list->count == list->room) {
		size_t room = list->room ? list->room * 2 : 16;
		struct program *grown = realloc(list->programs, room * sizeof(*grown));

		if (!grown)
			return -ENOMEM;
		list->programs = grown;
		list->room = room;
	}
	ret = init_program(&list->programs[list->count], registry);
	list->count += !ret;
	return ret;
}

static int by_pid(const void *a, const void *b)
{
	pid_t x = ((const struct program *)a)->pid;
	pid_t y = ((const struct program *)b)->pid;

	return (x > y) - (x < y);
}

int programs_list(struct runtime *runtime, struct program **ret_programs, size_t *ret_count,
		  struct tacho_error *error)
{
	struct program_list list = { 0 };
	int ret = registries_visit(runtime, add_program, &list);

	if (ret) {
		programs_free(list.programs, list.count);
		return error_set(error, ret, "cannot list the programs in %s/" APPS_DIR ": %s",
				 runtime->path, strerror(-ret));
	}
	if (list.count)
		qsort(list.programs, list.count, sizeof(*list.programs), by_pid);
	*ret_programs = list.programs;
	*ret_count = list.count;
	return 0;
}

void programs_free(struct program *programs, size_t count)
{
	for (size_t i = 0; i < count; i++)
		fini_program(&programs[i]);
	free(programs);
}
