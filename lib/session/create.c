/* SPDX-License-Identifier: MIT */
/*
 * create.c - make a session.
 *
 * All is made in a directory that no tool and no program takes for a session, below the runtime
 * lock; then comes the slot's link, which leads nowhere yet, and then the one step that makes it a
 * session: the rename. Killed before it, the next tool removes the directory and the link.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/str.h"
#include "ctf/write/trace.h"
#include "format/trigger.h"
#include "session/clock.h"
#include "session/dispose.h"
#include "session/output_owner.h"
#include "session/paths.h"
#include "session/ring_place.h"
#include "session/rules/channels.h"
#include "session/slots.h"
#include "session/state.h"
#include "session/users/mirrors.h"

/* Sessions without a name that can begin within one second. */
#define AUTO_NAME_TRIES 100

struct creation {
	struct runtime *runtime;
	const struct session_options *options;
	struct tacho_session *file; /* what will be in the session file */
	int sessions_fd;            /* with the runtime lock */
	int dir_fd;
	char escaped[NAME_ESCAPED_BYTES];
	char new_name[64]; /* of the directory until the rename */
};

static bool name_is_taken(const struct creation *c)
{
	struct stat st;

	return !fstatat(c->sessions_fd, c->escaped, &st, AT_SYMLINK_NOFOLLOW);
}

static int set_name(struct creation *c, const char *name, struct tacho_error *error)
{
	int ret = name_escape("session", name, TACHO_SESSION_NAME_BYTES - 1, c->escaped, error);

	return ret ? ret : str_copy(c->file->name, sizeof(c->file->name), name);
}

static int choose_auto_name(struct creation *c, struct tacho_error *error)
{
	char date[TRACE_DATE_BYTES];
	char name[64];
	int ret;

	trace_date(date);
	snprintf(name, sizeof(name), "auto-%s", date);
	ret = set_name(c, name, error);
	for (int i = 2; !ret && name_is_taken(c) && i <= AUTO_NAME_TRIES; i++) {
		snprintf(name, sizeof(name), "auto-%s-%d", date, i);
		ret = set_name(c, name, error);
	}
	return ret;
}

static int choose_name(struct creation *c, struct tacho_error *error)
{
	int ret;

	if (c->options->name)
		ret = set_name(c, c->options->name, error);
	else
		ret = choose_auto_name(c, error);
	if (ret || !name_is_taken(c))
		return ret;
	return error_set(error, -EEXIST,
			 "there is a session '%s' already; choose another name, or "
			 "end that one with: tacho destroy '%s'",
			 c->file->name, c->file->name);
}

/* Nobody would ever empty the rings for those who wait. */
static int check_options(const struct session_options *options, struct tacho_error *error)
{
	if (options->streaming || options->channel.mode != TACHO_MODE_BLOCK)
		return 0;
	return error_set(error, -EINVAL,
			 "a flight recorder cannot block programs: nothing empties its buffers; "
			 "let it overwrite, or make the session a streaming one");
}

static int fill_file(struct creation *c, struct tacho_error *error)
{
	struct tacho_session *file = c->file;
	int ret;

	file->magic = TACHO_SESSION_MAGIC;
	file->version = TACHO_SESSION_VERSION;
	file->streaming = c->options->streaming;
	file->max_bytes = c->options->max_bytes;
	file->ctf_major = c->options->ctf_major;
	file->channel_count = !c->options->channel_later;
	file->drain_stop = 1; /* until the first start */
	file->clock_kind = clock_choose();
	if (getrandom(&file->instance, sizeof(file->instance), 0) != sizeof(file->instance))
		return error_set(error, -EIO, "cannot draw a random number for the session");
	file->mirror_of = c->options->mirror_of;
	if (c->options->family)
		file->family = file->instance;
	file->counter_machine = TACHO_MACHINE;
	ctf_boot_uuid(file->boot_uuid);
	ret = clock_begin(file->clock_kind, &file->clock_at_create, &file->counter_hz);
	if (ret)
		return error_set(error, ret, "cannot read the clock: %s", strerror(-ret));
	ret = channel_init(&c->options->channel, &file->first_channel, error);
	if (!ret && file->channel_count)
		file->channel[0] = file->first_channel;
	return ret;
}

