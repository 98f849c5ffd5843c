/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What ACPI says about CPUs, interrupt controllers, timers, the end and the console: MADT, FADT, GTDT (ACPI Specification 6.5,
 * 5.2.12, 5.2.9, 5.2.25), SPCR (Microsoft, Serial Port Console Redirection Table, revision 4). Pure. Fields that a table is too
 * short for read as 0, which is what an absent one says.
 */
#include "boot/acpi.h"

#define NO_CPU_XAPIC 0xff /* ids that mean all CPUs */
#define NO_CPU_X2APIC 0xffffffff
#define GICC_BYTES 76 /* as far as its MPIDR; later revisions have more */
#define SYSTEM_MEMORY 0 /* address spaces, 5.2.3.2 */
#define SYSTEM_IO 1

static void add_apic(struct hw_info *out, u32 id, u32 no_cpu, u32 flags, u32 uid)
{
	if (!(flags & 1) || id == no_cpu)
		out->nr_disabled++;
	else
		hw_info_add_cpu(out, id, uid); /* firmware may list it as local APIC and as x2APIC: it is one */
}

/* A CPU's interface (5.2.12.14). Bit 3 of flags, online capable: it may come later, and is not there now. */
static void add_gicc(struct bytes e, struct hw_info *out)
{
	unsigned i;

	if (!(bytes_get32(e, 12) & 1)) {
		out->nr_disabled++;
		return;
	}
	i = hw_info_add_cpu(out, hw_id_of_mpidr(bytes_get64(e, 68)), bytes_get32(e, 8));
	if (i < MAX_CPUS)
		out->own_redist[i] = PA(bytes_get64(e, 60));
	if (!out->gic_cpu.raw)
		out->gic_cpu = PA(bytes_get64(e, 32));
}

static void add_redist(struct bytes e, struct hw_info *out)
{
	if (out->nr_redists < MAX_REDISTS) {
		out->redist[out->nr_redists].start = PA(bytes_get64(e, 4));
		out->redist[out->nr_redists].bytes = bytes_get32(e, 12);
	}
	out->nr_redists++; /* beyond the limit: judge_gic() looks */
}

static bool read_madt_entry(struct bytes e, struct bytes table, struct hw_info *out)
{
	static const u8 least[] = { [0] = 8, [5] = 12, [9] = 16, [11] = GICC_BYTES, [12] = 24, [14] = 16 };
	u64 type = bytes_get(e, 0, 1);

	(void)table;
	if (type < sizeof(least) && e.n < least[type])
		return false;
	if (type == 0) { /* local APIC */
		add_apic(out, (u32)bytes_get(e, 3, 1), NO_CPU_XAPIC, bytes_get32(e, 4), (u32)bytes_get(e, 2, 1));
	} else if (type == 5) { /* local APIC address override */
		out->lapic = PA(bytes_get64(e, 4));
	} else if (type == 9) { /* local x2APIC */
		add_apic(out, bytes_get32(e, 4), NO_CPU_X2APIC, bytes_get32(e, 8), bytes_get32(e, 12));
	} else if (type == 11) {
		add_gicc(e, out);
	} else if (type == 12 && !out->gic_dist.raw) { /* distributor; there is one */
		out->gic_dist = PA(bytes_get64(e, 8));
		out->gic = (unsigned)bytes_get(e, 20, 1);
	} else if (type == 14) {
		add_redist(e, out);
	}
	return true;
}

/* Version 4 is 3 with more; 0 is not told (before ACPI 6.0): what there is of registers says it. */
static const char *judge_gic(struct hw_info *out)
{
	bool redists = out->nr_redists || out->own_redist[0].raw;

	if (out->nr_redists > MAX_REDISTS)
		return "acpi: table APIC has more than 32 regions of redistributors";
	if (!out->gic_dist.raw)
		return NULL;
	if (!out->gic)
		out->gic = redists ? 3 : 2;
	else if (out->gic == 4)
		out->gic = 3;
	if (out->gic == 2 ? !out->gic_cpu.raw : out->gic == 3 ? !redists : true)
		return "acpi: table APIC has a GIC of an unknown version, or without what its version has for each CPU";
	return NULL;
}

const char *acpi_read_madt(const struct acpi_kind *kind, struct bytes madt, struct hw_info *out)
{
	const char *error;

	if (madt.n < 44)
		return kind->wrong_length;
	out->lapic = PA(bytes_get32(madt, 36));
	out->pcat = bytes_get32(madt, 40) & 1;
	error = acpi_entries(kind, madt, 44, read_madt_entry, out);
	if (!error)
		error = judge_gic(out);
	if (error)
		return error;
	if (!out->nr_cpus)
		return "acpi: table APIC lists no enabled CPU";
	if (!out->gic && (!out->lapic.raw || out->lapic.raw % PAGE_SIZE))
		return "acpi: table APIC has a wrong local APIC address";
	return NULL;
}

