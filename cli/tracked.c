/* SPDX-License-Identifier: MIT */
/* tracked.c - see tracked.h */
#include "tracked.h"

#include <errno.h>
#include <grp.h>
#include <inttypes.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rule.h"
#include "domain.h"
#include "lists.h"
#include "look.h"
#include "options.h"
#include "parse.h"
#include "say.h"
#include "text.h"

const char tracked_untouched[] = "";

struct tracked_asked tracked_asked = {
	.values = { tracked_untouched, tracked_untouched, tracked_untouched, tracked_untouched,
		    tracked_untouched },
};

static const struct {
	const char *option;
	const char *title;
	const char *key;
} kinds[TACHO_TRACK_KINDS] = {
	[TACHO_TRACK_VPID] = { "--vpid", "process ids", "vpid" },
	[TACHO_TRACK_VUID] = { "--vuid", "user ids", "vuid" },
	[TACHO_TRACK_VGID] = { "--vgid", "group ids", "vgid" },
	[TACHO_TRACK_EXECUTABLE] = { "--exec", "programs", "executable" },
	[TACHO_TRACK_DESCENDANTS] = { "--descendants", "descendants of", "descendants" },
};

const char *tracked_title(uint32_t kind)
{
	return kinds[kind].title;
}

const char *tracked_key(uint32_t kind)
{
	return kinds[kind].key;
}

/* ---- show ---- */

char *tracked_value_text(const struct tacho_session *file, const struct tacho_tracker *tracker)
{
	if (tracker->kind == TACHO_TRACK_EXECUTABLE)
		return look_text(file, &tracker->executable);
	return xasprintf("%" PRIu64, tracker->id);
}

static bool is_of(const struct tacho_tracker *tracker, uint32_t kind)
{
	return tracker->is_used && tracker->kind == kind;
}

char *tracked_text(const struct tacho_session *file, uint32_t kind)
{
	char *text = xstrdup("");

	if (!(file->tracked_kinds >> kind & 1)) {
		free(text);
		return xstrdup("every");
	}
	for (uint32_t i = 0; i < TACHO_TRACKERS_MAX; i++) {
		char *value, *longer;

		if (!is_of(&file->tracker[i], kind))
			continue;
		value = tracked_value_text(file, &file->tracker[i]);
		longer = xasprintf("%s%s%s", text, *text ? ", " : "", value);
		free(value);
		free(text);
		text = longer;
	}
	if (*text)
		return text;
	free(text);
	return xstrdup("none");
}

static void print_sets(struct picked *picked, uint32_t touched)
{
	static struct tacho_session file; /* large */

	look_session(picked->session, &file);
	for (uint32_t kind = 0; kind < TACHO_TRACK_KINDS; kind++) {
		char *text;

		if (!(touched >> kind & 1))
			continue;
		text = tracked_text(&file, kind);
		printf("Session '%s' tracks %s: %s\n", visible(file.name).text, kinds[kind].title,
		       visible(text).text);
		free(text);
	}
}

/* ---- values ---- */

struct value_list {
	struct tracked_value *values;
	size_t count;
	char **texts[TACHO_TRACK_KINDS]; /* what executables point into */
};

static int parse_user(const char *text, uint64_t *ret_id)
{
	const struct passwd *user;

	if (!parse_count(text, ret_id))
		return 0;
	user = getpwnam(text);
	if (!user)
		return -ENOENT;
	*ret_id = user->pw_uid;
	return 0;
}

static int parse_group(const char *text, uint64_t *ret_id)
{
	const struct group *group;

	if (!parse_count(text, ret_id))
		return 0;
	group = getgrnam(text);
	if (!group)
		return -ENOENT;
	*ret_id = group->gr_gid;
	return 0;
}

static int parse_process(const char *text, uint64_t *ret_id)
{
	int pid;
	int err = parse_pid(text, &pid);

	*ret_id = err ? 0 : (uint64_t)pid;
	return err;
}

static int wrong_value(const struct command *command, uint32_t kind, const char *text)
{
	static const char *const meant[TACHO_TRACK_KINDS] = {
		[TACHO_TRACK_VPID] = "a process id",
		[TACHO_TRACK_VUID] = "a user, neither by name nor by number",
		[TACHO_TRACK_VGID] = "a group, neither by name nor by number",
		[TACHO_TRACK_EXECUTABLE] = "a pattern of programs",
		[TACHO_TRACK_DESCENDANTS] = "a process id",
	};

	return wrong_use(command, "%s: '%s' is not %s", kinds[kind].option, text, meant[kind]);
}

