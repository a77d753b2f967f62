/* SPDX-License-Identifier: MIT */
/*
 * session.c - which sessions want which events. The protocol is in format/runtime.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "base/ancestors.h"
#include "base/rule.h"
#include "tracer/route_filter.h"
#include "tracer/sys.h"
#include "tracer/tracer.h"

/* A tool that died while it wrote leaves the generation odd; we then take what is there. */
#define READ_TRIES 1000
/* A session that dies while its slot is looked at may have been followed by another. */
#define SLOT_TRIES 100

/* "provider:event", cut where that is longer than any pattern. */
static void full_name(const struct tacho_desc *desc, char *ret_name, size_t bytes)
{
	const char *base = (const char *)desc;
	const char *part[] = { base + desc->provider_at, ":", base + desc->event_at };
	size_t at = 0;

	for (int i = 0; i < 3; i++) {
		size_t n = strnlen(part[i], bytes - 1 - at);

		memcpy(ret_name + at, part[i], n);
		at += n;
	}
	ret_name[at] = 0;
}

/* ---- this process ---- */

static uint32_t parent_of(uint32_t pid)
{
	char path[32], stat[128];
	long n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%u/stat", pid);
	fd = sys_open(path, O_RDONLY, 0);
	if (fd < 0)
		return 0;
	n = sys_read(fd, stat, sizeof(stat) - 1);
	sys_close(fd);
	stat[n > 0 ? n : 0] = 0;
	return ancestors_parent(stat);
}

static __attribute__((noinline)) bool admit_descendant(const struct tacho_session *session,
						       struct rule_subject *subject)
{
	uint32_t list[TACHO_ANCESTORS_MAX];

	subject->ancestors = list;
	subject->ancestor_count = ancestors_get(tacho_tracer.registry, parent_of, list);
	return rule_trackers_admit(session, subject);
}

static struct rule_subject subject_here(void)
{
	return (struct rule_subject){
		.pid = tacho_tracer.pid,
		.uid = tacho_load_relaxed(&tacho_tracer.uid),
		.gid = tacho_load_relaxed(&tacho_tracer.gid),
		.executable = tacho_tracer.executable,
	};
}

static bool trackers_admit(const struct tacho_session *session)
{
	struct rule_subject subject = subject_here();

	if (tacho_tracer.registry &&
	    tacho_load_relaxed(&session->tracked_kinds) >> TACHO_TRACK_DESCENDANTS & 1)
		return admit_descendant(session, &subject);
	return rule_trackers_admit(session, &subject);
}

/* Whatever its rules say: does it record programs like this one? */
static bool session_is_ours(const struct tacho_session *session)
{
	return tacho_is_of_family(tacho_tracer.family, session->family) && trackers_admit(session);
}

/* ---- rules ---- */

static void visit_matches(const struct tacho_session *session, const struct rule_subject *subject,
			  struct rule_visitor *visitor)
{
	uint32_t count = session_is_ours(session) ? rule_count(session) : 0;

	for (uint32_t i = 0; i < count; i++) {
		const struct tacho_rule *rule = &session->rule[i];

		if (rule_is_armed(session, rule) && rule_is_match(session, rule, subject))
			visitor->visit(visitor, session, rule);
	}
}

void session_visit_rules(const struct tacho_session *session, const struct tacho_desc *desc,
			 struct rule_visitor *visitor)
{
	char name[2 * TACHO_NAME_MAX + 2];
	struct rule_subject subject = subject_here();

	full_name(desc, name, sizeof(name));
	subject.event = name;
	subject.level = desc->level;
	for (int i = 0; i < READ_TRIES; i++) {
		uint32_t generation = tacho_load_acquire(&session->generation); /* read:A */

		visitor->restart(visitor);
		visit_matches(session, &subject, visitor);
		tacho_fence_acquire(); /* read:C pairs with write:B */
		if (!(generation & 1) && generation == tacho_load_relaxed(&session->generation))
			break;
	}
}

struct any_match {
	struct rule_visitor visitor; /* first, to be found from it */
	const struct tacho_desc *desc;
	bool found;
};

static void restart_any(struct rule_visitor *visitor)
{
	((struct any_match *)visitor)->found = false;
}

static void visit_any(struct rule_visitor *visitor, const struct tacho_session *session,
		      const struct tacho_rule *rule)
{
	struct any_match *any = (struct any_match *)visitor;

	if (!any->found)
		any->found = route_filter_may_agree(session, &rule->filter, any->desc);
}

static bool is_wanted(const struct tacho_session *session, const struct tacho_desc *desc)
{
	struct any_match any = { .visitor = { restart_any, visit_any }, .desc = desc };

	session_visit_rules(session, desc, &any.visitor);
	return any.found;
}

/* ---- bits ---- */

/* Set or clear the slot's bit of one event. What is known of it may be of other rules, or of another
 * session: an event that was unloaded is no tool's to mark. */
static bool apply_to_event(uint32_t slot, const struct tacho_session *session, uint32_t index)
{
	const struct tacho_desc *desc = registry_desc(index);
	bool wanted = desc && is_wanted(session, desc);

	if (wanted)
		tacho_fetch_or_acq_rel(registry_state(index), 1u << slot | TACHO_STATE_STALE);
	else if (tacho_load_relaxed(registry_state(index)) >> slot & 1)
		tacho_fetch_and_acq_rel(registry_state(index), ~(1u << slot));
	return wanted;
}

