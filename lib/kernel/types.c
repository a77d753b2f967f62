/* SPDX-License-Identifier: MIT */
/* types.c - see types.h */
#include "kernel/types.h"

#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/fd.h"
#include "base/str.h"

#define TYPES_DIR     "/sys/kernel/btf"
#define TYPES_KERNEL  "vmlinux"
#define WORD_BYTES    8u
#define NESTING_MAX   8  /* structures without names within each other */
#define MODIFIERS_MAX 32 /* typedefs, const, volatile in front of a type */

/* ---- reading ---- */

int kernel_types_open(struct kernel_types *ret_types, struct tacho_error *error)
{
	struct kernel_types types = { 0 };

	libbpf_set_print(NULL); /* what it cannot do it returns */
	types.kernel = btf__parse(TYPES_DIR "/" TYPES_KERNEL, NULL);
	if (!types.kernel)
		return error_set(error, -errno,
				 "the kernel does not tell its types (" TYPES_DIR "/" TYPES_KERNEL
				 ", CONFIG_DEBUG_INFO_BTF): %s",
				 strerror(errno));
	*ret_types = types;
	return 0;
}

static void read_module(struct kernel_types *types, const char *name)
{
	char path[256];
	struct btf *btf;

	if (!strcmp(name, TYPES_KERNEL) || str_print(path, sizeof(path), TYPES_DIR "/%s", name))
		return;
	btf = btf__parse_split(path, types->kernel);
	if (btf)
		types->modules[types->module_count++] = btf;
}

