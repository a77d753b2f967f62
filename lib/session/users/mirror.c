/* SPDX-License-Identifier: MIT */
/* mirror.c - see mirror.h */
#include "session/users/mirror.h"

#include <errno.h>
#include <string.h>

#include "session/rules/apply.h"
#include "session/rules/channels.h"
#include "session/state.h"
#include "session/text.h"

static int create(struct runtime *runtime, const struct tacho_session *model,
		  struct session **ret_session, struct tacho_error *error)
{
	struct session_options options = {
		.name = model->name,
		.output = model->output,
		.mirror_of = model->instance,
		.ctf_major = model->ctf_major,
		.streaming = model->streaming,
		.channel_later = true,
	};

	return session_create(runtime, &options, ret_session, error);
}

static int open_or_create(struct runtime *runtime, const struct tacho_session *model,
			  struct session **ret_session, struct tacho_error *error)
{
	int ret = session_open(runtime, model->name, ret_session, error);

	if (ret == -ENOENT)
		ret = create(runtime, model, ret_session, error);
	if (ret == -EEXIST) /* root's drain was faster */
		ret = session_open(runtime, model->name, ret_session, error);
	if (ret)
		return ret;
	*error = (struct tacho_error){ 0 };
	if ((*ret_session)->file->mirror_of == model->instance)
		return 0;
	session_close(*ret_session);
	return error_set(error, -EEXIST,
			 "there is a session '%s' of this user already; root's needs another name",
			 model->name);
}

static int add_channels(struct session *session, const struct tacho_session *model,
			struct tacho_error *error)
{
	int ret = 0;

	for (uint32_t i = session->file->channel_count; !ret && i < model->channel_count; i++) {
		uint32_t index;

		ret = channel_add(session, &model->channel[i], &index, error);
	}
	return ret;
}

/* Of a rule that hits a trigger, root's programs alone are asked. */
static void copy_rules(struct tacho_session *file, const struct tacho_session *model)
{
	memcpy(file->rule, model->rule, sizeof(file->rule));
	for (uint32_t i = 0; i < model->rule_count; i++) {
		if (file->rule[i].trigger)
			file->rule[i] = (struct tacho_rule){ 0 };
	}
	file->rule_count = model->rule_count;
}

static void copy_settings(struct tacho_session *file, const struct tacho_session *model)
{
	uint32_t generation = session_change_begin(file);

	memcpy(file->channel, model->channel, sizeof(file->channel));
	copy_rules(file, model);
	memcpy(file->tracker, model->tracker, sizeof(file->tracker));
	file->tracked_kinds = model->tracked_kinds;
	memcpy(file->perf, model->perf, sizeof(file->perf));
	memcpy(file->text, model->text, model->text_allocated);
	session_change_end(file, generation);
}

static int make_alike(struct session *session, const struct tacho_session *model,
		      struct tacho_error *error)
{
	int ret = session_lock(session, error);

	if (ret)
		return ret;
	ret = add_channels(session, model, error);
	if (!ret)
		ret = session_text_reserve(session, model->text_allocated, error);
	if (!ret) {
		copy_settings(session->file, model);
		apply_rules(session);
	}
	session_unlock(session);
	return ret;
}

static int follow_state(struct session *session, const struct tacho_session *model,
			struct tacho_error *error)
{
	if (model->state == TACHO_SESSION_ACTIVE)
		return session_start(session, error);
	if (session->file->state == TACHO_SESSION_ACTIVE)
		return session_stop(session, error);
	return 0;
}

int session_mirror(struct runtime *runtime, const struct tacho_session *model,
		   struct session **ret_session, struct tacho_error *error)
{
	struct session *session;
	int ret = open_or_create(runtime, model, &session, error);

	if (ret)
		return ret;
	session->model = model;
	ret = make_alike(session, model, error);
	if (!ret)
		ret = follow_state(session, model, error);
	if (ret)
		session_close(session);
	else
		*ret_session = session;
	return ret;
}

int session_mirror_open(struct runtime *runtime, const struct tacho_session *model,
			struct session **ret_session)
{
	int ret = session_open(runtime, model->name, ret_session, NULL);

	if (ret || (*ret_session)->file->mirror_of == model->instance)
		return ret;
	session_close(*ret_session);
	return -ENOENT;
}
