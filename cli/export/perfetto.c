/* SPDX-License-Identifier: MIT */
/* perfetto.c - see perfetto.h */
#include "perfetto.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "annotate.h"
#include "cli/text.h"
#include "ctf/print/out.h"
#include "ctf/read/types.h"
#include "proto.h"

/* Of Trace and TracePacket. */
enum {
	TRACE_PACKET = 1,
	PACKET_CLOCK_SNAPSHOT = 6,
	PACKET_TIMESTAMP = 8,
	PACKET_SEQUENCE_ID = 10,
	PACKET_TRACK_EVENT = 11,
	PACKET_INTERNED_DATA = 12,
	PACKET_SEQUENCE_FLAGS = 13,
	PACKET_PREVIOUS_DROPPED = 42,
	PACKET_CLOCK_ID = 58,
	PACKET_TRACK_DESCRIPTOR = 60,
	PACKET_FIRST_ON_SEQUENCE = 87,

	FLAG_STATE_CLEARED = 1,
	FLAG_NEEDS_STATE = 2,
};

enum {
	SNAPSHOT_CLOCKS = 1,
	SNAPSHOT_PRIMARY = 2,
	CLOCK_ID = 1,
	CLOCK_TIMESTAMP = 2,

	CLOCK_IS_REALTIME = 1,
	CLOCK_IS_MONOTONIC = 3,
};

enum {
	TRACK_UUID = 1,
	TRACK_NAME = 2,
	TRACK_PROCESS = 3,
	TRACK_THREAD = 4,
	TRACK_PARENT = 5,
	TRACK_COUNTER = 8,
	PROCESS_PID = 1,
	PROCESS_NAME = 6,
	THREAD_PID = 1,
	THREAD_TID = 2,
	THREAD_NAME = 5,
};

enum {
	EVENT_CATEGORY_IIDS = 3,
	EVENT_ANNOTATIONS = 4,
	EVENT_TYPE = 9,
	EVENT_NAME_IID = 10,
	EVENT_TRACK = 11,
	EVENT_COUNTER_VALUE = 30,
	EVENT_DOUBLE_COUNTER_VALUE = 44,

	TYPE_BEGIN = 1,
	TYPE_END = 2,
	TYPE_INSTANT = 3,
	TYPE_COUNTER = 4,
};

/* Numbers of tracks: what it is, and which one. */
enum {
	OF_PROCESS = 1,
	OF_THREAD,
	OF_COUNTER,
	OF_LOST,
	OF_LOST_CPU,
};

#define SEQUENCE_ID 1
#define CPUS_MAX    4096

struct perfetto {
	struct export_sink sink; /* the first member */
	struct export_names names;
	uint64_t begin_ns;
	bool has_packets, has_dropped, has_lost_track;
	bool cpu_is_named[CPUS_MAX];
	struct proto packet, event;
	struct read_out out;
};

static struct perfetto *perfetto_of(struct export_sink *sink)
{
	return (struct perfetto *)sink;
}

static uint64_t track(uint64_t kind, uint64_t number)
{
	return kind << 48 | number;
}

/* ---- packets ---- */

/* What comes between the two goes into perfetto->event. */
static struct proto *begin_packet(struct perfetto *perfetto)
{
	perfetto->event.used = 0;
	return &perfetto->event;
}

static void put_sequence(struct perfetto *perfetto)
{
	struct proto *packet = &perfetto->packet;
	bool is_fresh = !perfetto->has_packets || perfetto->has_dropped;

	proto_unsigned(packet, PACKET_SEQUENCE_ID, SEQUENCE_ID);
	proto_unsigned(packet, PACKET_SEQUENCE_FLAGS,
		       FLAG_NEEDS_STATE | (is_fresh ? FLAG_STATE_CLEARED : 0));
	if (!perfetto->has_packets)
		proto_unsigned(packet, PACKET_FIRST_ON_SEQUENCE, 1);
	if (perfetto->has_dropped)
		proto_unsigned(packet, PACKET_PREVIOUS_DROPPED, 1);
	perfetto->has_packets = true;
	perfetto->has_dropped = false;
}

