/* SPDX-License-Identifier: MIT */
/*
 * ctf2.h - what a trace's classes are, as the metadata of CTF 2 (ctf/read/ctf2.h).
 *
 * Whatever CTF 1.8 can describe, CTF 2 can, bit for bit: so the packets stay as they are. Roles say
 * what names said, and fields have the names that people know, without the underscore that TSDL puts
 * before them. Mappings are those of CTF 1.8, ranges of variants those of the labels of their tag.
 */
#ifndef TACHO_CTF_WRITE_CTF2_H
#define TACHO_CTF_WRITE_CTF2_H

#include <stdio.h>

#include "ctf/read/trace.h"

/* On a stream; the caller looks at ferror(). Return: 0; -ENOTSUP: CTF 2 cannot say it. */
int ctf2_write(FILE *out, const struct read_trace *trace);

#endif
