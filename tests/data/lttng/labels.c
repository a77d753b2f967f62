/* SPDX-License-Identifier: MIT */
#define TRACEPOINT_CREATE_PROBES
#define TRACEPOINT_DEFINE
#include "labels.h"

int main(void)
{
	static const int seen[] = { -128, -3, -2, -1, 0, 3, 4, 80, 90, 100, 1001 };

	for (unsigned int i = 0; i < sizeof(seen) / sizeof(seen[0]); i++)
		tracepoint(labels, seen, seen[i]);
	return 0;
}
