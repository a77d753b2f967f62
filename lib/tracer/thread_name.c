/* SPDX-License-Identifier: MIT */
/*
 * thread_name.c - threads that are given a name after their first event.
 *
 * A thread's name goes into its tacho:writer records from thread-local memory, where it is read
 * once: asking the kernel again would be a system call under an event, which could be the death of
 * a program in a sandbox. So whoever renames a thread says so here (interpose/pthread_setname.c), and
 * the thread finds it at its next slow path, which is at most one window away:
 *
 *      who renames, any thread                  the thread itself
 *      rename:A  order = ++renames              know:A  has published changed?   (acquire)
 *      rename:B  note.sequence = odd            know:B  sequence                 (acquire)
 *      rename:C  thread, order, name            know:C  copy, of all notes
 *      rename:D  note.sequence = even (release) know:D  sequence unchanged and even?
 *      rename:E  published++          (release)
 *
 *      pairs: rename:E with know:A, rename:D with know:B: what is noted before it is looked for.
 *
 * Then contexts have changed (context.c), so that a thread that keeps its name as one looks for it at
 * its next event.
 *
 * Nobody waits. A note that is overwritten before its thread looks, by NOTES others, is missed. A
 * thread that the tracer does not know yet needs none: it will ask the kernel; notes up to then
 * are not for it, but perhaps for one that ended and had the same pthread_t.
 */
#include <pthread.h>
#include <string.h>

#include "tracer/context.h"
#include "tracer/sys.h"
#include "tracer/tracer.h"

#define NOTES 64

static struct note {
	uint32_t sequence;
	uint32_t order;
	uint64_t thread; /* pthread_t */
	char name[TACHO_THREAD_NAME_BYTES];
} notes[NOTES];
static uint32_t renames, published;

static uint64_t self(void)
{
	return (uint64_t)(uintptr_t)pthread_self();
}

/* The next record of this thread tells who it is. */
static void take_name(const char *name)
{
	tacho_thread.name_changes++;
	memset(tacho_thread.name, 0, sizeof(tacho_thread.name));
	memcpy(tacho_thread.name, name, strnlen(name, TACHO_THREAD_NAME_BYTES - 1));
	for (int i = 0; i < RING_SLOTS; i++)
		tacho_store_relaxed(&tacho_thread.slot[i].tag, RING_SLOT_TAG_EMPTY);
}

static void leave_note(uint64_t thread, const char *name)
{
	uint32_t order = tacho_fetch_add_relaxed(&renames, 1) + 1; /* rename:A */
	struct note *note = &notes[order % NOTES];

	tacho_fetch_add_acq_rel(&note->sequence, 1); /* rename:B */
	tacho_store_relaxed(&note->thread, thread);
	tacho_store_relaxed(&note->order, order);
	memset(note->name, 0, sizeof(note->name));
	memcpy(note->name, name, strnlen(name, TACHO_THREAD_NAME_BYTES - 1));
	tacho_fetch_add_acq_rel(&note->sequence, 1); /* rename:D pairs with know:B */
	tacho_fetch_add_acq_rel(&published, 1);      /* rename:E pairs with know:A */
}

void tacho_thread_renamed(uint64_t thread, const char *name)
{
	if (thread != self())
		leave_note(thread, name);
	else if (tacho_thread.tid && !tacho_thread.in_vfork)
		take_name(name);
	context_changed();
}

/* Return: the note's order if it is for this thread and news to it, else 0. */
static uint32_t read_note(const struct note *note, char *ret_name)
{
	uint32_t sequence = tacho_load_acquire(&note->sequence); /* know:B pairs with rename:D */
	uint32_t order = tacho_load_relaxed(&note->order);

	if (sequence & 1 || tacho_load_relaxed(&note->thread) != self() ||
	    (int32_t)(order - tacho_thread.name_order) <= 0)
		return 0;
	memcpy(ret_name, note->name, TACHO_THREAD_NAME_BYTES);
	tacho_fence_acquire();
	return tacho_load_relaxed(&note->sequence) == sequence ? order : 0;
}

void thread_name_refresh(void)
{
	uint32_t now = tacho_load_acquire(&published); /* know:A pairs with rename:E */
	char name[TACHO_THREAD_NAME_BYTES];

	if (now == tacho_thread.names_published)
		return;
	tacho_thread.names_published = now;
	for (int i = 0; i < NOTES; i++) {
		uint32_t order = read_note(&notes[i], name);

		if (!order)
			continue;
		tacho_thread.name_order = order;
		take_name(name);
	}
}

void thread_name_init(void)
{
	tacho_thread.names_published = tacho_load_acquire(&published);
	tacho_thread.name_order = tacho_load_relaxed(&renames);
	sys_thread_name(tacho_thread.name);
}
