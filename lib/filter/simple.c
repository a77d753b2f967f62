/* SPDX-License-Identifier: MIT */
/* simple.c - see simple.h. Part of libtacho. */
#include "filter/simple.h"

#include <string.h>

#include "filter/linked.h"

#define SIGN_BIT (1ull << 63)

/* ---- numbers in their order ---- */

static uint64_t bits_of(double real)
{
	uint64_t bits;

	memcpy(&bits, &real, sizeof(bits));
	return bits;
}

/* Where values of a field can be, and where among them the constant is: from `first` to `last`, which
 * differ for 0.0 only. */
struct ranks {
	uint64_t least;
	uint64_t most;
	uint64_t first;
	uint64_t last;
	bool is_below; /* the constant is less than all of them */
	bool is_above;
};

static void set_range(struct filter_test *test, uint64_t first, uint64_t last)
{
	test->low = first;
	test->span = last - first;
	test->is_wanted = 1;
}

static void set_always(struct filter_test *test, bool is_true)
{
	set_range(test, 0, UINT64_MAX);
	test->is_wanted = is_true;
}

/* The range of those that are less, or greater, than the constant, or also the same. */
static void set_less(struct filter_test *test, const struct ranks *r, bool or_same)
{
	if (r->is_below || (!or_same && !r->is_above && r->first == r->least))
		set_always(test, false);
	else
		set_range(test, r->least, r->is_above ? r->most : or_same ? r->last : r->first - 1);
}

static void set_greater(struct filter_test *test, const struct ranks *r, bool or_same)
{
	if (r->is_above || (!or_same && !r->is_below && r->last == r->most))
		set_always(test, false);
	else
		set_range(test, r->is_below ? r->least : or_same ? r->first : r->last + 1, r->most);
}

static void set_equal(struct filter_test *test, const struct ranks *r)
{
	if (r->is_below || r->is_above)
		set_always(test, false);
	else
		set_range(test, r->first, r->last);
}

static void set_comparison(struct filter_test *test, uint32_t opcode, const struct ranks *r)
{
	switch (opcode) {
	case TACHO_FILTER_LESS:
	case TACHO_FILTER_LESS_EQUAL:
		set_less(test, r, opcode == TACHO_FILTER_LESS_EQUAL);
		break;
	case TACHO_FILTER_GREATER:
	case TACHO_FILTER_GREATER_EQUAL:
		set_greater(test, r, opcode == TACHO_FILTER_GREATER_EQUAL);
		break;
	default:
		set_equal(test, r);
		test->is_wanted ^= opcode == TACHO_FILTER_UNEQUAL;
	}
}

/* ---- constants ---- */

/* An operand that is always the same. */
struct constant {
	uint32_t opcode; /* SIGNED, UNSIGNED, DOUBLE, STRING, PATTERN */
	uint64_t word;
	const char *text;
	uint32_t bytes;
};

static bool is_negative(const struct constant *c)
{
	return c->opcode == TACHO_FILTER_SIGNED && c->word & SIGN_BIT;
}

/* What fits a signed integer is ranked as one: from 2^63 below 0 up. */
static bool compare_integer(struct filter_test *test, uint32_t opcode, const struct constant *c,
			    bool fits_signed)
{
	uint64_t offset = fits_signed ? SIGN_BIT : 0;
	struct ranks r = { .most = UINT64_MAX,
			   .first = c->word + offset,
			   .last = c->word + offset };

	if (c->opcode != TACHO_FILTER_SIGNED && c->opcode != TACHO_FILTER_UNSIGNED)
		return false;
	r.is_below = !fits_signed && is_negative(c);
	r.is_above = fits_signed && c->opcode == TACHO_FILTER_UNSIGNED && c->word & SIGN_BIT;
	set_comparison(test, opcode, &r);
	test->low -= offset;
	return true;
}

/* Integers up to here are doubles as well. */
#define EXACT_MAX (1ll << 53)

static bool as_exact_double(const struct constant *c, uint64_t *ret_bits)
{
	int64_t word = (int64_t)c->word;

	if (c->opcode == TACHO_FILTER_DOUBLE) {
		*ret_bits = c->word;
		return true;
	}
	if ((c->opcode != TACHO_FILTER_SIGNED && c->opcode != TACHO_FILTER_UNSIGNED) ||
	    word > EXACT_MAX || word < -EXACT_MAX)
		return false;
	*ret_bits = bits_of((double)word);
	return true;
}

