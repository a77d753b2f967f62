/* SPDX-License-Identifier: MIT */
/*
 * guest.c - the module, from a program in the booted kernel: guest CASE [NUMBER]; how long or how often is
 * the number.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/firing.h"
#include "lib/guest.h"
#include "lib/ring_file.h"
#include "lib/walk.h"

#define RING_BYTES  (256u << 10)
#define TRACEFS     "/tmp/tracefs"
#define WORDS_BYTES 40 /* of an event with five words */

static struct firing_ledger ledgers[FIRING_CPUS_MAX];
static uint8_t copy[1u << 20];

static bool load_modules(void)
{
	int ret = guest_load(GUEST_MODULE);
	int fire_ret = guest_load(GUEST_FIRE);

	return !ret && !fire_ret;
}

static bool unload_modules(void)
{
	int fire_ret = guest_unload("tacho_fire");
	int ret = guest_unload("tacho");

	if (ret || fire_ret)
		printf("# unloading: %s, %s\n", strerror(-ret), strerror(-fire_ret));
	return !ret && !fire_ret;
}

/* Copies a sub-buffer, and walks what is known to be whole. 1: walked; 0: overwritten; -1: wrong. */
static int walk_subbuf(struct ring_file *file, uint32_t cpu, uint64_t number, struct walk *walk)
{
	struct ring_view view;
	int ret = ring_view(&file->rings, cpu, number, &view);

	if (ret == -ESTALE || ret == -EAGAIN)
		return 0;
	if (ret)
		return -1;
	memcpy(copy, view.content, view.content_bytes);
	if (!ring_view_is_intact(&file->rings, cpu, &view))
		return 0;
	return walk_content(walk, copy, view.content_bytes) ? 1 : -1;
}

static bool blame(const char *what, uint32_t cpu, uint64_t number, const struct walk *walk)
{
	printf("# %s: cpu %u, sub-buffer %llu: %s\n", what, cpu, (unsigned long long)number,
	       walk->why[0] ? walk->why : "its description makes no sense");
	return false;
}

/* Takes all complete sub-buffers of a ring, and the open one at the end. */
static bool drain_ring(struct ring_file *file, uint32_t cpu, struct walk *walk, bool is_end)
{
	struct ring_range range = ring_range(&file->rings, cpu);

	for (uint64_t k = range.oldest; k < range.end; k++) {
		if (k + 1 == range.end && !is_end)
			return true;
		if (walk_subbuf(file, cpu, k, walk) != 1)
			return blame("drained", cpu, k, walk);
		ring_release(&file->rings, cpu, k + 1);
	}
	return true;
}

static bool drain_firing(struct ring_file *file, bool is_end)
{
	for (uint32_t cpu = 0; cpu < file->rings.ring_count; cpu++) {
		if (!drain_ring(file, cpu, &ledgers[cpu].walk, is_end))
			return false;
	}
	return true;
}

static uint64_t lost_of(struct ring_file *file, uint32_t cpu)
{
	uint64_t lost[TACHO_LOST_REASONS], sum = 0;

	ring_lost(&file->rings, cpu, lost);
	for (int i = 0; i < TACHO_LOST_REASONS; i++)
		sum += lost[i];
	return sum;
}

static void init_ledgers(void)
{
	for (uint32_t cpu = 0; cpu < FIRING_CPUS_MAX; cpu++)
		ledger_init(&ledgers[cpu]);
}

struct totals {
	uint64_t hits[FIRING_CONTEXTS], read, lost, skipped;
	bool is_equal, is_in_order;
};

static struct totals balance(struct ring_file *file, const struct fired *before,
			     const struct fired *after)
{
	struct totals t = { .is_equal = true, .is_in_order = true };

	for (uint32_t cpu = 0; cpu < file->rings.ring_count; cpu++) {
		uint64_t hits = firing_hits(before, after, cpu);
		uint64_t read = ledger_read(&ledgers[cpu]), lost = lost_of(file, cpu);

		for (int i = 0; i < FIRING_CONTEXTS; i++)
			t.hits[i] += after->hits[cpu][i] - before->hits[cpu][i];
		t.read += read;
		t.lost += lost;
		t.skipped += ledgers[cpu].skipped;
		t.is_equal &= hits == read + lost;
		t.is_in_order &= !ledgers[cpu].went_back;
	}
	return t;
}

