/* SPDX-License-Identifier: MIT */
/* event.h */
#ifndef TACHO_EVENT_H
#define TACHO_EVENT_H

#include "abi.h"
#include "event-args.h"
#include "event-c.h"
#include "event-cxx.h"
#include "event-log.h"
#include "event-object.h"
#include "event-pack.h"
#include "event-probe.h"

#define tacho_event(provider, ...)                                                                 \
	TACHO_EVENT_(TACHO_LEVEL_DEBUG_LINE, #provider,                                            \
		     TACHO_TEXT_(TACHO_FIRST_(TACHO_N_##__VA_ARGS__)), __VA_ARGS__)

#define tacho_event_level(level, provider, ...)                                                    \
	TACHO_EVENT_(level, #provider, TACHO_TEXT_(TACHO_FIRST_(TACHO_N_##__VA_ARGS__)),           \
		     __VA_ARGS__)

#define tacho_begin(provider, ...)                                                                 \
	TACHO_EVENT_(TACHO_LEVEL_DEBUG_LINE, #provider,                                            \
		     TACHO_TEXT_(TACHO_FIRST_(TACHO_N_##__VA_ARGS__)) "_begin", __VA_ARGS__)

#define tacho_end(provider, ...)                                                                   \
	TACHO_EVENT_(TACHO_LEVEL_DEBUG_LINE, #provider,                                            \
		     TACHO_TEXT_(TACHO_FIRST_(TACHO_N_##__VA_ARGS__)) "_end", __VA_ARGS__)

#define TACHO_SPAN(provider, ...)                                                                  \
	TACHO_SPAN_(TACHO_CAT_(tacho_span_, __COUNTER__), #provider,                               \
		    TACHO_TEXT_(TACHO_FIRST_(TACHO_N_##__VA_ARGS__)), __VA_ARGS__)
#define TACHO_SPAN_(variable, provider, name, ...)                                                 \
	struct tacho_event *const variable __attribute__((cleanup(tacho_span_leave), unused)) =    \
		__extension__({                                                                    \
			TACHO_EVENT_(TACHO_LEVEL_DEBUG_LINE, provider, name "_begin",              \
				     __VA_ARGS__);                                                 \
			TACHO_END_SITE_(provider, name "_end");                                    \
		})

TACHO_INLINE_ void tacho_span_leave(struct tacho_event *const *event)
{
	if (TACHO_UNLIKELY_(tacho_event_is_hit(*event)))
		tacho_emit_word(*event, 0, 0);
}

#define tacho_enabled(provider, name) TACHO_ENABLED_(#provider, TACHO_TEXT__(TACHO_N_##name))

#define tacho_log(level, ...) TACHO_LOG_(level, __VA_ARGS__)

#endif
