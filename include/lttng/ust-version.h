/* SPDX-License-Identifier: MIT */
/*
 * ust-version.h - the release of LTTng-UST whose API this is, for programs that ask. Build systems
 * read these lines, too.
 */
#ifndef LTTNG_UST_VERSION_H
#define LTTNG_UST_VERSION_H

#define LTTNG_UST_MAJOR_VERSION 2
#define LTTNG_UST_MINOR_VERSION 13
#define LTTNG_UST_PATCHLEVEL_VERSION 5
#define LTTNG_UST_VERSION "2.13.5"

#endif