static int wants_value(const struct command *command, uint32_t kind, const char *text,
		       struct tracked_value *ret_value)
{
	uint64_t id = 0;
	int err = 0;

	if (kind == TACHO_TRACK_EXECUTABLE)
		err = *text ? 0 : -EINVAL;
	else if (kind == TACHO_TRACK_VUID)
		err = parse_user(text, &id);
	else if (kind == TACHO_TRACK_VGID)
		err = parse_group(text, &id);
	else
		err = parse_process(text, &id);
	if (err || id > UINT32_MAX)
		return wrong_value(command, kind, text);
	*ret_value = (struct tracked_value){ kind, id, text };
	return STATUS_DONE;
}

static int wants_values(const struct command *command, uint32_t kind, struct value_list *list)
{
	char **texts = list_of(tracked_asked.values[kind]);
	size_t count = list_count(texts);
	int status = STATUS_DONE;

	list->texts[kind] = texts;
	list->values = xrealloc(list->values, (list->count + count + 1) * sizeof(*list->values));
	for (size_t i = 0; i < count && !status; i++)
		status = wants_value(command, kind, texts[i], &list->values[list->count++]);
	return status;
}

static void value_list_fini(struct value_list *list)
{
	for (uint32_t kind = 0; kind < TACHO_TRACK_KINDS; kind++)
		list_free(list->texts[kind]);
	free(list->values);
}

/* ---- run ---- */

static uint32_t touched_kinds(void)
{
	uint32_t touched = 0;

	for (uint32_t kind = 0; kind < TACHO_TRACK_KINDS; kind++)
		touched |= (uint32_t)(tracked_asked.values[kind] != tracked_untouched) << kind;
	return touched;
}

static int check(const struct command *command, uint32_t touched, struct value_list *list)
{
	enum tacho_domain domain; /* all of a session's events are of the same processes */
	int status = wants_domain(command, &domain);

	if (!status && !touched)
		return wrong_use(command, "say what it is about: --vpid, --vuid, --vgid, --exec or "
					  "--descendants");
	for (uint32_t kind = 0; kind < TACHO_TRACK_KINDS && !status; kind++) {
		if (!(touched >> kind & 1))
			continue;
		if (!tracked_asked.all && !tracked_asked.values[kind])
			return wrong_use(command, "%s needs values behind it, or --all",
					 kinds[kind].option);
		if (tracked_asked.all && tracked_asked.values[kind])
			return wrong_use(command, "%s takes no values beside --all",
					 kinds[kind].option);
		if (!tracked_asked.all)
			status = wants_values(command, kind, list);
	}
	return status;
}

/* What is so already is no reason to fail, for scripts; but perhaps it was mistyped. */
static void say_needless(const struct picked *picked, const struct tracked_work *work,
			 const struct value_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		const struct tracked_value *value = &list->values[i];
		char *text;

		if (session_tracks(picked->session, value) != work->is_to_track)
			continue;
		text = value->executable ? xstrdup(value->executable) :
					   xasprintf("%" PRIu64, value->id);
		say(SAY_WARNING, "%s %s: it is%s among those that are tracked",
		    kinds[value->kind].option, visible(text).text,
		    work->is_to_track ? " already" : " not");
		free(text);
	}
}

static int work_on(const struct command *command, const struct tracked_work *work, uint32_t touched,
		   const struct value_list *list)
{
	struct tacho_error error;
	struct picked picked;
	int status = pick(command, tracked_asked.session, &picked);
	int err = 0;

	if (!status && session_file(picked.session)->tracked_kinds & touched)
		say_needless(&picked, work, list);
	if (!status)
		err = tracked_asked.all ?
			      work->all(picked.session, touched, &error) :
			      work->some(picked.session, list->values, list->count, &error);
	if (err)
		status = fail_with(&error);
	if (!status)
		print_sets(&picked, touched);
	pick_close(&picked);
	return status;
}

int tracked_run(const struct command *command, const struct tracked_work *work)
{
	uint32_t touched = touched_kinds();
	struct value_list list = { 0 };
	int status = check(command, touched, &list);

	if (!status)
		status = work_on(command, work, touched, &list);
	value_list_fini(&list);
	return status;
}
