/* SPDX-License-Identifier: MIT */
/* ring_copy.c - see ring_copy.h */
#include "session/ring_copy.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>

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
	set->rings_count++;
	if (rings->session_instance == session->file->instance)
		return 0;
	return error_set(error, -EBADMSG, "the ring file '%s' is not of this session", name);
}

static int open_files(const struct session *session, struct ring_set *set,
		      struct tacho_error *error)
{
	uint32_t count = session->file->channel_count;
	int ret = 0;

	for (uint32_t i = 0; !ret && i < count && i < TACHO_CHANNELS_MAX; i++) {
		ret = open_file(session, i, TACHO_WRITER_RSEQ, set, error);
		if (!ret)
			ret = open_file(session, i, TACHO_WRITER_PORTABLE, set, error);
	}
	return ret;
}

static uint32_t count_rings(const struct ring_set *set)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < set->rings_count; i++)
		count += set->rings[i].ring_count;
	return count;
}

/* Files come in pairs, as open_files() opened them. */
static void init_copies(struct ring_set *set)
{
	for (uint32_t i = 0; i < set->rings_count; i++) {
		for (uint32_t cpu = 0; cpu < set->rings[i].ring_count; cpu++)
			set->copies[set->copy_count++] = (struct ring_copy){
				.set = set,
				.rings = &set->rings[i],
				.cpu = cpu,
				.channel = i / 2,
				.writer_kind = i % 2 ? TACHO_WRITER_PORTABLE : TACHO_WRITER_RSEQ,
			};
	}
}

int ring_set_open(const struct session *session, struct ring_set *ret_set,
		  struct tacho_error *error)
{
	int ret;

	*ret_set = (struct ring_set){ 0 };
	ret = open_files(session, ret_set, error);
	if (!ret) {
		ret_set->copies = calloc(count_rings(ret_set) + 1u, sizeof(*ret_set->copies));
		if (!ret_set->copies)
			ret = error_set(error, -ENOMEM, "no memory for the list of rings");
	}
	if (ret) {
		ring_set_close(ret_set, NULL);
		return ret;
	}
	init_copies(ret_set);
	return 0;
}

int ring_set_close(struct ring_set *set, struct tacho_error *error)
{
	int ret = 0;

	for (uint32_t i = 0; i < set->copy_count; i++) {
		int failed = ctf_stream_close(set->copies[i].stream, ret ? NULL : error);

		if (!ret)
			ret = failed;
	}
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

/* Records of rings that never got one: these have no stream. */
static uint64_t count_streamless(const struct ring_set *set)
{
	uint64_t lost[TACHO_LOST_REASONS];
	uint64_t sum = 0;

	for (uint32_t i = 0; i < set->copy_count; i++) {
		const struct ring_copy *copy = &set->copies[i];

		if (ring_range(copy->rings, copy->cpu).head)
			continue;
		ring_lost(copy->rings, copy->cpu, lost);
		sum += sum_lost(lost);
	}
	return sum;
}

/* What has no stream of its own is shown in the first that is written; a ring may still get its
 * first record while the session records. */
static uint64_t count_lost(const struct ring_copy *copy, const struct trace_output *output,
			   const uint64_t lost[TACHO_LOST_REASONS], enum copy_purpose purpose)
{
	uint32_t carrier = tacho_load_relaxed(output->carrier);
	uint64_t sum = sum_lost(lost);

	if (carrier && carrier != number_of(copy))
		return sum;
	sum += count_unattributed(copy->set);
	return purpose == COPY_GROWING ? sum : sum + count_streamless(copy->set);
}

static void resume_after_last(struct ring_copy *copy, const struct trace_output *output)
{
	uint64_t lost[TACHO_LOST_REASONS];
	struct ctf_packet last;
	uint64_t sum;

	if (!ctf_stream_last(copy->stream, &last))
		return;
	copy->next = last.seq + last.final;
	ring_lost(copy->rings, copy->cpu, lost);
	sum = count_lost(copy, output, lost, COPY_STOPPED);
	if (last.discarded > sum)
		copy->cut_count = last.discarded - sum;
	if (copy->rings->mode != TACHO_MODE_OVERWRITE &&
	    ring_range(copy->rings, copy->cpu).oldest < copy->next)
		ring_release(copy->rings, copy->cpu, copy->next);
}

int ring_copy_resume(struct ring_copy *copy, struct trace_output *output, struct tacho_error *error)
{
	const struct tacho_session *file = output->session->file;
	struct ctf_stream_spec spec = {
		.channel = file->channel[copy->channel].name,
		.stream_id = copy->channel,
		.cpu = copy->cpu,
		.writer_kind = copy->writer_kind,
		.subbuf_bytes = 1ull << copy->rings->subbuf_shift,
	};
	int ret;

	if (copy->stream || !ring_range(copy->rings, copy->cpu).head)
		return 0;
	ret = ctf_stream_open(output->trace, &spec, &copy->stream, error);
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
 * record, which must be right since the next record may be hardly later.
 */
static int put_view(struct ring_copy *copy, struct trace_output *output,
		    const struct ring_view *view, enum copy_purpose purpose,
		    struct tacho_error *error)
{
	bool is_walked = view->is_open || output->events.malformed_count;
	bool is_whole = !is_walked || walk_view(copy, output, view);
	uint64_t cut = copy->cut_count + (!is_whole && !is_noted(copy, view->number));
	struct confirmation confirmation = { copy, view };
	struct ctf_packet packet = {
		.seq = view->number,
		.begin_ts = view->begin_ts,
		.end_ts = view->is_open ? copy->walk.last_ts : view->end_ts,
		.discarded = count_lost(copy, output, view->lost, purpose) + cut,
		.content = view->content,
		.bytes = is_whole ? view->content_bytes : copy->walk.offset,
		.final = !view->is_open || purpose == COPY_SNAPSHOT,
		.confirm = confirm_intact,
		.confirm_arg = &confirmation,
	};
	int ret;

	if (!is_whole && view->is_open && purpose == COPY_GROWING)
		return -EAGAIN;
	ret = ctf_stream_put(copy->stream, &packet, error);
	if (ret)
		return ret;
	if (!is_whole)
		ring_copy_note_damage(copy, output, view->number);
	if (!*output->carrier)
		tacho_store_release(output->carrier, number_of(copy));
	copy->cut_count = cut;
	copy->bytes += packet.bytes;
	return 0;
}

int ring_copy_put(struct ring_copy *copy, struct trace_output *output, uint64_t number,
		  enum copy_purpose purpose, struct tacho_error *error)
{
	struct ring_view view;
	int ret = ring_view(copy->rings, copy->cpu, number, &view);

	if (ret)
		return ret;
	ret = trace_output_prepare(output, error);
	/* Nothing is wrong with the sub-buffer then. */
	if (ring_copy_is_skipped(ret))
		return -EIO;
	return ret ? ret : put_view(copy, output, &view, purpose, error);
}

bool ring_copy_is_skipped(int result)
{
	return result == -ESTALE || result == -EBADMSG || result == -EINVAL || result == -EFAULT;
}
