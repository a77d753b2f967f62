/* SPDX-License-Identifier: MIT */
/*
 * rules.c - which events a session records; see session.h, and format/session.h for how a change
 * of the rules is seen by programs that read them meanwhile.
 *
 * A rule is known by all that it says: by its channel, pattern, level, exclusions, filter, program
 * and trigger. So rules of one pattern can stand beside each other, and to enable one twice is the
 * same as once.
 */
#include "session/rules/rules.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/rule.h"
#include "base/str.h"
#include "session/kernel/filters.h"
#include "session/kernel/probes.h"
#include "session/kernel/recorder.h"
#include "session/rules/apply.h"
#include "session/rules/channels.h"
#include "session/rules/filters.h"
#include "session/state.h"
#include "session/text.h"

#define NO_CHANNEL UINT32_MAX

enum piece { EXCLUDE, EXECUTABLE, FILTER_TEXT, FILTER, PIECES };

/* A rule on its way into the file. */
/* The channel beside that of the kernel module, for what it does not have. */
#define TRACEFS_CHANNEL_NAME "tracefs"
#define STATE_DUMP_PREFIX    "lttng_statedump_"

struct wanted {
	struct tacho_rule rule; /* but for its spans */
	struct text_piece pieces[PIECES];
	char *exclude;
	struct tacho_filter *filter; /* compiled */
};

/* ---- what the options mean ---- */

static int set_too_long(size_t bytes, struct tacho_error *error)
{
	return error_set(error, -ENAMETOOLONG, "a pattern has %zu bytes, at most %d are possible",
			 bytes, TACHO_PATTERN_BYTES - 1);
}

/* A pattern that no name of an event can match is a mistake. */
static int check_pattern(enum tacho_rule_kind kind, const char *pattern, struct tacho_error *error)
{
	size_t bytes = strlen(pattern);

	if (!bytes)
		return error_set(error, -EINVAL,
				 "the pattern of an event cannot be empty; '*' is "
				 "for all events");
	if (bytes >= TACHO_PATTERN_BYTES)
		return set_too_long(bytes, error);
	if (kind == TACHO_RULE_EVENT && !strchr(pattern, ':') && !strchr(pattern, '*'))
		return error_set(error, -EINVAL,
				 "'%s' matches no event, since their names are "
				 "provider:event; did you mean '%s:*' or '*:%s'?",
				 pattern, pattern, pattern);
	return 0;
}

static int check_exclusions(enum tacho_rule_kind kind, const char *const *exclude,
			    struct tacho_error *error)
{
	int ret = 0;

	for (; exclude && *exclude && !ret; exclude++) {
		ret = check_pattern(kind, *exclude, error);
		if (!ret && !strcmp(*exclude, "*"))
			ret = error_set(error, -EINVAL, "to exclude '*' leaves nothing to record");
	}
	return ret;
}

static int check_executable(enum tacho_rule_kind kind, const char *executable,
			    struct tacho_error *error)
{
	if (!executable || rule_is_probe(kind))
		return 0;
	if (!*executable)
		return error_set(error, -EINVAL, "the pattern of a program cannot be empty");
	return strlen(executable) < TACHO_PATTERN_BYTES ? 0 :
							  set_too_long(strlen(executable), error);
}

static int check_options(const struct rule_options *o, struct tacho_error *error)
{
	int ret = check_pattern(o->kind, o->pattern, error);

	if ((unsigned)o->level_match > TACHO_LEVEL_EXACTLY || (unsigned)o->level > TACHO_LEVEL_MAX)
		return error_set(error, -EINVAL, "there is no level %d (0 to %d)", (int)o->level,
				 TACHO_LEVEL_MAX);
	if (!ret)
		ret = check_exclusions(o->kind, o->exclude, error);
	return ret ? ret : check_executable(o->kind, o->executable, error);
}

