/* SPDX-License-Identifier: MIT */
/*
 * abi.h - what an instrumented object and libtacho share. Not for direct use: include
 * <tacho/event.h>.
 *
 * An instrumented object (a program or a shared library) contains, per event site, one constant
 * struct tacho_event_info and one struct tacho_event, and once a struct tacho_object that names
 * them all:
 *
 *      instrumented object                            libtacho
 *      +--------------------+                         +-----------------------------------+
 *      | tacho_object       |  tacho_object_register  | registry file (shared memory)     |
 *      |   events: [begin,  | ----------------------> |   state[i], description           |
 *      |            end)    |                         +-----------------------------------+
 *      +---|----------------+                            ^
 *          v                                             |
 *      +--------------------+   state (after             |
 *      | tacho_event        |   registration) -----------+
 *      |   state, hot, info |
 *      +--------------------+
 *
 * Before registration `state` points to tacho_object.unregistered, which holds
 * TACHO_STATE_STALE: the first hit takes the slow path, which registers the object. So an event
 * works before any constructor has run, and without one.
 *
 * An event may be in the lists of several objects (a symbol of one library that another refers to),
 * but it is part of one: whose word `unregistered` it points to at first.
 *
 * Who writes: all of it is initialized by the compiler; libtacho changes `state`, `hot` and
 * `home` at registration, by atomic stores, in any order: each combination is safe. Of an event that
 * has yet to find its other half (TACHO_INFO_UNBOUND) it changes `info`, too.
 */
#ifndef TACHO_ABI_H
#define TACHO_ABI_H

#include "format/record.h"
#include "format/runtime.h"

#define TACHO_ABI_VERSION 1