static bool compare_double(struct filter_test *test, uint32_t opcode, const struct constant *c)
{
	struct ranks r = { .least = filter_rank_of_double(bits_of(-__builtin_inf())),
			   .most = filter_rank_of_double(bits_of(__builtin_inf())) };
	uint64_t bits;

	if (!as_exact_double(c, &bits))
		return false;
	r.first = r.last = filter_rank_of_double(bits);
	if (r.first < r.least || r.first > r.most)
		return false;
	if (!(bits & ~SIGN_BIT)) {
		r.first = filter_rank_of_double(SIGN_BIT);
		r.last = filter_rank_of_double(0);
	}
	set_comparison(test, opcode, &r);
	test->kind = FILTER_TEST_DOUBLE;
	return true;
}

/* A pattern is no more than a beginning if its only star is the last byte. */
static bool is_simple_pattern(const struct constant *c, uint32_t *ret_bytes, bool *ret_has_star)
{
	*ret_has_star = c->bytes && c->text[c->bytes - 1] == '*';
	*ret_bytes = c->bytes - *ret_has_star;
	return !memchr(c->text, '\\', c->bytes) && !memchr(c->text, '*', *ret_bytes);
}

static bool compare_string(struct filter_test *test, uint32_t opcode, const struct constant *c)
{
	uint32_t bytes = c->bytes;
	bool has_star = false;

	if (opcode > TACHO_FILTER_UNEQUAL ||
	    (c->opcode != TACHO_FILTER_STRING && c->opcode != TACHO_FILTER_PATTERN) ||
	    (c->opcode == TACHO_FILTER_PATTERN && !is_simple_pattern(c, &bytes, &has_star)) ||
	    bytes > sizeof(test->text))
		return false;
	test->kind = has_star ? FILTER_TEST_PREFIX : FILTER_TEST_STRING;
	test->bytes = (uint8_t)bytes;
	test->is_wanted = opcode == TACHO_FILTER_EQUAL;
	memcpy(test->text, c->text, bytes);
	return true;
}

/* ---- where the field is ---- */

#define PARTS_BEFORE_MAX 8

/* As event-pack.h cuts records: a string is a part of its own, and what is between two strings is. */
static bool find_part(const struct filter_linked *linked, const struct filter_place *place,
		      struct filter_test *test)
{
	const struct filter_stretch *stretch = filter_stretches(linked);
	uint32_t part = 0, before = 0;

	for (uint32_t i = 0; i < place->stretches; i++, part++) {
		if (TACHO_TYPE_KIND(stretch[i].type) != TACHO_KIND_STRING ||
		    stretch[i].fixed_bytes > UINT16_MAX || part > PARTS_BEFORE_MAX - 2)
			return false;
		part += stretch[i].fixed_bytes != 0;
		before += stretch[i].fixed_bytes;
		test->strings |= (uint8_t)(1u << part);
	}
	test->part = (uint8_t)part;
	test->before = (uint16_t)before;
	test->at = (uint16_t)place->fixed_bytes;
	return before <= UINT16_MAX && place->fixed_bytes <= UINT16_MAX;
}

/* A string that comes behind numbers is in the part behind theirs. */
static bool find_string(const struct filter_place *place, struct filter_test *test)
{
	if (!place->fixed_bytes)
		return true;
	test->before = (uint16_t)(test->before + place->fixed_bytes);
	test->at = 0;
	return ++test->part < PARTS_BEFORE_MAX && test->before >= place->fixed_bytes;
}

static bool compare_field(const struct filter_linked *linked, const struct filter_place *place,
			  uint32_t opcode, const struct constant *c,
			  const struct filter_test *change, struct filter_test *test)
{
	uint32_t bytes = TACHO_TYPE_BYTES(place->type), kind = TACHO_TYPE_KIND(place->type);
	bool is_signed = TACHO_TYPE_FLAGS(place->type) & TACHO_FLAG_SIGNED;

	*test = (struct filter_test){ .bytes = (uint8_t)bytes, .change = change->change };
	test->by = change->by;
	if (place->element != TACHO_FILTER_WHOLE || !find_part(linked, place, test) ||
	    TACHO_TYPE_FLAGS(place->type) & TACHO_FLAG_NETWORK)
		return false;
	test->kind = is_signed ? FILTER_TEST_SIGNED : FILTER_TEST_UNSIGNED;
	if (kind == TACHO_KIND_INTEGER)
		return compare_integer(test, opcode, c, is_signed || bytes < 8);
	if (kind == TACHO_KIND_FLOAT && bytes == sizeof(double))
		return compare_double(test, opcode, c);
	return kind == TACHO_KIND_STRING && find_string(place, test) &&
	       compare_string(test, opcode, c);
}

