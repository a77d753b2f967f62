/* SPDX-License-Identifier: MIT */
/* process.c - see process.h */
#include "base/process.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"

/* Of /proc/PID/stat, counted from 1 as in proc(5); the name, field 2, may hold anything, so
 * counting begins behind the last ')'. */
#define FIELD_STATE      3
#define FIELD_START_TIME 22

static const char *find_field(const char *stat, int number)
{
	const char *p = strrchr(stat, ')');

	for (int field = FIELD_STATE - 1; p && field < number; field++)
		p = strchr(p + 1, ' ');
	return p ? p + 1 : NULL;
}

static int read_stat(pid_t pid, char *ret_state, uint64_t *ret_start_time)
{
	char path[64];
	char stat[1024];
	const char *field;
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	n = file_read_text(AT_FDCWD, path, stat, sizeof(stat));
	if (n < 0)
		return n == -ENOENT ? -ESRCH : (int)n;
	field = find_field(stat, FIELD_START_TIME);
	if (!field)
		return -EBADMSG;
	*ret_start_time = strtoull(field, NULL, 10);
	*ret_state = *find_field(stat, FIELD_STATE);
	return 0;
}

int process_start_time(pid_t pid, uint64_t *ret_start_time)
{
	char state;

	return read_stat(pid, &state, ret_start_time);
}

bool process_is_alive(pid_t pid, uint64_t start_time)
{
	uint64_t found;
	char state;
	int ret = read_stat(pid, &state, &found);

	/* What cannot be told is taken as alive: nothing of it will be removed. */
	if (ret)
		return ret != -ESRCH;
	return found == start_time && state != 'Z' && state != 'X';
}

bool process_is_over(pid_t pid)
{
	uint64_t start_time;
	char state;
	int ret = read_stat(pid, &state, &start_time);

	return ret ? ret == -ESRCH : state == 'Z' || state == 'X';
}

bool process_is_halted(pid_t pid, uint64_t start_time)
{
	uint64_t found;
	char state;

	return !read_stat(pid, &state, &found) && found == start_time && state == 'T';
}

/* How many bytes at @args are our command line, as the kernel shows it; 0 if it is not there. */
static size_t count_args(const char *args)
{
	int fd = file_open_at(AT_FDCWD, "/proc/self/cmdline", O_RDONLY, 0);
	char part[1024];
	size_t count = 0;
	ssize_t n = 0;

	while (fd >= 0 && (n = read(fd, part, sizeof(part))) > 0) {
		if (memcmp(args + count, part, (size_t)n)) {
			count = 0;
			break;
		}
		count += (size_t)n;
	}
	fd_close(fd);
	return count;
}

void process_set_title(const char *title)
{
	char *args = program_invocation_name; /* argv[0]; behind it are the others */
	size_t room = count_args(args);
	size_t length = strlen(title);

	if (!room)
		return;
	if (length >= room)
		length = room - 1;
	memset(args, 0, room);
	memcpy(args, title, length);
}

uint64_t process_pid_namespace(void)
{
	struct stat st;

	return stat("/proc/self/ns/pid", &st) ? 0 : (uint64_t)st.st_ino;
}
