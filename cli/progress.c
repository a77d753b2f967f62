/* SPDX-License-Identifier: MIT */
/* progress.c - see progress.h */
#include "progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define FIRST_NS   1000000000ull /* before then nobody waits */
#define STEP_NS    100000000ull
#define BAR_BYTES  20u
#define LINE_BYTES 128u
#define ERASE_LINE "\r\033[K"

static struct {
	const char *what; /* NULL: no bar is wanted */
	uint64_t begin_ns;
	uint64_t next_ns; /* when it is drawn next */
	bool is_drawn;
} bar;

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000ull + (uint64_t)now.tv_nsec;
}

static bool is_wanted(bool prints)
{
	const char *term = getenv("TERM");
	struct stat st;

	if (!isatty(STDERR_FILENO) || !term || !strcmp(term, "dumb"))
		return false;
	if (isatty(STDOUT_FILENO))
		return !prints;
	return !fstat(STDOUT_FILENO, &st) && !S_ISFIFO(st.st_mode) && !S_ISSOCK(st.st_mode);
}

static void write_text(const char *text, size_t bytes)
{
	/* A terminal that is gone is no reason to stop. */
	if (write(STDERR_FILENO, text, bytes) < 0)
		bar.what = NULL;
}

void progress_begin(const char *what, bool prints)
{
	bar.what = is_wanted(prints) ? what : NULL;
	bar.begin_ns = now_ns();
	bar.next_ns = bar.begin_ns + FIRST_NS;
	bar.is_drawn = false;
}

static void draw(uint64_t spent_ns, uint64_t done, uint64_t total)
{
	double part = done < total ? (double)done / (double)total : 1;
	uint64_t left_s = part > 0 ? (uint64_t)((double)spent_ns * (1 - part) / part / 1e9) : 0;
	unsigned int full = (unsigned int)(part * BAR_BYTES);
	char line[LINE_BYTES];
	int bytes = snprintf(line, sizeof(line), ERASE_LINE "%.40s [%.*s%.*s] %u%% %llu:%02u left",
			     bar.what, (int)full, "####################", (int)(BAR_BYTES - full),
			     "--------------------", (unsigned int)(part * 100),
			     (unsigned long long)(left_s / 60), (unsigned int)(left_s % 60));

	bar.is_drawn = true;
	write_text(line, (size_t)bytes);
}

void progress_show(uint64_t done, uint64_t total)
{
	uint64_t now;

	if (!bar.what || !total)
		return;
	now = now_ns();
	if (now < bar.next_ns)
		return;
	bar.next_ns = now + STEP_NS;
	draw(now - bar.begin_ns, done, total);
}

void progress_clear(void)
{
	if (bar.is_drawn)
		write_text(ERASE_LINE, strlen(ERASE_LINE));
	bar.is_drawn = false;
}

void progress_end(void)
{
	progress_clear();
	bar.what = NULL;
}
