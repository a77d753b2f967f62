/* SPDX-License-Identifier: MIT */
/* mirror_drains.c - see mirror_drains.h */
#include "session/users/mirror_drains.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/fd.h"
#include "base/process.h"
#include "session/state.h"

#define DRAINS_FILE "mirror-drains"
#define TEXT_BYTES  65536
#define LINE_BYTES  48
#define POLL_NS     2000000L
#define POLLS       1500

/* The next of them that still lives; *@text goes on behind it. Return: false at the end. */
static bool next_alive(const char **text, struct mirror_drain *ret_drain)
{
	int bytes;

	while (sscanf(*text, "%" SCNd64 " %" SCNu64 "%n", &ret_drain->pid, &ret_drain->start_time,
		      &bytes) == 2) {
		*text += bytes;
		if (process_is_alive((pid_t)ret_drain->pid, ret_drain->start_time))
			return true;
	}
	return false;
}

static void read_all(const struct session *session, char text[TEXT_BYTES])
{
	if (file_read_text(session->dir_fd, DRAINS_FILE, text, TEXT_BYTES) < 0)
		text[0] = '\0';
}

static bool is_noted(const struct session *session, const struct mirror_drain *drain)
{
	char text[TEXT_BYTES];
	const char *rest = text;
	struct mirror_drain other;

	read_all(session, text);
	while (next_alive(&rest, &other)) {
		if (other.pid == drain->pid)
			return true;
	}
	return false;
}

/* By one write at the end: root's drain may note one at the same time. */
void mirror_drains_note(const struct session *session, struct mirror_drain drain)
{
	char line[LINE_BYTES];
	int fd;

	if (drain.pid <= 0 || is_noted(session, &drain))
		return;
	fd = file_open_at(session->dir_fd, DRAINS_FILE, O_WRONLY | O_APPEND | O_CREAT, 0600);
	if (fd < 0)
		return;
	snprintf(line, sizeof(line), "%" PRId64 " %" PRIu64 "\n", drain.pid, drain.start_time);
	fd_write_all(fd, line, strlen(line));
	fd_close(fd);
}

bool mirror_drains_wait(const struct session *session)
{
	struct timespec pause = { .tv_nsec = POLL_NS };
	struct mirror_drain drain;
	char text[TEXT_BYTES];

	read_all(session, text);
	for (int i = 0; i < POLLS; i++) {
		const char *rest = text;

		if (!next_alive(&rest, &drain))
			return true;
		nanosleep(&pause, NULL);
	}
	return false;
}
