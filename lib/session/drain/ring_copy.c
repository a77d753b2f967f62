/* SPDX-License-Identifier: MIT */
/* ring_copy.c - see ring_copy.h */
#include "session/drain/ring_copy.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "session/drain/disk_limits.h"
#include "session/state.h"

static int open_file(const struct session *session, uint32_t channel, enum tacho_writer_kind kind,
		     struct ring_set *set, struct tacho_error *error)
{
	struct rings *rings = &set->rings[set->rings_count];
	char name[NAME_MAX + 1];
	int ret = session_ring_file(&session->file->channel[channel], kind, name);

	if (ret)
		return error_set(error, -EBADMSG, "the session's file is damaged");
	ret = rings_open(session->dir_fd, name, rings, error);
	if (ret)
		return ret;
	set->channel[set->rings_count++] = channel;
	if (rings->session_instance == session->file->instance)
		return 0;
	return error_set(error, -EBADMSG, "the ring file '%s' is not of this session", name);
}

static int open_channel(const struct session *session, uint32_t channel, struct ring_set *set,
			struct tacho_error *error)
{
	int ret = 0;

	for (enum tacho_writer_kind kind = 0; !ret && kind <= TACHO_WRITER_PORTABLE; kind++)
		if (session_has_rings(session->file, &session->file->channel[channel], kind))
			ret = open_file(session, channel, kind, set, error);
	return ret;
}

static void init_copies(struct ring_set *set, uint32_t first_rings)
{
	for (uint32_t i = first_rings; i < set->rings_count; i++) {
		for (uint32_t cpu = 0; cpu < set->rings[i].ring_count; cpu++) {
			set->copies[set->copy_count] = (struct ring_copy){
				.set = set,
				.rings = &set->rings[i],
				.cpu = cpu,
				.channel = set->channel[i],
				.writer_kind = set->rings[i].writer_kind,
				.cut = ring_cuts_get(set->cuts, set->copy_count),
			};
			set->copy_count++;
		}
	}
}

int ring_set_add_copies(struct ring_set *set, uint32_t first_rings)
{
	size_t count = set->copy_count + 1u;
	struct ring_copy *copies;

	for (uint32_t i = first_rings; i < set->rings_count; i++)
		count += set->rings[i].ring_count;
	copies = realloc(set->copies, count * sizeof(*copies));
	if (!copies)
		return -ENOMEM;
	set->copies = copies;
	init_copies(set, first_rings);
	return 0;
}

static int add_channel(const struct session *session, uint32_t channel, struct ring_set *set,
		       struct tacho_error *error)
{
	uint32_t first_rings = set->rings_count;
	int ret = open_channel(session, channel, set, error);

	if (!ret && ring_set_add_copies(set, first_rings))
		ret = error_set(error, -ENOMEM, "no memory for the list of rings");
	while (ret && set->rings_count > first_rings)
		rings_close(&set->rings[--set->rings_count]);
	set->channel_count += !ret;
	return ret;
}

int ring_set_refresh(const struct session *session, struct ring_set *set, struct tacho_error *error)
{
	/* A channel's files are complete before it is counted. */
	uint32_t count = tacho_load_acquire(&session->file->channel_count);
	int ret = 0;

	if (count > TACHO_CHANNELS_MAX)
		count = TACHO_CHANNELS_MAX;
	while (!ret && set->channel_count < count)
		ret = add_channel(session, set->channel_count, set, error);
	return ret;
}

int ring_set_open(const struct session *session, struct ring_set *ret_set,
		  struct tacho_error *error)
{
	int ret;

	*ret_set = (struct ring_set){ 0 };
	ret = ring_set_refresh(session, ret_set, error);
	if (ret)
		ring_set_close(ret_set, NULL);
	return ret;
}

static int close_streams(struct ring_set *set, struct tacho_error *error)
{
	int ret = 0;

	for (uint32_t i = 0; i < set->copy_count; i++) {
		int failed = ctf_stream_close(set->copies[i].stream, ret ? NULL : error);

		set->copies[i].stream = NULL;
		if (!ret)
			ret = failed;
	}
	return ret;
}

/* What is counted once for a ring stays; all else is found out again when its stream is opened. */
int ring_set_begin(struct ring_set *set, const struct ring_cuts *cuts, struct tacho_error *error)
{
	int ret = close_streams(set, error);

	set->cuts = cuts;
	for (uint32_t i = 0; i < set->copy_count; i++) {
		struct ring_copy *copy = &set->copies[i];

		*copy = (struct ring_copy){
			.set = set,
			.rings = copy->rings,
			.cpu = copy->cpu,
			.channel = copy->channel,
			.writer_kind = copy->writer_kind,
			.cut = ring_cuts_get(cuts, i),
			.damaged_end = copy->damaged_end,
			.bytes = copy->bytes,
		};
	}
	return ret;
}

