/* SPDX-License-Identifier: MIT */
/*
 * error.h - a failure with its explanation.
 *
 * Libraries return a negative errno and fill an error object where the reason is known; only
 * programs print it.
 */
#ifndef TACHO_BASE_ERROR_H
#define TACHO_BASE_ERROR_H

#define TACHO_ERROR_TEXT_BYTES 512

struct tacho_error {
	int code;                          /* negative errno; 0: none */
	char text[TACHO_ERROR_TEXT_BYTES]; /* what was tried, on what, why; no newline */
};

/* error_set() - fill @e, unless NULL. Return: @code. */
int error_set(struct tacho_error *e, int code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif
