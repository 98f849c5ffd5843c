/* SPDX-License-Identifier: BSD-2-Clause */
/* units: boot/acpi.c tests/unit/host/firmware.c */
/* ACPI tables as firmware leaves them, cut off, corrupted, and lying with right checksums. */
#include "boot_info.h"
#include "host/firmware.h"
#include "unit.h"

#define RSDP_PA 0xf5a30
#define FADT_FIELDS 244 /* an ACPI 2.0 FADT */

static struct blob rsdp, root, madt, fadt, other;
static struct blob *const pieces[] = { &rsdp, &root, &madt, &fadt, &other, NULL };
static struct boot_info boot;
static struct hw_info info;

static void table(struct blob *b, u64 pa, const char *signature)
{
	b->pa = pa;
	b->n = 0;
	blob_text(b, signature, 4);
	blob_put(b, 4, 0); /* length */
	blob_put(b, 2, 3); /* revision, checksum */
	blob_text(b, "BOCHS BXPC    \1\0\0\0BXPC\1\0\0\0", 26);
}

static void finish(struct blob *b)
{
	blob_set(b, 4, 4, b->n);
	blob_fix_sum(b, b->n, 9);
}

static void lapic_entry(u8 id, u32 flags)
{
	blob_put(&madt, 4, 0x0800 | (u32)id << 24);
	blob_put(&madt, 4, flags);
}

static void x2apic_entry(u32 id, u32 flags)
{
	blob_put(&madt, 4, 0x1009);
	blob_put(&madt, 4, id);
	blob_put(&madt, 4, flags);
	blob_put(&madt, 4, 0);
}

static void begin_madt(void)
{
	table(&madt, 0x7fe2000, "APIC");
	blob_put(&madt, 4, 0xfee00000);
	blob_put(&madt, 4, 1);
}

static void make_madt(void)
{
	begin_madt();
	lapic_entry(4, 1);
	lapic_entry(0, 1);
	lapic_entry(1, 0); /* disabled */
	blob_put(&madt, 8, 0x0c01); /* I/O APIC: passed over */
	blob_put(&madt, 4, 0);
	lapic_entry(2, 2); /* could come later */
	lapic_entry(255, 1); /* means all of them */
	x2apic_entry(0x123456, 1);
	x2apic_entry(4, 1); /* the first again */
	x2apic_entry(0xffffffff, 1);
	finish(&madt);
}

static void make_fadt(void)
{
	table(&fadt, 0x7fe1000, "FACP");
	while (fadt.n < FADT_FIELDS)
		blob_put(&fadt, 1, 0);
	blob_set(&fadt, 64, 4, 0x604);
	blob_set(&fadt, 76, 4, 0x608);
	blob_set(&fadt, 112, 4, 1 << 10);
	blob_set(&fadt, 116, 4, 0x00000801); /* I/O, 8 bits */
	blob_set(&fadt, 120, 8, 0xcf9);
	blob_set(&fadt, 128, 1, 0x0f);
	finish(&fadt);
}

static void make_root(bool xsdt)
{
	unsigned size = xsdt ? 8 : 4;

	table(&root, 0x7fe0000, xsdt ? "XSDT" : "RSDT");
	blob_put(&root, size, other.pa);
	blob_put(&root, size, 0); /* seen on real machines */
	blob_put(&root, size, fadt.pa);
	blob_put(&root, size, madt.pa);
	finish(&root);
}

static void fix_rsdp(void)
{
	blob_fix_sum(&rsdp, 20, 8);
	if (rsdp.n == 36)
		blob_fix_sum(&rsdp, 36, 32);
}

static void make_rsdp(bool xsdt)
{
	rsdp.pa = RSDP_PA;
	rsdp.n = 0;
	blob_text(&rsdp, "RSD PTR ", 8);
	blob_put(&rsdp, 1, 0);
	blob_text(&rsdp, "BOCHS ", 6);
	blob_put(&rsdp, 1, xsdt ? 2 : 0);
	blob_put(&rsdp, 4, xsdt ? 0xdead000 : root.pa);
	if (xsdt) {
		blob_put(&rsdp, 4, 36);
		blob_put(&rsdp, 8, root.pa);
		blob_put(&rsdp, 4, 0);
	}
	fix_rsdp();
}

