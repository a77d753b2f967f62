/* SPDX-License-Identifier: MIT */
/* condition.c - see condition.h */
#include "kernel/condition.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A write to a file of tracefs is less than a page. */
#define TEXT_BYTES_MAX 4095
/* The kernel's MAX_FILTER_STR_VAL, with its end. */
#define STRING_BYTES_MAX 255

__extension__ typedef __int128 number;

/* ---- texts ---- */

void kernel_condition_end(struct kernel_condition *condition)
{
	free(condition->text);
	*condition = (struct kernel_condition){ KERNEL_NEVER, NULL };
}

static int set_verdict(bool is_true, struct kernel_condition *ret_condition)
{
	*ret_condition = (struct kernel_condition){ is_true ? KERNEL_ALWAYS : KERNEL_NEVER, NULL };
	return 0;
}

static int set_text(struct kernel_condition *ret_condition, struct tacho_error *error,
		    const char *fmt, ...) __attribute__((format(printf, 3, 4)));

static int set_text(struct kernel_condition *ret_condition, struct tacho_error *error,
		    const char *fmt, ...)
{
	char *text;
	va_list args;
	int bytes;

	va_start(args, fmt);
	bytes = vasprintf(&text, fmt, args);
	va_end(args);
	if (bytes < 0)
		return error_set(error, -ENOMEM, "no memory for a filter");
	if (bytes > TEXT_BYTES_MAX) {
		free(text);
		return error_set(error, -E2BIG,
				 "the filter is too long for the kernel, which takes %d bytes for "
				 "one event, of all its rules together",
				 TEXT_BYTES_MAX);
	}
	*ret_condition = (struct kernel_condition){ KERNEL_DEPENDS, text };
	return 0;
}

int kernel_condition_not(struct kernel_condition *condition, struct tacho_error *error)
{
	char *text = condition->text;
	int ret;

	if (condition->verdict != KERNEL_DEPENDS)
		return set_verdict(condition->verdict == KERNEL_NEVER, condition);
	ret = set_text(condition, error, "!(%s)", text);
	if (!ret)
		free(text);
	return ret;
}

/* The one that is not known before the event is the result. */
static void keep(struct kernel_condition *a, struct kernel_condition *b, bool keep_a)
{
	struct kernel_condition *kept = keep_a ? a : b, *ended = keep_a ? b : a;
	struct kernel_condition result = *kept;

	*kept = (struct kernel_condition){ KERNEL_NEVER, NULL };
	kernel_condition_end(ended);
	*a = result;
}

int kernel_condition_join(struct kernel_condition *a, uint32_t opcode, struct kernel_condition *b,
			  struct tacho_error *error)
{
	enum kernel_verdict decisive = opcode == TACHO_FILTER_AND ? KERNEL_NEVER : KERNEL_ALWAYS;
	struct kernel_condition joined;
	int ret;

	if (a->verdict != KERNEL_DEPENDS || b->verdict != KERNEL_DEPENDS) {
		bool is_a = a->verdict == decisive ||
			    (b->verdict != decisive && b->verdict != KERNEL_DEPENDS);

		keep(a, b, is_a);
		return 0;
	}
	ret = set_text(&joined, error, "(%s) %s (%s)", a->text,
		       opcode == TACHO_FILTER_AND ? "&&" : "||", b->text);
	if (ret)
		return ret;
	kernel_condition_end(a);
	kernel_condition_end(b);
	*a = joined;
	return 0;
}

/* ---- integers ---- */

/* The least and the greatest value that the operand can have. */
static void find_range(const struct kernel_operand *operand, number *ret_min, number *ret_max)
{
	number top = (number)1 << (8 * operand->bytes - operand->is_signed);

	*ret_min = operand->is_signed ? -top : 0;
	*ret_max = top - 1;
}

static number value_of(const struct filter_value *constant)
{
	return constant->kind == FILTER_UNSIGNED ? (number)constant->word :
						   (number)(int64_t)constant->word;
}

/* What the interval [*low, *high] of all values is after the comparison with @value. */
static void narrow(uint32_t opcode, number value, number *low, number *high)
{
	if (opcode == TACHO_FILTER_EQUAL || opcode == TACHO_FILTER_GREATER_EQUAL)
		*low = value > *low ? value : *low;
	else if (opcode == TACHO_FILTER_GREATER)
		*low = value + 1 > *low ? value + 1 : *low;
	if (opcode == TACHO_FILTER_EQUAL || opcode == TACHO_FILTER_LESS_EQUAL)
		*high = value < *high ? value : *high;
	else if (opcode == TACHO_FILTER_LESS)
		*high = value - 1 < *high ? value - 1 : *high;
}

/* In a register, as an unsigned number of eight bytes. */
static int set_interval(const char *name, uint64_t low, uint64_t high,
			struct kernel_condition *ret_condition, struct tacho_error *error)
{
	if (low == high)
		return set_text(ret_condition, error, "%s == 0x%llx", name, (unsigned long long)low);
	return set_text(ret_condition, error, "%s >= 0x%llx && %s <= 0x%llx", name,
			(unsigned long long)low, name, (unsigned long long)high);
}

