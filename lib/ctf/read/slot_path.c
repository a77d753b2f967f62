/* SPDX-License-Identifier: MIT */
/* slot_path.c - see slot_path.h */
#include "slot_path.h"

static bool find(const struct read_layout *node, int32_t slot, struct slot_path *path)
{
	if (!node || node->kind != READ_STRUCT || path->count == READ_NESTING_MAX)
		return false;
	for (uint32_t i = 0; i < node->child_count; i++) {
		const struct read_layout *child = &node->children[i];

		path->nodes[path->count++] = child;
		if (child->slot == slot || find(child, slot, path))
			return true;
		path->count--;
	}
	return false;
}

bool slot_path_find(const struct read_layout *structure, int32_t slot, struct slot_path *ret_path)
{
	ret_path->count = 0;
	return find(structure, slot, ret_path);
}
