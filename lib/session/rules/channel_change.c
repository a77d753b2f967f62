/* SPDX-License-Identifier: MIT */
/*
 * channel_change.c - channels come, and are disabled and enabled, while a session lives; see
 * session.h.
 *
 * The ring files of a new channel are complete before the session file names it. A channel stays
 * where it is in channel[] as long as the session lives: its index is in rules and in the trace.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/str.h"
#include "session/rules/apply.h"
#include "session/kernel/recorder.h"
#include "session/rules/channels.h"
#include "session/ring_place.h"
#include "session/state.h"

static uint32_t channel_count(const struct tacho_session *file)
{
	return file->channel_count < TACHO_CHANNELS_MAX ? file->channel_count : TACHO_CHANNELS_MAX;
}

static bool is_named(const struct tacho_channel *channel, enum tacho_domain domain, const char *name)
{
	return channel->domain == domain &&
	       !strncmp(channel->name, name, TACHO_CHANNEL_NAME_BYTES);
}

static uint32_t count_of(const struct tacho_session *file, enum tacho_domain domain)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < channel_count(file); i++)
		count += file->channel[i].domain == domain;
	return count;
}

/* "a, b, c", as far as it fits. */
static void join_names(const struct tacho_session *file, enum tacho_domain domain, char *text,
		       size_t size)
{
	size_t at = 0;

	text[0] = '\0';
	for (uint32_t i = 0; i < channel_count(file) && at < size; i++)
		if (file->channel[i].domain == domain)
			at += (size_t)snprintf(text + at, size - at, "%s'%.*s'", at ? ", " : "",
					       TACHO_CHANNEL_NAME_BYTES - 1, file->channel[i].name);
}

/* What its channels are called in messages, and how to say so to a command. */
static const char *of_domain(enum tacho_domain domain)
{
	return domain == TACHO_DOMAIN_KERNEL ? "channel for the kernel" : "channel";
}

static const char *domain_option(enum tacho_domain domain)
{
	return domain == TACHO_DOMAIN_KERNEL ? " -k" : "";
}

static int set_unknown(const struct tacho_session *file, enum tacho_domain domain, const char *name,
		       struct tacho_error *error)
{
	char names[256];

	if (!count_of(file, domain))
		return error_set(error, -ENOENT,
				 "the session '%s' has no %s yet; make one: tacho "
				 "enable-channel%s -s '%s' '%s'",
				 file->name, of_domain(domain), domain_option(domain), file->name,
				 name);
	join_names(file, domain, names, sizeof(names));
	return error_set(error, -ENOENT,
			 "the session '%s' has no %s '%s'; it has %s; make another: tacho "
			 "enable-channel%s -s '%s' '%s'",
			 file->name, of_domain(domain), name, names, domain_option(domain),
			 file->name, name);
}

static int set_unclear(const struct tacho_session *file, enum tacho_domain domain,
		       struct tacho_error *error)
{
	char names[256];

	join_names(file, domain, names, sizeof(names));
	return error_set(error, -ENOENT,
			 "the session '%s' has no " CHANNEL_DEFAULT_NAME
			 ", but several others; say which (--channel): %s",
			 file->name, names);
}

int channel_find(const struct tacho_session *file, enum tacho_domain domain, const char *name,
		 uint32_t *ret_index, struct tacho_error *error)
{
	const char *wanted = name ? name : CHANNEL_DEFAULT_NAME;

	for (uint32_t i = 0; i < channel_count(file); i++) {
		if (file->channel[i].domain == domain)
			*ret_index = i;
		if (is_named(&file->channel[i], domain, wanted))
			return 0;
	}
	if (name || !count_of(file, domain))
		return set_unknown(file, domain, wanted, error);
	return count_of(file, domain) > 1 ? set_unclear(file, domain, error) : 0;
}

/* ---- a new one ---- */

static void remove_files(const struct session *session, const struct tacho_channel *channel)
{
	char name[NAME_MAX + 1];

	for (enum tacho_writer_kind kind = 0; kind <= TACHO_WRITER_PORTABLE; kind++) {
		if (session_has_rings(session->file, channel, kind) &&
		    !session_ring_file(channel, kind, name))
			ring_place_unlink(session->dir_fd, session->file, name);
	}
}

/* Files of limited size have a number behind that of the CPU. */
static bool has_numbers(const struct tacho_session *file, const struct tacho_channel *channel)
{
	return channel->tracefile_bytes || file->max_bytes;
}

/* What @name has behind @stem and a '_'; NULL if it does not begin so. */
static const char *behind(const char *name, const char *stem)
{
	size_t length = strnlen(stem, TACHO_CHANNEL_NAME_BYTES);

	return !strncmp(name, stem, length) && name[length] == '_' ? name + length + 1 : NULL;
}

