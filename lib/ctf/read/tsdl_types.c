/* SPDX-License-Identifier: MIT */
/*
 * tsdl_types.c - the types of TSDL; see tsdl.h
 *
 * A type without a body ("uint32_t", "struct foo") is looked up among the names declared so far;
 * what a name stands for is shared by all that use it, and never changed.
 */
#include "tsdl.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define NAME_BYTES_MAX 256

/* ---- names ---- */

static void declare(struct tsdl *p, const char *prefix, const char *name, struct read_type *type)
{
	struct tsdl_name *entry;
	char key[NAME_BYTES_MAX + 16];

	if (!name || !type)
		return;
	if (p->name_count == TSDL_NAMES_MAX || strlen(name) >= NAME_BYTES_MAX) {
		lex_fail(&p->lex, -EINVAL, "too many type names, or one that is too long");
		return;
	}
	entry = tsdl_alloc(p, sizeof(*entry));
	if (!entry)
		return;
	snprintf(key, sizeof(key), "%s%s", prefix, name);
	for (const struct tsdl_name *other = p->names; other != p->scope.outer;
	     other = other->next) {
		if (!strcmp(other->key, key))
			tsdl_odd(p, "a type that is declared twice");
	}
	entry->key = read_arena_text(&p->metadata->arena, key, strlen(key));
	if (!entry->key) {
		lex_fail(&p->lex, -ENOMEM, "the metadata is too large");
		return;
	}
	entry->type = type;
	entry->next = p->names;
	p->names = entry;
	p->name_count++;
}

struct tsdl_scope tsdl_scope_begin(struct tsdl *p)
{
	struct tsdl_scope before = p->scope;

	p->scope = (struct tsdl_scope){ .outer = p->names, .count = p->name_count };
	return before;
}

void tsdl_scope_end(struct tsdl *p, struct tsdl_scope before)
{
	p->names = p->scope.outer;
	p->name_count = p->scope.count;
	p->scope = before;
}

static struct read_type *look_up(struct tsdl *p, const char *prefix, const char *name)
{
	size_t bytes = strlen(prefix);

	for (const struct tsdl_name *entry = p->names; name && entry; entry = entry->next) {
		if (!strncmp(entry->key, prefix, bytes) && !strcmp(entry->key + bytes, name))
			return entry->type;
	}
	lex_fail(&p->lex, -EINVAL, "a type that was not declared");
	return NULL;
}

static struct read_type *new_type(struct tsdl *p, enum read_kind kind)
{
	struct read_type *type = tsdl_alloc(p, sizeof(*type));

	if (type)
		type->kind = kind;
	return type;
}

/* ---- attributes of integers, floats and strings ---- */

static bool is_one_of(const char *text, const char *const *words, size_t count)
{
	for (size_t i = 0; text && i < count; i++) {
		if (!strcmp(text, words[i]))
			return true;
	}
	return false;
}

bool tsdl_is_true(struct tsdl *p, const struct tsdl_attribute *a)
{
	static const char *const yes[] = { "true", "TRUE" }, *const no[] = { "false", "FALSE" };

	if (a->kind == TSDL_NUMBER)
		return a->number;
	if (is_one_of(a->text, yes, 2))
		return true;
	if (!is_one_of(a->text, no, 2))
		tsdl_odd(p, "a value that is neither true nor false");
	return false;
}

enum read_order tsdl_order(struct tsdl *p, const struct tsdl_attribute *a)
{
	const char *text = a->text ? a->text : "";

	if (!strcmp(text, "le"))
		return READ_ORDER_LITTLE;
	if (!strcmp(text, "be") || !strcmp(text, "network"))
		return READ_ORDER_BIG;
	if (strcmp(text, "native"))
		lex_fail(&p->lex, -EINVAL, "a byte order that is none of le, be, network, native");
	return READ_ORDER_NATIVE;
}

static uint8_t decimal(struct tsdl *p, const struct tsdl_attribute *a)
{
	static const char *const words[] = { "decimal", "dec", "d", "i", "u" };

	if (!is_one_of(a->text, words, sizeof(words) / sizeof(words[0])) &&
	    (a->kind != TSDL_NUMBER || a->number != 10))
		tsdl_odd(p, "a base that is none of 2, 8, 10, 16");
	return 10;
}

