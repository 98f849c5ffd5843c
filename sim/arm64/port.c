/* SPDX-License-Identifier: BSD-2-Clause */
/* Between arch/arm64 and the model of arm64. No state of its own. */
#include "arch/arm64/insn.h"
#include "arch/tlb.h"
#include "arch/upcall.h"
#include "boot_info.h"
#include "lib/boot_memory.h"
#include "machine.h"
#include "sim/arm64/arm64.h"
#include "sim/oracle.h"
#include "sim/port.h"
#include "sim/sched.h"

#define GIC_DIST 0xfffffe0000000000ull

static const struct hw_info hardware[2] = { { .gic = 3 }, { .gic = 2 } };

const char port_tags[] = "";

void platform_copy_kernel_half(struct pa root)
{
	(void)root;
}

bool port_is_call(unsigned vector)
{
	return vector == IPI_CALL;
}

void port_list(u32 flags)
{
	machine.arch.nr_asids = flags & FLAG_ASID8 ? 256 : 65536;
}

const char *port_set_up(u32 flags)
{
	unsigned cpu;

	port_list(flags);
	machine.arch.nr_cpus = model.nr_cpus;
	machine.arch.hw = &hardware[!!(flags & FLAG_GICV2)];
	machine.arch.gic_dist = GIC_DIST;
	for (cpu = 0; cpu < model.nr_cpus; cpu++) {
		machine.arch.hw_id[cpu] = (cpu / 16) << 8 | cpu % 16;
		machine.arch.gic_target[cpu] = (u8)(1u << (cpu % 8));
	}
	machine.arch.tlbi_range = !(flags & FLAG_NO_RANGE);
	machine.arch.ttl = true;
	machine.arch.repeat_tlbi = !!(flags & FLAG_REPEAT);
	machine.arch.empty_root = boot_alloc(PAGE, PAGE);
	model.features = (flags & FLAG_NO_RANGE ? 0 : HAS_RANGE) | (flags & FLAG_NO_HAF ? 0 : HAS_HAF) |
			 (flags & FLAG_ASID8 ? 0 : HAS_ASID16) | (flags & FLAG_BY_ADDRESS ? HAS_BY_ADDRESS : 0);
	return flags & FLAG_GICV2 && model.nr_cpus > 8 ? "--gicv2: at most 8 CPUs are accepted" : NULL;
}

void port_set_up_cpu(u32 flags)
{
	struct isa_cpu *c = &model.cpu[model.current].isa;

	(void)flags;
	c->ttbr1 = platform_kernel_root().raw;
	c->nr_ttbr0 = 1;
	c->ttbr0[0] = machine.arch.empty_root.raw;
}

/* DSB, ISB. */
void port_settle_cpu(void)
{
	memory_dsb();
	isa_exception(model.current);
}

void port_check_loaded(unsigned cpu, const struct mm *mm, u64 asid)
{
	u64 ttbr = root_written(&model.cpu[cpu]), root = mm->kernel ? machine.arch.empty_root.raw : mm->root.raw;

	if ((ttbr & PTE_ADDR) != root)
		violation("I-ROOT", "CPU %u has root 0x%llx loaded, its mm's is 0x%llx", cpu, (llu)(ttbr & PTE_ADDR), (llu)root);
	if (ttbr >> TTBR_ASID_SHIFT != asid + 1)
		violation("I-ROOT", "CPU %u has ASID %u loaded, its tag is %u", cpu, (unsigned)(ttbr >> TTBR_ASID_SHIFT),
			  (unsigned)asid);
}

/* As arch/arm64/metal's does: what a permission fault found repaired is flushed here. */
bool isa_trap(u64 va, bool store, bool permission)
{
	bool repaired = oracle_fault(va, store), were_on;

	were_on = irq_save();
	if (repaired && permission)
		tlb_flush_kernel_range(VA(va), 1, PAGE_SHIFT, false);
	model.cpu[model.current].irq_on = were_on; /* by the return from the exception */
	return repaired;
}
