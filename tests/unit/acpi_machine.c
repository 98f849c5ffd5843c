/* SPDX-License-Identifier: BSD-2-Clause */
/* units: boot/acpi*.c boot/hw_info.c tests/unit/host/acpi_tables.c tests/unit/host/firmware.c */
/* MADT, FADT, GTDT and SPCR: as two machines have them, with other machines' variants, cut off, and lying. */
#include "host/acpi_tables.h"
#include "host/q35_tables.h"
#include "host/virt_tables.h"
#include "unit.h"

static struct blob madt, fadt, gtdt, spcr;
static struct blob *const x86[] = { &madt, &fadt, NULL }, *const arm64[] = { &fadt, &madt, &gtdt, &spcr, NULL };

static void make_x86(void)
{
	table_of(&madt, 0x7fe2000, q35_apic, sizeof(q35_apic));
	table_of(&fadt, 0x7fe1000, q35_facp, sizeof(q35_facp));
	tables_are(true, x86);
}

static void make_arm64(void)
{
	table_of(&madt, 0x7fe2000, virt_apic, sizeof(virt_apic));
	table_of(&fadt, 0x7fe1000, virt_facp, sizeof(virt_facp));
	table_of(&gtdt, 0x7fe3000, virt_gtdt, sizeof(virt_gtdt));
	table_of(&spcr, 0x7fe4000, virt_spcr, sizeof(virt_spcr));
	tables_are(true, arm64);
}

static void expect_error(void (*again)(void), const char *want)
{
	EXPECT(!acpi_parses());
	EXPECT_STR(acpi_info.error, want);
	again();
}

static void begin_madt(u64 lapic)
{
	table_begin(&madt, 0x7fe2000, "APIC");
	blob_put(&madt, 4, lapic);
	blob_put(&madt, 4, 1);
}

static void x2apic_entry(u32 id, u32 flags)
{
	blob_put(&madt, 4, 0x1009);
	blob_put(&madt, 4, id);
	blob_put(&madt, 4, flags);
	blob_put(&madt, 4, 0);
}

/* A CPU's GIC interface as far as its MPIDR (76 bytes). */
static void gicc_entry(u32 uid, u64 mpidr, u32 flags, u64 interface, u64 redist)
{
	blob_put(&madt, 8, (u64)uid << 32 | 76 << 8 | 11);
	blob_put(&madt, 4, uid);
	blob_put(&madt, 4, flags);
	blob_put(&madt, 8, 0);
	blob_put(&madt, 8, 0);
	blob_put(&madt, 8, interface);
	blob_put(&madt, 8, 0);
	blob_put(&madt, 8, 0);
	blob_put(&madt, 4, 0);
	blob_put(&madt, 8, redist);
	blob_put(&madt, 8, mpidr);
}

static void gicd_entry(u64 address, u8 version)
{
	blob_put(&madt, 8, 24 << 8 | 12);
	blob_put(&madt, 8, address);
	blob_put(&madt, 4, 0);
	blob_put(&madt, 4, version);
}

static void gicr_entry(u64 address, u32 bytes)
{
	blob_put(&madt, 4, 16 << 8 | 14);
	blob_put(&madt, 8, address);
	blob_put(&madt, 4, bytes);
}

UNIT_TEST(acpi_of_q35)
{
	make_x86();
	EXPECT(acpi_parses());
	EXPECT_EQ(acpi_info.nr_cpus, 4);
	EXPECT_EQ(acpi_info.hw_id[3], 3);
	EXPECT_EQ(acpi_info.lapic.raw, 0xfee00000);
	EXPECT(acpi_info.pcat && acpi_info.reset.present);
	EXPECT_EQ(acpi_info.pm1a_cnt_port, 0x604);
	EXPECT_EQ(acpi_info.pm_timer_port, 0x608);
	EXPECT_EQ(acpi_info.psci, PSCI_NONE);
	EXPECT_EQ(acpi_info.gic, 0);
	EXPECT_EQ(acpi_info.console.kind, CONSOLE_NONE);
}

