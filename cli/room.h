/* SPDX-License-Identifier: MIT */
/*
 * room.h - how much room there is for buffers, where it is, and what gives more.
 */
#ifndef TACHO_CLI_ROOM_H
#define TACHO_CLI_ROOM_H

#include <stdint.h>

#include "text.h"

/* room_needed() - what a session with so large a buffer per CPU takes in the runtime directory. */
uint64_t room_needed(uint64_t buffer_bytes);
/* room_free() - what is free in the directory @fd; 0 if that cannot be told. */
uint64_t room_free(int fd);
/* room_largest_buffer() - the largest --buffer, a power of 2, for which so much is enough; 0: none. */
uint64_t room_largest_buffer(uint64_t free_bytes);
/*
 * room_ample_buffer() - for one recording whose writers may be faster than the drain for some
 * milliseconds, as when other programs have its CPU: 8M if that is at most a quarter of what is free
 * in the directory @fd, else less, and never less than what any session has
 */
uint64_t room_ample_buffer(int fd);

/*
 * room_remedy() - what makes the file system of a directory large enough for another session
 * @path, @fd: the directory
 *
 * Return: a command, or words where no command does; to be freed.
 */
char *room_remedy(const char *path, int fd, uint64_t needed_bytes);

/* option_bytes() - a number of bytes as --buffer takes it, rounded up: 256K, 16M. */
struct short_text option_bytes(uint64_t bytes);

#endif
