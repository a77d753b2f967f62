/* SPDX-License-Identifier: MIT */
/*
 * say.h - messages for people, on the standard error output. Each line starts with "tacho: ", so
 * that it can be told from what a recorded program writes there. Colour only on a terminal, and
 * not with NO_COLOR.
 */
#ifndef TACHO_CLI_SAY_H
#define TACHO_CLI_SAY_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"

enum say_kind {
	SAY_PLAIN,
	SAY_WARNING, /* yellow */
	SAY_ERROR,   /* red */
	SAY_GOOD,    /* green */
};

bool say_is_coloured(FILE *out);

/* The sequences that switch a kind's colour on and off on @out; "" where there is no colour. */
const char *say_begin(FILE *out, enum say_kind kind);
const char *say_end(FILE *out, enum say_kind kind);

/* say() - one line. */
void say(enum say_kind kind, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* fail() - say an error. Return: STATUS_FAILED. */
int fail(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* fail_with() - say what a library found. Return: STATUS_FAILED. */
int fail_with(const struct tacho_error *error);
/* output_failure() - why the standard output takes nothing; @err: an errno. */
const char *output_failure(int err);

#endif