#ifdef __cplusplus
extern "C" {
#endif

struct tacho_hot; /* libtacho's own, per event: where its records go */
struct tacho_object;

/* The name and type of one field. */
struct tacho_field {
	const char *name;
	uint32_t type;  /* TACHO_TYPE() */
	uint32_t count; /* elements of a fixed array, else 0 */
};

/* A name of the values of an integer from low to high. The last of a list has no text. */
struct tacho_label {
	const char *text;
	uint64_t low;
	uint64_t high;
	uint64_t is_next; /* 1: the value behind those of the label before; low and high count not */
};

enum tacho_info_flag {
	TACHO_INFO_RICH = 1,    /* it is the beginning of a struct tacho_rich_info */
	TACHO_INFO_UNBOUND = 2, /* it is no more than a name: see lib/tracer/bind.c */
};

/* What never changes of an event. */
struct tacho_event_info {
	const char *provider;
	const char *name;
	const struct tacho_field *fields;
	uint32_t field_count;
	uint32_t level; /* enum tacho_level */
	const char *file;
	uint32_t line;
	uint32_t flags; /* enum tacho_info_flag */
};

/* The same with what only <lttng/tracepoint.h> knows of an event. */
struct tacho_rich_info {
	struct tacho_event_info info;
	const struct tacho_label *const *labels; /* of each field, or NULL; NULL: none has any */
	const char *model_uri;                   /* or NULL */
	void (*put)(void); /* takes the event and its values, and records them; of what type, the
			    * sites of the event know */
};

struct tacho_event {
	uint32_t *state; /* 0 while nobody records the event. NULL: see lib/tracer/bind.c */
	struct tacho_hot *hot;
	const struct tacho_event_info *info;
	struct tacho_object *home; /* since it is registered: the object that it is part of */
};

/* One per instrumented object, hidden in it. */
struct tacho_object {
	uint32_t abi_version;
	uint32_t unregistered;        /* TACHO_STATE_STALE */
	struct tacho_event **begin;   /* the object's events; may hold NULL, and an event twice */
	struct tacho_event **end;
	uint64_t no_hot[4];           /* zeros: what tacho_event.hot points to at first */
};

/* A stretch of a payload. */
struct tacho_part {
	const void *data;
	uint32_t bytes;
	uint32_t is_string; /* 1: `bytes` characters; a 0 byte is written behind them */
};

#define TACHO_PARTS_MAX 64

/* Called without a jump through the procedure linkage table. */
#if defined(__has_attribute)
#if __has_attribute(noplt)
#define TACHO_DIRECT_ __attribute__((noplt))
#endif
#endif
#ifndef TACHO_DIRECT_
#define TACHO_DIRECT_
#endif

#pragma GCC visibility push(default)

/*
 * tacho_emit_word() - record an event whose payload fits 8 bytes
 * @payload: the bytes, in memory order, as an integer
 * @bytes:   how many of them count: 0 to 8
 *
 * tacho_emit_parts() - record an event
 * @parts: the payload, in order; a string that another thread changes meanwhile is recorded with
 *         its embedded 0 bytes replaced by '?', never with a wrong length
 * @count: at most TACHO_PARTS_MAX
 *
 * tacho_emit_hiding() - the same of an event with fields that only filters see
 * @hidden_count: parts behind the `count` first, which are not recorded; at most TACHO_PARTS_MAX
 *                together
 *
 * The context `ip` is where they return to. Of an event that is recorded by a function which is not
 * its site, it is what the function says:
 *
 * tacho_emit_parts_from(), tacho_emit_hiding_from() - the same
 * @caller: where the function returns to
 *
 * Context: any thread, any signal handler, from constructors to destructors. They take no lock,
 * allocate nothing and keep errno. What cannot be recorded is counted.
 */
TACHO_DIRECT_ void tacho_emit_word(struct tacho_event *event, uint64_t payload, uint64_t bytes);
TACHO_DIRECT_ void tacho_emit_parts(struct tacho_event *event, const struct tacho_part *parts,
				    uint32_t count);
TACHO_DIRECT_ void tacho_emit_parts_from(struct tacho_event *event, const struct tacho_part *parts,
					 uint32_t count, const void *caller);
void tacho_emit_hiding(struct tacho_event *event, const struct tacho_part *parts, uint32_t count,
		       uint32_t hidden_count);
void tacho_emit_hiding_from(struct tacho_event *event, const struct tacho_part *parts,
			    uint32_t count, uint32_t hidden_count, const void *caller);

/*
 * tacho_object_register() - make an object's events known; called by its constructor
 * tacho_object_unregister() - and forget them; called by its destructor, before dlclose() unmaps it
 *
 * Context: any thread. Registering twice is harmless.
 */
void tacho_object_register(struct tacho_object *object);
void tacho_object_unregister(struct tacho_object *object);

/*
 * tacho_thread_renamed() - a thread has got another name
 * @thread: its pthread_t
 *
 * Its events bear the new name from its next tacho:writer record on. libtacho.so calls it itself
 * from its pthread_setname_np(), and so do its preload modules; for programs that call prctl().
 *
 * Context: any thread. Since 0.1.
 */
void tacho_thread_renamed(uint64_t thread, const char *name);

/*
 * tacho_process_changed() - this process, or thread, has got other ids or namespaces
 *
 * What was known of them is asked again. libtacho.so calls it itself from its setuid(), setgid(),
 * setns(), unshare() and their like; for programs that make the system calls themselves.
 *
 * Context: any thread, any signal handler. Since 0.1.
 */
void tacho_process_changed(void);

/*
 * tacho_process_confined() - this process is about to give up system calls
 *
 * From now on recording makes none to wake a session's drain, which then looks more often.
 * libtacho.so calls it itself from its prctl(), before PR_SET_NO_NEW_PRIVS and PR_SET_SECCOMP; for
 * programs that make these system calls themselves, before they do.
 *
 * Context: any thread, any signal handler. Since 0.1.
 */
void tacho_process_confined(void);

/*
 * tacho_process_clockless() - a thread of this process is about to be killed if it reads the clock
 *
 * From now on no event of the process is recorded; each is counted as lost. libtacho.so calls it itself
 * from its prctl(), before seccomp's strict mode, in which the kernel takes away the CPU's counter; for
 * programs that make that system call themselves, before they do.
 *
 * Context: any thread, any signal handler. Since 0.1.
 */
void tacho_process_clockless(void);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
