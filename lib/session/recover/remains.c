/* SPDX-License-Identifier: MIT */
/* remains.c - see remains.h */
#include "session/recover/remains.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/str.h"
#include "ctf/file.h"
#include "ctf/write/trace.h"
#include "session/recover/image.h"
#include "session/recover/note.h"

/* Nothing is known of the clock: its ticks are shown as if they were these. */
#define UNKNOWN_HZ 1000000000u

static void end_text(char *text, size_t size)
{
	text[size - 1] = 0;
}

/* What comes from a file that may be damaged is made such that nobody reads beyond it. */
static void mend(struct tacho_session *file)
{
	if (file->channel_count > TACHO_CHANNELS_MAX)
		file->channel_count = TACHO_CHANNELS_MAX;
	end_text(file->name, sizeof(file->name));
	end_text(file->output, sizeof(file->output));
	end_text(file->shm_path, sizeof(file->shm_path));
	for (uint32_t i = 0; i < TACHO_CHANNELS_MAX; i++)
		end_text(file->channel[i].name, sizeof(file->channel[i].name));
	for (uint32_t i = 0; i < TACHO_PERF_MAX; i++)
		end_text(file->perf[i].name, sizeof(file->perf[i].name));
}

static bool is_usable(const struct tacho_session *file)
{
	return file->magic == TACHO_SESSION_MAGIC && file->version == TACHO_SESSION_VERSION &&
	       file->clock_kind <= TACHO_CLOCK_MONOTONIC && file->counter_hz &&
	       file->clock_at_create.realtime_ns;
}

/* Zeros where the file is shorter. Return: how much there was, or a negative errno. */
static ssize_t read_file(int dir_fd, const char *name, struct tacho_session *file)
{
	int fd = file_open_linked_at(dir_fd, name, O_RDONLY, 0);
	ssize_t bytes;

	if (fd < 0)
		return fd;
	memset(file, 0, sizeof(*file));
	bytes = file_read_at(fd, file, sizeof(*file), 0);
	fd_close(fd);
	return bytes;
}

static bool try_file(struct remains *remains, const char *name,
		     const struct recover_options *options)
{
	struct tacho_session *file = remains->session.file;
	ssize_t bytes = read_file(remains->session.dir_fd, name, file);

	remains->has_file = bytes > 0 && is_usable(file);
	if (remains->has_file && (size_t)bytes < TACHO_SESSION_FIXED_BYTES)
		note(options, "the file '%s' is cut short: %zd of %zu bytes", name, bytes,
		     TACHO_SESSION_FIXED_BYTES);
	else if (!remains->has_file && bytes != -ENOENT)
		note(options, "the file '%s' cannot be used: %s", name,
		     bytes < 0 ? strerror((int)-bytes) :
				 "it is damaged, cut short, or of another version of tacho");
	return remains->has_file;
}

/* ---- channels ---- */

/* The part of a ring file's name that is the channel's. */
static bool split_name(const char *file_name, char *ret_escaped, size_t size)
{
	const char *dot = strrchr(file_name, '.');
	size_t length = dot ? (size_t)(dot - file_name) : 0;

	if (!length || length >= size || (strcmp(dot, RINGS_SUFFIX) && strcmp(dot, SHARDS_SUFFIX)))
		return false;
	memcpy(ret_escaped, file_name, length);
	ret_escaped[length] = 0;
	return true;
}

static bool is_known(const struct tacho_session *file, const char *name)
{
	for (uint32_t i = 0; i < file->channel_count; i++) {
		if (!strcmp(file->channel[i].name, name))
			return true;
	}
	return false;
}

