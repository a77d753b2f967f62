/* SPDX-License-Identifier: MIT */
/* A program, with library.c's events. */
#include "everything.h"

void library_call(void);

int main(void)
{
	library_call();
	tracepoint(every, mother, 2);
	return !tracepoint_enabled(every, mother);
}
