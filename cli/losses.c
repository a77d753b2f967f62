/* SPDX-License-Identifier: MIT */
/* losses.c - see losses.h */
#include "losses.h"

#include <inttypes.h>
#include <stdio.h>

#include "moment.h"
#include "table.h"
#include "text.h"

static void add_row(struct table *table, const struct ctf_lost *lost)
{
	char cpu[16];

	snprintf(cpu, sizeof(cpu), "%" PRId32, lost->cpu);
	table_row(table, lost->events ? count_text(lost->events).text : "?",
		  count_text(lost->packets).text, lost->cpu == CTF_CPU_NONE ? "?" : cpu,
		  moment_text(lost->begin_ns, MOMENT_DAY).text,
		  moment_text(lost->end_ns, MOMENT_DAY).text);
}

void losses_print(const struct stats_counts *counts, uint64_t rows)
{
	static const struct column columns[] = {
		{ "LOST EVENTS", COLUMN_RIGHT }, { "PACKETS", COLUMN_RIGHT },
		{ "CPU", COLUMN_RIGHT },         { "BETWEEN", COLUMN_LEFT },
		{ "AND", COLUMN_LEFT },          { 0 },
	};
	size_t shown = rows && rows < counts->loss_count ? rows : counts->loss_count;
	uint64_t more = counts->loss_count - shown + counts->losses_left_out;
	struct table *table;

	if (!counts->loss_count)
		return;
	putchar('\n');
	table = table_new(columns);
	for (size_t i = 0; i < shown; i++)
		add_row(table, &counts->losses[i]);
	table_print(table);
	if (more)
		printf("and %s more\n", count_text(more).text);
}

static void add_entry(json_object *list, const struct ctf_lost *lost)
{
	json_object *entry = json_append_object(list);

	if (lost->cpu != CTF_CPU_NONE)
		json_add_count(entry, "cpu", (uint64_t)lost->cpu);
	json_add_count(entry, "begin_ns", lost->begin_ns);
	json_add_count(entry, "end_ns", lost->end_ns);
	json_add_count(entry, "events", lost->events);
	json_add_count(entry, "packets", lost->packets);
}

void losses_add(json_object *root, const struct stats_counts *counts)
{
	json_object *list = json_add_array(root, "losses");

	for (size_t i = 0; i < counts->loss_count; i++)
		add_entry(list, &counts->losses[i]);
	json_add_count(root, "losses_left_out", counts->losses_left_out);
}
