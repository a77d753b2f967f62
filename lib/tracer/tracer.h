/* SPDX-License-Identifier: MIT */
/*
 * tracer.h - libtacho's inside: what it keeps in a traced process.
 *
 * libtacho is a guest in other people's programs. It has no thread, no open file descriptor, no
 * lock, no signal handler and no heap; it never logs and never waits, except in a blocking channel.
 * Everything it does outside the constructor may run in a signal handler, which may interrupt any
 * other part of it, this one included. Hence the one pattern that is used throughout: build
 * something nobody sees, publish it with one compare-and-exchange, throw it away if another was
 * faster.
 *
 *      object.c     the program's objects and events           -> registry.c
 *      bind.c       events whose fields are in another object
 *      registry.c   apps/PID.STARTTIME: descriptions, state words
 *      session.c    reads session files: which rules match
 *      attach.c     maps and unmaps sessions, channel.c their rings
 *      route.c      where an event goes in a session           -> event_id.c: as what
 *      emit.c       the way of an event that is not as simple as writer-x86_64.S wants it
 *      emit-hot.c   what is kept of it, so that its next record goes the fast way, if it can
 *      emit-listed.c  the fast way where filters are asked, or there are many destinations
 *      context.c    the values of contexts; of counters: perf.c
 *      trigger_hit.c  what is done instead of recording where a rule is a trigger's
 *      call_drain.c what is done for the drain when a sub-buffer is complete
 *      statedump.c  says which files are mapped where, when the process is attached to a session
 *      grace.c      when what other threads may look at is given back; memory.c: blocks
 *      process.c    start, fork, exit; threads, and in thread_name.c what they are called
 *
 *      struct tracer                      one per process
 *        registry ----------------------> shared: state words, descriptions
 *        hot[i]                           private, wiped by fork: the fast path's knowledge
 *        attached[slot] ----------------> struct attachment
 *                                           session, events --> shared, read-only / wait-free table
 *                                           channel[i] -------> struct attached_channel: the rings
 *                                           route[event] -----> struct route: channels and ids
 *
 * Each arrow is NULL until what it leads to is complete, and is set and cleared by one
 * compare-and-exchange or exchange. They are followed in a section only (grace.h), and what was
 * found stays good until its end.
 *
 * UNMAPPING while other threads, possibly stopped for hours, are anywhere in here:
 *
 *      detach:A  attached[slot] = NULL           by exchange: one thread detaches
 *      detach:B  channel[i].ring.tag = 0, hot[] forgotten (hot.h)
 *      detach:C  membarrier(PRIVATE_EXPEDITED_RSEQ): every restartable sequence that runs is
 *                restarted
 *      detach:D  replace the mappings, at the same addresses, by empty private memory
 *      detach:E  retire the attachment: when no section that may know it is open any more,
 *                the addresses are given back, channels and routes with them
 *
 *      A restartable sequence checks the tag (live) before it stores, so after detach:C none stores
 *      into the old rings. C code that still reads them (a head, say) finds zeros, never a hole in
 *      its address space; what it computes from them fails the sequence's check, because tags are
 *      never used twice. C code that was stopped before a store (the portable writer, a lost counter,
 *      the event table) stores to nobody. So shared memory comes back at once, however long a
 *      thread is stopped; only addresses wait for it.
 */
#ifndef TACHO_TRACER_TRACER_H
#define TACHO_TRACER_TRACER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/runtime.h"
#include "format/session.h"
#include "ring/writer.h"
#include "tacho/abi.h"
#include "tracer/grace.h"
#include "tracer/hot_list.h"
#include "tracer/memory.h"

struct route;

/* Memory at a fixed place, that holds a mapped file or nothing. */
struct window {
	void *base;
	size_t bytes;
};

struct attached_channel {
	struct ring_channel ring; /* never changes, but for .tag: 0 once it is detached */
	uint32_t slot_index;      /* of ring_thread.slot[] */
	uint32_t failed;          /* ring memory could not be had: how often */
	struct window window;
};

struct attachment {
	struct retired retired;
	uint32_t slot;
	uint32_t generation; /* never used twice in a process */
	uint64_t instance;
	uint32_t dump_done; /* what session.dump_wanted was when this process dumped its state */
	const struct tacho_session *session;
	struct tacho_events *events;
	struct tacho_triggers *triggers; /* format/trigger.h */
	struct window session_window;
	struct window events_window;
	struct window triggers_window;
	struct attached_channel *channel[TACHO_CHANNELS_MAX]; /* NULL: not attached yet */
	uint32_t channel_failed[TACHO_CHANNELS_MAX];          /* how often, since then */
	struct route *route[TACHO_REGISTRY_EVENTS];           /* NULL: not looked up yet */
};