static int by_bytes(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Sorted, and each once, so that the same set is the same bytes. */
static size_t join(const char **patterns, size_t count, char *to)
{
	char *start = to;

	qsort(patterns, count, sizeof(*patterns), by_bytes);
	for (size_t i = 0; i < count; i++) {
		if (!i || strcmp(patterns[i], patterns[i - 1]))
			to = stpcpy(to, patterns[i]) + 1;
	}
	return (size_t)(to - start);
}

static int join_exclusions(const char *const *exclude, struct wanted *w, struct tacho_error *error)
{
	const char **sorted;
	size_t count = 0, bytes = 0;

	for (; exclude && exclude[count]; count++)
		bytes += strlen(exclude[count]) + 1;
	if (!count)
		return 0;
	sorted = malloc(count * sizeof(*sorted));
	w->exclude = malloc(bytes);
	if (!sorted || !w->exclude) {
		free(sorted);
		return error_set(error, -ENOMEM, "no memory for a rule");
	}
	memcpy(sorted, exclude, count * sizeof(*sorted));
	w->pieces[EXCLUDE] =
		(struct text_piece){ w->exclude, join(sorted, count, w->exclude), { 0 } };
	free(sorted);
	return 0;
}

static void set_text(struct text_piece *piece, const char *text)
{
	*piece = (struct text_piece){ text, text ? strlen(text) + 1 : 0, { 0 } };
}

static int wanted_init(const struct rule_options *o, struct wanted *w, struct tacho_error *error)
{
	int ret = check_options(o, error);

	*w = (struct wanted){
		.rule = {
			.enabled = TACHO_RULE_ENABLED,
			.kind = o->kind,
			.level_match = o->level_match,
			.level = o->level_match == TACHO_LEVEL_ANY ? 0 : o->level,
			.pid = o->pid,
		},
	};
	if (ret)
		return ret;
	set_text(&w->pieces[EXECUTABLE], o->executable);
	set_text(&w->pieces[FILTER_TEXT], o->filter);
	str_copy(w->rule.pattern, sizeof(w->rule.pattern), o->pattern);
	return join_exclusions(o->exclude, w, error);
}

static void wanted_fini(struct wanted *w)
{
	free(w->exclude);
	free(w->filter);
}

/* ---- rules of the file ---- */

static const struct tacho_span *span_of(const struct tacho_rule *rule, enum piece piece)
{
	const struct tacho_span *const spans[PIECES] = {
		[EXCLUDE] = &rule->exclude,
		[EXECUTABLE] = &rule->executable,
		[FILTER_TEXT] = &rule->filter_text,
		[FILTER] = &rule->filter,
	};

	return spans[piece];
}

static bool has_text(const struct tacho_session *file, const struct tacho_rule *rule,
		     enum piece piece, const struct text_piece *wanted)
{
	uint32_t bytes;
	const char *text = rule_text(file, span_of(rule, piece), &bytes);

	return bytes == wanted->bytes && (!bytes || !memcmp(text, wanted->data, bytes));
}

/* What a filter is compiled to follows from its text. */
static bool is_same(const struct tacho_session *file, const struct tacho_rule *rule,
		    const struct wanted *w)
{
	return rule->enabled != TACHO_RULE_FREE && rule->channel == w->rule.channel &&
	       rule->kind == w->rule.kind && rule->trigger == w->rule.trigger &&
	       rule->level_match == w->rule.level_match && rule->level == w->rule.level &&
	       rule->pid == w->rule.pid &&
	       !strncmp(rule->pattern, w->rule.pattern, sizeof(rule->pattern)) &&
	       has_text(file, rule, EXCLUDE, &w->pieces[EXCLUDE]) &&
	       has_text(file, rule, EXECUTABLE, &w->pieces[EXECUTABLE]) &&
	       has_text(file, rule, FILTER_TEXT, &w->pieces[FILTER_TEXT]);
}

static struct tacho_rule *find_rule(struct tacho_session *file, const struct wanted *w)
{
	for (uint32_t i = 0; i < rule_count(file); i++) {
		if (is_same(file, &file->rule[i], w))
			return &file->rule[i];
	}
	return NULL;
}

static struct tacho_rule *find_place(struct tacho_session *file)
{
	for (uint32_t i = 0; i < TACHO_RULES_MAX; i++) {
		if (i >= rule_count(file) || file->rule[i].enabled == TACHO_RULE_FREE)
			return &file->rule[i];
	}
	return NULL;
}

/* Whoever is killed in between leaves a free place, and not half a rule. */
static void write_rule(struct tacho_session *file, struct tacho_rule *rule,
		       const struct tacho_rule *wanted)
{
	uint32_t generation = session_change_begin(file);
	uint32_t place = (uint32_t)(rule - file->rule);
	struct tacho_rule copy = *wanted;

	copy.enabled = TACHO_RULE_FREE;
	tacho_store_relaxed(&rule->enabled, TACHO_RULE_FREE);
	tacho_fence_release();
	*rule = copy;
	tacho_store_release(&rule->enabled, wanted->enabled);
	if (place >= file->rule_count)
		file->rule_count = place + 1;
	session_change_end(file, generation);
}

static void write_enabled(struct tacho_session *file, struct tacho_rule *rule,
			  enum tacho_rule_state state)
{
	uint32_t generation = session_change_begin(file);

	tacho_store_relaxed(&rule->enabled, (uint32_t)state);
	session_change_end(file, generation);
}

/* ---- enable ---- */

static int compile_filter(const struct tacho_session *file, struct wanted *w,
			  struct tacho_error *error)
{
	const char *text = w->pieces[FILTER_TEXT].data;
	int ret = text ? session_filter_compile(file, text, &w->filter, error) : 0;

	if (!ret && text)
		w->pieces[FILTER] = (struct text_piece){ w->filter, w->filter->bytes, { 0 } };
	return ret;
}

/* Without making the channel: one that is not there yet has no rule. */
static const struct tacho_rule *rule_there(const struct session *session,
					   const struct rule_options *options, struct wanted *w)
{
	return channel_find(session->file, TACHO_DOMAIN_KERNEL, options->channel, &w->rule.channel,
			    NULL) ?
		       NULL :
		       find_rule(session->file, w);
}

/* The kernel filters its events itself, by less than programs can. */
static int check_filter(const struct session *session, const struct rule_options *options,
			struct wanted *w, struct tacho_error *error)
{
	const struct tacho_rule *rule;
	uint32_t channel = KERNEL_NO_CHANNEL;

	if (!w->filter || options->kind == TACHO_RULE_EVENT)
		return 0;
	rule = rule_there(session, options, w);
	if (rule && rule->enabled == TACHO_RULE_ENABLED)
		return 0;
	if (channel_find(session->file, TACHO_DOMAIN_KERNEL, options->channel, &channel, NULL))
		channel = KERNEL_NO_CHANNEL;
	return kernel_filters_check(session, channel, options, w->filter, error);
}

/* Its event, unless it is there with its rule. */
static int prepare_probe(const struct session *session, const struct rule_options *options,
			 struct wanted *w, bool *ret_is_made, struct tacho_error *error)
{
	bool is_new = !rule_there(session, options, w);
	int ret = is_new ? kernel_probe_make(session, options, error) : 0;

	*ret_is_made = is_new && !ret;
	return ret ? ret : check_filter(session, options, w, error);
}

static int add_rule(struct session *session, struct wanted *w, struct tacho_error *error)
{
	struct tacho_session *file = session->file;
	struct tacho_rule *place = find_place(file);
	int ret;

	if (!place)
		return error_set(error, -ENOSPC,
				 "the session '%s' has %d rules already, the most that are "
				 "possible; remove some: tacho disable-event --remove",
				 file->name, TACHO_RULES_MAX);
	ret = session_text_put(session, w->pieces, PIECES, error);
	if (ret)
		return ret;
	w->rule.exclude = w->pieces[EXCLUDE].span;
	w->rule.executable = w->pieces[EXECUTABLE].span;
	w->rule.filter_text = w->pieces[FILTER_TEXT].span;
	w->rule.filter = w->pieces[FILTER].span;
	write_rule(file, place, &w->rule);
	return 0;
}

static int put(struct session *session, struct wanted *w, struct tacho_error *error)
{
	struct tacho_rule *rule = find_rule(session->file, w);

	if (!rule)
		return add_rule(session, w, error);
	if (rule->enabled != TACHO_RULE_ENABLED)
		write_enabled(session->file, rule, TACHO_RULE_ENABLED);
	return 0;
}

static enum tacho_domain domain_of(enum tacho_rule_kind kind)
{
	return kind == TACHO_RULE_EVENT ? TACHO_DOMAIN_USER : TACHO_DOMAIN_KERNEL;
}

/* The kernel module has neither filters nor probes, and the state dump goes by tracefs. */
static enum tacho_kernel_tracer best_tracer(const struct rule_options *options,
					    const struct wanted *w)
{
	bool is_dump = !strncmp(options->pattern, STATE_DUMP_PREFIX, strlen(STATE_DUMP_PREFIX));

	return w->filter || rule_is_probe(options->kind) || is_dump ? TACHO_KERNEL_TRACER_TRACEFS :
								      TACHO_KERNEL_TRACER_MODULE;
}

static int set_no_filters(const struct tacho_channel *channel, struct tacho_error *error)
{
	return error_set(
		error, -ENOTSUP,
		"the channel '%.*s' is written by the kernel module, which has no filters, no "
		"probes and no state dump; name no channel, or a new one (--channel)",
		TACHO_CHANNEL_NAME_BYTES - 1, channel->name);
}

/* Where no channel was named, and that of the kernel's events is the module's, there is one more. */
static int choose_channel(struct session *session, const struct rule_options *options,
			  const struct wanted *w, uint32_t *ret_index, struct tacho_error *error)
{
	const struct tacho_session *file = session->file;
	enum tacho_domain domain = domain_of(options->kind);
	enum tacho_kernel_tracer best = best_tracer(options, w);
	int ret = options->channel ?
			  channel_make(session, domain, options->channel, best, ret_index, error) :
			  channel_need(session, domain, NULL, best, ret_index, error);

	if (ret || best == TACHO_KERNEL_TRACER_MODULE ||
	    !channel_is_of_module(&file->channel[*ret_index]))
		return ret;
	if (options->channel)
		return set_no_filters(&file->channel[*ret_index], error);
	return channel_make(session, domain, TRACEFS_CHANNEL_NAME, best, ret_index, error);
}

int rules_put(struct session *session, const struct rule_options *options, uint32_t trigger,
	      struct tacho_error *error)
{
	bool is_probe = rule_is_probe(options->kind), is_made = false;
	struct wanted w;
	int ret = wanted_init(options, &w, error);

	w.rule.trigger = trigger;
	if (!ret)
		ret = compile_filter(session->file, &w, error);
	if (!ret && !is_probe)
		ret = check_filter(session, options, &w, error);
	/* What may be refused comes before the channel, which would be left behind. */
	if (!ret && is_probe)
		ret = prepare_probe(session, options, &w, &is_made, error);
	if (!ret && !trigger)
		ret = choose_channel(session, options, &w, &w.rule.channel, error);
	if (!ret)
		ret = put(session, &w, error);
	if (ret && is_made)
		kernel_probe_unmake(session, options);
	wanted_fini(&w);
	return ret;
}

int session_enable_event(struct session *session, const struct rule_options *options,
			 struct tacho_error *error)
{
	int ret = session_lock(session, error);

	if (ret)
		return ret;
	ret = rules_put(session, options, 0, error);
	if (!ret)
		ret = apply_change(session, error);
	session_unlock(session);
	return ret;
}

enum tacho_rule_state session_rule_state(const struct session *session,
					 const struct rule_options *options)
{
	struct tacho_session *file = session->file;
	enum tacho_rule_state state = TACHO_RULE_FREE;
	struct tacho_rule *rule;
	struct wanted w;
	int ret = wanted_init(options, &w, NULL);

	if (!ret)
		ret = channel_find(file, domain_of(options->kind), options->channel,
				   &w.rule.channel, NULL);
	rule = ret ? NULL : find_rule(file, &w);
	if (rule)
		state = rule->enabled;
	wanted_fini(&w);
	return state;
}

/* ---- disable ---- */

static void free_rule(struct tacho_session *file, struct tacho_rule *rule)
{
	struct tacho_rule nothing = { 0 };

	write_rule(file, rule, &nothing);
}

static bool is_chosen(const struct tacho_rule *rule, const struct rule_choice *choice,
		      uint32_t channel)
{
	uint32_t kind = rule_is_probe(rule->kind) ? TACHO_RULE_TRACEPOINT : rule->kind;

	return rule->enabled != TACHO_RULE_FREE && !rule->trigger && kind == choice->kind &&
	       (channel == NO_CHANNEL || rule->channel == channel) &&
	       (!choice->pattern ||
		!strncmp(rule->pattern, choice->pattern, sizeof(rule->pattern)));
}

static size_t disable_chosen(struct tacho_session *file, const struct rule_choice *choice,
			     uint32_t channel)
{
	size_t count = 0;

	for (uint32_t i = 0; i < rule_count(file); i++) {
		struct tacho_rule *rule = &file->rule[i];

		if (!is_chosen(rule, choice, channel))
			continue;
		count++;
		if (choice->remove)
			free_rule(file, rule);
		else if (rule->enabled == TACHO_RULE_ENABLED)
			write_enabled(file, rule, TACHO_RULE_DISABLED);
	}
	return count;
}

static int set_no_rule(const struct tacho_session *file, const struct rule_choice *choice,
		       struct tacho_error *error)
{
	const char *in = choice->channel ? " in channel " : "";
	const char *channel = choice->channel ? choice->channel : "";

	if (!choice->pattern)
		return error_set(error, -ENOENT, "the session '%s' has no rules%s%s", file->name,
				 in, channel);
	return error_set(error, -ENOENT,
			 "the session '%s' has no rule '%s'%s%s; tacho status '%s' "
			 "shows its rules",
			 file->name, choice->pattern, in, channel, file->name);
}

static int disable_locked(struct session *session, const struct rule_choice *choice,
			  size_t *ret_count, struct tacho_error *error)
{
	uint32_t channel = NO_CHANNEL;
	int ret = 0;

	if (choice->channel)
		ret = channel_find(session->file, domain_of(choice->kind), choice->channel,
				   &channel, error);
	if (ret)
		return ret;
	*ret_count = disable_chosen(session->file, choice, channel);
	if (!*ret_count)
		return set_no_rule(session->file, choice, error);
	return apply_change(session, error);
}

int session_disable_events(struct session *session, const struct rule_choice *choice,
			   size_t *ret_count, struct tacho_error *error)
{
	int ret = session_lock(session, error);

	if (ret)
		return ret;
	ret = disable_locked(session, choice, ret_count, error);
	session_unlock(session);
	return ret;
}

int session_disable_event(struct session *session, const char *pattern, struct tacho_error *error)
{
	struct rule_choice choice = { .pattern = pattern };
	size_t count;

	return session_disable_events(session, &choice, &count, error);
}

void rules_remove_trigger(struct session *session, uint32_t trigger)
{
	struct tacho_session *file = session->file;

	for (uint32_t i = 0; i < rule_count(file); i++) {
		if (file->rule[i].enabled && file->rule[i].trigger == trigger)
			free_rule(file, &file->rule[i]);
	}
}
