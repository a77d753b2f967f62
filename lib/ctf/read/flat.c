/* SPDX-License-Identifier: MIT */
/* flat.c - see flat.h */
#include "flat.h"

#include <errno.h>
#include <string.h>

#include "value.h"

#define SCOPES 3

struct size {
	uint32_t steps, values;
};

/* ---- what can be flat ---- */

static bool is_string(const struct read_layout *node)
{
	return node->kind == READ_STRING && node->encoding == READ_UTF8;
}

static bool is_short_bytes(const struct read_layout *node)
{
	return node->kind == READ_ARRAY && read_is_bytes(node->children) &&
	       node->encoding == READ_UTF8 && node->count <= READ_RUN_VALUES_MAX;
}

/* Fields to which others refer are noted with what they are, be it nothing here. */
static bool are_roles_noted(const struct read_layout *scope)
{
	const struct read_program *program = scope->program;

	for (uint32_t i = 0; i < program->step_count; i++) {
		for (uint32_t k = 0; k < program->steps[i].note_count; k++) {
			if (program->steps[i].notes[k].layout->role != READ_ROLE_NONE)
				return true;
		}
	}
	return false;
}

static bool add_step_size(const struct read_step *step, struct size *size)
{
	size->steps++;
	size->values += step->kind == READ_STEP_RUN ? step->value_count : 1;
	return step->kind == READ_STEP_RUN || is_string(step->node) || is_short_bytes(step->node);
}

/* A scope without fields is a step, too: its alignment. */
static bool add_scope_size(const struct read_layout *scope, struct size *size)
{
	const struct read_program *program = scope->program;

	size->steps += !program->step_count;
	for (uint32_t i = 0; i < program->step_count; i++) {
		if (!add_step_size(&program->steps[i], size))
			return false;
	}
	return size->values <= READ_RUN_VALUES_MAX;
}

/* ---- steps ---- */

static struct ctf_value value_of_text(const struct read_layout *node)
{
	bool is_text = node->kind == READ_STRING || node->children->is_text;

	return (struct ctf_value){
		.name = node->name,
		.span = 1,
		.kind = is_text ? CTF_VALUE_STRING : CTF_VALUE_BYTES,
		.length = node->kind == READ_ARRAY ? (uint32_t)node->count : 0,
	};
}

static bool are_simple(const struct read_step *run)
{
	for (uint32_t i = 0; i < run->load_count; i++) {
		if (!run->loads[i].is_simple)
			return false;
	}
	return true;
}

static void add_run(struct read_flat *flat, const struct read_step *run)
{
	struct read_flat_step *step = &flat->steps[flat->step_count++];

	*step = (struct read_flat_step){
		.kind = READ_FLAT_RUN,
		.is_simple = are_simple(run),
		.align = run->align,
		.bits = run->bits,
		.value = flat->value_count,
		.run = run,
	};
	if (run->value_count)
		memcpy(flat->values + flat->value_count, run->values,
		       run->value_count * sizeof(*run->values));
	flat->value_count += run->value_count;
}

static void add_text(struct read_flat *flat, const struct read_layout *node)
{
	struct read_flat_step *step = &flat->steps[flat->step_count++];

	*step = (struct read_flat_step){
		.kind = node->kind == READ_STRING ? READ_FLAT_STRING : READ_FLAT_BYTES,
		.align = node->align,
		.bits = node->kind == READ_ARRAY ? (uint32_t)node->count * 8 : 0,
		.value = flat->value_count,
		.node = node,
	};
	flat->values[flat->value_count++] = value_of_text(node);
}

static void add_scope(struct read_flat *flat, const struct read_layout *scope)
{
	static const struct read_step nothing = { .kind = READ_STEP_RUN, .align = 1 };
	const struct read_program *program = scope->program;
	uint32_t first = flat->step_count;

	for (uint32_t i = 0; i < program->step_count; i++) {
		if (program->steps[i].kind == READ_STEP_RUN)
			add_run(flat, &program->steps[i]);
		else
			add_text(flat, program->steps[i].node);
	}
	if (!program->step_count)
		add_run(flat, &nothing);
	if (scope->align > flat->steps[first].align)
		flat->steps[first].align = scope->align;
}

static void add_context(struct read_flat *flat, const struct read_layout *scope)
{
	uint32_t first = flat->step_count;

	add_scope(flat, scope);
	for (uint32_t i = first; i < flat->step_count; i++)
		flat->steps[i].is_context = true;
}

static void add_scopes(struct read_flat *flat, const struct read_layout *const scopes[SCOPES])
{
	flat->has_contexts = scopes[0] || scopes[1];
	if (scopes[0])
		add_context(flat, scopes[0]);
	flat->stream_context_count = flat->value_count;
	if (scopes[1])
		add_context(flat, scopes[1]);
	flat->context_count = flat->value_count;
	if (scopes[2])
		add_scope(flat, scopes[2]);
}

static bool is_numbers(const struct read_flat *flat)
{
	const struct read_flat_step *step = flat->steps;

	return !flat->has_contexts && flat->step_count == 1 && step->kind == READ_FLAT_RUN &&
	       step->is_simple && !step->run->note_count;
}

int read_flat_compile(struct read_arena *arena, const struct read_layout *const scopes[SCOPES],
		      const struct read_flat **ret_flat)
{
	struct size size = { 0 };
	struct read_flat *flat;

	*ret_flat = NULL;
	for (int i = 0; i < SCOPES; i++) {
		if (scopes[i] && !add_scope_size(scopes[i], &size))
			return 0;
	}
	if (scopes[2] && are_roles_noted(scopes[2]))
		return 0;
	flat = read_arena_alloc(arena, 1, sizeof(*flat));
	if (!flat)
		return -ENOMEM;
	flat->steps = read_arena_alloc(arena, size.steps, sizeof(*flat->steps));
	flat->values = read_arena_alloc(arena, size.values, sizeof(*flat->values));
	if (!flat->steps || !flat->values)
		return -ENOMEM;
	add_scopes(flat, scopes);
	flat->is_numbers = is_numbers(flat);
	*ret_flat = flat;
	return 0;
}