static uint8_t base_of(struct tsdl *p, const struct tsdl_attribute *a)
{
	static const struct {
		const char *name;
		uint8_t base;
	} bases[] = {
		{ "hexadecimal", 16 }, { "hex", 16 }, { "x", 16 }, { "X", 16 },     { "p", 16 },
		{ "octal", 8 },        { "oct", 8 },  { "o", 8 },  { "binary", 2 }, { "b", 2 },
	};

	if (a->kind == TSDL_NUMBER && (a->number == 16 || a->number == 8 || a->number == 2))
		return (uint8_t)a->number;
	for (size_t i = 0; a->text && i < sizeof(bases) / sizeof(bases[0]); i++) {
		if (!strcmp(a->text, bases[i].name))
			return bases[i].base;
	}
	return decimal(p, a);
}

/* Whether it is text: what it is encoded in is UTF-8, or a part of that. */
static bool is_encoded(struct tsdl *p, const struct tsdl_attribute *a)
{
	static const char *const words[] = { "none",  "NONE",  "UTF8",  "utf8",
					     "UTF-8", "utf-8", "ASCII", "ascii" };

	if (!is_one_of(a->text, words, sizeof(words) / sizeof(words[0])))
		tsdl_odd(p, "an encoding that is none of UTF8, ASCII, none");
	return a->text && strcmp(a->text, "none") && strcmp(a->text, "NONE");
}

static void set_align(struct tsdl *p, struct read_type *type, uint64_t bits)
{
	if (!bits || (bits & (bits - 1)) || bits > READ_ALIGN_BITS_MAX)
		lex_fail(&p->lex, -EINVAL, "an alignment that is no power of two, or too large");
	else
		type->align = (uint32_t)bits;
}

/* What integers and floats have in common. */
static void scalar_attribute(struct tsdl *p, struct read_type *type, const struct tsdl_attribute *a)
{
	if (!strcmp(a->name, "align"))
		set_align(p, type, a->number);
	else if (!strcmp(a->name, "byte_order"))
		type->order = tsdl_order(p, a);
	else
		tsdl_odd(p, "an attribute that the type does not have");
}

static uint64_t number_of(struct tsdl *p, const struct tsdl_attribute *a)
{
	if (a->kind != TSDL_NUMBER)
		tsdl_odd(p, "an attribute that is no number");
	return a->number;
}

/* "clock.NAME.value", of one that is described before; we take a later one as well. */
static const char *clock_of(struct tsdl *p, const struct tsdl_attribute *a)
{
	const char *last = a->text ? strrchr(a->text, '.') : NULL;

	if (a->kind != TSDL_NAME || !last || strcmp(last, ".value") ||
	    !read_metadata_clock(p->metadata, a->text))
		tsdl_odd(p, "an integer that is mapped to what is no clock so far");
	return a->text;
}

static void integer_attribute(struct tsdl *p, void *object, const struct tsdl_attribute *a)
{
	struct read_type *type = object;

	if (!strcmp(a->name, "size"))
		type->bits = number_of(p, a) <= 64 ? (uint32_t)a->number : 0;
	else if (!strcmp(a->name, "signed"))
		type->is_signed = tsdl_is_true(p, a);
	else if (!strcmp(a->name, "base"))
		type->base = base_of(p, a);
	else if (!strcmp(a->name, "encoding"))
		type->is_text = is_encoded(p, a);
	else if (!strcmp(a->name, "map"))
		type->clock = clock_of(p, a);
	else
		scalar_attribute(p, type, a);
}

static void float_attribute(struct tsdl *p, void *object, const struct tsdl_attribute *a)
{
	struct read_type *type = object;

	/* The mantissa's number counts its sign, so that both together are the size. */
	if (!strcmp(a->name, "exp_dig") || !strcmp(a->name, "mant_dig"))
		type->bits += a->number <= 64 ? (uint32_t)a->number : 0;
	else
		scalar_attribute(p, type, a);
}

