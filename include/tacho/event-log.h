/* SPDX-License-Identifier: MIT */
/*
 * event-log.h - the message of tacho_log(). Not for direct use: include <tacho/event.h>.
 */
#ifndef TACHO_EVENT_LOG_H
#define TACHO_EVENT_LOG_H

#include <errno.h>
#include <stdarg.h>

#include "event-pack.h"

#define TACHO_LOG_BYTES 1024 /* of a message, with its 0 byte */

/* Puts "..." behind the last whole UTF-8 character that leaves room for it. */
TACHO_OUTLINE_ void tacho_log_cut(char *message)
{
	size_t at = TACHO_LOG_BYTES - sizeof("...");

	while (at > 0 && ((unsigned char)message[at] & 0xc0) == 0x80)
		at--;
	__builtin_memcpy(message + at, "...", sizeof("..."));
}

/* errno is restored for the program, and is still the program's when "%m" is formatted. */
TACHO_OUTLINE_ __attribute__((format(printf, 2, 3))) void
tacho_log_emit(struct tacho_event *event, const char *format, ...)
{
	const int saved_errno = errno;
	char message[TACHO_LOG_BYTES];
	struct tacho_part part;
	va_list values;
	int length;

	va_start(values, format);
	length = __builtin_vsnprintf(message, sizeof(message), format, values);
	va_end(values);
	if (length >= TACHO_LOG_BYTES)
		tacho_log_cut(message);
	part.data = length < 0 ? format : message;
	part.bytes = tacho_pack_limit(__builtin_strlen(length < 0 ? format : message), 1);
	part.is_string = 1;
	tacho_emit_parts_from(event, &part, 1, TACHO_CALLER_);
	errno = saved_errno;
}

#endif
