/* SPDX-License-Identifier: MIT */
/* edit.c - see edit.h */
#include "edit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fd.h"
#include "ctf/file.h"
#include "edit_private.h"

#define INDEX_DIR "index"

static void note_text(struct edit *edit, const char *fmt, va_list args)
{
	char text[TACHO_ERROR_TEXT_BYTES];

	if (!edit->request->note)
		return;
	vsnprintf(text, sizeof(text), fmt, args);
	edit->request->note(edit->request->data, text);
}

void edit_note(struct edit *edit, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	note_text(edit, fmt, args);
	va_end(args);
}

void edit_repaired(struct edit *edit, const char *fmt, ...)
{
	va_list args;

	edit->totals.repairs++;
	va_start(args, fmt);
	note_text(edit, fmt, args);
	va_end(args);
}

bool edit_is_stopped(const struct edit *edit)
{
	return edit->request->is_stopped && edit->request->is_stopped(edit->request->data);
}

/* ---- one trace ---- */

static int edit_streams(struct edit *edit, const struct source_trace *trace, int dir_fd,
			int index_dir_fd)
{
	size_t next;
	int rc = 0;

	for (size_t at = 0; trace->parts && at < trace->paths.count && !rc; at = next)
		rc = edit_stream(edit, trace, at, dir_fd, index_dir_fd, &next);
	return rc;
}

static int fill_dir(struct edit *edit, size_t input, struct source_trace *trace, const char *place,
		    int dir_fd)
{
	char *index_place;
	int index_dir_fd;
	bool is_changed;
	int rc = edit_clocks(edit, input, trace, &is_changed);

	if (!rc)
		rc = edit_metadata(edit, trace, is_changed, dir_fd);
	if (rc)
		return rc;
	if (asprintf(&index_place, "%s%s" INDEX_DIR, place, *place ? "/" : "") < 0)
		return error_set(edit->e, -ENOMEM, "no memory");
	index_dir_fd = output_make_dir(&edit->output, index_place, edit->e);
	free(index_place);
	if (index_dir_fd < 0)
		return index_dir_fd;
	rc = edit_streams(edit, trace, dir_fd, index_dir_fd);
	close(index_dir_fd);
	/* Not empty where there is an index, and then it stays. */
	unlinkat(dir_fd, INDEX_DIR, AT_REMOVEDIR);
	return rc;
}

static int edit_trace(struct edit *edit, size_t input, struct source_trace *trace,
		      const char *place)
{
	int dir_fd, rc;

	if (trace->damage.code)
		edit_note(edit, "%s", trace->damage.text);
	edit->totals.damages += trace->damage.code != 0;
	if (!trace->trace)
		return 0;
	dir_fd = output_make_dir(&edit->output, place, edit->e);
	if (dir_fd < 0)
		return dir_fd;
	edit->totals.traces++;
	rc = fill_dir(edit, input, trace, place, dir_fd);
	close(dir_fd);
	return rc;
}

/* ---- all of them ---- */

/* Traces of several directories must not meet in one place. */
static char *place_of(const struct edit *edit, size_t input, const struct source_trace *trace)
{
	const char *dir = edit->request->inputs[input];
	size_t end = strlen(dir), begin;
	char *place;

	if (edit->request->input_count == 1)
		return strdup(trace->place);
	while (end && dir[end - 1] == '/')
		end--;
	for (begin = end; begin && dir[begin - 1] != '/';)
		begin--;
	if (asprintf(&place, "%zu-%.*s%s%s", input + 1, (int)(end - begin), dir + begin,
		     *trace->place ? "/" : "", trace->place) < 0)
		return NULL;
	return place;
}

static int edit_source(struct edit *edit, size_t input, const struct source *source)
{
	int rc = 0;

	if (source->skipped.code)
		edit_note(edit, "%s", source->skipped.text);
	edit->totals.damages += source->skipped.code != 0;
	for (size_t i = 0; i < source->trace_count && !rc; i++) {
		char *place = place_of(edit, input, &source->traces[i]);

		rc = place ? edit_trace(edit, input, &source->traces[i], place) :
			     error_set(edit->e, -ENOMEM, "no memory");
		free(place);
	}
	return rc;
}

/* Inputs are looked at one by one, so each of them is an equal part of the whole. */
static void progress_begin(struct edit *edit, size_t input, const struct source *source)
{
	edit->progress = (struct edit_progress){ .input = input };
	for (size_t i = 0; i < source->trace_count; i++)
		edit->progress.total_bytes += source_bytes(&source->traces[i]);
}

void edit_progress(struct edit *edit, uint64_t bytes)
{
	const struct edit_request *request = edit->request;
	struct edit_progress *progress = &edit->progress;
	uint64_t done = progress->done_bytes + bytes;

	if (!request->progress || !progress->total_bytes)
		return;
	if (done > progress->total_bytes)
		done = progress->total_bytes;
	request->progress(request->data, progress->input * progress->total_bytes + done,
			  request->input_count * progress->total_bytes);
}

static int edit_input(struct edit *edit, size_t input)
{
	struct source source;
	int rc = source_open(edit->request->inputs[input], edit->e, &source);

	if (rc)
		return rc;
	progress_begin(edit, input, &source);
	rc = edit_source(edit, input, &source);
	source_close(&source);
	return rc;
}

int edit_run(const struct edit_request *request, struct tacho_error *e,
	     struct edit_totals *ret_totals)
{
	struct edit edit = { .request = request, .output.lock_fd = -1, .e = e };
	int rc = output_open(request->output, e, &edit.output);

	for (size_t i = 0; i < request->input_count && !rc; i++)
		rc = edit_input(&edit, i);
	if (!rc && !edit.totals.traces)
		rc = error_set(e, -EINVAL, "no trace in %s can be read", request->inputs[0]);
	if (!rc && edit_is_stopped(&edit))
		rc = error_set(e, -EINTR, "interrupted");
	if (!rc)
		rc = output_commit(&edit.output, e);
	output_close(&edit.output);
	edit_clocks_fini(&edit);
	*ret_totals = edit.totals;
	return rc;
}