static void make_valid(bool xsdt)
{
	make_madt();
	make_fadt();
	table(&other, 0x7fe3000, "HPET");
	finish(&other);
	make_root(xsdt);
	make_rsdp(xsdt);
	memset(&boot, 0, sizeof(boot));
	boot.rsdp = PA(RSDP_PA);
	phys_is(pieces);
}

static bool parse(void)
{
	unsigned i, j;

	acpi_parse(&boot, phys_read, &info);
	phys_free_reads();
	EXPECT(info.nr_cpus <= MAX_CPUS);
	if (info.error)
		return false;
	EXPECT(info.nr_cpus > 0);
	EXPECT(info.lapic.raw % 4096 == 0);
	EXPECT(info.pm_timer_port <= 0xffff && info.pm1a_cnt_port <= 0xffff);
	for (i = 0; i < info.nr_cpus; i++) {
		for (j = 0; j < i; j++)
			EXPECT(info.hw_id[i] != info.hw_id[j]);
	}
	return true;
}

static void expect_error(const char *want)
{
	EXPECT(!parse());
	EXPECT_STR(info.error, want);
	make_valid(true);
}

static void expect_valid(void)
{
	EXPECT(parse());
	EXPECT_STR(info.error ? info.error : "", "");
	EXPECT_EQ(info.nr_cpus, 3);
	EXPECT_EQ(info.hw_id[0], 4);
	EXPECT_EQ(info.hw_id[1], 0);
	EXPECT_EQ(info.hw_id[2], 0x123456);
	EXPECT_EQ(info.nr_disabled, 4);
	EXPECT_EQ(info.nr_over_limit, 0);
	EXPECT_EQ(info.lapic.raw, 0xfee00000);
	EXPECT(info.pcat);
	EXPECT(info.reset.present);
	EXPECT_EQ(info.reset.space, 1);
	EXPECT_EQ(info.reset.address, 0xcf9);
	EXPECT_EQ(info.reset.value, 0x0f);
	EXPECT_EQ(info.pm1a_cnt_port, 0x604);
	EXPECT_EQ(info.pm_timer_port, 0x608);
	EXPECT_STR(info.oem, "BOCHS ");
}

UNIT_TEST(acpi_by_xsdt)
{
	make_valid(true);
	expect_valid();
}

UNIT_TEST(acpi_by_rsdt)
{
	make_valid(false);
	expect_valid();
}

/* The loader's copy counts, wherever the RSDP is. */
UNIT_TEST(acpi_by_the_loaders_copy)
{
	make_valid(true);
	memcpy(boot.rsdp_copy, rsdp.b, 36);
	boot.rsdp_bytes = 36;
	boot.rsdp = PA(0);
	rsdp.n = 0;
	expect_valid();
	make_valid(false);
	rsdp.b[15] = 2; /* a copy of version 1's part of a newer one */
	fix_rsdp();
	memcpy(boot.rsdp_copy, rsdp.b, 20);
	boot.rsdp_bytes = 20;
	expect_valid();
}

UNIT_TEST(acpi_xsdt_absent_in_version_2)
{
	make_valid(true);
	make_root(false);
	blob_set(&rsdp, 16, 4, root.pa);
	blob_set(&rsdp, 24, 8, 0);
	fix_rsdp();
	expect_valid();
}

UNIT_TEST(acpi_lapic_override)
{
	make_valid(true);
	blob_put(&madt, 4, 0x0c05);
	blob_put(&madt, 8, 0x1234000000);
	finish(&madt);
	EXPECT(parse());
	EXPECT_EQ(info.lapic.raw, 0x1234000000);
}

UNIT_TEST(acpi_without_fadt)
{
	make_valid(true);
	memcpy(fadt.b, "XXXX", 4);
	EXPECT(parse());
	EXPECT(!info.reset.present && !info.pm_timer_port && !info.pm1a_cnt_port);
}

UNIT_TEST(acpi_old_fadt)
{
	make_valid(true);
	fadt.n = 116; /* ACPI 1.0: no reset register */
	finish(&fadt);
	EXPECT(parse());
	EXPECT(!info.reset.present);
	EXPECT_EQ(info.pm_timer_port, 0x608);
	make_fadt();
	fadt.n = 128; /* the value to write is missing */
	finish(&fadt);
	EXPECT(parse());
	EXPECT(!info.reset.present);
}

