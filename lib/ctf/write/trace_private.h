/* SPDX-License-Identifier: MIT */
/*
 * trace_private.h - what trace.c and stream*.c share.
 */
#ifndef TACHO_CTF_TRACE_PRIVATE_H
#define TACHO_CTF_TRACE_PRIVATE_H

#include "trace.h"

struct ctf_trace {
	struct ctf_trace_info info;
	char *dir;
	char *path; /* of the directory with the metadata */
	int dir_fd;
	int index_fd;
};

#endif
