/* SPDX-License-Identifier: MIT */
/* pick.c - see pick.h */
#include "pick.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/pattern.h"
#include "json.h"
#include "options.h"
#include "say.h"
#include "session/current.h"

static const char *presumed;

void pick_presume(const char *name)
{
	presumed = name;
}

bool pick_is_presumed(void)
{
	return presumed;
}

int pick_runtime(struct runtime *ret_runtime)
{
	struct tacho_error error;

	if (runtime_open(ret_runtime, &error))
		return fail_with(&error);
	drain_revive_all(ret_runtime);
	watch_revive_all(ret_runtime);
	return STATUS_DONE;
}

/* "a, b, c"; ends in ".." where the room does. */
static void join_names(char *const *names, char *text, size_t size)
{
	size_t at = 0;

	text[0] = 0;
	for (; *names; names++) {
		int n = snprintf(text + at, size - at, "%s'%s'", at ? ", " : "", *names);

		if ((size_t)n >= size - at) {
			strcpy(text + size - 3, "..");
			return;
		}
		at += (size_t)n;
	}
}

static int open_named(struct runtime *runtime, const char *name, struct session **ret_session)
{
	struct tacho_error error;

	return session_open(runtime, name, ret_session, &error) ? fail_with(&error) : STATUS_DONE;
}

static int pick_only(const struct command *command, struct runtime *runtime, char *const *names,
		     struct session **ret_session)
{
	char joined[512];

	if (!names[0]) {
		fail("%s: there is no session", command->name);
		say(SAY_PLAIN, "make one: tacho create NAME; or record a program at once: "
			       "tacho record -- PROGRAM");
		return STATUS_FAILED;
	}
	if (!names[1])
		return open_named(runtime, names[0], ret_session);
	join_names(names, joined, sizeof(joined));
	return wrong_use(command,
			 "say which session; there are %s, and none of them is the current one, "
			 "which tacho set-session NAME would choose",
			 joined);
}

int pick_session(const struct command *command, struct runtime *runtime, const char *name,
		 struct session **ret_session)
{
	char current[TACHO_SESSION_NAME_BYTES];
	struct tacho_error error;
	char **names;
	int status;

	if (name || presumed)
		return open_named(runtime, name ? name : presumed, ret_session);
	if (!current_get(runtime, current))
		return open_named(runtime, current, ret_session);
	if (session_names(runtime, &names, &error) < 0)
		return fail_with(&error);
	status = pick_only(command, runtime, names, ret_session);
	session_names_free(names);
	return status;
}

int pick(const struct command *command, const char *name, struct picked *ret_picked)
{
	int status;

	*ret_picked = (struct picked){ 0 };
	status = pick_runtime(&ret_picked->runtime);
	if (status)
		return status;
	ret_picked->is_open = true;
	return pick_session(command, &ret_picked->runtime, name, &ret_picked->session);
}

static void say_users_trouble(const struct session *session)
{
	const struct tacho_error *trouble = session_users_trouble(session);

	if (trouble)
		say(SAY_WARNING, "not all users' programs are reached: %s", trouble->text);
}

void pick_close(struct picked *picked)
{
	if (!picked->is_open)
		return;
	if (picked->session)
		say_users_trouble(picked->session);
	session_close(picked->session);
	runtime_close(&picked->runtime);
}

int with_session(const struct command *command, const char *name,
		 int (*work)(struct picked *picked))
{
	struct picked picked;
	int status = pick(command, name, &picked);

	if (!status)
		status = work(&picked);
	pick_close(&picked);
	return status;
}

int with_session_json(const struct command *command, const char *name,
		      int (*work)(struct picked *picked))
{
	struct picked picked;
	int status = pick(command, name, &picked);

	if (status)
		json_print(json_object_new_object());
	else
		status = work(&picked);
	pick_close(&picked);
	return status;
}

static int with_named(const struct command *command, struct picked *picked, const char *name,
		      int (*work)(struct picked *picked))
{
	int status = pick_session(command, &picked->runtime, name, &picked->session);

	if (!status)
		status = work(picked);
	session_close(picked->session);
	picked->session = NULL;
	return status;
}

/* One that fails does not keep the others from being worked on. */
static int with_each(const struct command *command, struct picked *picked, const char *pattern,
		     int (*work)(struct picked *picked), int *ret_count)
{
	struct tacho_error error;
	int status = STATUS_DONE;
	char **names;

	*ret_count = 0;
	if (session_names(&picked->runtime, &names, &error) < 0)
		return fail_with(&error);
	for (char **name = names; *name; name++) {
		if (pattern && !pattern_is_match(pattern, strlen(pattern), *name))
			continue;
		++*ret_count;
		if (with_named(command, picked, *name, work))
			status = STATUS_FAILED;
	}
	session_names_free(names);
	return status;
}

int with_sessions(const struct command *command, const char *pattern,
		  int (*work)(struct picked *picked))
{
	struct picked picked = { 0 };
	int status = pick_runtime(&picked.runtime);
	int count;

	if (status)
		return status;
	picked.is_open = true;
	status = with_each(command, &picked, pattern, work, &count);
	pick_close(&picked);
	if (count || status)
		return status;
	if (pattern)
		return fail("no session has a name like '%s'; those there are: tacho list",
			    pattern);
	say(SAY_PLAIN, "there is no session");
	return STATUS_DONE;
}

int with_all_sessions(const struct command *command, int (*work)(struct picked *picked))
{
	return with_sessions(command, NULL, work);
}

const char *picked_name(const struct picked *picked)
{
	return session_file(picked->session)->name;
}