static void string_attribute(struct tsdl *p, void *object, const struct tsdl_attribute *a)
{
	(void)object;
	if (strcmp(a->name, "encoding"))
		tsdl_odd(p, "an attribute that a text does not have");
	else
		is_encoded(p, a);
}

static struct read_type *parse_integer(struct tsdl *p)
{
	struct read_type *type = new_type(p, READ_INTEGER);

	if (!type)
		return NULL;
	type->base = 10;
	tsdl_block(p, integer_attribute, type);
	if (!type->bits)
		lex_fail(&p->lex, -EINVAL, "an integer that has not 1 to 64 bits");
	return type;
}

static struct read_type *parse_float(struct tsdl *p)
{
	struct read_type *type = new_type(p, READ_FLOAT);

	if (!type)
		return NULL;
	tsdl_block(p, float_attribute, type);
	if (type->bits != 32 && type->bits != 64)
		lex_fail(&p->lex, -EINVAL, "a float that has not 32 or 64 bits");
	return type;
}

static struct read_type *parse_string(struct tsdl *p)
{
	struct read_type *type = new_type(p, READ_STRING);

	if (type && lex_is_mark(&p->lex, '{'))
		tsdl_block(p, string_attribute, type);
	return type;
}

/* ---- enum ---- */

static const char *parse_label(struct tsdl *p)
{
	const char *label = p->lex.token.text;

	if (p->lex.token.kind != TOKEN_STRING)
		return lex_expect_name(&p->lex);
	lex_advance(&p->lex);
	return label;
}

static struct read_mapping *parse_mapping(struct tsdl *p, uint64_t next_value)
{
	struct read_mapping *mapping = tsdl_alloc(p, sizeof(*mapping));
	bool is_negative;

	if (!mapping)
		return NULL;
	mapping->label = parse_label(p);
	mapping->low = mapping->high = next_value;
	if (lex_take_mark(&p->lex, '=')) {
		mapping->low = mapping->high = tsdl_number(p, &is_negative);
		if (lex_take_mark(&p->lex, MARK_RANGE))
			mapping->high = tsdl_number(p, &is_negative);
	}
	return mapping;
}

static void parse_mappings(struct tsdl *p, struct read_type *type)
{
	struct read_mapping **tail = &type->mappings;
	uint64_t next_value = 0;

	lex_expect(&p->lex, '{');
	while (!p->lex.error && !lex_is_mark(&p->lex, '}')) {
		struct read_mapping *mapping = parse_mapping(p, next_value);

		if (!mapping)
			return;
		next_value = mapping->high + 1;
		*tail = mapping;
		tail = &mapping->next;
		if (!lex_take_mark(&p->lex, ','))
			break;
	}
	lex_expect(&p->lex, '}');
}

static struct read_type *parse_enum(struct tsdl *p)
{
	struct read_type *type;
	const char *name = NULL;

	if (p->lex.token.kind == TOKEN_NAME)
		name = lex_expect_name(&p->lex);
	if (!lex_is_mark(&p->lex, ':') && !lex_is_mark(&p->lex, '{'))
		return look_up(p, "enum ", name);
	type = new_type(p, READ_ENUM);
	if (!type)
		return NULL;
	type->element = lex_take_mark(&p->lex, ':') ? tsdl_type(p) : look_up(p, "", "int");
	if (type->element && type->element->kind != READ_INTEGER)
		lex_fail(&p->lex, -EINVAL, "an enum whose values are no integers");
	parse_mappings(p, type);
	declare(p, "enum ", name, type);
	return type;
}

/* ---- array and sequence ---- */

static struct read_type *parse_dimensions(struct tsdl *p, struct read_type *element);

static struct read_type *parse_dimension(struct tsdl *p, struct read_type *element)
{
	struct read_type *type = new_type(p, READ_ARRAY);
	bool is_negative;

	if (!type)
		return NULL;
	if (p->lex.token.kind == TOKEN_NAME) {
		type->kind = READ_SEQUENCE;
		type->reference = tsdl_path(p);
	} else {
		type->count = tsdl_number(p, &is_negative);
	}
	lex_expect(&p->lex, ']');
	/* In `a[2][3]` the elements of the first are arrays of the second. */
	type->element = parse_dimensions(p, element);
	return type->element ? type : NULL;
}

