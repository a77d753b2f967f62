/* SPDX-License-Identifier: MIT */
/* print.c - see print.h */
#include "print.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "format/session.h"
#include "print_private.h"

int ctf_printer_new(const struct ctf_print_options *options, struct ctf_printer **ret_printer)
{
	struct ctf_printer *printer = malloc(sizeof(*printer));

	if (!printer)
		return -ENOMEM;
	printer->options = *options;
	printer->has_begin = false;
	printer->last.is_known = false;
	printer->gap_count = 0;
	printer->second.text_bytes = 0;
	printer->head.bytes = 0;
	printer->trace = NULL;
	printer->clock = NULL;
	printer->out.fd = options->fd;
	printer->out.error = 0;
	printer->out.used = 0;
	printer->out.flushed = 0;
	*ret_printer = printer;
	return 0;
}

void ctf_printer_free(struct ctf_printer *printer)
{
	free(printer);
}

void ctf_print_begin(struct ctf_printer *printer, uint64_t time_ns)
{
	printer->first_ns = time_ns;
	printer->has_begin = true;
}

static bool is_head_of(const struct print_head *head, const struct ctf_event *event)
{
	return head->bytes && head->name == event->name && head->trace == event->trace &&
	       head->tid == event->tid && head->pid == event->pid && head->cpu == event->cpu &&
	       !strcmp(head->thread, event->thread);
}

static void keep_head(struct print_head *head, const struct ctf_event *event, const char *text,
		      size_t bytes)
{
	size_t thread_bytes = strlen(event->thread) + 1;

	head->bytes = 0;
	if (bytes > sizeof(head->text) || thread_bytes > sizeof(head->thread))
		return;
	head->name = event->name;
	head->trace = event->trace;
	head->cpu = event->cpu;
	head->pid = event->pid;
	head->tid = event->tid;
	memcpy(head->thread, event->thread, thread_bytes);
	memcpy(head->text, text, bytes);
	head->bytes = (uint32_t)bytes;
}

void print_head(struct ctf_printer *printer, const struct ctf_event *event, print_head_fn print)
{
	struct read_out *out = &printer->out;
	size_t from;

	if (is_head_of(&printer->head, event)) {
		out_bytes(out, printer->head.text, printer->head.bytes);
		return;
	}
	/* What fits into the head does not make it flush then. */
	if (READ_OUT_BYTES - out->used < PRINT_HEAD_BYTES + 1)
		out_flush(out);
	from = out->used;
	print(printer, event);
	keep_head(&printer->head, event, out->data + from,
		  out->used > from ? out->used - from : SIZE_MAX);
}

bool print_is_wanted(const struct ctf_printer *printer, const struct ctf_value *context)
{
	static const char *const repeated[] = { "pid", "vpid", "tid", "vtid", "procname" };

	if (printer->options.with_context)
		return true;
	for (size_t i = 0; i < sizeof(repeated) / sizeof(repeated[0]); i++) {
		if (!strcmp(context->name, repeated[i]))
			return false;
	}
	return true;
}

bool print_is_unavailable(const struct ctf_value *context)
{
	return context->kind == CTF_VALUE_UNSIGNED && context->bits == 64 &&
	       context->u == TACHO_PERF_UNAVAILABLE && !strncmp(context->name, "perf_", 5);
}

static bool is_shown(const struct ctf_printer *printer, const struct ctf_item *item)
{
	enum ctf_print_format format = printer->options.format;

	if (item->kind == CTF_ITEM_EVENT)
		return !item->event.is_writer || printer->options.with_writers ||
		       format == CTF_PRINT_BABELTRACE;
	return format == CTF_PRINT_JSON ||
	       (format == CTF_PRINT_TEXT && item->kind == CTF_ITEM_LOST);
}

static void print_item(struct ctf_printer *printer, const struct ctf_item *item)
{
	switch (printer->options.format) {
	case CTF_PRINT_TEXT:
		print_text_item(printer, item);
		break;
	case CTF_PRINT_JSON:
		print_json_item(printer, item);
		break;
	case CTF_PRINT_BABELTRACE:
		print_babeltrace_item(printer, item);
		break;
	}
}

int ctf_print_item(struct ctf_printer *printer, const struct ctf_item *item)
{
	if (!is_shown(printer, item))
		return 0;
	if (!printer->has_begin)
		ctf_print_begin(printer, item->time_ns);
	printer->item_ns = item->time_ns;
	print_item(printer, item);
	if (printer->options.format != CTF_PRINT_BABELTRACE)
		printer->last = (struct ctf_print_last){ true, item->time_ns };
	return printer->out.error ? printer->out.error : 1;
}

int ctf_print_flush(struct ctf_printer *printer)
{
	return out_flush(&printer->out);
}

uint64_t ctf_print_bytes(const struct ctf_printer *printer)
{
	return out_total(&printer->out);
}

void ctf_print_last(const struct ctf_printer *printer, struct ctf_print_last *io_last)
{
	if (printer->last.is_known)
		*io_last = printer->last;
}

unsigned int ctf_print_gaps(const struct ctf_printer *printer,
			    struct ctf_print_gap ret_gaps[CTF_PRINT_GAPS_MAX])
{
	memcpy(ret_gaps, printer->gaps, sizeof(printer->gaps));
	return printer->gap_count;
}
