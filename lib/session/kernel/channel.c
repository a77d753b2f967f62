/* SPDX-License-Identifier: MIT */
/* channel.c - see channel.h */
#include "session/kernel/channel.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/str.h"
#include "kernel/instance.h"
#include "kernel/dynamic.h"
#include "kernel/tracefs.h"
#include "session/kernel/pages.h"
#include "session/kernel/probes.h"
#include "session/kernel/recorder.h"
#include "session/state.h"

/* In the runtime directory while there are instances of its sessions. */
#define KERNEL_MARK "kernel"

uint64_t kernel_directory_of(int dir_fd)
{
	struct stat st;

	return fstatat(dir_fd, "../..", &st, 0) ? 0 : st.st_ino;
}

static void print_prefix(uint64_t directory, char ret_name[KERNEL_INSTANCE_BYTES])
{
	snprintf(ret_name, KERNEL_INSTANCE_BYTES, KERNEL_INSTANCE_PREFIX "%llx-",
		 (unsigned long long)directory);
}

static void print_name(int dir_fd, uint64_t instance, uint32_t channel,
		       char ret_name[KERNEL_INSTANCE_BYTES])
{
	snprintf(ret_name, KERNEL_INSTANCE_BYTES, KERNEL_INSTANCE_PREFIX "%llx-%llx-%u",
		 (unsigned long long)kernel_directory_of(dir_fd), (unsigned long long)instance, channel);
}

static int make_pages(int dir_fd, const struct tacho_channel *channel, struct tacho_error *error)
{
	char name[NAME_MAX + 1];
	int ret = session_channel_file(channel, PAGES_SUFFIX, name);

	if (!ret)
		ret = kernel_pages_create(dir_fd, name, channel->ring_count);
	return ret ? error_set(error, ret,
			       "cannot make room for the pages of the kernel's events: %s",
			       strerror(-ret)) :
		     0;
}

/* So that tools look for what was left behind, and only where there was something. */
static void note_use(int dir_fd)
{
	fd_close(openat(dir_fd, "../../" KERNEL_MARK, O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
}

static int make_instance(int dir_fd, const struct tacho_session *file,
			 const struct tacho_channel *channel, struct tacho_error *error)
{
	const struct kernel_instance_options options = {
		.buffer_bytes = (uint64_t)channel->subbuf_count << channel->subbuf_shift,
		.is_overwrite = channel->mode == TACHO_MODE_OVERWRITE,
		.clock_kind = file->clock_kind,
	};
	char name[KERNEL_INSTANCE_BYTES];
	int tracefs_fd = tracefs_open(error);
	int fd;

	if (tracefs_fd < 0)
		return tracefs_fd;
	print_name(dir_fd, file->instance, file->channel_count, name);
	note_use(dir_fd);
	fd = kernel_instance_make(tracefs_fd, name, &options, error);
	fd_close(fd);
	fd_close(tracefs_fd);
	return fd < 0 ? fd : 0;
}

int kernel_channel_make(int dir_fd, const struct tacho_session *file,
			const struct tacho_channel *channel, struct tacho_error *error)
{
	int ret;

	if (channel_is_of_module(channel)) {
		note_use(dir_fd);
		return recorder_make(dir_fd, file, channel, file->channel_count, error);
	}
	ret = make_pages(dir_fd, channel, error);
	return ret ? ret : make_instance(dir_fd, file, channel, error);
}

int kernel_channel_open(const struct session *session, uint32_t channel, int tracefs_fd)
{
	char name[KERNEL_INSTANCE_BYTES];

	print_name(session->dir_fd, session->file->instance, channel, name);
	return kernel_instance_open(tracefs_fd, name);
}

static bool is_kernel(const struct session *session, uint32_t channel)
{
	return session->file->channel[channel].domain == TACHO_DOMAIN_KERNEL &&
	       !session->file->mirror_of;
}

bool session_has_kernel(const struct session *session)
{
	uint32_t count = session->file->channel_count;

	for (uint32_t i = 0; i < count && i < TACHO_CHANNELS_MAX; i++)
		if (is_kernel(session, i))
			return true;
	return false;
}

void kernel_session_remove(const struct session *session)
{
	char name[KERNEL_INSTANCE_BYTES], group[KERNEL_GROUP_BYTES];
	int tracefs_fd;

	if (!session_has_kernel(session))
		return;
	recorders_remove(session);
	tracefs_fd = tracefs_open(NULL);
	if (tracefs_fd < 0)
		return;
	for (uint32_t i = 0; i < TACHO_CHANNELS_MAX; i++) {
		print_name(session->dir_fd, session->file->instance, i, name);
		kernel_instance_remove(tracefs_fd, name);
	}
	kernel_group_print(session->dir_fd, session->file->instance, group);
	kernel_probes_remove(tracefs_fd, group, NULL);
	fd_close(tracefs_fd);
}

/* ---- what killed tools left ---- */

static bool has_session(struct runtime *runtime, uint64_t instance)
{
	char **names;
	bool found = false;
	struct session *session;

	if (session_names(runtime, &names, NULL))
		return true; /* not known */
	for (char **name = names; !found && *name; name++) {
		if (session_open(runtime, *name, &session, NULL))
			continue;
		found = session_file(session)->instance == instance;
		session_close(session);
	}
	session_names_free(names);
	return found;
}

/* Return: is it of a session that lives? */
static bool clean_instance(struct runtime *runtime, int tracefs_fd, const char *name,
			   const char *prefix)
{
	unsigned long long instance;

	if (strncmp(name, prefix, strlen(prefix)) ||
	    sscanf(name + strlen(prefix), "%llx-", &instance) != 1)
		return false;
	return has_session(runtime, instance) || kernel_instance_remove(tracefs_fd, name);
}

/* Groups of this runtime directory. */
struct cleaning {
	struct runtime *runtime;
	int tracefs_fd;
	uint64_t directory;
};

static void clean_group(void *arg, const char *group)
{
	const struct cleaning *c = arg;
	unsigned long long directory, instance;

	if (sscanf(group, KERNEL_GROUP_PREFIX "%llx_%llx", &directory, &instance) == 2 &&
	    directory == c->directory && !has_session(c->runtime, instance))
		kernel_probes_remove(c->tracefs_fd, group, NULL);
}

static bool is_of_living(void *arg, uint64_t instance)
{
	return has_session(arg, instance);
}

void kernel_clean(struct runtime *runtime)
{
	char prefix[KERNEL_INSTANCE_BYTES];
	char **names = NULL;
	bool is_used = false;
	struct stat st;
	int tracefs_fd;

	if (faccessat(runtime->fd, KERNEL_MARK, F_OK, 0))
		return;
	tracefs_fd = tracefs_open(NULL);
	if (tracefs_fd < 0)
		return;
	if (!fstat(runtime->fd, &st) && !dir_list(tracefs_fd, "instances", &names)) {
		print_prefix(st.st_ino, prefix);
		for (char **name = names; *name; name++)
			is_used |= clean_instance(runtime, tracefs_fd, *name, prefix);
		str_array_free(names);
		is_used |= recorders_clean(st.st_ino, is_of_living, runtime);
		kernel_probes_visit(tracefs_fd, clean_group,
				    &(struct cleaning){ runtime, tracefs_fd, st.st_ino });
		if (!is_used)
			unlinkat(runtime->fd, KERNEL_MARK, 0);
	}
	fd_close(tracefs_fd);
}
