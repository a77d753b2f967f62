/* SPDX-License-Identifier: MIT */
/*
 * ring_file.h - a ring file that the module records into, made and read as the tools do (ring/rings.h).
 */
#ifndef TACHO_TESTS_KERNEL_RING_FILE_H
#define TACHO_TESTS_KERNEL_RING_FILE_H

#include "format/module.h"
#include "ring/rings.h"

struct ring_file {
	struct rings rings;
	struct tacho_recorder_name name;
	int module_fd;
};

/* ring_file_open() - make the file, attach the module to it. CPUs from @cpus on have no ring.
 * Return: 0 or a negative errno; nothing is left then. */
int ring_file_open(struct ring_file *file, uint32_t mode, uint64_t ring_bytes, uint32_t cpus);
/* ring_file_detach() - nobody writes to it any more; it can still be read. */
int ring_file_detach(struct ring_file *file);
void ring_file_close(struct ring_file *file);

/* ring_file_record() - the event of this id: @word_count words of a tracepoint, or the recipe. */
int ring_file_record(struct ring_file *file, const char *tracepoint, uint32_t id,
		     uint32_t word_count);
int ring_file_record_recipe(struct ring_file *file, const char *tracepoint, uint32_t id,
			    const struct tacho_fetch *fetch, uint32_t count);
int ring_file_forget(struct ring_file *file, uint32_t id);

#endif
