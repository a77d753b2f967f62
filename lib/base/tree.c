/* SPDX-License-Identifier: MIT */
/* tree.c - see tree.h */
#include "base/tree.h"

#include <fts.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static FTS *open_tree(const char *dir)
{
	char *const tops[] = { (char *)dir, NULL };

	return fts_open(tops, FTS_PHYSICAL | FTS_NOCHDIR | FTS_XDEV, NULL);
}

static bool is_file(const FTSENT *entry, const char *name)
{
	return entry->fts_info == FTS_F && entry->fts_statp->st_size > 0 &&
	       !strcmp(entry->fts_name, name);
}

bool tree_has_file(const char *dir, const char *name)
{
	FTS *tree = open_tree(dir);
	bool found = false;
	FTSENT *entry;

	if (!tree)
		return false;
	while (!found && (entry = fts_read(tree)))
		found = is_file(entry, name);
	fts_close(tree);
	return found;
}

void tree_remove(const char *dir, bool keep_dir)
{
	FTS *tree = open_tree(dir);
	FTSENT *entry;

	if (!tree)
		return;
	while ((entry = fts_read(tree))) {
		/* A directory comes again once all below it is gone. */
		if (entry->fts_info != FTS_D && (!keep_dir || entry->fts_level > FTS_ROOTLEVEL))
			remove(entry->fts_path);
	}
	fts_close(tree);
}
