/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The interrupt controller, GIC version 2 or 3: set-up, the handler, bounded halts by the virtual timer. Software generated
 * interrupts and the timer's are all that is enabled. State: gic_dist, gic_cpu, redist[], gic_target[] in
 * machine.arch. (IHI 0069 version 3; IHI 0048 version 2)
 */
#include "arch/arm64/insn.h"
#include "arch/arm64/metal/metal.h"
#include "arch/clock.h"
#include "arch/upcall.h"
#include "arch/wait.h"
#include "boot_info.h"
#include "machine.h"

COUNTER(interrupts_stray, "interrupts that nothing here uses");

#define GICD_ITARGETSR 0x800
#define GICD_TYPER 0x4
#define GICR_CTLR_BUSY (1 << 3)
#define POLLS 1000000
#define TIMER_IRQ 27 /* the virtual timer's, if firmware doesn't tell */

u64 gic_iar; /* outside struct machine: entry.S reads it */

void interrupt(u32 acknowledged, u64 pc); /* called by entry.S */
_Static_assert(IPI_YARDSTICK == SGI_YARDSTICK, "entry.S");

static u32 timer_irq(void)
{
	return machine.arch.hw->timer_irq ? machine.arch.hw->timer_irq : TIMER_IRQ;
}

/* False: the bits stay. */
static bool await_clear(u64 address, u32 bits)
{
	for (unsigned i = 0; i < POLLS; i++)
		if (!(mmio_read(address) & bits))
			return true;
	return false;
}

/* Registers of the interrupts that each CPU has of its own: banked in version 2's distributor, version 3's redistributor. */
static void set_up_private(u64 base)
{
	mmio_write(base + GICD_ICENABLER, ~0u);
	for (unsigned i = 0; i < 32; i += 4)
		mmio_write(base + GICD_IPRIORITYR + i, PRIORITY * 0x01010101u);
	mmio_write(base + GICD_ISENABLER, ((1u << NR_SGIS) - 1) | 1u << timer_irq());
}

static const char *set_up_v2(u8 *target)
{
	u8 own = mmio_read(machine.arch.gic_dist + GICD_ITARGETSR) & 0xff;

	*target = own ? own : 1; /* with one CPU it reads as 0 */
	set_up_private(machine.arch.gic_dist);
	mmio_write(machine.arch.gic_cpu + GICC_PMR, 0xff);
	mmio_write(machine.arch.gic_cpu + GICC_CTLR, 1);
	return NULL;
}

/* The redistributor that firmware says is this CPU's, or whose affinity is; 0: none. */
static u64 find_redist(void)
{
	u32 id = platform_hw_id();
	unsigned position = hw_info_find_id(machine.arch.hw, id);

	if (position < MAX_CPUS && machine.arch.own_redist[position])
		return machine.arch.own_redist[position];
	for (unsigned i = 0; i < machine.arch.hw->nr_redists; i++) {
		u64 at = machine.arch.redist[i], end = at + machine.arch.hw->redist[i].bytes;

		while (at + GICR_BYTES <= end) {
			u64 type = mmio_read64(at + GICR_TYPER);

			if ((u32)(type >> 32) == id)
				return at;
			if (type & TYPER_LAST)
				break;
			at += type & TYPER_VLPIS ? GICR_BYTES_V4 : GICR_BYTES;
		}
	}
	return 0;
}

static const char *set_up_v3(void)
{
	u64 redist = find_redist();

	if (!redist)
		return "the interrupt controller has no redistributor for this CPU";
	mmio_write(redist + GICR_WAKER, mmio_read(redist + GICR_WAKER) & ~(u32)WAKER_SLEEP);
	if (!await_clear(redist + GICR_WAKER, WAKER_CHILDREN_ASLEEP))
		return "the interrupt controller's redistributor does not wake up";
	mmio_write(redist + GICR_SGI + GICD_IGROUPR, ~0u);
	set_up_private(redist + GICR_SGI);
	if (!await_clear(redist, GICR_CTLR_BUSY))
		return "the interrupt controller's redistributor stays busy";
	write_icc_sre(read_icc_sre() | 1);
	isb();
	if (!(read_icc_sre() & 1))
		return "the interrupt controller's system registers are not there";
	write_icc_pmr(0xff);
	write_icc_ctlr(0); /* end of interrupt is one step */
	write_icc_igrpen1(1);
	isb();
	return NULL;
}