/* ---- what is done to a field before it is compared ---- */

/* `& 12`, `% 10`: what they give is in the order of the field's own values. */
static bool set_change(struct filter_test *test, uint32_t opcode, const struct constant *by)
{
	bool is_mask = opcode == TACHO_FILTER_BIT_AND;

	if (test->change || (by->opcode != TACHO_FILTER_SIGNED && by->opcode != TACHO_FILTER_UNSIGNED) ||
	    by->word & SIGN_BIT || (!is_mask && !by->word))
		return false;
	test->change = is_mask ? FILTER_CHANGE_MASK : FILTER_CHANGE_REMAINDER;
	test->by = by->word;
	return true;
}

/* ---- literals ---- */

/* The operations of a program, from the first to the last. */
struct reader {
	const struct filter_linked *linked;
	const struct tacho_filter_op *op;
	const struct tacho_filter_op *end;
};

static uint32_t next_opcode(const struct reader *r)
{
	return r->op < r->end ? r->op->opcode : TACHO_FILTER_END;
}

static bool take_constant(struct reader *r, struct constant *ret_constant)
{
	const struct tacho_filter *filter = r->linked->filter;
	const struct tacho_filter_op *op = r->op;

	ret_constant->opcode = next_opcode(r);
	if (ret_constant->opcode <= TACHO_FILTER_DOUBLE) {
		ret_constant->word = tacho_filter_words(filter)[op->operand];
	} else if (ret_constant->opcode <= TACHO_FILTER_PATTERN) {
		ret_constant->text = tacho_filter_pool(filter) + op->operand;
		ret_constant->bytes = op->extra;
	} else {
		return false;
	}
	r->op++;
	if (next_opcode(r) != TACHO_FILTER_MINUS)
		return true;
	r->op++;
	ret_constant->word = -ret_constant->word;
	return op->opcode == TACHO_FILTER_SIGNED && ret_constant->word != SIGN_BIT;
}

/* A field, or `field & 12`, `field % 10`, into `change` and `by` of the test. */
static const struct filter_place *take_field(struct reader *r, struct filter_test *test)
{
	const struct filter_place *place;
	struct constant by = { 0 };
	struct reader before;

	if (next_opcode(r) != TACHO_FILTER_FIELD)
		return NULL;
	place = &r->linked->place[r->op++->operand];
	before = *r;
	if (take_constant(r, &by) && (next_opcode(r) == TACHO_FILTER_BIT_AND ||
				      next_opcode(r) == TACHO_FILTER_REMAINDER) &&
	    TACHO_TYPE_KIND(place->type) == TACHO_KIND_INTEGER &&
	    set_change(test, next_opcode(r), &by))
		r->op++;
	else
		*r = before; /* what it is compared with */
	return place;
}

/* a < b, said of b */
static uint32_t turned(uint32_t opcode)
{
	switch (opcode) {
	case TACHO_FILTER_LESS:
		return TACHO_FILTER_GREATER;
	case TACHO_FILTER_LESS_EQUAL:
		return TACHO_FILTER_GREATER_EQUAL;
	case TACHO_FILTER_GREATER:
		return TACHO_FILTER_LESS;
	case TACHO_FILTER_GREATER_EQUAL:
		return TACHO_FILTER_LESS_EQUAL;
	}
	return opcode;
}

static bool is_of_truth(uint32_t opcode)
{
	return opcode == TACHO_FILTER_NOT || opcode == TACHO_FILTER_TRUTH ||
	       opcode == TACHO_FILTER_AND || opcode == TACHO_FILTER_OR ||
	       opcode == TACHO_FILTER_END;
}

/* Without a comparison it is whether the field is other than 0. */
static bool take_comparison(struct reader *r, struct filter_test *ret_test)
{
	static const struct constant zero = { .opcode = TACHO_FILTER_SIGNED };
	struct filter_test change = { 0 };
	const struct filter_place *left = take_field(r, &change), *place;
	struct constant constant = { 0 };
	uint32_t opcode;

	if (left && is_of_truth(next_opcode(r)))
		return compare_field(r->linked, left, TACHO_FILTER_UNEQUAL, &zero, &change, ret_test);
	if (!take_constant(r, &constant))
		return false;
	place = left ? left : take_field(r, &change);
	opcode = next_opcode(r);
	if (!place || opcode < TACHO_FILTER_EQUAL || opcode > TACHO_FILTER_GREATER_EQUAL)
		return false;
	r->op++;
	return compare_field(r->linked, place, left ? opcode : turned(opcode), &constant, &change,
			     ret_test);
}