/*
 * Would a file of @longer in the trace have the name of one of @shorter? Files (lib/ctf/write/trace.h) are
 * CHANNEL_CPU, CHANNEL_portable_CPU, and with numbers CHANNEL_CPU_NUMBER.
 */
static bool has_same_files(const struct tacho_session *file, const struct tacho_channel *shorter,
			   const struct tacho_channel *longer)
{
	const char *rest = behind(longer->name, shorter->name);
	const char *portable = rest ? behind(rest, "portable") : NULL;

	if (!rest)
		return false;
	if (!strcmp(rest, "portable"))
		return true;
	rest = portable ? portable : rest;
	return *rest && !rest[strspn(rest, "0123456789")] && has_numbers(file, shorter) &&
	       !has_numbers(file, longer);
}

static int check_files(const struct tacho_session *file, const struct tacho_channel *channel,
		       struct tacho_error *error)
{
	for (uint32_t i = 0; i < channel_count(file); i++) {
		const struct tacho_channel *other = &file->channel[i];

		if (other->domain != channel->domain)
			continue;
		if (has_same_files(file, channel, other) || has_same_files(file, other, channel))
			return error_set(error, -EEXIST,
					 "the channels '%.*s' and '%.*s' would have files of the "
					 "same names in a trace; choose another name",
					 TACHO_CHANNEL_NAME_BYTES - 1, channel->name,
					 TACHO_CHANNEL_NAME_BYTES - 1, other->name);
	}
	return 0;
}

static void publish(struct tacho_session *file, const struct tacho_channel *channel, uint32_t index)
{
	uint32_t generation = session_change_begin(file);

	file->channel[index] = *channel;
	tacho_store_release(&file->channel_count, index + 1);
	session_change_end(file, generation);
}

static int make(struct session *session, struct tacho_channel *channel, struct tacho_error *error)
{
	const struct tacho_session *file = session->file;
	int ret = 0;

	if (channel->domain == TACHO_DOMAIN_KERNEL && !file->mirror_of)
		ret = recorder_choose(channel, error);
	return ret ? ret : channel_create(session->runtime, session->dir_fd, file, channel, error);
}

int channel_add(struct session *session, const struct tacho_channel *wanted, uint32_t *ret_index,
		struct tacho_error *error)
{
	struct tacho_session *file = session->file;
	struct tacho_channel made = *wanted, *channel = &made;
	uint32_t index = channel_count(file);
	int ret;

	if (index == TACHO_CHANNELS_MAX)
		return error_set(error, -ENOSPC,
				 "the session '%s' has %d channels already, the most that are "
				 "possible; make another session: tacho create",
				 file->name, TACHO_CHANNELS_MAX);
	ret = check_files(file, channel, error);
	if (ret)
		return ret;
	remove_files(session, channel); /* of a tool that was killed */
	ret = make(session, channel, error);
	if (ret) {
		remove_files(session, channel);
		return ret;
	}
	publish(file, channel, index);
	*ret_index = index;
	return 0;
}

int channel_need(struct session *session, enum tacho_domain domain, const char *name,
		 enum tacho_kernel_tracer best, uint32_t *ret_index, struct tacho_error *error)
{
	const struct tacho_session *file = session->file;
	struct tacho_channel first = file->first_channel;

	first.domain = domain;
	first.kernel_tracer = best;
	if (!count_of(file, domain) && (!name || !strcmp(name, CHANNEL_DEFAULT_NAME)))
		return channel_add(session, &first, ret_index, error);
	return channel_find(file, domain, name, ret_index, error);
}

static bool has_size(const struct channel_options *o)
{
	return o->buffer_bytes || o->subbuf_bytes || o->subbuf_count;
}

/* What the options leave open is as `create` was told. */
static int init_channel(const struct tacho_session *file, const struct channel_options *options,
			struct tacho_channel *ret_channel, struct tacho_error *error)
{
	const struct tacho_channel *first = &file->first_channel;
	int ret = channel_init(options, ret_channel, error);

	if (ret)
		return ret;
	if (!options->mode_given) {
		ret_channel->mode = first->mode;
		ret_channel->block_timeout_ns = first->block_timeout_ns;
	}
	if (!has_size(options)) {
		ret_channel->subbuf_count = first->subbuf_count;
		ret_channel->subbuf_shift = first->subbuf_shift;
		ret_channel->stride = first->stride;
	}
	return 0;
}

static int add(struct session *session, const struct channel_options *options,
	       enum tacho_kernel_tracer best, uint32_t *ret_index, struct tacho_error *error)
{
	const struct tacho_session *file = session->file;
	struct tacho_channel channel;
	int ret = init_channel(file, options, &channel, error);

