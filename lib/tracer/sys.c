/* SPDX-License-Identifier: MIT */
#include "tracer/sys.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/perf_event.h>
#include <linux/stat.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Every call goes through here, so errno is kept in one place. */
static long call(long number, long a, long b, long c, long d, long e, long f)
{
	int saved = errno;
	long ret = syscall(number, a, b, c, d, e, f);

	if (ret == -1)
		ret = -errno;
	errno = saved;
	return ret;
}

int sys_open(const char *path, int flags, unsigned int mode)
{
	/* O_NONBLOCK: someone may have put a FIFO there. */
	return (int)call(SYS_openat, AT_FDCWD, (long)path, flags | O_CLOEXEC | O_NONBLOCK, mode, 0,
			 0);
}

void sys_close(int fd)
{
	call(SYS_close, fd, 0, 0, 0, 0, 0);
}

int sys_mkdir(const char *path, unsigned int mode)
{
	int ret = (int)call(SYS_mkdirat, AT_FDCWD, (long)path, mode, 0, 0, 0);

	return ret ? ret : (int)call(SYS_fchmodat, AT_FDCWD, (long)path, mode, 0, 0, 0);
}

void sys_chmod_fd(int fd, unsigned int mode)
{
	call(SYS_fchmod, fd, mode, 0, 0, 0, 0);
}

int sys_unlink(const char *path)
{
	return (int)call(SYS_unlinkat, AT_FDCWD, (long)path, 0, 0, 0, 0);
}

long sys_read(int fd, void *buffer, size_t bytes)
{
	return call(SYS_read, fd, (long)buffer, (long)bytes, 0, 0, 0);
}

long sys_read_at(int fd, void *buffer, size_t bytes, uint64_t at)
{
	return call(SYS_pread64, fd, (long)buffer, (long)bytes, (long)at, 0, 0);
}

/* Beyond the limit of file sizes (ulimit -f) there is a signal that kills the program. */
static bool is_over_limit(uint64_t file_bytes)
{
	struct {
		uint64_t soft, hard;
	} limit = { UINT64_MAX, UINT64_MAX };

	call(SYS_prlimit64, 0, RLIMIT_FSIZE, 0, (long)&limit, 0, 0);
	return file_bytes > limit.soft;
}

int sys_append(const char *path, const char *line, size_t bytes, size_t file_bytes_max)
{
	int fd = sys_open(path, O_WRONLY | O_APPEND | O_NOFOLLOW, 0);
	uint32_t uid, mode;
	uint64_t file_bytes;

	if (fd < 0)
		return fd;
	if (!sys_stat_fd(fd, &uid, &mode, &file_bytes) && file_bytes + bytes <= file_bytes_max &&
	    !is_over_limit(file_bytes_max))
		call(SYS_write, fd, (long)line, (long)bytes, 0, 0, 0);
	sys_close(fd);
	return 0;
}

int sys_truncate(int fd, uint64_t bytes)
{
	if (is_over_limit(bytes))
		return -EFBIG;
	return (int)call(SYS_ftruncate, fd, (long)bytes, 0, 0, 0, 0);
}

/* A signal ends fallocate() on tmpfs, and takes back what the call did so far: small steps get there
 * however often signals come. */
#define ALLOCATE_STEP (64u << 10)

int sys_allocate(int fd, uint64_t at, uint64_t bytes)
{
	while (bytes) {
		uint64_t step = bytes < ALLOCATE_STEP ? bytes : ALLOCATE_STEP;
		long ret = call(SYS_fallocate, fd, 0, (long)at, (long)step, 0, 0);

		if (ret && ret != -EINTR)
			return (int)ret;
		if (!ret) {
			at += step;
			bytes -= step;
		}
	}
	return 0;
}

long sys_getdents(int fd, void *buffer, size_t bytes)
{
	return call(SYS_getdents64, fd, (long)buffer, (long)bytes, 0, 0, 0);
}

long sys_readlink(const char *path, char *buffer, size_t bytes)
{
	return call(SYS_readlinkat, AT_FDCWD, (long)path, (long)buffer, (long)bytes, 0, 0);
}

static int statx_of(int fd, const char *path, int flags, struct statx *ret)
{
	return (int)call(SYS_statx, fd, (long)path, flags, STATX_BASIC_STATS, (long)ret, 0);
}

int sys_stat_fd(int fd, uint32_t *ret_uid, uint32_t *ret_mode, uint64_t *ret_bytes)
{
	struct statx stx;
	int ret = statx_of(fd, "", AT_EMPTY_PATH, &stx);

	if (ret)
		return ret;
	*ret_uid = stx.stx_uid;
	*ret_mode = stx.stx_mode;
	*ret_bytes = stx.stx_size;
	return 0;
}

