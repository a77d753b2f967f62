/* SPDX-License-Identifier: MIT */
/* slices.c - see slices.h */
#include "slices.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <time.h>

#include "cli/progress.h"
#include "cli/say.h"
#include "ctf/read/trace.h"
#include "walk.h"

#define SLICE_BYTES  (4ull << 20) /* of the trace, to be read for one */
#define STREAM_BYTES (1ull << 20) /* .. and at least so many of each stream */
#define SLICES_MAX   4096ull
#define THREADS_MAX  8
#define PAUSE_ITEMS  65536u
#define MEMORY_BYTES (32ull << 20) /* of all readers */
#define HOLD_BYTES   (12ull << 20) /* of all parts before their turn */

struct slices {
	struct slices_job *job;
	uint64_t begin_ns, end_ns; /* of what is cut */
	uint64_t from_ns;          /* items before are not wanted at all */

	pthread_mutex_t lock; /* for all below */
	pthread_cond_t changed;
	uint64_t count;
	uint64_t next; /* to be taken */
	uint64_t turn; /* to be written */
	unsigned int running;
	int err; /* the first; all stop */
};

/* One of them, of the thread that does it. */
struct slice {
	struct slices *slices;
	uint64_t number;
	uint64_t begin_ns, end_ns; /* from .. to before */
	bool is_rest;              /* it met what is wrong: up to the end of the trace */
	struct ctf_reader *reader;
	struct view_select *select;
	void *part; /* of the caller */
};

/* ---- order ---- */

static bool is_void(const struct slice *slice)
{
	return slice->slices->err || slice->number >= slice->slices->count;
}

/* Return: 0; -ECANCELED: it is not wanted any more. */
static int wait_for_turn(struct slice *slice)
{
	struct slices *slices = slice->slices;
	int err;

	pthread_mutex_lock(&slices->lock);
	while (slices->turn != slice->number && !is_void(slice))
		pthread_cond_wait(&slices->changed, &slices->lock);
	err = is_void(slice) ? -ECANCELED : 0;
	pthread_mutex_unlock(&slices->lock);
	return err;
}

static bool is_turn(struct slice *slice, bool *ret_is_void)
{
	bool is;

	pthread_mutex_lock(&slice->slices->lock);
	is = slice->slices->turn == slice->number;
	*ret_is_void = is_void(slice);
	pthread_mutex_unlock(&slice->slices->lock);
	return is;
}

static void end_turn(struct slice *slice, int err)
{
	struct slices *slices = slice->slices;

	pthread_mutex_lock(&slices->lock);
	if (!err) {
		struct ctf_reader_totals totals = ctf_reader_totals(slice->reader);

		slices->turn++;
		slices->job->totals.events += totals.events;
		slices->job->totals.damages += totals.damages;
		slices->job->totals.bytes = totals.bytes;
		slices->job->totals.streams = totals.streams;
	} else if (err != -ECANCELED && !slices->err) {
		slices->err = err;
	}
	pthread_cond_broadcast(&slices->changed);
	pthread_mutex_unlock(&slices->lock);
}

/* ---- what it holds ---- */

static int pour(struct slice *slice, bool is_last)
{
	return slice->slices->job->pour(slice->part, is_last);
}

static int pause_slice(struct slice *slice, bool is_full)
{
	bool is_over;
	bool is_mine = is_turn(slice, &is_over);
	int err = 0;

	if (is_over)
		return -ECANCELED;
	if (!is_mine && is_full) {
		err = wait_for_turn(slice);
		is_mine = true;
	}
	return err || !is_mine ? err : pour(slice, false);
}

/* ---- one slice ---- */

/* All behind it is read by this one; if one before met what is wrong earlier, by that one. */
static int take_rest(struct slice *slice)
{
	struct slices *slices = slice->slices;
	int err = wait_for_turn(slice);

	if (err)
		return err;
	pthread_mutex_lock(&slices->lock);
	slices->count = slice->number + 1;
	pthread_cond_broadcast(&slices->changed);
	pthread_mutex_unlock(&slices->lock);
	slice->is_rest = true;
	return 0;
}

/* What comes before it is told before it. */
static int say_damage(struct slice *slice, const struct ctf_item *item)
{
	int err = pour(slice, false);

	if (!err)
		say(SAY_WARNING, "%s", item->damage.text);
	return err;
}