static int make_dir(struct creation *c, struct tacho_error *error)
{
	snprintf(c->new_name, sizeof(c->new_name), NEW_PREFIX "%016llx",
		 (unsigned long long)c->file->instance);
	if (mkdirat(c->sessions_fd, c->new_name, 0700))
		return error_set(error, -errno,
				 "cannot make a directory in %s/" SESSIONS_DIR ": %s",
				 c->runtime->path, strerror(errno));
	c->dir_fd = openat(c->sessions_fd, c->new_name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (c->dir_fd < 0)
		return error_set(error, -errno, "cannot open the session's directory: %s",
				 strerror(errno));
	return 0;
}

/* A file of @bytes bytes, of which the first @allocated have memory and start with @data. If more
 * than its bytes have memory, it can grow by so much whatever else is full. */
static int make_file_in(const struct creation *c, int dir_fd, const char *name, const void *data,
			size_t data_bytes, uint64_t allocated, uint64_t bytes,
			struct tacho_error *error)
{
	int fd = openat(dir_fd, name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	int ret = 0;

	if (fd < 0 || ftruncate(fd, (off_t)bytes) ||
	    (allocated &&
	     fallocate(fd, allocated > bytes ? FALLOC_FL_KEEP_SIZE : 0, 0, (off_t)allocated)))
		ret = -errno;
	if (!ret)
		ret = fd_write_all(fd, data, data_bytes);
	fd_close(fd);
	if (ret)
		error_set(error, ret, "cannot make the session's file '%s' in %s: %s%s", name,
			  c->runtime->path, strerror(-ret),
			  ret == -ENOSPC ?
				  "; set TACHO_RUNTIME_DIR to a directory on a larger tmpfs" :
				  "");
	return ret;
}

static int make_file(const struct creation *c, const char *name, const void *data,
		     size_t data_bytes, uint64_t allocated, uint64_t bytes,
		     struct tacho_error *error)
{
	return make_file_in(c, c->dir_fd, name, data, data_bytes, allocated, bytes, error);
}

static int allocate_descs(int place_fd, struct tacho_error *error)
{
	int fd = openat(place_fd, EVENTS_FILE, O_RDWR | O_CLOEXEC);
	int ret = fd >= 0 && !fallocate(fd, 0, TACHO_EVENTS_DESCS_AT, TACHO_EVENTS_FIRST_DESCS) ?
			  0 :
			  -errno;

	fd_close(fd);
	return ret ? error_set(error, ret, "no room for the session's events: %s", strerror(-ret)) :
		     0;
}

/* It is where the rings are, since these mean nothing without it. */
static int make_events(const struct creation *c, struct tacho_error *error)
{
	struct tacho_events events = {
		.magic = TACHO_EVENTS_MAGIC,
		.version = TACHO_EVENTS_VERSION,
		.next_id = TACHO_ID_FIRST,
		.next_byte = TACHO_EVENTS_DESCS_AT,
		.allocated_bytes = TACHO_EVENTS_DESCS_AT + TACHO_EVENTS_FIRST_DESCS,
		.instance = c->file->instance,
		.allocated_ids = TACHO_EVENTS_FIRST_IDS,
	};
	int place_fd = ring_place_open(c->dir_fd, c->file, error);
	int ret = place_fd;

	if (place_fd >= 0)
		ret = make_file_in(c, place_fd, EVENTS_FILE, &events, sizeof(events),
				   TACHO_EVENTS_FIRST_HEAD, TACHO_EVENTS_BYTES, error);
	if (place_fd >= 0 && !ret)
		ret = allocate_descs(place_fd, error);
	fd_close(place_fd);
	if (!ret)
		ret = ring_place_link(c->dir_fd, c->file, EVENTS_FILE);
	return ret;
}

static int make_files(const struct creation *c, struct tacho_error *error)
{
	const struct tacho_session *file = c->file;
	struct tacho_triggers triggers = {
		.magic = TACHO_TRIGGERS_MAGIC,
		.version = TACHO_TRIGGERS_VERSION,
		.instance = file->instance,
	};
	int ret = 0;

	if (file->channel_count)
		ret = channel_create(c->runtime, c->dir_fd, file, &file->channel[0], error);
	if (!ret)
		ret = make_events(c, error);
	if (!ret)
		ret = make_file(c, TACHO_TRIGGERS_FILE, &triggers, sizeof(triggers),
				sizeof(triggers), sizeof(triggers), error);
	if (!ret)
		ret = make_file(c, DRAIN_FILE, "", 0, 0, 0, error);
	if (!ret)
		ret = make_file(c, WATCH_FILE, "", 0, 0, 0, error);
	if (!ret)
		ret = make_file(c, TACHO_UNRECORDED_FILE, "", 0, TACHO_UNRECORDED_BYTES, 0, error);
	if (!ret)
		ret = make_file(c, SESSION_FILE, file, TACHO_SESSION_FIXED_BYTES,
				TACHO_SESSION_FIXED_BYTES, sizeof(*file), error);
	if (!ret)
		ret = ring_place_link(c->dir_fd, file, SESSION_COPY_FILE);
	if (!ret)
		ring_place_copy_session(file);
	return ret;
}

/* A flight recorder without a wish gets its directories when there are snapshots. */
static int make_output(struct creation *c, struct tacho_error *error)
{
	char *output = c->file->output;
	char prefix[TACHO_PATH_BYTES];
	bool made = false;
	int ret;

	if (c->options->mirror_of)
		return str_copy(output, sizeof(c->file->output), c->options->output);
	if (c->options->output) {
		c->file->output_chosen = 1;
		ret = trace_absolute_path(c->options->output, output, error);
		if (!ret)
			ret = trace_make_dir(output, &made, error);
		c->file->output_made = made;
		return ret ? ret : output_check_free(c->runtime, output, error);
	}
	if (!c->options->streaming)
		return 0;
	ret = trace_default_prefix(c->options->name ? c->escaped : "auto", prefix, error);
	if (!ret)
		ret = trace_make_dated(prefix, output, error);
	c->file->output_made = !ret;
	return ret;
}

static int publish(struct creation *c, struct tacho_error *error)
{
	int ret = slots_link(c->runtime, (int)c->file->slot, c->escaped, error);

	if (ret)
		return ret;
	if (renameat(c->sessions_fd, c->new_name, c->sessions_fd, c->escaped))
		return error_set(error, -errno,
				 "cannot put the session in place in %s/" SESSIONS_DIR ": %s",
				 c->runtime->path, strerror(errno));
	return 0;
}

static int build(struct creation *c, struct tacho_error *error)
{
	int slot = slots_find_free(c->runtime, error);
	int ret = slot < 0 ? slot : choose_name(c, error);

	if (ret)
		return ret;
	c->file->slot = (uint32_t)slot;
	ret = fill_file(c, error);
	if (!ret)
		ret = make_dir(c, error);
	if (!ret)
		ret = make_output(c, error);
	if (!ret && c->options->shm_path)
		ret = ring_place_make(c->options->shm_path, c->escaped, c->file->shm_path, error);
	if (!ret)
		ret = make_files(c, error);
	return ret ? ret : publish(c, error);
}

static void undo(struct creation *c)
{
	if (c->new_name[0])
		session_dir_remove(c->sessions_fd, c->new_name);
	slots_clean(c->runtime);
	if (c->file->output_made)
		rmdir(c->file->output);
	if (c->file->shm_path[0])
		rmdir(c->file->shm_path);
}

int session_create(struct runtime *runtime, const struct session_options *options,
		   struct session **ret_session, struct tacho_error *error)
{
	struct creation c = { .runtime = runtime, .options = options, .dir_fd = -1 };
	int ret;

	c.file = calloc(1, sizeof(*c.file));
	if (!c.file)
		return error_set(error, -ENOMEM, "no memory for a session");
	ret = check_options(options, error);
	c.sessions_fd = ret ? ret : runtime_lock(runtime, error);
	ret = c.sessions_fd < 0 ? c.sessions_fd : build(&c, error);
	if (!ret)
		ret = session_open_at(runtime, c.escaped, ret_session, error);
	else if (c.sessions_fd >= 0)
		undo(&c);
	fd_close(c.dir_fd);
	runtime_unlock(c.sessions_fd);
	free(c.file);
	if (!ret)
		mirrors_follow(*ret_session);
	return ret;
}