static bool say_totals(const char *name, bool passed, const struct totals *t)
{
	return guest_say(
		name, passed,
		"hits of task %llu, softirq %llu, irq %llu, NMI %llu; read %llu, lost %llu",
		(unsigned long long)t->hits[0], (unsigned long long)t->hits[1],
		(unsigned long long)t->hits[2], (unsigned long long)t->hits[3],
		(unsigned long long)t->read, (unsigned long long)t->lost);
}

/* Every context was there, or the test shows nothing. */
static bool has_all_contexts(const struct totals *t)
{
	return t->hits[0] && t->hits[1] && t->hits[2] && t->hits[3];
}

static bool discard_is_exact(unsigned int milliseconds)
{
	const char *name = "each_hit_of_each_context_is_read_or_counted_as_lost";
	struct fired before, after;
	struct ring_file file;
	struct firing firing;
	struct totals t;
	bool is_whole = true;

	if (ring_file_open(&file, TACHO_MODE_DISCARD, RING_BYTES, guest_cpus()) ||
	    !firing_count(&before) || ring_file_record(&file, "tacho_fire", FIRING_ID, 2))
		return guest_say(name, false, "not recorded: %s", strerror(errno));
	init_ledgers();
	firing_start(&firing, milliseconds);
	while (is_whole && !firing_is_over(&firing)) {
		is_whole = drain_firing(&file, false);
		usleep(500);
	}
	firing_join(&firing);
	firing_count(&after);
	ring_file_detach(&file);
	is_whole = is_whole && drain_firing(&file, true);
	t = balance(&file, &before, &after);
	ring_file_close(&file);
	return say_totals(name,
			  is_whole && t.is_equal && t.is_in_order && has_all_contexts(&t) && t.read,
			  &t);
}

/* Reads all there is, while it is overwritten. Returns the sub-buffers that were whole, or -1. */
static long snapshot(struct ring_file *file, uint32_t cpu, struct firing_ledger *ledger)
{
	struct ring_range range = ring_range(&file->rings, cpu);
	long whole = 0;

	ledger_forget_place(ledger);
	for (uint64_t k = range.oldest; k < range.end; k++) {
		int ret = walk_subbuf(file, cpu, k, &ledger->walk);

		if (ret < 0) {
			blame("snapshot", cpu, k, &ledger->walk);
			return -1;
		}
		if (!ret)
			ledger_forget_place(ledger);
		whole += ret;
	}
	return whole;
}

static long snapshot_all(struct ring_file *file)
{
	long sum = 0;

	for (uint32_t cpu = 0; cpu < file->rings.ring_count; cpu++) {
		long whole = snapshot(file, cpu, &ledgers[cpu]);

		if (whole < 0)
			return -1;
		sum += whole;
	}
	return sum;
}

/* The newest record of each context is in the last snapshot, but for what was lost. */
static uint64_t missing_at_the_end(uint32_t cpus, const struct fired *after)
{
	uint64_t missing = 0;

	for (uint32_t cpu = 0; cpu < cpus; cpu++) {
		for (int i = 0; i < FIRING_CONTEXTS; i++) {
			if (ledgers[cpu].has_next[i])
				missing += after->hits[cpu][i] - ledgers[cpu].next[i];
		}
	}
	return missing;
}

static bool snapshots_are_whole(unsigned int milliseconds)
{
	const char *name =
		"snapshots_of_a_ring_that_is_overwritten_have_no_hole_and_end_by_the_last_hit";
	struct fired before, after;
	struct ring_file file;
	struct firing firing;
	struct totals t;
	long whole = 0, last = 0, taken = 0;
	uint64_t missing;

	if (ring_file_open(&file, TACHO_MODE_OVERWRITE, RING_BYTES, guest_cpus()) ||
	    !firing_count(&before) || ring_file_record(&file, "tacho_fire", FIRING_ID, 2))
		return guest_say(name, false, "not recorded: %s", strerror(errno));
	init_ledgers();
	firing_start(&firing, milliseconds);
	for (; last >= 0 && !firing_is_over(&firing); taken++) {
		last = snapshot_all(&file);
		whole += last;
		usleep(500);
	}
	firing_join(&firing);
	firing_count(&after);
	ring_file_detach(&file);
	last = last < 0 ? last : snapshot_all(&file);
	missing = missing_at_the_end(file.rings.ring_count, &after);
	t = balance(&file, &before, &after);
	ring_file_close(&file);
	printf("# %ld snapshots, %ld sub-buffers, %llu records skipped, %llu missing at the end\n",
	       taken, whole, (unsigned long long)t.skipped, (unsigned long long)missing);
	return say_totals(name,
			  last > 0 && taken > 2 && t.is_in_order && has_all_contexts(&t) &&
				  t.skipped <= t.lost * (uint64_t)taken && missing <= t.lost,
			  &t);
}

