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
#include "lib/take.h"

#define RING_BYTES  (256u << 10)
#define TRACEFS     "/tmp/tracefs"
#define WORDS_BYTES 40 /* of an event with five words */

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
				is_whole = take_subbuf(&file, cpu, k, &walk) >= 0 ||
					   take_blame("snapshot", cpu, k, &walk);
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

		if (!take_ring(file, cpu, &walk, true))
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

static void follow(struct tacho_module_event *event, uint16_t word)
{
	event->fetch[0].kind = TACHO_FETCH_FOLLOW;
	event->fetch[0].second_offset = word;
}

/* One more than there is room for */
static void fill_with_strings(struct tacho_module_event *event)
{
	for (int i = 0; i <= TACHO_PAYLOAD_BYTES_MAX / TACHO_STRING_BYTES_MAX; i++)
		event->fetch[i].kind = TACHO_FETCH_KERNEL_STRING;
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
	REFUSED(wrong.fetch[0].word = TACHO_ARGUMENTS_MAX, EINVAL);
	REFUSED(follow(&wrong, TACHO_ARGUMENTS_MAX - 1), EINVAL);
	REFUSED(follow(&wrong, TACHO_WORDS_MAX), EINVAL);
	REFUSED((wrong.fetch[0].kind = TACHO_FETCH_UNLESS, wrong.fetch[0].offset = 12), EINVAL);
	REFUSED(fill_with_strings(&wrong), EINVAL);
	REFUSED(wrong.point = TACHO_POINT_MAX + 1, EINVAL);
	REFUSED(wrong.point = TACHO_POINT_SYSCALL_ENTRY, EINVAL);
	REFUSED(wrong.syscall = 1, EINVAL);
	REFUSED(wrong.subject = TACHO_ARGUMENTS_MAX + 1, EINVAL);
	REFUSED(wrong.reserved_too = 1, EINVAL);
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

static const struct guest_case cases[] = {
	{ "everything", everything_is_whole },
	{ "events", cycles_of_events },
	{ "module", cycles_of_the_module },
	{ "killed", killed_tool_is_followed },
	{ "leaving", leaving_module_is_forgotten },
	{ "hotplug", cpus_come_and_go },
	{ "no-ring", missing_rings_are_counted },
	{ "refusals", nonsense_is_refused },
	{ NULL, NULL },
};

int main(int argc, char **argv)
{
	return guest_main(cases, argc, argv);
}
