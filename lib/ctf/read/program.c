/* SPDX-License-Identifier: MIT */
/* program.c - see program.h */
#include "program.h"

#include <errno.h>

#include "format/port.h"
#include "value.h"

#define ARRAY_MAX    64u /* longer ones are no part of a run */
#define RUN_BITS_MAX (1u << 20)

struct compile {
	struct read_arena *arena;
	struct read_program *program;
	struct read_step *run; /* that is open, or NULL */
	uint32_t modulus;      /* the run starts at a multiple of so many bits */
	bool with_roles;
};

static uint64_t round_up(uint64_t bits, uint32_t align)
{
	return (bits + align - 1) & ~(uint64_t)(align - 1);
}

/* ---- what can be part of a run ---- */

struct size {
	uint64_t bits;
	uint64_t values;
};

static bool add_fixed(const struct read_layout *node, struct size *size);

static bool add_fixed_times(const struct read_layout *node, uint64_t count, struct size *size)
{
	for (uint64_t i = 0; i < count; i++) {
		if (!add_fixed(node, size))
			return false;
	}
	return true;
}

static bool add_fixed_children(const struct read_layout *node, struct size *size)
{
	for (uint32_t i = 0; i < node->child_count; i++) {
		if (!add_fixed(&node->children[i], size))
			return false;
	}
	return true;
}

/* Add what @node takes behind @size; false if that is not always the same, or too much. */
static bool add_fixed(const struct read_layout *node, struct size *size)
{
	size->bits = round_up(size->bits, node->align);
	if (++size->values > READ_RUN_VALUES_MAX || size->bits > RUN_BITS_MAX)
		return false;
	switch (node->kind) {
	case READ_INTEGER:
	case READ_ENUM:
	case READ_FLOAT:
		size->bits += node->bits;
		return true;
	case READ_STRUCT:
		return add_fixed_children(node, size);
	case READ_ARRAY:
		return node->count <= ARRAY_MAX && !read_is_bytes(node->children) &&
		       add_fixed_times(node->children, node->count, size);
	case READ_STRING:
	case READ_VARIANT:
	case READ_SEQUENCE:
	case READ_VARINT:
	case READ_OPTIONAL:
		break;
	}
	return false;
}

/* ---- runs ---- */

/* READ_LOAD_BITS if no kind is for integers of so many bits. */
static enum read_load_kind whole_kind(uint32_t bits, bool is_signed)
{
	switch (bits) {
	case 8:
		return is_signed ? READ_LOAD_S8 : READ_LOAD_U8;
	case 16:
		return is_signed ? READ_LOAD_S16 : READ_LOAD_U16;
	case 32:
		return is_signed ? READ_LOAD_S32 : READ_LOAD_U32;
	case 64:
		return READ_LOAD_U64;
	default:
		return READ_LOAD_BITS;
	}
}

static enum read_load_kind load_kind(const struct compile *c, const struct read_layout *node,
				     uint32_t at)
{
	if (c->modulus % 8 || at % 8 || node->is_big != TACHO_BIG_ENDIAN)
		return READ_LOAD_BITS;
	return whole_kind(node->bits, node->is_signed);
}

static void add_load(struct compile *c, const struct read_layout *node)
{
	struct read_step *run = c->run;
	struct read_load load = {
		.at = run->bits,
		.value = run->value_count,
		.kind = (uint8_t)load_kind(c, node, run->bits),
		.is_noted = node->slot >= 0 || (c->with_roles && node->role != READ_ROLE_NONE),
		.layout = node,
	};

	load.is_plain =
		node->kind == READ_INTEGER || (node->kind == READ_FLOAT && node->bits == 64);
	if (node->kind == READ_FLOAT)
		load.is_noted = false;
	load.is_simple = load.is_plain && load.kind != READ_LOAD_BITS && !TACHO_BIG_ENDIAN;
	load.is_signed = node->is_signed;
	load.shift = (uint8_t)(64 - node->bits);
	run->loads[run->load_count++] = load;
	if (load.is_noted)
		run->notes[run->note_count++] = load;
	run->values[run->value_count++] = read_value_of_number(node, node->name);
	run->bits += node->bits;
}

