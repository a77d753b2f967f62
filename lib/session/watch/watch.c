/* SPDX-License-Identifier: MIT */
/* watch.c - the watcher's loop: which hits are acted upon; see watch.h, and format/trigger.h for how
 * a hit is never slept through. */
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/rule.h"
#include "session/state.h"
#include "session/watch/watch.h"

/* After hits were handled: so often at most, programs that go on hitting have to wake it. */
#define CALM_NS    1000000ull
#define LOOK_NS    100000000ull
#define COMMAND_NS 20000000ull /* between looks whether a command has ended */
#define IDLE_NS    1000000000ull

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* ---- what there is to watch ---- */

static void replace_text(char **text, const struct tacho_session *file,
			 const struct tacho_span *span)
{
	free(*text);
	*text = trigger_text(file, span);
}

/* What makes it another trigger: everything but its progress. */
static bool is_same(const struct tacho_trigger *a, const struct tacho_trigger *b)
{
	return !memcmp(a, b, offsetof(struct tacho_trigger, handled));
}

static void read_trigger(struct watch *watch, uint32_t i)
{
	const struct tacho_session *file = watch->session->file;
	struct watched *w = &watch->watched[i];

	if (!is_same(&w->trigger, &file->trigger[i]))
		w->running = 0; /* of the one that was there before */
	w->trigger = file->trigger[i];
	w->is_armed = trigger_is_armed(file, i);
	replace_text(&w->name, file, &w->trigger.name);
	replace_text(&w->command, file, &w->trigger.command);
	replace_text(&w->session, file, &w->trigger.session);
}

/* Return: 0; -ENOENT if the session is dead. */
static int read_triggers(struct watch *watch)
{
	struct tacho_session *file = watch->session->file;
	int ret;

	if (tacho_load_acquire(&file->generation) == watch->generation)
		return 0;
	ret = session_lock(watch->session, NULL);
	if (ret)
		return ret;
	for (uint32_t i = 0; i < TACHO_TRIGGERS_MAX; i++)
		read_trigger(watch, i);
	watch->generation = file->generation;
	session_unlock(watch->session);
	return 0;
}

/* ---- progress ---- */

/*
 * A trigger that was removed, or replaced, has none. The generation stays: nobody goes by a trigger's
 * progress but this process, and others show it, at worst in the middle of a change.
 */
void watch_store(struct watch *watch, struct watched *w)
{
	struct tacho_trigger *stored = &watch->session->file->trigger[w - watch->watched];
	size_t at = offsetof(struct tacho_trigger, handled);

	if (session_lock(watch->session, NULL))
		return;
	if (is_same(&w->trigger, stored))
		memcpy((char *)stored + at, (const char *)&w->trigger + at, sizeof(*stored) - at);
	session_unlock(watch->session);
}

/* ---- hits ---- */

/* Among the hits that are new, is there one that the policy names? Counted from the first on. */
static bool policy_agrees(const struct tacho_trigger *t, uint64_t hits)
{
	uint64_t before = t->handled - t->first_hit;
	uint64_t after = hits - t->first_hit;

	if (t->once_after)
		return before < t->once_after && t->once_after <= after;
	return t->every <= 1 || after / t->every != before / t->every;
}

static bool is_too_soon(const struct tacho_trigger *t)
{
	return t->done_count && clock_ns(CLOCK_MONOTONIC) - t->done_ns < t->interval_ns;
}

/* What a program says about itself: it ends, and has no control characters. */
static void take_reason(struct tacho_trigger_hits *hits, char ret_reason[TACHO_REASON_BYTES])
{
	bool is_there = tacho_load_acquire(&hits->reason_state) == TACHO_REASON_THERE;

	memset(ret_reason, 0, TACHO_REASON_BYTES);
	if (is_there)
		memcpy(ret_reason, hits->reason, TACHO_REASON_BYTES - 1);
	tacho_store_release(&hits->reason_state, TACHO_REASON_NONE);
	for (char *c = ret_reason; *c; c++) {
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			*c = '?';
	}
}

static void act(struct watch *watch, struct watched *w, uint64_t news)
{
	struct tacho_trigger *t = &w->trigger;
	struct watch_result result = { 0 };
	char reason[TACHO_REASON_BYTES];

	take_reason(&watch->triggers->hit[w - watch->watched], reason);
	t->done_ns = clock_ns(CLOCK_MONOTONIC);
	t->done_realtime_ns = clock_ns(CLOCK_REALTIME);
	watch_act(watch, w, reason, &result);
	t->done_count++;
	t->failed_count += result.failed != 0;
	t->passed_count += news - 1;
	memcpy(t->result, result.text, sizeof(t->result));
}

/* Hits that came since the last time are handled together: who hits a trigger a million times while
 * a snapshot is being taken does not want a million more. Return: were there any? */
