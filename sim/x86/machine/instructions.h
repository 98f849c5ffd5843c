/* SPDX-License-Identifier: BSD-2-Clause */
/* The instructions of x86 that the model executes. Each is a step of the current CPU; a fault ends the schedule. */
#ifndef MACHINE_INSTRUCTIONS_H
#define MACHINE_INSTRUCTIONS_H

#include "types.h"

void sim_invlpg(u64 va);
u64 sim_read_cr3(void);
void sim_write_cr3(u64 value);
u64 sim_read_cr4(void);
void sim_write_cr4(u64 value);
void sim_invpcid(unsigned type, u64 pcid, u64 va);
void sim_invlpgb(u64 rax, u32 ecx, u32 edx);
void sim_tlbsync(void);
u64 sim_rdmsr(u32 msr); /* EFER only */
void sim_wrmsr(u32 msr, u64 value);
u64 sim_read_flags(void);
void sim_cli(void);
void sim_sti(void);
void sim_xapic_icr(u32 hw_id, u32 command);
void sim_x2apic_icr(u32 hw_id, u32 command);

#endif
