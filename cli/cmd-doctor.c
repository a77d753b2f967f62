/* SPDX-License-Identifier: MIT */
/* cmd-doctor.c - tacho doctor: what is wrong on this machine, and the command that mends it. */
#include <stdarg.h>
#include <stdio.h>

#include "cmd.h"
#include "doctor/doctor.h"
#include "json.h"
#include "say.h"

static struct {
	int json;
} asked;

struct finding *found(struct findings *all, const char *check, enum verdict verdict,
		      const char *fmt, ...)
{
	struct finding *finding = &all->finding[all->count];
	va_list args;

	if (all->count < FINDINGS_MAX - 1)
		all->count++;
	*finding = (struct finding){ .check = check, .verdict = verdict };
	va_start(args, fmt);
	vsnprintf(finding->text, sizeof(finding->text), fmt, args);
	va_end(args);
	return finding;
}

void found_mend(struct finding *finding, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(finding->mend, sizeof(finding->mend), fmt, args);
	va_end(args);
}

static const char *verdict_name(enum verdict verdict)
{
	static const char *const names[] = {
		[VERDICT_OK] = "ok",
		[VERDICT_WARN] = "warn",
		[VERDICT_FAIL] = "FAIL",
	};

	return names[verdict];
}

static void print_finding(const struct finding *finding)
{
	static const enum say_kind kinds[] = {
		[VERDICT_OK] = SAY_GOOD,
		[VERDICT_WARN] = SAY_WARNING,
		[VERDICT_FAIL] = SAY_ERROR,
	};
	enum say_kind kind = kinds[finding->verdict];

	printf("%s%-4s%s  %s: %s\n", say_begin(stdout, kind), verdict_name(finding->verdict),
	       say_end(stdout, kind), finding->check, finding->text);
	if (finding->mend[0])
		printf("      mend it: %s\n", finding->mend);
}

static void print_json(const struct findings *all)
{
	json_object *root = json_object_new_object();
	json_object *list = json_add_array(root, "checks");

	for (size_t i = 0; i < all->count; i++) {
		json_object *entry = json_append_object(list);

		json_add_text(entry, "check", all->finding[i].check);
		json_add_text(entry, "verdict", verdict_name(all->finding[i].verdict));
		json_add_text(entry, "text", all->finding[i].text);
		json_add_text(entry, "mend", all->finding[i].mend);
	}
	json_print(root);
}

static size_t count_verdict(const struct findings *all, enum verdict verdict)
{
	size_t count = 0;

	for (size_t i = 0; i < all->count; i++)
		count += all->finding[i].verdict == verdict;
	return count;
}

static void print_text(const struct findings *all)
{
	size_t failed = count_verdict(all, VERDICT_FAIL);
	size_t warned = count_verdict(all, VERDICT_WARN);

	for (size_t i = 0; i < all->count; i++)
		print_finding(&all->finding[i]);
	if (failed)
		printf("\n%zu of %zu checks failed.\n", failed, all->count);
	else if (warned)
		printf("\nTacho works here; %zu of %zu checks could be better.\n", warned,
		       all->count);
	else
		puts("\nAll is well.");
}

static int run(const struct command *self, const char **arguments)
{
	static struct findings all;

	(void)self;
	(void)arguments;
	doctor_kernel(&all);
	doctor_clock(&all);
	doctor_memory(&all);
	doctor_tracefs(&all);
	doctor_module(&all);
	doctor_parts(&all);
	if (asked.json)
		print_json(&all);
	else
		print_text(&all);
	return count_verdict(&all, VERDICT_FAIL) ? STATUS_FAILED : STATUS_DONE;
}

static const struct poptOption options[] = {
	{ "json", 0, POPT_ARG_NONE, &asked.json, 0, "Print one JSON object", NULL },
	OPTION_HELP_ENTRY,
	POPT_TABLEEND,
};

const struct command cmd_doctor = {
	.name = "doctor",
	.arguments = "",
	.summary = "Check this machine: clock, rseq, memory, permissions; says what to mend",
	.options = options,
	.run = run,
};