UNIT_TEST(acpi_of_virt)
{
	make_arm64();
	EXPECT(acpi_parses());
	EXPECT_EQ(acpi_info.nr_cpus, 4);
	EXPECT_EQ(acpi_info.hw_id[3], 3);
	EXPECT_EQ(acpi_info.handle[3], 3);
	EXPECT_EQ(acpi_info.nr_disabled, 0);
	EXPECT_EQ(acpi_info.gic, 3);
	EXPECT_EQ(acpi_info.gic_dist.raw, 0x8000000);
	EXPECT_EQ(acpi_info.nr_redists, 1);
	EXPECT_EQ(acpi_info.redist[0].start.raw, 0x80a0000);
	EXPECT_EQ(acpi_info.redist[0].bytes, 0xf60000);
	EXPECT_EQ(acpi_info.psci, PSCI_HVC);
	EXPECT_EQ(acpi_info.timer_irq, 27);
	EXPECT_EQ(acpi_info.console.kind, CONSOLE_PL011);
	EXPECT_EQ(acpi_info.console.address, 0x9000000);
	EXPECT_STR(acpi_info.hypervisor, "QEMU");
	EXPECT(!acpi_info.warning && !acpi_info.pm_timer_port);
}

/* MPIDRs in any order with gaps and affinity 3; disabled and online-capable CPUs; a CPU that is listed twice. */
UNIT_TEST(acpi_gic_cpus)
{
	make_arm64();
	begin_madt(0);
	gicc_entry(7, 0x0100020300, 1, 0, 0);
	gicc_entry(3, 0x81000001, 1, 0, 0); /* bits 31:24 are flags */
	gicc_entry(4, 0x2, 0, 0, 0);
	gicc_entry(5, 0x3, 8, 0, 0); /* could come later */
	gicc_entry(3, 0x1, 1, 0, 0);
	gicc_entry(9, 0x0, 9, 0, 0);
	gicd_entry(0x8000000, 4); /* version 4 is 3 with more */
	gicr_entry(0x80a0000, 0x100000);
	gicr_entry(0x90a0000, 0x200000);
	table_finish(&madt);
	EXPECT(acpi_parses());
	EXPECT_EQ(acpi_info.nr_cpus, 3);
	EXPECT_EQ(acpi_info.hw_id[0], 0x01020300);
	EXPECT_EQ(acpi_info.handle[0], 7);
	EXPECT_EQ(acpi_info.hw_id[1], 1);
	EXPECT_EQ(acpi_info.handle[1], 3);
	EXPECT_EQ(acpi_info.hw_id[2], 0);
	EXPECT_EQ(acpi_info.nr_disabled, 2);
	EXPECT_EQ(acpi_info.gic, 3);
	EXPECT_EQ(acpi_info.nr_redists, 2);
	EXPECT_EQ(acpi_info.redist[1].bytes, 0x200000);
}

UNIT_TEST(acpi_gic_versions)
{
	static const struct {
		u8 said;
		u64 interface, redist;
		unsigned is; /* 0: an error */
	} cases[] = { { 2, 0x8010000, 0, 2 }, { 3, 0, 0x80a0000, 3 }, { 0, 0x8010000, 0, 2 }, { 0, 0, 0x80a0000, 3 },
		      { 1, 0x8010000, 0, 0 }, { 2, 0, 0x80a0000, 0 }, { 3, 0x8010000, 0, 0 }, { 9, 0x8010000, 0x80a0000, 0 } };

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		make_arm64();
		begin_madt(0);
		gicd_entry(0x8000000, cases[i].said);
		gicd_entry(0x1234000, 3); /* there is one only */
		gicc_entry(0, 0, 1, cases[i].interface, cases[i].redist);
		table_finish(&madt);
		EXPECT_EQ(acpi_parses(), cases[i].is != 0);
		if (!cases[i].is)
			continue;
		EXPECT_EQ(acpi_info.gic, cases[i].is);
		EXPECT_EQ(acpi_info.gic_dist.raw, 0x8000000);
		EXPECT_EQ(acpi_info.gic_cpu.raw, cases[i].interface);
		EXPECT_EQ(acpi_info.own_redist[0].raw, cases[i].redist);
	}
}

