/* SPDX-License-Identifier: MIT */
/* Compiled as C and as C++; with -DONLY_SITES the probes are somewhere else. */
#ifndef ONLY_SITES
#define TRACEPOINT_CREATE_PROBES
#endif
#define TRACEPOINT_DEFINE
#include "everything.h"

#include <lttng/tracef.h>
#include <lttng/tracelog.h>

int main(void)
{
	tracepoint(every, number, 1000);
	tracepoint(every, text, "text", 3);
	for (int i = -1; i < 4; i++)
		tracepoint(every, label, i);
	tracepoint(every, hidden, 1, "open");
	tracepoint(every, hidden, 2, "closed");
	tracepoint(every, mother, 1);
	tracepoint(every, child, 2);
	if (tracepoint_enabled(every, nothing))
		do_tracepoint(every, nothing);
	tracef("formatted %d", 1);
	tracelog(TRACE_ERR, "formatted %s", "two");
	return 0;
}
