/* SPDX-License-Identifier: MIT */
/*
 * show.h - everything about one session: what `status` and `list SESSION` print.
 */
#ifndef TACHO_CLI_SHOW_H
#define TACHO_CLI_SHOW_H

#include "pick.h"

struct show_wish {
	const char *channel; /* only this one and its rules; NULL: all */
	bool json;
};

/* show_session() - Return: exit status. */
int show_session(struct picked *picked, const struct show_wish *wish);

#endif
