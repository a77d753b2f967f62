/* SPDX-License-Identifier: MIT */
/* threads.c - see threads.h */
#include "session/kernel/threads.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fd.h"
#include "session/kernel/saved_lines.h"

/* A cache: a tid that is pushed out is looked up again. */
#define BUCKETS      4096u
#define STATUS_BYTES 512
#define NOT_KNOWN    UINT32_MAX /* no thread's id */

struct kernel_threads {
	struct ring_batch_thread idle;
	int tracefs_fd;
	struct saved_lines names, pids;
	uint32_t executed; /* the last of kernel_threads_exec(), as long as its end was not met */
	struct ring_batch_thread thread[BUCKETS];
};

struct kernel_threads *kernel_threads_new(int tracefs_fd)
{
	struct kernel_threads *threads = calloc(1, sizeof(*threads));

	if (!threads)
		return NULL;
	for (uint32_t i = 0; i < BUCKETS; i++)
		threads->thread[i].tid = NOT_KNOWN;
	threads->tracefs_fd = tracefs_fd;
	threads->names.file = "saved_cmdlines";
	threads->pids.file = "saved_tgids";
	return threads;
}

void kernel_threads_free(struct kernel_threads *threads)
{
	if (!threads)
		return;
	saved_lines_fini(&threads->names);
	saved_lines_fini(&threads->pids);
	free(threads);
}

static void set_name(struct ring_batch_thread *thread, const char *name, size_t length)
{
	if (length >= sizeof(thread->name))
		length = sizeof(thread->name) - 1;
	memset(thread->name, 0, sizeof(thread->name));
	memcpy(thread->name, name, length);
}

/* "Name:\tbash\n...Tgid:\t12\n" */
static bool ask_proc(struct ring_batch_thread *thread)
{
	char path[32], status[STATUS_BYTES];
	const char *tgid;

	snprintf(path, sizeof(path), "/proc/%u/status", thread->tid);
	if (file_read_text(AT_FDCWD, path, status, sizeof(status)) < 0 ||
	    strncmp(status, "Name:\t", 6))
		return false;
	set_name(thread, status + 6, strcspn(status + 6, "\n"));
	tgid = strstr(status, "\nTgid:\t");
	if (tgid)
		thread->pid = (uint32_t)strtoul(tgid + 7, NULL, 10);
	return true;
}

static void ask_tracefs(struct kernel_threads *threads, struct ring_batch_thread *thread)
{
	const char *name = saved_lines_find(&threads->names, threads->tracefs_fd, thread->tid);
	const char *pid = saved_lines_find(&threads->pids, threads->tracefs_fd, thread->tid);

	if (name)
		set_name(thread, name, strlen(name));
	if (pid && strtoul(pid, NULL, 10))
		thread->pid = (uint32_t)strtoul(pid, NULL, 10);
}

static struct ring_batch_thread *bucket_of(struct kernel_threads *threads, uint32_t tid)
{
	return &threads->thread[tid % BUCKETS];
}

const struct ring_batch_thread *kernel_threads_get(struct kernel_threads *threads, uint32_t tid,
						   uint32_t cpu)
{
	struct ring_batch_thread *thread = bucket_of(threads, tid);

	if (!tid) {
		snprintf(threads->idle.name, sizeof(threads->idle.name), "swapper/%u", cpu);
		return &threads->idle;
	}
	if (thread->tid == tid)
		return thread;
	*thread = (struct ring_batch_thread){ .pid = tid, .tid = tid };
	if (!ask_proc(thread))
		ask_tracefs(threads, thread);
	return thread;
}

/* The kernel calls it by the last part of the path. */
void kernel_threads_exec(struct kernel_threads *threads, uint32_t tid, const char *path,
			 uint32_t bytes)
{
	size_t length = strnlen(path, bytes);
	const char *slash = memrchr(path, '/', length);
	const char *name = slash ? slash + 1 : path;
	struct ring_batch_thread *thread;

	kernel_threads_get(threads, tid, 0);
	thread = bucket_of(threads, tid);
	set_name(thread, name, length - (size_t)(name - path));
	threads->executed = tid;
}

void kernel_threads_forget(struct kernel_threads *threads, uint32_t tid)
{
	if (threads->executed != tid)
		bucket_of(threads, tid)->tid = NOT_KNOWN;
	threads->executed = 0;
}

void kernel_threads_name(struct kernel_threads *threads, uint32_t tid, const char *name)
{
	struct ring_batch_thread *thread = bucket_of(threads, tid);
	size_t length = strnlen(name, sizeof(thread->name));

	if (tid && thread->tid == tid && strncmp(thread->name, name, sizeof(thread->name)))
		set_name(thread, name, length);
}
