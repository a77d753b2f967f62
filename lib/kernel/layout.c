/* SPDX-License-Identifier: MIT */
/* layout.c - see layout.h */
#include "kernel/layout.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "kernel/syscalls.h"
#include "kernel/names.h"
#include "kernel/paths.h"
#include "kernel/recipe.h"

/* A layout that is being made, and the format as it will be described. */
struct making {
	const char *system;
	struct kernel_layout *layout;
	struct kernel_format *format;
	struct kernel_prototype prototype;
	uint32_t fetch_count;
	uint32_t bytes;
};

/* ---- operations ---- */

static int add(struct making *m, const struct tacho_fetch *fetch)
{
	m->bytes += tacho_fetch_bytes(fetch->kind);
	if (m->fetch_count == TACHO_FETCHES_MAX - 1 || m->bytes > TACHO_PAYLOAD_BYTES_MAX)
		return -ENOTSUP;
	m->layout->event.fetch[m->fetch_count++] = *fetch;
	return 0;
}

static uint8_t word_kind(uint32_t bytes)
{
	return bytes == 8 ? TACHO_FETCH_WORD_8 : bytes == 4 ? TACHO_FETCH_WORD_4 :
	       bytes == 2 ? TACHO_FETCH_WORD_2 : TACHO_FETCH_WORD_1;
}

static uint8_t load_kind(uint32_t bytes)
{
	return bytes == 8 ? TACHO_FETCH_LOAD_8 : bytes == 4 ? TACHO_FETCH_LOAD_4 :
	       bytes == 2 ? TACHO_FETCH_LOAD_2 : TACHO_FETCH_LOAD_1;
}

/* Two of four bytes each are one operation. */
static int add_load(struct making *m, struct tacho_fetch load)
{
	struct tacho_fetch *last =
		m->fetch_count ? &m->layout->event.fetch[m->fetch_count - 1] : NULL;

	if (!last || load.kind != TACHO_FETCH_LOAD_4 || last->kind != TACHO_FETCH_LOAD_4 ||
	    load.word != last->word)
		return add(m, &load);
	last->kind = TACHO_FETCH_LOAD_4_4;
	last->second_offset = load.offset;
	m->bytes += 4;
	return 0;
}

static bool is_integer_size(uint32_t bytes)
{
	return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
}

static int add_integer(struct making *m, struct kernel_field *field, struct kernel_shape shape,
		       const struct kernel_place_of *place)
{
	int bias = kernel_field_bias(m->system, field->name);
	struct tacho_fetch fetch = { .word = (uint8_t)place->word, .offset = (uint16_t)place->offset };

	if (field->count || shape.kind > KERNEL_TYPE_TEXT || !is_integer_size(shape.bytes) ||
	    !is_integer_size(field->bytes))
		return -ENOTSUP;
	if (place->has_unless) {
		fetch.kind = TACHO_FETCH_UNLESS;
		fetch.offset = (uint16_t)place->unless_word;
		fetch.second_offset = (uint16_t)place->unless_value;
		return field->bytes == 8 ? add(m, &fetch) : -ENOTSUP;
	}
	/* What the kernel's record makes wider is as wide as it is here. */
	if (field->bytes > shape.bytes)
		field->bytes = shape.bytes;
	fetch.kind = place->is_memory ? load_kind(field->bytes) : word_kind(field->bytes);
	if (!bias || field->bytes != 4)
		return place->is_memory ? add_load(m, fetch) : add(m, &fetch);
	if (!place->is_memory)
		return -ENOTSUP;
	fetch.kind = TACHO_FETCH_LOAD_4_ADD;
	fetch.second_offset = (uint16_t)bias;
	return add(m, &fetch);
}

static int add_string(struct making *m, struct kernel_shape shape, const struct kernel_place_of *place)
{
	struct tacho_fetch string = { .kind = TACHO_FETCH_KERNEL_STRING, .word = (uint8_t)place->word };
	struct tacho_fetch follow = { .kind = TACHO_FETCH_FOLLOW,
				      .word = (uint8_t)place->word,
				      .offset = (uint16_t)place->offset,
				      .second_offset = TACHO_ARGUMENTS_MAX };

	if (shape.kind == KERNEL_TYPE_CHARS && place->is_memory) {
		string.offset = (uint16_t)place->offset;
		return add(m, &string);
	}
	if (shape.kind != KERNEL_TYPE_TEXT)
		return -ENOTSUP;
	if (!place->is_memory)
		return add(m, &string);
	string.word = TACHO_ARGUMENTS_MAX;
	return add(m, &follow) ? -ENOTSUP : add(m, &string);
}

static int add_chars(struct making *m, const struct kernel_field *field, struct kernel_shape shape,
		     const struct kernel_place_of *place)
{
	struct tacho_fetch fetch = { .kind = TACHO_FETCH_LOAD_16,
				     .word = (uint8_t)place->word,
				     .offset = (uint16_t)place->offset };

	if (!place->is_memory || shape.kind != KERNEL_TYPE_CHARS || field->bytes != 16 ||
	    shape.bytes < 16)
		return -ENOTSUP;
	return add(m, &fetch);
}

static int add_field(struct making *m, struct kernel_field *field, const char *path)
{
	struct kernel_place_of place;
	struct kernel_shape shape;

	if (kernel_path_resolve(&m->prototype, path, &place) || place.offset > UINT16_MAX)
		return -ENOTSUP;
	shape = kernel_type_shape(m->prototype.btf, place.type);
	for (uint32_t i = 0; i < place.follow_count; i++)
		if (add(m, &place.follow[i]))
			return -ENOTSUP;
	if (kernel_field_is_text(field))
		return field->place == KERNEL_IN_PLACE ? add_chars(m, field, shape, &place) :
							 add_string(m, shape, &place);
	if (field->place != KERNEL_IN_PLACE)
		return -ENOTSUP;
	return add_integer(m, field, shape, &place);
}

