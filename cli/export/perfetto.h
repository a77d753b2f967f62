/* SPDX-License-Identifier: MIT */
/*
 * perfetto.h - a trace as a file of Perfetto: packets of Protocol Buffers, for
 * ui.perfetto.dev and trace_processor.
 *
 *	clock snapshot            when the trace begins, by each clock that is known
 *	track descriptors         process, thread, counter, as they are met; "lost events"
 *	track events              begin and end of slices, instants, counters; what was lost
 *
 * All packets are of one sequence. Names of events, categories and fields are numbers that a packet
 * introduces when it is the first to use them. Where events were lost, the next packet says so
 * (previous_packet_dropped), and names are introduced anew.
 *
 * Numbers of messages and fields are those of Perfetto's published schema; what is used of it is
 * written down in tests/e2e/export_perfetto.proto.
 */
#ifndef TACHO_CLI_EXPORT_PERFETTO_H
#define TACHO_CLI_EXPORT_PERFETTO_H

#include "tracks.h"

struct export_sink *export_perfetto_new(int fd);

#endif
