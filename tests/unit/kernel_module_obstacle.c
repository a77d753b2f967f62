/* SPDX-License-Identifier: MIT */
/* kernel_module_obstacle.c - what is in the way of the kernel module, in made-up machines. */
#include "kernel/module_obstacle.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fd.h"
#include "tests/test.h"

#define MODULES_DISABLED "proc/sys/kernel/modules_disabled"
#define LOCKDOWN         "sys/kernel/security/lockdown"
#define SIG_ENFORCE      "sys/module/module/parameters/sig_enforce"
#define CONFIG           "boot/config-6.1"

static struct {
	char path[32];
	int fd;
	struct utsname kernel;
} machine;

static void put(const char *path, const char *text)
{
	char folder[128];

	snprintf(folder, sizeof(folder), "%s/%.*s", machine.path, (int)(strrchr(path, '/') - path),
		 path);
	assert_int_equal(dir_make_path(folder, 0700), 0);
	assert_int_equal(file_write_text(machine.fd, path, text), 0);
}

/* One that has all that is needed. */
static int make_machine(void **state)
{
	(void)state;
	strcpy(machine.path, "/tmp/obstacle.XXXXXX");
	assert_non_null(mkdtemp(machine.path));
	machine.fd = open(machine.path, O_PATH | O_DIRECTORY);
	strcpy(machine.kernel.machine, "x86_64");
	strcpy(machine.kernel.release, "6.1");
	put("proc/modules", "");
	put(MODULES_DISABLED, "0\n");
	put(LOCKDOWN, "[none] integrity confidentiality\n");
	put(SIG_ENFORCE, "N\n");
	put(CONFIG, "CONFIG_ARCH_SUPPORTS_CFI_CLANG=y\n# CONFIG_CFI_CLANG is not set\n");
	put("lib/modules/6.1/build/Makefile", "");
	return 0;
}

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *where)
{
	(void)st;
	(void)type;
	(void)where;
	return remove(path);
}

static int remove_machine(void **state)
{
	(void)state;
	fd_close(machine.fd);
	return nftw(machine.path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

static enum module_obstacle found(void)
{
	return module_obstacle(machine.fd, &machine.kernel);
}

static void a_machine_that_has_all_is_found_well(void **state)
{
	(void)state;
	assert_int_equal(found(), MODULE_OBSTACLE_NONE);
}

static void each_obstacle_is_found(void **state)
{
	(void)state;
	put(SIG_ENFORCE, "Y\n");
	assert_int_equal(found(), MODULE_OBSTACLE_SIGNATURE);
	put(SIG_ENFORCE, "N\n");
	put(LOCKDOWN, "none [integrity] confidentiality\n");
	assert_int_equal(found(), MODULE_OBSTACLE_SIGNATURE);
	put(LOCKDOWN, "none integrity [confidentiality]\n");
	assert_int_equal(found(), MODULE_OBSTACLE_CONFIDENTIAL);
	put(CONFIG, "CONFIG_X=y\nCONFIG_CFI_CLANG=y\n");
	assert_int_equal(found(), MODULE_OBSTACLE_CFI);
	put(CONFIG, "CONFIG_CFI=y\n");
	assert_int_equal(found(), MODULE_OBSTACLE_CFI);
	put(MODULES_DISABLED, "1\n");
	assert_int_equal(found(), MODULE_OBSTACLE_DISABLED);
	assert_int_equal(unlinkat(machine.fd, "proc/modules", 0), 0);
	assert_int_equal(found(), MODULE_OBSTACLE_NO_MODULES);
	strcpy(machine.kernel.machine, "aarch64");
	assert_int_equal(found(), MODULE_OBSTACLE_MACHINE);
}

static void headers_of_another_kernel_do_not_help(void **state)
{
	(void)state;
	strcpy(machine.kernel.release, "6.2");
	assert_int_equal(found(), MODULE_OBSTACLE_HEADERS);
}

static void a_machine_that_says_nothing_is_not_accused(void **state)
{
	(void)state;
	assert_int_equal(unlinkat(machine.fd, CONFIG, 0), 0);
	assert_int_equal(unlinkat(machine.fd, LOCKDOWN, 0), 0);
	assert_int_equal(unlinkat(machine.fd, SIG_ENFORCE, 0), 0);
	assert_int_equal(unlinkat(machine.fd, MODULES_DISABLED, 0), 0);
	assert_int_equal(found(), MODULE_OBSTACLE_NONE);
}

static void each_obstacle_has_a_text(void **state)
{
	(void)state;
	for (int i = MODULE_OBSTACLE_NONE; i <= MODULE_OBSTACLE_HEADERS; i++)
		assert_non_null(module_obstacle_text((enum module_obstacle)i));
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, make_machine, remove_machine)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(a_machine_that_has_all_is_found_well),
		CASE(each_obstacle_is_found),
		CASE(headers_of_another_kernel_do_not_help),
		CASE(a_machine_that_says_nothing_is_not_accused),
		CASE(each_obstacle_has_a_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
