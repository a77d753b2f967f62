/* SPDX-License-Identifier: MIT */
/* output.c - see output.h */
#include "output.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>

#include "cli/say.h"
#include "cli/text.h"
#include "csv.h"

struct view_output {
	int fd;
	uint64_t shown;
	bool has_begun;
	bool has_loss;               /* that was not shown */
	struct ctf_printer *printer; /* one of these two */
	struct view_csv *csv;
};

int view_output_new(const struct view_output_options *options, struct view_output **ret_output)
{
	struct view_output *output = xcalloc(1, sizeof(*output));
	int err = 0;

	output->fd = options->print.fd;
	if (options->is_csv)
		output->csv = view_csv_new(output->fd, options->columns, !options->without_header);
	else
		err = ctf_printer_new(&options->print, &output->printer);
	if (err)
		view_output_free(output);
	else
		*ret_output = output;
	return err;
}

void view_output_free(struct view_output *output)
{
	if (!output)
		return;
	if (output->printer)
		ctf_printer_free(output->printer);
	view_csv_free(output->csv);
	free(output);
}

void view_output_begin(struct view_output *output, uint64_t time_ns)
{
	if (output->printer && !output->has_begun)
		ctf_print_begin(output->printer, time_ns);
	output->has_begun = true;
}

/* A line of CSV is an event, so what is missing is said elsewhere. */
static int csv_item(struct view_output *output, const struct ctf_item *item)
{
	output->has_loss |= item->kind == CTF_ITEM_LOST;
	if (item->kind != CTF_ITEM_EVENT)
		return 0;
	output->shown++;
	return view_csv_event(output->csv, &item->event, item->time_ns);
}

int view_output_item(struct view_output *output, const struct ctf_item *item)
{
	int printed;

	if (output->csv)
		return csv_item(output, item);
	printed = ctf_print_item(output->printer, item);
	output->shown += printed > 0;
	return printed < 0 ? printed : 0;
}

bool view_output_has_reader(int fd)
{
	struct pollfd pollfd = { .fd = fd };

	return poll(&pollfd, 1, 0) <= 0 || !(pollfd.revents & POLLERR);
}

int view_output_flush(struct view_output *output)
{
	int err = output->csv ? view_csv_flush(output->csv) : ctf_print_flush(output->printer);

	return err || view_output_has_reader(output->fd) ? err : -EPIPE;
}

uint64_t view_output_shown(const struct view_output *output)
{
	return output->shown;
}

uint64_t view_output_bytes(const struct view_output *output)
{
	return output->csv ? view_csv_bytes(output->csv) : ctf_print_bytes(output->printer);
}

void view_output_say_loss(const struct view_output *output, bool *io_is_said)
{
	if (!output->has_loss || *io_is_said)
		return;
	say(SAY_WARNING, "events were lost; when, and how many: tacho stats");
	*io_is_said = true;
}

void view_output_last(const struct view_output *output, struct ctf_print_last *io_last)
{
	if (output->printer)
		ctf_print_last(output->printer, io_last);
}

unsigned int view_output_gaps(const struct view_output *output,
			      struct ctf_print_gap ret_gaps[CTF_PRINT_GAPS_MAX])
{
	return output->printer ? ctf_print_gaps(output->printer, ret_gaps) : 0;
}