int sys_stat_link(const char *path, uint32_t *ret_uid, uint32_t *ret_mode)
{
	struct statx stx;
	int ret = statx_of(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, &stx);

	if (ret)
		return ret;
	*ret_uid = stx.stx_uid;
	*ret_mode = stx.stx_mode;
	return 0;
}

uint64_t sys_inode(const char *path)
{
	struct statx stx;

	return statx_of(AT_FDCWD, path, 0, &stx) ? 0 : stx.stx_ino;
}

void *sys_map(void *at, size_t bytes, bool writable, int fd)
{
	int protection = PROT_READ | (writable ? PROT_WRITE : 0);
	int flags = MAP_NORESERVE | (fd < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED) |
		    (at ? MAP_FIXED : 0);
	long ret = call(SYS_mmap, (long)at, (long)bytes, protection, flags, fd, 0);

	return ret < 0 && ret > -4096 ? NULL : (void *)ret;
}

void sys_unmap(void *at, size_t bytes)
{
	call(SYS_munmap, (long)at, (long)bytes, 0, 0, 0, 0);
}

int sys_madvise(void *at, size_t bytes, int advice)
{
	return (int)call(SYS_madvise, (long)at, (long)bytes, advice, 0, 0, 0);
}

uint32_t sys_getpid(void)
{
	return (uint32_t)call(SYS_getpid, 0, 0, 0, 0, 0, 0);
}

uint32_t sys_gettid(void)
{
	return (uint32_t)call(SYS_gettid, 0, 0, 0, 0, 0, 0);
}

void sys_get_ids(uint32_t ret_ids[6])
{
	call(SYS_getresuid, (long)&ret_ids[0], (long)&ret_ids[1], (long)&ret_ids[2], 0, 0, 0);
	call(SYS_getresgid, (long)&ret_ids[3], (long)&ret_ids[4], (long)&ret_ids[5], 0, 0, 0);
}

uint32_t sys_getcpu(void)
{
	uint32_t cpu = 0;

	call(SYS_getcpu, (long)&cpu, 0, 0, 0, 0, 0);
	return cpu;
}

uint32_t sys_getuid(void)
{
	return (uint32_t)call(SYS_getuid, 0, 0, 0, 0, 0, 0);
}

uint32_t sys_getgid(void)
{
	return (uint32_t)call(SYS_getgid, 0, 0, 0, 0, 0, 0);
}

void sys_thread_usage(struct sys_usage *ret_usage)
{
	struct rusage usage = { 0 };

	call(SYS_getrusage, RUSAGE_THREAD, (long)&usage, 0, 0, 0, 0);
	ret_usage->minor_faults = (uint64_t)usage.ru_minflt;
	ret_usage->major_faults = (uint64_t)usage.ru_majflt;
	ret_usage->switches = (uint64_t)usage.ru_nvcsw + (uint64_t)usage.ru_nivcsw;
}

uint64_t sys_thread_time_ns(void)
{
	struct timespec ts = { 0 };

	call(SYS_clock_gettime, CLOCK_THREAD_CPUTIME_ID, (long)&ts, 0, 0, 0, 0);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

bool sys_thread_exists(uint32_t pid, uint32_t tid)
{
	return call(SYS_tgkill, pid, tid, 0, 0, 0, 0) != -ESRCH;
}

int sys_perf_event_open(struct perf_event_attr *attr)
{
	return (int)call(SYS_perf_event_open, (long)attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC, 0);
}

void sys_thread_name(char *ret_name)
{
	ret_name[0] = 0;
	call(SYS_prctl, PR_GET_NAME, (long)ret_name, 0, 0, 0, 0);
}

bool sys_register_rseq(void *area, uint32_t bytes, uint32_t signature)
{
	long ret = call(SYS_rseq, (long)area, bytes, 0, signature, 0, 0);

	return !ret || ret == -EBUSY;
}

int sys_membarrier(int command)
{
	return (int)call(SYS_membarrier, command, 0, 0, 0, 0, 0);
}

int sys_futex_wait(uint32_t *word, uint32_t value, uint64_t timeout_ns)
{
	struct timespec ts = {
		.tv_sec = (time_t)(timeout_ns / 1000000000u),
		.tv_nsec = (long)(timeout_ns % 1000000000u),
	};

	return (int)call(SYS_futex, (long)word, FUTEX_WAIT, value, (long)&ts, 0, 0);
}

void sys_futex_wake(uint32_t *word)
{
	call(SYS_futex, (long)word, FUTEX_WAKE, 1, 0, 0, 0);
}