static void add_node(struct compile *c, const struct read_layout *node);

/* A value with others in it. */
static void add_compound(struct compile *c, const struct read_layout *node,
			 enum ctf_value_kind kind, uint32_t count)
{
	uint32_t at = c->run->value_count++;
	uint32_t step = kind == CTF_VALUE_STRUCT;

	c->run->values[at] = (struct ctf_value){
		.name = node->name,
		.kind = (uint8_t)kind,
		.length = count,
	};
	for (uint32_t i = 0; i < count; i++)
		add_node(c, &node->children[i * step]);
	c->run->values[at].span = c->run->value_count - at;
}

static void add_node(struct compile *c, const struct read_layout *node)
{
	c->run->bits = (uint32_t)round_up(c->run->bits, node->align);
	if (node->kind == READ_STRUCT)
		add_compound(c, node, CTF_VALUE_STRUCT, node->child_count);
	else if (node->kind == READ_ARRAY)
		add_compound(c, node, CTF_VALUE_ARRAY, (uint32_t)node->count);
	else
		add_load(c, node);
}

/* ---- steps ---- */

static struct read_step *add_step(struct compile *c, enum read_step_kind kind)
{
	struct read_step *step = &c->program->steps[c->program->step_count++];

	step->kind = kind;
	return step;
}

/* May @node stand in the open run? Its place must be known, and there must be room. */
static bool fits(const struct compile *c, const struct read_layout *node)
{
	struct size size = { .bits = c->run->bits, .values = c->run->value_count };

	return node->align <= c->modulus && add_fixed(node, &size);
}

/* Children that follow each other from @node on, for which a run that starts there has room. */
static struct size run_size(uint32_t modulus, const struct read_layout *node,
			    const struct read_layout *end)
{
	struct size size = { 0 }, next = { 0 };

	for (; node < end && node->align <= modulus && add_fixed(node, &next); node++)
		size = next;
	return size;
}

static int open_run(struct compile *c, uint32_t modulus, const struct read_layout *node,
		    const struct read_layout *end)
{
	struct size size = run_size(modulus, node, end);
	struct read_step *run = add_step(c, READ_STEP_RUN);

	c->run = run;
	c->modulus = modulus;
	run->align = node->align;
	run->values = read_arena_alloc(c->arena, size.values, sizeof(*run->values));
	run->loads = read_arena_alloc(c->arena, size.values, sizeof(*run->loads));
	run->notes = read_arena_alloc(c->arena, size.values, sizeof(*run->notes));
	return run->values && run->loads && run->notes ? 0 : -ENOMEM;
}

static int compile_child(struct compile *c, const struct read_layout *layout, uint32_t i)
{
	const struct read_layout *child = &layout->children[i];
	struct size size = { 0 };
	int rc = 0;

	if (!add_fixed(child, &size)) {
		add_step(c, READ_STEP_NODE)->node = child;
		c->run = NULL;
		return 0;
	}
	if (!c->run || !fits(c, child))
		rc = open_run(c, i ? child->align : layout->align, child,
			      layout->children + layout->child_count);
	if (!rc)
		add_node(c, child);
	return rc;
}

int read_program_compile(struct read_arena *arena, struct read_layout *layout, bool with_roles)
{
	struct compile c = { .arena = arena, .with_roles = with_roles };
	int rc = 0;

	if (!layout)
		return 0;
	c.program = read_arena_alloc(arena, 1, sizeof(*c.program));
	if (!c.program)
		return -ENOMEM;
	c.program->steps = read_arena_alloc(arena, layout->child_count, sizeof(*c.program->steps));
	if (!c.program->steps)
		return -ENOMEM;
	for (uint32_t i = 0; i < layout->child_count && !rc; i++)
		rc = compile_child(&c, layout, i);
	if (!rc)
		layout->program = c.program;
	return rc;
}
