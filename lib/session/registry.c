/* SPDX-License-Identifier: MIT */
/* registry.c - see registry.h */
#include "session/registry.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/process.h"
#include "base/str.h"
#include "session/state.h"

/* A registry without a header is either being made, or of a program that died just then. */
#define MAKING_SECONDS 60

static bool is_old(int fd)
{
	struct stat st;

	return !fstat(fd, &st) && st.st_mtime + MAKING_SECONDS < time(NULL);
}

/* Of what is of another pid namespace, or version, nothing can be told from here. */
static bool is_left_behind(const struct registry *r)
{
	if (r->head.magic != TACHO_REGISTRY_MAGIC)
		return is_old(r->fd);
	return r->head.version == TACHO_REGISTRY_VERSION &&
	       r->head.pid_namespace == process_pid_namespace() &&
	       !process_is_alive((pid_t)r->head.pid, r->head.start_time);
}

static int read_head(struct registry *r)
{
	int ret = fd_read_at(r->fd, &r->head, sizeof(r->head), 0);

	if (ret)
		return ret;
	r->head.executable[sizeof(r->head.executable) - 1] = '\0';
	r->event_count = r->head.event_count;
	if (r->event_count > r->head.allocated_events)
		r->event_count = (uint32_t)r->head.allocated_events;
	if (r->event_count > TACHO_REGISTRY_EVENTS)
		r->event_count = TACHO_REGISTRY_EVENTS;
	return r->head.version == TACHO_REGISTRY_VERSION ? 0 : -EBADMSG;
}

static int map_head(struct registry *r)
{
	void *map = mmap(NULL, TACHO_REGISTRY_DESCS_AT, PROT_READ | PROT_WRITE, MAP_SHARED, r->fd,
			 0);

	if (map == MAP_FAILED)
		return -errno;
	r->shared = map;
	return 0;
}

/* Has the program finished making it? Not to be looked up in a mapping: it may have no memory yet. */
static bool is_made(const struct registry *r)
{
	uint64_t magic = 0;
	int ret = fd_read_at(r->fd, &magic, sizeof(magic), 0);

	tacho_fence_acquire(); /* made:B pairs with made:A */
	return !ret && magic == TACHO_REGISTRY_MAGIC;
}

static int read_index(struct registry *r)
{
	size_t bytes = r->event_count * sizeof(*r->event);

	r->event = malloc(bytes + 1);
	if (!r->event)
		return -ENOMEM;
	return fd_read_at(r->fd, r->event, bytes, TACHO_REGISTRY_EVENTS_AT);
}

/* After the index: whatever it names had its place before. */
static int read_descs(struct registry *r, uint64_t file_bytes)
{
	uint64_t end;
	int ret = fd_read_at(r->fd, &end, sizeof(end), offsetof(struct tacho_registry, next_byte));

	if (ret)
		return ret;
	if (end > file_bytes)
		end = file_bytes;
	if (end > TACHO_REGISTRY_BYTES)
		end = TACHO_REGISTRY_BYTES;
	r->descs_bytes = end > TACHO_REGISTRY_DESCS_AT ? end - TACHO_REGISTRY_DESCS_AT : 0;
	r->descs = malloc(r->descs_bytes + 1);
	if (!r->descs)
		return -ENOMEM;
	return fd_read_at(r->fd, r->descs, r->descs_bytes, TACHO_REGISTRY_DESCS_AT);
}

static int read_registry(struct registry *r)
{
	struct stat st;
	int ret = fstat(r->fd, &st) ? -errno : 0;

	if (!ret && st.st_size < TACHO_REGISTRY_DESCS_AT)
		ret = -EBADMSG;
	if (!ret && !is_made(r))
		ret = -EBADMSG;
	if (!ret)
		ret = read_head(r);
	if (!ret)
		ret = map_head(r);
	if (!ret)
		ret = read_index(r);
	return ret ? ret : read_descs(r, (uint64_t)st.st_size);
}

static void registry_close(struct registry *r)
{
	if (r->shared)
		munmap(r->shared, TACHO_REGISTRY_DESCS_AT);
	free(r->event);
	free(r->descs);
	fd_close(r->fd);
}

