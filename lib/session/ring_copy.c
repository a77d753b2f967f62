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

static void resume_after_last(struct ring_copy *copy)
{
	struct ctf_packet last;

	if (!ctf_stream_last(copy->stream, &last))
		return;
	copy->next = last.seq + last.final;
	if (copy->rings->mode != TACHO_MODE_OVERWRITE && ring_range(copy->rings, copy->cpu).oldest < copy->next)
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
	resume_after_last(copy);
	return 0;
}

/* Records whose CPU is not known are counted with those of the first. */
static uint64_t count_lost(const struct ring_copy *copy, const struct ring_view *view)
{
	uint64_t unattributed[TACHO_LOST_REASONS] = { 0 };
	uint64_t sum = 0;

	if (copy->cpu == 0)
		rings_lost_unattributed(copy->rings, unattributed);
	for (int i = 0; i < TACHO_LOST_REASONS; i++)
		sum += view->lost[i] + unattributed[i];
	return sum;
}

static int clock_now(const struct trace_output *output, uint64_t *ret_ts)
{
	struct tacho_clock_tuple now;
	int ret = ctf_clock_sample(output->session->file->clock_kind, &now);

	if (!ret)
		*ret_ts = now.counter;
	return ret;
}

/* The time of the open sub-buffer's last record. Where that cannot be told: the present time, but
 * not for one that may grow, whose next record could be older. */
static int find_end(struct ring_copy *copy, const struct trace_output *output,
		    const struct ring_view *view, enum copy_purpose purpose, uint64_t *ret_ts)
{
	if (copy->walk_number != view->number)
		copy->walk = (struct record_walk){ 0 };
	copy->walk_number = view->number;
	if (!record_walk(&copy->walk, &output->events, view->content, view->content_bytes)) {
		*ret_ts = copy->walk.last_ts;
		return 0;
	}
	return purpose == COPY_GROWING ? -EAGAIN : clock_now(output, ret_ts);
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

static int put_view(struct ring_copy *copy, const struct trace_output *output,
		    const struct ring_view *view, enum copy_purpose purpose,
		    struct tacho_error *error)
{
	struct confirmation confirmation = { copy, view };
	struct ctf_packet packet = {
		.seq = view->number,
		.begin_ts = view->begin_ts,
		.end_ts = view->end_ts,
		.discarded = count_lost(copy, view),
		.content = view->content,
		.bytes = view->content_bytes,
		.final = !view->is_open || purpose == COPY_SNAPSHOT,
		.confirm = confirm_intact,
		.confirm_arg = &confirmation,
	};
	int ret = view->is_open ? find_end(copy, output, view, purpose, &packet.end_ts) : 0;

	if (!ret)
		ret = ctf_stream_put(copy->stream, &packet, error);
	if (!ret)
		copy->bytes += packet.bytes;
	return ret;
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