/* All tracepoints of the kernel */

static uint32_t words_payload(uint32_t id)
{
	return id ? WORDS_BYTES : UINT32_MAX;
}

/* Records every tracepoint that has an event. Returns how many. */
static uint32_t record_everything(struct ring_file *file)
{
	char line[256];
	uint32_t count = 0;
	FILE *list;

	mkdir(TRACEFS, 0700);
	if (mount("tracefs", TRACEFS, "tracefs", 0, NULL) && errno != EBUSY)
		return 0;
	list = fopen(TRACEFS "/available_events", "r");
	while (list && fgets(line, sizeof(line), list)) {
		char *name = strchr(line, ':');

		line[strcspn(line, "\n")] = '\0';
		if (name && !ring_file_record(file, name + 1, count + 1, WORDS_BYTES / 8))
			count++;
	}
	if (list)
		fclose(list);
	return count;
}

static bool everything_is_whole(unsigned int milliseconds)
{
	const char *name = "one_probe_records_every_tracepoint_and_each_snapshot_is_whole";
	struct walk walk = { .payload_bytes = words_payload };
	struct guest_load *load;
	struct ring_file file;
	uint32_t events;
	bool is_whole = true;

	if (ring_file_open(&file, TACHO_MODE_OVERWRITE, RING_BYTES, guest_cpus()))
		return guest_say(name, false, "not recorded: %s", strerror(errno));
	events = record_everything(&file);
	load = guest_load_start(guest_cpus());
	for (unsigned int ms = 0; is_whole && ms < milliseconds; ms += 20) {
		for (uint32_t cpu = 0; is_whole && cpu < file.rings.ring_count; cpu++) {
			struct ring_range range = ring_range(&file.rings, cpu);

			walk.last_ts = 0;
			for (uint64_t k = range.oldest; is_whole && k < range.end; k++)
				is_whole = walk_subbuf(&file, cpu, k, &walk) >= 0 ||
					   blame("snapshot", cpu, k, &walk);
		}
		usleep(20000);
	}
	guest_load_stop(load);
	ring_file_detach(&file);
	ring_file_close(&file);
	return guest_say(name, is_whole && events > 400 && walk.records > 10000,
			 "%u tracepoints, %llu records in snapshots", events,
			 (unsigned long long)walk.records);
}

/* Life */

static const char *const busy_events[] = {
	"sys_enter",  "sys_exit", "sched_switch", "sched_waking", "hrtimer_expire_entry",
	"task_rename"
};
#define BUSY_EVENTS (sizeof(busy_events) / sizeof(busy_events[0]))

static int record_busy_events(struct ring_file *file)
{
	int ret = 0;

	for (uint32_t i = 0; !ret && i < BUSY_EVENTS; i++)
		ret = ring_file_record(file, busy_events[i], i + 1, WORDS_BYTES / 8);
	return ret;
}

static bool rings_are_whole(struct ring_file *file, uint64_t *ret_records)
{
	for (uint32_t cpu = 0; cpu < file->rings.ring_count; cpu++) {
		struct walk walk = { .payload_bytes = words_payload };

		if (!drain_ring(file, cpu, &walk, true))
			return false;
		*ret_records += walk.records;
	}
	return true;
}

static bool cycle(unsigned int turn, uint64_t *ret_records)
{
	struct ring_file file;
	uint32_t mode = turn % 2 ? TACHO_MODE_OVERWRITE : TACHO_MODE_DISCARD;
	bool is_whole;
	int ret = ring_file_open(&file, mode, RING_BYTES, guest_cpus());

	if (!ret)
		ret = record_busy_events(&file);
	if (!ret)
		usleep(1000);
	for (uint32_t i = 0; !ret && i < BUSY_EVENTS; i += 2)
		ret = ring_file_forget(&file, i + 1);
	if (!ret)
		ret = ring_file_detach(&file);
	is_whole = !ret && rings_are_whole(&file, ret_records);
	if (ret)
		printf("# turn %u: %s\n", turn, strerror(-ret));
	else
		ring_file_close(&file);
	return is_whole;
}

