/* SPDX-License-Identifier: MIT */
/*
 * print.h - one item of a trace as one line: text for people, or a JSON object.
 *
 *      12:00:00.123456789 [2] 4711/4712 (worker) shop:order_placed id = 7, customer = "Ada"
 *
 *      {"time_ns":1700000000123456789,"cpu":2,"pid":4711,"tid":4712,"thread":"worker",
 *       "event":"shop:order_placed","level":13,"fields":{"id":7,"customer":"Ada"}}
 *
 * Integers of 64 bits are JSON numbers; a float that JSON cannot write (nan, inf) is a string.
 * A struct is an object, an array an array, an enum its label (its number where it has none), and
 * bytes are a string of hexadecimal digits. Bytes of a string that are not UTF-8 become U+FFFD in
 * JSON and \xNN in text.
 *
 *      [12:00:00.123456789] (+0.000000017) host shop:order_placed: { cpu_id = 2 }, { id = 7 }
 *
 * With remarks, text has them between < and > behind the value, and JSON as another member of the
 * event: "symbols":{"caller":"main+0x1f at shop.c:42"}.
 *
 * Lines are gathered in one buffer; whoever stops must call ctf_print_flush().
 */
#ifndef TACHO_CTF_READ_PRINT_H
#define TACHO_CTF_READ_PRINT_H

#include "ctf/read/reader.h"

struct ctf_printer;

enum ctf_print_format {
	CTF_PRINT_TEXT,
	CTF_PRINT_JSON,
	CTF_PRINT_BABELTRACE, /* what babeltrace2 prints if it is not told otherwise */
};

enum ctf_print_time {
	CTF_PRINT_CLOCK,    /* HH:MM:SS.nnnnnnnnn, local */
	CTF_PRINT_DATE,     /* YYYY-MM-DD before it */
	CTF_PRINT_RELATIVE, /* +seconds.nnnnnnnnn since the first item */
	CTF_PRINT_DELTA,    /* the same, since the item before */
	CTF_PRINT_RAW,      /* seconds.nnnnnnnnn since 1970 UTC */
};

struct ctf_print_options {
	int fd;
	enum ctf_print_format format;
	enum ctf_print_time time; /* of text; JSON has nanoseconds */
	bool with_writers;        /* show tacho:writer as well */
	bool with_context; /* also the contexts that only say which thread it was, as the line does */

	bool with_source; /* where the event is in its program, at the end of the line */

	/*
	 * What is in front is printed by somebody else, perhaps later: times since the line before are
	 * left out until there is one. See ctf_print_gaps().
	 */
	bool with_gaps;

	/*
	 * What is said behind a field or context, of text and JSON; NULL: nothing ever is.
	 * Return: a text until the next call; NULL: nothing.
	 */
	const char *(*remark)(void *data, const struct ctf_event *event, uint64_t time_ns,
			      const struct ctf_value *value);
	void *remark_data;
};

/* Return: 0 or -ENOMEM. */
int ctf_printer_new(const struct ctf_print_options *options, struct ctf_printer **ret_printer);
void ctf_printer_free(struct ctf_printer *printer);

/* ctf_print_begin() - relative times are since @time_ns, and not since the first item that is shown */
void ctf_print_begin(struct ctf_printer *printer, uint64_t time_ns);

/*
 * ctf_print_item() - add an item's line
 *
 * Damage is printed as JSON only: in text it belongs to the standard error output, which is the
 * caller's. So does what was lost, in babeltrace2's form, which has all events, also the writers.
 *
 * Return: 1 if there was something to print, 0 if not (a hidden event), -EPIPE when nobody reads
 * any more (stop then: no message), or what write() gave.
 */
int ctf_print_item(struct ctf_printer *printer, const struct ctf_item *item);
int ctf_print_flush(struct ctf_printer *printer);

/* ctf_print_bytes() - how much was printed, flushed or not */
uint64_t ctf_print_bytes(const struct ctf_printer *printer);

/* What times of the next line are since, if they are since the one before. */
struct ctf_print_last {
	bool is_known; /* there was such a line */
	uint64_t time_ns;
};

/* ctf_print_last() - @io_last: stays what it is if nothing was printed that has a time */
void ctf_print_last(const struct ctf_printer *printer, struct ctf_print_last *io_last);

/* A time that was left out. */
struct ctf_print_gap {
	uint64_t offset;  /* of the byte that it stands in front of, in all that is printed */
	uint64_t time_ns; /* itself */
	uint64_t item_ns; /* of the line */
	enum ctf_print_format format;
};

#define CTF_PRINT_GAPS_MAX  3 /* a loss is told when, and lies between two times */
#define CTF_PRINT_GAP_BYTES 32

/* ctf_print_gaps() - Return: how many there are; once a line was printed there come no more. */
unsigned int ctf_print_gaps(const struct ctf_printer *printer,
			    struct ctf_print_gap ret_gaps[CTF_PRINT_GAPS_MAX]);

/* ctf_print_gap_text() - what belongs there. Return: its bytes; no 0 byte is behind them. */
size_t ctf_print_gap_text(const struct ctf_print_gap *gap, const struct ctf_print_last *last,
			  char ret_text[CTF_PRINT_GAP_BYTES]);

#endif