static void end_packet(struct perfetto *perfetto, uint32_t field, uint64_t time_ns)
{
	struct proto *packet = &perfetto->packet, *interned = &perfetto->names.interned;
	size_t at;

	packet->used = 0;
	at = proto_begin(packet, TRACE_PACKET);
	proto_unsigned(packet, PACKET_TIMESTAMP, time_ns);
	proto_unsigned(packet, PACKET_CLOCK_ID, CLOCK_IS_REALTIME);
	put_sequence(perfetto);
	if (interned->used)
		proto_bytes(packet, PACKET_INTERNED_DATA, interned->data, interned->used);
	interned->used = 0;
	proto_bytes(packet, field, perfetto->event.data, perfetto->event.used);
	proto_end(packet, at);
	out_bytes(&perfetto->out, (const char *)packet->data, packet->used);
}

/* ---- clocks ---- */

static void put_clock(struct proto *snapshot, uint32_t id, uint64_t time_ns)
{
	size_t at = proto_begin(snapshot, SNAPSHOT_CLOCKS);

	proto_unsigned(snapshot, CLOCK_ID, id);
	proto_unsigned(snapshot, CLOCK_TIMESTAMP, time_ns);
	proto_end(snapshot, at);
}

/* Where the trace has the system's own clock, its ticks are that clock's nanoseconds. */
static bool is_monotonic(const struct read_clock *clock)
{
	return clock && clock->freq_hz == 1000000000 && !strcmp(clock->name, "monotonic");
}

static void put_snapshot(struct perfetto *perfetto, uint64_t time_ns, const struct ctf_event *event)
{
	struct proto *snapshot = begin_packet(perfetto);

	put_clock(snapshot, CLOCK_IS_REALTIME, time_ns);
	if (event && is_monotonic(event->clock))
		put_clock(snapshot, CLOCK_IS_MONOTONIC, event->ticks);
	proto_unsigned(snapshot, SNAPSHOT_PRIMARY, CLOCK_IS_REALTIME);
	end_packet(perfetto, PACKET_CLOCK_SNAPSHOT, time_ns);
}

static void perfetto_start(struct export_sink *sink, const struct ctf_item *item, uint64_t begin_ns)
{
	struct perfetto *perfetto = perfetto_of(sink);

	perfetto->begin_ns = begin_ns;
	put_snapshot(perfetto, item->time_ns, item->kind == CTF_ITEM_EVENT ? &item->event : NULL);
}

/* ---- tracks ---- */

static void perfetto_process(struct export_sink *sink, const struct export_process *process)
{
	struct perfetto *perfetto = perfetto_of(sink);
	struct proto *descriptor = begin_packet(perfetto);
	size_t at;

	proto_unsigned(descriptor, TRACK_UUID, track(OF_PROCESS, process->number));
	at = proto_begin(descriptor, TRACK_PROCESS);
	proto_unsigned(descriptor, PROCESS_PID, process->shown_pid);
	if (*process->name)
		proto_text(descriptor, PROCESS_NAME, process->name);
	proto_end(descriptor, at);
	end_packet(perfetto, PACKET_TRACK_DESCRIPTOR, perfetto->begin_ns);
}

static void perfetto_thread(struct export_sink *sink, const struct export_thread *thread)
{
	struct perfetto *perfetto = perfetto_of(sink);
	struct proto *descriptor = begin_packet(perfetto);
	size_t at;

	proto_unsigned(descriptor, TRACK_UUID, track(OF_THREAD, thread->number));
	proto_unsigned(descriptor, TRACK_PARENT, track(OF_PROCESS, thread->process->number));
	at = proto_begin(descriptor, TRACK_THREAD);
	proto_unsigned(descriptor, THREAD_PID, thread->process->shown_pid);
	proto_unsigned(descriptor, THREAD_TID, thread->tid);
	if (*thread->name)
		proto_text(descriptor, THREAD_NAME, thread->name);
	proto_end(descriptor, at);
	end_packet(perfetto, PACKET_TRACK_DESCRIPTOR, perfetto->begin_ns);
}