/* A channel whose ring file is there, and which the session's file does not have (any more). */
static void add_channel(struct remains *remains, const char *file_name,
			const struct recover_options *options)
{
	struct tacho_session *file = remains->session.file;
	struct tacho_channel *channel = &file->channel[file->channel_count];
	char escaped[NAME_ESCAPED_BYTES], name[TACHO_CHANNEL_NAME_BYTES];
	struct tacho_rings header;

	if (file->channel_count == TACHO_CHANNELS_MAX ||
	    !split_name(file_name, escaped, sizeof(escaped)) ||
	    name_unescape(escaped, name, sizeof(name)) || is_known(file, name) ||
	    !image_peek(remains->session.dir_fd, file_name, &header))
		return;
	if (remains->has_file)
		note(options, "the session's file does not name the channel '%s'", name);
	*channel = (struct tacho_channel){
		.mode = header.mode,
		.subbuf_count = header.subbuf_count,
		.subbuf_shift = header.subbuf_shift,
		.ring_count = header.ring_count,
		.stride = header.stride,
	};
	str_copy(channel->name, sizeof(channel->name), name);
	if (!remains->has_file)
		file->clock_kind = header.clock_kind;
	if (!remains->has_file)
		file->instance = header.session_instance;
	file->channel_count++;
}

static void add_channels(struct remains *remains, const struct recover_options *options)
{
	char **names;

	if (dir_list(remains->session.dir_fd, ".", &names))
		return;
	for (char **name = names; *name; name++)
		add_channel(remains, *name, options);
	str_array_free(names);
}

/* A channel without a name is one of a page that is gone: its files are found by add_channels(). */
static void drop_nameless(struct tacho_session *file)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < file->channel_count; i++) {
		if (file->channel[i].name[0])
			file->channel[kept++] = file->channel[i];
	}
	file->channel_count = kept;
}

/* ---- open ---- */

static void make_up(struct tacho_session *file, const char *dir)
{
	const char *slash = strrchr(dir, '/');

	memset(file, 0, sizeof(*file));
	file->counter_hz = UNKNOWN_HZ;
	str_copy(file->name, sizeof(file->name), slash && slash[1] ? slash + 1 : dir);
}

static bool is_this_boot(const struct tacho_session *file)
{
	static const uint8_t unknown[CTF_UUID_BYTES];
	uint8_t boot[CTF_UUID_BYTES];

	ctf_boot_uuid(boot);
	return memcmp(boot, unknown, sizeof(boot)) && !memcmp(boot, file->boot_uuid, sizeof(boot));
}

static int load(struct remains *remains, const char *dir, const struct recover_options *options,
		struct tacho_error *error)
{
	struct tacho_session *file = remains->session.file;

	if (!try_file(remains, SESSION_FILE, options) &&
	    !try_file(remains, SESSION_COPY_FILE, options))
		make_up(file, dir);
	mend(file);
	drop_nameless(file);
	add_channels(remains, options);
	remains->is_of_this_boot = is_this_boot(file);
	if (!remains->has_file && !file->channel_count)
		return error_set(error, -ENODATA, "nothing of a session is in %s", dir);
	if (!remains->has_file)
		note(options, "no file says what clock the events have: their times count ticks "
			      "since the machine started");
	return 0;
}

int remains_open(const char *dir, const struct recover_options *options,
		 struct remains *ret_remains, struct tacho_error *error)
{
	int ret;

	*ret_remains =
		(struct remains){ .session = { .dir_fd = -1, .lock_fd = -1, .life_fd = -1 } };
	ret_remains->session.file = calloc(1, sizeof(*ret_remains->session.file));
	if (!ret_remains->session.file)
		return error_set(error, -ENOMEM, "no memory to recover a session");
	ret_remains->session.dir_fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (ret_remains->session.dir_fd < 0)
		ret = error_set(error, -errno, "cannot open the directory %s: %s", dir,
				strerror(errno));
	else
		ret = load(ret_remains, dir, options, error);
	if (ret)
		remains_close(ret_remains);
	return ret;
}

void remains_close(struct remains *remains)
{
	fd_close(remains->session.dir_fd);
	fd_close(remains->session.life_fd);
	free(remains->session.file);
	remains->session.file = NULL;
}
