/* SPDX-License-Identifier: MIT */
/* progress.c - the bar of long work, on a terminal and elsewhere (cli/progress.c) */
#include "tests/test.h"

#include <fcntl.h>
#include <pty.h>
#include <time.h>

/* The clock is ours. */
static uint64_t fake_ns;

static int fake_clock_gettime(clockid_t clock, struct timespec *now)
{
	(void)clock;
	*now = (struct timespec){ (time_t)(fake_ns / 1000000000), (long)(fake_ns % 1000000000) };
	return 0;
}

#define clock_gettime fake_clock_gettime
#include "cli/progress.c"
#undef clock_gettime

struct screen {
	int terminal; /* what is written to the terminal comes out here */
	int saved_out, saved_err;
};

/* What the terminal got: all of it, once nobody has it open any more. */
static const char *end_of_terminal(struct screen *screen)
{
	static char text[4096];
	size_t used = 0;
	ssize_t bytes;

	dup2(screen->saved_out, STDOUT_FILENO);
	dup2(screen->saved_err, STDERR_FILENO);
	close(screen->saved_out);
	close(screen->saved_err);
	while ((bytes = read(screen->terminal, text + used, sizeof(text) - 1 - used)) > 0)
		used += (size_t)bytes;
	close(screen->terminal);
	text[used] = 0;
	return text;
}

/* Standard error is a terminal, standard output @out, or that terminal if negative. */
static void on_terminal(struct screen *screen, int out)
{
	int slave;

	assert_int_equal(setenv("TERM", "xterm", 1), 0);
	assert_int_equal(openpty(&screen->terminal, &slave, NULL, NULL, NULL), 0);
	fflush(stdout);
	screen->saved_out = dup(STDOUT_FILENO);
	screen->saved_err = dup(STDERR_FILENO);
	dup2(slave, STDERR_FILENO);
	dup2(out < 0 ? slave : out, STDOUT_FILENO);
	close(slave);
}

/* 1.5 s of work: what the terminal got. */
static const char *work(int out, bool prints)
{
	struct screen screen;

	on_terminal(&screen, out);
	fake_ns = 5000000000;
	progress_begin("reading", prints);
	for (uint64_t done = 0; done < 15; done++) {
		progress_show(done, 20);
		fake_ns += 100000000;
	}
	progress_end();
	return end_of_terminal(&screen);
}

static void bar_appears_after_a_second_and_is_erased(void **state)
{
	const char *text = work(-1, false);

	(void)state;
	assert_string_equal(text, "\r\033[Kreading [##########----------] 50% 0:01 left"
				  "\r\033[Kreading [###########---------] 55% 0:00 left"
				  "\r\033[Kreading [############--------] 60% 0:00 left"
				  "\r\033[Kreading [#############-------] 65% 0:00 left"
				  "\r\033[Kreading [##############------] 70% 0:00 left"
				  "\r\033[K");
}

static void there_is_none_among_printed_lines(void **state)
{
	(void)state;
	assert_string_equal(work(-1, true), "");
}

static void there_is_one_while_lines_go_to_a_file(void **state)
{
	int file = open("/tmp", O_TMPFILE | O_RDWR, 0600);

	(void)state;
	assert_true(file >= 0);
	assert_non_null(strstr(work(file, true), "50%"));
	close(file);
}

static void there_is_none_before_a_pipe(void **state)
{
	int pipes[2];

	(void)state;
	assert_int_equal(pipe(pipes), 0);
	assert_string_equal(work(pipes[1], false), "");
	close(pipes[0]);
	close(pipes[1]);
}

static void what_is_quick_has_none(void **state)
{
	struct screen screen;

	(void)state;
	on_terminal(&screen, -1);
	fake_ns = 0;
	progress_begin("reading", false);
	for (uint64_t done = 0; done < 10; done++) {
		progress_show(done, 10);
		fake_ns += 99000000;
	}
	progress_end();
	assert_string_equal(end_of_terminal(&screen), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bar_appears_after_a_second_and_is_erased),
		cmocka_unit_test(there_is_none_among_printed_lines),
		cmocka_unit_test(there_is_one_while_lines_go_to_a_file),
		cmocka_unit_test(there_is_none_before_a_pipe),
		cmocka_unit_test(what_is_quick_has_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
