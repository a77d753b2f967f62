/* SPDX-License-Identifier: MIT */
/* A library that has the events, whole; its users have sites. */
#define TRACEPOINT_DEFINE
#define TRACEPOINT_CREATE_PROBES
#include "everything.h"

void library_call(void);
void library_call(void)
{
	tracepoint(every, mother, 1);
}