/* Adds an interval to those that are there. */
static int add_interval(const char *name, uint64_t low, uint64_t high,
			struct kernel_condition *condition, struct tacho_error *error)
{
	struct kernel_condition more;
	int ret = set_interval(name, low, high, &more, error);

	if (ret)
		return ret;
	ret = kernel_condition_join(condition, TACHO_FILTER_OR, &more, error);
	if (ret)
		kernel_condition_end(&more);
	return ret;
}

/* An int, widened to a register either way: those whose top bit is set are two numbers there. */
static int set_argument(const struct kernel_operand *operand, number low, number high,
			struct kernel_condition *ret_condition, struct tacho_error *error)
{
	unsigned int bits = 8 * operand->bytes;
	number half = (number)1 << (bits - 1), whole = (number)1 << bits;
	uint64_t extension = bits < 64 ? ~0ull << bits : 0;
	number from[2] = { low, low > half ? low : half }, to[2] = { high, high };
	int ret = set_verdict(false, ret_condition);

	if (operand->is_signed) { /* the negative ones come behind the others */
		from[0] = low > 0 ? low : 0;
		from[1] = low + whole;
		to[1] = (high < -1 ? high : -1) + whole;
	} else if (high >= half) {
		to[0] = half - 1;
	}
	if (from[0] <= to[0])
		ret = add_interval(operand->name, (uint64_t)from[0], (uint64_t)to[0], ret_condition,
				   error);
	for (int i = 0; !ret && from[1] <= to[1] && i < (extension ? 2 : 1); i++)
		ret = add_interval(operand->name, (uint64_t)from[1] | (i ? extension : 0),
				   (uint64_t)to[1] | (i ? extension : 0), ret_condition, error);
	return ret;
}

static const char *sign_of(uint32_t opcode)
{
	static const char *const signs[] = { "==", "!=", "<", "<=", ">", ">=" };

	return signs[opcode - TACHO_FILTER_EQUAL];
}

static int set_integer(const struct kernel_operand *operand, uint32_t opcode, number value,
		       struct kernel_condition *ret_condition, struct tacho_error *error)
{
	if (operand->is_signed)
		return set_text(ret_condition, error, "%s %s %lld", operand->name, sign_of(opcode),
				(long long)value);
	return set_text(ret_condition, error, "%s %s %llu", operand->name, sign_of(opcode),
			(unsigned long long)value);
}

/* UNEQUAL is done by the caller. */
static int compare_integer(const struct kernel_operand *operand, uint32_t opcode, number value,
			   struct kernel_condition *ret_condition, struct tacho_error *error)
{
	number min, max, low, high;

	find_range(operand, &min, &max);
	low = min;
	high = max;
	narrow(opcode, value, &low, &high);
	if (low > high || (low == min && high == max))
		return set_verdict(low <= high, ret_condition);
	if (operand->kind == KERNEL_OPERAND_ARGUMENT)
		return set_argument(operand, low, high, ret_condition, error);
	return set_integer(operand, opcode, value, ret_condition, error);
}

/* ---- strings ---- */

/* The kernel ends a string at the next quote of the kind that it began with. */
static char choose_quote(const char *text, size_t bytes)
{
	if (!memchr(text, '"', bytes))
		return '"';
	return memchr(text, '\'', bytes) ? 0 : '\'';
}

/* What a byte of a pattern is in a glob of the kernel's. */
static size_t put_byte(char *to, char byte, bool is_first)
{
	bool is_special = strchr("*?[\\", byte);
	size_t bytes = 0;

	if (is_special || is_first)
		to[bytes++] = '\\';
	to[bytes++] = byte;
	return bytes;
}

/* @pattern: `*` is anything, `\*` a star, `\\` a backslash */
static void put_glob(const char *pattern, size_t bytes, char *to)
{
	bool is_first = true;

	for (size_t i = 0; i < bytes; i++) {
		if (pattern[i] == '*') {
			*to++ = '*';
			continue;
		}
		i += pattern[i] == '\\' && i + 1 < bytes;
		to += put_byte(to, pattern[i], is_first);
		is_first = false;
	}
	if (is_first) /* stars only; one is not anything to the kernel where a string is empty */
		*to++ = '*';
	*to = 0;
}

static int set_string(const struct kernel_operand *operand, const struct filter_value *constant,
		      char quote, struct kernel_condition *ret_condition, struct tacho_error *error)
{
	char glob[2 * STRING_BYTES_MAX + 2];

	if (constant->kind == FILTER_STRING)
		return set_text(ret_condition, error, "%s%s == %c%.*s%c", operand->name,
				operand->as_text, quote, (int)constant->bytes, constant->text, quote);
	put_glob(constant->text, constant->bytes, glob);
	if (strlen(glob) > STRING_BYTES_MAX)
		return error_set(error, -E2BIG,
				 "the kernel's filters have patterns of %d bytes at most",
				 STRING_BYTES_MAX);
	return set_text(ret_condition, error, "%s%s ~ %c%s%c", operand->name, operand->as_text,
			quote, glob, quote);
}