static bool is_hidden(const struct slice *slice, const struct ctf_item *item)
{
	return item->kind == CTF_ITEM_EVENT && item->event.is_writer &&
	       !slice->slices->job->with_writers;
}

/* Return: SLICES_FULL or 0: go on; -ENODATA: that was all; or another negative. */
static int judge(struct slice *slice, const struct ctf_item *item)
{
	if (is_hidden(slice, item))
		return 0;
	switch (view_select_judge(slice->select, item)) {
	case VIEW_SHOW:
		return slice->slices->job->item(slice->part, item);
	case VIEW_END:
		return -ENODATA;
	default:
		return 0;
	}
}

/* Return: the same. */
static int take(struct slice *slice, const struct ctf_item *item)
{
	bool is_damage = item->kind == CTF_ITEM_DAMAGE;
	int err = 0;

	if (!slice->is_rest && (is_damage || ctf_reader_is_disordered(slice->reader)))
		err = take_rest(slice);
	if (!err && is_damage)
		err = say_damage(slice, item);
	if (err)
		return err;
	if (!is_damage && !slice->is_rest) {
		if (slice->number && item->time_ns < slice->begin_ns)
			return 0;
		if (item->time_ns >= slice->end_ns)
			return -ENODATA;
	}
	return judge(slice, item);
}

static int read_items(struct slice *slice)
{
	const struct ctf_item *item;
	int more;

	for (unsigned int i = 1; (more = ctf_reader_next(slice->reader, &item)) > 0; i++) {
		int err = take(slice, item);

		if (err == SLICES_FULL || (!err && i % PAUSE_ITEMS == 0))
			err = pause_slice(slice, err == SLICES_FULL);
		if (err)
			return err == -ENODATA ? 0 : err;
	}
	return more;
}

static int read_slice(struct slice *slice)
{
	int err = ctf_reader_seek(slice->reader, slice->begin_ns);

	if (!err)
		err = read_items(slice);
	if (!err)
		err = wait_for_turn(slice);
	return err ? err : pour(slice, true);
}

static int open_slice(struct slice *slice)
{
	struct slices_job *job = slice->slices->job;
	int err = ctf_reader_open(job->dir, NULL, &slice->reader);

	if (err)
		return err;
	if (view_select_new(job->command, job->select_options, &slice->select))
		return -EINVAL;
	view_select_share(slice->select, job->select);
	ctf_reader_set_memory(slice->reader, MEMORY_BYTES / THREADS_MAX);
	if (job->without_fields)
		ctf_reader_skip_fields(slice->reader);
	ctf_reader_watch_order(slice->reader, slice->slices->from_ns);
	return job->open(job, slice->number == 0, &slice->part);
}

static void close_slice(struct slice *slice)
{
	slice->slices->job->close(slice->part);
	view_select_free(slice->select);
	ctf_reader_close(slice->reader);
}

static uint64_t edge(const struct slices *slices, uint64_t count, uint64_t number)
{
	uint64_t length_ns = slices->end_ns - slices->begin_ns;

	return slices->begin_ns + (uint64_t)((unsigned __int128)length_ns * number / count);
}

static void do_slice(struct slices *slices, uint64_t count, uint64_t number)
{
	struct slice slice = {
		.slices = slices,
		.number = number,
		.begin_ns = number ? edge(slices, count, number) : slices->from_ns,
		.end_ns = number + 1 < count ? edge(slices, count, number + 1) : UINT64_MAX,
	};
	int err = open_slice(&slice);

	if (!err)
		err = read_slice(&slice);
	end_turn(&slice, err);
	close_slice(&slice);
}

/* ---- all ---- */

static bool take_next(struct slices *slices, uint64_t *ret_number)
{
	bool is_taken;

	pthread_mutex_lock(&slices->lock);
	is_taken = slices->next < slices->count && !slices->err;
	*ret_number = slices->next;
	slices->next += is_taken;
	if (!is_taken) {
		slices->running--;
		pthread_cond_broadcast(&slices->changed);
	}
	pthread_mutex_unlock(&slices->lock);
	return is_taken;
}

static void *work(void *data)
{
	struct slices *slices = data;
	uint64_t count = slices->count, number;

	while (take_next(slices, &number))
		do_slice(slices, count, number);
	return NULL;
}

