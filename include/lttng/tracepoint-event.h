/* SPDX-License-Identifier: MIT */
/*
 * tracepoint-event.h - the end of a header that declares events; see <lttng/tracepoint.h>.
 *
 * Where the program asks for probes or definitions, the header is read again. Not where it declared
 * nothing since it was read last: then it is included a second time, and its guard kept it from
 * doing so. (A header that came before the program asked is not forgotten.)
 */
#include "tacho/read-again.h"
