/* SPDX-License-Identifier: MIT */
/*
 * filter.h - filter expressions: compiled by tools, run by traced programs.
 *
 *	tool                                   traced program
 *	----                                   --------------
 *	text  --filter_compile()-->  struct tacho_filter (format/filter.h)
 *	                             in the session's file
 *	                                  |  copy, filter_check()
 *	                                  v
 *	                                       filter_link() to each event of the rule
 *	                                       filter_run_parts() for each record: yes or no
 *
 * WHAT AN EXPRESSION MEANS is for people in tacho-filter(7). In short, it is C's, but integers
 * behave as if they had more than 64 bits:
 *
 *	- Integers are 64 bits, signed or unsigned. Fields of less are signed, whatever they were;
 *	  unsigned fields of 8 bytes, and literals that are larger than INT64_MAX or have a `u`, are
 *	  unsigned. They are compared as numbers: -1 < 1u.
 *	- + - * / % and unary - give the exact number where it is from INT64_MIN to UINT64_MAX, else
 *	  its low 64 bits. The result is unsigned where it does not fit signed, or where it is not
 *	  negative and an operand was unsigned. A division by zero ends the evaluation: false.
 *	- & | ^ ~ << >> work on bits. The result is unsigned where an operand was; of shifts, where the
 *	  left one was. >> of signed keeps the sign. A shift by less than 0 or more than 63: false.
 *	- An integer that meets a double becomes one.
 *	- Strings: == and != only. `*` in a literal is anything, also nothing.
 *	- && and || evaluate what they need, from the left.
 *
 * AN EVENT THAT LACKS A FIELD which the expression names, anywhere in it, does not match, whatever
 * the rest says: neither `missing == 1`, nor `!missing`, nor `1 || missing`. The same where the type
 * of a field does not fit what is done with it (name < 5). filter_link() finds that out once. An
 * element of a sequence that is not there ends the evaluation of this record only, when it is
 * reached: false.
 */
#ifndef TACHO_FILTER_FILTER_H
#define TACHO_FILTER_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/filter.h"
#include "tacho/abi.h"

/* ---- compile.c: for tools ---- */

#define FILTER_TEXT_MAX 16384

/* What is wrong with a text, or doubtful in it. */
struct filter_complaint {
	size_t at;      /* byte of the text */
	char what[320]; /* "": nothing */
};

/*
 * filter_perf_fn() - the number of a hardware counter as a context of the session
 * @name: as in `$ctx.perf:thread:cycles`, without "$ctx."
 *
 * Return: enum tacho_context; negative: the session has none of this name.
 */
typedef int (*filter_perf_fn)(void *data, const char *name);

/*
 * filter_compile() - an expression as a program
 * @perf: NULL: no counters can be named
 * @ret_filter: free() it
 * @ret_warning: `what` is "" where there is none
 *
 * Return: 0; -EINVAL, or -E2BIG if it is too long or too deeply nested, with @reterr filled;
 * -ENOMEM.
 */
int filter_compile(const char *text, filter_perf_fn perf, void *perf_data,
		   struct tacho_filter **ret_filter, struct filter_complaint *ret_warning,
		   struct filter_complaint *reterr);

/* filter_column() - of a byte of the text: the first is 1, and a character of UTF-8 counts once */
size_t filter_column(const char *text, size_t at);

/* filter_excerpt() - two lines: the text near @at, and below it a caret. Each is indented, and ends
 * with a newline. */
#define FILTER_EXCERPT_BYTES 768
void filter_excerpt(const char *text, size_t at, char ret_lines[FILTER_EXCERPT_BYTES]);

/* ---- check.c ---- */

/*
 * filter_check() - may this be run?
 * @filter: memory that nobody else can change, at a multiple of 8
 *
 * Context: any; linear in @bytes, keeps nothing. Return: 0, or -EBADMSG.
 */
int filter_check(const struct tacho_filter *filter, size_t bytes);

/* ---- values ---- */

enum filter_kind {
	FILTER_NOTHING = 0,
	FILTER_SIGNED,
	FILTER_UNSIGNED,
	FILTER_DOUBLE,
	FILTER_STRING,
	FILTER_PATTERN, /* only from the program */
};

struct filter_value {
	union {
		uint64_t word; /* FILTER_SIGNED: in two's complement */
		double real;
		const char *text; /* may change meanwhile */
	};
	uint32_t bytes; /* of text */
	uint32_t kind;  /* enum filter_kind */
};

/* filter_context_fn() - the value of a context (enum tacho_context), now and here. Return: 0;
 * negative: there is none, so the expression is false. */
typedef int (*filter_context_fn)(void *data, uint32_t context, struct filter_value *ret_value);

/* ---- link.c: to an event ---- */

struct filter_linked;

/* filter_linked_bytes() - how much memory filter_link() needs */
size_t filter_linked_bytes(const struct tacho_filter *filter, const struct tacho_desc *desc);

/*
 * filter_link() - find the fields of the expression in an event
 * @filter: checked; it has to stay as long as the result is used
 * @desc:   the event
 * @memory: at a multiple of 8; where the result is
 *
 * Context: any; at most fields of the event x fields of the expression comparisons of names.
 * Return: what to run, within @memory; NULL: the event never matches, or @bytes do not suffice.
 */
const struct filter_linked *filter_link(const struct tacho_filter *filter,
					const struct tacho_desc *desc, void *memory, size_t bytes);

/* ---- lacks.c: for tools ---- */

/* filter_lacks() - the first field that the expression names and the event does not have; NULL: it
 * has all. @filter: checked */
const struct tacho_filter_field *filter_lacks(const struct tacho_filter *filter,
					      const struct tacho_desc *desc);

/* ---- run.c ---- */

/*
 * filter_run_parts() - does a record match?
 * @parts, @count: its payload, as tacho_emit_parts() gets it, with the parts behind it of fields that
 *                 only filters see
 * @data: for @context, which may be NULL: then there are none
 *
 * Reads nothing outside of the parts. What other threads change in them meanwhile may give either
 * answer, and no harm.
 *
 * Context: any, with less than 1 KiB of stack; takes no lock, allocates nothing, keeps errno and the
 * state of floating point. Time: at most TACHO_FILTER_OPS_MAX operations, each of them at most a walk
 * over the event's fields or a comparison of a string; comparisons with patterns together have
 * FILTER_STEPS_MAX steps, and then the answer is no.
 */
#define FILTER_STEPS_MAX (1u << 22)
bool filter_run_parts(const struct filter_linked *linked, const struct tacho_part *parts,
		      uint32_t count, filter_context_fn context, void *data);

/* Where values come from, for those who have other than parts. Return of both: 0, or negative: there
 * is none, so the expression is false. */
struct filter_source {
	int (*field)(struct filter_source *source, uint32_t field, struct filter_value *ret_value);
	filter_context_fn context;
	void *context_data;
};

/* filter_run() - does what @source has match? @filter: checked */
bool filter_run(const struct tacho_filter *filter, struct filter_source *source);

#endif
