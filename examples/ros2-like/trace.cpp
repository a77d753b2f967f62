/* SPDX-License-Identifier: MIT */
/* trace.cpp - the only source that knows a tracer. */
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "trace_events.h"

#include "trace.h"

namespace robot_trace {

void node_init(const void *node, const char *name, const char *space)
{
	lttng_ust_tracepoint(robot, node_init, node, name, space);
}

void publisher_init(const void *publisher, const void *node, const char *topic)
{
	lttng_ust_tracepoint(robot, publisher_init, publisher, node, topic);
}

void subscription_init(const void *subscription, const void *node, const char *topic)
{
	lttng_ust_tracepoint(robot, subscription_init, subscription, node, topic);
}

void publish(const void *publisher, const void *message, std::int64_t stamp_ns)
{
	lttng_ust_tracepoint(robot, publish, publisher, message, stamp_ns);
}

void callback_start(const void *callback, bool is_intra_process)
{
	lttng_ust_tracepoint(robot, callback_start, callback, is_intra_process);
}

void callback_end(const void *callback)
{
	lttng_ust_tracepoint(robot, callback_end, callback);
}

} // namespace robot_trace