static bool handle(struct watch *watch, uint32_t i)
{
	struct watched *w = &watch->watched[i];
	struct tacho_trigger *t = &w->trigger;
	uint64_t hits, news;

	if (!w->is_armed || w->running)
		return false;
	/* watch:C pairs with hit:A */
	hits = tacho_load_acquire(&watch->triggers->hit[i].hit_count);
	if (hits == t->handled)
		return false;
	/* Whoever writes there who should not may have made it less. */
	news = hits > t->handled ? hits - t->handled : 0;
	if (news && policy_agrees(t, hits) && !is_too_soon(t))
		act(watch, w, news);
	else
		t->passed_count += news;
	t->handled = hits;
	watch_store(watch, w);
	return true;
}

static bool handle_all(struct watch *watch)
{
	bool any = false;

	for (uint32_t i = 0; i < TACHO_TRIGGERS_MAX; i++)
		any |= handle(watch, i);
	return any;
}

/* ---- commands that have ended ---- */

static bool has_running(const struct watch *watch)
{
	for (uint32_t i = 0; i < TACHO_TRIGGERS_MAX; i++) {
		if (watch->watched[i].running)
			return true;
	}
	return false;
}

static void note_ended(struct watch *watch, pid_t pid, int status)
{
	for (uint32_t i = 0; i < TACHO_TRIGGERS_MAX; i++) {
		struct watched *w = &watch->watched[i];

		if (w->running != pid)
			continue;
		w->running = 0;
		watch_note_status(&w->trigger, status);
		watch_store(watch, w);
	}
}

static void reap(struct watch *watch)
{
	pid_t pid;
	int status;

	while ((pid = watch_reap(&status)) > 0)
		note_ended(watch, pid, status);
}

/* ---- sleep ---- */

static bool has_hits(const struct watch *watch)
{
	for (uint32_t i = 0; i < TACHO_TRIGGERS_MAX; i++) {
		const struct watched *w = &watch->watched[i];

		if (w->is_armed && !w->running &&
		    tacho_load_acquire(&watch->triggers->hit[i].hit_count) != w->trigger.handled)
			return true;
	}
	return false;
}

static bool has_news(const struct watch *watch)
{
	const struct tacho_session *file = watch->session->file;

	return tacho_load_relaxed(&file->generation) != watch->generation || has_hits(watch);
}

static void sleep_for(struct watch *watch, uint64_t ns)
{
	uint32_t *word = &watch->triggers->watch_sleeps;
	struct timespec timeout = {
		.tv_sec = (time_t)(ns / 1000000000),
		.tv_nsec = (long)(ns % 1000000000),
	};

	tacho_store_relaxed(word, 1); /* watch:A */
	tacho_fence_full();           /* watch:B pairs with hit:B */
	if (!has_news(watch))
		syscall(SYS_futex, word, FUTEX_WAIT, 1, &timeout, NULL, 0); /* watch:D */
	tacho_store_relaxed(word, 0);
}

static void calm_down(void)
{
	struct timespec period = { .tv_nsec = (long)CALM_NS };

	nanosleep(&period, NULL);
}

/* ---- the loop ---- */

/* Was the session's file removed, by someone who does not know what a session is? */
static bool is_gone(const struct watch *watch)
{
	struct stat st;

	return fstatat(watch->session->dir_fd, SESSION_FILE, &st, AT_SYMLINK_NOFOLLOW) &&
	       errno == ENOENT;
}

/* Below the session lock, so that a tool which arms a trigger finds it either alive or ended. */
static bool try_to_end(struct watch *watch)
{
	struct session *session = watch->session;
	bool is_needed;

	if (session_lock(session, NULL))
		return true;
	is_needed = triggers_are_armed(session->file);
	if (!is_needed) {
		tacho_store_release(&session->file->watch_pid, 0);
		flock(session->life_fd, LOCK_UN);
	}
	session_unlock(session);
	return !is_needed;
}

static bool is_idle(const struct watch *watch)
{
	for (uint32_t i = 0; i < TACHO_TRIGGERS_MAX; i++) {
		if (watch->watched[i].is_armed || watch->watched[i].running)
			return false;
	}
	return true;
}

/* Return: for how long nobody has to look. */
static uint64_t look(struct watch *watch)
{
	uint64_t now = clock_ns(CLOCK_MONOTONIC);
	uint64_t pause = has_running(watch) ? COMMAND_NS : IDLE_NS;

	if (now >= watch->look_ns)
		watch->look_ns = watch_look(watch) ? now + LOOK_NS : 0;
	if (tacho_load_relaxed(&watch->triggers->watch_uncalled) && LOOK_NS < pause)
		pause = LOOK_NS;
	if (watch->look_ns && watch->look_ns - now < pause)
		pause = watch->look_ns - now;
	return pause;
}

int watch_run(struct watch *watch)
{
	while (!read_triggers(watch) && !is_gone(watch)) {
		uint64_t pause_ns;

		if (is_idle(watch) && try_to_end(watch))
			return 0;
		reap(watch);
		pause_ns = look(watch);
		if (handle_all(watch))
			calm_down();
		else
			sleep_for(watch, pause_ns);
	}
	return 0;
}