static void perfetto_counter(struct export_sink *sink, const struct export_counter *counter)
{
	struct perfetto *perfetto = perfetto_of(sink);
	struct proto *descriptor = begin_packet(perfetto);

	proto_unsigned(descriptor, TRACK_UUID, track(OF_COUNTER, counter->number));
	proto_unsigned(descriptor, TRACK_PARENT, track(OF_PROCESS, counter->process->number));
	proto_text(descriptor, TRACK_NAME, counter->name->text);
	proto_bytes(descriptor, TRACK_COUNTER, NULL, 0);
	end_packet(perfetto, PACKET_TRACK_DESCRIPTOR, perfetto->begin_ns);
}

/* ---- events ---- */

static void put_name(struct perfetto *perfetto, const struct export_name *name,
		     const struct export_name *category)
{
	proto_unsigned(&perfetto->event, EVENT_CATEGORY_IIDS,
		       export_names_id(&perfetto->names, EXPORT_NAME_CATEGORY, category));
	proto_unsigned(&perfetto->event, EVENT_NAME_IID,
		       export_names_id(&perfetto->names, EXPORT_NAME_EVENT, name));
}

static void put_fields(struct perfetto *perfetto, const struct ctf_event *event)
{
	export_annotate_level(&perfetto->names, &perfetto->event, EVENT_ANNOTATIONS, event->fields,
			      event->field_count);
	export_annotate_context(&perfetto->names, &perfetto->event, EVENT_ANNOTATIONS, event);
}

/* Where no event tells: why. */
static void put_reason(struct perfetto *perfetto, enum export_how how)
{
	static const char *const words[] = {
		[EXPORT_CONTINUED] = "continued",
		[EXPORT_END_LOST] = "end_lost",
		[EXPORT_UNFINISHED] = "unfinished",
	};

	export_annotate_truth(&perfetto->event, EVENT_ANNOTATIONS, words[how]);
}

static void put_moment(struct export_sink *sink, uint64_t type, const struct export_moment *moment)
{
	struct perfetto *perfetto = perfetto_of(sink);
	struct proto *event = begin_packet(perfetto);

	perfetto->names.tracks = sink->tracks;
	proto_unsigned(event, EVENT_TYPE, type);
	proto_unsigned(event, EVENT_TRACK, track(OF_THREAD, moment->thread->number));
	if (type != TYPE_END)
		put_name(perfetto, moment->name, moment->category);
	if (moment->event)
		put_fields(perfetto, moment->event);
	else
		put_reason(perfetto, moment->how);
	end_packet(perfetto, PACKET_TRACK_EVENT, moment->time_ns);
}

static void perfetto_begin(struct export_sink *sink, const struct export_moment *moment)
{
	put_moment(sink, TYPE_BEGIN, moment);
}

static void perfetto_end(struct export_sink *sink, const struct export_moment *moment)
{
	put_moment(sink, TYPE_END, moment);
}

static void perfetto_instant(struct export_sink *sink, const struct export_moment *moment)
{
	put_moment(sink, TYPE_INSTANT, moment);
}

static void perfetto_count(struct export_sink *sink, const struct export_counter *counter,
			   uint64_t time_ns, const struct ctf_value *value)
{
	struct perfetto *perfetto = perfetto_of(sink);
	struct proto *event = begin_packet(perfetto);

	proto_unsigned(event, EVENT_TYPE, TYPE_COUNTER);
	proto_unsigned(event, EVENT_TRACK, track(OF_COUNTER, counter->number));
	if (value->kind == CTF_VALUE_FLOAT)
		proto_double(event, EVENT_DOUBLE_COUNTER_VALUE, value->f);
	else if (value->is_signed || value->u <= INT64_MAX)
		proto_signed(event, EVENT_COUNTER_VALUE, value->i);
	else
		proto_double(event, EVENT_DOUBLE_COUNTER_VALUE, (double)value->u);
	end_packet(perfetto, PACKET_TRACK_EVENT, time_ns);
}

/* ---- what is missing ---- */

static void put_named_track(struct perfetto *perfetto, uint64_t uuid, uint64_t parent,
			    const char *name)
{
	struct proto *descriptor = begin_packet(perfetto);

	proto_unsigned(descriptor, TRACK_UUID, uuid);
	if (parent)
		proto_unsigned(descriptor, TRACK_PARENT, parent);
	proto_text(descriptor, TRACK_NAME, name);
	end_packet(perfetto, PACKET_TRACK_DESCRIPTOR, perfetto->begin_ns);
}

