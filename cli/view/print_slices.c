/* SPDX-License-Identifier: MIT */
/* print_slices.c - see print_slices.h */
#include "print_slices.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cli/text.h"
#include "slices.h"

#define COPY_BYTES 65536u

/* What all parts share; in turn. */
struct printing {
	struct view_slices_job *job;
	struct ctf_print_last last; /* of all lines so far */
	bool has_said_loss;
};

struct part {
	struct printing *printing;
	struct view_output *output;
	uint64_t limit_bytes;
	uint64_t poured_bytes; /* of what the output printed */
	unsigned int filled;   /* gaps */
	int fd;                /* what it printed since */
};

/* ---- pouring ---- */

static int write_all(int fd, const char *data, size_t bytes)
{
	while (bytes) {
		ssize_t n = write(fd, data, bytes);

		if (n < 0 && errno != EINTR)
			return -errno;
		if (n > 0) {
			data += n;
			bytes -= (size_t)n;
		}
	}
	return 0;
}

/* On from where it was read last, so many bytes, or as many as there are. */
static int copy(int from, int to, uint64_t bytes)
{
	char data[COPY_BYTES];

	while (bytes) {
		ssize_t n = read(from, data, bytes < sizeof(data) ? bytes : sizeof(data));
		int err = n > 0 ? write_all(to, data, (size_t)n) : 0;

		if (n <= 0 || err)
			return n < 0 ? -errno : err;
		bytes -= (uint64_t)n;
	}
	return 0;
}

/* All that is in front of a gap, and what belongs there. */
static int fill(struct part *part, const struct ctf_print_gap *gap, int to)
{
	char text[CTF_PRINT_GAP_BYTES];
	size_t bytes = ctf_print_gap_text(gap, &part->printing->last, text);
	int err = copy(part->fd, to, gap->offset - part->poured_bytes);

	part->poured_bytes = gap->offset;
	part->filled++;
	return err ? err : write_all(to, text, bytes);
}

static int copy_all(struct part *part, int to)
{
	struct ctf_print_gap gaps[CTF_PRINT_GAPS_MAX];
	unsigned int count = view_output_gaps(part->output, gaps);
	off_t end = lseek(part->fd, 0, SEEK_CUR);
	uint64_t all_bytes = part->poured_bytes + (uint64_t)end;
	int err = end < 0 || lseek(part->fd, 0, SEEK_SET) ? -errno : 0;

	while (!err && part->filled < count)
		err = fill(part, &gaps[part->filled], to);
	if (!err)
		err = copy(part->fd, to, UINT64_MAX);
	part->poured_bytes = all_bytes;
	return err;
}

/* What was printed so far goes out. */
static int pour(void *data, bool is_last)
{
	struct part *part = data;
	struct printing *printing = part->printing;
	int to = printing->job->output->print.fd;
	int err = view_output_flush(part->output);

	if (!err)
		err = copy_all(part, to);
	if (!err && (ftruncate(part->fd, 0) || lseek(part->fd, 0, SEEK_SET)))
		err = -errno;
	view_output_last(part->output, &printing->last);
	view_output_say_loss(part->output, &printing->has_said_loss);
	if (is_last)
		printing->job->shown += view_output_shown(part->output);
	return err || view_output_has_reader(to) ? err : -EPIPE;
}

/* ---- parts ---- */

static int item(void *data, const struct ctf_item *item)
{
	struct part *part = data;
	int err = view_output_item(part->output, item);

	if (err)
		return err;
	return view_output_bytes(part->output) - part->poured_bytes > part->limit_bytes ?
		       SLICES_FULL :
		       0;
}

static void close_part(void *data)
{
	struct part *part = data;

	if (!part)
		return;
	view_output_free(part->output);
	if (part->fd >= 0)
		close(part->fd);
	free(part);
}

static int open_part(const struct slices_job *job, bool is_first, void **ret_part)
{
	struct printing *printing = job->data;
	struct view_output_options output = *printing->job->output;
	struct part *part = xcalloc(1, sizeof(*part));
	int err;

	*ret_part = part;
	part->printing = printing;
	part->limit_bytes = job->part_bytes;
	part->fd = memfd_create("tacho-view", MFD_CLOEXEC);
	if (part->fd < 0)
		return -errno;
	output.print.fd = part->fd;
	output.print.with_gaps = true;
	output.without_header = !is_first;
	err = view_output_new(&output, &part->output);
	if (!err)
		view_output_begin(part->output, view_select_begin(job->select));
	return err;
}

bool view_slices_print(struct view_slices_job *job, int *ret_err)
{
	struct printing printing = { .job = job };
	struct slices_job slices = {
		.command = job->command,
		.dir = job->dir,
		.select_options = job->select_options,
		.select = job->select,
		.with_writers = job->with_writers,
		.is_printing = true,
		.open = open_part,
		.item = item,
		.close = close_part,
		.pour = pour,
		.data = &printing,
	};
	bool is_done = slices_read(&slices, ret_err);

	job->totals = slices.totals;
	return is_done;
}