/* Firmware may have left some on. In registers of 32, of which the first is each CPU's own. */
static void disable_shared(void)
{
	u32 nr = mmio_read(machine.arch.gic_dist + GICD_TYPER) & 31;

	for (u32 i = 1; i <= nr; i++)
		mmio_write(machine.arch.gic_dist + GICD_ICENABLER + 4 * i, ~0u);
}

/* Needs no per-CPU data: a CPU that comes too late has none. */
const char *gic_set_up(u8 *target)
{
	return machine.arch.hw->gic == 2 ? set_up_v2(target) : set_up_v3();
}

const char *gic_init(void)
{
	const struct hw_info *hw = machine.arch.hw;

	if (!hw->gic)
		return "firmware tells of no interrupt controller that is known (GIC version 2 or 3)";
	machine.arch.gic_dist = (u64)device_map(hw->gic_dist, 0x10000);
	disable_shared();
	if (hw->gic == 2) {
		machine.arch.gic_cpu = (u64)device_map(hw->gic_cpu, 0x2000);
		gic_iar = machine.arch.gic_cpu + GICC_IAR;
		mmio_write(machine.arch.gic_dist + GICD_CTLR, GICD_CTLR_GRP0);
		return gic_set_up(&machine.arch.gic_target[0]);
	}
	for (unsigned i = 0; i < hw->nr_redists; i++)
		machine.arch.redist[i] = (u64)device_map(hw->redist[i].start, hw->redist[i].bytes);
	for (unsigned i = 0; i < hw->nr_cpus && !hw->nr_redists; i++)
		if (hw->own_redist[i].raw)
			machine.arch.own_redist[i] = (u64)device_map(hw->own_redist[i], GICR_BYTES);
	/* Affinity routing first, alone: with it the other bits mean something else. */
	mmio_write(machine.arch.gic_dist + GICD_CTLR, GICD_CTLR_ARE);
	if (!await_clear(machine.arch.gic_dist + GICD_CTLR, (u32)GICD_CTLR_BUSY))
		return "the interrupt controller's distributor stays busy";
	mmio_write(machine.arch.gic_dist + GICD_CTLR, GICD_CTLR_ARE | GICD_CTLR_GRP1);
	return gic_set_up(&machine.arch.gic_target[0]);
}

static void end_of_interrupt(u32 acknowledged)
{
	if (machine.arch.hw->gic == 2) {
		mmio_write(machine.arch.gic_cpu + GICC_EOIR, acknowledged);
	} else {
		write_icc_eoir1(acknowledged);
		isb();
	}
}

/* End of interrupt first: its cost is not behind the flush that the initiator waits for. Interrupts stay masked until the ERET. */
void interrupt(u32 acknowledged, u64 pc)
{
	u32 id = acknowledged & (machine.arch.hw->gic == 2 ? 0x3ff : 0xffffff);

	if (id >= INTID_SPURIOUS && id < 1024)
		return;
	if (id == timer_irq())
		write_cntv_ctl(0); /* its line is down before the end, or it would come again */
	end_of_interrupt(acknowledged);
	if (id == IPI_CALL)
		upcall_ipi_call();
	else if (id == IPI_SNAPSHOT)
		upcall_snapshot(pc, true);
	else if (id >= NR_IPIS && id != timer_irq())
		count(&counter_interrupts_stray, 1);
}

/*
 * Nothing is missed: who changes *w sends IPI_WAKE afterwards. Either the new value is seen here, or the interrupt is still to
 * come, and one that is pending ends WFI though it is masked.
 */
void wait_halt(const struct word *w, u64 seen, u64 ticks)
{
	if (ticks) {
		write_cntv_tval(MIN(ticks, 0x7fffffffull));
		write_cntv_ctl(1);
		isb();
	}
	if (load_acquire(w) == seen)
		wfi();
	unmask_irqs();
	isb(); /* what is pending is taken here */
	mask_irqs();
	if (ticks)
		write_cntv_ctl(0);
}