/* An I/O port: the old field, or where that is 0 the generic address (space, width, offset, size, address). 0: none. */
static u32 fadt_port(struct bytes fadt, u64 old, u64 generic)
{
	u64 port = bytes_get32(fadt, old);

	if (!port && bytes_get(fadt, generic, 1) == SYSTEM_IO)
		port = bytes_get64(fadt, generic + 4);
	return port <= 0xffff ? (u32)port : 0;
}

const char *acpi_read_fadt(const struct acpi_kind *kind, struct bytes fadt, struct hw_info *out)
{
	u32 flags = bytes_get32(fadt, 112), arm = (u32)bytes_get(fadt, 129, 2);
	bool reset_supported = flags >> 10 & 1, hardware_reduced = flags >> 20 & 1;

	if (fadt.n < 116)
		return kind->wrong_length;
	if (!hardware_reduced) {
		out->pm1a_cnt_port = fadt_port(fadt, 64, 172);
		out->pm_timer_port = fadt_port(fadt, 76, 208);
	}
	out->reset.space = (u8)bytes_get(fadt, 116, 1);
	out->reset.address = bytes_get64(fadt, 120);
	out->reset.value = (u8)bytes_get(fadt, 128, 1);
	out->reset.present = reset_supported && fadt.n >= 129 && out->reset.space <= SYSTEM_IO && out->reset.address;
	for (unsigned i = 0; i < 8; i++) { /* since ACPI 6.0 */
		u8 c = (u8)bytes_get(fadt, 268 + i, 1);

		out->hypervisor[i] = (char)(c > ' ' && c < 0x7f ? c : 0);
	}
	if (arm & 1) /* ARM boot architecture flags, 5.2.9.4: PSCI compliant; PSCI by HVC */
		out->psci = arm & 2 ? PSCI_HVC : PSCI_SMC;
	return NULL;
}

/* The virtual timer's interrupt, if it is private to each CPU, as it has to be. */
const char *acpi_read_gtdt(const struct acpi_kind *kind, struct bytes gtdt, struct hw_info *out)
{
	u32 irq = bytes_get32(gtdt, 64);

	if (gtdt.n < 80)
		return kind->wrong_length;
	if (irq >= 16 && irq < 32)
		out->timer_irq = irq;
	return NULL;
}

/*
 * The generic address's size of an access (1, 2, 3: 1, 2, 4 bytes) is a 16550's width; its registers are as far apart as one is
 * wide, by bits or by access. Linux goes by the access alone.
 */
static void set_16550(struct console *c, struct bytes address)
{
	unsigned bits = (unsigned)bytes_get(address, 1, 1), access = (unsigned)bytes_get(address, 3, 1);

	c->kind = CONSOLE_16550;
	c->port = bytes_get(address, 0, 1) == SYSTEM_IO;
	c->width = access == 2 ? 2 : access == 3 ? 4 : 1;
	c->stride = MAX(c->width, bits == 16 ? 2u : bits == 32 ? 4u : 1u);
	if (c->port)
		c->width = c->stride = 1;
}

const char *acpi_read_spcr(const struct acpi_kind *kind, struct bytes spcr, struct hw_info *out)
{
	static const u32 bauds[] = { [3] = 9600, [4] = 19200, [6] = 57600, [7] = 115200 };
	u64 type = bytes_get(spcr, 36, 1), space = bytes_get(spcr, 40, 1), baud = bytes_get(spcr, 58, 1);
	struct console c = { .address = bytes_get64(spcr, 44), .stride = 4, .width = 4 };

	if (spcr.n < 80)
		return kind->wrong_length;
	if (!c.address) /* redirection is off */
		return NULL;
	c.baud = baud < ARRAY_SIZE(bauds) ? bauds[baud] : 0;
	if (type == 0 || type == 1 || type == 0x12) /* 16550; its subset; one whose address says stride and width */
		set_16550(&c, bytes_sub(spcr, 40, 12));
	else if (type == 3)
		c.kind = CONSOLE_PL011;
	else if (type == 13 || type == 14) /* SBSA generic UART, by 32 bits; as it is */
		c.kind = CONSOLE_SBSA;
	else
		return "acpi: table SPCR names a console of a kind that is not known";
	if (space > SYSTEM_IO || (space == SYSTEM_IO && (c.kind != CONSOLE_16550 || c.address > 0xfff8)))
		return "acpi: table SPCR names a console at an address that is not memory and not a port";
	if (c.address % c.width)
		return "acpi: table SPCR names a console at an address that is not aligned";
	out->console = c;
	return NULL;
}
