/* SPDX-License-Identifier: MIT */
/*
 * called.h - the events of tacho.c in functions of another unit: what the site of a program's event is
 * compared with whose probes are in another unit.
 */
#ifndef TACHO_BENCH_CALLED_H
#define TACHO_BENCH_CALLED_H

#include <stdint.h>

void called_word(uint32_t value);
void called_order(const char *name, uint32_t id, uint64_t total);

#endif