static bool cycles_of_events(unsigned int turns)
{
	struct guest_load *load = guest_load_start(guest_cpus());
	bool is_whole = true;
	uint64_t records = 0, done;
	unsigned int turn = 0;

	for (; is_whole && turn < turns; turn++)
		is_whole = cycle(turn, &records);
	done = guest_load_stop(load);
	return guest_say("events_come_and_go_under_load", is_whole && records,
			 "%u times, %llu records, %llu turns of the load", turn,
			 (unsigned long long)records, (unsigned long long)done);
}

/* The module goes while it records; what is in the file is whole. */
static bool unload_while_recording(uint64_t *ret_records)
{
	struct ring_file file;
	int ret = guest_load(GUEST_MODULE);
	bool is_whole;

	if (!ret)
		ret = ring_file_open(&file, TACHO_MODE_OVERWRITE, RING_BYTES, guest_cpus());
	if (!ret)
		ret = record_busy_events(&file);
	if (ret) {
		printf("# not recorded: %s\n", strerror(-ret));
		return false;
	}
	usleep(1000);
	close(file.module_fd);
	file.module_fd = -1;
	ret = guest_unload("tacho");
	is_whole = !ret && rings_are_whole(&file, ret_records);
	ring_file_close(&file);
	return is_whole;
}

static bool cycles_of_the_module(unsigned int turns)
{
	struct guest_load *load = guest_load_start(guest_cpus());
	bool is_whole = !guest_unload("tacho");
	uint64_t records = 0;
	unsigned int turn = 0;

	for (; is_whole && turn < turns; turn++)
		is_whole = unload_while_recording(&records);
	guest_load_stop(load);
	is_whole &= !guest_load(GUEST_MODULE);
	return guest_say("the_module_is_unloaded_while_it_records_under_load", is_whole && records,
			 "%u times, %llu records", turn, (unsigned long long)records);
}

static bool killed_tool_is_followed(unsigned int unused)
{
	struct tacho_module_look look = { .index = 0 };
	struct ring_file file;
	int status, fd = open(TACHO_MODULE_DEVICE, O_RDWR | O_CLOEXEC);
	pid_t pid = fork();
	bool is_found, is_gone;

	(void)unused;
	if (!pid) {
		if (!ring_file_open(&file, TACHO_MODE_OVERWRITE, RING_BYTES, guest_cpus()) &&
		    !record_busy_events(&file))
			kill(getpid(), SIGKILL);
		_exit(1);
	}
	waitpid(pid, &status, 0);
	is_found = WIFSIGNALED(status) && !ioctl(fd, TACHO_MODULE_LOOK, &look) &&
		   look.name.session_instance >> 32 == (uint64_t)pid &&
		   look.event_count == BUSY_EVENTS;
	is_gone = !ioctl(fd, TACHO_MODULE_DETACH, &look.name) &&
		  ioctl(fd, TACHO_MODULE_LOOK, &look) && errno == ENOENT;
	close(fd);
	return guest_say("what_a_killed_tool_left_is_found_and_removed", is_found && is_gone,
			 "status %x, %u events", status, look.event_count);
}

static bool leaving_module_is_forgotten(unsigned int unused)
{
	struct ring_file file;
	struct firing firing;
	struct tacho_module_look look = { .index = 0 };
	uint64_t records = 0;
	bool is_right;

	(void)unused;
	is_right = !ring_file_open(&file, TACHO_MODE_OVERWRITE, RING_BYTES, guest_cpus()) &&
		   !ring_file_record(&file, "tacho_fire", FIRING_ID, 5) &&
		   firing_start(&firing, 100);
	if (is_right)
		firing_join(&firing);
	is_right = is_right && !guest_unload("tacho_fire") &&
		   !ioctl(file.module_fd, TACHO_MODULE_LOOK, &look) && look.event_count == 0 &&
		   ring_file_record(&file, "tacho_fire", FIRING_ID, 5) == -ENOENT &&
		   !guest_load(GUEST_FIRE) &&
		   !ring_file_record(&file, "tacho_fire", FIRING_ID, 5) &&
		   !ring_file_detach(&file) && rings_are_whole(&file, &records);
	ring_file_close(&file);
	return guest_say("the_tracepoints_of_a_module_that_goes_are_forgotten", is_right && records,
			 "%llu records, %u events", (unsigned long long)records, look.event_count);
}