static uint64_t lost_track(struct perfetto *perfetto, int32_t cpu)
{
	uint64_t parent = track(OF_LOST, 1);
	uint64_t uuid = track(OF_LOST_CPU, (uint64_t)cpu + 1);
	char name[32];

	if (!perfetto->has_lost_track)
		put_named_track(perfetto, parent, 0, "lost events");
	perfetto->has_lost_track = true;
	if (cpu < 0 || cpu >= CPUS_MAX)
		return parent;
	snprintf(name, sizeof(name), "CPU %d", cpu);
	if (!perfetto->cpu_is_named[cpu])
		put_named_track(perfetto, uuid, parent, name);
	perfetto->cpu_is_named[cpu] = true;
	return uuid;
}

static struct proto *begin_named(struct perfetto *perfetto, uint64_t type, uint64_t uuid,
				 const char *text)
{
	struct proto *event = begin_packet(perfetto);
	const struct export_name *name = export_name(perfetto->sink.tracks, text, strlen(text));

	proto_unsigned(event, EVENT_TYPE, type);
	proto_unsigned(event, EVENT_TRACK, uuid);
	if (name)
		put_name(perfetto, name, name);
	return event;
}

static void perfetto_lost(struct export_sink *sink, const struct ctf_lost *lost, uint64_t begin_ns)
{
	struct perfetto *perfetto = perfetto_of(sink);
	struct proto *event;
	uint64_t uuid;

	perfetto->has_dropped = true;
	export_names_forget(&perfetto->names);
	uuid = lost_track(perfetto, lost->cpu);
	event = begin_named(perfetto, TYPE_BEGIN, uuid, "lost events");
	export_annotate_number(event, EVENT_ANNOTATIONS, "events", lost->events);
	export_annotate_number(event, EVENT_ANNOTATIONS, "packets", lost->packets);
	export_annotate_number(event, EVENT_ANNOTATIONS, "begin_ns", lost->begin_ns);
	export_annotate_number(event, EVENT_ANNOTATIONS, "end_ns", lost->end_ns);
	end_packet(perfetto, PACKET_TRACK_EVENT, begin_ns);
	event = begin_packet(perfetto);
	proto_unsigned(event, EVENT_TYPE, TYPE_END);
	proto_unsigned(event, EVENT_TRACK, uuid);
	end_packet(perfetto, PACKET_TRACK_EVENT, lost->end_ns);
}

static void perfetto_damage(struct export_sink *sink, const struct ctf_damage *damage,
			    uint64_t time_ns)
{
	struct perfetto *perfetto = perfetto_of(sink);
	uint64_t uuid = lost_track(perfetto, CTF_CPU_NONE);
	struct proto *event = begin_named(perfetto, TYPE_INSTANT, uuid, "damaged");

	export_annotate_text(event, EVENT_ANNOTATIONS, "text", damage->text);
	end_packet(perfetto, PACKET_TRACK_EVENT, time_ns);
}

/* ---- the whole ---- */

static int perfetto_flush(struct export_sink *sink)
{
	return out_flush(&perfetto_of(sink)->out);
}

static int perfetto_finish(struct export_sink *sink, const struct export_about *about)
{
	(void)about;
	return perfetto_flush(sink);
}

static void perfetto_free(struct export_sink *sink)
{
	struct perfetto *perfetto = perfetto_of(sink);

	proto_free(&perfetto->packet);
	proto_free(&perfetto->event);
	proto_free(&perfetto->names.interned);
	free(perfetto);
}

struct export_sink *export_perfetto_new(int fd)
{
	struct perfetto *perfetto = xcalloc(1, sizeof(*perfetto));

	perfetto->sink = (struct export_sink){
		.start = perfetto_start,
		.flush = perfetto_flush,
		.finish = perfetto_finish,
		.free = perfetto_free,
		.process = perfetto_process,
		.thread = perfetto_thread,
		.counter = perfetto_counter,
		.begin = perfetto_begin,
		.end = perfetto_end,
		.instant = perfetto_instant,
		.count = perfetto_count,
		.lost = perfetto_lost,
		.damage = perfetto_damage,
	};
	perfetto->out.fd = fd;
	export_names_forget(&perfetto->names);
	return &perfetto->sink;
}
