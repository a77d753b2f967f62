/* SPDX-License-Identifier: MIT */
/* header.c - see header.h */
#include "header.h"

#include "format/port.h"

/* Integers that one load of 64 bits has in full. */
static bool is_loadable(const struct read_layout *node, uint32_t at)
{
	return (node->kind == READ_INTEGER || node->kind == READ_ENUM) && !node->is_signed &&
	       !node->is_big && node->bits + (at & 7) <= 64;
}

static uint32_t round_up(uint32_t bits, uint32_t align)
{
	return (bits + align - 1) & ~(align - 1);
}

/* Add an integer of a form. */
static bool add_place(struct read_header_form *form, const struct read_layout *node, uint32_t align)
{
	struct read_place place;

	form->bits = round_up(form->bits, node->align);
	if (node->align > align || !is_loadable(node, form->bits) || node->slot >= 0)
		return false;
	place = (struct read_place){ .at = form->bits, .bits = node->bits };
	form->bits += node->bits;
	if (node->role == READ_ROLE_CLOCK && !form->time.bits)
		form->time = place;
	else if (node->role == READ_ROLE_EVENT_ID && !form->id.bits)
		form->id = place;
	else
		return false;
	return true;
}

static bool add_places(struct read_header_form *form, const struct read_layout *layout,
		       uint32_t align)
{
	for (uint32_t i = 0; i < layout->child_count; i++) {
		if (!add_place(form, &layout->children[i], align))
			return false;
	}
	return true;
}

static bool compile_option(struct read_header *header, const struct read_layout *variant,
			   const struct read_option *option)
{
	const struct read_layout *child = &variant->children[option->index];
	struct read_header_form *form = &header->forms[header->form_count++];

	if (child->kind != READ_STRUCT || child->align > header->align)
		return false;
	*form = (struct read_header_form){
		.low = option->low,
		.high = option->high,
		.bits = round_up(header->tag.bits, child->align),
	};
	return add_places(form, child, header->align);
}

static bool compile_tagged(const struct read_layout *layout, struct read_header *header)
{
	const struct read_layout *tag = &layout->children[0], *variant = &layout->children[1];
	bool is_right = tag->role == READ_ROLE_EVENT_ID && is_loadable(tag, 0) && tag->slot >= 0 &&
			variant->from_slot == tag->slot && variant->align <= header->align &&
			variant->option_count <= READ_HEADER_FORMS;

	header->tag = (struct read_place){ .bits = tag->bits };
	header->tag_slot = tag->slot;
	for (uint32_t i = 0; is_right && i < variant->option_count; i++)
		is_right = compile_option(header, variant, &variant->options[i]);
	return is_right;
}

static bool compile_plain(const struct read_layout *layout, struct read_header *header)
{
	header->form_count = 1;
	header->forms[0].high = UINT64_MAX;
	return add_places(&header->forms[0], layout, header->align);
}

static void find_short(struct read_header *header)
{
	const struct read_header_form *form = &header->forms[0];

	if (!header->form_count || !header->tag.bits || header->tag.at || form->id.bits ||
	    !form->time.bits || form->time.at + form->time.bits > 64)
		return;
	header->has_short = true;
	header->short_tag_mask = ~0ull >> (64 - header->tag.bits);
	header->short_time_at = (uint8_t)form->time.at;
	header->short_time_bits = (uint8_t)form->time.bits;
	header->short_time_mask = ~0ull >> (64 - form->time.bits);
}

void read_header_compile(const struct read_layout *layout, struct read_header *ret_header)
{
	struct read_header header = { .tag_slot = -1 };
	bool is_right = layout && !TACHO_BIG_ENDIAN && layout->align >= 8;

	if (is_right) {
		header.align = layout->align;
		if (layout->child_count == 2 && layout->children[1].kind == READ_VARIANT)
			is_right = compile_tagged(layout, &header);
		else
			is_right = compile_plain(layout, &header);
	}
	if (!is_right)
		header.form_count = 0;
	find_short(&header);
	*ret_header = header;
}
