/* SPDX-License-Identifier: BSD-2-Clause */
/* What the files of arch/arm64/metal offer each other. */
#ifndef ARCH_ARM64_METAL_H
#define ARCH_ARM64_METAL_H

#include "arch/access.h"
#include "arch/arm64/regs.h"
#include "arch/irq.h"
#include "types.h"

/* head.S, entry.S, recover.S */
extern char boot_stacks[], boot_root[], empty_root[], vectors[];
void switch_kernel_root(u64 root, u64 image);
void secondary_start(void);
struct access recover_semihosting(u64 operation, u64 argument);

struct smccc_result {
	u64 x0, x1;
};
struct smccc_result psci_smc(u64 function, u64 a, u64 b, u64 c);
struct smccc_result psci_hvc(u64 function, u64 a, u64 b, u64 c);

/* tables.c: where the image was loaded; an uncached window; memory for a block of stacks at its place in STACK_MAP. */
extern u64 image_pa, final_root;
void *device_map(struct pa pa, u64 bytes);
void stacks_map(unsigned block);

/* cpu.c: sets this CPU up as logical number `cpu`. Repeatable with another number. */
void cpu_set_up(unsigned cpu);

/* gic.c: the distributor and the boot CPU's part; this CPU's part, *target its bit in target lists. NULL, or why not. */
const char *gic_init(void);
const char *gic_set_up(u8 *target);

/* psci.c: SMC or HVC, as firmware says. Result as that gives it; -1 where there is no PSCI. */
struct smccc_result psci_call(u64 function, u64 a, u64 b, u64 c);

/*
 * clock.c: finds the rate; this CPU's event stream and cycle counter, true if that counts. With all CPUs up: by what samples are
 * taken; NULL, or why not by what clock= asks for.
 */
void clock_init(void);
bool clock_set_up(void);
const char *clock_choose(void);
void delay_us(u64 us);

/* features.c: what differs by the CPUs that there are, once all are here. */
void features_choose(void);

/* identity.c: fills machine.arch.id; may be asked before. */
void identity_init(void);
bool board_is_qemu(void);
bool hypervisor_is_kvm(void);

#endif
