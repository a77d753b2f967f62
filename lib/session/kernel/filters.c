/* SPDX-License-Identifier: MIT */
/* filters.c - see filters.h */
#include "session/kernel/filters.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/fd.h"
#include "base/pattern.h"
#include "base/rule.h"
#include "filter/filter.h"
#include "kernel/instance.h"
#include "kernel/names.h"
#include "kernel/predicate.h"
#include "kernel/tracefs.h"
#include "session/kernel/probes.h"
#include "session/state.h"

static enum tacho_rule_kind kind_of(const struct kernel_event *event)
{
	return kernel_event_is_syscall(event) ? TACHO_RULE_SYSCALL : TACHO_RULE_TRACEPOINT;
}

/* One that some session made. */
static bool is_probe(const struct kernel_event *event)
{
	return !strncmp(event->system, KERNEL_GROUP_PREFIX, strlen(KERNEL_GROUP_PREFIX));
}

static int translate(const struct tacho_filter *filter, int tracefs_fd,
		     const struct kernel_event *event, struct kernel_condition *ret_condition,
		     char ret_lacks[TACHO_NAME_MAX + 1], struct tacho_error *error)
{
	struct kernel_format *format = malloc(sizeof(*format));
	int ret;

	if (!format)
		return error_set(error, -ENOMEM, "no memory for a filter");
	ret = kernel_instance_format(tracefs_fd, event->system, event->event, format, error);
	if (!ret)
		ret = kernel_predicate_make(filter, event->system, format, ret_condition, ret_lacks,
					    error);
	free(format);
	return ret;
}

/* ---- before ---- */

/* The events that a rule would match. */
struct check {
	const struct session *session;
	uint32_t channel;
	const struct rule_options *options;
	const char *group; /* of the session's own events */
	const struct tacho_filter *filter;
	int tracefs_fd;
	bool is_found;                       /* an event that has the fields */
	bool has_state;                      /* one of the state dump, which has no filters */
	char lacking[TACHO_NAME_MAX + 1];    /* one that has not, */
	char lacks[TACHO_NAME_MAX + 1];      /* and which */
};

static bool is_excluded(const struct rule_options *options, const char *name)
{
	for (const char *const *pattern = options->exclude; pattern && *pattern; pattern++)
		if (pattern_is_match(*pattern, strlen(*pattern), name))
			return true;
	return false;
}

static bool is_matched(const struct check *c, const struct kernel_event *event)
{
	const struct rule_options *options = c->options;
	const char *name = kernel_event_subject(event);

	if (rule_is_probe(options->kind))
		return kernel_probe_is_event(options->kind, options->pattern, c->group, event);
	return !is_probe(event) && options->kind == kind_of(event) &&
	       pattern_is_match(options->pattern, strlen(options->pattern), name) &&
	       !is_excluded(options, name);
}

/* Rules of one event are one filter, which must not be too long either. */
static int check_joined(const struct check *c, const struct kernel_event *event,
			struct kernel_condition *condition, struct tacho_error *error)
{
	struct kernel_condition all = { KERNEL_NEVER, NULL };
	int ret;

	if (c->channel == KERNEL_NO_CHANNEL)
		return 0;
	ret = kernel_filters_make(c->session, c->channel, c->tracefs_fd, event, &all, error);
	if (!ret)
		ret = kernel_condition_join(&all, TACHO_FILTER_OR, condition, error);
	kernel_condition_end(&all);
	return ret;
}

static int check_event(struct check *c, const struct kernel_event *event, struct tacho_error *error)
{
	struct kernel_condition condition = { KERNEL_NEVER, NULL };
	char lacks[TACHO_NAME_MAX + 1];
	int ret;

	c->has_state |= kernel_event_is_state(event);
	if (kernel_event_is_state(event))
		return 0;
	ret = translate(c->filter, c->tracefs_fd, event, &condition, lacks, error);
	if (!ret)
		ret = check_joined(c, event, &condition, error);
	kernel_condition_end(&condition);
	if (ret)
		return ret;
	if (!*lacks) {
		c->is_found = true;
		return 0;
	}
	memcpy(c->lacks, lacks, sizeof(lacks));
	memcpy(c->lacking, event->name, sizeof(event->name));
	return 0;
}

