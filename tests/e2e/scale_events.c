/* SPDX-License-Identifier: MIT */
/*
 * scale_events.c - a program with many events, as an object of generated code would have them.
 *
 *	scale_events COUNT
 *
 * Registers "many:event_0" to "many:event_<COUNT-1>", says "ready", waits for a line, records each
 * event once, with its number, and says "done".
 */
#include <stdio.h>
#include <stdlib.h>

#include <tacho/abi.h>

#define NAME_BYTES 32

static const struct tacho_field field = { "number", TACHO_TYPE(TACHO_KIND_INTEGER, 4, 0), 0 };
static struct tacho_object object = { TACHO_ABI_VERSION, TACHO_STATE_STALE, NULL, NULL, { 0 } };

/* What the macros of <tacho/event.h> have the compiler make. */
static void make_events(size_t count)
{
	struct tacho_event_info *info = calloc(count, sizeof(*info));
	struct tacho_event *event = calloc(count, sizeof(*event));
	char(*name)[NAME_BYTES] = calloc(count, sizeof(*name));

	object.begin = calloc(count, sizeof(*object.begin));
	if (!info || !event || !name || !object.begin)
		abort();
	for (size_t i = 0; i < count; i++) {
		snprintf(name[i], sizeof(name[i]), "event_%zu", i);
		info[i] = (struct tacho_event_info){
			.provider = "many",
			.name = name[i],
			.fields = &field,
			.field_count = 1,
			.level = 14,
			.file = __FILE__,
			.line = (uint32_t)i,
		};
		event[i] = (struct tacho_event){
			.state = &object.unregistered,
			.hot = (struct tacho_hot *)(void *)object.no_hot,
			.info = &info[i],
		};
		object.begin[i] = &event[i];
	}
	object.end = object.begin + count;
}

static void record(void)
{
	for (struct tacho_event **e = object.begin; e < object.end; e++) {
		if (__atomic_load_n(__atomic_load_n(&(*e)->state, __ATOMIC_RELAXED), __ATOMIC_RELAXED))
			tacho_emit_word(*e, (uint64_t)(e - object.begin), 4);
	}
}

int main(int argc, char **argv)
{
	size_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 0;

	make_events(count);
	tacho_object_register(&object);
	puts("ready");
	fflush(stdout);
	getchar();
	record();
	puts("done");
	return 0;
}
