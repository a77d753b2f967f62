/* SPDX-License-Identifier: MIT */
/*
 * doctor.h - the checks of `tacho doctor`. Each adds findings: what it looked at, how that is, and
 * the command that mends what is not well.
 */
#ifndef TACHO_CLI_DOCTOR_H
#define TACHO_CLI_DOCTOR_H

#include <stddef.h>

enum verdict {
	VERDICT_OK,
	VERDICT_WARN, /* works, but not as well as it could */
	VERDICT_FAIL, /* something does not work */
};

struct finding {
	const char *check;
	enum verdict verdict;
	char text[384];
	char mend[256]; /* "" if nothing is to be done */
};

#define FINDINGS_MAX 32

struct findings {
	struct finding finding[FINDINGS_MAX];
	size_t count;
};

/* found() - add a finding. Return: borrowed, for found_mend(). */
struct finding *found(struct findings *all, const char *check, enum verdict verdict,
		      const char *fmt, ...) __attribute__((format(printf, 4, 5)));
void found_mend(struct finding *finding, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

void doctor_kernel(struct findings *all);  /* rseq, membarrier, limits */
void doctor_clock(struct findings *all);   /* source, cost, agreement of CPUs */
void doctor_memory(struct findings *all);  /* runtime directory and its room */
void doctor_tracefs(struct findings *all); /* the kernel's events */
void doctor_module(struct findings *all);  /* the kernel module */
void doctor_parts(struct findings *all);   /* libraries beside the command, and the loader */

#endif