UNIT_TEST(acpi_fadt_variants)
{
	make_valid(true);
	blob_set(&fadt, 64, 4, 0);
	blob_set(&fadt, 172, 1, 1);
	blob_set(&fadt, 176, 8, 0x404);
	blob_set(&fadt, 76, 4, 0);
	blob_set(&fadt, 208, 1, 0); /* in memory: not a port */
	blob_set(&fadt, 212, 8, 0x408);
	finish(&fadt);
	EXPECT(parse());
	EXPECT_EQ(info.pm1a_cnt_port, 0x404);
	EXPECT_EQ(info.pm_timer_port, 0);
	blob_set(&fadt, 112, 4, 1 << 20 | 1 << 10); /* hardware-reduced: no such ports */
	finish(&fadt);
	EXPECT(parse());
	EXPECT_EQ(info.pm1a_cnt_port, 0);
	EXPECT(info.reset.present);
	blob_set(&fadt, 112, 4, 0); /* says that it has no reset register */
	finish(&fadt);
	EXPECT(parse());
	EXPECT(!info.reset.present);
	blob_set(&fadt, 112, 4, 1 << 10);
	blob_set(&fadt, 116, 1, 2); /* PCI configuration space: not ours */
	finish(&fadt);
	EXPECT(parse());
	EXPECT(!info.reset.present);
}

UNIT_TEST(acpi_more_cpus_than_the_limit)
{
	unsigned i;

	make_valid(true);
	begin_madt();
	for (i = 0; i < MAX_CPUS + 10; i++)
		x2apic_entry(i * 2, 1);
	finish(&madt);
	EXPECT(parse());
	EXPECT_EQ(info.nr_cpus, MAX_CPUS);
	EXPECT_EQ(info.nr_over_limit, 10);
	EXPECT_EQ(info.hw_id[MAX_CPUS - 1], (MAX_CPUS - 1) * 2);
}

UNIT_TEST(acpi_every_truncation_is_an_error)
{
	size_t i, n, whole;
	unsigned xsdt;

	for (xsdt = 0; xsdt < 2; xsdt++) {
		make_valid(xsdt);
		for (i = 0; pieces[i]; i++) {
			for (n = 0, whole = pieces[i]->n; n < whole; n++) {
				pieces[i]->n = n;
				EXPECT(!parse());
			}
			pieces[i]->n = whole;
		}
	}
}

/* Lengths that lie, with a checksum that is right for them: never a read outside, and mostly an error. */
UNIT_TEST(acpi_every_length)
{
	size_t i, n, whole;

	for (i = 1; pieces[i]; i++) {
		make_valid(true);
		for (n = 0, whole = pieces[i]->n; n < whole + 64 && !unit_failures(); n++) {
			blob_set(pieces[i], 4, 4, n);
			blob_fix_sum(pieces[i], MIN(MAX(n, 10), whole), 9);
			if (parse())
				EXPECT(n <= whole || pieces[i] == &other);
		}
	}
}

/* Everything is under a checksum, except the tables that are not ours and a FADT that is not seen as one. */
UNIT_TEST(acpi_every_byte_corrupted_is_an_error)
{
	unsigned value, xsdt;
	size_t i, at;
	u8 was;

	for (xsdt = 0; xsdt < 2; xsdt++) {
		make_valid(xsdt);
		for (i = 0; pieces[i] != &other; i++) {
			for (at = pieces[i] == &fadt ? 4 : 0; at < pieces[i]->n && !unit_failures(); at++) {
				was = pieces[i]->b[at];
				for (value = 0; value < 256; value++) {
					pieces[i]->b[at] = (u8)value;
					EXPECT_EQ(parse(), value == was);
				}
				pieces[i]->b[at] = was;
			}
		}
	}
}

