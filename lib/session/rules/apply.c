/* SPDX-License-Identifier: MIT */
/* apply.c - see apply.h; the protocol, en:A to en:C, is told in format/runtime.h */
#include "session/rules/apply.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "base/ancestors.h"
#include "base/fd.h"
#include "base/process.h"
#include "base/rule.h"
#include "session/rules/filters.h"
#include "session/kernel/apply.h"
#include "session/kernel/state_dump.h"
#include "session/registry.h"
#include "session/state.h"

/* "provider:event", the longest that a description can hold. */
#define EVENT_NAME_BYTES (2 * TACHO_NAME_MAX + 2)

#define STAT_BYTES 512

/* A program, while it is told. */
struct application {
	const struct tacho_session *file;
	struct registry *registry;
	struct rule_subject subject;
	uint32_t ancestor[TACHO_ANCESTORS_MAX];
	bool is_ours; /* whatever its events are called */
};

/* Of an event that lacks what a rule's filter names, no record will ever match. Of others, the
 * program decides record by record. */
static bool filter_may_match(const struct tacho_session *file, const struct tacho_rule *rule,
			     const struct event_desc *desc)
{
	uint32_t bytes;
	const char *code = rule_text(file, &rule->filter, &bytes);

	return !rule->filter.bytes || (code && session_filter_may_match(code, bytes, desc));
}

static bool rules_match(const struct application *a, const struct event_desc *desc)
{
	struct rule_subject subject = a->subject;
	char name[EVENT_NAME_BYTES];

	snprintf(name, sizeof(name), "%s:%s", desc->provider, desc->name);
	subject.event = name;
	subject.level = desc->level;
	for (uint32_t i = 0; i < rule_count(a->file); i++) {
		const struct tacho_rule *rule = &a->file->rule[i];

		if (rule_is_armed(a->file, rule) && rule_is_match(a->file, rule, &subject) &&
		    filter_may_match(a->file, rule, desc))
			return true;
	}
	return false;
}

static void apply_to_event(const struct application *a, uint32_t i)
{
	uint32_t *state = registry_state_of(a->registry, i);
	uint32_t bit = 1u << a->file->slot;
	struct event_desc *desc = registry_event(a->registry, i);

	if (!desc)
		return;
	if (a->is_ours && rules_match(a, desc))
		tacho_fetch_or_acq_rel(state, bit | TACHO_STATE_STALE);
	else if (tacho_load_relaxed(state) & bit)
		tacho_fetch_and_acq_rel(state, ~bit);
	event_desc_free(desc);
}

static uint32_t parent_of(uint32_t pid)
{
	char path[32], stat[STAT_BYTES];

	snprintf(path, sizeof(path), "/proc/%u/stat", pid);
	if (file_read_text(AT_FDCWD, path, stat, sizeof(stat)) < 0)
		return 0;
	return ancestors_parent(stat);
}

/* Pids of another pid namespace mean nothing here: of a program there, only what it has noted
 * itself is known. */
static uint32_t find_ancestors(struct registry *registry, uint32_t *ret_list)
{
	if (!(tacho_load_relaxed(&registry->shared->ancestors_known)) &&
	    registry->head.pid_namespace != process_pid_namespace())
		return 0;
	return ancestors_get(registry->shared, parent_of, ret_list);
}

static bool is_ours(struct application *a)
{
	if (a->file->state == TACHO_SESSION_DEAD ||
	    !tacho_is_of_family(a->registry->head.family, a->file->family))
		return false;
	if (a->file->tracked_kinds & 1u << TACHO_TRACK_DESCENDANTS)
		a->subject.ancestor_count = find_ancestors(a->registry, a->ancestor);
	return rule_trackers_admit(a->file, &a->subject);
}

static int apply_to_program(struct registry *registry, void *session)
{
	struct application a = {
		.file = ((struct session *)session)->file,
		.registry = registry,
		.subject = {
			.pid = registry->head.pid,
			.uid = registry->head.uid,
			.gid = registry->head.gid,
			.executable = registry->head.executable,
		},
	};

	a.subject.ancestors = a.ancestor;
	a.is_ours = is_ours(&a);
	for (uint32_t i = 0; i < registry->event_count; i++)
		apply_to_event(&a, i);
	return 0;
}

/* en:A was done by the caller */
static int apply_to_programs(struct session *session)
{
	tacho_fence_full(); /* en:B pairs with reg:B: rules and state before what programs publish */
	return registries_visit(session->runtime, apply_to_program, session); /* en:C */
}

int apply_rules(struct session *session)
{
	int kernel_ret = kernel_apply(session, NULL);
	int ret = apply_to_programs(session);

	return ret ? ret : kernel_ret;
}

int apply_change(struct session *session, struct tacho_error *error)
{
	struct tacho_error reason = { .text = "" };
	int kernel_ret = kernel_apply(session, &reason);
	int ret = apply_to_programs(session);

	if (ret)
		return error_set(
			error, ret,
			"the session '%s' was changed, but not all running programs could be told: "
			"%s; do it once more",
			session->file->name, strerror(-ret));
	if (!kernel_ret)
		return 0;
	return error_set(error, kernel_ret, "the session '%s' was changed, but not all in the kernel: %s",
			 session->file->name, *reason.text ? reason.text : strerror(-kernel_ret));
}

/* What is off stays so. */
static int mark_stale(struct registry *registry, void *session)
{
	uint32_t bit = 1u << ((struct session *)session)->file->slot;

	for (uint32_t i = 0; i < registry->event_count; i++) {
		uint32_t *state = registry_state_of(registry, i);

		if (tacho_load_relaxed(state) & bit)
			tacho_fetch_or_acq_rel(state, TACHO_STATE_STALE); /* dump:B pairs with dump:C */
	}
	return 0;
}

int apply_dump(struct session *session, bool is_drained)
{
	int kernel_ret = kernel_state_dump(session, is_drained);

	if (!rule_asks_for_dump(session->file))
		return kernel_ret;
	tacho_fetch_add_relaxed(&session->file->dump_wanted, 1); /* dump:A */
	return registries_visit(session->runtime, mark_stale, session);
}
