/* SPDX-License-Identifier: MIT */
/*
 * tsdl.h - what a trace's classes are, as TSDL: the metadata of CTF 1.8.
 *
 * For traces whose own metadata cannot be taken as they are. It says the same of the bytes, with
 * everything written out: no aliases, each type where it is used, byte orders and alignments in
 * full. A length or tag is named by a path from the innermost structure that holds the field, or
 * by one from its scope on.
 */
#ifndef TACHO_EDIT_TSDL_H
#define TACHO_EDIT_TSDL_H

#include <stdio.h>

#include "ctf/read/trace.h"

/* On a stream; the caller looks at ferror(). Return: 0; -ENOTSUP: TSDL cannot say it; -ENOMEM. */
int tsdl_write(FILE *out, const struct read_trace *trace);

#endif
