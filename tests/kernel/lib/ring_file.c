/* SPDX-License-Identifier: MIT */
/* ring_file.c - see ring_file.h */
#include "ring_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define FOLDER "/dev/shm"

static int create(const char *name, uint32_t mode, uint64_t ring_bytes, uint64_t instance,
		  uint32_t cpus)
{
	struct rings_parameters p = {
		.session_instance = instance,
		.ring_count = cpus,
		.mode = mode,
		.writer_kind = TACHO_WRITER_KERNEL,
		.clock_kind = TACHO_CLOCK_COUNTER,
	};
	struct tacho_error error;
	int folder = open(FOLDER, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int ret = ring_geometry_init(&p.geometry, ring_bytes);

	if (!ret)
		ret = rings_create(folder, name, &p, &error);
	close(folder);
	return ret;
}

static int map(struct ring_file *file, const char *name)
{
	struct tacho_error error;
	int folder = open(FOLDER, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int ret = rings_open(folder, name, &file->rings, &error);

	unlinkat(folder, name, 0);
	close(folder);
	for (uint32_t cpu = 0; !ret && cpu < file->rings.ring_count; cpu++)
		ret = ring_allocate(&file->rings, cpu);
	return ret;
}

static int attach(struct ring_file *file)
{
	struct tacho_module_attach call = {
		.name = file->name,
		.rings_address = (uintptr_t)file->rings.map,
		.rings_bytes = file->rings.map_bytes,
	};

	file->module_fd = open(TACHO_MODULE_DEVICE, O_RDWR | O_CLOEXEC);
	if (file->module_fd < 0)
		return -errno;
	return ioctl(file->module_fd, TACHO_MODULE_ATTACH, &call) ? -errno : 0;
}

int ring_file_open(struct ring_file *file, uint32_t mode, uint64_t ring_bytes, uint32_t cpus)
{
	static uint64_t last_instance;
	char name[64];
	int ret;

	*file = (struct ring_file){ .module_fd = -1, .rings.fd = -1 };
	file->name.session_instance = (uint64_t)getpid() << 32 | ++last_instance;
	snprintf(name, sizeof(name), "rings-%llx", (unsigned long long)file->name.session_instance);
	ret = create(name, mode, ring_bytes, file->name.session_instance, cpus);
	if (!ret)
		ret = map(file, name);
	if (!ret)
		ret = attach(file);
	if (ret)
		ring_file_close(file);
	return ret;
}

int ring_file_detach(struct ring_file *file)
{
	return ioctl(file->module_fd, TACHO_MODULE_DETACH, &file->name) ? -errno : 0;
}

void ring_file_close(struct ring_file *file)
{
	if (file->module_fd >= 0)
		close(file->module_fd);
	if (file->rings.map)
		rings_close(&file->rings);
}

int ring_file_record_recipe(struct ring_file *file, const char *tracepoint, uint32_t id,
			    const struct tacho_fetch *fetch, uint32_t count)
{
	struct tacho_module_event call = { .name = file->name, .event_id = id };

	snprintf(call.tracepoint, sizeof(call.tracepoint), "%s", tracepoint);
	memcpy(call.fetch, fetch, count * sizeof(*fetch));
	return ioctl(file->module_fd, TACHO_MODULE_EVENT, &call) ? -errno : 0;
}

int ring_file_record(struct ring_file *file, const char *tracepoint, uint32_t id,
		     uint32_t word_count)
{
	struct tacho_fetch fetch[TACHO_WORDS_MAX];

	memset(fetch, 0, sizeof(fetch));
	for (uint32_t i = 0; i < word_count; i++)
		fetch[i] = (struct tacho_fetch){ .kind = TACHO_FETCH_WORD_8, .word = (uint8_t)i };
	return ring_file_record_recipe(file, tracepoint, id, fetch, word_count);
}

int ring_file_forget(struct ring_file *file, uint32_t id)
{
	struct tacho_module_forget call = { .name = file->name, .event_id = id };

	return ioctl(file->module_fd, TACHO_MODULE_FORGET, &call) ? -errno : 0;
}