	if (ret)
		return ret;
	channel.kernel_tracer = best;
	if (channel.mode == TACHO_MODE_BLOCK && !file->streaming)
		return error_set(error, -EINVAL,
				 "the session '%s' is a flight recorder, whose channels cannot "
				 "block programs: nothing empties their buffers",
				 file->name);
	return channel_add(session, &channel, ret_index, error);
}

int channel_make(struct session *session, enum tacho_domain domain, const char *name,
		 enum tacho_kernel_tracer best, uint32_t *ret_index, struct tacho_error *error)
{
	const struct channel_options as_create_was_told = { .domain = domain, .name = name };

	if (!channel_find(session->file, domain, name, ret_index, NULL))
		return 0;
	return add(session, &as_create_was_told, best, ret_index, error);
}

/* ---- one that is there ---- */

static const char *mode_name(uint32_t mode)
{
	static const char *const names[] = { "discard", "overwrite", "blocking" };

	return mode <= TACHO_MODE_BLOCK ? names[mode] : "?";
}

static int set_fixed(const struct tacho_channel *is, const char *what, struct tacho_error *error)
{
	return error_set(error, -EBUSY,
			 "the channel '%.*s' is there already, and %s; that cannot change, since "
			 "programs may be writing to its buffers: make a channel of another name",
			 TACHO_CHANNEL_NAME_BYTES - 1, is->name, what);
}

static int check_mode(const struct tacho_channel *is, const struct channel_options *options,
		      struct tacho_error *error)
{
	char what[64];

	if (!options->mode_given ||
	    (options->mode == is->mode && options->block_timeout_ns == is->block_timeout_ns))
		return 0;
	snprintf(what, sizeof(what), "its mode is %s%s", mode_name(is->mode),
		 options->mode == is->mode ? ", with another timeout" : "");
	return set_fixed(is, what, error);
}

static int check_same(const struct tacho_channel *is, const struct channel_options *options,
		      struct tacho_error *error)
{
	struct tacho_channel wanted;
	char what[64];
	int ret = channel_init(options, &wanted, error);

	if (!ret)
		ret = check_mode(is, options, error);
	if (ret)
		return ret;
	if (has_size(options) &&
	    (wanted.subbuf_count != is->subbuf_count || wanted.subbuf_shift != is->subbuf_shift)) {
		snprintf(what, sizeof(what), "has %u sub-buffers of %llu bytes per CPU",
			 is->subbuf_count, 1ull << (is->subbuf_shift & 63));
		return set_fixed(is, what, error);
	}
	if ((wanted.tracefile_bytes && wanted.tracefile_bytes != is->tracefile_bytes) ||
	    (wanted.tracefile_count && wanted.tracefile_count != is->tracefile_count))
		return set_fixed(is, "its files have other limits", error);
	return 0;
}

static int set_disabled(struct session *session, uint32_t index, bool disabled,
			struct tacho_error *error)
{
	uint32_t generation = session_change_begin(session->file);

	session->file->channel[index].is_disabled = disabled;
	session_change_end(session->file, generation);
	return apply_change(session, error);
}

static int enable(struct session *session, const struct channel_options *options,
		  enum channel_change *ret_change, struct tacho_error *error)
{
	const char *name = options->name ? options->name : CHANNEL_DEFAULT_NAME;
	uint32_t index;
	int ret = channel_find(session->file, options->domain, name, &index, NULL);

	if (ret) {
		*ret_change = CHANNEL_MADE;
		return add(session, options, TACHO_KERNEL_TRACER_MODULE, &index, error);
	}
	ret = check_same(&session->file->channel[index], options, error);
	if (ret)
		return ret;
	*ret_change = CHANNEL_AS_IT_WAS;
	if (!session->file->channel[index].is_disabled)
		return 0;
	*ret_change = CHANNEL_ENABLED;
	return set_disabled(session, index, false, error);
}

int session_enable_channel(struct session *session, const struct channel_options *options,
			   enum channel_change *ret_change, struct tacho_error *error)
{
	int ret = session_lock(session, error);

	if (ret)
		return ret;
	ret = enable(session, options, ret_change, error);
	session_unlock(session);
	return ret;
}

int session_disable_channel(struct session *session, enum tacho_domain domain, const char *name,
			    struct tacho_error *error)
{
	uint32_t index;
	int ret = session_lock(session, error);

	if (ret)
		return ret;
	ret = channel_find(session->file, domain, name, &index, error);
	if (!ret)
		ret = set_disabled(session, index, true, error);
	session_unlock(session);
	return ret;
}
