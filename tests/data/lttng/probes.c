/* SPDX-License-Identifier: MIT */
/* The probes of everything.h, for a program that has none. */
#define TRACEPOINT_CREATE_PROBES
#include "everything.h"
