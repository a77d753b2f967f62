/* SPDX-License-Identifier: MIT */
/* store_tp.c - the probes, as a library that store loads. */
#define TRACEPOINT_CREATE_PROBES
#include "store_tp.h"
