/* SPDX-License-Identifier: MIT */
/*
 * define.h - the reading of a provider for the events themselves. Not for direct use: include
 * <lttng/tracepoint.h>.
 */
#pragma GCC system_header

#undef TACHO_TP_EVENT_
#define TACHO_TP_EVENT_(provider, name, arguments, fields)                                         \
	TACHO_TP_DEFINE_EVENT_(provider##___##name, #provider, #name)
#undef TACHO_TP_CLASS_
#define TACHO_TP_CLASS_(provider, name, arguments, fields)
#undef TACHO_TP_INSTANCE_
#define TACHO_TP_INSTANCE_(class_provider, class_name, provider, name, arguments)                  \
	TACHO_TP_DEFINE_EVENT_(provider##___##name, #provider, #name)

#undef TACHO_TP_LEVEL_
#define TACHO_TP_LEVEL_(provider, name, level)
#undef TACHO_TP_MODEL_
#define TACHO_TP_MODEL_(provider, name, uri)
#undef TACHO_TP_ENUM__
#define TACHO_TP_ENUM__(provider, name, ...)

#undef TACHO_TP_DEFINE_EVENT_
#ifdef TACHO_TP_IS_UNBOUND_

#include "unbound.h"
#define TACHO_TP_DEFINE_EVENT_(id, provider, name)                                                 \
	TACHO_TP_C_BEGIN_                                                                          \
	static const struct tacho_rich_info tacho_lttng_name_##id = {                              \
		{provider, name, TACHO_TP_NULL_, 0, 0, __FILE__, __LINE__,                         \
		 TACHO_INFO_RICH | TACHO_INFO_UNBOUND},                                            \
		TACHO_TP_NULL_,                                                                    \
		TACHO_TP_NULL_,                                                                    \
		TACHO_TP_NULL_};                                                                   \
	__attribute__((weak)) struct tacho_event tacho_lttng_event_##id =                          \
		TACHO_TP_UNBOUND_INIT_(&tacho_lttng_name_##id.info);                               \
	TACHO_TP_LIST_(event, id)                                                                  \
	TACHO_TP_C_END_

#else

#include <tacho/event-object.h>

#include "types.h"

#define TACHO_TP_DEFINE_EVENT_(id, provider, name)                                                 \
	TACHO_TP_EXTERN_ const struct tacho_rich_info tacho_lttng_info_##id                        \
		TACHO_TP_INFO_ATTRIBUTES_;                                                         \
	TACHO_TP_C_BEGIN_                                                                          \
	__attribute__((weak)) struct tacho_event tacho_lttng_event_##id =                          \
		TACHO_EVENT_INIT_(&tacho_lttng_info_##id.info);                                    \
	TACHO_TP_LIST_(event, id)                                                                  \
	TACHO_TP_C_END_

#endif