int ring_set_close(struct ring_set *set, struct tacho_error *error)
{
	int ret = close_streams(set, error);

	for (uint32_t i = 0; i < set->rings_count; i++)
		rings_close(&set->rings[i]);
	free(set->copies);
	*set = (struct ring_set){ 0 };
	return ret;
}

/* Its number among all rings of the session, from 1. */
static uint32_t number_of(const struct ring_copy *copy)
{
	return (uint32_t)(copy - copy->set->copies) + 1;
}

static uint64_t sum_lost(const uint64_t lost[TACHO_LOST_REASONS])
{
	uint64_t sum = 0;

	for (int i = 0; i < TACHO_LOST_REASONS; i++)
		sum += lost[i];
	return sum;
}

/* Records whose ring is not known. */
static uint64_t count_unattributed(const struct ring_set *set)
{
	uint64_t lost[TACHO_LOST_REASONS];
	uint64_t sum = 0;

	for (uint32_t i = 0; i < set->rings_count; i++) {
		rings_lost_unattributed(&set->rings[i], lost);
		sum += sum_lost(lost);
	}
	return sum;
}

void ring_set_count_losses(struct ring_set *set)
{
	uint64_t lost[TACHO_LOST_REASONS];

	set->lost_unattributed = count_unattributed(set);
	for (uint32_t i = 0; i < set->copy_count; i++) {
		struct ring_copy *copy = &set->copies[i];

		copy->lost_streamless = 0;
		if (ring_range(copy->rings, copy->cpu).head)
			continue;
		ring_lost(copy->rings, copy->cpu, lost);
		copy->lost_streamless = sum_lost(lost);
	}
}

/* What was lost since the trace began. */
static uint64_t beyond(uint64_t count, uint64_t base)
{
	return count > base ? count - base : 0;
}

/* Records of rings that never got one: these have no stream. */
static uint64_t sum_streamless(const struct ring_set *set)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < set->copy_count; i++)
		sum += beyond(set->copies[i].lost_streamless, set->copies[i].cut.lost_base);
	return sum;
}

/* What has no stream of its own is shown in the first that is written; a ring may still get its
 * first record while the session records. */
static uint64_t count_lost(const struct ring_copy *copy, const struct trace_output *output,
			   const uint64_t lost[TACHO_LOST_REASONS], enum copy_purpose purpose)
{
	uint32_t carrier = tacho_load_relaxed(output->carrier);
	const struct ring_set *set = copy->set;
	uint64_t sum = beyond(sum_lost(lost), copy->cut.lost_base);

	if (carrier && carrier != number_of(copy))
		return sum;
	sum += beyond(set->lost_unattributed, set->cuts ? set->cuts->unattributed_base : 0);
	return purpose == COPY_GROWING ? sum : sum + sum_streamless(set);
}

static void resume_after_last(struct ring_copy *copy, const struct trace_output *output)
{
	uint64_t lost[TACHO_LOST_REASONS];
	struct ctf_packet last;
	uint64_t sum;

	copy->next = copy->cut.subbuf;
	copy->lost_put = copy->cut.lost_base;
	if (ctf_stream_last(copy->stream, &last)) {
		copy->next = last.seq + last.final;
		ring_lost(copy->rings, copy->cpu, lost);
		sum = count_lost(copy, output, lost, COPY_STOPPED);
		if (last.discarded > sum)
			copy->cut_count = last.discarded - sum;
	}
}

enum tacho_writer_kind ring_copy_kind(const struct tacho_session *file, const struct ring_copy *copy)
{
	return file->channel[copy->channel].domain == TACHO_DOMAIN_KERNEL ? TACHO_WRITER_RSEQ :
									    copy->writer_kind;
}

int ring_copy_resume(struct ring_copy *copy, struct trace_output *output, struct tacho_error *error)
{
	const struct tacho_session *file = output->session->file;
	struct ctf_stream_spec spec = {
		.channel = file->channel[copy->channel].name,
		.stream_id = copy->channel,
		.cpu = copy->cpu,
		.writer_kind = ring_copy_kind(file, copy),
		.subbuf_bytes = 1ull << copy->rings->subbuf_shift,
	};
	int ret;

	if (output->is_limited) {
		spec.file_bytes = limits_file_bytes(file, copy->channel);
		spec.file_count = file->channel[copy->channel].tracefile_count;
	}

	if (copy->stream || !ring_range(copy->rings, copy->cpu).head)
		return 0;
	if (!trace_output_of(output, copy->channel)) {
		ret = trace_output_prepare(output, error);
		if (ret)
			return ret;
	}
	ret = ctf_stream_open(trace_output_of(output, copy->channel), &spec, &copy->stream, error);
	if (ret)
		return ret;
	resume_after_last(copy, output);
	return 0;
}

