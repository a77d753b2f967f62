/* SPDX-License-Identifier: MIT */
/* module.c - is the kernel module there, and what is in its way? It need not be: a finding is never bad. */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/fd.h"
#include "doctor.h"
#include "format/module.h"
#include "kernel/module_obstacle.h"

static void tell_obstacle(struct findings *all)
{
	int root_fd = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	struct utsname kernel;

	uname(&kernel);
	found(all, "kernel module", VERDICT_OK, "is not loaded, and need not be: %s",
	      module_obstacle_text(module_obstacle(root_fd, &kernel)));
	fd_close(root_fd);
}

static void tell_version(struct findings *all, int fd)
{
	struct tacho_module_version version;

	if (ioctl(fd, TACHO_MODULE_GET_VERSION, &version))
		found(all, "kernel module", VERDICT_OK, "is loaded, and refuses: error %d", errno);
	else if (version.version != TACHO_MODULE_VERSION)
		found(all, "kernel module", VERDICT_OK,
		      "is loaded, but of version %u, and this command is for %u", version.version,
		      TACHO_MODULE_VERSION);
	else
		found(all, "kernel module", VERDICT_OK, "is loaded");
}

void doctor_module(struct findings *all)
{
	int fd = open(TACHO_MODULE_DEVICE, O_RDWR | O_CLOEXEC);

	if (fd >= 0)
		tell_version(all, fd);
	else if (errno == EACCES)
		found(all, "kernel module", VERDICT_OK, "is loaded, for root");
	else
		tell_obstacle(all);
	fd_close(fd);
}
