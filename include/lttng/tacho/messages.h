/* SPDX-License-Identifier: MIT */
/*
 * messages.h - events whose fields are a formatted message: what <lttng/tracef.h> and
 * <lttng/tracelog.h> have in common. Not for direct use.
 *
 * Each unit that includes one has the events, weak and hidden: a program or library keeps one of
 * each. A message that is longer than the buffer on the stack is formatted in the heap; where there
 * is none, its beginning is recorded.
 */
#ifndef LTTNG_TACHO_MESSAGES_H
#define LTTNG_TACHO_MESSAGES_H

#pragma GCC system_header

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <tacho/event-object.h>
#include <tacho/event-pack.h>

#include "types.h"

#define TACHO_TP_MESSAGE_BYTES_ 1024

/* "msg", behind a length that LTTng has in an unsigned int. */
#define TACHO_TP_MESSAGE_ROW_ {"msg", TACHO_TYPE(TACHO_KIND_TEXT, 1, 0), 0}

#define TACHO_TP_MESSAGE_EVENT_(id, provider, name, level, fields, count)                          \
	TACHO_TP_C_BEGIN_                                                                          \
	static const struct tacho_event_info tacho_lttng_info_##id = {                             \
		provider, name, fields, count, level, __FILE__, __LINE__, 0};                      \
	extern struct tacho_event tacho_lttng_event_##id __attribute__((visibility("hidden")));    \
	__attribute__((weak)) struct tacho_event tacho_lttng_event_##id =                          \
		TACHO_EVENT_INIT_(&tacho_lttng_info_##id);                                         \
	TACHO_TP_LIST_(event, id)                                                                  \
	TACHO_TP_C_END_

/* Where a message is said to come from. */
struct tacho_lttng_place {
	const char *file;
	const char *function;
	int line;
};

TACHO_OUTLINE_ void tacho_lttng_send_message(struct tacho_event *event,
					     const struct tacho_lttng_place *place,
					     const void *caller, const char *text, size_t bytes)
{
	unsigned char buffer[TACHO_PACK_BYTES_(4)];
	struct tacho_part parts[TACHO_PACK_PARTS_(4)];
	struct tacho_packer packer;

	tacho_pack_init(&packer, buffer, parts);
	if (place) {
		tacho_pack_integer(&packer, (uint64_t)place->line, sizeof(place->line));
		tacho_pack_string(&packer, place->file);
		tacho_pack_string(&packer, place->function);
	}
	tacho_pack_counted(&packer, text, bytes, 1);
	tacho_pack_send_from(&packer, event, caller);
}

/* @values: as they were before @short_text was made of them; @bytes: of the whole */
TACHO_OUTLINE_ __attribute__((format(printf, 4, 0))) void
tacho_lttng_send_long(struct tacho_event *event, const struct tacho_lttng_place *place,
		      const void *caller, const char *format, va_list values,
		      const char *short_text, size_t bytes)
{
	char *const text = (char *)malloc(bytes + 1);

	if (text) {
		vsnprintf(text, bytes + 1, format, values);
		tacho_lttng_send_message(event, place, caller, text, bytes);
	} else {
		tacho_lttng_send_message(event, place, caller, short_text,
					 TACHO_TP_MESSAGE_BYTES_ - 1);
	}
	free(text);
}

/* @caller: the site */
TACHO_OUTLINE_ __attribute__((format(printf, 4, 0))) void
tacho_lttng_format(struct tacho_event *event, const struct tacho_lttng_place *place,
		   const void *caller, const char *format, va_list values)
{
	const int saved_errno = errno;
	char text[TACHO_TP_MESSAGE_BYTES_];
	va_list again;
	int bytes;

	va_copy(again, values);
	bytes = vsnprintf(text, sizeof(text), format, values);
	errno = saved_errno;
	if (bytes >= (int)sizeof(text))
		tacho_lttng_send_long(event, place, caller, format, again, text, (size_t)bytes);
	else if (bytes >= 0)
		tacho_lttng_send_message(event, place, caller, text, (size_t)bytes);
	va_end(again);
	errno = saved_errno;
}

TACHO_OUTLINE_ __attribute__((format(printf, 3, 0))) void
tacho_lttng_vmessage(struct tacho_event *event, const struct tacho_lttng_place *place,
		     const char *format, va_list values)
{
	tacho_lttng_format(event, place, TACHO_CALLER_, format, values);
}

TACHO_OUTLINE_ __attribute__((format(printf, 3, 4))) void
tacho_lttng_message(struct tacho_event *event, const struct tacho_lttng_place *place,
		    const char *format, ...)
{
	va_list values;

	va_start(values, format);
	tacho_lttng_format(event, place, TACHO_CALLER_, format, values);
	va_end(values);
}

#endif
