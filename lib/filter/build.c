/* SPDX-License-Identifier: MIT */
/* build.c - see build.h */
#include "filter/build.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int full(struct filter_builder *b, const char *what)
{
	b->full = what;
	return -E2BIG;
}

/* How many values are on the stack behind it. */
static uint32_t depth_behind(uint32_t opcode, uint32_t depth)
{
	if (opcode <= TACHO_FILTER_CONTEXT)
		return depth + 1;
	return opcode <= TACHO_FILTER_TRUTH ? depth : depth - 1;
}

static int append(struct filter_builder *b, uint32_t opcode, uint32_t operand, uint32_t extra)
{
	uint32_t depth = depth_behind(opcode, b->depth);

	if (b->op_count == TACHO_FILTER_OPS_MAX)
		return full(b, "the expression has too many operators and operands");
	if (depth > TACHO_FILTER_DEPTH_MAX)
		return full(b, "too many operators wait here for their right side; "
			       "split the expression with && or ||");
	b->op[b->op_count++] = (struct tacho_filter_op){
		.opcode = (uint8_t)opcode,
		.depth = (uint8_t)b->depth,
		.extra = (uint16_t)extra,
		.operand = operand,
	};
	b->depth = depth;
	return 0;
}

int build_op(struct filter_builder *b, uint32_t opcode)
{
	return append(b, opcode, 0, 0);
}

int build_word(struct filter_builder *b, uint32_t opcode, uint64_t word)
{
	uint32_t i = 0;

	while (i < b->word_count && b->word[i] != word)
		i++;
	if (i == TACHO_FILTER_WORDS_MAX)
		return full(b, "the expression has too many numbers");
	if (i == b->word_count)
		b->word[b->word_count++] = word;
	return append(b, opcode, i, 0);
}

int build_byte(struct filter_builder *b, char byte)
{
	if (b->pool_bytes == sizeof(b->pool))
		return full(b, "the names and strings of the expression are too long");
	b->pool[b->pool_bytes++] = byte;
	return 0;
}

/* The name, put into the pool once. */
static int find_name(struct filter_builder *b, const char *name, size_t bytes, uint32_t *ret_at)
{
	for (uint32_t i = 0; i < b->field_count; i++) {
		if (b->field[i].name_bytes == bytes &&
		    !memcmp(b->pool + b->field[i].name_at, name, bytes)) {
			*ret_at = b->field[i].name_at;
			return 0;
		}
	}
	*ret_at = b->pool_bytes;
	for (size_t i = 0; i < bytes; i++) {
		if (build_byte(b, name[i]))
			return -E2BIG;
	}
	return 0;
}

int build_field(struct filter_builder *b, const char *name, size_t bytes, uint32_t element)
{
	struct tacho_filter_field field = { .name_bytes = (uint32_t)bytes, .element = element };
	uint32_t i = 0;

	if (find_name(b, name, bytes, &field.name_at))
		return -E2BIG;
	while (i < b->field_count && memcmp(&b->field[i], &field, sizeof(field)))
		i++;
	if (i == TACHO_FILTER_FIELDS_MAX)
		return full(b, "the expression names too many fields");
	if (i == b->field_count)
		b->field[b->field_count++] = field;
	return append(b, TACHO_FILTER_FIELD, i, 0);
}

int build_context(struct filter_builder *b, uint32_t context)
{
	return append(b, TACHO_FILTER_CONTEXT, context, 0);
}

int build_text(struct filter_builder *b, uint32_t opcode, uint32_t at)
{
	return append(b, opcode, at, b->pool_bytes - at);
}

int build_jump(struct filter_builder *b, uint32_t opcode, uint32_t *ret_jump)
{
	*ret_jump = b->op_count;
	return append(b, opcode, 0, 0);
}

void build_land(struct filter_builder *b, uint32_t jump)
{
	b->op[jump].operand = b->op_count;
}

static char *add(char *to, const void *data, size_t bytes)
{
	memcpy(to, data, bytes);
	return to + bytes;
}

int build_end(struct filter_builder *b, struct tacho_filter **ret_filter)
{
	struct tacho_filter head = { .magic = TACHO_FILTER_MAGIC, .version = TACHO_FILTER_VERSION };
	struct tacho_filter *filter;
	char *to;

	if (append(b, TACHO_FILTER_END, 0, 0))
		return -E2BIG;
	head.op_count = (uint16_t)b->op_count;
	head.word_count = (uint16_t)b->word_count;
	head.field_count = (uint16_t)b->field_count;
	head.pool_bytes = b->pool_bytes;
	head.bytes = (uint32_t)tacho_filter_bytes(&head);
	if (head.bytes > TACHO_FILTER_BYTES_MAX)
		return full(b, "the expression is too long");
	filter = calloc(1, head.bytes);
	if (!filter)
		return -ENOMEM;
	to = add((char *)filter, &head, sizeof(head));
	to = add(to, b->op, b->op_count * sizeof(b->op[0]));
	to = add(to, b->word, b->word_count * sizeof(b->word[0]));
	to = add(to, b->field, b->field_count * sizeof(b->field[0]));
	add(to, b->pool, b->pool_bytes);
	*ret_filter = filter;
	return 0;
}
