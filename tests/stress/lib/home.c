/* SPDX-License-Identifier: MIT */
#include "home.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/pattern.h"
#include "format/trigger.h"

#define ENTERED "TACHO_STRESS_HOME"

static pid_t owner;

void die(const char *format, ...)
{
	int saved = errno;
	va_list args;

	va_start(args, format);
	fprintf(stderr, "# cannot go on: ");
	vfprintf(stderr, format, args);
	fprintf(stderr, ": %s\n", strerror(saved));
	va_end(args);
	exit(1);
}

/* ---- the directory ---- */

const char *home_path(void)
{
	return getenv("TACHO_RUNTIME_DIR");
}

bool home_is_portable(void)
{
	const char *tunables = getenv("GLIBC_TUNABLES");

	return tunables && strstr(tunables, "rseq=0");
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static void leave(void)
{
	if (owner == getpid())
		nftw(home_path(), remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

bool home_is_entered(void)
{
	const char *entered = getenv(ENTERED);

	if (!entered || strcmp(entered, home_path()))
		return false;
	if (!owner) {
		owner = getpid();
		atexit(leave);
	}
	return true;
}

void home_enter(char **args, bool portable)
{
	const char *run = getenv("TACHO_TEST_RUN");
	char path[256];

	snprintf(path, sizeof(path), "/dev/shm/tacho-test.%s.XXXXXX", run ? run : "alone");
	if (!mkdtemp(path))
		die("mkdtemp %s", path);
	setenv("TACHO_RUNTIME_DIR", path, 1);
	setenv(ENTERED, path, 1);
	if (portable)
		setenv("GLIBC_TUNABLES", "glibc.pthread.rseq=0", 1);
	else
		unsetenv("GLIBC_TUNABLES");
	execv("/proc/self/exe", args);
	die("exec");
}

/* ---- sessions ---- */

static void make_folder(const char *format, const char *name)
{
	char path[512];
	int n = snprintf(path, sizeof(path), "%s/", home_path());

	snprintf(path + n, sizeof(path) - (size_t)n, format, name);
	if (mkdir(path, 0700) && errno != EEXIST)
		die("mkdir %s", path);
}

static void *map_fd(int fd, uint64_t bytes)
{
	void *map = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	if (map == MAP_FAILED)
		die("map %llu bytes", (unsigned long long)bytes);
	close(fd);
	return map;
}

static void *make_file(const char *path, uint64_t bytes, uint64_t allocated)
{
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);

	if (fd < 0 || ftruncate(fd, (off_t)bytes) || fallocate(fd, 0, 0, (off_t)allocated))
		die("make %s", path);
	return map_fd(fd, bytes);
}

static uint32_t first_id = TACHO_ID_FIRST;

void home_first_id(uint32_t id)
{
	first_id = id;
}

static void make_events(struct home_session *s, uint64_t instance)
{
	struct tacho_events *events;
	char path[512];

	snprintf(path, sizeof(path), "%s/sessions/%s/events", home_path(), s->name);
	events = make_file(path, TACHO_EVENTS_BYTES,
			   TACHO_EVENTS_DESCS_AT + TACHO_EVENTS_FIRST_DESCS);
	events->magic = TACHO_EVENTS_MAGIC;
	events->version = TACHO_EVENTS_VERSION;
	events->next_id = first_id;
	events->next_byte = TACHO_EVENTS_DESCS_AT;
	events->allocated_bytes = TACHO_EVENTS_DESCS_AT + TACHO_EVENTS_FIRST_DESCS;
	events->allocated_ids = TACHO_EVENT_IDS;
	events->instance = instance;
	s->events = (char *)events;
}

static void make_triggers(const struct home_session *s, uint64_t instance)
{
	struct tacho_triggers *triggers;
	char path[512];

	snprintf(path, sizeof(path), "%s/sessions/%s/" TACHO_TRIGGERS_FILE, home_path(), s->name);
	triggers = make_file(path, sizeof(*triggers), sizeof(*triggers));
	triggers->magic = TACHO_TRIGGERS_MAGIC;
	triggers->version = TACHO_TRIGGERS_VERSION;
	triggers->instance = instance;
	munmap(triggers, sizeof(*triggers));
}

#define SHARDS 16

/* One ring per CPU; or shards, of which writers make more than there are CPUs when they need them. */
static void make_rings(struct home_session *s, uint32_t index, const struct home_channel *c,
		       uint64_t instance)
{
	uint32_t cpus = (uint32_t)sysconf(_SC_NPROCESSORS_CONF);
	struct rings_parameters p = {
		.session_instance = instance,
		.block_timeout_ns = c->block_timeout_ns,
		.ring_count = home_is_portable() ? SHARDS : cpus,
		.mode = c->mode,
		.writer_kind = home_is_portable() ? TACHO_WRITER_PORTABLE : TACHO_WRITER_RSEQ,
	};
	struct tacho_error error = { 0 };
	char path[512], name[96];
	int fd;

	snprintf(path, sizeof(path), "%s/sessions/%s", home_path(), s->name);
	snprintf(name, sizeof(name), "%s.%s", c->name, home_is_portable() ? "shards" : "rings");
	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (ring_geometry_init(&p.geometry, c->ring_bytes) || rings_create(fd, name, &p, &error) ||
	    rings_open(fd, name, &s->rings[index], &error))
		die("rings of %s/%s", path, name);
	for (uint32_t cpu = 0; cpu < cpus && cpu < p.ring_count && !c->late; cpu++)
		ring_allocate(&s->rings[index], cpu);
	close(fd);
}

static void fill_channel(struct home_session *s, uint32_t index, const struct home_channel *channel)
{
	struct tacho_channel *c = &s->file->channel[index];

	snprintf(c->name, sizeof(c->name), "%s", channel->name);
	c->mode = channel->mode;
	c->subbuf_count = s->rings[index].subbuf_count;
	c->subbuf_shift = s->rings[index].subbuf_shift;
	c->ring_count = s->rings[index].ring_count;
	c->stride = s->rings[index].stride;
}

static void fill_session(struct home_session *s, uint64_t instance,
			 const struct home_channel *channels, const struct home_rule *rules,
			 uint32_t rule_count)
{
	struct tacho_session *file = s->file;

	file->magic = TACHO_SESSION_MAGIC;
	file->version = TACHO_SESSION_VERSION;
	file->slot = s->slot;
	file->instance = instance;
	file->counter_machine = TACHO_MACHINE;
	file->channel_count = s->channel_count;
	file->rule_count = rule_count;
	snprintf(file->name, sizeof(file->name), "%s", s->name);
	for (uint32_t i = 0; i < s->channel_count; i++)
		fill_channel(s, i, &channels[i]);
	for (uint32_t i = 0; i < rule_count; i++) {
		file->rule[i].enabled = 1;
		file->rule[i].channel = rules[i].channel;
		snprintf(file->rule[i].pattern, sizeof(file->rule[i].pattern), "%s",
			 rules[i].pattern);
	}
	tacho_store_release(&file->state, TACHO_SESSION_ACTIVE);
}

void home_session_create(struct home_session *s, const char *name, uint32_t slot,
			 const struct home_channel *channels, uint32_t channel_count,
			 const struct home_rule *rules, uint32_t rule_count)
{
	static uint64_t instance = 1000;
	char path[512];

	memset(s, 0, sizeof(*s));
	snprintf(s->name, sizeof(s->name), "%s", name);
	s->slot = slot;
	s->channel_count = channel_count;
	instance++;
	make_folder("%s", "sessions");
	make_folder("%s", "slots");
	make_folder("sessions/%s", name);
	for (uint32_t i = 0; i < channel_count; i++)
		make_rings(s, i, &channels[i], instance);
	make_events(s, instance);
	make_triggers(s, instance);
	snprintf(path, sizeof(path), "%s/sessions/%s/session", home_path(), name);
	s->file = make_file(path, sizeof(*s->file), sizeof(*s->file));
	fill_session(s, instance, channels, rules, rule_count);
	home_session_show(s);
}

void home_session_add_rings(struct home_session *s, const struct home_channel *channel)
{
	make_rings(s, s->channel_count, channel, s->file->instance);
}

void home_session_add_channel(struct home_session *s, const struct home_channel *channel)
{
	fill_channel(s, s->channel_count, channel);
	tacho_store_release(&s->file->channel_count, ++s->channel_count);
}

void home_session_show(const struct home_session *s)
{
	char path[512], target[128];

	snprintf(path, sizeof(path), "%s/slots/%u", home_path(), s->slot);
	snprintf(target, sizeof(target), "../sessions/%s", s->name);
	if (symlink(target, path))
		die("link %s", path);
}

void home_session_hide(const struct home_session *s)
{
	char path[512];

	snprintf(path, sizeof(path), "%s/slots/%u", home_path(), s->slot);
	if (unlink(path))
		die("unlink %s", path);
}

/* ---- telling the programs ---- */

static bool is_wanted(const struct home_session *s, const struct tacho_desc *desc)
{
	const char *base = (const char *)desc;
	char name[600];

	if (s->file->state != TACHO_SESSION_ACTIVE)
		return false;
	snprintf(name, sizeof(name), "%s:%s", base + desc->provider_at, base + desc->event_at);
	for (uint32_t i = 0; i < s->file->rule_count; i++) {
		const struct tacho_rule *rule = &s->file->rule[i];

		if (rule->enabled && pattern_is_match(rule->pattern, sizeof(rule->pattern), name))
			return true;
	}
	return false;
}

static void apply_to_registry(const struct home_session *s, char *registry)
{
	const struct tacho_registry *head = (struct tacho_registry *)registry;
	struct tacho_registry_event *event = (void *)(registry + TACHO_REGISTRY_EVENTS_AT);
	uint32_t bit = 1u << s->slot;

	for (uint32_t i = 0; i < head->event_count && i < head->allocated_events; i++) {
		uint32_t at = tacho_load_acquire(&event[i].desc_at);

		if (at && !(at & TACHO_REGISTRY_DROPPED) &&
		    is_wanted(s, (struct tacho_desc *)(registry + at)))
			tacho_fetch_or_acq_rel(&event[i].state, bit | TACHO_STATE_STALE);
		else
			tacho_fetch_and_acq_rel(&event[i].state, ~bit);
	}
}

/* A program may just be making it (format/runtime.h). */
static bool is_made(int fd)
{
	uint64_t magic = 0;
	bool is_read = pread(fd, &magic, sizeof(magic), 0) == sizeof(magic);

	tacho_fence_acquire();
	return is_read && magic == TACHO_REGISTRY_MAGIC;
}

void home_session_apply(const struct home_session *s)
{
	char path[512];
	struct dirent *entry;
	DIR *dir;

	tacho_fence_full();
	snprintf(path, sizeof(path), "%s/apps", home_path());
	dir = opendir(path);
	while (dir && (entry = readdir(dir))) {
		char *registry;
		bool made;
		int fd;

		if (entry->d_name[0] == '.')
			continue;
		fd = openat(dirfd(dir), entry->d_name, O_RDWR | O_CLOEXEC);
		if (fd < 0)
			continue; /* it ended just now */
		made = is_made(fd);
		registry = map_fd(fd, TACHO_REGISTRY_BYTES);
		if (made)
			apply_to_registry(s, registry);
		munmap(registry, TACHO_REGISTRY_BYTES);
	}
	if (dir)
		closedir(dir);
}

static void change_state(struct home_session *s, uint32_t state)
{
	tacho_fetch_add_acq_rel(&s->file->generation, 1);
	tacho_store_release(&s->file->state, state);
	tacho_fetch_add_acq_rel(&s->file->generation, 1);
	home_session_apply(s);
}

void home_session_stop(struct home_session *s)
{
	change_state(s, TACHO_SESSION_STOPPED);
}

void home_session_destroy(struct home_session *s)
{
	char path[512];

	change_state(s, TACHO_SESSION_DEAD);
	home_session_hide(s);
	snprintf(path, sizeof(path), "%s/sessions/%s", home_path(), s->name);
	nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	for (uint32_t i = 0; i < s->channel_count; i++)
		rings_close(&s->rings[i]);
	munmap(s->events, TACHO_EVENTS_BYTES);
	munmap(s->file, sizeof(*s->file));
}

static const struct tacho_event_class *find_class(const struct home_session *s, uint32_t id)
{
	const uint32_t *entry = (uint32_t *)(s->events + TACHO_EVENTS_ENTRIES_AT);
	uint32_t at;

	if (id < TACHO_ID_FIRST || id >= TACHO_EVENT_IDS)
		return NULL;
	at = tacho_load_acquire(&entry[id]);
	return at ? (const struct tacho_event_class *)(s->events + at) : NULL;
}

bool home_session_event_name(const struct home_session *s, uint32_t id, char *ret_name,
			     size_t bytes)
{
	const struct tacho_event_class *class = find_class(s, id);
	const char *desc;

	if (!class)
		return false;
	desc = (const char *)&class->desc;
	snprintf(ret_name, bytes, "%s:%s", desc + class->desc.provider_at,
		 desc + class->desc.event_at);
	return true;
}

uint64_t home_session_event_contexts(const struct home_session *s, uint32_t id)
{
	const struct tacho_event_class *class = find_class(s, id);

	return class ? class->contexts : 0;
}
