/* SPDX-License-Identifier: MIT */
/*
 * slot_path.h - where the field is that a length or tag comes from: from its slot back to a path.
 */
#ifndef TACHO_CTF_READ_SLOT_PATH_H
#define TACHO_CTF_READ_SLOT_PATH_H

#include "layout.h"

/* The fields from a structure down to one; the structure itself is not among them. */
struct slot_path {
	const struct read_layout *nodes[READ_NESTING_MAX];
	size_t count;
};

/* slot_path_find() - through structures only; false: it is not there */
bool slot_path_find(const struct read_layout *structure, int32_t slot, struct slot_path *ret_path);

#endif
