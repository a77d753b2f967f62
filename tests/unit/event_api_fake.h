/* SPDX-License-Identifier: MIT */
/*
 * event_api_fake.h - a libtacho for the tests of <tacho/event.h>: it remembers the last event as
 * the bytes that a ring would hold, and how it came. An event is recorded while its name is the
 * one given to fake_enable(), or all are.
 *
 * The functions are weak, so that several units of one program may include this.
 */
#ifndef TACHO_TESTS_EVENT_API_FAKE_H
#define TACHO_TESTS_EVENT_API_FAKE_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "tacho/abi.h"

#define FAKE_EVENTS 256

struct fake {
	uint32_t state[FAKE_EVENTS];
	struct tacho_event *event[FAKE_EVENTS]; /* NULL: unregistered */
	uint32_t event_count;
	uint32_t object_count; /* registered and not unregistered */
	struct tacho_object *objects[16];
	char enabled[600]; /* "provider:name", "*" for all, "" for none */
	/* Of what was recorded: */
	uint32_t hits;
	uint32_t words; /* hits that came by tacho_emit_word() */
	uint32_t part_count;
	const struct tacho_event_info *info;
	uint32_t payload_bytes;
	unsigned char payload[8192];
	char names[2048]; /* of all hits, each followed by a space */
};

#ifdef __cplusplus
extern "C" {
#endif

extern struct fake fake;
int fake_is_enabled(const struct tacho_event_info *info);
void fake_enable(const char *name);
void fake_reset(void);
void fake_register_event(struct tacho_event *event);
int fake_hit(struct tacho_event *event);
void fake_append(const void *data, uint32_t bytes);
uint32_t fake_count_events(const char *name);

__attribute__((weak)) struct fake fake;

__attribute__((weak)) int fake_is_enabled(const struct tacho_event_info *info)
{
	char name[600];

	snprintf(name, sizeof(name), "%s:%s", info->provider, info->name);
	return strcmp(fake.enabled, "*") == 0 || strcmp(fake.enabled, name) == 0;
}

__attribute__((weak)) void fake_enable(const char *name)
{
	snprintf(fake.enabled, sizeof(fake.enabled), "%s", name);
	for (uint32_t i = 0; i < fake.event_count; i++) {
		if (fake.event[i])
			fake.state[i] = (uint32_t)fake_is_enabled(fake.event[i]->info);
	}
}

/* Forget what was recorded. */
__attribute__((weak)) void fake_reset(void)
{
	fake.hits = fake.words = fake.part_count = fake.payload_bytes = 0;
	fake.info = NULL;
	fake.names[0] = 0;
}

__attribute__((weak)) void fake_register_event(struct tacho_event *event)
{
	const uint32_t i = fake.event_count;

	if (*event->state != TACHO_STATE_STALE || i == FAKE_EVENTS)
		return;
	fake.event[i] = event;
	fake.state[i] = (uint32_t)fake_is_enabled(event->info);
	event->state = &fake.state[i];
	fake.event_count++;
}

__attribute__((weak)) void tacho_object_register(struct tacho_object *object)
{
	for (uint32_t i = 0; i < fake.object_count; i++) {
		if (fake.objects[i] == object)
			return;
	}
	fake.objects[fake.object_count++] = object;
	for (struct tacho_event **e = object->begin; e < object->end; e++) {
		if (*e)
			fake_register_event(*e);
	}
}

__attribute__((weak)) void tacho_object_unregister(struct tacho_object *object)
{
	for (uint32_t i = 0; i < fake.object_count; i++) {
		if (fake.objects[i] == object)
			fake.objects[i] = fake.objects[--fake.object_count];
	}
	for (struct tacho_event **e = object->begin; e < object->end; e++) {
		for (uint32_t i = 0; i < fake.event_count; i++) {
			if (*e && fake.event[i] == *e) {
				(*e)->state = &object->unregistered;
				fake.event[i] = NULL;
			}
		}
	}
}

/* Whether the event is recorded now; the first hit may come before its object is registered. */
__attribute__((weak)) int fake_hit(struct tacho_event *event)
{
	if (*event->state == TACHO_STATE_STALE) {
		tacho_object_register((struct tacho_object *)(void *)((char *)event->state -
				      offsetof(struct tacho_object, unregistered)));
		fake_register_event(event);
	}
	if (!*event->state)
		return 0;
	fake.hits++;
	fake.info = event->info;
	fake.payload_bytes = 0;
	snprintf(fake.names + strlen(fake.names), sizeof(fake.names) - strlen(fake.names), "%s ",
		 event->info->name);
	return 1;
}

__attribute__((weak)) void fake_append(const void *data, uint32_t bytes)
{
	if (fake.payload_bytes + bytes <= sizeof(fake.payload))
		memcpy(fake.payload + fake.payload_bytes, data, bytes);
	fake.payload_bytes += bytes;
}

__attribute__((weak)) void tacho_emit_word(struct tacho_event *event, uint64_t payload,
					   uint64_t bytes)
{
	if (!fake_hit(event))
		return;
	fake.words++;
	fake_append(&payload, (uint32_t)bytes);
}

__attribute__((weak)) void tacho_emit_parts(struct tacho_event *event,
					    const struct tacho_part *parts, uint32_t count)
{
	if (!fake_hit(event))
		return;
	fake.part_count = count;
	for (uint32_t i = 0; i < count; i++) {
		fake_append(parts[i].data, parts[i].bytes);
		if (parts[i].is_string)
			fake_append("", 1);
	}
}

__attribute__((weak)) void tacho_emit_parts_from(struct tacho_event *event,
						 const struct tacho_part *parts, uint32_t count,
						 const void *caller)
{
	(void)caller;
	tacho_emit_parts(event, parts, count);
}

/* How many different events of this name are registered. */
__attribute__((weak)) uint32_t fake_count_events(const char *name)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < fake.event_count; i++)
		count += fake.event[i] && strcmp(fake.event[i]->info->name, name) == 0;
	return count;
}

#ifdef __cplusplus
}
#endif

#endif