UNIT_TEST(acpi_gic_lies)
{
	static const u8 short_for_its_type[] = { 11, 12, 14 };

	make_arm64();
	for (size_t i = 0; i < ARRAY_SIZE(short_for_its_type); i++) {
		blob_put(&madt, 8, 0x0800u | short_for_its_type[i]);
		table_finish(&madt);
		expect_error(make_arm64, "acpi: an entry of table APIC is too short for its type");
	}
	blob_put(&madt, 2, 75 << 8 | 11); /* ACPI 5.0's had 40 bytes, and no MPIDR */
	blob_put(&madt, 73, 0);
	table_finish(&madt);
	expect_error(make_arm64, "acpi: an entry of table APIC is too short for its type");
	for (unsigned i = 0; i < MAX_REDISTS; i++)
		gicr_entry(0x10000000 + 0x100000 * i, 0x100000);
	table_finish(&madt);
	expect_error(make_arm64, "acpi: table APIC has more than 32 regions of redistributors");
	begin_madt(0);
	gicc_entry(0, 0, 0, 0, 0);
	table_finish(&madt);
	expect_error(make_arm64, "acpi: table APIC lists no enabled CPU");
	gtdt.n = 79;
	table_finish(&gtdt);
	expect_error(make_arm64, "acpi: table GTDT has a wrong length");
	blob_set(&gtdt, 64, 4, 33); /* not private to a CPU */
	table_finish(&gtdt);
	EXPECT(acpi_parses());
	EXPECT_EQ(acpi_info.timer_irq, 0);
}

UNIT_TEST(acpi_psci)
{
	make_arm64();
	blob_set(&fadt, 129, 2, 1);
	table_finish(&fadt);
	EXPECT(acpi_parses());
	EXPECT_EQ(acpi_info.psci, PSCI_SMC);
	blob_set(&fadt, 129, 2, 2); /* not compliant: by HVC means nothing */
	blob_set(&fadt, 268, 8, 0x1122334455667741);
	table_finish(&fadt);
	EXPECT(acpi_parses());
	EXPECT_EQ(acpi_info.psci, PSCI_NONE);
	EXPECT_STR(acpi_info.hypervisor, "AwfUD3\"");
	fadt.n = 129; /* ACPI 5.0 and before */
	table_finish(&fadt);
	EXPECT(acpi_parses());
	EXPECT_EQ(acpi_info.psci, PSCI_NONE);
	EXPECT_STR(acpi_info.hypervisor, "");
}

/* Interface type, address space, bits of a register, size of an access, address, speed; and what that is. */
UNIT_TEST(acpi_consoles)
{
	static const struct {
		u8 type, space, bits, access, baud;
		u64 address;
		struct console is;
	} cases[] = {
		{ 0, 1, 8, 1, 7, 0x2f8, { CONSOLE_16550, true, 0x2f8, 1, 1, 115200 } },
		{ 1, 1, 8, 0, 3, 0x3f8, { CONSOLE_16550, true, 0x3f8, 1, 1, 9600 } },
		{ 0, 1, 32, 3, 4, 0x3e8, { CONSOLE_16550, true, 0x3e8, 1, 1, 19200 } },
		{ 0, 0, 8, 1, 0, 0xfe03e000, { CONSOLE_16550, false, 0xfe03e000, 1, 1, 0 } },
		{ 0x12, 0, 32, 1, 0, 0xfe03e000, { CONSOLE_16550, false, 0xfe03e000, 4, 1, 0 } },
		{ 0x12, 0, 32, 3, 6, 0xfe03e000, { CONSOLE_16550, false, 0xfe03e000, 4, 4, 57600 } },
		{ 0, 0, 8, 3, 9, 0xfe03e000, { CONSOLE_16550, false, 0xfe03e000, 4, 4, 0 } },
		{ 1, 0, 16, 2, 0, 0xfe03e002, { CONSOLE_16550, false, 0xfe03e002, 2, 2, 0 } },
		{ 3, 0, 8, 1, 3, 0x9000000, { CONSOLE_PL011, false, 0x9000000, 4, 4, 9600 } },
		{ 13, 0, 32, 3, 0, 0x9000000, { CONSOLE_SBSA, false, 0x9000000, 4, 4, 0 } },
		{ 14, 0, 32, 3, 0, 0x9000000, { CONSOLE_SBSA, false, 0x9000000, 4, 4, 0 } },
		{ 0, 1, 8, 1, 7, 0, { CONSOLE_NONE, false, 0, 0, 0, 0 } }, /* redirection is off */
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct console *is = &cases[i].is, *got = &acpi_info.console;

		make_arm64();
		blob_set(&spcr, 36, 1, cases[i].type);
		blob_set(&spcr, 40, 4, cases[i].space | (u32)cases[i].bits << 8 | (u32)cases[i].access << 24);
		blob_set(&spcr, 44, 8, cases[i].address);
		blob_set(&spcr, 58, 1, cases[i].baud);
		table_finish(&spcr);
		EXPECT(acpi_parses() && !acpi_info.warning);
		EXPECT(got->kind == is->kind && got->port == is->port && got->address == is->address);
		EXPECT(got->stride == is->stride && got->width == is->width && got->baud == is->baud);
	}
}

