/* SPDX-License-Identifier: BSD-2-Clause */
/* Between arch/x86 and the model of x86. No state of its own. */
#include <string.h>

#include "arch/x86/ipi.h"
#include "machine.h"
#include "sim/oracle.h"
#include "sim/port.h"
#include "sim/sched.h"
#include "sim/x86/x86.h"

void platform_copy_kernel_half(struct pa root)
{
	memcpy(ARENA + root.raw + PAGE / 2, ARENA + platform_kernel_root().raw + PAGE / 2, PAGE / 2);
}

const char port_tags[] = " --pcid";

bool port_is_call(unsigned vector)
{
	return vector == (VECTOR_CALL & 31);
}

void port_list(u32 flags)
{
	machine.arch.pcid = flags & FLAG_PCID;
	machine.arch.soft_pcid = flags & FLAG_EMULATE;
}

const char *port_set_up(u32 flags)
{
	unsigned cpu;

	machine.arch.nr_cpus = model.nr_cpus;
	for (cpu = 0; cpu < model.nr_cpus; cpu++)
		machine.arch.hw_id[cpu] = cpu;
	machine.arch.x2apic = !(flags & FLAG_XAPIC);
	machine.arch.pcid = flags & FLAG_PCID;
	machine.arch.invpcid = machine.arch.invpcid_tag = flags & FLAG_INVPCID;
	model.features = flags & FLAG_INVPCID ? HAS_ALL : HAS_ALL & ~HAS_INVPCID;
	if (flags & FLAG_EMULATE) {
		model.features &= ~HAS_INVLPGB;
		machine.arch.invlpgb_emulated = true;
		machine.arch.soft_pcid = !(flags & FLAG_PCID);
	}
	model.isa.invlpgb_max = 7;
	machine.arch.invlpgb_max = model.isa.invlpgb_max + 1;
	return NULL;
}

void port_set_up_cpu(u32 flags)
{
	model.cpu[model.current].isa.cr4 = CR4_PGE | (flags & FLAG_PCID ? CR4_PCIDE : 0);
}

void port_settle_cpu(void)
{
}

void port_check_loaded(unsigned cpu, const struct mm *mm, u64 asid)
{
	u64 cr3 = model.cpu[cpu].isa.cr3;

	if ((cr3 & PTE_ADDR) != mm->root.raw)
		violation("I-ROOT", "CPU %u has root 0x%llx loaded, its mm's is 0x%llx", cpu, (llu)(cr3 & PTE_ADDR),
			  (llu)mm->root.raw);
	if (machine.arch.pcid && (cr3 & 0xfff) != asid + 1)
		violation("I-ROOT", "CPU %u has PCID %u loaded, its tag is %u", cpu, (unsigned)(cr3 & 0xfff), (unsigned)asid);
}

bool sched_undefined(bool sync, u64 rax, u32 ecx, u32 edx)
{
	struct invlpgb op = { rax, ecx, edx };

	if (!machine.arch.invlpgb_emulated)
		return false;
	if (!sched_on)
		return true; /* in set_up() nobody would answer, and under a tag that was never loaded there is nothing to flush */
	if (sync)
		emulate_tlbsync();
	else if (emulate_invlpgb(&op))
		violation("#GP", "CPU %u at invlpgb 0x%llx", model.current, (llu)rax);
	return true;
}
