/* SPDX-License-Identifier: MIT */
/*
 * classes.h - what the kernel's event ids mean: how to make a record of one (kernel/recipe.h), and what
 * its id is in the session's event table. Found out when an id is met for the first time.
 */
#ifndef TACHO_SESSION_KERNEL_CLASSES_H
#define TACHO_SESSION_KERNEL_CLASSES_H

#include "kernel/recipe.h"
#include "kernel/state_events.h"
#include "session/session.h"

/* Where an event tells what a thread is called; name_at 0: it does not. */
struct kernel_name_lesson {
	bool is_exec;     /* whatever it was called, it is called otherwise now: */
	uint32_t path_at; /* as the word here, a KERNEL_DATA_LOC, says; 0: that is not told */
	uint32_t name_at; /* 16 characters */
	uint32_t tid_at;  /* 0: of the thread that it happens to */
};

struct kernel_class {
	uint32_t id; /* in the session */
	struct kernel_name_lesson lesson;
	bool has_lesson;
	struct kernel_recipe_needs needs;
	struct kernel_recipe *recipe;
};

struct kernel_classes;

#define KERNEL_NO_MARKER 0u

int kernel_classes_open(const struct session *session, int tracefs_fd,
			struct kernel_classes **ret_classes, struct tacho_error *error);
void kernel_classes_close(struct kernel_classes *classes);

/* kernel_classes_id() - the id of a description in the session. Return: or a negative errno, with words */
int kernel_classes_id(struct kernel_classes *classes, const struct event_desc *desc,
		      struct tacho_error *error);

/* kernel_classes_known() - by the kernel's id, those that were got: enough for nearly every event */
struct kernel_class *const *kernel_classes_known(const struct kernel_classes *classes);

/* kernel_classes_get() - NULL: such an event cannot be recorded; @error says why, the first time */
const struct kernel_class *kernel_classes_get(struct kernel_classes *classes, uint16_t kernel_id,
					      struct tacho_error *error);

/* kernel_classes_marker() - the kernel's id of what tools have told it (kernel/state_events.h), or
 * KERNEL_NO_MARKER */
uint16_t kernel_classes_marker(const struct kernel_classes *classes);
/* kernel_classes_state() - such an event's id in the session, or a negative errno */
int kernel_classes_state(struct kernel_classes *classes, enum kernel_state_kind kind,
			 struct tacho_error *error);

#endif
