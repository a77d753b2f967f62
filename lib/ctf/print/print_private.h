/* SPDX-License-Identifier: MIT */
/* print_private.h - between print.c and the formats */
#ifndef TACHO_CTF_READ_PRINT_PRIVATE_H
#define TACHO_CTF_READ_PRINT_PRIVATE_H

#include "out.h"
#include "print.h"

/* A second of local time as text: asking for the time zone takes longer than all the rest. */
struct print_second {
	uint64_t begin_ns;   /* since 1970 */
	char text[32];       /* "YYYY-MM-DD HH:MM:SS." */
	uint32_t text_bytes; /* 0: nothing is at hand */
};

/* Where a trace comes from, as text. */
struct print_origin {
	const char *host;    /* "" where the trace does not say */
	const char *program; /* the same */
	const char *pid;     /* NULL where the trace does not say */
};

/*
 * What stands in front of an event's fields, of the event before: most often that is also what
 * stands there of the next one. Names are borrowed from traces, so the same name is the same pointer.
 */
#define PRINT_HEAD_BYTES 512

struct print_head {
	const char *name;
	const struct read_trace *trace;
	int32_t cpu;
	uint32_t pid, tid;
	char thread[64];
	uint32_t bytes; /* 0: nothing is at hand */
	char text[PRINT_HEAD_BYTES];
};

struct ctf_printer {
	struct ctf_print_options options;
	bool has_begin; /* first_ns is set */
	uint64_t first_ns;
	uint64_t item_ns;           /* of the item at hand */
	struct ctf_print_last last; /* of the one before; in babeltrace2's form, of an event */
	struct ctf_print_gap gaps[CTF_PRINT_GAPS_MAX];
	unsigned int gap_count;
	struct print_second second;
	struct print_head head;
	const struct read_trace *trace; /* whose host is at hand, in babeltrace2's form */
	struct print_origin origin;
	const struct read_clock *clock; /* whose offset is at hand, in babeltrace2's form */
	uint64_t clock_base_ns;
	struct read_out out;
};

/*
 * print_head() - what @print prints of an event, if it depends on nothing but its name, trace, CPU and
 * thread
 */
typedef void (*print_head_fn)(struct ctf_printer *printer, const struct ctf_event *event);
void print_head(struct ctf_printer *printer, const struct ctf_event *event, print_head_fn print);

/* print_is_wanted() - is this value of an event's context to be shown? */
bool print_is_wanted(const struct ctf_printer *printer, const struct ctf_value *context);
/* print_is_unavailable() - is it a counter that could not be read? */
bool print_is_unavailable(const struct ctf_value *context);

/* print_remark() - what is to be said about a value; NULL: nothing */
static inline const char *print_remark(const struct ctf_printer *printer,
				       const struct ctf_event *event, uint64_t time_ns,
				       const struct ctf_value *value)
{
	const struct ctf_print_options *options = &printer->options;

	return options->remark ? options->remark(options->remark_data, event, time_ns, value) : NULL;
}

/* print_clock() - the time of day; print_date() - the day before it */
void print_clock(struct ctf_printer *printer, uint64_t time_ns);
void print_date(struct ctf_printer *printer, uint64_t time_ns);
/* print_seconds() - "12.000000017" */
void print_seconds(struct read_out *out, uint64_t time_ns);
/* print_since_last() - how much later than the line before it is, or a gap */
void print_since_last(struct ctf_printer *printer, uint64_t time_ns);

void print_text_item(struct ctf_printer *printer, const struct ctf_item *item);
void print_babeltrace_item(struct ctf_printer *printer, const struct ctf_item *item);
void print_json_item(struct ctf_printer *printer, const struct ctf_item *item);

#endif