/* Until the last thread has nothing to do, show how far they are. */
static void wait_for_all(struct slices *slices)
{
	uint64_t count = slices->count;

	progress_begin("reading", slices->job->is_printing);
	pthread_mutex_lock(&slices->lock);
	while (slices->running) {
		struct timespec until;

		clock_gettime(CLOCK_REALTIME, &until);
		until.tv_nsec += 100000000;
		until.tv_sec += until.tv_nsec / 1000000000;
		until.tv_nsec %= 1000000000;
		pthread_cond_timedwait(&slices->changed, &slices->lock, &until);
		progress_show(slices->turn, count);
	}
	pthread_mutex_unlock(&slices->lock);
	progress_end();
}

static unsigned int cpu_count(void)
{
	cpu_set_t set;
	int count = sched_getaffinity(0, sizeof(set), &set) ? 1 : CPU_COUNT(&set);

	return count < THREADS_MAX ? (unsigned int)count : THREADS_MAX;
}

/* Return: how many threads there were. */
static unsigned int run_threads(struct slices *slices)
{
	pthread_t threads[THREADS_MAX];
	unsigned int wanted = cpu_count(), made = 0;

	slices->job->part_bytes = HOLD_BYTES / wanted;
	/* None ends before all are counted. */
	pthread_mutex_lock(&slices->lock);
	while (made < wanted && !pthread_create(&threads[made], NULL, work, slices))
		made++;
	slices->running = made;
	pthread_mutex_unlock(&slices->lock);
	wait_for_all(slices);
	for (unsigned int i = 0; i < made; i++)
		pthread_join(threads[i], NULL);
	return made;
}

/* ---- whether it pays ---- */

/* Times of packets have to hold for each event in them: known tracers see to that. */
static bool are_times_sound(const struct ctf_reader *reader)
{
	const struct read_trace *trace = ctf_reader_traces(reader);

	for (; trace; trace = trace->next) {
		const char *name = read_trace_env(trace, "tracer_name");

		if (!name || (strcmp(name, "tacho") && strncmp(name, "lttng-", strlen("lttng-"))))
			return false;
	}
	return true;
}

static uint64_t count_slices(const struct ctf_reader *reader)
{
	struct ctf_reader_totals totals = ctf_reader_totals(reader);
	uint64_t bytes = totals.streams * STREAM_BYTES;
	uint64_t count = totals.bytes / (bytes > SLICE_BYTES ? bytes : SLICE_BYTES);

	return totals.streams < 2 ? 0 : count < SLICES_MAX ? count : SLICES_MAX;
}

/* Return: whether there are slices. */
static bool cut(struct slices *slices, struct ctf_reader *reader)
{
	uint64_t last_ns;

	slices->count = are_times_sound(reader) ? count_slices(reader) : 0;
	if (slices->count < 2 || !ctf_reader_check_indexes(reader) ||
	    ctf_reader_find_last(reader, &last_ns) <= 0)
		return false;
	slices->begin_ns = view_select_begin(slices->job->select);
	if (view_select_from(slices->job->select) > slices->begin_ns) {
		slices->begin_ns = view_select_from(slices->job->select);
		slices->from_ns = slices->begin_ns;
	}
	slices->end_ns = view_select_to(slices->job->select);
	if (last_ns < slices->end_ns)
		slices->end_ns = last_ns;
	return slices->end_ns > slices->begin_ns &&
	       slices->end_ns - slices->begin_ns > slices->count;
}

static bool prepare(struct slices *slices)
{
	struct view_walk walk = { .dir = slices->job->dir, .select = slices->job->select };
	struct ctf_reader *reader;
	bool is_cut;
	int err;

	if (cpu_count() < 2 || ctf_reader_open(walk.dir, NULL, &reader))
		return false;
	walk.with_writers = slices->job->with_writers;
	walk.is_again = true;
	is_cut = count_slices(reader) >= 2 && !view_walk_prepare(&walk, &err) && !err &&
		 !walk.totals.damages && cut(slices, reader);
	ctf_reader_close(reader);
	return is_cut;
}

bool slices_read(struct slices_job *job, int *ret_err)
{
	struct slices slices = { .job = job };
	bool is_done;

	if (!prepare(&slices))
		return false;
	pthread_mutex_init(&slices.lock, NULL);
	pthread_cond_init(&slices.changed, NULL);
	is_done = run_threads(&slices) > 0;
	pthread_cond_destroy(&slices.changed);
	pthread_mutex_destroy(&slices.lock);
	*ret_err = slices.err;
	return is_done;
}
