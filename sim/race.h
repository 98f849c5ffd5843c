/* SPDX-License-Identifier: BSD-2-Clause */
/* The race build: what step.c and main.c tell race.c. In other builds nothing is there. <machine/race.h> has the kernel's half. */
#ifndef SIM_RACE_H
#define SIM_RACE_H

#ifdef SIM_RACE
void race_begin(void); /* of a schedule */
void race_send(unsigned cpu); /* the current CPU has sent it an interrupt */
void race_taken(void); /* the current CPU takes one */
void race_show(void); /* prints the two places of the race that was found */
#else
#define race_begin() ((void)0)
#define race_send(cpu) ((void)0)
#define race_taken() ((void)0)
#define race_show() ((void)0)
#endif

#endif