struct confirmation {
	const struct ring_copy *copy;
	const struct ring_view *view;
};

static int confirm_intact(void *arg)
{
	const struct confirmation *c = arg;

	return ring_view_is_intact(c->copy->rings, c->copy->cpu, c->view) ? 0 : -ESTALE;
}

/* Does the walk over all records of the sub-buffer succeed? */
static bool walk_view(struct ring_copy *copy, const struct trace_output *output,
		      const struct ring_view *view)
{
	if (copy->walk_number != view->number)
		copy->walk = (struct record_walk){ 0 };
	copy->walk_number = view->number;
	copy->walk.end_ts = output->end_ts;
	return !record_walk(&copy->walk, &output->events, view->content, view->content_bytes);
}

static bool is_noted(const struct ring_copy *copy, uint64_t number)
{
	return number < copy->damaged_end;
}

void ring_copy_note_damage(struct ring_copy *copy, struct trace_output *output, uint64_t number)
{
	if (is_noted(copy, number))
		return;
	copy->damaged_end = number + 1;
	tacho_fetch_add_relaxed(output->damaged, 1);
}

/*
 * A reader gets no further than to a record that is not described: so there the packet ends. Only
 * then is every closed sub-buffer worth a walk; that of an open one also tells the time of its last
 * record, which must be right since the next record may be hardly later. So does that of one in
 * which the trace ends.
 */
static bool is_to_walk(const struct trace_output *output, const struct ring_view *view)
{
	return view->is_open || output->events.malformed_count ||
	       (output->end_ts && view->end_ts > output->end_ts);
}

/* What of a sub-buffer goes to the trace. */
struct part {
	const struct ring_view *view;
	bool is_whole; /* up to its last record, or to the end of the trace */
	uint64_t from; /* where it begins and ends in the sub-buffer */
	uint64_t to;
	uint64_t begin_ts;
	uint64_t end_ts;
	unsigned char prefix[TACHO_WRITER_BYTES_MAX];
	uint32_t prefix_bytes;
};

static void choose_part(struct ring_copy *copy, const struct trace_output *output,
			const struct ring_view *view, struct part *ret_part)
{
	bool is_cut = copy->cut.offset && view->number == copy->cut.subbuf;
	bool is_walked = is_to_walk(output, view);
	bool is_whole = !is_walked || walk_view(copy, output, view);
	uint64_t end_ts = view->is_open ? copy->walk.last_ts : view->end_ts;

	*ret_part = (struct part){
		.view = view,
		.is_whole = is_whole,
		.from = is_cut ? copy->cut.offset : 0,
		.to = is_walked ? copy->walk.offset : view->content_bytes,
		.begin_ts = is_cut ? copy->cut.last_ts : view->begin_ts,
		.end_ts = output->end_ts && end_ts > output->end_ts ? output->end_ts : end_ts,
	};
	if (is_cut)
		ret_part->prefix_bytes = ring_cut_prefix(&copy->cut, ret_part->prefix);
}

static int put_part(struct ring_copy *copy, struct trace_output *output, const struct part *part,
		    enum copy_purpose purpose, struct tacho_error *error)
{
	const struct ring_view *view = part->view;
	uint64_t cut = copy->cut_count + (!part->is_whole && !is_noted(copy, view->number));
	struct confirmation confirmation = { copy, view };
	struct ctf_packet packet = {
		.seq = view->number,
		.begin_ts = part->begin_ts,
		.end_ts = part->end_ts,
		.discarded = count_lost(copy, output, view->lost, purpose) + cut,
		.prefix = part->prefix,
		.prefix_bytes = part->prefix_bytes,
		.content = (const char *)view->content + part->from,
		.bytes = part->prefix_bytes + part->to - part->from,
		.final = !view->is_open || purpose == COPY_SNAPSHOT,
		.confirm = purpose == COPY_SNAPSHOT ? NULL : confirm_intact,
		.confirm_arg = &confirmation,
	};
	int ret = ctf_stream_put(copy->stream, &packet, error);

