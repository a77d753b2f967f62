/* SPDX-License-Identifier: MIT */
/* chrome.c - see chrome.h */
#include "chrome.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/text.h"
#include "ctf/print/out.h"
#include "json.h"

struct chrome {
	struct export_sink sink; /* the first member */
	uint64_t begin_ns;
	bool has_entries, has_named_losses;
	bool cpu_is_named[4096];
	struct read_out out;
};

static struct chrome *chrome_of(struct export_sink *sink)
{
	return (struct chrome *)sink;
}

/* ---- parts of an entry ---- */

static void put_string(struct read_out *out, const char *text)
{
	out_json_string(out, text, strlen(text));
}

static void put_number(struct read_out *out, const char *key, uint64_t number)
{
	out_text(out, key);
	out_unsigned(out, number);
}

static void put_microseconds(struct read_out *out, const char *key, uint64_t ns)
{
	put_number(out, key, ns / 1000);
	out_char(out, '.');
	out_padded(out, ns % 1000, 10, 3);
}

/* What is before the begin, as a loss may be, is at the begin: there are no negative times. */
static uint64_t since_begin(const struct chrome *chrome, uint64_t time_ns)
{
	return time_ns > chrome->begin_ns ? time_ns - chrome->begin_ns : 0;
}

static void begin_entry(struct chrome *chrome, const char *phase, uint64_t pid, uint64_t tid,
			uint64_t time_ns)
{
	struct read_out *out = &chrome->out;

	out_text(out, chrome->has_entries ? ",\n{\"ph\":\"" : "\n{\"ph\":\"");
	chrome->has_entries = true;
	out_text(out, phase);
	put_number(out, "\",\"pid\":", pid);
	put_number(out, ",\"tid\":", tid);
	put_microseconds(out, ",\"ts\":", since_begin(chrome, time_ns));
	out_text(out, ",\"name\":");
}

static void put_metadata(struct chrome *chrome, uint64_t pid, uint64_t tid, const char *name,
			 const char *value)
{
	begin_entry(chrome, "M", pid, tid, chrome->begin_ns);
	put_string(&chrome->out, name);
	out_text(&chrome->out, ",\"args\":{\"name\":");
	put_string(&chrome->out, value);
	out_text(&chrome->out, "}}");
}

static void put_labels(struct chrome *chrome, uint64_t pid, const char *label)
{
	begin_entry(chrome, "M", pid, 0, chrome->begin_ns);
	out_text(&chrome->out, "\"process_labels\",\"args\":{\"labels\":");
	put_string(&chrome->out, label);
	out_text(&chrome->out, "}}");
}

/* ---- who ---- */

static void chrome_process(struct export_sink *sink, const struct export_process *process)
{
	struct chrome *chrome = chrome_of(sink);
	const char *name = *process->name ? process->name : process->pid ? "process" : "unknown";

	put_metadata(chrome, process->shown_pid, process->pid, "process_name", name);
	if (*process->host)
		put_labels(chrome, process->shown_pid, process->host);
}

static void chrome_thread(struct export_sink *sink, const struct export_thread *thread)
{
	if (*thread->name)
		put_metadata(chrome_of(sink), thread->process->shown_pid, thread->tid,
			     "thread_name", thread->name);
}

/* ---- what ---- */

static void put_context(struct read_out *out, const struct ctf_event *event)
{
	bool has_cpu = event->cpu != CTF_CPU_NONE;

	out_text(out, "\"$ctx\":{");
	if (has_cpu)
		put_number(out, "\"cpu\":", (uint64_t)event->cpu);
	if (has_cpu && event->context_count)
		out_char(out, ',');
	export_json_members(out, event->context, event->context_count);
	out_char(out, '}');
}

static void put_args(struct read_out *out, const struct ctf_event *event)
{
	bool has_context = event->cpu != CTF_CPU_NONE || event->context_count;

	out_text(out, ",\"args\":{");
	if (export_json_members(out, event->fields, event->field_count) && has_context)
		out_char(out, ',');
	if (has_context)
		put_context(out, event);
	out_char(out, '}');
}

/* Where no event tells: why. */
static void put_reason(struct read_out *out, enum export_how how)
{
	static const char *const words[] = {
		[EXPORT_PLAIN] = "",
		[EXPORT_CONTINUED] = ",\"args\":{\"continued\":true}",
		[EXPORT_END_LOST] = ",\"args\":{\"end_lost\":true}",
		[EXPORT_UNFINISHED] = ",\"args\":{\"unfinished\":true}",
	};

	out_text(out, words[how]);
}

static void put_moment(struct chrome *chrome, const char *phase, const char *more,
		       const struct export_moment *moment)
{
	struct read_out *out = &chrome->out;

	begin_entry(chrome, phase, moment->thread->process->shown_pid, moment->thread->tid,
		    moment->time_ns);
	put_string(out, moment->name->text);
	out_text(out, ",\"cat\":");
	put_string(out, moment->category->text);
	out_text(out, more);
	if (moment->event)
		put_args(out, moment->event);
	else
		put_reason(out, moment->how);
	out_char(out, '}');
}

static void chrome_begin(struct export_sink *sink, const struct export_moment *moment)
{
	put_moment(chrome_of(sink), "B", "", moment);
}

static void chrome_end(struct export_sink *sink, const struct export_moment *moment)
{
	put_moment(chrome_of(sink), "E", "", moment);
}

