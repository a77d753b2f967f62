/* SPDX-License-Identifier: MIT */
/* recover.c - see recover.h */
#include "session/recover/recover.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/str.h"
#include "session/drain/ring_copy.h"
#include "session/kernel/pump.h"
#include "session/paths.h"
#include "session/recover/alive.h"
#include "session/recover/image.h"
#include "session/recover/note.h"
#include "session/recover/past.h"
#include "session/recover/remains.h"
#include "session/recover/sound.h"

/* A session on its way to a trace. */
struct recovery {
	const struct recover_options *options;
	struct remains remains;
	struct ring_set set; /* of images */
	struct past past;
	struct trace_output output;
	struct sound sound; /* of the ring whose turn it is */
	struct recover_result *result;
};

/* ---- the images ---- */

static int open_image(struct recovery *r, uint32_t channel, enum tacho_writer_kind kind,
		      struct tacho_error *error)
{
	const struct session *session = &r->remains.session;
	const struct tacho_channel *c = &session->file->channel[channel];
	struct rings *rings = &r->set.rings[r->set.rings_count];
	char name[NAME_MAX + 1];
	int ret = session_ring_file(c, kind, name);

	if (!ret)
		ret = image_open(session->dir_fd, name, c, session->file->instance, r->options,
				 rings);
	if (!ret) {
		rings->writer_kind = kind;
		r->set.channel[r->set.rings_count++] = channel;
	}
	return ret ? error_set(error, ret, "cannot read the buffers of channel '%s': %s", c->name,
			       ret == -EBADMSG ? "nothing says how they are laid out" :
						 strerror(-ret)) :
		     0;
}

static int open_images(struct recovery *r, struct tacho_error *error)
{
	const struct tacho_session *file = r->remains.session.file;
	int ret = 0;

	for (uint32_t i = 0; !ret && i < 2 * file->channel_count; i++)
		if (session_has_rings(file, &file->channel[i / 2], i % 2))
			ret = open_image(r, i / 2, i % 2, error);
	if (!ret && ring_set_add_copies(&r->set, 0))
		ret = error_set(error, -ENOMEM, "no memory for the list of rings");
	return ret;
}

/* ---- a ring ---- */

/* What the new trace begins with. */
static void begin_ring(struct recovery *r, struct ring_copy *copy)
{
	uint32_t number = (uint32_t)(copy - r->set.copies);
	struct ring_range range = ring_range_kept(copy->rings, copy->cpu);
	const struct past_part *part;

	copy->cut = (struct ring_cut){ 0 };
	if (r->options->all)
		return;
	part = past_part(&r->past, copy->channel);
	copy->cut = ring_cuts_get(part->cuts, number);
	if (!part->trace && r->remains.session.file->streaming &&
	    copy->rings->mode != TACHO_MODE_OVERWRITE && range.released > copy->cut.subbuf) {
		copy->cut.subbuf = range.released;
		copy->cut.offset = 0;
	}
}

/* Where the page of the head was lost, it has to say at least that there is something. */
static void mend_head(const struct recovery *r, const struct ring_copy *copy)
{
	struct tacho_ring *ring = image_ring(copy->rings, copy->cpu);

	if (r->sound.part_count && !ring->head)
		ring->head = 1;
}

static int put_part(struct recovery *r, struct ring_copy *copy, const struct sound_part *part,
		    struct tacho_error *error)
{
	const struct ring_view *view = &part->view;
	int ret;

	if (view->number < copy->cut.subbuf ||
	    (view->number == copy->cut.subbuf && view->content_bytes <= copy->cut.offset))
		return 0;
	ret = ring_copy_put_view(copy, &r->output, view, error);
	r->result->packets += !ret;
	r->result->events += part->event_count;
	copy->cut_count += !part->is_whole;
	return ret;
}

static int put_parts(struct recovery *r, struct ring_copy *copy, struct tacho_error *error)
{
	uint64_t next = copy->cut.subbuf;
	int ret = ring_copy_resume(copy, &r->output, error);

	for (uint32_t i = 0; !ret && i < r->sound.part_count; i++) {
		const struct sound_part *part = &r->sound.part[i];

		if (i)
			copy->cut_count += part->view.number - next;
		next = part->view.number + 1;
		ret = put_part(r, copy, part, error);
		if (ring_copy_is_skipped(ret)) {
			r->result->damaged++;
			ret = 0;
		}
	}
	return ret;
}

static void note_ring(const struct recovery *r, const struct ring_copy *copy, bool is_loaded)
{
	const char *channel = r->remains.session.file->channel[copy->channel].name;

	if (!is_loaded)
		note(r->options, "channel '%s', CPU %u: not all of its buffer can be read", channel,
		     copy->cpu);
	if (r->sound.damaged)
		note(r->options, "channel '%s', CPU %u: %llu of %u parts of its buffer %s damaged",
		     channel, copy->cpu, (unsigned long long)r->sound.damaged,
		     copy->rings->subbuf_count, r->sound.damaged == 1 ? "is" : "are");
}