static void take_truth(struct reader *r, struct filter_test *test)
{
	for (; next_opcode(r) == TACHO_FILTER_NOT || next_opcode(r) == TACHO_FILTER_TRUTH; r->op++)
		test->is_wanted ^= r->op->opcode == TACHO_FILTER_NOT;
}

/* ---- programs ---- */

#define LITERALS_MAX 8
#define NESTED_MAX   8

/* Groups of literals, of which all are to be true, a bit each: true if one of the groups is. */
struct groups {
	uint32_t count;
	uint8_t group[LITERALS_MAX];
};

struct program {
	uint32_t literal_count;
	struct filter_test literal[LITERALS_MAX];
};

static bool add_groups(struct groups *to, const struct groups *from)
{
	if (to->count + from->count > LITERALS_MAX)
		return false;
	memcpy(&to->group[to->count], from->group, from->count);
	to->count += from->count;
	return true;
}

/* Each of the one with each of the other. */
static bool multiply_groups(struct groups *to, const struct groups *by)
{
	struct groups product = { 0 };

	if (to->count * by->count > LITERALS_MAX)
		return false;
	for (uint32_t i = 0; i < to->count; i++)
		for (uint32_t k = 0; k < by->count; k++)
			product.group[product.count++] = to->group[i] | by->group[k];
	*to = product;
	return true;
}

static bool take_literal(struct reader *r, struct program *program, struct groups *ret_groups)
{
	struct filter_test *test = &program->literal[program->literal_count];

	if (program->literal_count == LITERALS_MAX || !take_comparison(r, test))
		return false;
	take_truth(r, test);
	*ret_groups = (struct groups){ 1, { (uint8_t)(1u << program->literal_count++) } };
	return true;
}

/* To the reader's end, behind which is what AND or OR go to that have its value. */
static bool take_program(struct reader *r, struct program *program, uint32_t nested,
			 struct groups *ret_groups)
{
	const struct tacho_filter_op *ops = tacho_filter_ops(r->linked->filter);

	if (!nested || !take_literal(r, program, ret_groups))
		return false;
	while (r->op < r->end) {
		const struct tacho_filter_op *op = r->op++;
		struct reader right = { r->linked, r->op, &ops[op->operand] };
		struct groups groups;

		if (op->opcode == TACHO_FILTER_TRUTH)
			continue;
		if ((op->opcode != TACHO_FILTER_AND && op->opcode != TACHO_FILTER_OR) ||
		    right.end > r->end || !take_program(&right, program, nested - 1, &groups))
			return false;
		if (op->opcode == TACHO_FILTER_OR ? !add_groups(ret_groups, &groups) :
						    !multiply_groups(ret_groups, &groups))
			return false;
		r->op = right.end;
	}
	return true;
}

static uint32_t write_groups(const struct program *program, const struct groups *groups,
			     struct filter_test *ret_tests, uint32_t max)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < groups->count; i++) {
		for (uint32_t set = groups->group[i]; set; set &= set - 1) {
			if (count == max)
				return 0;
			ret_tests[count] = program->literal[__builtin_ctz(set)];
			ret_tests[count++].is_last = !(set & (set - 1));
		}
	}
	return count;
}

uint32_t filter_simplify(const struct filter_linked *linked, struct filter_test *ret_tests,
			 uint32_t max)
{
	const struct tacho_filter_op *ops = tacho_filter_ops(linked->filter);
	struct reader r = { linked, ops, &ops[linked->filter->op_count - 1] };
	struct program program = { 0 };
	struct groups groups;

	if (!take_program(&r, &program, NESTED_MAX, &groups))
		return 0;
	return write_groups(&program, &groups, ret_tests, max);
}

/* ---- run ---- */

int filter_test_text(const struct filter_test *test, const struct tacho_part *part)
{
	uint32_t bytes = tacho_load_relaxed(&test->bytes);
	bool is_whole = test->kind == FILTER_TEST_STRING, is_so;

	if (!part->is_string || bytes > sizeof(test->text))
		return -1;
	is_so = (is_whole ? part->bytes == bytes : part->bytes >= bytes) &&
		!memcmp(part->data, test->text, bytes);
	return is_so == test->is_wanted;
}
