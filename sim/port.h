/* SPDX-License-Identifier: BSD-2-Clause */
/* Between the kernel's port and the model of its ISA (ISA/port.c): what of set-up and of the oracles is particular to one. */
#ifndef SIM_PORT_H
#define SIM_PORT_H

#include "types.h"

struct mm;

extern const char port_tags[]; /* the option by which there are tags, behind a space; "": there always are */

bool port_is_call(unsigned vector); /* is that bit of model_cpu.pending IPI_CALL? */
void port_list(u32 flags); /* what choices ask for, of CPUs like that, before anything is set up */
const char *port_set_up(u32 flags); /* FLAG_*: machine.arch and the model's features; memory can be had. NULL, or what can't be */
void port_set_up_cpu(u32 flags); /* registers of the current CPU */

void port_settle_cpu(void); /* all that came before is done and seen, as far as the current CPU knows of it */

/* I-ROOT: what is loaded is this mm's root, under its tag. */
void port_check_loaded(unsigned cpu, const struct mm *mm, u64 asid);

#endif
