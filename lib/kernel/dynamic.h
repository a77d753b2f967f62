/* SPDX-License-Identifier: MIT */
/*
 * dynamic.h - events that tracefs is told to have: at an instruction of the kernel or of a program
 * (dynamic_events).
 *
 *      p:GROUP/NAME do_exit code=%di:s32           an instruction of the kernel
 *      r:GROUP/NAME do_exit ret=$retval            a function's return
 *      p:GROUP/NAME /bin/x:0x1234(0x5678) ..       an instruction of a program; how many record it is
 *                                                  counted in a word of the program, its semaphore
 *
 * They belong to the kernel as a whole, not to an instance; so their group tells whose they are. Lines of
 * one name are one event that is at several places.
 */
#ifndef TACHO_KERNEL_DYNAMIC_H
#define TACHO_KERNEL_DYNAMIC_H

#include <stdbool.h>

#include "base/error.h"

/* kernel_probe_add() - one line, without a newline. Return: 0, or a negative errno with what the kernel
 * says about it. */
int kernel_probe_add(int tracefs_fd, const char *line, struct tacho_error *error);

/* kernel_probe_is_there() - Return: is there an event of this group and name? */
bool kernel_probe_is_there(int tracefs_fd, const char *group, const char *name);

/* kernel_probes_visit() - each group that there is, perhaps several times */
void kernel_probes_visit(int tracefs_fd, void (*visit)(void *arg, const char *group), void *arg);

/* kernel_probes_remove() - all of a group; or only of @name, unless it is NULL */
void kernel_probes_remove(int tracefs_fd, const char *group, const char *name);

#endif
