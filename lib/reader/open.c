/* SPDX-License-Identifier: MIT */
/*
 * open.c - the public face of the reader, include/tacho/reader.h: readers, and what there is in
 * traces. Its objects are those of lib/ctf by other names: a struct tacho_reader is a struct
 * ctf_reader, and so on, so that nothing is copied and nothing of their layout is promised.
 */
#include <errno.h>
#include <stdio.h>

#include "ctf/read/stream.h"
#include "ctf/read/trace.h"
#include "names.h"

uint32_t tacho_reader_version(void)
{
	return TACHO_VERSION_NUMBER;
}

int tacho_reader_open(const char *const *dirs, size_t count, struct tacho_reader_error *reterr_e,
		      struct tacho_reader **ret_reader)
{
	struct tacho_error e = { .code = -EINVAL, .text = "no directory is named" };
	struct ctf_reader *reader;
	int rc = count ? ctf_reader_open_all(dirs, count, &e, &reader) : -EINVAL;

	if (!rc)
		*ret_reader = (struct tacho_reader *)reader;
	if (!rc || !reterr_e)
		return rc;
	reterr_e->code = rc;
	snprintf(reterr_e->text, sizeof(reterr_e->text), "%s", e.text);
	return rc;
}

void tacho_reader_close(struct tacho_reader *reader)
{
	ctf_reader_close(inner_reader(reader));
}

void tacho_reader_set_range(struct tacho_reader *reader, uint64_t begin_ns, uint64_t end_ns)
{
	ctf_reader_set_range(inner_reader(reader), begin_ns, end_ns);
}

void tacho_reader_skip_fields(struct tacho_reader *reader)
{
	ctf_reader_skip_fields(inner_reader(reader));
}

void tacho_reader_select_stream(struct tacho_reader *reader, size_t stream, int wanted)
{
	ctf_reader_select_stream(inner_reader(reader), stream, wanted);
}

struct tacho_reader_totals tacho_reader_get_totals(const struct tacho_reader *reader)
{
	struct ctf_reader_totals totals = ctf_reader_totals(inner_const_reader(reader));

	return (struct tacho_reader_totals){
		.events = totals.events,
		.lost_events = totals.lost_events,
		.lost_packets = totals.lost_packets,
		.damages = totals.damages,
		.bytes = totals.bytes,
	};
}

uint64_t tacho_reader_done_bytes(const struct tacho_reader *reader)
{
	return ctf_reader_done_bytes(inner_const_reader(reader));
}

/* ---- traces ---- */

const struct tacho_reader_trace *tacho_reader_trace_next(const struct tacho_reader *reader,
							 const struct tacho_reader_trace *trace)
{
	return outer_trace(trace ? inner_trace(trace)->next :
				   ctf_reader_traces(inner_const_reader(reader)));
}

const char *tacho_reader_trace_path(const struct tacho_reader_trace *trace)
{
	return inner_trace(trace)->path;
}

const char *tacho_reader_trace_env(const struct tacho_reader_trace *trace, const char *name)
{
	return read_trace_env(inner_trace(trace), name);
}

const char *tacho_reader_trace_env_at(const struct tacho_reader_trace *trace, size_t index,
				      const char **ret_value)
{
	const struct read_env *env = inner_trace(trace)->metadata.envs;

	for (; env && index; index--)
		env = env->next;
	if (env && ret_value)
		*ret_value = env->value;
	return env ? env->name : NULL;
}

int tacho_reader_trace_clock(const struct tacho_reader_trace *trace, size_t index,
			     struct tacho_reader_clock *ret_clock)
{
	const struct read_clock *clock = inner_trace(trace)->metadata.clocks;

	for (; clock && index; index--)
		clock = clock->next;
	if (!clock)
		return -ENOENT;
	*ret_clock = (struct tacho_reader_clock){
		.name = clock->name,
		.freq_hz = clock->freq_hz,
		.offset_s = clock->offset_s,
		.offset_ticks = clock->offset_ticks,
	};
	return 0;
}

/* ---- streams ---- */

size_t tacho_reader_stream_count(const struct tacho_reader *reader)
{
	return ctf_reader_totals(inner_const_reader(reader)).streams;
}

const struct tacho_reader_trace *tacho_reader_stream_trace(const struct tacho_reader *reader,
							   size_t stream)
{
	const struct read_stream *found = ctf_reader_stream(inner_const_reader(reader), stream);

	return found ? outer_trace(read_stream_trace(found)) : NULL;
}

const char *tacho_reader_stream_path(const struct tacho_reader *reader, size_t stream, size_t file)
{
	const struct read_stream *found = ctf_reader_stream(inner_const_reader(reader), stream);

	return found ? read_stream_path(found, file) : NULL;
}
