/* SPDX-License-Identifier: MIT */
/* ust-probes.c - the probes of ust.c, apart from it */
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "ust-provider.h"
