/* SPDX-License-Identifier: MIT */
/* moment.c - see moment.h */
#include "moment.h"

#include <stdio.h>
#include <time.h>

#define NS_PER_S 1000000000u

struct moment_text moment_text(uint64_t time_ns, enum moment_form form)
{
	static const char *const formats[] = { "%Y-%m-%d %H:%M:%S", "%H:%M:%S", "%s" };
	time_t seconds = (time_t)(time_ns / NS_PER_S);
	struct moment_text t = { "" };
	struct tm tm = { 0 };
	size_t length;

	localtime_r(&seconds, &tm);
	length = strftime(t.text, sizeof(t.text), formats[form], &tm);
	snprintf(t.text + length, sizeof(t.text) - length, ".%09u",
		 (unsigned int)(time_ns % NS_PER_S));
	return t;
}
