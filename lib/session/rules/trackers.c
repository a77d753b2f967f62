/* SPDX-License-Identifier: MIT */
/* trackers.c - see trackers.h */
#include "session/rules/trackers.h"

#include <errno.h>
#include <string.h>

#include "base/rule.h"
#include "session/rules/apply.h"
#include "session/state.h"
#include "session/text.h"

static const char *const kind_names[TACHO_TRACK_KINDS] = {
	[TACHO_TRACK_VPID] = "process id",
	[TACHO_TRACK_VUID] = "user id",
	[TACHO_TRACK_VGID] = "group id",
	[TACHO_TRACK_EXECUTABLE] = "program",
	[TACHO_TRACK_DESCENDANTS] = "ancestor's process id",
};

static bool has_executable(const struct tacho_session *file, const struct tacho_tracker *tracker,
			   const char *executable)
{
	uint32_t bytes;
	const char *text = rule_text(file, &tracker->executable, &bytes);

	return bytes == strlen(executable) + 1 && !memcmp(text, executable, bytes);
}

static struct tacho_tracker *find(struct tacho_session *file, const struct tracked_value *value)
{
	for (uint32_t i = 0; i < TACHO_TRACKERS_MAX; i++) {
		struct tacho_tracker *tracker = &file->tracker[i];

		if (!tracker->is_used || tracker->kind != (uint32_t)value->kind)
			continue;
		if (value->kind == TACHO_TRACK_EXECUTABLE ?
			    has_executable(file, tracker, value->executable) :
			    tracker->id == value->id)
			return tracker;
	}
	return NULL;
}

static struct tacho_tracker *find_place(struct tacho_session *file)
{
	for (uint32_t i = 0; i < TACHO_TRACKERS_MAX; i++) {
		if (!file->tracker[i].is_used)
			return &file->tracker[i];
	}
	return NULL;
}

static size_t count_places(const struct tacho_session *file)
{
	size_t count = 0;

	for (uint32_t i = 0; i < TACHO_TRACKERS_MAX; i++)
		count += !file->tracker[i].is_used;
	return count;
}

/* ---- what can be wrong with values ---- */

static int check_value(const struct tracked_value *value, struct tacho_error *error)
{
	if ((unsigned)value->kind >= TACHO_TRACK_KINDS)
		return error_set(error, -EINVAL, "there is no kind %d of what can be tracked",
				 (int)value->kind);
	if (value->kind == TACHO_TRACK_EXECUTABLE) {
		size_t bytes = value->executable ? strlen(value->executable) : 0;

		if (!bytes || bytes >= TACHO_PATTERN_BYTES)
			return error_set(error, -EINVAL,
					 "the pattern of a program has %zu bytes; it needs at "
					 "least one and at most %d",
					 bytes, TACHO_PATTERN_BYTES - 1);
		return 0;
	}
	if (value->id > UINT32_MAX)
		return error_set(error, -EINVAL, "a %s of %llu is not possible",
				 kind_names[value->kind], (unsigned long long)value->id);
	return 0;
}

static int check_values(const struct tracked_value *values, size_t count, struct tacho_error *error)
{
	int ret = 0;

	for (size_t i = 0; i < count && !ret; i++)
		ret = check_value(&values[i], error);
	return ret;
}

static int check_room(struct tacho_session *file, const struct tracked_value *values, size_t count,
		      struct tacho_error *error)
{
	size_t needed = 0;

	for (size_t i = 0; i < count; i++)
		needed += !find(file, &values[i]);
	if (needed <= count_places(file))
		return 0;
	return error_set(error, -ENOSPC,
			 "the session '%s' can track %d values in all, and %zu more do not fit; "
			 "untrack some, or track what they have in common (a user, a program, an "
			 "ancestor)",
			 file->name, TACHO_TRACKERS_MAX, needed);
}

static int check_is_set(const struct tacho_session *file, const struct tracked_value *value,
			struct tacho_error *error)
{
	if (file->tracked_kinds & 1u << value->kind)
		return 0;
	return error_set(error, -ENOENT,
			 "the session '%s' tracks every %s, and cannot leave out single ones; say "
			 "which it is to track (tacho track), or none (untrack --all)",
			 file->name, kind_names[value->kind]);
}