/* Wiped by fork (MADV_WIPEONFORK): a child that finds `pid` 0 knows that it is one. */
struct wiped {
	uint32_t pid;
	uint32_t has_lists; /* 1: one may be kept */
	uint8_t pad[4096 - 8];
	struct grace_lane lane[GRACE_LANES];
	struct tacho_hot hot[TACHO_REGISTRY_EVENTS];
	struct tacho_hot more_hot[TACHO_REGISTRY_EVENTS]; /* the second places */
	struct hot_list list[HOT_LISTS];
};
TACHO_STATIC_ASSERT(offsetof(struct wiped, more_hot) ==
			    offsetof(struct wiped, hot) + RING_HOT_MORE_AT,
		    "the fast path knows where");

enum tracer_state {
	TRACER_UNBORN = 0,
	TRACER_STARTING = 1,
	TRACER_READY = 2,
	TRACER_OFF = 3, /* no registry could be made: nothing is ever recorded */
};

struct tracer {
	uint32_t state;
	bool rseq_works;
	uint32_t is_confined; /* 1: it makes no system call to wake a drain, call_drain.h */
	uint32_t gave_up_calls; /* 1: and that since it said so itself */
	uint32_t is_clockless;  /* 1: nothing is recorded, since a thread must not read the clock */
	/* Whom sessions ask for. Copies for the tools are in the registry. */
	uint32_t pid;
	uint64_t pid_namespace; /* the inode of it; 0: unknown */
	uint32_t uid; /* the real ones, as the program sees them */
	uint32_t gid;
	uint32_t identity; /* another number when uid or gid are others */
	char executable[sizeof(((struct tacho_registry *)0)->executable)];
	struct tacho_registry *registry;
	struct wiped *wiped;
	uint32_t dropped_count; /* of TACHO_REGISTRY_DROPPED */
	uint32_t revived; /* the index that was last used again */
	struct attachment *attached[TACHO_SLOTS];
	/* News of a slot are counted; a failure is of the news it was tried under, so that a thread
	 * which fails late does not keep others from what has come since. */
	uint32_t attach_news[TACHO_SLOTS];
	uint32_t attach_failed[TACHO_SLOTS]; /* 1 + news; 0: none */
	uint32_t attach_skipped[TACHO_SLOTS];
	uint32_t last_tag;
	uint32_t last_generation;
	uint32_t slots_used; /* bits of ring_thread.slot[] that have a channel */
	struct grace grace;
	struct memory memory; /* for channels, routes, filters */
	uint64_t family[TACHO_FAMILIES_MAX];
	uint32_t off_word; /* what state words point to when there is no registry: always 0 */
	char runtime_path[TACHO_RUNTIME_PATH_BYTES];
	char registry_path[TACHO_RUNTIME_PATH_BYTES + 64];
};

extern struct tracer tacho_tracer __attribute__((visibility("hidden")));

static inline struct hot_list *hot_list_at(uint32_t index)
{
	return &tacho_tracer.wiped->list[index % HOT_LISTS];
}

/* ---- process.c ---- */

/* A path in the runtime directory; the longest part behind it is an escaped channel's name. */
#define TRACER_PATH_BYTES (TACHO_RUNTIME_PATH_BYTES + 256)