static bool set_online(uint32_t cpu, bool is_online)
{
	char path[64];
	FILE *file;

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%u/online", cpu);
	file = fopen(path, "w");
	return file && fputs(is_online ? "1" : "0", file) >= 0 && !fclose(file);
}

static bool cpus_come_and_go(unsigned int turns)
{
	const char *name = "cpus_come_and_go_while_they_are_recorded";
	struct guest_load *load = guest_load_start(guest_cpus());
	uint32_t last = guest_cpus() - 1;
	struct ring_file file;
	uint64_t records = 0;
	bool is_right = !ring_file_open(&file, TACHO_MODE_OVERWRITE, RING_BYTES, guest_cpus()) &&
			!record_busy_events(&file);

	for (unsigned int i = 0; is_right && i < turns; i++)
		is_right = set_online(last, false) && set_online(last, true);
	is_right = is_right && !ring_file_detach(&file) && rings_are_whole(&file, &records);
	ring_file_close(&file);
	guest_load_stop(load);
	return guest_say(name, is_right && records, "%u times, %llu records", turns,
			 (unsigned long long)records);
}

static bool missing_rings_are_counted(unsigned int unused)
{
	struct guest_load *load = guest_load_start(guest_cpus());
	struct ring_file file;
	uint64_t lost[TACHO_LOST_REASONS] = { 0 }, records = 0;
	bool is_right = !ring_file_open(&file, TACHO_MODE_OVERWRITE, RING_BYTES, 1) &&
			!record_busy_events(&file);

	(void)unused;
	usleep(200000);
	is_right = is_right && !ring_file_detach(&file) && rings_are_whole(&file, &records);
	if (is_right)
		rings_lost_unattributed(&file.rings, lost);
	ring_file_close(&file);
	guest_load_stop(load);
	return guest_say("a_cpu_without_a_ring_counts_what_it_loses",
			 is_right && records && lost[TACHO_LOST_NO_MEMORY],
			 "%llu records, %llu lost", (unsigned long long)records,
			 (unsigned long long)lost[TACHO_LOST_NO_MEMORY]);
}

/* What makes no sense, and who has no right */

static int say_event(struct ring_file *file, const struct tacho_module_event *said)
{
	return ioctl(file->module_fd, TACHO_MODULE_EVENT, said) ? errno : 0;
}

/* As many operations as there is room for, and no END. */
static void fill_recipe(struct tacho_module_event *event)
{
	for (int i = 1; i < TACHO_FETCHES_MAX; i++)
		event->fetch[i] = event->fetch[0];
}

/* Each differs in one thing from a call that would do. Returns the first that was not refused, or NULL. */
static const char *wrong_events(struct ring_file *file)
{
	const struct tacho_module_event right = {
		.name = file->name,
		.event_id = 9,
		.tracepoint = "sched_switch",
		.fetch = { { .kind = TACHO_FETCH_WORD_8 } },
	};
	struct tacho_module_event wrong = right;
	const char *accepted = NULL;

#define REFUSED(change, error)                                                                     \
	wrong = right;                                                                             \
	change;                                                                                    \
	if (say_event(file, &wrong) != (error))                                                    \
	accepted = #change
	REFUSED(wrong.event_id = 0, EINVAL);
	REFUSED(wrong.event_id = 0x10000, EINVAL);
	REFUSED(wrong.reserved = 1, EINVAL);
	REFUSED(wrong.name.reserved = 1, EINVAL);
	REFUSED(wrong.name.channel = 7, ENOENT);
	REFUSED(wrong.fetch[0].kind = TACHO_FETCH_KIND_MAX + 1, EINVAL);
	REFUSED(wrong.fetch[0].word = TACHO_WORDS_MAX, EINVAL);
	REFUSED(wrong.fetch[0].offset = 8, EINVAL);
	REFUSED(wrong.fetch[0].second_offset = 8, EINVAL);
	REFUSED(wrong.fetch[0].reserved = 1, EINVAL);
	REFUSED(wrong.fetch[2].kind = TACHO_FETCH_WORD_8, EINVAL);
	REFUSED(memset(wrong.tracepoint, 'a', sizeof(wrong.tracepoint)), EINVAL);
	REFUSED(strcpy(wrong.tracepoint, "no_such_tracepoint"), ENOENT);
	REFUSED(fill_recipe(&wrong), EINVAL);
#undef REFUSED
	return accepted;
}

