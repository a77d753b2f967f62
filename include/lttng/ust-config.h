/* SPDX-License-Identifier: MIT */
/*
 * ust-config.h - nothing. Build systems look for it.
 */
