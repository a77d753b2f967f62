/* SPDX-License-Identifier: MIT */
/*
 * facts.h - the reading of a provider for what may come after the event that it is about: levels,
 * model URIs, labels. Not for direct use: include <lttng/tracepoint.h>.
 *
 * An event of which nothing was said has none of that. So that an event can ask, what is known is in
 * the length of an array that is declared again with the event, without a length: it still has the
 * one it was given, or none. The array of a level is never defined; its length is level + 1.
 */
#pragma GCC system_header

#include "types.h"

#undef TACHO_TP_EVENT_
#define TACHO_TP_EVENT_(provider, name, arguments, fields)
#undef TACHO_TP_CLASS_
#define TACHO_TP_CLASS_(provider, name, arguments, fields)
#undef TACHO_TP_INSTANCE_
#define TACHO_TP_INSTANCE_(class_provider, class_name, provider, name, arguments)

#undef TACHO_TP_LEVEL_
#define TACHO_TP_LEVEL_(provider, name, level)                                                     \
	TACHO_TP_ASSERT_((level) >= 0 && (level) <= TACHO_LEVEL_MAX,                            \
			    "tacho: a level is one from TRACE_EMERG (0) to TRACE_DEBUG (14)");     \
	TACHO_TP_EXTERN_ const char tacho_lttng_level_##provider##___##name                        \
		[(level) >= 0 && (level) <= TACHO_LEVEL_MAX ? (level) + 1 : 1];

#undef TACHO_TP_MODEL_
#define TACHO_TP_MODEL_(provider, name, uri)                                                       \
	static const char tacho_lttng_model_##provider##___##name[] __attribute__((unused)) = uri;

#undef TACHO_TP_ENUM__
#define TACHO_TP_ENUM__(provider, name, ...)                                                       \
	static const struct tacho_label tacho_lttng_labels_##provider##___##name[]                 \
		__attribute__((unused)) = {__VA_ARGS__ {TACHO_TP_NULL_, 0, 0, 0}};
