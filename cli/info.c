/* SPDX-License-Identifier: MIT */
/* info.c - see info.h */
#include "info.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cmd.h"
#include "say.h"
#include "text.h"

#define NS_PER_S 1000000000

/* ---- damage ---- */

static void add_damage(struct info_trace *trace, const char *text)
{
	if (trace->damage_count == INFO_DAMAGES_MAX)
		trace->damages_left_out++;
	else
		trace->damages[trace->damage_count++] = xstrdup(text);
}

/* ---- items ---- */

static void widen(uint64_t *begin_ns, uint64_t *end_ns, uint64_t from_ns, uint64_t to_ns)
{
	if (!*end_ns || from_ns < *begin_ns)
		*begin_ns = from_ns;
	if (to_ns > *end_ns)
		*end_ns = to_ns;
}

static void count_class(struct info_trace *trace, const struct ctf_event *event)
{
	uint64_t *count = view_map_get(trace->classes, &event->name, sizeof(event->name));

	if (count)
		(*count)++;
}

static void add_loss(struct info_stream *stream, const struct ctf_lost *lost)
{
	stream->lost_events += lost->events;
	stream->lost_packets += lost->packets;
}

static void add_item(struct info_trace *trace, struct info_stream *stream,
		     const struct ctf_item *item)
{
	if (item->kind == CTF_ITEM_DAMAGE) {
		add_damage(trace, item->damage.text);
		return;
	}
	if (item->kind == CTF_ITEM_EVENT)
		count_class(trace, &item->event);
	if (item->kind == CTF_ITEM_EVENT && item->event.is_writer)
		return;
	widen(&stream->begin_ns, &stream->end_ns, item->time_ns, item->time_ns);
	if (item->kind == CTF_ITEM_LOST)
		add_loss(stream, &item->lost);
	else
		stream->events++;
	stats_counts_add(&trace->counts, item);
}

/* ---- streams ---- */

static void add_packet(void *data, const struct read_packet *packet, const char *path)
{
	struct info_stream *stream = data;

	(void)path;
	stream->packets++;
	stream->class_id = packet->stream->id;
	stream->has_class = true;
	stream->cpu = packet->cpu;
}

static uint64_t file_bytes(const char *path)
{
	struct stat st;

	return lstat(path, &st) ? 0 : (uint64_t)st.st_size;
}

static int read_all(struct info_trace *trace, struct info_stream *stream,
		    struct read_stream *reader)
{
	const struct ctf_item *item;
	int more;

	read_stream_skip_fields(reader);
	read_stream_watch(reader, add_packet, stream);
	while ((more = read_stream_next(reader, &item)) > 0)
		add_item(trace, stream, item);
	return more;
}

static int add_stream(struct info_trace *trace, size_t at, size_t *ret_next)
{
	const struct source_trace *source = trace->source;
	struct info_stream *stream = &trace->streams[trace->stream_count++];
	struct read_stream *reader;
	int err = source_stream(source, at, ret_next, &reader);

	if (err)
		return err;
	stream->name = source_file_name(source->parts[at].path);
	stream->file_count = *ret_next - at;
	stream->cpu = CTF_CPU_NONE;
	for (size_t i = at; i < *ret_next; i++)
		stream->bytes += file_bytes(source->parts[i].path);
	err = read_all(trace, stream, reader);
	read_stream_free(reader);
	return err;
}

static void add_sums(struct info_trace *trace, const struct info_stream *stream)
{
	trace->packets += stream->packets;
	trace->bytes += stream->bytes;
	if (stream->end_ns)
		widen(&trace->begin_ns, &trace->end_ns, stream->begin_ns, stream->end_ns);
}

static int add_trace(struct info_trace *trace, const struct source_trace *source)
{
	int err = 0;

	trace->source = source;
	stats_counts_init(&trace->counts);
	trace->classes = view_map_new(sizeof(uint64_t), STATS_KEYS_MAX);
	trace->damages = xcalloc(INFO_DAMAGES_MAX, sizeof(*trace->damages));
	if (source->damage.code)
		add_damage(trace, source->damage.text);
	trace->streams = xcalloc(source->paths.count + 1, sizeof(*trace->streams));
	for (size_t at = 0; source->parts && at < source->paths.count && !err;)
		err = add_stream(trace, at, &at);
	for (size_t i = 0; i < trace->stream_count; i++)
		add_sums(trace, &trace->streams[i]);
	return err;
}

int info_gather(const char *dir, struct info *ret_info)
{
	struct tacho_error error;
	int err = source_open(dir, &error, &ret_info->source);

	if (err)
		return fail_with(&error);
	ret_info->dir = dir;
	if (ret_info->source.skipped.code)
		say(SAY_WARNING, "%s", ret_info->source.skipped.text);
	ret_info->traces = xcalloc(ret_info->source.trace_count, sizeof(*ret_info->traces));
	for (size_t i = 0; i < ret_info->source.trace_count && !err; i++)
		err = add_trace(&ret_info->traces[i], &ret_info->source.traces[i]);
	return err ? fail("cannot read %s: %s", dir, strerror(-err)) : STATUS_DONE;
}

static void trace_fini(struct info_trace *trace)
{
	for (size_t i = 0; i < trace->damage_count; i++)
		free(trace->damages[i]);
	free(trace->damages);
	free(trace->streams);
	if (!trace->source)
		return;
	view_map_free(trace->classes);
	stats_counts_fini(&trace->counts);
}

void info_fini(struct info *info)
{
	for (size_t i = 0; info->traces && i < info->source.trace_count; i++)
		trace_fini(&info->traces[i]);
	free(info->traces);
	source_close(&info->source);
}

/* ---- what both forms show ---- */

uint64_t info_damages(const struct info *info)
{
	uint64_t count = info->source.skipped.code != 0;

	for (size_t i = 0; i < info->source.trace_count; i++)
		count += info->traces[i].damage_count + info->traces[i].damages_left_out;
	return count;
}

int64_t info_clock_origin_ns(const struct read_clock *clock)
{
	__int128 ns = (__int128)clock->offset_ticks * NS_PER_S / clock->freq_hz;

	return (int64_t)(ns + (__int128)clock->offset_s * NS_PER_S);
}

uint64_t info_events_of(const struct info_trace *trace, const struct read_event *event)
{
	const uint64_t *count = view_map_find(trace->classes, &event->name, sizeof(event->name));

	return count ? *count : 0;
}