static int check_events(struct check *c, struct tacho_error *error)
{
	struct kernel_catalog catalog;
	int ret = kernel_catalog_open(c->tracefs_fd, &catalog, error);

	if (ret)
		return ret;
	for (size_t i = 0; !ret && i < catalog.count; i++)
		if (is_matched(c, &catalog.events[i]))
			ret = check_event(c, &catalog.events[i], error);
	kernel_catalog_close(&catalog);
	if (!ret && !c->is_found && c->has_state && !*c->lacks)
		return error_set(error, -ENOTSUP,
				 "the events of the state dump cannot be filtered; enable '%s' without "
				 "a filter",
				 c->options->pattern);
	if (!ret && !c->is_found && *c->lacks)
		return error_set(error, -ENOENT,
				 "the filter can never be true: the kernel's event '%s' has no field "
				 "'%s'; what there is: tacho list -k --fields",
				 c->lacking, c->lacks);
	return ret;
}

int kernel_filters_check(const struct session *session, uint32_t channel,
			 const struct rule_options *options, const struct tacho_filter *filter,
			 struct tacho_error *error)
{
	char group[KERNEL_GROUP_BYTES];
	struct check c = {
		.session = session,
		.channel = channel,
		.options = options,
		.group = group,
		.filter = filter,
	};
	int ret;

	kernel_group_print(session->dir_fd, session->file->instance, group);
	c.tracefs_fd = tracefs_open(error);
	if (c.tracefs_fd < 0)
		return c.tracefs_fd;
	ret = check_events(&c, error);
	fd_close(c.tracefs_fd);
	return ret;
}

/* ---- of the rules that there are ---- */

/* The session's file is in shared memory: what is run is copied and checked first. */
static struct tacho_filter *copy_filter(const struct tacho_session *file,
					const struct tacho_rule *rule)
{
	uint32_t bytes;
	const char *code = rule_text(file, &rule->filter, &bytes);
	struct tacho_filter *filter =
		code && bytes <= TACHO_FILTER_BYTES_MAX ? malloc(bytes) : NULL;

	if (!filter)
		return NULL;
	memcpy(filter, code, bytes);
	if (!filter_check(filter, bytes))
		return filter;
	free(filter);
	return NULL;
}

static int add_rule(const struct tacho_session *file, const struct tacho_rule *rule, int tracefs_fd,
		    const struct kernel_event *event, struct kernel_condition *condition,
		    struct tacho_error *error)
{
	struct kernel_condition one = { KERNEL_ALWAYS, NULL };
	char lacks[TACHO_NAME_MAX + 1];
	struct tacho_filter *filter;
	int ret = 0;

	if (rule->filter.bytes) {
		filter = copy_filter(file, rule);
		ret = filter ? translate(filter, tracefs_fd, event, &one, lacks, error) :
			       error_set(error, -EBADMSG, "the session's file is damaged");
		free(filter);
	}
	if (!ret)
		ret = kernel_condition_join(condition, TACHO_FILTER_OR, &one, error);
	kernel_condition_end(&one);
	return ret;
}

static bool is_of_rule(const struct tacho_session *file, const struct tacho_rule *rule,
		       const char *group, const struct kernel_event *event)
{
	struct rule_subject subject = {
		.kind = kind_of(event),
		.event = kernel_event_subject(event),
		.executable = "",
	};
	char pattern[TACHO_PATTERN_BYTES + 1] = "";

	if (!rule_is_probe(rule->kind))
		return !is_probe(event) && rule_is_match(file, rule, &subject);
	memcpy(pattern, rule->pattern, TACHO_PATTERN_BYTES);
	return rule->enabled == TACHO_RULE_ENABLED &&
	       kernel_probe_is_event(rule->kind, pattern, group, event);
}

int kernel_filters_make(const struct session *session, uint32_t channel, int tracefs_fd,
			const struct kernel_event *event, struct kernel_condition *ret_condition,
			struct tacho_error *error)
{
	const struct tacho_session *file = session->file;
	char group[KERNEL_GROUP_BYTES];
	int ret = 0;

	kernel_group_print(session->dir_fd, file->instance, group);

	for (uint32_t i = 0; !ret && i < rule_count(file); i++) {
		const struct tacho_rule *rule = &file->rule[i];

		if (rule->channel == channel && !rule->trigger &&
		    !(kernel_event_is_state(event) && rule->filter.bytes) &&
		    is_of_rule(file, rule, group, event))
			ret = add_rule(file, rule, tracefs_fd, event, ret_condition, error);
	}
	return ret;
}
