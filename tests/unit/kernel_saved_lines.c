/* SPDX-License-Identifier: MIT */
/* kernel_saved_lines.c - names of threads that the kernel keeps. */
#include "session/kernel/saved_lines.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/fd.h"
#include "tests/test.h"

static int make_directory(char *path, const char *text)
{
	int fd;

	assert_non_null(mkdtemp(path));
	fd = open(path, O_RDONLY | O_DIRECTORY);
	assert_true(fd >= 0);
	if (text)
		assert_int_equal(file_write_text(fd, "names", text), 0);
	return fd;
}

static void remove_directory(const char *path, int fd)
{
	unlinkat(fd, "names", 0);
	fd_close(fd);
	rmdir(path);
}

static void each_thread_is_found(void **state)
{
	char path[] = "/tmp/tacho-saved.XXXXXX";
	struct saved_lines lines = { .file = "names" };
	int fd = make_directory(path, "12 a name\n3 three\nnothing\n4000 last");

	(void)state;
	assert_string_equal(saved_lines_find(&lines, fd, 3), "three");
	assert_string_equal(saved_lines_find(&lines, fd, 12), "a name");
	assert_string_equal(saved_lines_find(&lines, fd, 4000), "last");
	assert_null(saved_lines_find(&lines, fd, 5));
	saved_lines_fini(&lines);
	remove_directory(path, fd);
}

static void a_file_that_is_not_there_has_no_thread(void **state)
{
	char path[] = "/tmp/tacho-saved.XXXXXX";
	struct saved_lines lines = { .file = "names" };
	int fd = make_directory(path, NULL);

	(void)state;
	assert_null(saved_lines_find(&lines, fd, 3));
	assert_null(saved_lines_find(&lines, fd, 3));
	saved_lines_fini(&lines);
	remove_directory(path, fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_thread_is_found),
		cmocka_unit_test(a_file_that_is_not_there_has_no_thread),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
