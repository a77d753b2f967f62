/* SPDX-License-Identifier: MIT */
/*
 * read-events.c - how often each event of a trace occurred, or the sum of one of their fields.
 *
 *	cc read-events.c -o read-events $(pkg-config --cflags --libs tacho-reader)
 *	./read-events DIR
 *	./read-events DIR shop:order_placed total
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tacho/reader.h>

#define NAMES_MAX 100

/* Names are borrowed until the reader is closed: they may be kept without a copy. */
struct counts {
	const char *name[NAMES_MAX];
	unsigned long events[NAMES_MAX];
	int used;
};

static void count(struct counts *counts, const char *name)
{
	int i = 0;

	while (i < counts->used && strcmp(counts->name[i], name))
		i++;
	if (i == NAMES_MAX)
		return;
	if (i == counts->used)
		counts->name[counts->used++] = name;
	counts->events[i]++;
}

static void print_counts(const struct counts *counts)
{
	for (int i = 0; i < counts->used; i++)
		printf("%10lu %s\n", counts->events[i], counts->name[i]);
}

/* What of the trace is missing has to be known to whoever believes the numbers. */
static void say_lost(const struct tacho_reader_item *item)
{
	struct tacho_reader_lost lost;
	struct tacho_reader_damage damage;

	if (!tacho_reader_item_lost(item, &lost))
		fprintf(stderr, "%llu events were lost in %.6f s\n",
			(unsigned long long)lost.events,
			(double)(lost.end_ns - lost.begin_ns) / 1e9);
	else if (!tacho_reader_item_damage(item, &damage))
		fprintf(stderr, "%s\n", damage.text);
}

static int count_all(struct tacho_reader *reader)
{
	const struct tacho_reader_item *item;
	struct counts counts = { { NULL }, { 0 }, 0 };
	int more;

	tacho_reader_skip_fields(reader); /* nobody looks at them: that is quicker */
	while ((more = tacho_reader_next(reader, &item)) > 0) {
		if (tacho_reader_item_kind(item) != TACHO_READER_EVENT)
			say_lost(item);
		else if (!tacho_reader_event_is_writer(item))
			count(&counts, tacho_reader_event_name(item));
	}
	print_counts(&counts);
	return more;
}

static int sum_field(struct tacho_reader *reader, const char *event, const char *field)
{
	const struct tacho_reader_item *item;
	double sum = 0;
	int more;

	while ((more = tacho_reader_next(reader, &item)) > 0) {
		const struct tacho_reader_value *value;

		if (tacho_reader_item_kind(item) != TACHO_READER_EVENT)
			say_lost(item);
		if (strcmp(tacho_reader_event_name(item), event))
			continue;
		value = tacho_reader_event_field(item, field);
		sum += value ? tacho_reader_value_f64(value) : 0;
	}
	printf("%.15g\n", sum);
	return more;
}

int main(int argc, char **argv)
{
	struct tacho_reader_error error;
	struct tacho_reader *reader;
	const char *dir;
	int rc;

	if (argc != 2 && argc != 4) {
		fprintf(stderr, "usage: read-events DIR [EVENT FIELD]\n");
		return 2;
	}
	dir = argv[1];
	if (tacho_reader_open(&dir, 1, &error, &reader)) {
		fprintf(stderr, "%s\n", error.text);
		return 1;
	}
	rc = argc == 4 ? sum_field(reader, argv[2], argv[3]) : count_all(reader);
	tacho_reader_close(reader);
	return rc ? 1 : 0;
}
