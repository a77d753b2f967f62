/* SPDX-License-Identifier: MIT */
/* triggers.c - see triggers.h */
#include "session/rules/triggers.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "base/fd.h"
#include "base/rule.h"
#include "base/str.h"
#include "session/rules/apply.h"
#include "session/rules/rules.h"
#include "session/state.h"
#include "session/text.h"
#include "session/watch/watch.h"

/* ---- the page of hits ---- */

static struct tacho_triggers *map_fd(int fd)
{
	struct stat st;
	void *map;

	if (fstat(fd, &st) || (size_t)st.st_size < sizeof(struct tacho_triggers))
		return NULL;
	map = mmap(NULL, sizeof(struct tacho_triggers), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	return map == MAP_FAILED ? NULL : map;
}

struct tacho_triggers *triggers_map(const struct session *session)
{
	int fd = file_open_at(session->dir_fd, TACHO_TRIGGERS_FILE, O_RDWR, 0);
	struct tacho_triggers *triggers = fd < 0 ? NULL : map_fd(fd);

	fd_close(fd);
	return triggers;
}

void triggers_unmap(struct tacho_triggers *triggers)
{
	if (triggers)
		munmap(triggers, sizeof(*triggers));
}

void session_trigger_hits(const struct session *session, uint64_t *ret_hits)
{
	struct tacho_triggers *triggers = triggers_map(session);

	for (uint32_t i = 0; i < TACHO_TRIGGERS_MAX; i++)
		ret_hits[i] = triggers ? tacho_load_relaxed(&triggers->hit[i].hit_count) : 0;
	triggers_unmap(triggers);
}

/* ---- the session file ---- */

bool triggers_are_armed(const struct tacho_session *file)
{
	for (uint32_t i = 0; i < TACHO_TRIGGERS_MAX; i++) {
		if (trigger_is_armed(file, i))
			return true;
	}
	return false;
}

void triggers_forget_hits(struct session *session)
{
	struct tacho_triggers *triggers = triggers_map(session);
	struct tacho_session *file = session->file;

	for (uint32_t i = 0; triggers && i < TACHO_TRIGGERS_MAX; i++) {
		uint64_t hits = tacho_load_acquire(&triggers->hit[i].hit_count);

		if (file->trigger[i].is_used && !trigger_is_armed(file, i))
			tacho_store_relaxed(&file->trigger[i].handled, hits);
	}
	triggers_unmap(triggers);
}

char *trigger_text(const struct tacho_session *file, const struct tacho_span *span)
{
	uint32_t bytes;
	const char *text = rule_text(file, span, &bytes);

	return text ? strndup(text, bytes) : NULL;
}

static bool has_name(const struct tacho_session *file, const struct tacho_trigger *trigger,
		     const char *name)
{
	uint32_t bytes;
	const char *text = rule_text(file, &trigger->name, &bytes);

	return text && strnlen(text, bytes) == strlen(name) && !memcmp(text, name, strlen(name));
}

static struct tacho_trigger *find_trigger(struct tacho_session *file, const char *name)
{
	for (uint32_t i = 0; i < TACHO_TRIGGERS_MAX; i++) {
		if (file->trigger[i].is_used && has_name(file, &file->trigger[i], name))
			return &file->trigger[i];
	}
	return NULL;
}

/* ---- what is possible ---- */

static bool is_looked_at_in_rings(enum tacho_condition condition)
{
	return condition == TACHO_CONDITION_USAGE_ABOVE ||
	       condition == TACHO_CONDITION_USAGE_BELOW || condition == TACHO_CONDITION_LOST;
}

static int check_name(const char *name, struct tacho_error *error)
{
	if (!*name)
		return error_set(error, -EINVAL, "the name of a trigger cannot be empty");
	if (strlen(name) >= TACHO_TRIGGER_NAME_BYTES)
		return error_set(error, -ENAMETOOLONG,
				 "the name of the trigger has %zu bytes, at most %d are possible",
				 strlen(name), TACHO_TRIGGER_NAME_BYTES - 1);
	return 0;
}

static int check_options(const struct trigger_options *o, struct tacho_error *error)
{
	if ((unsigned)o->condition > TACHO_CONDITION_REQUEST)
		return error_set(error, -EINVAL, "there is no condition %d", (int)o->condition);
	if (!o->actions || o->actions >= TACHO_ACTION_RUN << 1)
		return error_set(error, -EINVAL, "a trigger needs something to do");
	if (o->actions & TACHO_ACTION_RUN && (!o->command || !*o->command))
		return error_set(error, -EINVAL, "the command that the trigger is to run is empty");
	if ((o->condition == TACHO_CONDITION_USAGE_ABOVE ||
	     o->condition == TACHO_CONDITION_USAGE_BELOW) &&
	    o->threshold > 1000)
		return error_set(error, -EINVAL, "a buffer cannot be filled by more than 100 %%");
	if (o->condition == TACHO_CONDITION_SIZE && !o->threshold)
		return error_set(error, -EINVAL, "a size of 0 bytes is always reached");
	if (o->every && o->once_after)
		return error_set(error, -EINVAL, "either every so manieth time, or once: not both");
	return o->name ? check_name(o->name, error) : 0;
}

static int find_channel(const struct tacho_session *file, const struct trigger_options *o,
			uint32_t *ret_index, struct tacho_error *error)
{
	*ret_index = UINT32_MAX;
	if (!o->channel || !is_looked_at_in_rings(o->condition))
		return 0;
	for (uint32_t i = 0; i < file->channel_count && i < TACHO_CHANNELS_MAX; i++) {
		if (strncmp(file->channel[i].name, o->channel, TACHO_CHANNEL_NAME_BYTES))
			continue;
		*ret_index = i;
		return 0;
	}
	return error_set(error, -ENOENT,
			 "the session '%s' has no channel '%s'; those it has: tacho status '%s'",
			 file->name, o->channel, file->name);
}

static int check_actions(const struct tacho_session *file, const struct trigger_options *o,
			 struct tacho_error *error)
{
	if (file->streaming || o->session || !(o->actions & TACHO_ACTION_ROTATE))
		return 0;
	return error_set(error, -ENOTSUP,
			 "the session '%s' is a flight recorder, which has no trace that could be "
			 "rotated; have a snapshot taken: --action snapshot-session",
			 file->name);
}

/* ---- add ---- */

static int choose_name(struct tacho_session *file, const char *wanted, char *ret_name,
		       struct tacho_error *error)
{
	if (wanted && find_trigger(file, wanted))
		return error_set(error, -EEXIST,
				 "the session '%s' has a trigger '%s' already; choose another "
				 "name, or end that one with: tacho remove-trigger",
				 file->name, wanted);
	if (wanted)
		return str_copy(ret_name, TACHO_TRIGGER_NAME_BYTES, wanted);
	for (int i = 0; i <= TACHO_TRIGGERS_MAX; i++) {
		snprintf(ret_name, TACHO_TRIGGER_NAME_BYTES, "trigger%d", i);
		if (!find_trigger(file, ret_name))
			break;
	}
	return 0;
}

/* A program that is slow to notice that a trigger is gone hits what comes after it in the same place.
 * So a place that was hit is used again only when there is no other. */
static int choose_place(const struct tacho_session *file, const struct tacho_triggers *triggers,
			uint32_t *ret_index, struct tacho_error *error)
{
	uint64_t fewest = UINT64_MAX;
	uint32_t best = TACHO_TRIGGERS_MAX;

	for (uint32_t i = 0; i < TACHO_TRIGGERS_MAX; i++) {
		uint64_t hits = tacho_load_relaxed(&triggers->hit[i].hit_count);

		if (file->trigger[i].is_used || hits >= fewest)
			continue;
		fewest = hits;
		best = i;
	}
	if (best == TACHO_TRIGGERS_MAX)
		return error_set(error, -ENOSPC,
				 "the session '%s' has %d triggers already, the most that are "
				 "possible",
				 file->name, TACHO_TRIGGERS_MAX);
	*ret_index = best;
	return 0;
}

enum piece { NAME, COMMAND, SESSION, PIECES };

/* A trigger on its way into the session file. */
struct addition {
	const struct trigger_options *options;
	char name[TACHO_TRIGGER_NAME_BYTES];
	uint32_t index;
	struct tacho_trigger trigger;
};

static struct text_piece piece(const char *text)
{
	return (struct text_piece){ .data = text, .bytes = text ? strlen(text) + 1 : 0 };
}

static int put_texts(struct session *session, struct addition *a, struct tacho_error *error)
{
	const struct trigger_options *o = a->options;
	struct text_piece pieces[PIECES] = {
		[NAME] = piece(a->name),
		[COMMAND] = piece(o->actions & TACHO_ACTION_RUN ? o->command : NULL),
		[SESSION] = piece(o->session),
	};
	int ret = session_text_put(session, pieces, PIECES, error);

	if (ret)
		return ret;
	a->trigger.name = pieces[NAME].span;
	a->trigger.command = pieces[COMMAND].span;
	a->trigger.session = pieces[SESSION].span;
	return 0;
}

static void write_trigger(struct tacho_session *file, uint32_t index,
			  const struct tacho_trigger *trigger)
{
	uint32_t generation = session_change_begin(file);

	file->trigger[index] = *trigger;
	session_change_end(file, generation);
}

/* What was lost before is no news. A ring has to have been fuller than that, before it is below. */
static uint64_t first_seen(struct session *session, const struct addition *a)
{
	if (a->options->condition == TACHO_CONDITION_USAGE_BELOW)
		return 1;
	if (a->options->condition == TACHO_CONDITION_LOST)
		return watch_lost_so_far(session, a->trigger.channel);
	return 0;
}

static void fill_trigger(struct session *session, struct addition *a, uint64_t hits)
{
	const struct trigger_options *o = a->options;
	struct tacho_trigger *t = &a->trigger;

	t->is_used = 1;
	t->condition = (uint32_t)o->condition;
	t->actions = o->actions;
	t->threshold = o->threshold;
	t->interval_ns = o->interval_ns;
	t->every = o->every;
	t->once_after = o->once_after;
	t->first_hit = hits;
	t->handled = hits;
	t->seen = first_seen(session, a);
}

/* The rule comes first: it hits nothing as long as its trigger is not there. One that is there
 * already is of a tool that was killed between the two. */
static int write_addition(struct session *session, struct addition *a, struct tacho_error *error)
{
	int ret = 0;

	rules_remove_trigger(session, 1 + a->index);
	if (a->options->condition == TACHO_CONDITION_EVENT)
		ret = rules_put(session, &a->options->rule, 1 + a->index, error);
	if (!ret)
		ret = put_texts(session, a, error);
	if (!ret)
		write_trigger(session->file, a->index, &a->trigger);
	else
		rules_remove_trigger(session, 1 + a->index);
	return ret;
}

static int add_locked(struct session *session, struct addition *a, struct tacho_error *error)
{
	struct tacho_session *file = session->file;
	struct tacho_triggers *triggers = triggers_map(session);
	int ret;

	if (!triggers)
		return error_set(error, -EBADMSG, "the session '%s' has no page for triggers",
				 file->name);
	ret = choose_name(file, a->options->name, a->name, error);
	if (!ret)
		ret = find_channel(file, a->options, &a->trigger.channel, error);
	if (!ret)
		ret = choose_place(file, triggers, &a->index, error);
	if (!ret) {
		fill_trigger(session, a, tacho_load_relaxed(&triggers->hit[a->index].hit_count));
		ret = write_addition(session, a, error);
	}
	triggers_unmap(triggers);
	return ret;
}

/* A trigger that nobody would act on is not left there. */
static int begin_watch(struct session *session, const struct addition *a, struct tacho_error *error)
{
	struct tacho_trigger nothing = { 0 };
	int ret = watch_begin(session, error);

	if (!ret)
		return 0;
	write_trigger(session->file, a->index, &nothing);
	rules_remove_trigger(session, 1 + a->index);
	return ret;
}

int session_add_trigger(struct session *session, const struct trigger_options *options,
			char *ret_name, struct tacho_error *error)
{
	struct addition a = { .options = options };
	int ret = check_options(options, error);

	if (!ret)
		ret = check_actions(session->file, options, error);
	if (!ret)
		ret = session_lock(session, error);
	if (ret)
		return ret;
	ret = add_locked(session, &a, error);
	if (!ret)
		ret = begin_watch(session, &a, error);
	if (!ret && options->condition == TACHO_CONDITION_EVENT)
		apply_rules(session);
	session_unlock(session);
	watch_wake(session);
	if (!ret && ret_name)
		str_copy(ret_name, TACHO_TRIGGER_NAME_BYTES, a.name);
	return ret;
}

/* ---- remove ---- */

/* "there is no trigger 'x'; there are: a, b", as far as it fits. */
static int set_unknown(const struct tacho_session *file, const char *name,
		       struct tacho_error *error)
{
	char list[256] = "";
	size_t length = 0;