static void chrome_instant(struct export_sink *sink, const struct export_moment *moment)
{
	put_moment(chrome_of(sink), "i", ",\"s\":\"t\"", moment);
}

/* A counter is a number, whatever its base, and one that a double can hold is all that is drawn. */
static void chrome_count(struct export_sink *sink, const struct export_counter *counter,
			 uint64_t time_ns, const struct ctf_value *value)
{
	struct chrome *chrome = chrome_of(sink);
	struct read_out *out = &chrome->out;

	begin_entry(chrome, "C", counter->process->shown_pid, 0, time_ns);
	put_string(out, counter->name->text);
	out_text(out, ",\"args\":{");
	put_string(out, counter->field);
	out_char(out, ':');
	if (value->kind == CTF_VALUE_FLOAT)
		export_json_value(out, value);
	else if (value->is_signed)
		out_signed(out, value->i);
	else
		out_unsigned(out, value->u);
	out_text(out, "}}");
}

/* ---- what is missing ---- */

static void name_losses(struct chrome *chrome, int32_t cpu)
{
	size_t known = sizeof(chrome->cpu_is_named) / sizeof(chrome->cpu_is_named[0]);
	char name[32];

	if (!chrome->has_named_losses)
		put_metadata(chrome, EXPORT_CHROME_LOST_PID, 0, "process_name", "lost events");
	chrome->has_named_losses = true;
	if (cpu < 0 || (size_t)cpu >= known || chrome->cpu_is_named[cpu])
		return;
	chrome->cpu_is_named[cpu] = true;
	snprintf(name, sizeof(name), "CPU %d", cpu);
	put_metadata(chrome, EXPORT_CHROME_LOST_PID, (uint64_t)cpu + 1, "thread_name", name);
}

static void put_loss(struct read_out *out, const struct ctf_lost *lost)
{
	put_number(out, ",\"cat\":\"lost\",\"args\":{\"events\":", lost->events);
	put_number(out, ",\"packets\":", lost->packets);
	put_number(out, ",\"begin_ns\":\"", lost->begin_ns);
	put_number(out, "\",\"end_ns\":\"", lost->end_ns);
	out_text(out, "\"}}");
}

/* A span of its CPU, and a mark across all threads where they go on. */
static void chrome_lost(struct export_sink *sink, const struct ctf_lost *lost, uint64_t begin_ns)
{
	struct chrome *chrome = chrome_of(sink);
	struct read_out *out = &chrome->out;
	uint64_t tid = lost->cpu < 0 ? 0 : (uint64_t)lost->cpu + 1;
	uint64_t length_ns = since_begin(chrome, lost->end_ns) - since_begin(chrome, begin_ns);

	name_losses(chrome, lost->cpu);
	begin_entry(chrome, "X", EXPORT_CHROME_LOST_PID, tid, begin_ns);
	put_microseconds(out, "\"lost events\",\"dur\":", length_ns);
	put_loss(out, lost);
	begin_entry(chrome, "i", EXPORT_CHROME_LOST_PID, tid, lost->end_ns);
	out_text(out, "\"lost events\",\"s\":\"g\"");
	put_loss(out, lost);
}

static void chrome_damage(struct export_sink *sink, const struct ctf_damage *damage,
			  uint64_t time_ns)
{
	struct chrome *chrome = chrome_of(sink);
	struct read_out *out = &chrome->out;

	name_losses(chrome, CTF_CPU_NONE);
	begin_entry(chrome, "i", EXPORT_CHROME_LOST_PID, 0, time_ns);
	out_text(out, "\"damaged\",\"cat\":\"lost\",\"s\":\"g\",\"args\":{\"text\":");
	put_string(out, damage->text);
	out_text(out, "}}");
}

/* ---- the whole ---- */

static void chrome_start(struct export_sink *sink, const struct ctf_item *item, uint64_t begin_ns)
{
	(void)item;
	chrome_of(sink)->begin_ns = begin_ns;
}

static int chrome_flush(struct export_sink *sink)
{
	return out_flush(&chrome_of(sink)->out);
}

static int chrome_finish(struct export_sink *sink, const struct export_about *about)
{
	struct read_out *out = &chrome_of(sink)->out;

	out_text(out, "\n],\"otherData\":{\"tool\":\"tacho " TACHO_VERSION "\"");
	put_number(out, ",\"begin_ns\":\"", about->begin_ns);
	put_number(out, "\",\"lost_events\":\"", about->totals.lost_events);
	out_char(out, '"');
	if (about->hostname) {
		out_text(out, ",\"hostname\":");
		put_string(out, about->hostname);
	}
	out_text(out, "}}\n");
	return out_flush(out);
}

static void chrome_free(struct export_sink *sink)
{
	free(chrome_of(sink));
}

struct export_sink *export_chrome_new(int fd)
{
	struct chrome *chrome = xcalloc(1, sizeof(*chrome));

	chrome->sink = (struct export_sink){
		.start = chrome_start,
		.flush = chrome_flush,
		.finish = chrome_finish,
		.free = chrome_free,
		.process = chrome_process,
		.thread = chrome_thread,
		.begin = chrome_begin,
		.end = chrome_end,
		.instant = chrome_instant,
		.count = chrome_count,
		.lost = chrome_lost,
		.damage = chrome_damage,
	};
	chrome->out.fd = fd;
	out_text(&chrome->out, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
	return &chrome->sink;
}
