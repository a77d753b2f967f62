/* SPDX-License-Identifier: MIT */
/*
 * sys.h - system calls as the tracer needs them: async-signal-safe, no cancellation points, not
 * interposed by anybody's wrapper library, a negative errno as the result, errno untouched.
 */
#ifndef TACHO_TRACER_SYS_H
#define TACHO_TRACER_SYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

int sys_open(const char *path, int flags, unsigned int mode);
void sys_close(int fd);
/* sys_mkdir() - with this mode, whatever the umask */
int sys_mkdir(const char *path, unsigned int mode);
void sys_chmod_fd(int fd, unsigned int mode);
int sys_unlink(const char *path);
long sys_read(int fd, void *buffer, size_t bytes);
long sys_read_at(int fd, void *buffer, size_t bytes, uint64_t at);
/* sys_append() - a line to a file that exists, as long as that stays small. Return: 0; or what open()
 * gave. */
int sys_append(const char *path, const char *line, size_t bytes, size_t file_bytes_max);
int sys_truncate(int fd, uint64_t bytes);
/* sys_allocate() - within a file's length, which no limit of file sizes (ulimit -f) concerns */
int sys_allocate(int fd, uint64_t at, uint64_t bytes);
long sys_getdents(int fd, void *buffer, size_t bytes);
long sys_readlink(const char *path, char *buffer, size_t bytes);
/* sys_stat_fd() - owner, mode and size of an open file */
int sys_stat_fd(int fd, uint32_t *ret_uid, uint32_t *ret_mode, uint64_t *ret_bytes);
/* sys_stat_link() - owner and mode of a path, of the link where it is one */
int sys_stat_link(const char *path, uint32_t *ret_uid, uint32_t *ret_mode);
/* sys_inode() - the inode number of a path; 0 if it has none */
uint64_t sys_inode(const char *path);

/* sys_map() - a shared mapping of a file, or private zeros if @fd < 0; anywhere if @at is NULL.
 * Return: NULL if it fails. */
void *sys_map(void *at, size_t bytes, bool writable, int fd);
void sys_unmap(void *at, size_t bytes);
int sys_madvise(void *at, size_t bytes, int advice);

uint32_t sys_getpid(void);
uint32_t sys_gettid(void);
uint32_t sys_getuid(void);
uint32_t sys_getgid(void);
/* sys_get_ids() - real, effective, saved uid; real, effective, saved gid */
void sys_get_ids(uint32_t ret_ids[6]);
uint32_t sys_getcpu(void);

/* What the kernel counts for the calling thread. */
struct sys_usage {
	uint64_t minor_faults;
	uint64_t major_faults;
	uint64_t switches;
};
void sys_thread_usage(struct sys_usage *ret_usage);
uint64_t sys_thread_time_ns(void); /* that it has run */
bool sys_thread_exists(uint32_t pid, uint32_t tid);
/* sys_perf_event_open() - of the calling thread, on any CPU */
struct perf_event_attr;
int sys_perf_event_open(struct perf_event_attr *attr);
void sys_thread_name(char *ret_name); /* 16 bytes */
int sys_membarrier(int command);
/* sys_register_rseq() - of the calling thread. Return: whether it is registered now */
bool sys_register_rseq(void *area, uint32_t bytes, uint32_t signature);
/* sys_futex_wait() - until *word is not @value, or @timeout_ns have passed */
int sys_futex_wait(uint32_t *word, uint32_t value, uint64_t timeout_ns);
/* sys_futex_wake() - one who waits for it, of whatever process */
void sys_futex_wake(uint32_t *word);

#endif
