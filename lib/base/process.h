/* SPDX-License-Identifier: MIT */
/*
 * process.h - which process is meant: a pid is used again, a pid with its start time is not.
 */
#ifndef TACHO_BASE_PROCESS_H
#define TACHO_BASE_PROCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* process_start_time() - field 22 of /proc/PID/stat: clock ticks since boot. Return: 0; -ESRCH if
 * there is no such process; or another negative errno. */
int process_start_time(pid_t pid, uint64_t *ret_start_time);

/* process_is_alive() - is it there, and still the one that started then? A zombie is not. */
bool process_is_alive(pid_t pid, uint64_t start_time);

/* process_is_over() - is it a zombie, or no more? What cannot be told is not. */
bool process_is_over(pid_t pid);

/* process_is_halted() - does it stand still, by SIGSTOP or the like, until somebody continues it? */
bool process_is_halted(pid_t pid, uint64_t start_time);

/*
 * process_set_title() - what ps(1) shows in place of our command line, cut to the length of that
 *
 * Afterwards argv[], which is what it is written over, has no meaning any more.
 */
void process_set_title(const char *title);

/* process_pid_namespace() - the inode of our own pid namespace; 0 if unknown. */
uint64_t process_pid_namespace(void);

#endif
