/* SPDX-License-Identifier: MIT */
/*
 * types.h - what the kernel's types are, as it tells itself (BTF): the arguments of its tracepoints,
 * and where members of its structures are.
 *
 * Types are known by their number. Those of a module are told by a part of its own: a struct
 * kernel_types is the kernel's, or that of one module, whose numbers go on behind the kernel's.
 */
#ifndef TACHO_KERNEL_TYPES_H
#define TACHO_KERNEL_TYPES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "format/module.h"

struct btf;

struct kernel_types {
	struct btf *kernel;
	struct btf **modules; /* read when a tracepoint is none of the kernel's */
	uint32_t module_count;
	bool are_modules_read;
};

struct kernel_argument {
	const char *name;
	uint32_t type;
};

struct kernel_prototype {
	const struct btf *btf; /* that the types are of */
	uint32_t count;
	struct kernel_argument argument[TACHO_ARGUMENTS_MAX];
};

enum kernel_type_kind {
	KERNEL_TYPE_INTEGER, /* also an enumeration, and a bool */
	KERNEL_TYPE_POINTER,
	KERNEL_TYPE_TEXT,    /* a pointer to chars */
	KERNEL_TYPE_CHARS,   /* an array of them */
	KERNEL_TYPE_OTHER,
};

struct kernel_shape {
	enum kernel_type_kind kind;
	uint32_t bytes;
	bool is_signed;
};

/* kernel_types_open() - of the kernel that runs. Return: 0, or a negative errno with words. */
int kernel_types_open(struct kernel_types *ret_types, struct tacho_error *error);
void kernel_types_close(struct kernel_types *types);

/* kernel_types_tracepoint() - its arguments. Return: 0; -ENOENT: it is not told; -E2BIG: they are more, or
 * larger, than a probe can take. */
int kernel_types_tracepoint(struct kernel_types *types, const char *tracepoint,
			    struct kernel_prototype *ret_prototype);

struct kernel_shape kernel_type_shape(const struct btf *btf, uint32_t type);

/* kernel_type_target() - of a pointer: what it points to; 0: it is none */
uint32_t kernel_type_target(const struct btf *btf, uint32_t type);

/* kernel_type_is_thread() - a pointer to a struct task_struct? */
bool kernel_type_is_thread(const struct btf *btf, uint32_t type);

/* kernel_type_member() - of a structure or union, also of one without a name within it
 * Return: 0; -ENOENT: it has none of that name, or one of bits. */
int kernel_type_member(const struct btf *btf, uint32_t type, const char *name, uint32_t *ret_offset,
		       uint32_t *ret_type);

#endif
