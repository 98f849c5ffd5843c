/* SPDX-License-Identifier: BSD-2-Clause */
/* Where CPUs and memory are: boot/topology.c, for boot/ only. */
#ifndef BOOT_TOPOLOGY_H
#define BOOT_TOPOLOGY_H

#include "types.h"

/* NULL, or one line: an option wants what firmware does not tell. After platform_devices_init(). */
const char *topology_check(char *text, size_t size);

/* Puts hw_ids[1..nr-1] into the order that placement= asks for. */
void topology_order(u32 *hw_ids, unsigned nr);

/* The CPU with this id got this logical number. */
void topology_admitted(u32 hw_id, unsigned cpu);

/* Before frames_init(): memory of the node that frames_node= names only. */
void topology_choose_memory(void);

/* The records "topology", "node", "cpus"; a line for people. */
void topology_report(void);

#endif