static bool apply_session(uint32_t slot, const struct tacho_session *session, uint32_t first,
			  uint32_t end)
{
	uint32_t generation;
	bool wanted = false;
	int tries = 0;

	do {
		generation = tacho_load_acquire(&session->generation); /* reg:C */
		wanted = false;
		for (uint32_t i = first; i < end; i++)
			wanted |= apply_to_event(slot, session, i);
		tacho_fence_full(); /* reg:D pairs with en:B */
	} while (generation != tacho_load_relaxed(&session->generation) && ++tries < READ_TRIES);
	return wanted;
}

static bool is_short_of_files(int ret)
{
	return ret == -EMFILE || ret == -ENFILE;
}

void session_note_unrecorded(uint32_t slot, const char *why)
{
	char path[TRACER_PATH_BYTES], line[64];
	int n = snprintf(line, sizeof(line), "%u %s " TACHO_VERSION "\n", tacho_tracer.pid, why);

	if (tracer_path(path, "slots/%u/" TACHO_UNRECORDED_FILE, slot) &&
	    is_short_of_files(sys_append(path, line, (size_t)n, TACHO_UNRECORDED_BYTES)) &&
	    tacho_tracer.registry)
		tacho_fetch_or_acq_rel(&tacho_tracer.registry->unnoted_slots, 1u << slot);
}

/* A file of another version may be shorter, so its head is read first. */
static bool is_readable(const char *path, uint32_t slot)
{
	struct {
		uint64_t magic;
		uint32_t version;
	} head = { 0 };
	int fd = sys_open(path, O_RDONLY | O_NOFOLLOW, 0);

	if (fd < 0)
		return false;
	sys_read(fd, &head, sizeof(head));
	sys_close(fd);
	if (head.magic != TACHO_SESSION_MAGIC)
		return false;
	if (head.version != TACHO_SESSION_VERSION)
		session_note_unrecorded(slot, TACHO_UNRECORDED_VERSION);
	return head.version == TACHO_SESSION_VERSION;
}

static void attach_slot(uint32_t slot)
{
	struct grace_section section = grace_enter();

	attachment_retry(slot);
	attachment_get(slot);
	grace_leave(section);
}

/* Return: false if the session is dead by now: then the bits may be another one's, to which a tool
 * has given the slot since. */
static bool apply_slot(uint32_t slot, uint32_t first, uint32_t end)
{
	struct window window = { 0 };
	char path[TRACER_PATH_BYTES];
	const struct tacho_session *session;
	bool is_dead;

	if (!tracer_path(path, "slots/%u/session", slot) || !is_readable(path, slot))
		return true;
	session = map_file(path, sizeof(*session), O_RDONLY | O_NOFOLLOW, &window);
	if (!session)
		return true;
	if (apply_session(slot, session, first, end))
		attach_slot(slot);
	is_dead = tacho_load_relaxed(&session->state) == TACHO_SESSION_DEAD;
	sys_unmap(window.base, window.bytes);
	return !is_dead;
}

struct dirent_header { /* of getdents64(2) */
	uint64_t inode;
	int64_t offset;
	uint16_t bytes;
	uint8_t type;
	char name[];
};

/* A slot's name is its number; anything else in the directory is not ours. */
static uint32_t slot_number(const char *name)
{
	uint32_t number = 0;
	const char *p = name;

	while (*p >= '0' && *p <= '9' && number < TACHO_SLOTS)
		number = number * 10 + (uint32_t)(*p++ - '0');
	return *p || p == name ? TACHO_SLOTS : number;
}

static uint32_t slots_taken(void)
{
	char path[TRACER_PATH_BYTES], buffer[2048] __attribute__((aligned(8)));
	uint32_t mask = 0;
	long n = 0;
	int fd;

	if (!tracer_path(path, "slots"))
		return 0;
	fd = sys_open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW, 0);
	while (fd >= 0 && (n = sys_getdents(fd, buffer, sizeof(buffer))) > 0) {
		for (long at = 0; at < n;) {
			struct dirent_header *entry = (struct dirent_header *)(buffer + at);
			uint32_t slot = slot_number(entry->name);

			if (slot < TACHO_SLOTS)
				mask |= 1u << slot;
			at += entry->bytes;
		}
	}
	if (fd >= 0)
		sys_close(fd);
	return mask;
}

void sessions_apply(uint32_t first, uint32_t end)
{
	uint32_t slots;

	if (first >= end)
		return;
	tacho_fence_full(); /* reg:B pairs with en:B */
	for (slots = slots_taken(); slots; slots &= slots - 1) {
		for (int i = 0; i < SLOT_TRIES; i++) {
			if (apply_slot((uint32_t)__builtin_ctz(slots), first, end))
				break;
		}
	}
}

void sessions_note_off(void)
{
	for (uint32_t slots = slots_taken(); slots; slots &= slots - 1) {
		uint32_t slot = (uint32_t)__builtin_ctz(slots);
		struct window window = { 0 };
		char path[TRACER_PATH_BYTES];
		const struct tacho_session *session;

		if (!tracer_path(path, "slots/%u/session", slot) || !is_readable(path, slot))
			continue;
		session = map_file(path, sizeof(*session), O_RDONLY | O_NOFOLLOW, &window);
		if (!session || (tacho_load_relaxed(&session->state) == TACHO_SESSION_ACTIVE &&
				 session_is_ours(session)))
			session_note_unrecorded(slot, TACHO_UNRECORDED_REGISTRY);
		if (session)
			sys_unmap(window.base, window.bytes);
	}
}
