/* SPDX-License-Identifier: MIT */
/*
 * alarms.h - SIGALRM again and again, on whichever thread: events between any two instructions.
 */
#ifndef TACHO_STRESS_ALARMS_H
#define TACHO_STRESS_ALARMS_H

/* alarms_start() - call @record in the handler, every @us; errno is found unchanged, or we abort */
void alarms_start(void (*record)(void), int us);
void alarms_stop(void);

#endif