UNIT_TEST(acpi_random_mutations)
{
	unsigned round, n, good = 0;
	u64 seed = 3;
	size_t i;

	for (round = 0; round < 50000 && !unit_failures(); round++) {
		make_valid(random_of(&seed, 2));
		for (n = 1 + (unsigned)random_of(&seed, 4); n; n--)
			blob_mutate(pieces[random_of(&seed, 5)], &seed);
		for (i = 1; pieces[i]; i++) { /* liars know how to add */
			if (pieces[i]->n >= 10 && random_of(&seed, 8))
				blob_fix_sum(pieces[i], MIN(pieces[i]->n, MAX(blob_get(pieces[i], 4, 4), 10)), 9);
		}
		if (rsdp.n >= 20)
			fix_rsdp();
		good += parse();
	}
	EXPECT(good > 1000 && good < 49000);
}

UNIT_TEST(acpi_rsdp_lies)
{
	make_valid(true);
	boot.rsdp = PA(0);
	expect_error("acpi: the loader gave no RSDP that can be read");
	boot.rsdp = PA(0x123);
	expect_error("acpi: the loader gave no RSDP that can be read");
	rsdp.b[0] = 'X';
	fix_rsdp();
	expect_error("acpi: the RSDP is too short or has a wrong signature");
	rsdp.b[8]++;
	expect_error("acpi: the RSDP has a wrong checksum");
	rsdp.b[32]++;
	expect_error("acpi: the RSDP has a wrong extended checksum");
	blob_set(&rsdp, 20, 4, 0xffffffff);
	fix_rsdp();
	expect_error("acpi: the RSDP has a wrong length");
}

UNIT_TEST(acpi_tables_that_point_at_themselves)
{
	make_valid(true);
	blob_set(&rsdp, 24, 8, RSDP_PA);
	fix_rsdp();
	expect_error("acpi: table XSDT cannot be read");
	blob_set(&root, 36 + 24, 8, root.pa); /* the XSDT in the MADT's place */
	finish(&root);
	expect_error("acpi: there is no table APIC, which lists the CPUs");
	blob_set(&root, 36, 8, ~0ull - 20);
	finish(&root);
	expect_error("acpi: a table that RSDT or XSDT names cannot be read");
	blob_put(&root, 4, 0);
	finish(&root);
	expect_error("acpi: table XSDT has a wrong length");
	memcpy(root.b, "RSDT", 4);
	finish(&root);
	expect_error("acpi: table XSDT cannot be read");
}

UNIT_TEST(acpi_madt_lies)
{
	static const u8 short_for_its_type[] = { 0, 5, 9 };
	size_t i;

	make_valid(true);
	blob_put(&madt, 2, 0x00f0); /* an entry of no length: would never move on */
	finish(&madt);
	expect_error("acpi: an entry of table APIC does not fit into it");
	blob_put(&madt, 3, 0x0201f0); /* of length 1: the next one would begin inside it */
	finish(&madt);
	expect_error("acpi: an entry of table APIC does not fit into it");
	blob_put(&madt, 1, 0xf0);
	finish(&madt);
	expect_error("acpi: an entry of table APIC does not fit into it");
	blob_put(&madt, 4, 0xfff0);
	finish(&madt);
	expect_error("acpi: an entry of table APIC does not fit into it");
	for (i = 0; i < ARRAY_SIZE(short_for_its_type); i++) {
		blob_put(&madt, 4, 0x0400u | short_for_its_type[i]);
		finish(&madt);
		expect_error("acpi: an entry of table APIC is too short for its type");
	}
	madt.n = 40;
	finish(&madt);
	expect_error("acpi: table APIC has a wrong length");
	blob_set(&madt, 4, 4, 35);
	expect_error("acpi: table APIC has a wrong length");
	blob_set(&madt, 4, 4, 0x40000000);
	expect_error("acpi: table APIC has a wrong length");
	blob_set(&madt, 36, 4, 0xfee00001);
	finish(&madt);
	expect_error("acpi: table APIC has a wrong local APIC address");
	begin_madt();
	lapic_entry(0, 0);
	finish(&madt);
	expect_error("acpi: table APIC lists no enabled CPU");
}

UNIT_TEST(acpi_fadt_lies)
{
	make_valid(true);
	fadt.n = 100;
	finish(&fadt);
	expect_error("acpi: table FACP has a wrong length");
	blob_set(&fadt, 64, 4, 0x12345678); /* no port has that number */
	finish(&fadt);
	EXPECT(parse());
	EXPECT_EQ(info.pm1a_cnt_port, 0);
}