static void read_modules(struct kernel_types *types)
{
	int fd = open(TYPES_DIR, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	char **names = NULL;
	size_t count = 0;

	types->are_modules_read = true;
	if (fd < 0)
		return;
	if (!dir_list(fd, ".", &names)) {
		while (names[count])
			count++;
		types->modules = calloc(count + 1, sizeof(*types->modules));
		for (size_t i = 0; types->modules && i < count; i++)
			read_module(types, names[i]);
		str_array_free(names);
	}
	fd_close(fd);
}

void kernel_types_close(struct kernel_types *types)
{
	for (uint32_t i = 0; i < types->module_count; i++)
		btf__free(types->modules[i]);
	free(types->modules);
	btf__free(types->kernel);
	*types = (struct kernel_types){ 0 };
}

/* ---- types ---- */

/* Behind typedefs, const and the like. NULL: there is no such type. */
static const struct btf_type *plain_type(const struct btf *btf, uint32_t *type)
{
	const struct btf_type *t = btf__type_by_id(btf, *type);

	for (int i = 0; t && i < MODIFIERS_MAX && (btf_is_mod(t) || btf_is_typedef(t)); i++) {
		*type = t->type;
		t = btf__type_by_id(btf, *type);
	}
	return t;
}

uint32_t kernel_type_target(const struct btf *btf, uint32_t type)
{
	const struct btf_type *t = plain_type(btf, &type);

	return t && btf_is_ptr(t) ? t->type : 0;
}

static bool is_char(const struct btf *btf, uint32_t type)
{
	const struct btf_type *t = plain_type(btf, &type);

	return t && btf_is_int(t) && t->size == 1 &&
	       !strcmp(btf__name_by_offset(btf, t->name_off), "char");
}

bool kernel_type_is_thread(const struct btf *btf, uint32_t type)
{
	uint32_t target = kernel_type_target(btf, type);
	const struct btf_type *t = target ? plain_type(btf, &target) : NULL;

	return t && btf_is_struct(t) &&
	       !strcmp(btf__name_by_offset(btf, t->name_off), "task_struct");
}

struct kernel_shape kernel_type_shape(const struct btf *btf, uint32_t type)
{
	const struct btf_type *t = plain_type(btf, &type);

	if (!t)
		return (struct kernel_shape){ KERNEL_TYPE_OTHER, 0, false };
	if (btf_is_int(t))
		return (struct kernel_shape){ KERNEL_TYPE_INTEGER, t->size,
					      btf_int_encoding(t) & BTF_INT_SIGNED };
	if (btf_is_enum(t) || btf_is_enum64(t))
		return (struct kernel_shape){ KERNEL_TYPE_INTEGER, t->size, btf_kflag(t) };
	if (btf_is_ptr(t))
		return (struct kernel_shape){ is_char(btf, t->type) ? KERNEL_TYPE_TEXT :
								      KERNEL_TYPE_POINTER,
					      WORD_BYTES, false };
	if (btf_is_array(t) && is_char(btf, btf_array(t)->type))
		return (struct kernel_shape){ KERNEL_TYPE_CHARS, btf_array(t)->nelems, false };
	if (btf_is_composite(t))
		return (struct kernel_shape){ KERNEL_TYPE_OTHER, t->size, false };
	return (struct kernel_shape){ KERNEL_TYPE_OTHER, 0, false };
}

static int find_member(const struct btf *btf, uint32_t type, const char *name, int nesting,
		       uint32_t *offset, uint32_t *ret_type)
{
	const struct btf_type *t = plain_type(btf, &type);
	const struct btf_member *m;
	uint32_t begin = *offset;

	if (!t || !btf_is_composite(t) || nesting > NESTING_MAX)
		return -ENOENT;
	m = btf_members(t);
	for (uint32_t i = 0; i < btf_vlen(t); i++) {
		uint32_t bits = btf_member_bit_offset(t, i);
		const char *is = btf__name_by_offset(btf, m[i].name_off);

		*offset = begin + bits / 8;
		if (is && !*is && !find_member(btf, m[i].type, name, nesting + 1, offset, ret_type))
			return 0;
		if (!is || strcmp(is, name))
			continue;
		*ret_type = m[i].type;
		return bits % 8 || btf_member_bitfield_size(t, i) ? -ENOENT : 0;
	}
	return -ENOENT;
}

int kernel_type_member(const struct btf *btf, uint32_t type, const char *name, uint32_t *ret_offset,
		       uint32_t *ret_type)
{
	uint32_t offset = 0, found = 0;
	int ret = find_member(btf, type, name, 0, &offset, &found);

	if (ret)
		return ret;
	*ret_offset = offset;
	*ret_type = found;
	return 0;
}

/* ---- tracepoints ---- */

/* A function with the tracepoint's arguments, behind its own first one: unlike those of the type
 * btf_trace_NAME, its parameters have names. */
static const struct btf_type *find_prototype(const struct btf *btf, const char *tracepoint)
{
	char name[TACHO_TRACEPOINT_MAX + 16];
	const struct btf_type *function;
	int id;

	if (str_print(name, sizeof(name), "__traceiter_%s", tracepoint))
		return NULL;
	id = btf__find_by_name_kind(btf, name, BTF_KIND_FUNC);
	function = id > 0 ? btf__type_by_id(btf, (uint32_t)id) : NULL;
	return function ? btf__type_by_id(btf, function->type) : NULL;
}

/* What is larger than a word comes in several. */
static int take_prototype(const struct btf *btf, const struct btf_type *t,
			  struct kernel_prototype *ret_prototype)
{
	const struct btf_param *parameter = btf_params(t);
	uint32_t count = btf_vlen(t);

	if (!count || count - 1 > TACHO_ARGUMENTS_MAX)
		return -E2BIG;
	*ret_prototype = (struct kernel_prototype){ .btf = btf, .count = count - 1 };
	for (uint32_t i = 1; i < count; i++) {
		struct kernel_argument *argument = &ret_prototype->argument[i - 1];

		argument->name = btf__name_by_offset(btf, parameter[i].name_off);
		argument->type = parameter[i].type;
		if (!argument->name || kernel_type_shape(btf, argument->type).bytes > WORD_BYTES)
			return -E2BIG;
	}
	return 0;
}

int kernel_types_tracepoint(struct kernel_types *types, const char *tracepoint,
			    struct kernel_prototype *ret_prototype)
{
	const struct btf *btf = types->kernel;
	const struct btf_type *t = find_prototype(btf, tracepoint);

	if (!t && !types->are_modules_read)
		read_modules(types);
	for (uint32_t i = 0; !t && i < types->module_count; i++) {
		btf = types->modules[i];
		t = find_prototype(btf, tracepoint);
	}
	if (!t || !btf_is_func_proto(t))
		return -ENOENT;
	return take_prototype(btf, t, ret_prototype);
}