	for (uint32_t i = 0; i < TACHO_TRIGGERS_MAX && length < sizeof(list); i++) {
		uint32_t bytes = 0;
		const char *text = NULL;

		if (file->trigger[i].is_used)
			text = rule_text(file, &file->trigger[i].name, &bytes);
		if (text)
			length += (size_t)snprintf(list + length, sizeof(list) - length, "%s%.*s",
						   length ? ", " : "", (int)bytes, text);
	}
	if (!length)
		return error_set(error, -ENOENT,
				 "the session '%s' has no trigger '%s', nor any other", file->name,
				 name);
	return error_set(error, -ENOENT, "the session '%s' has no trigger '%s'; there are: %s%s",
			 file->name, name, list, length >= sizeof(list) ? "..." : "");
}

/* Its rules go last: as long as they are there, somebody may want to know whose they are. */
static int remove_locked(struct session *session, const char *name, struct tacho_error *error)
{
	struct tacho_trigger *trigger = find_trigger(session->file, name);
	struct tacho_trigger nothing = { 0 };
	uint32_t index;

	if (!trigger)
		return set_unknown(session->file, name, error);
	index = (uint32_t)(trigger - session->file->trigger);
	write_trigger(session->file, index, &nothing);
	rules_remove_trigger(session, 1 + index);
	apply_rules(session);
	return 0;
}

int session_remove_trigger(struct session *session, const char *name, struct tacho_error *error)
{
	int ret = session_lock(session, error);

	if (ret)
		return ret;
	ret = remove_locked(session, name, error);
	session_unlock(session);
	watch_wake(session);
	return ret;
}