/* tracer_is_ready() - after making it so, on the first call; and after finding out about a fork */
bool tracer_is_ready(void);
/* tracer_know_thread() - fill tacho_thread.tid and .name */
void tracer_know_thread(void);
/* tracer_path() - put "RUNTIME/" and the rest together; false if too long */
bool tracer_path(char *ret_path, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- thread_name.c ---- */

/* thread_name_init() - ask the kernel for this thread's name */
void thread_name_init(void);
/* thread_name_refresh() - has someone given this thread another name? */
void thread_name_refresh(void);

/* ---- registry.c ---- */

int registry_create(void);
/* registry_renew() - after fork: a registry of our own with the same content, at the same place */
int registry_renew(void);
void registry_remove(void);
/* registry_add() - an event's index, or a negative errno. The description is published. The index
 * of an unloaded event of the same description is used again. */
int registry_add(const struct tacho_event_info *info);
/* registry_expect() - so many are about to be added: have room for them at one stroke */
void registry_expect(uint32_t count);
/* registry_drop() - the event's object is being unloaded. */
void registry_drop(uint32_t index);
bool registry_has_state(const uint32_t *state);
uint32_t registry_event_count(void);
uint32_t *registry_state(uint32_t index);
/* registry_index() - of an event with this state word: registry_has_state() says that it is one */
uint32_t registry_index(const uint32_t *state);
/* registry_desc() - the description of event @index, or NULL */
const struct tacho_desc *registry_desc(uint32_t index);

/* ---- object.c ---- */

/* event_register() - give the event a state word, if it has none yet; sessions see it. */
void event_register(struct tacho_event *event);
/* event_take_out() - take its state word away. @is_unbound: it is never hit until it has another */
void event_take_out(struct tacho_event *event, bool is_unbound);

/* ---- bind.c ---- */

static inline bool event_is_unbound(const struct tacho_event *event)
{
	return (tacho_load_acquire(&event->info)->flags & TACHO_INFO_UNBOUND) != 0;
}

/* bind_home() - the object that an event is part of, by the state that it has at first */
struct tacho_object *bind_home(uint32_t *first_state);
/* bind_object() - its unbound events find their probes, and its probes the events of others */
void bind_object(struct tacho_object *object);
void unbind_object(struct tacho_object *object);

/* ---- session.c ---- */

/*
 * session_visit_rules() - show the rules of a session that match an event of this process now
 * @restart: forget what was shown; called first, and whenever a tool changed something meanwhile
 * @visit:   a rule; it may be changing, so what is read of it is good only when all is over, and
 *           each value is read once
 */
struct rule_visitor {
	void (*restart)(struct rule_visitor *visitor);
	void (*visit)(struct rule_visitor *visitor, const struct tacho_session *session,
		      const struct tacho_rule *rule);
};
void session_visit_rules(const struct tacho_session *session, const struct tacho_desc *desc,
			 struct rule_visitor *visitor);
/* sessions_apply() - set the bits of active sessions in the state words of events [first, end),
 * and attach to the sessions that want one */
void sessions_apply(uint32_t first, uint32_t end);
/* session_note_unrecorded() - say in the session that it does not record us, so that those who use
 * it learn of it: @why is one of TACHO_UNRECORDED_* */
void session_note_unrecorded(uint32_t slot, const char *why);
/* sessions_note_off() - in all active ones that would record us if we had a registry */
void sessions_note_off(void);

/* ---- attach.c: in a section ---- */

/* What could not be had is tried again at every so manieth event. */
#define TRACER_RETRY_EVERY 1024

/* attachment_get() - the session in @slot, mapped; NULL if it cannot be. One that is dead is
 * detached first. */
struct attachment *attachment_get(uint32_t slot);
/* attachment_is_refused() - would mapping anything of it take system calls that the process has given
 * up? Notes so in the registry. */
bool attachment_is_refused(uint32_t slot);
/* attachment_check() - detach if the session is gone. */
void attachment_check(uint32_t slot);
/* attachments_leave() - in a child of fork(): what the threads of its parent write to, all of it, is no
 * more shared with it. The next event attaches anew. */
void attachments_leave(void);
/* attachment_retry() - there is news of the slot: the next attachment_get() is to try. */
void attachment_retry(uint32_t slot);
/* map_file() - map a file of the runtime directory; @flags: of open(2)
 * map_fd() - map an open one */
void *map_file(const char *path, size_t bytes, int flags, struct window *window);
/* attachment_open_flags() - for the files of a session that may lie in another place, and are links then
 * (session/ring_place.h): elsewhere no link is followed. */
int attachment_open_flags(const struct attachment *a);
void *map_fd(int fd, size_t bytes, bool writable, struct window *window);
void unmap_window(const struct window *window);
/* empty_window() - whoever still looks there finds zeros, and stores to nobody. */
void empty_window(const struct window *window);

/* ---- channel.c: in a section ---- */

/* channel_get() - a channel of the session; attached now, if it was added to it meanwhile. NULL if
 * it cannot be had. */
struct attached_channel *channel_get(struct attachment *a, uint32_t index);
/* channel_new() - the same for an attachment that nobody sees yet
 * channel_free() - nobody sees it any more. NULL is nothing. */
struct attached_channel *channel_new(const struct attachment *a, uint32_t index);
void channel_free(struct attached_channel *channel);
/* channels_announce() - the attachment is seen by others from now on
 * channels_switch_off() - nothing is recorded by them any more, and the fast path forgets them */
void channels_announce(struct attachment *a);
void channels_switch_off(struct attachment *a);
/* channel_allocate() - have ring @cpu allocated; true if it can be used. */
bool channel_allocate(const struct attachment *a, uint32_t index, struct attached_channel *channel,
		      uint32_t cpu);

/* ---- event_id.c ---- */

/* event_id() - of a description with these contexts in the session's table; a negative errno if
 * there is no room. */
int event_id(struct attachment *a, uint64_t contexts, const struct tacho_desc *desc);

#endif