/* A console that can't be used is a warning: the run can do with console= or the default. */
static void expect_no_console(const char *want)
{
	table_finish(&spcr);
	EXPECT(acpi_parses());
	EXPECT_STR(acpi_info.warning, want);
	EXPECT_EQ(acpi_info.console.kind, CONSOLE_NONE);
	make_arm64();
}

UNIT_TEST(acpi_consoles_that_are_none)
{
	make_arm64();
	blob_set(&spcr, 36, 1, 15); /* DCC */
	expect_no_console("acpi: table SPCR names a console of a kind that is not known");
	blob_set(&spcr, 40, 1, 2);
	expect_no_console("acpi: table SPCR names a console at an address that is not memory and not a port");
	blob_set(&spcr, 40, 1, 1); /* a PL011 at a port */
	expect_no_console("acpi: table SPCR names a console at an address that is not memory and not a port");
	blob_set(&spcr, 36, 5, 0x0100000000);
	blob_set(&spcr, 44, 8, 0xfff9);
	expect_no_console("acpi: table SPCR names a console at an address that is not memory and not a port");
	blob_set(&spcr, 44, 8, 0x9000002);
	expect_no_console("acpi: table SPCR names a console at an address that is not aligned");
	spcr.n = 79;
	expect_no_console("acpi: table SPCR has a wrong length");
	spcr.b[50]++;
	EXPECT(acpi_parses());
	EXPECT_STR(acpi_info.warning, "acpi: table SPCR has a wrong checksum");
}

UNIT_TEST(acpi_machine_every_truncation)
{
	for (size_t i = 0; arm64[i]; i++) {
		make_arm64();
		for (size_t n = 0, whole = arm64[i]->n; n < whole; n++) {
			bool listed = n >= 36; /* less than a header can't be read at all */

			arm64[i]->n = n;
			EXPECT_EQ(acpi_parses(), arm64[i] == &spcr && listed);
			EXPECT(acpi_info.error || acpi_info.warning);
		}
	}
}

UNIT_TEST(acpi_machine_random_mutations)
{
	unsigned good = 0;
	u64 seed = 5;

	for (unsigned round = 0; round < 30000 && !unit_failures(); round++) {
		(round % 2 ? make_x86 : make_arm64)();
		tables_mutate(round % 2 ? x86 : arm64, &seed);
		good += acpi_parses();
	}
	EXPECT(good > 1000 && good < 29000);
}

UNIT_TEST(acpi_lapic_override)
{
	make_x86();
	blob_put(&madt, 4, 0x0c05);
	blob_put(&madt, 8, 0x1234000000);
	table_finish(&madt);
	EXPECT(acpi_parses());
	EXPECT_EQ(acpi_info.lapic.raw, 0x1234000000);
}

UNIT_TEST(acpi_old_fadt)
{
	make_x86();
	fadt.n = 116; /* ACPI 1.0: no reset register */
	table_finish(&fadt);
	EXPECT(acpi_parses());
	EXPECT(!acpi_info.reset.present);
	EXPECT_EQ(acpi_info.pm_timer_port, 0x608);
	make_x86();
	fadt.n = 129 - 1; /* the value to write is missing */
	table_finish(&fadt);
	EXPECT(acpi_parses());
	EXPECT(!acpi_info.reset.present);
}

