/* SPDX-License-Identifier: MIT */
/*
 * libs_image.h - what an executable or shared library tells about itself in memory.
 */
#ifndef TACHO_PRELOAD_LIBS_IMAGE_H
#define TACHO_PRELOAD_LIBS_IMAGE_H

#include <limits.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>

#define BUILD_ID_BYTES_MAX 64

struct image {
	uintptr_t base;
	uint64_t bytes;          /* from base to the end of its last segment */
	bool is_pic;             /* it was moved from where it was linked to be */
	uint32_t build_id_bytes; /* 0: it has none */
	uint8_t build_id[BUILD_ID_BYTES_MAX];
	uint64_t name_hash;
	char path[PATH_MAX]; /* absolute; "[linux-vdso.so.1]" where there is no file */
};

/* image_describe() - all but the path, of what dl_iterate_phdr() shows; no system call */
void image_describe(const struct dl_phdr_info *info, struct image *ret_image);

/* image_find_path() - and the path of it. @name as the dynamic linker has it. */
void image_find_path(const char *name, struct image *image);

/* image_of_handle() - of what dlopen() returned, in any namespace. Return: false if it has none. */
bool image_of_handle(void *handle, struct image *ret_image);

/* Are they the same, at the same place? */
static inline bool image_is(const struct image *a, const struct image *b)
{
	return a->base == b->base && a->bytes == b->bytes && a->name_hash == b->name_hash &&
	       a->build_id_bytes == b->build_id_bytes &&
	       !__builtin_memcmp(a->build_id, b->build_id, a->build_id_bytes);
}

#endif
