/* SPDX-License-Identifier: MIT */
/* time.c - times as text; see print_private.h */
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
	second->second = seconds;
	second->text_bytes = (uint32_t)strftime(second->text, sizeof(second->text),
						"%Y-%m-%d %H:%M:%S.", &local);
}

static const struct print_second *second_of(struct ctf_printer *printer, uint64_t seconds)
{
	struct print_second *second = &printer->second;

	if (!second->text_bytes || second->second != seconds)
		format_second(second, seconds);
	return second;
}

void print_date(struct ctf_printer *printer, uint64_t time_ns)
{
	out_bytes(&printer->out, second_of(printer, time_ns / NS_PER_S)->text, DATE_BYTES);
}

void print_clock(struct ctf_printer *printer, uint64_t time_ns)
{
	const struct print_second *second = second_of(printer, time_ns / NS_PER_S);

	out_bytes(&printer->out, second->text + DATE_BYTES, second->text_bytes - DATE_BYTES);
	out_ns(&printer->out, (uint32_t)(time_ns % NS_PER_S));
}

void print_seconds(struct read_out *out, uint64_t time_ns)
{
	out_unsigned(out, time_ns / NS_PER_S);
	out_char(out, '.');
	out_ns(out, (uint32_t)(time_ns % NS_PER_S));
}
