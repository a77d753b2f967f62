/* SPDX-License-Identifier: MIT */
/*
 * tracks.h - what a viewer of timelines draws of a trace: processes, their threads, the
 * spans and instants of these, counters, and what was lost.
 *
 *      items of a trace --> export_tracks_item()    who it was, and what it is there
 *                                 |
 *                                 v
 *                           struct export_sink      one form of output
 *
 * SPANS. P:N_begin and P:N_end (tacho_begin(3)), entry and exit of a function (tacho-functions(7)),
 * and what --span says, are begin and end of a span of their thread. Viewers need them nested:
 *
 *      an end                                      the sink is told
 *      of the latest span that is open             end
 *      of one below it                             end of all above it, end, and begin of those
 *                                                  above again (EXPORT_CONTINUED); but those above
 *                                                  which began before events were lost have only
 *                                                  lost their end, and are over (EXPORT_END_LOST)
 *      of none that is open                        instant
 *
 * So what overlaps is drawn as long as it lasted. What is open at the end ends with the last item
 * (EXPORT_UNFINISHED).
 *
 * BOUNDS. EXPORT_THREADS_MAX threads, EXPORT_NAMES_MAX names, EXPORT_DEPTH_MAX spans of a thread
 * that are open at a time; what is beyond is drawn as an instant, and counted.
 */
#ifndef TACHO_CLI_EXPORT_TRACKS_H
#define TACHO_CLI_EXPORT_TRACKS_H

#include <stddef.h>

#include "cli/view/symbols.h"
#include "ctf/read/reader.h"

#define EXPORT_THREADS_MAX  65536
#define EXPORT_NAMES_MAX    65536
#define EXPORT_COUNTERS_MAX 65536
#define EXPORT_DEPTH_MAX    1024

/* A name of a span, an instant, a category or a field: the same pointer for the same text. */
struct export_name {
	const char *text;
	uint32_t id; /* 1, 2, .. */
	struct export_name *next;
};

struct export_process {
	uint32_t pid;       /* 0: not known */
	uint32_t shown_pid; /* differs where processes of several hosts have the same */
	uint32_t number;    /* 1, 2, .. */
	const char *host;   /* or "" */
	char name[64];      /* "" as long as it is not known */
};

struct export_span {
	const struct export_name *name, *category;
	uint64_t begin_ns;
	uint64_t losses; /* that there had been when it began */
};

struct export_thread {
	struct export_process *process;
	uint32_t tid;
	uint32_t number; /* 1, 2, .. */
	char name[64];
	struct export_span *spans; /* open ones */
	uint32_t depth, room;
	uint64_t beyond; /* begins for which there was no room, without an end */
	struct export_thread *next;
};

/* Why a span begins or ends. */
enum export_how {
	EXPORT_PLAIN,      /* by its event */
	EXPORT_CONTINUED,  /* another one that overlaps it ended */
	EXPORT_END_LOST,   /* its end was lost */
	EXPORT_UNFINISHED, /* the trace ended */
};

/* Something that happens on a thread. */
struct export_moment {
	const struct export_thread *thread;
	const struct export_name *name, *category;
	const struct ctf_event *event;  /* NULL unless `how` is EXPORT_PLAIN */
	const struct export_span *span; /* of an end: the one that ends */
	uint64_t time_ns;
	uint32_t depth; /* spans around it */
	enum export_how how;
};

struct export_counter {
	const struct export_process *process;
	const struct export_name *name; /* "shop:stock.total" */
	const char *field;              /* "total" */
	uint32_t number;                /* 1, 2, .. */
};

/* What is said of the trace as a whole, at its end. */
struct export_about {
	const char *hostname; /* NULL: the trace does not say */
	uint64_t begin_ns, end_ns;
	struct ctf_reader_totals totals;
};

/*
 * A form of output. Each is called with the sink itself; start() first, finish() last, and, as
 * often as one likes, flush(). What is NULL is not called; these three and free() are there.
 */
struct export_tracks;

struct export_sink {
	struct export_tracks *tracks; /* that it is the sink of, once these are made */

	/* The first item, and when the trace begins. */
	void (*start)(struct export_sink *sink, const struct ctf_item *item, uint64_t begin_ns);
	/* Return of both: 0 or the first error. */
	int (*flush)(struct export_sink *sink);
	int (*finish)(struct export_sink *sink, const struct export_about *about);
	void (*free)(struct export_sink *sink);

	/* Something is new, or has another name than before. */
	void (*process)(struct export_sink *sink, const struct export_process *process);
	void (*thread)(struct export_sink *sink, const struct export_thread *thread);
	void (*counter)(struct export_sink *sink, const struct export_counter *counter);

	/* Each event, before it is told what it is. */
	void (*event)(struct export_sink *sink, const struct export_thread *thread,
		      const struct ctf_item *item);
	void (*begin)(struct export_sink *sink, const struct export_moment *moment);
	void (*end)(struct export_sink *sink, const struct export_moment *moment);
	void (*instant)(struct export_sink *sink, const struct export_moment *moment);
	void (*count)(struct export_sink *sink, const struct export_counter *counter,
		      uint64_t time_ns, const struct ctf_value *value);
	/* @begin_ns: not before the end of the one before on that CPU */
	void (*lost)(struct export_sink *sink, const struct ctf_lost *lost, uint64_t begin_ns);
	void (*damage)(struct export_sink *sink, const struct ctf_damage *damage, uint64_t time_ns);
};

struct export_tracks_options {
	char *const *counters;        /* "EVENT.FIELD", EVENT a pattern; NULL-terminated */
	char *const *spans;           /* "BEGIN,END" */
	struct view_symbols *symbols; /* to name functions; or NULL */
};

/* export_is_counter(), export_is_span() - may it stand in the options? */
bool export_is_counter(const char *text);
bool export_is_span(const char *text);

/* export_tracks_new() - what @options points to, and the sink, have to stay */
struct export_tracks *export_tracks_new(const struct export_tracks_options *options,
					struct export_sink *sink);
void export_tracks_free(struct export_tracks *tracks);

void export_tracks_item(struct export_tracks *tracks, const struct ctf_item *item);
/* export_tracks_end() - there are no more */
void export_tracks_end(struct export_tracks *tracks);

/* export_tracks_left_out() - events that were not drawn as what they are */
uint64_t export_tracks_left_out(const struct export_tracks *tracks);

/* export_name() - NULL: there are too many */
struct export_name *export_name(struct export_tracks *tracks, const char *text, size_t bytes);

#endif