static int compare_string(const struct kernel_operand *operand, const struct filter_value *constant,
			  struct kernel_condition *ret_condition, struct tacho_error *error)
{
	char quote = choose_quote(constant->text, constant->bytes);

	if (!quote)
		return error_set(error, -ENOTSUP,
				 "the kernel's filters have no string with both kinds of quotes");
	if (memchr(constant->text, 0, constant->bytes) || memchr(constant->text, '\n', constant->bytes))
		return error_set(error, -ENOTSUP,
				 "the kernel's filters have no string with a 0 byte or a newline");
	if (constant->bytes > STRING_BYTES_MAX)
		return error_set(error, -E2BIG,
				 "the kernel's filters have strings of %d bytes at most",
				 STRING_BYTES_MAX);
	return set_string(operand, constant, quote, ret_condition, error);
}

/* ---- both ---- */

/* A number is no string: of a record with such a field the expression is not true, whatever the rest
 * says; the caller sees to that. */
static int compare_equal(const struct kernel_operand *operand, uint32_t opcode,
			 const struct filter_value *constant, struct kernel_condition *ret_condition,
			 struct tacho_error *error)
{
	if (constant->kind == FILTER_DOUBLE)
		return error_set(error, -ENOTSUP,
				 "the kernel's filters have no fractions: '%s' can be compared with "
				 "integers",
				 operand->name);
	if (constant->kind == FILTER_STRING || constant->kind == FILTER_PATTERN)
		return compare_string(operand, constant, ret_condition, error);
	return compare_integer(operand, opcode, value_of(constant) - operand->bias, ret_condition,
			       error);
}

int kernel_condition_compare(const struct kernel_operand *operand, uint32_t opcode,
			     const struct filter_value *constant,
			     struct kernel_condition *ret_condition, struct tacho_error *error)
{
	int ret;

	if (opcode != TACHO_FILTER_UNEQUAL)
		return compare_equal(operand, opcode, constant, ret_condition, error);
	ret = compare_equal(operand, TACHO_FILTER_EQUAL, constant, ret_condition, error);
	return ret ? ret : kernel_condition_not(ret_condition, error);
}

/* ---- bits ---- */

/* Is one of the bits set? */
static int set_any(const struct kernel_operand *operand, uint64_t bits,
		   struct kernel_condition *ret_condition, struct tacho_error *error)
{
	if (!bits)
		return set_verdict(false, ret_condition);
	if (operand->is_signed && operand->kind == KERNEL_OPERAND_INTEGER)
		return set_text(ret_condition, error, "%s & %lld", operand->name, (long long)bits);
	return set_text(ret_condition, error, "%s & 0x%llx", operand->name, (unsigned long long)bits);
}

static int add_bits(const struct kernel_operand *operand, uint64_t bits, bool is_set,
		    struct kernel_condition *condition, struct tacho_error *error)
{
	struct kernel_condition more = { KERNEL_NEVER, NULL };
	int ret = set_any(operand, bits, &more, error);

	if (!ret && !is_set)
		ret = kernel_condition_not(&more, error);
	if (!ret)
		ret = kernel_condition_join(condition, TACHO_FILTER_AND, &more, error);
	if (ret)
		kernel_condition_end(&more);
	return ret;
}

/* All of @ones are set, and none of @zeros. */
static int set_bits(const struct kernel_operand *operand, uint64_t ones, uint64_t zeros,
		    struct kernel_condition *ret_condition, struct tacho_error *error)
{
	int ret = set_verdict(true, ret_condition);

	for (; !ret && ones; ones &= ones - 1)
		ret = add_bits(operand, ones & -ones, true, ret_condition, error);
	if (!ret)
		ret = add_bits(operand, zeros, false, ret_condition, error);
	return ret;
}

int kernel_condition_compare_bits(const struct kernel_operand *operand, uint64_t mask,
				  uint32_t opcode, const struct filter_value *constant,
				  struct kernel_condition *ret_condition, struct tacho_error *error)
{
	uint64_t width = operand->bytes < 8 ? (1ull << 8 * operand->bytes) - 1 : ~0ull;
	int ret;

	if (operand->bias || operand->has_no_bits || (mask & ~width && operand->is_signed) ||
	    (opcode != TACHO_FILTER_EQUAL && opcode != TACHO_FILTER_UNEQUAL) ||
	    constant->kind == FILTER_DOUBLE)
		return error_set(error, -ENOTSUP,
				 "the kernel's filters can ask for bits of '%s' only as in (%s & 4) "
				 "== 4, with bits that it has",
				 operand->name, operand->name);
	mask &= width;
	if (!constant->word && opcode == TACHO_FILTER_UNEQUAL)
		return set_any(operand, mask, ret_condition, error);
	if (constant->word & ~mask)
		ret = set_verdict(false, ret_condition);
	else
		ret = set_bits(operand, mask & constant->word, mask & ~constant->word, ret_condition,
			       error);
	return !ret && opcode == TACHO_FILTER_UNEQUAL ? kernel_condition_not(ret_condition, error) :
							ret;
}
