/* SPDX-License-Identifier: MIT */
/*
 * contexts.c - contexts are added to channels, also while they record; see session.h.
 *
 * Programs look up where their events go, and so the contexts, when the rules are applied again;
 * records with new contexts have other ids (format/runtime.h). A counter keeps its place in perf[] as
 * long as the session lives: its number is in the event table.
 */
#include "session/rules/contexts.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/str.h"
#include "session/rules/apply.h"
#include "session/rules/channels.h"
#include "session/state.h"

/* ---- adding ---- */

/* What a session's file is to get. */
struct addition {
	uint64_t contexts;
	struct tacho_perf perf[TACHO_PERF_MAX];
};

static bool is_same_counter(const struct tacho_perf *a, const struct tacho_perf *b)
{
	return a->is_used && a->type == b->type && a->config == b->config &&
	       !strncmp(a->name, b->name, sizeof(a->name));
}

static int place_counter(struct addition *addition, const struct tacho_perf *perf,
			 unsigned int *ret_number, struct tacho_error *error)
{
	unsigned int i = 0;

	while (i < TACHO_PERF_MAX && addition->perf[i].is_used &&
	       !is_same_counter(&addition->perf[i], perf))
		i++;
	if (i == TACHO_PERF_MAX)
		return error_set(error, -ENOSPC,
				 "no room for '%s': a session has at most %d different counters",
				 perf->name, TACHO_PERF_MAX);
	addition->perf[i] = *perf;
	*ret_number = TACHO_CONTEXT_PERF + i;
	return 0;
}

static int plan_one(struct addition *addition, const char *name, struct tacho_error *error)
{
	struct context_wish wish;
	int ret = context_parse(name, &wish, error);

	if (!ret && wish.number == TACHO_CONTEXT_PERF)
		ret = place_counter(addition, &wish.perf, &wish.number, error);
	if (!ret)
		addition->contexts |= 1ull << wish.number;
	return ret;
}

static int plan(const struct tacho_session *file, const char *const *names,
		struct addition *ret_addition, struct tacho_error *error)
{
	int ret = 0;

	*ret_addition = (struct addition){ 0 };
	memcpy(ret_addition->perf, file->perf, sizeof(file->perf));
	for (; *names && !ret; names++)
		ret = plan_one(ret_addition, *names, error);
	return ret;
}

/* Which channels: the first and the one behind the last. */
static int choose(struct session *session, const char *channel, uint32_t range[2],
		  struct tacho_error *error)
{
	const struct tacho_session *file = session->file;
	int ret;

	range[0] = 0;
	range[1] =
		file->channel_count < TACHO_CHANNELS_MAX ? file->channel_count : TACHO_CHANNELS_MAX;
	if (!channel && range[1])
		return 0;
	ret = channel_need(session, TACHO_DOMAIN_USER, channel, TACHO_KERNEL_TRACER_TRACEFS,
			  &range[0], error);
	range[1] = range[0] + 1;
	return ret;
}

/* Whom an event of the kernel happened to is told by tacho:writer. */
static bool takes_contexts(const struct tacho_channel *channel)
{
	return channel->domain == TACHO_DOMAIN_USER;
}

static bool is_there(const struct tacho_session *file, const struct addition *addition,
		     const uint32_t range[2])
{
	for (uint32_t i = range[0]; i < range[1]; i++) {
		if (takes_contexts(&file->channel[i]) &&
		    addition->contexts & ~file->channel[i].contexts)
			return false;
	}
	return true;
}

static void publish(struct tacho_session *file, const struct addition *addition,
		    const uint32_t range[2])
{
	uint32_t generation = session_change_begin(file);

	memcpy(file->perf, addition->perf, sizeof(file->perf));
	for (uint32_t i = range[0]; i < range[1]; i++)
		if (takes_contexts(&file->channel[i]))
			tacho_store_release(&file->channel[i].contexts,
					    file->channel[i].contexts | addition->contexts);
	session_change_end(file, generation);
}

static int add_locked(struct session *session, const char *channel, const char *const *names,
		      bool *ret_new, struct tacho_error *error)
{
	struct tacho_session *file = session->file;
	struct addition addition;
	uint32_t range[2];
	int ret = plan(file, names, &addition, error);

	if (!ret)
		ret = choose(session, channel, range, error);
	if (ret)
		return ret;
	*ret_new = !is_there(file, &addition, range);
	if (*ret_new) {
		publish(file, &addition, range);
		apply_rules(session);
	}
	return 0;
}

int session_add_contexts(struct session *session, const char *channel, const char *const *names,
			 bool *ret_new, struct tacho_error *error)
{
	int ret = session_lock(session, error);

	if (ret)
		return ret;
	ret = add_locked(session, channel, names, ret_new, error);
	session_unlock(session);
	return ret;
}

/* ---- names ---- */

const char *session_context_name(const struct tacho_session *file, unsigned int number, char *room)
{
	if (number < TACHO_CONTEXT_FIXED_COUNT)
		return context_field(number)->name;
	room[0] = 0;
	if (number >= TACHO_CONTEXT_PERF && number < TACHO_CONTEXT_PERF + TACHO_PERF_MAX) {
		memcpy(room, file->perf[number - TACHO_CONTEXT_PERF].name, CONTEXT_PERF_NAME_BYTES);
		room[CONTEXT_PERF_NAME_BYTES - 1] = 0;
	}
	return room;
}

/* ---- does it work here? ---- */

static int set_unreadable(const char *name, int ret, struct tacho_error *error)
{
	switch (ret) {
	case -EACCES:
	case -EPERM:
		return error_set(error, ret,
				 "%s: this machine lets no user count "
				 "(/proc/sys/kernel/perf_event_paranoid)",
				 name);
	case -ENOSYS:
		return error_set(error, ret, "%s: this kernel has no counters", name);
	case -ENOENT:
	case -EINVAL:
	case -EOPNOTSUPP:
	case -ENODEV:
		return error_set(error, ret, "%s: this machine has no such counter", name);
	}
	return error_set(error, ret, "%s: %s", name, strerror(-ret));
}

static int open_counter(const struct tacho_perf *perf)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = perf->type,
		.config = perf->config,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
	long fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : (int)fd;
}

/* Programs read counters without a system call, or not at all. */
static int check_mapping(int fd, const char *name, struct tacho_error *error)
{
	size_t bytes = (size_t)sysconf(_SC_PAGESIZE);
	struct perf_event_mmap_page *page = mmap(NULL, bytes, PROT_READ, MAP_SHARED, fd, 0);
	bool is_readable;

	if (page == MAP_FAILED)
		return set_unreadable(name, -errno, error);
	is_readable = page->cap_user_rdpmc;
	munmap(page, bytes);
	if (is_readable)
		return 0;
	return error_set(error, -EOPNOTSUPP,
			 "%s: this machine does not let programs read it "
			 "(/sys/bus/event_source/devices/cpu/rdpmc)",
			 name);
}

int context_check(const char *name, struct tacho_error *error)
{
	struct context_wish wish;
	int ret = context_parse(name, &wish, error);
	int fd;

	if (ret || wish.number != TACHO_CONTEXT_PERF ||
	    context_is_kept_by_kernel(wish.perf.type, wish.perf.config))
		return ret;
	fd = open_counter(&wish.perf);
	if (fd < 0)
		return set_unreadable(name, fd, error);
	ret = check_mapping(fd, name, error);
	fd_close(fd);
	return ret;
}
