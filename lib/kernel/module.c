/* SPDX-License-Identifier: MIT */
/* module.c - see module.h */
#include "kernel/module.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/utsname.h>

#include "base/fd.h"
#include "kernel/module_obstacle.h"

int kernel_module_call(int fd, unsigned long command, void *call)
{
	return ioctl(fd, command, call) < 0 ? -errno : 0;
}

static int set_not_there(struct tacho_error *error)
{
	int root_fd = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	struct utsname kernel;

	uname(&kernel);
	error_set(error, -ENOENT, "the kernel module is not loaded: %s",
		  module_obstacle_text(module_obstacle(root_fd, &kernel)));
	fd_close(root_fd);
	return -ENOENT;
}

static int set_refused(int err, struct tacho_error *error)
{
	if (err == -ENOENT)
		return set_not_there(error);
	if (err == -EPERM)
		return error_set(error, err,
				 "the module is loaded, but this kernel is locked down, or "
				 "CAP_SYS_ADMIN is missing");
	return error_set(error, err, "the module cannot be used (" TACHO_MODULE_DEVICE "): %s",
			 strerror(-err));
}

int kernel_module_open(struct tacho_error *error)
{
	struct tacho_module_version version = { 0 };
	int fd = open(TACHO_MODULE_DEVICE, O_RDWR | O_CLOEXEC);
	int ret = fd < 0 ? -errno : kernel_module_call(fd, TACHO_MODULE_GET_VERSION, &version);

	if (!ret && version.version == TACHO_MODULE_VERSION)
		return fd;
	fd_close(fd);
	if (ret)
		return set_refused(ret, error);
	return error_set(error, -EPROTO,
			 "the module that is loaded is of another version (%u, %d is needed): rmmod "
			 "tacho, and load the one that belongs to this tool",
			 version.version, TACHO_MODULE_VERSION);
}