static int say_attach(struct ring_file *file, uint64_t instance, uint64_t address, uint64_t bytes)
{
	struct tacho_module_attach call = {
		.name = { .session_instance = instance, .channel = 1 },
		.rings_address = address,
		.rings_bytes = bytes,
	};

	return ioctl(file->module_fd, TACHO_MODULE_ATTACH, &call) ? errno : 0;
}

static const char *wrong_rings(struct ring_file *file)
{
	uint64_t instance = file->name.session_instance, bytes = file->rings.map_bytes;
	uint64_t address = (uintptr_t)file->rings.map;
	struct tacho_ring *ring =
		(struct tacho_ring *)(address + tacho_ring_at(0, file->rings.stride));
	uint64_t head = ring->head;
	const char *accepted = NULL;

	if (say_attach(file, instance, address + 8, bytes) != EINVAL)
		accepted = "an address within a page";
	if (say_attach(file, instance, 0x1000, bytes) != EFAULT)
		accepted = "an address of nothing";
	if (say_attach(file, instance, ~4095ull, bytes) != EFAULT)
		accepted = "an address of the kernel";
	if (say_attach(file, instance + 1, address, bytes) != EBADMSG)
		accepted = "the rings of another session";
	if (say_attach(file, instance, address, bytes - 4096) != EBADMSG)
		accepted = "a mapping that is too short";
	ring->head = 1ull << 40;
	if (say_attach(file, instance, address, bytes) != EBADMSG)
		accepted = "a head that makes no sense";
	ring->head = head;
	file->rings.map->writer_kind = TACHO_WRITER_RSEQ;
	if (say_attach(file, instance, address, bytes) != EINVAL)
		accepted = "the rings of programs";
	file->rings.map->writer_kind = TACHO_WRITER_KERNEL;
	return accepted;
}

/* Without rights there is no way in, and none through a file that is open. */
static bool others_are_refused(struct ring_file *file)
{
	int status;
	pid_t pid = fork();

	if (!pid) {
		struct tacho_module_look look = { .index = 0 };

		if (setuid(65534))
			_exit(1);
		if (open(TACHO_MODULE_DEVICE, O_RDWR) >= 0 || errno != EACCES)
			_exit(2);
		_exit(!ioctl(file->module_fd, TACHO_MODULE_LOOK, &look) || errno != EPERM);
	}
	waitpid(pid, &status, 0);
	return !status;
}

static bool nonsense_is_refused(unsigned int unused)
{
	struct ring_file file;
	const char *accepted = NULL;
	bool is_right = !ring_file_open(&file, TACHO_MODE_OVERWRITE, RING_BYTES, guest_cpus());

	(void)unused;
	if (is_right) {
		accepted = wrong_events(&file);
		accepted = accepted ? accepted : wrong_rings(&file);
		is_right = !accepted && others_are_refused(&file) &&
			   ioctl(file.module_fd, _IOW('t', 0x7f, int), &file) && errno == ENOTTY &&
			   !ring_file_detach(&file) && ring_file_detach(&file) == -ENOENT;
	}
	ring_file_close(&file);
	return guest_say("what_makes_no_sense_or_has_no_right_is_refused", is_right, "%s",
			 accepted ? accepted : "all was refused");
}

static const struct {
	const char *name;
	bool (*run)(unsigned int number);
} cases[] = {
	{ "discard", discard_is_exact },
	{ "overwrite", snapshots_are_whole },
	{ "everything", everything_is_whole },
	{ "events", cycles_of_events },
	{ "module", cycles_of_the_module },
	{ "killed", killed_tool_is_followed },
	{ "leaving", leaving_module_is_forgotten },
	{ "hotplug", cpus_come_and_go },
	{ "no-ring", missing_rings_are_counted },
	{ "refusals", nonsense_is_refused },
};

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";
	unsigned int number = argc > 2 ? (unsigned int)strtoul(argv[2], NULL, 10) : 0;

	if (!load_modules())
		return !guest_say("the_modules_load", false, "%s", strerror(errno));
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		if (!strcmp(cases[i].name, name))
			cases[i].run(number);
	}
	guest_say("the_modules_are_unloaded_and_the_kernel_does_not_complain",
		  unload_modules() && !guest_kernel_complains(), "after %s", name);
	return 0;
}