static void count_lost(struct recovery *r, const struct ring_copy *copy)
{
	uint64_t lost[TACHO_LOST_REASONS];

	ring_lost(copy->rings, copy->cpu, lost);
	for (int i = 0; i < TACHO_LOST_REASONS; i++)
		r->result->lost[i] += lost[i];
}

static bool is_unused(const struct ring_copy *copy)
{
	static const struct tacho_ring unused;

	return !ring_is_allocated(copy->rings, copy->cpu) ||
	       !memcmp(image_ring(copy->rings, copy->cpu), &unused, sizeof(unused));
}

static int recover_ring(struct recovery *r, struct ring_copy *copy, struct tacho_error *error)
{
	struct ctf_packet last;
	uint64_t drained = 0;
	bool has_last, is_loaded;
	int ret;

	if (is_unused(copy))
		return 0;
	begin_ring(r, copy);
	is_loaded = image_load(copy->rings, copy->cpu);
	has_last = past_last(&r->past, copy, &last);
	sound_find(copy->rings, copy->cpu, &r->output.events,
		   has_last ? last.seq : copy->cut.subbuf, !r->remains.is_of_this_boot, &r->sound);
	if (has_last)
		drained = past_cut(&last, &r->sound, &r->output.events, copy);
	mend_head(r, copy);
	count_lost(r, copy);
	note_ring(r, copy, is_loaded);
	r->result->damaged += r->sound.damaged;
	ret = put_parts(r, copy, error);
	r->result->events -= drained;
	r->result->bytes += copy->bytes;
	image_unload(copy->rings, copy->cpu);
	return ret;
}

/* ---- a session ---- */

/* Without a loss of records that could be told by rings alone. */
static void count_unattributed(struct recovery *r)
{
	uint64_t lost[TACHO_LOST_REASONS];

	for (uint32_t i = 0; i < r->set.rings_count; i++) {
		rings_lost_unattributed(&r->set.rings[i], lost);
		for (int reason = 0; reason < TACHO_LOST_REASONS; reason++)
			r->result->lost[reason] += lost[reason];
	}
}

static int recover_rings(struct recovery *r, struct tacho_error *error)
{
	int ret = trace_output_prepare(&r->output, error);

	count_unattributed(r);
	ring_set_count_losses(&r->set);
	for (uint32_t i = 0; !ret && i < r->set.copy_count; i++)
		ret = recover_ring(r, &r->set.copies[i], error);
	return ret ? ret : trace_output_finish(&r->output, error);
}

static int open_output(struct recovery *r, struct tacho_error *error)
{
	const struct session *session = &r->remains.session;
	const char *path = r->result->path;
	int ret;

	if (r->remains.is_of_this_boot)
		ret = trace_output_open(session, path, NULL, &r->output, error);
	else
		ret = trace_output_open_past(session, path, &r->output, error);
	/* The number of ids may be older than the ids. */
	if (!ret)
		r->output.events.id_count = TACHO_EVENT_IDS;
	return ret;
}

/* What the kernel itself still holds; the drain that would have taken it is dead. */
static void take_from_kernel(const struct recovery *r)
{
	struct tacho_error error = { .text = "" };

	if (r->remains.has_file && r->remains.is_of_this_boot &&
	    kernel_pump_once(&r->remains.session, &error))
		note(r->options, "%s", error.text);
}

static int copy_session(struct recovery *r, struct tacho_error *error)
{
	int ret, closed;

	take_from_kernel(r);
	ret = open_images(r, error);

	r->past.file = r->remains.session.file;
	if (!r->options->all)
		past_open(&r->remains, &r->past);
	if (r->past.user.trace || r->past.kernel.trace)
		str_copy(r->result->drained, sizeof(r->result->drained),
			 r->remains.session.file->output);
	r->set.cuts = r->past.user.cuts;
	if (!ret)
		ret = open_output(r, error);
	if (!ret)
		ret = recover_rings(r, error);
	closed = ring_set_close(&r->set, ret ? NULL : error);
	if (r->output.trace)
		trace_output_close(&r->output);
	past_close(&r->past);
	return ret ? ret : closed;
}

static int make_output(struct recovery *r, bool *ret_made, struct tacho_error *error)
{
	int ret = trace_absolute_path(r->options->output, r->result->path, error);

	return ret ? ret : trace_make_dir(r->result->path, ret_made, error);
}

int recover_session(const char *dir, const struct recover_options *options,
		    struct recover_result *ret_result, struct tacho_error *error)
{
	struct recovery *r = calloc(1, sizeof(*r));
	bool is_made = false;
	int ret;

	*ret_result = (struct recover_result){ 0 };
	if (!r)
		return error_set(error, -ENOMEM, "no memory to recover a session");
	r->options = options;
	r->result = ret_result;
	ret = remains_open(dir, options, &r->remains, error);
	if (!ret) {
		str_copy(ret_result->name, sizeof(ret_result->name), r->remains.session.file->name);
		ret = alive_check(&r->remains, error);
	}
	if (!ret)
		ret = make_output(r, &is_made, error);
	if (!ret)
		ret = copy_session(r, error);
	if (ret && is_made)
		rmdir(ret_result->path); /* unless something is in it */
	remains_close(&r->remains);
	free(r);
	return ret;
}
