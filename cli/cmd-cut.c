/* SPDX-License-Identifier: MIT */
/*
 * cmd-cut.c - tacho cut: a part of a trace as a trace of its own.
 */
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "new_trace.h"
#include "options.h"
#include "say.h"
#include "view/find.h"
#include "view/known.h"
#include "view/walk.h"

static struct {
	const char *output, *format;
	struct view_select_options select;
} asked;

static enum edit_verdict judge(void *data, const struct ctf_item *item)
{
	switch (view_select_judge(data, item)) {
	case VIEW_SHOW:
		return EDIT_KEEP;
	case VIEW_END:
		return EDIT_END;
	case VIEW_SKIP:
		break;
	}
	return EDIT_DROP;
}

static int cut(const struct command *self, const char *dir, struct view_select *select)
{
	struct view_walk walk = { .dir = dir, .select = select, .without_fields = true };
	struct edit_request request = {
		.inputs = &dir,
		.input_count = 1,
		.output = asked.output,
		.judge = judge,
		.data = select,
	};
	struct edit_totals totals;
	int err, status = view_walk_prepare(&walk, &err);

	if (!status)
		view_known_warn(dir, select, NULL);
	if (!status && err)
		status = fail("cannot read the trace: %s", strerror(-err));
	if (!status)
		status = new_trace_make(self, &request, asked.format, &totals);
	if (!status && !totals.events && !totals.damages)
		say(SAY_WARNING, "no event of the trace is among what was asked for; what there is: "
				 "tacho view --summary");
	if (!status && totals.damages)
		status = STATUS_FAILED;
	return status;
}

static int run(const struct command *self, const char **arguments)
{
	struct view_select *select;
	int status;
	char *dir;

	if (!asked.output)
		return wrong_use(self, "say where the new trace is to be: -o DIR");
	status = view_select_new(self, &asked.select, &select);
	if (status)
		return status;
	dir = view_find(self, arguments[0]);
	status = dir ? cut(self, dir, select) : STATUS_FAILED;
	free(dir);
	view_select_free(select);
	return status;
}

static const struct poptOption options[] = {
	NEW_TRACE_OPTIONS(asked.output, asked.format),
	VIEW_SELECT_OPTIONS(asked.select),
	OPTION_HELP_ENTRY,
	POPT_TABLEEND,
};

const struct command cmd_cut = {
	.name = "cut",
	.arguments = "[DIR|SESSION|last]",
	.summary = "Make a trace of a part of one: of a time, of some events, processes, CPUs",
	.examples = "  tacho cut -o /tmp/crash --last 5s web\n"
		    "  tacho cut -o /tmp/orders --event 'shop:order_*' --begin 12:00 --end 12:05\n",
	.options = options,
	.arguments_max = 1,
	.run = run,
};