	if (ret)
		return ret;
	if (!*output->carrier)
		tacho_store_release(output->carrier, number_of(copy));
	copy->lost_put = sum_lost(view->lost);
	copy->cut_count = cut;
	copy->bytes += packet.bytes;
	return 0;
}

static int put_view(struct ring_copy *copy, struct trace_output *output,
		    const struct ring_view *view, enum copy_purpose purpose,
		    struct tacho_error *error)
{
	struct part part;
	int ret = 0;

	choose_part(copy, output, view, &part);
	if (!part.is_whole && view->is_open && purpose == COPY_GROWING)
		return -EAGAIN;
	if (part.to > part.from)
		ret = put_part(copy, output, &part, purpose, error);
	else if (!part.from && !output->end_ts)
		ret = -EBADMSG;
	if (ret)
		return ret;
	if (!part.is_whole)
		ring_copy_note_damage(copy, output, view->number);
	copy->closed_end = view->is_open ? 0 : view->number + 1;
	return 0;
}

uint64_t ring_copy_view_bytes(struct ring_copy *copy, const struct trace_output *output,
			      const struct ring_view *view)
{
	struct part part;

	choose_part(copy, output, view, &part);
	return part.to > part.from ? part.prefix_bytes + part.to - part.from : 0;
}

/* Is nothing wrong with the sub-buffer, whatever kept it from being written? */
static int prepare(struct trace_output *output, struct tacho_error *error)
{
	int ret = trace_output_prepare(output, error);

	return ring_copy_is_skipped(ret) ? -EIO : ret;
}

int ring_copy_put(struct ring_copy *copy, struct trace_output *output, uint64_t number,
		  enum copy_purpose purpose, struct tacho_error *error)
{
	struct ring_view view;
	int ret = ring_view(copy->rings, copy->cpu, number, &view);

	if (!ret)
		ret = prepare(output, error);
	return ret ? ret : put_view(copy, output, &view, purpose, error);
}

int ring_copy_put_view(struct ring_copy *copy, struct trace_output *output,
		       const struct ring_view *view, struct tacho_error *error)
{
	int ret = prepare(output, error);

	return ret ? ret : put_view(copy, output, view, COPY_SNAPSHOT, error);
}

int ring_copy_put_in_place(struct ring_copy *copy, struct trace_output *output,
			   const struct ring_view *view, struct tacho_error *error)
{
	int ret = prepare(output, error);

	return ret ? ret : put_view(copy, output, view, COPY_IN_PLACE, error);
}

uint64_t ring_copy_last_ts(struct ring_copy *copy, const struct trace_output *output,
			   const struct ring_view *view)
{
	return view->is_open && walk_view(copy, output, view) ? copy->walk.last_ts : 0;
}

/* What follows a record that cannot be read cannot be read either. */
struct ring_cut ring_copy_cut(const struct ring_copy *copy, bool is_told)
{
	struct ring_cut cut = copy->cut;

	if (!ring_range(copy->rings, copy->cpu).head) {
		if (is_told && copy->lost_streamless > cut.lost_base)
			cut.lost_base = copy->lost_streamless;
		return cut;
	}
	cut.subbuf = copy->next;
	cut.offset = 0;
	cut.lost_base = copy->lost_put;
	if (is_noted(copy, copy->next) || copy->closed_end > copy->next) {
		cut.subbuf++;
	} else if (copy->walk_number == copy->next && copy->walk.writer_bytes) {
		cut.offset = copy->walk.offset;
		cut.last_ts = copy->walk.last_ts;
		cut.writer_bytes = copy->walk.writer_bytes;
		memcpy(cut.writer, copy->walk.writer, sizeof(cut.writer));
	}
	return cut;
}

/* The last sub-buffer; if records still come into it, up to here. */
void ring_copy_drop(struct ring_copy *copy, struct trace_output *output)
{
	struct ring_range range = ring_range(copy->rings, copy->cpu);
	uint64_t lost[TACHO_LOST_REASONS];
	struct ring_view view;

	if (!range.end)
		return;
	ring_lost(copy->rings, copy->cpu, lost);
	copy->lost_put = sum_lost(lost);
	copy->next = range.end - 1;
	copy->closed_end = 0;
	/* It may be the first look at events of which nothing was copied: they are to be known. */
	if (ring_view(copy->rings, copy->cpu, copy->next, &view) || !view.is_open ||
	    trace_output_learn(output) || !walk_view(copy, output, &view))
		copy->closed_end = copy->next + 1;
}

bool ring_copy_is_skipped(int result)
{
	return result == -ESTALE || result == -EBADMSG || result == -EINVAL || result == -EFAULT;
}
