/* SPDX-License-Identifier: MIT */
/* follow.c - see follow.h */
#include "follow.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/say.h"
#include "cli/text.h"
#include "cli/traces.h"
#include "find.h"
#include "marks.h"
#include "session/session.h"

#define PAUSE_NS     100000000ull
#define PAUSE_FACTOR 4

struct follow {
	struct view_walk *walk; /* the caller's */
	struct view_marks *marks;
};

/* ---- who writes ---- */

/* Calls for each session. Return: the first that is not 0. */
static int each_session(int (*look)(const struct tacho_session *file, const void *data),
			const void *data)
{
	struct runtime runtime;
	char **names;
	int found = 0;

	if (runtime_open(&runtime, NULL))
		return 0;
	if (!session_names(&runtime, &names, NULL)) {
		for (char **name = names; *name && !found; name++) {
			struct session *session;

			if (session_open(&runtime, *name, &session, NULL))
				continue;
			found = look(session_file(session), data);
			session_close(session);
		}
		session_names_free(names);
	}
	runtime_close(&runtime);
	return found;
}

/* Either may be said in another way. */
static bool is_same_dir(const char *a, const char *b)
{
	char *x = realpath(a, NULL), *y = realpath(b, NULL);
	bool is_same = x && y ? !strcmp(x, y) : !strcmp(a, b);

	free(x);
	free(y);
	return is_same;
}

static int writes_to(const struct tacho_session *file, const void *dir)
{
	return file->streaming && is_same_dir(file->output, dir);
}

static bool is_live(const char *dir)
{
	return each_session(writes_to, dir);
}

/* ---- which trace ---- */

static char *streaming_output(const struct tacho_session *file, const char *named)
{
	if (file->streaming)
		return xstrdup(file->output);
	fail("cannot follow '%s': a flight recorder writes a trace only when it is asked to: "
	     "tacho snapshot record -s %s",
	     visible(named).text, visible(named).text);
	return NULL;
}

char *view_follow_find(const struct command *command, const char *named)
{
	struct runtime runtime;
	struct session *session;
	bool is_session = false;
	char *dir = NULL;

	if (named && !strchr(named, '/') && strcmp(named, "last") &&
	    !runtime_open(&runtime, NULL)) {
		is_session = !session_open(&runtime, named, &session, NULL);
		if (is_session) {
			dir = streaming_output(session_file(session), named);
			session_close(session);
		}
		runtime_close(&runtime);
	}
	return is_session ? dir : view_find(command, named);
}

/* ---- again and again ---- */

static int go_on(void *marks, struct ctf_reader *reader)
{
	return view_marks_go(marks, reader);
}

static bool is_new(void *marks, const struct ctf_item *item, struct ctf_item *ret_new)
{
	return view_marks_pass(marks, item, ret_new);
}

static uint64_t now_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000ull + (uint64_t)now.tv_nsec;
}

static void sleep_ns(uint64_t ns)
{
	const struct timespec time = { (time_t)(ns / 1000000000u), (long)(ns % 1000000000u) };

	nanosleep(&time, NULL);
}

/* Return: how long it took. */
static uint64_t walk_once(struct follow *follow, bool is_last, int *ret_status, int *ret_err)
{
	struct view_walk *walk = follow->walk;
	struct view_walk once = *walk;
	uint64_t begin_ns = now_ns(CLOCK_MONOTONIC);

	once.place = go_on;
	once.is_new = is_new;
	once.again = follow->marks;
	once.pause = NULL;
	once.is_again = !is_last;
	once.hold_after_ns = is_last ? 0 : now_ns(CLOCK_REALTIME) - VIEW_FOLLOW_HOLD_NS;
	view_marks_again(follow->marks);
	if (is_last || trace_is_in(walk->dir))
		*ret_status = view_walk(&once, ret_err);
	walk->totals = once.totals;
	walk->is_over = once.is_over;
	if (!*ret_status && *ret_err >= 0)
		*ret_err = walk->pause(walk->data);
	return now_ns(CLOCK_MONOTONIC) - begin_ns;
}

int view_follow(struct view_walk *walk, int *ret_err)
{
	struct follow follow = { walk, view_marks_new() };
	int status = STATUS_DONE;
	bool is_last;

	*ret_err = 0;
	do {
		uint64_t took_ns;

		is_last = !is_live(walk->dir);
		took_ns = walk_once(&follow, is_last, &status, ret_err);
		if (!is_last && !walk->is_over)
			sleep_ns(PAUSE_NS + PAUSE_FACTOR * took_ns);
	} while (!is_last && !walk->is_over && !status && !*ret_err);
	view_marks_free(follow.marks);
	return status;
}
