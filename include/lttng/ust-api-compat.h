/* SPDX-License-Identifier: MIT */
/*
 * ust-api-compat.h - which spellings of the API a program gets. Version 1 (lttng_ust_tracepoint() and
 * so on) is always there; version 0 (tracepoint(), ctf_integer()) unless the program defines
 * LTTNG_UST_COMPAT_API_VERSION as 1.
 */
#ifndef LTTNG_UST_API_COMPAT_H
#define LTTNG_UST_API_COMPAT_H

#ifndef LTTNG_UST_COMPAT_API_VERSION
#define LTTNG_UST_COMPAT_API_VERSION 0
#endif

#define LTTNG_UST_COMPAT_API(version) (LTTNG_UST_COMPAT_API_VERSION <= (version))

#endif