static void note_unrecorded(int runtime_fd, const struct registry *r, int slot, const char *why)
{
	char path[64], line[64];
	struct stat st;
	int fd;

	snprintf(path, sizeof(path), SLOTS_DIR "/%d/" TACHO_UNRECORDED_FILE, slot);
	snprintf(line, sizeof(line), "%u %s " TACHO_VERSION "\n", r->head.pid, why);
	fd = file_open_at(runtime_fd, path, O_WRONLY | O_APPEND, 0);
	if (fd >= 0 && !fstat(fd, &st) &&
	    st.st_size + (off_t)strlen(line) <= TACHO_UNRECORDED_BYTES)
		fd_write_all(fd, line, strlen(line));
	fd_close(fd);
}

static void deliver(int runtime_fd, const struct registry *r, uint32_t *noted, const char *why)
{
	uint32_t slots = tacho_load_relaxed(noted) ? tacho_exchange_acq_rel(noted, 0) : 0;

	for (int slot = 0; slot < TACHO_SLOTS; slot++) {
		if (slots >> slot & 1)
			note_unrecorded(runtime_fd, r, slot, why);
	}
}

/* What the program could not write down itself. */
static void deliver_notes(int runtime_fd, const struct registry *r)
{
	if (!r->shared)
		return;
	deliver(runtime_fd, r, &r->shared->unnoted_slots, TACHO_UNRECORDED_MAP);
	deliver(runtime_fd, r, &r->shared->confined_slots, TACHO_UNRECORDED_CONFINED);
}

/* Programs that cannot be read are left out: one of them must not stop the rest. */
static int visit_name(int runtime_fd, int apps_fd, const char *name,
		      int (*visit)(struct registry *, void *), void *arg)
{
	struct registry r = { .fd = file_open_at(apps_fd, name, O_RDWR, 0) };
	int ret;

	if (r.fd < 0)
		return 0;
	ret = read_registry(&r);
	deliver_notes(runtime_fd, &r);
	if (is_left_behind(&r)) {
		unlinkat(apps_fd, name, 0);
		ret = 0;
	} else if (!ret && r.head.magic == TACHO_REGISTRY_MAGIC) {
		ret = visit(&r, arg);
	} else if (ret != -ENOMEM) {
		ret = 0;
	}
	registry_close(&r);
	return ret;
}

int registries_visit(struct runtime *runtime, int (*visit)(struct registry *, void *), void *arg)
{
	int apps_fd = runtime_open_dir(runtime, APPS_DIR, NULL);
	char **names = NULL;
	int ret;

	if (apps_fd < 0)
		return apps_fd;
	ret = dir_list(apps_fd, ".", &names);
	for (char **name = names; !ret && *name; name++)
		ret = visit_name(runtime->fd, apps_fd, *name, visit, arg);
	str_array_free(names);
	fd_close(apps_fd);
	return ret;
}

static int pass_over(struct registry *registry, void *arg)
{
	(void)registry;
	(void)arg;
	return 0;
}

void registries_settle(struct runtime *runtime)
{
	registries_visit(runtime, pass_over, NULL);
}

uint32_t *registry_state_of(const struct registry *registry, uint32_t i)
{
	char *events = (char *)registry->shared + TACHO_REGISTRY_EVENTS_AT;

	return &((struct tacho_registry_event *)(void *)events)[i].state;
}

struct event_desc *registry_event(const struct registry *registry, uint32_t i)
{
	uint64_t at = registry->event[i].desc_at;
	struct event_desc *desc = NULL;

	if (at & TACHO_REGISTRY_DROPPED || at < TACHO_REGISTRY_DESCS_AT ||
	    at - TACHO_REGISTRY_DESCS_AT >= registry->descs_bytes)
		return NULL;
	at -= TACHO_REGISTRY_DESCS_AT;
	if (event_desc_parse(registry->descs + at, registry->descs_bytes - at, &desc, NULL))
		return NULL;
	return desc;
}
