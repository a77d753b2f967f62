/* SPDX-License-Identifier: MIT */
/* drain.c - see drain.h */
#include "session/kernel/recorder.h"
#include "session/drain/drain.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <linux/sched/types.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/fd.h"
#include "session/drain/drain_private.h"
#include "session/state.h"
#include "session/users/mirrors.h"

#define TROUBLE_NS 200000000ull /* until the next try to write */
#define LOOK_NS    100000000ull /* between looks whether the session is still there */
#define GROW_NS    100000000ull /* the trace is at most so much behind a busy ring */
#define SLICE_NS   100000ull    /* the least that a task may ask for */
#define NICE             (-10)
#define ROUNDS_MAX 4 /* each takes what the kernel's buffers can hold */
#define CLEAR_ROUNDS_MAX 16 /* each what they hold, or what a ring does; while the kernel records on */

int drain_lock(const struct session *session, bool wait)
{
	return file_lock_at(session->dir_fd, DRAIN_FILE, wait);
}

static int look_at_file(const struct session *session, struct stat *ret_stat)
{
	return fstatat(session->dir_fd, SESSION_FILE, ret_stat, AT_SYMLINK_NOFOLLOW);
}

int drain_open(struct session *session, struct drain **ret_drain, struct tacho_error *error)
{
	struct drain *drain = calloc(1, sizeof(*drain));
	struct stat st;
	int ret;

	if (!drain)
		return error_set(error, -ENOMEM, "no memory for a drain");
	drain->session = session;
	doze_init(&drain->doze, session);
	drain->instance = session->file->instance;
	drain->inode = look_at_file(session, &st) ? 0 : st.st_ino;
	drain->in_trouble = true; /* perhaps a drain before this one was */
	ret = ring_set_open(session, &drain->set, error);
	if (!ret)
		ret = drain_chunk_open(drain, error);
	if (ret)
		drain_close(drain);
	else
		*ret_drain = drain;
	return ret;
}

void drain_close(struct drain *drain)
{
	if (!drain)
		return;
	ring_set_close(&drain->set, NULL);
	kernel_pumps_close(drain->pumps);
	if (drain->output.trace)
		trace_output_close(&drain->output);
	doze_fini(&drain->doze);
	free(drain->cuts);
	free(drain);
}

uint64_t monotonic_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void release(const struct ring_copy *copy)
{
	if (copy->rings->mode == TACHO_MODE_OVERWRITE)
		return;
	ring_release(copy->rings, copy->cpu, copy->next);
	if (copy->rings->mode == TACHO_MODE_BLOCK)
		ring_wake(copy->rings, copy->cpu);
}

/* What a drain before this one has copied but not released. */
static void release_resumed(const struct ring_copy *copy)
{
	if (ring_range(copy->rings, copy->cpu).oldest < copy->next)
		release(copy);
}

/* Of a flight recorder, it is no damage that sub-buffers were overwritten. */
static void note_skipped(struct drain *drain, struct ring_copy *copy, uint64_t number, int result)
{
	if (result != -ESTALE || copy->rings->mode != TACHO_MODE_OVERWRITE)
		ring_copy_note_damage(copy, &drain->output, number);
}

/* What was released was copied, by a drain before this one. */
static void skip_overwritten(struct drain *drain, struct ring_copy *copy,
			     const struct ring_range *range)
{
	if (copy->next >= range->oldest)
		return;
	if (range->oldest > range->released || range->released >= range->end)
		note_skipped(drain, copy, range->oldest - 1, -ESTALE);
	copy->next = range->oldest;
}

/* Where the trace cannot be looked through, writing to it tells what is wrong. */
static void keep_limits(struct drain *drain, uint64_t written_bytes)
{
	limits_keep(&drain->limits, &drain->set, &drain->output, written_bytes);
}

/* All closed sub-buffers of @range. Return: how many, or a negative errno. */
static int copy_closed(struct drain *drain, struct ring_copy *copy, const struct ring_range *range,
		       struct tacho_error *error)
{
	int copied = 0;

	skip_overwritten(drain, copy, range);
	while (copy->next + 1 < range->end) {
		int ret = ring_copy_put(copy, &drain->output, copy->next, COPY_GROWING, error);

		if (ret && !ring_copy_is_skipped(ret))
			return ret;
		if (ret)
			note_skipped(drain, copy, copy->next, ret);
		copy->next++;
		copied++;
		release(copy);
		keep_limits(drain, 1ull << copy->rings->subbuf_shift);
	}
	return copied;
}

