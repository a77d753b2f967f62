/* SPDX-License-Identifier: MIT */
#define TRACEPOINT_CREATE_PROBES
#define TRACEPOINT_DEFINE
#include "wide.h"

int main(void)
{
	static const int text[] = { 'a', 'b', 'c' };

	tracepoint(wide, text, text, "abc", 3);
	return 0;
}
