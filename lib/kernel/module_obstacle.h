/* SPDX-License-Identifier: MIT */
/*
 * module_obstacle.h - what is in the way of the kernel module (kernel/) on a machine, as far as files
 * say: so that whoever wonders why it is not used is told.
 */
#ifndef TACHO_KERNEL_MODULE_OBSTACLE_H
#define TACHO_KERNEL_MODULE_OBSTACLE_H

#include <sys/utsname.h>

enum module_obstacle {
	MODULE_OBSTACLE_NONE,
	MODULE_OBSTACLE_MACHINE,      /* it knows how arguments are passed on x86-64 only */
	MODULE_OBSTACLE_NO_MODULES,   /* the kernel was built without CONFIG_MODULES */
	MODULE_OBSTACLE_DISABLED,     /* kernel.modules_disabled */
	MODULE_OBSTACLE_CFI,          /* the kernel checks the types of indirect calls */
	MODULE_OBSTACLE_CONFIDENTIAL, /* locked down: nobody may read the kernel's memory */
	MODULE_OBSTACLE_SIGNATURE, /* locked down, or asks for signed modules: it has to be signed */
	MODULE_OBSTACLE_HEADERS,   /* what it is built with is not installed */
};

/*
 * module_obstacle() - the first thing in the way
 * @root_fd: where /proc, /sys and /lib are: "/", or a tree that a test has made
 * @kernel: of uname(2)
 */
enum module_obstacle module_obstacle(int root_fd, const struct utsname *kernel);

/* module_obstacle_text() - what it means and what helps, to stand behind a colon */
const char *module_obstacle_text(enum module_obstacle obstacle);

#endif