/* A ring that is at rest is copied at once, a busy one now and then. */
static bool is_due(const struct ring_copy *copy, const struct ring_range *range, uint64_t now_ns)
{
	if (range->head == copy->head_copied)
		return false;
	return range->head == copy->head_seen || now_ns - copy->copied_ns >= GROW_NS;
}

/* Bytes of the open sub-buffer that were not copied before. */
static uint64_t growth(const struct ring_copy *copy, const struct ring_range *range)
{
	uint64_t start = copy->next << copy->rings->subbuf_shift;

	return range->head - (copy->head_copied > start ? copy->head_copied : start);
}

static int copy_open(struct drain *drain, struct ring_copy *copy, const struct ring_range *range,
		     bool is_last, struct tacho_error *error)
{
	uint64_t now_ns = monotonic_ns();
	bool due = is_last || is_due(copy, range, now_ns);
	int ret;

	drain->moved |= range->head != copy->head_seen;
	copy->head_seen = range->head;
	if (!due || copy->next >= range->end)
		return 0;
	copy->copied_ns = now_ns;
	ret = ring_copy_put(copy, &drain->output, copy->next, is_last ? COPY_STOPPED : COPY_GROWING,
			    error);
	if (is_last && ring_copy_is_skipped(ret))
		note_skipped(drain, copy, copy->next, ret);
	if (ret == -EAGAIN || ring_copy_is_skipped(ret))
		ret = 0;
	if (ret)
		return ret;
	keep_limits(drain, growth(copy, range));
	copy->head_copied = range->head;
	return 0;
}

/* No writer leaves a head behind the sub-buffers that it opened. */
static bool has_more_than_it_opened(const struct ring_copy *copy, const struct ring_range *range)
{
	return tacho_open_subbuf(range->head, copy->rings->subbuf_shift) >= range->end;
}

/* Return: how many sub-buffers were finished, or a negative errno. */
static int copy_ring(struct drain *drain, struct ring_copy *copy, bool is_last,
		     struct tacho_error *error)
{
	struct ring_range range = ring_range(copy->rings, copy->cpu);
	int copied;
	int ret;

	if (!range.head)
		return 0;
	if (!copy->stream) {
		ret = ring_copy_resume(copy, &drain->output, error);
		if (ret)
			return ret;
		release_resumed(copy);
	}
	copied = copy_closed(drain, copy, &range, error);
	if (copied < 0)
		return copied;
	if (is_last && has_more_than_it_opened(copy, &range))
		ring_copy_note_damage(copy, &drain->output, range.end);
	ret = copy_open(drain, copy, &range, is_last, error);
	return ret ? ret : copied;
}

/* Rings do not wait for each other: trouble with one does not keep the rest from being copied.
 * Return: the first trouble, or how many sub-buffers were finished. */
static int copy_rings(struct drain *drain, bool is_last, struct tacho_error *error)
{
	int trouble = ring_set_refresh(drain->session, &drain->set, error);
	int copied = 0;

	ring_set_count_losses(&drain->set);
	for (uint32_t i = 0; i < drain->set.copy_count; i++) {
		int ret = copy_ring(drain, &drain->set.copies[i], is_last, trouble ? NULL : error);

		if (ret > 0)
			copied += ret;
		if (ret < 0 && !trouble)
			trouble = ret;
	}
	return trouble ? trouble : copied;
}

/* What the kernel has, into the rings. Return: 1: it has more than there was room for; or a negative
 * errno. */
static int pump(struct drain *drain, struct tacho_error *error)
{
	bool has_more;
	int ret = 0;

	drain->spared = recorders_spare(drain->session, getpid(), drain->spared);
	if (!kernel_pumps_are_all(drain->pumps, drain->session)) {
		kernel_pumps_close(drain->pumps);
		ret = kernel_pumps_open(drain->session, &drain->pumps, error);
		kernel_pumps_spare(drain->pumps);
	}
	if (!ret)
		ret = kernel_pumps_run(drain->pumps, &has_more, error);
	return ret ? ret : has_more;
}

/* Return: as copy_rings() does. */
static int pump_and_copy(struct drain *drain, struct tacho_error *error)
{
	int pumped = pump(drain, error);
	int copied = copy_rings(drain, false, pumped < 0 ? NULL : error);

	if (pumped < 0)
		return pumped;
	return copied < 0 ? copied : copied + pumped;
}