static struct read_type *parse_dimensions(struct tsdl *p, struct read_type *element)
{
	struct read_type *type;

	if (!element || !lex_take_mark(&p->lex, '['))
		return element;
	if (!tsdl_enter(p))
		return NULL;
	type = parse_dimension(p, element);
	tsdl_leave(p);
	return type;
}

/* ---- fields of structs and variants ---- */

static struct read_field *add_field(struct tsdl *p, struct read_field ***tail, const char *name,
				    struct read_type *type)
{
	struct read_field *field = tsdl_alloc(p, sizeof(*field));

	if (!field || !name || !type)
		return NULL;
	field->name = name;
	field->type = type;
	**tail = field;
	*tail = &field->next;
	return field;
}

/* The rest of a declarator whose name was read, and further ones: `[8], b, c[n]`. */
static void parse_declarators(struct tsdl *p, struct read_field ***tail, const char *name,
			      struct read_type *type)
{
	for (;;) {
		if (!add_field(p, tail, name, parse_dimensions(p, type)))
			return;
		if (!lex_take_mark(&p->lex, ','))
			return;
		name = lex_expect_name(&p->lex);
	}
}

/* A type name of one or more words; with @ret_declarator, the last word is the field's name. */
static struct read_type *parse_words(struct tsdl *p, const char **ret_declarator)
{
	char words[NAME_BYTES_MAX] = "";
	const char *word = NULL;
	size_t bytes = 0;

	while (p->lex.token.kind == TOKEN_NAME) {
		if (word && bytes + strlen(word) + 2 > sizeof(words)) {
			lex_fail(&p->lex, -EINVAL, "a type name that is too long");
			return NULL;
		}
		if (word)
			bytes += (size_t)sprintf(words + bytes, "%s%s", bytes ? " " : "", word);
		word = lex_expect_name(&p->lex);
	}
	if (ret_declarator) {
		*ret_declarator = word;
	} else if (word && bytes + strlen(word) + 2 <= sizeof(words)) {
		sprintf(words + bytes, "%s%s", bytes ? " " : "", word);
	}
	return look_up(p, "", words);
}

static struct read_type *parse_builtin(struct tsdl *p);

/* A type and the name of the (first) field that has it. */
static struct read_type *parse_typed_name(struct tsdl *p, const char **ret_name)
{
	struct read_type *type;

	*ret_name = NULL;
	lex_take_name(&p->lex, "const");
	type = parse_builtin(p);
	if (p->lex.error)
		return NULL;
	if (!type)
		return parse_words(p, ret_name);
	*ret_name = lex_expect_name(&p->lex);
	return type;
}

static void parse_field(struct tsdl *p, struct read_field ***tail)
{
	const char *name;
	struct read_type *type = parse_typed_name(p, &name);

	parse_declarators(p, tail, name, type);
	lex_expect(&p->lex, ';');
}

/* `typealias TYPE := NAME;` */
static void parse_typealias(struct tsdl *p)
{
	struct read_type *type = tsdl_type(p);
	char name[NAME_BYTES_MAX] = "";
	size_t bytes = 0;

	lex_expect(&p->lex, MARK_ASSIGN_TYPE);
	while (p->lex.token.kind == TOKEN_NAME) {
		const char *word = lex_expect_name(&p->lex);

		if (!word || bytes + strlen(word) + 2 > sizeof(name)) {
			lex_fail(&p->lex, -EINVAL, "a type name that is too long");
			return;
		}
		bytes += (size_t)sprintf(name + bytes, "%s%s", bytes ? " " : "", word);
	}
	declare(p, "", name, type);
	lex_expect(&p->lex, ';');
}

/* `typedef TYPE NAME, NAME[4];` */
static void parse_typedef(struct tsdl *p)
{
	struct read_field *fields = NULL, **tail = &fields;

	parse_field(p, &tail);
	for (; fields && !p->lex.error; fields = fields->next)
		declare(p, "", fields->name, fields->type);
}