UNIT_TEST(acpi_fadt_variants)
{
	make_x86();
	blob_set(&fadt, 64, 4, 0);
	blob_set(&fadt, 172, 1, 1);
	blob_set(&fadt, 176, 8, 0x404);
	blob_set(&fadt, 76, 4, 0);
	blob_set(&fadt, 208, 1, 0); /* in memory: not a port */
	blob_set(&fadt, 212, 8, 0x408);
	table_finish(&fadt);
	EXPECT(acpi_parses());
	EXPECT_EQ(acpi_info.pm1a_cnt_port, 0x404);
	EXPECT_EQ(acpi_info.pm_timer_port, 0);
	blob_set(&fadt, 112, 4, 1 << 20 | 1 << 10); /* hardware-reduced: no such ports */
	table_finish(&fadt);
	EXPECT(acpi_parses());
	EXPECT_EQ(acpi_info.pm1a_cnt_port, 0);
	EXPECT(acpi_info.reset.present);
	blob_set(&fadt, 112, 4, 0); /* says that it has no reset register */
	table_finish(&fadt);
	EXPECT(acpi_parses());
	EXPECT(!acpi_info.reset.present);
	blob_set(&fadt, 112, 4, 1 << 10);
	blob_set(&fadt, 116, 1, 2); /* PCI configuration space: not ours */
	table_finish(&fadt);
	EXPECT(acpi_parses());
	EXPECT(!acpi_info.reset.present);
}

UNIT_TEST(acpi_more_cpus_than_the_limit)
{
	unsigned i;

	make_x86();
	begin_madt(0xfee00000);
	for (i = 0; i < MAX_CPUS + 10; i++)
		x2apic_entry(i * 2, 1);
	table_finish(&madt);
	EXPECT(acpi_parses());
	EXPECT_EQ(acpi_info.nr_cpus, MAX_CPUS);
	EXPECT_EQ(acpi_info.nr_over_limit, 10);
	EXPECT_EQ(acpi_info.hw_id[MAX_CPUS - 1], (MAX_CPUS - 1) * 2);
}

UNIT_TEST(acpi_madt_lies)
{
	static const u8 short_for_its_type[] = { 0, 5, 9 };
	size_t i;

	make_x86();
	blob_put(&madt, 2, 0x00f0); /* an entry of no length: would never move on */
	table_finish(&madt);
	expect_error(make_x86, "acpi: an entry of table APIC does not fit into it");
	blob_put(&madt, 3, 0x0201f0); /* of length 1: the next one would begin inside it */
	table_finish(&madt);
	expect_error(make_x86, "acpi: an entry of table APIC does not fit into it");
	blob_put(&madt, 1, 0xf0);
	table_finish(&madt);
	expect_error(make_x86, "acpi: an entry of table APIC does not fit into it");
	blob_put(&madt, 4, 0xfff0);
	table_finish(&madt);
	expect_error(make_x86, "acpi: an entry of table APIC does not fit into it");
	for (i = 0; i < ARRAY_SIZE(short_for_its_type); i++) {
		blob_put(&madt, 4, 0x0400u | short_for_its_type[i]);
		table_finish(&madt);
		expect_error(make_x86, "acpi: an entry of table APIC is too short for its type");
	}
	madt.n = 40;
	table_finish(&madt);
	expect_error(make_x86, "acpi: table APIC has a wrong length");
	blob_set(&madt, 4, 4, 35);
	expect_error(make_x86, "acpi: table APIC has a wrong length");
	blob_set(&madt, 4, 4, 0x40000000);
	expect_error(make_x86, "acpi: table APIC has a wrong length");
	blob_set(&madt, 36, 4, 0xfee00001);
	table_finish(&madt);
	expect_error(make_x86, "acpi: table APIC has a wrong local APIC address");
	begin_madt(0xfee00000);
	blob_put(&madt, 8, 0x0800);
	table_finish(&madt);
	expect_error(make_x86, "acpi: table APIC lists no enabled CPU");
}

UNIT_TEST(acpi_fadt_lies)
{
	make_x86();
	fadt.n = 100;
	table_finish(&fadt);
	expect_error(make_x86, "acpi: table FACP has a wrong length");
	blob_set(&fadt, 64, 4, 0x12345678); /* no port has that number */
	table_finish(&fadt);
	EXPECT(acpi_parses());
	EXPECT_EQ(acpi_info.pm1a_cnt_port, 0);
}