bool session_tracks(const struct session *session, const struct tracked_value *value)
{
	return find(session->file, value);
}

/* ---- changes ---- */

static int add(struct session *session, const struct tracked_value *value,
	       struct tacho_error *error)
{
	struct tacho_session *file = session->file;
	bool is_text = value->kind == TACHO_TRACK_EXECUTABLE;
	struct text_piece piece = {
		.data = value->executable,
		.bytes = is_text ? strlen(value->executable) + 1 : 0,
	};
	struct tacho_tracker *place = find(file, value) ? NULL : find_place(file);
	uint32_t generation;
	int ret = place ? session_text_put(session, &piece, 1, error) : 0;

	if (ret || !place)
		return ret;
	generation = session_change_begin(file);
	*place = (struct tacho_tracker){
		.kind = value->kind,
		.id = is_text ? 0 : value->id,
		.executable = piece.span,
	};
	tacho_store_release(&place->is_used,
			    1); /* whoever is killed before leaves no half of one */
	file->tracked_kinds |= 1u << value->kind;
	session_change_end(file, generation);
	return 0;
}

static void take_out(struct tacho_session *file, const struct tracked_value *value)
{
	struct tacho_tracker *tracker = find(file, value);
	uint32_t generation = session_change_begin(file);

	if (tracker)
		*tracker = (struct tacho_tracker){ 0 };
	session_change_end(file, generation);
}

static int track_locked(struct session *session, const struct tracked_value *values, size_t count,
			struct tacho_error *error)
{
	int ret = check_room(session->file, values, count, error);
	int told;

	for (size_t i = 0; i < count && !ret; i++)
		ret = add(session, &values[i], error);
	told = apply_change(session, ret ? NULL : error);
	return ret ? ret : told;
}

static int untrack_locked(struct session *session, const struct tracked_value *values, size_t count,
			  struct tacho_error *error)
{
	int ret = 0;

	for (size_t i = 0; i < count && !ret; i++)
		ret = check_is_set(session->file, &values[i], error);
	if (ret)
		return ret;
	for (size_t i = 0; i < count; i++)
		take_out(session->file, &values[i]);
	return apply_change(session, error);
}

int session_track(struct session *session, const struct tracked_value *values, size_t count,
		  struct tacho_error *error)
{
	int ret = check_values(values, count, error);

	if (!ret)
		ret = session_lock(session, error);
	if (ret)
		return ret;
	ret = track_locked(session, values, count, error);
	session_unlock(session);
	return ret;
}

int session_untrack(struct session *session, const struct tracked_value *values, size_t count,
		    struct tacho_error *error)
{
	int ret = check_values(values, count, error);

	if (!ret)
		ret = session_lock(session, error);
	if (ret)
		return ret;
	ret = untrack_locked(session, values, count, error);
	session_unlock(session);
	return ret;
}

/* ---- whole sets ---- */

static void empty_sets(struct tacho_session *file, uint32_t kinds)
{
	for (uint32_t i = 0; i < TACHO_TRACKERS_MAX; i++) {
		struct tacho_tracker *tracker = &file->tracker[i];

		if (tracker->kind < TACHO_TRACK_KINDS && kinds >> tracker->kind & 1)
			*tracker = (struct tacho_tracker){ 0 };
	}
}

static int set_all(struct session *session, uint32_t kinds, bool every, struct tacho_error *error)
{
	struct tacho_session *file = session->file;
	uint32_t generation;
	int ret = session_lock(session, error);

	if (ret)
		return ret;
	generation = session_change_begin(file);
	empty_sets(file, kinds);
	file->tracked_kinds = every ? file->tracked_kinds & ~kinds : file->tracked_kinds | kinds;
	session_change_end(file, generation);
	ret = apply_change(session, error);
	session_unlock(session);
	return ret;
}

int session_track_all(struct session *session, uint32_t kinds, struct tacho_error *error)
{
	return set_all(session, kinds, true, error);
}

int session_untrack_all(struct session *session, uint32_t kinds, struct tacho_error *error)
{
	return set_all(session, kinds, false, error);
}