/* `struct foo { ... };` on its own, or none of these. */
bool tsdl_declaration(struct tsdl *p)
{
	if (lex_take_name(&p->lex, "typealias")) {
		parse_typealias(p);
		return true;
	}
	if (lex_take_name(&p->lex, "typedef")) {
		parse_typedef(p);
		return true;
	}
	if (!lex_is_name(&p->lex, "struct") && !lex_is_name(&p->lex, "variant") &&
	    !lex_is_name(&p->lex, "enum"))
		return false;
	parse_builtin(p);
	lex_expect(&p->lex, ';');
	return true;
}

static void parse_body(struct tsdl *p, struct read_type *type)
{
	struct tsdl_scope before = tsdl_scope_begin(p);
	struct read_field **tail = &type->fields;

	lex_expect(&p->lex, '{');
	while (!p->lex.error && !lex_is_mark(&p->lex, '}')) {
		if (lex_take_name(&p->lex, "typealias"))
			parse_typealias(p);
		else if (lex_take_name(&p->lex, "typedef"))
			parse_typedef(p);
		else
			parse_field(p, &tail);
	}
	lex_expect(&p->lex, '}');
	tsdl_scope_end(p, before);
}

static void parse_struct_align(struct tsdl *p, struct read_type *type)
{
	bool is_negative;

	if (!lex_take_name(&p->lex, "align"))
		return;
	lex_expect(&p->lex, '(');
	set_align(p, type, tsdl_number(p, &is_negative));
	lex_expect(&p->lex, ')');
}

static struct read_type *parse_struct(struct tsdl *p)
{
	struct read_type *type;
	const char *name = NULL;

	if (p->lex.token.kind == TOKEN_NAME)
		name = lex_expect_name(&p->lex);
	if (!lex_is_mark(&p->lex, '{'))
		return look_up(p, "struct ", name);
	type = new_type(p, READ_STRUCT);
	if (!type)
		return NULL;
	parse_body(p, type);
	parse_struct_align(p, type);
	declare(p, "struct ", name, type);
	return type;
}

static const char *parse_tag(struct tsdl *p)
{
	const char *tag;

	if (!lex_take_mark(&p->lex, '<'))
		return NULL;
	tag = tsdl_path(p);
	lex_expect(&p->lex, '>');
	return tag;
}

/* A named variant gets its tag where it is used, so a use is a copy. */
static struct read_type *use_variant(struct tsdl *p, const struct read_type *named, const char *tag)
{
	struct read_type *type = named ? new_type(p, READ_VARIANT) : NULL;

	if (!type)
		return NULL;
	*type = *named;
	type->reference = tag ? tag : named->reference;
	return type;
}

static struct read_type *parse_variant(struct tsdl *p)
{
	struct read_type *type;
	const char *name = NULL;
	const char *tag;

	if (p->lex.token.kind == TOKEN_NAME)
		name = lex_expect_name(&p->lex);
	tag = parse_tag(p);
	if (!lex_is_mark(&p->lex, '{'))
		return use_variant(p, look_up(p, "variant ", name), tag);
	type = new_type(p, READ_VARIANT);
	if (!type)
		return NULL;
	type->reference = tag;
	parse_body(p, type);
	declare(p, "variant ", name, type);
	return type;
}

/* A type that starts with a keyword, or NULL without an error. */
static struct read_type *parse_builtin(struct tsdl *p)
{
	static const struct {
		const char *keyword;
		struct read_type *(*parse)(struct tsdl *p);
	} rules[] = {
		{ "integer", parse_integer }, { "floating_point", parse_float },
		{ "string", parse_string },   { "enum", parse_enum },
		{ "struct", parse_struct },   { "variant", parse_variant },
	};
	struct read_type *type = NULL;

	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
		if (!lex_is_name(&p->lex, rules[i].keyword))
			continue;
		lex_advance(&p->lex);
		if (tsdl_enter(p)) {
			type = rules[i].parse(p);
			tsdl_leave(p);
		}
		return p->lex.error ? NULL : type;
	}
	return NULL;
}

struct read_type *tsdl_type(struct tsdl *p)
{
	struct read_type *type;

	lex_take_name(&p->lex, "const");
	type = parse_builtin(p);
	if (type || p->lex.error)
		return type;
	type = parse_words(p, NULL);
	return p->lex.error ? NULL : type;
}
