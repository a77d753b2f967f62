/* SPDX-License-Identifier: MIT */
/* What happens in a robot: nodes, topics, callbacks. Handles are addresses that tie events together. */
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER robot

#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "./trace_events.h"

#if !defined(ROBOT_TRACE_EVENTS_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define ROBOT_TRACE_EVENTS_H

#include <lttng/tracepoint.h>

#include <stdint.h>

LTTNG_UST_TRACEPOINT_EVENT(robot, node_init,
	LTTNG_UST_TP_ARGS(const void *, node, const char *, name, const char *, space),
	LTTNG_UST_TP_FIELDS(
		lttng_ust_field_integer_hex(const void *, node, node)
		lttng_ust_field_string(name, name)
		lttng_ust_field_string(space, space)
	)
)
LTTNG_UST_TRACEPOINT_LOGLEVEL(robot, node_init, LTTNG_UST_TRACEPOINT_LOGLEVEL_INFO)

#define ROBOT_TOPIC_ARGS const void *, handle, const void *, node, const char *, topic
LTTNG_UST_TRACEPOINT_EVENT_CLASS(robot, topic_user,
	LTTNG_UST_TP_ARGS(ROBOT_TOPIC_ARGS),
	LTTNG_UST_TP_FIELDS(
		lttng_ust_field_integer_hex(const void *, handle, handle)
		lttng_ust_field_integer_hex(const void *, node, node)
		lttng_ust_field_string(topic, topic)
	)
)
#define ROBOT_TOPIC_USER(name)                                                                     \
	LTTNG_UST_TRACEPOINT_EVENT_INSTANCE(robot, topic_user, robot, name,                        \
					    LTTNG_UST_TP_ARGS(ROBOT_TOPIC_ARGS))                   \
	LTTNG_UST_TRACEPOINT_LOGLEVEL(robot, name, LTTNG_UST_TRACEPOINT_LOGLEVEL_INFO)
ROBOT_TOPIC_USER(publisher_init)
ROBOT_TOPIC_USER(subscription_init)

LTTNG_UST_TRACEPOINT_EVENT(robot, publish,
	LTTNG_UST_TP_ARGS(const void *, publisher, const void *, message, int64_t, stamp_ns),
	LTTNG_UST_TP_FIELDS(
		lttng_ust_field_integer_hex(const void *, publisher, publisher)
		lttng_ust_field_integer_hex(const void *, message, message)
		lttng_ust_field_integer(int64_t, stamp_ns, stamp_ns)
	)
)

LTTNG_UST_TRACEPOINT_EVENT(robot, callback_start,
	LTTNG_UST_TP_ARGS(const void *, callback, bool, is_intra_process),
	LTTNG_UST_TP_FIELDS(
		lttng_ust_field_integer_hex(const void *, callback, callback)
		lttng_ust_field_integer(int, is_intra_process, is_intra_process ? 1 : 0)
	)
)

LTTNG_UST_TRACEPOINT_EVENT(robot, callback_end,
	LTTNG_UST_TP_ARGS(const void *, callback),
	LTTNG_UST_TP_FIELDS(lttng_ust_field_integer_hex(const void *, callback, callback))
)

#endif

#include <lttng/tracepoint-event.h>
