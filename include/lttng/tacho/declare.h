/* SPDX-License-Identifier: MIT */
/*
 * declare.h - the first reading of a provider: what the sites of an event need. Read again after the
 * other readings. Not for direct use: include <lttng/tracepoint.h>.
 */
#pragma GCC system_header

#undef TACHO_TP_EVENT_
#define TACHO_TP_EVENT_(provider, name, arguments, fields)                                         \
	TACHO_TP_DECLARE_(provider##___##name, arguments)

#undef TACHO_TP_CLASS_
#define TACHO_TP_CLASS_(provider, name, arguments, fields)

#undef TACHO_TP_INSTANCE_
#define TACHO_TP_INSTANCE_(class_provider, class_name, provider, name, arguments)                  \
	TACHO_TP_DECLARE_(provider##___##name, arguments)

/*
 * An event without a put() has lost its probes, or is about to find them.
 */
#undef TACHO_TP_DECLARE_
#define TACHO_TP_DECLARE_(id, arguments)                                                           \
	TACHO_TP_CHECK_ARGUMENTS_(arguments)                                                       \
	TACHO_TP_EXTERN_ struct tacho_event tacho_lttng_event_##id TACHO_TP_EVENT_ATTRIBUTES_;     \
	typedef void tacho_lttng_type_##id(                                                        \
		struct tacho_event *tacho_event_ TACHO_TP_PARAMETERS_(arguments));                 \
	TACHO_INLINE_ void tacho_lttng_call_##id(TACHO_TP_ALONE_(arguments))                       \
	{                                                                                          \
		tacho_lttng_type_##id *const tacho_put_ =                                          \
			(tacho_lttng_type_##id *)tacho_lttng_put_of(&tacho_lttng_event_##id);      \
		if (tacho_put_)                                                                    \
			tacho_put_(&tacho_lttng_event_##id TACHO_TP_VALUES_(arguments));           \
	}

#undef TACHO_TP_LEVEL_
#define TACHO_TP_LEVEL_(provider, name, level)
#undef TACHO_TP_MODEL_
#define TACHO_TP_MODEL_(provider, name, uri)
#undef TACHO_TP_ENUM__
#define TACHO_TP_ENUM__(provider, name, ...)

#ifndef LTTNG_TACHO_DECLARE_H
#define LTTNG_TACHO_DECLARE_H

typedef void tacho_lttng_put(void);

TACHO_INLINE_ tacho_lttng_put *tacho_lttng_put_of(const struct tacho_event *event)
{
	return ((const struct tacho_rich_info *)tacho_load_relaxed(&event->info))->put;
}

#endif
