/* SPDX-License-Identifier: MIT */
/* time.c - times as text; see print_private.h */
#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "print_private.h"

#define NS_PER_S   1000000000u
#define DATE_BYTES 11u /* "YYYY-MM-DD " */

static void format_second(struct print_second *second, uint64_t seconds)
{
	time_t when = (time_t)seconds;
	struct tm local;

	if (!localtime_r(&when, &local))
		local = (struct tm){ 0 };
	second->begin_ns = seconds * NS_PER_S;
	second->text_bytes = (uint32_t)strftime(second->text, sizeof(second->text),
						"%Y-%m-%d %H:%M:%S.", &local);
}

/* The second in which @time_ns is; mostly that of the event before. */
static const struct print_second *second_of(struct ctf_printer *printer, uint64_t time_ns)
{
	struct print_second *second = &printer->second;

	if (!second->text_bytes || time_ns - second->begin_ns >= NS_PER_S)
		format_second(second, time_ns / NS_PER_S);
	return second;
}

void print_date(struct ctf_printer *printer, uint64_t time_ns)
{
	out_bytes(&printer->out, second_of(printer, time_ns)->text, DATE_BYTES);
}

void print_clock(struct ctf_printer *printer, uint64_t time_ns)
{
	const struct print_second *second = second_of(printer, time_ns);

	out_bytes(&printer->out, second->text + DATE_BYTES, second->text_bytes - DATE_BYTES);
	out_ns(&printer->out, (uint32_t)(time_ns - second->begin_ns));
}

void print_seconds(struct read_out *out, uint64_t time_ns)
{
	uint64_t seconds = time_ns < NS_PER_S ? 0 : time_ns / NS_PER_S;

	out_unsigned(out, seconds);
	out_char(out, '.');
	out_ns(out, (uint32_t)(time_ns - seconds * NS_PER_S));
}

/* ---- since the line before ---- */

#define UNKNOWN "+?.?????????" /* babeltrace2's */

/* babeltrace2 does not go back in time. */
static uint64_t difference(enum ctf_print_format format, uint64_t time_ns, uint64_t since_ns,
			   char *ret_sign)
{
	bool is_back = time_ns < since_ns && format != CTF_PRINT_BABELTRACE;

	*ret_sign = is_back ? '-' : '+';
	return is_back ? since_ns - time_ns : time_ns - since_ns;
}

static void print_difference(struct ctf_printer *printer, uint64_t time_ns, uint64_t since_ns)
{
	char sign;
	uint64_t ns = difference(printer->options.format, time_ns, since_ns, &sign);

	out_char(&printer->out, sign);
	print_seconds(&printer->out, ns);
}

static void add_gap(struct ctf_printer *printer, uint64_t time_ns)
{
	printer->gaps[printer->gap_count++] = (struct ctf_print_gap){
		.offset = out_total(&printer->out),
		.time_ns = time_ns,
		.item_ns = printer->item_ns,
		.format = printer->options.format,
	};
}

void print_since_last(struct ctf_printer *printer, uint64_t time_ns)
{
	if (printer->last.is_known)
		print_difference(printer, time_ns, printer->last.time_ns);
	else if (printer->options.with_gaps && printer->gap_count < CTF_PRINT_GAPS_MAX)
		add_gap(printer, time_ns);
	else if (printer->options.format == CTF_PRINT_BABELTRACE)
		out_text(&printer->out, UNKNOWN);
	else
		print_difference(printer, time_ns, printer->item_ns);
}

size_t ctf_print_gap_text(const struct ctf_print_gap *gap, const struct ctf_print_last *last,
			  char ret_text[CTF_PRINT_GAP_BYTES])
{
	uint64_t since_ns = last->is_known ? last->time_ns : gap->item_ns, ns;
	int bytes;
	char sign;

	ns = difference(gap->format, gap->time_ns, since_ns, &sign);
	if (!last->is_known && gap->format == CTF_PRINT_BABELTRACE)
		bytes = snprintf(ret_text, CTF_PRINT_GAP_BYTES, UNKNOWN);
	else
		bytes = snprintf(ret_text, CTF_PRINT_GAP_BYTES, "%c%" PRIu64 ".%09u", sign,
				 ns / NS_PER_S, (unsigned int)(ns % NS_PER_S));
	return (size_t)bytes;
}
