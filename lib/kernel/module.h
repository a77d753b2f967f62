/* SPDX-License-Identifier: MIT */
/*
 * module.h - the kernel module (format/module.h), from the side of tools.
 */
#ifndef TACHO_KERNEL_MODULE_H
#define TACHO_KERNEL_MODULE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "format/module.h"

/*
 * kernel_module_open() - a descriptor for the calls of format/module.h
 *
 * Return: a descriptor; or a negative errno, with why the module cannot be used and what to do.
 */
int kernel_module_open(struct tacho_error *error);

/* kernel_module_call() - ioctl(2). Return: 0 or a negative errno. */
int kernel_module_call(int fd, unsigned long command, void *call);

#endif
