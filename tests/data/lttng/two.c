/* SPDX-License-Identifier: MIT */
/* One version of a library, which has sites and probes in one unit. */
#define TRACEPOINT_DEFINE
#define TRACEPOINT_CREATE_PROBES
#include "two.h"

void CALL(int id);
void CALL(int id)
{
	tracepoint(two, order, "literal", id);
	tracepoint(two, one, "text");
}