/* While the kernel records, there is always more; the next chunk will have it. */
static bool is_enough(const struct drain *drain, int round)
{
	return round >= ROUNDS_MAX &&
	       tacho_load_acquire(&drain->session->file->state) == TACHO_SESSION_ACTIVE;
}

static void drop_kernel_rings(struct drain *drain)
{
	for (uint32_t i = 0; i < drain->set.copy_count; i++) {
		struct ring_copy *copy = &drain->set.copies[i];

		if (drain->session->file->channel[copy->channel].domain != TACHO_DOMAIN_KERNEL)
			continue;
		ring_copy_drop(copy, &drain->output);
		release(copy);
	}
}

int drain_pump_away(struct drain *drain, struct tacho_error *error)
{
	int ret = pump(drain, error);

	for (int round = 1; ret > 0 && round < CLEAR_ROUNDS_MAX; round++) {
		drop_kernel_rings(drain);
		ret = pump(drain, error);
	}
	return ret < 0 ? ret : 0;
}

int drain_copy_rest(struct drain *drain, struct tacho_error *error)
{
	int ret = pump(drain, error);

	for (int round = 1; ret > 0 && !is_enough(drain, round); round++)
		ret = pump_and_copy(drain, error);
	if (ret >= 0)
		ret = copy_rings(drain, true, error);

	return ret < 0 ? ret : trace_output_finish(&drain->output, error);
}

/* Now and then, and when somebody asks for it (regenerate.c). */
static int refine_clock(struct drain *drain, struct tacho_error *error)
{
	struct tacho_session *file = drain->session->file;
	uint32_t wanted = tacho_load_acquire(&file->metadata_wanted);
	int ret;

	if (wanted == file->metadata_done && monotonic_ns() < drain->output.refine_at_ns)
		return 0;
	ret = trace_output_finish(&drain->output, error);
	if (!ret)
		tacho_store_release(&file->metadata_done, wanted);
	return ret;
}

/* @error: NULL if there is none */
static void note_trouble(struct drain *drain, const struct tacho_error *error)
{
	int dir_fd = drain->session->dir_fd;
	int code = error && !error->code ? -EIO : error ? error->code : 0;

	if (error)
		file_write_text(dir_fd, TROUBLE_FILE, error->text);
	else if (drain->in_trouble)
		unlinkat(dir_fd, TROUBLE_FILE, 0);
	tacho_store_relaxed(&drain->session->file->drain_trouble, (uint32_t)-code);
	drain->in_trouble = error != NULL;
}

/* Trouble with a chunk does not keep the rings from being copied to the one there is.
 * Return: how many sub-buffers were finished, or a negative errno. */
static int copy_once(struct drain *drain)
{
	struct tacho_error error = { 0 };
	int step = drain_chunk_step(drain, &error);
	int ret = step;

	drain->moved = false;
	if (drain->output.trace)
		ret = pump_and_copy(drain, step ? NULL : &error);
	if (ret >= 0 && refine_clock(drain, step ? NULL : &error))
		ret = -EIO;
	if (step != -EAGAIN)
		note_trouble(drain, step || ret < 0 ? &error : NULL);
	return ret;
}

/* Signals do not end the sleep, which is short. */
static bool was_told_to_end(void)
{
	const struct timespec now = { 0 };
	sigset_t ends;

	sigemptyset(&ends);
	sigaddset(&ends, SIGTERM);
	sigaddset(&ends, SIGINT);
	sigaddset(&ends, SIGHUP);
	return sigtimedwait(&ends, NULL, &now) > 0;
}

static bool is_dead(const struct drain *drain)
{
	return tacho_load_acquire(&drain->session->file->state) == TACHO_SESSION_DEAD;
}

/* Of a mirror, which root cannot tell any more to stop (mirrors.h). */
static bool has_lost_model(const struct session *session)
{
	return session->model && tacho_load_acquire(&session->model->state) != TACHO_SESSION_ACTIVE;
}

/* A user's first program makes a directory there: root's session is to have a mirror in it. */
static void reach_new_users(struct drain *drain)
{
	struct timespec *seen = &drain->shm_changed;
	struct stat st;

	if (stat("/dev/shm", &st) ||
	    (st.st_mtim.tv_sec == seen->tv_sec && st.st_mtim.tv_nsec == seen->tv_nsec))
		return;
	*seen = st.st_mtim;
	mirrors_follow(drain->session);
}

