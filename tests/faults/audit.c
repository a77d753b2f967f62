/* SPDX-License-Identifier: MIT */
/*
 * audit.c - do traces have what the writers of a book recorded?
 *
 *	audit BOOK exact TRACE..        of each writer: all that it has done, from its first event on
 *	audit BOOK lossy LOST TRACE..   the sum of all: what is in the traces, and LOST
 *	audit BOOK span TRACE..         of each writer: without a gap between its first and its last
 *	audit BOOK some TRACE..         whatever there is
 *
 * In each case: no event that nobody recorded, none twice, none that is damaged. Prints
 * "found N of BEGUN"; exit status 1 when something is wrong.
 */
#include <stdbool.h>
#include <string.h>

#include "book.h"
#include "ctf/read/reader.h"

static struct book *book;
static unsigned char **seen; /* by writer: a byte per number that was begun */
static uint64_t found, wrong;

static void complain(const char *what, uint64_t writer, uint64_t number)
{
	if (++wrong <= 10)
		printf("# %s: writer %llu, number %llu\n", what, (unsigned long long)writer,
		       (unsigned long long)number);
}

static uint64_t field(const struct ctf_event *event, const char *name)
{
	for (uint32_t i = 0; i < event->field_count; i += event->fields[i].span) {
		if (!strcmp(event->fields[i].name, name))
			return event->fields[i].u;
	}
	return UINT64_MAX;
}

static void note(const struct ctf_event *event)
{
	uint64_t writer = field(event, "writer"), number = field(event, "number");

	if (writer >= book->writers || number >= book->page[writer].begun ||
	    field(event, "check") != book_check(writer, number)) {
		complain("nobody recorded this", writer, number);
		return;
	}
	if (seen[writer][number]++)
		complain("it is there twice", writer, number);
	found++;
}

static void read_trace(const char *dir)
{
	struct tacho_error error = { 0 };
	const struct ctf_item *item;
	struct ctf_reader *reader;

	if (ctf_reader_open(dir, &error, &reader)) {
		printf("# %s\n", error.text);
		wrong++;
		return;
	}
	while (ctf_reader_next(reader, &item) > 0) {
		if (item->kind == CTF_ITEM_DAMAGE) {
			printf("# %s\n", item->damage.text);
			wrong++;
		}
		if (item->kind == CTF_ITEM_EVENT && !strcmp(item->event.name, "fault:tick"))
			note(&item->event);
	}
	ctf_reader_close(reader);
}

/* From @number on, as long as they are there. */
static uint64_t run_of(uint64_t writer, uint64_t number)
{
	while (number < book->page[writer].begun && seen[writer][number])
		number++;
	return number;
}

static uint64_t first_of(uint64_t writer)
{
	uint64_t number = 0;

	while (number < book->page[writer].begun && !seen[writer][number])
		number++;
	return number;
}

static void judge_writer(uint64_t writer, bool is_from_first)
{
	uint64_t first = is_from_first ? 0 : first_of(writer);
	uint64_t end = run_of(writer, first);

	if (is_from_first && end < book->page[writer].ended)
		complain("it was done, and is missing", writer, end);
	for (uint64_t number = end; number < book->page[writer].begun; number++) {
		if (seen[writer][number]) {
			complain("it is behind a gap", writer, number);
			return;
		}
	}
}

static void judge_sum(uint64_t lost)
{
	uint64_t begun = 0, ended = 0;

	for (uint64_t i = 0; i < book->writers; i++) {
		begun += book->page[i].begun;
		ended += book->page[i].ended;
	}
	if (found + lost >= ended && found + lost <= begun)
		return;
	printf("# found %llu, lost %llu; done %llu, begun %llu\n", (unsigned long long)found,
	       (unsigned long long)lost, (unsigned long long)ended, (unsigned long long)begun);
	wrong++;
}

static uint64_t sum_begun(void)
{
	uint64_t sum = 0;

	for (uint64_t i = 0; i < book->writers; i++)
		sum += book->page[i].begun;
	return sum;
}

/* Writers may go on while their traces are looked at. */
static struct book *copy_of(const struct book *shared)
{
	size_t bytes = sizeof(*shared) + shared->writers * sizeof(shared->page[0]);
	struct book *copy = malloc(bytes);

	if (!copy)
		exit(1);
	memcpy(copy, shared, bytes);
	return copy;
}

int main(int argc, char **argv)
{
	const char *how = argc > 3 ? argv[2] : "";
	bool is_lossy = !strcmp(how, "lossy");

	if (argc < 4)
		return 2;
	book = copy_of(book_open(argv[1], 0));
	seen = calloc(book->writers, sizeof(*seen));
	for (uint64_t i = 0; i < book->writers; i++)
		seen[i] = calloc(book->page[i].begun + 1, 1);
	for (int i = is_lossy ? 4 : 3; i < argc; i++)
		read_trace(argv[i]);
	if (is_lossy)
		judge_sum(strtoull(argv[3], NULL, 10));
	for (uint64_t i = 0; i < book->writers && (!strcmp(how, "exact") || !strcmp(how, "span"));
	     i++)
		judge_writer(i, !strcmp(how, "exact"));
	printf("found %llu of %llu\n", (unsigned long long)found, (unsigned long long)sum_begun());
	return wrong != 0;
}
