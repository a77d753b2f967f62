/* SPDX-License-Identifier: MIT */
/*
 * trace.h - tracing, as the rest of the program sees it: functions of a library, and a macro that costs
 * nothing where tracing is compiled out. No header of a tracer comes in here.
 */
#ifndef ROBOT_TRACE_H
#define ROBOT_TRACE_H

#include <cstdint>

#define ROBOT_TRACE_PUBLIC __attribute__((visibility("default")))

#ifdef ROBOT_WITHOUT_TRACING
#define ROBOT_TRACE(event, ...) ((void)0)
#else
#define ROBOT_TRACE(event, ...) ::robot_trace::event(__VA_ARGS__)
#endif

namespace robot_trace {

ROBOT_TRACE_PUBLIC void node_init(const void *node, const char *name, const char *space);
ROBOT_TRACE_PUBLIC void publisher_init(const void *publisher, const void *node, const char *topic);
ROBOT_TRACE_PUBLIC void subscription_init(const void *subscription, const void *node,
					  const char *topic);
ROBOT_TRACE_PUBLIC void publish(const void *publisher, const void *message, std::int64_t stamp_ns);
ROBOT_TRACE_PUBLIC void callback_start(const void *callback, bool is_intra_process);
ROBOT_TRACE_PUBLIC void callback_end(const void *callback);

} // namespace robot_trace

#endif