/* Was the session's file removed or written over, by someone who does not know what a session is?
 * No tool finds the session, or its drain, any more. */
static bool is_gone(struct drain *drain)
{
	const struct tacho_session *file = drain->session->file;
	uint64_t now_ns = monotonic_ns();
	struct stat st;

	if (now_ns - drain->looked_ns < LOOK_NS)
		return false;
	drain->looked_ns = now_ns;
	if (has_lost_model(drain->session))
		return true;
	reach_new_users(drain);
	if (look_at_file(drain->session, &st))
		return errno == ENOENT;
	return st.st_ino != drain->inode ||
	       tacho_load_relaxed(&file->magic) != TACHO_SESSION_MAGIC ||
	       tacho_load_relaxed(&file->instance) != drain->instance;
}

/* Only what is copied after the stop is the end: programs may record until then. */
static int finish(struct drain *drain, struct tacho_error *error)
{
	struct tacho_session *file = drain->session->file;
	bool is_stopped = tacho_load_acquire(&file->drain_stop);
	int ret = drain_chunk_step(drain, error);

	if (drain->output.trace)
		ret = drain_copy_rest(drain, error);
	if (!ret)
		ret = ring_set_close(&drain->set, error);
	if (ret) {
		note_trouble(drain, error);
		return ret;
	}
	note_trouble(drain, NULL);
	if (is_stopped)
		tacho_store_release(&file->drain_pid, 0);
	return 0;
}

static bool is_over(const struct drain *drain)
{
	return is_dead(drain) || tacho_load_acquire(&drain->session->file->drain_stop);
}

static bool has_wishes(const struct drain *drain)
{
	const struct tacho_session *file = drain->session->file;

	return is_over(drain) || drain_has_wishes(drain) ||
	       tacho_load_acquire(&file->metadata_wanted) != file->metadata_done;
}

/* doze:C. Has a sub-buffer been completed since the last look? */
static bool has_news(const void *arg)
{
	const struct drain *drain = arg;
	bool found = has_wishes(drain);

	for (uint32_t i = 0; !found && i < drain->set.copy_count; i++) {
		const struct ring_copy *copy = &drain->set.copies[i];

		found = ring_range(copy->rings, copy->cpu).end > copy->next + 1;
	}
	return found;
}

/* What cannot be written now is there until the next try, however often somebody comes. */
static void pause_after(struct drain *drain, int result)
{
	uint64_t ns;

	if (result < 0) {
		doze_sleep(&drain->doze, TROUBLE_NS, NULL, NULL);
		return;
	}
	ns = drain_chunk_limit(drain,
			       doze_choose(&drain->doze, result, drain->moved, monotonic_ns()));
	if (ns)
		doze_sleep(&drain->doze, ns, has_news, drain);
}

/*
 * A writer that has our CPU is to give it back as soon as there is something to copy. So we ask for
 * short slices: that takes nothing of our share from anybody. Kernels before 6.12 do not care. Who may,
 * as root may, asks for a larger share as well: what is copied too late is lost, and it is little.
 */
static void ask_for_short_slices(void)
{
	struct sched_attr attr;
	int nice;

	if (syscall(SYS_sched_getattr, 0, &attr, sizeof(attr), 0) ||
	    attr.sched_policy != SCHED_NORMAL)
		return;
	nice = attr.sched_nice;
	attr.sched_runtime = SLICE_NS;
	attr.sched_nice = nice < NICE ? nice : NICE;
	if (!syscall(SYS_sched_setattr, 0, &attr, 0))
		return;
	attr.sched_nice = nice;
	syscall(SYS_sched_setattr, 0, &attr, 0);
}

int drain_run(struct drain *drain, struct tacho_error *error)
{
	bool has_ended = false;

	ask_for_short_slices();
	while (!is_over(drain) && !has_ended) {
		pause_after(drain, copy_once(drain));
		has_ended = was_told_to_end() || is_gone(drain);
	}
	return is_dead(drain) ? 0 : finish(drain, error);
}

bool drain_is_needed(const struct session *session)
{
	int fd;

	if (!session->file->streaming || !session->file->drain_pid)
		return false;
	if (session->file->mirror_of && !session->runtime->is_visited)
		return false; /* only root has a way to the trace */
	fd = drain_lock(session, false);
	fd_close(fd);
	return fd >= 0;
}
