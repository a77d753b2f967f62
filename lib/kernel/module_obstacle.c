/* SPDX-License-Identifier: MIT */
/* module_obstacle.c - see module_obstacle.h */
#include "kernel/module_obstacle.h"

#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/str.h"
#include "kernel/tracefs.h"

static bool exists(int root_fd, const char *path)
{
	return !faccessat(root_fd, path, F_OK, 0);
}

static bool begins_by(int root_fd, const char *path, char first)
{
	char text[16];

	return file_read_text(root_fd, path, text, sizeof(text)) > 0 && *text == first;
}

/* "none [integrity] confidentiality": which it is. */
static bool is_locked_down_for(int root_fd, const char *what)
{
	char text[128];

	return file_read_text(root_fd, "sys/kernel/security/lockdown", text, sizeof(text)) > 0 &&
	       strstr(text, what);
}

static bool says_yes(const char *config, const char *option)
{
	size_t length = strlen(option);

	for (const char *at = config; (at = strstr(at, option)); at += length) {
		if ((at == config || at[-1] == '\n') && !strncmp(at + length, "=y", 2))
			return true;
	}
	return false;
}

/* What a distribution says that its kernel was built with; false also where it says nothing. */
static bool was_built_with(int root_fd, const char *release, const char *option)
{
	static const char *const places[] = { "boot/config-%s", "lib/modules/%s/config",
					      "lib/modules/%s/build/.config" };
	bool is_said = false;

	for (size_t i = 0; !is_said && i < sizeof(places) / sizeof(places[0]); i++) {
		char path[PATH_MAX], *text;

		if (str_print(path, sizeof(path), places[i], release) < 0 ||
		    tracefs_read(root_fd, path, &text) < 0)
			continue;
		is_said = says_yes(text, option);
		free(text);
	}
	return is_said;
}

static bool has_headers(int root_fd, const char *release)
{
	char path[PATH_MAX];

	return str_print(path, sizeof(path), "lib/modules/%s/build", release) >= 0 &&
	       exists(root_fd, path);
}

enum module_obstacle module_obstacle(int root_fd, const struct utsname *kernel)
{
	const char *release = kernel->release;

	if (strcmp(kernel->machine, "x86_64"))
		return MODULE_OBSTACLE_MACHINE;
	if (!exists(root_fd, "proc/modules"))
		return MODULE_OBSTACLE_NO_MODULES;
	if (begins_by(root_fd, "proc/sys/kernel/modules_disabled", '1'))
		return MODULE_OBSTACLE_DISABLED;
	if (was_built_with(root_fd, release, "CONFIG_CFI_CLANG") ||
	    was_built_with(root_fd, release, "CONFIG_CFI"))
		return MODULE_OBSTACLE_CFI;
	if (is_locked_down_for(root_fd, "[confidentiality]"))
		return MODULE_OBSTACLE_CONFIDENTIAL;
	if (is_locked_down_for(root_fd, "[integrity]") ||
	    begins_by(root_fd, "sys/module/module/parameters/sig_enforce", 'Y'))
		return MODULE_OBSTACLE_SIGNATURE;
	return has_headers(root_fd, release) ? MODULE_OBSTACLE_NONE : MODULE_OBSTACLE_HEADERS;
}

const char *module_obstacle_text(enum module_obstacle obstacle)
{
	static const char *const texts[] = {
		[MODULE_OBSTACLE_NONE] = "nothing is in its way (kernel/README.md)",
		[MODULE_OBSTACLE_MACHINE] = "it is for x86-64",
		[MODULE_OBSTACLE_NO_MODULES] = "this kernel was built without CONFIG_MODULES",
		[MODULE_OBSTACLE_DISABLED] = "no module can be loaded before the next boot "
					     "(kernel.modules_disabled is 1)",
		[MODULE_OBSTACLE_CFI] =
			"this kernel checks the types of indirect calls (CONFIG_CFI_CLANG), "
			"which its one probe for all tracepoints does not pass",
		[MODULE_OBSTACLE_CONFIDENTIAL] =
			"this kernel is locked down for confidentiality (lockdown=)",
		[MODULE_OBSTACLE_SIGNATURE] =
			"this kernel loads signed modules only: sign tacho.ko with a key that it "
			"knows (DKMS does, mokutil --import makes the key known)",
		[MODULE_OBSTACLE_HEADERS] =
			"the headers of this kernel, which it is built with, are "
			"not installed (linux-headers-$(uname -r))",
	};

	return texts[obstacle];
}