static void begin(struct making *m)
{
	m->fetch_count = 0;
	m->bytes = 0;
	memset(m->layout->event.fetch, 0, sizeof(m->layout->event.fetch));
}

/* ---- tracepoints ---- */

static int use_format(struct making *m)
{
	begin(m);
	for (uint32_t i = 0; i < m->format->field_count; i++) {
		struct kernel_field *field = &m->format->field[i];
		const char *path = kernel_path_find(m->system, m->format->name, field->name);

		if (add_field(m, field, path ? path : field->name))
			return -ENOTSUP;
	}
	return 0;
}

static void describe_argument(const struct kernel_prototype *prototype, uint32_t i,
			      struct kernel_field *field)
{
	struct kernel_shape shape = kernel_type_shape(prototype->btf, prototype->argument[i].type);

	*field = (struct kernel_field){
		.place = shape.kind == KERNEL_TYPE_TEXT ? KERNEL_DATA_LOC : KERNEL_IN_PLACE,
		.bytes = shape.bytes,
		.is_signed = shape.is_signed,
	};
	snprintf(field->name, sizeof(field->name), "%s", prototype->argument[i].name);
	snprintf(field->type, sizeof(field->type), "%s",
		 shape.kind == KERNEL_TYPE_TEXT	   ? "char" :
		 shape.kind == KERNEL_TYPE_POINTER ? "void *" :
						     "long");
}

static int use_arguments(struct making *m)
{
	begin(m);
	m->format->field_count = m->prototype.count;
	for (uint32_t i = 0; i < m->prototype.count; i++) {
		describe_argument(&m->prototype, i, &m->format->field[i]);
		if (add_field(m, &m->format->field[i], m->format->field[i].name))
			return -ENOTSUP;
	}
	return 0;
}

static int make_tracepoint(struct making *m, struct kernel_types *types, const char *tracepoint)
{
	struct tacho_module_event *event = &m->layout->event;
	int ret = kernel_types_tracepoint(types, tracepoint, &m->prototype);

	if (!ret)
		ret = str_print(event->tracepoint, sizeof(event->tracepoint), "%s", tracepoint);
	for (uint32_t i = 0; !ret && i < m->prototype.count; i++)
		if (kernel_type_is_thread(m->prototype.btf, m->prototype.argument[i].type))
			event->subject = (uint16_t)(i + 1);
	if (ret)
		return -ENOTSUP;
	return use_format(m) ? use_arguments(m) : 0;
}

/* ---- system calls ---- */

static int add_call_argument(struct making *m, struct kernel_field *field, uint32_t word)
{
	struct tacho_fetch fetch = { .word = (uint8_t)word };

	if (m->layout->event.point == TACHO_POINT_SYSCALL_ENTRY &&
	    kernel_call_is_string(field->type, field->name)) {
		fetch.kind = TACHO_FETCH_USER_STRING;
		field->place = KERNEL_DATA_LOC;
		str_print(field->type, sizeof(field->type), "char");
		return add(m, &fetch);
	}
	kernel_field_narrow(field);
	fetch.kind = word_kind(field->bytes);
	return is_integer_size(field->bytes) ? add(m, &fetch) : -ENOTSUP;
}

static int make_call(struct making *m, const struct kernel_event *event)
{
	static const char entry[] = "sys_enter_";
	bool is_entry = !strncmp(event->event, entry, strlen(entry));
	int number = kernel_call_number(kernel_event_subject(event));
	uint32_t word = 0;
	int ret = 0;

	if (number < 0 || number >= TACHO_SYSCALLS_MAX)
		return -ENOTSUP;
	begin(m);
	m->layout->event.point = is_entry ? TACHO_POINT_SYSCALL_ENTRY : TACHO_POINT_SYSCALL_EXIT;
	m->layout->event.syscall = (uint16_t)number;
	for (uint32_t i = 0; !ret && i < m->format->field_count; i++)
		if (kernel_name_field(m->system, m->format->field[i].name))
			ret = add_call_argument(m, &m->format->field[i], word++);
	return word > 6 ? -ENOTSUP : ret;
}

/* ---- all ---- */

static int make(struct making *m, struct kernel_types *types, const struct kernel_event *event,
		struct tacho_error *error)
{
	int ret = kernel_event_is_syscall(event) ? make_call(m, event) :
						   make_tracepoint(m, types, event->event);

	if (ret)
		return error_set(error, -ENOTSUP,
				 "the module cannot record the kernel's event '%s': the kernel does "
				 "not tell its arguments, or they are of a kind that it does not know",
				 event->name);
	return kernel_recipe_make(m->system, m->format, &m->layout->recipe, error);
}

int kernel_layout_make(struct kernel_types *types, const struct kernel_event *event,
		       const struct kernel_format *format, struct kernel_layout **ret_layout,
		       struct tacho_error *error)
{
	struct making m = { .system = event->system };
	int ret = -ENOMEM;

	m.layout = calloc(1, sizeof(*m.layout));
	m.format = malloc(sizeof(*m.format));
	if (m.layout && m.format) {
		memcpy(m.format, format, sizeof(*format));
		ret = make(&m, types, event, error);
	} else {
		error_set(error, ret, "no memory for the kernel's events");
	}
	free(m.format);
	if (ret) {
		kernel_layout_free(m.layout);
		return ret;
	}
	*ret_layout = m.layout;
	return 0;
}

void kernel_layout_free(struct kernel_layout *layout)
{
	if (layout)
		kernel_recipe_free(layout->recipe);
	free(layout);
}
