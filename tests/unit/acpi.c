/* SPDX-License-Identifier: BSD-2-Clause */
/* units: boot/acpi*.c boot/hw_info.c tests/unit/host/acpi_tables.c tests/unit/host/firmware.c */
/* ACPI tables as firmware leaves them, cut off, corrupted, and lying with right checksums. */
#include "host/acpi_tables.h"
#include "unit.h"

#define FADT_FIELDS 244 /* an ACPI 2.0 FADT */

static struct blob madt, fadt, other, nothing;
static struct blob *const tables[] = { &other, &nothing, &fadt, &madt, NULL }; /* of address 0: seen on real machines */
static struct blob *const pieces[] = { &acpi_rsdp, &acpi_root, &madt, &fadt, &other, NULL };

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
	table_begin(&madt, 0x7fe2000, "APIC");
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
	table_finish(&madt);
}

static void make_fadt(void)
{
	table_begin(&fadt, 0x7fe1000, "FACP");
	while (fadt.n < FADT_FIELDS)
		blob_put(&fadt, 1, 0);
	blob_set(&fadt, 64, 4, 0x604);
	blob_set(&fadt, 76, 4, 0x608);
	blob_set(&fadt, 112, 4, 1 << 10);
	blob_set(&fadt, 116, 4, 0x00000801); /* I/O, 8 bits */
	blob_set(&fadt, 120, 8, 0xcf9);
	blob_set(&fadt, 128, 1, 0x0f);
	table_finish(&fadt);
}

static void make_valid(bool xsdt)
{
	make_madt();
	make_fadt();
	table_begin(&other, 0x7fe3000, "HPET");
	table_finish(&other);
	tables_are(xsdt, tables);
}

static void expect_error(const char *want)
{
	EXPECT(!acpi_parses());
	EXPECT_STR(acpi_info.error, want);
	make_valid(true);
}

static void expect_valid(void)
{
	EXPECT(acpi_parses());
	EXPECT_STR(acpi_info.error ? acpi_info.error : "", "");
	EXPECT_EQ(acpi_info.nr_cpus, 3);
	EXPECT_EQ(acpi_info.hw_id[0], 4);
	EXPECT_EQ(acpi_info.hw_id[1], 0);
	EXPECT_EQ(acpi_info.hw_id[2], 0x123456);
	EXPECT_EQ(acpi_info.nr_disabled, 4);
	EXPECT_EQ(acpi_info.nr_over_limit, 0);
	EXPECT_EQ(acpi_info.lapic.raw, 0xfee00000);
	EXPECT(acpi_info.pcat);
	EXPECT(acpi_info.reset.present);
	EXPECT_EQ(acpi_info.reset.space, 1);
	EXPECT_EQ(acpi_info.reset.address, 0xcf9);
	EXPECT_EQ(acpi_info.reset.value, 0x0f);
	EXPECT_EQ(acpi_info.pm1a_cnt_port, 0x604);
	EXPECT_EQ(acpi_info.pm_timer_port, 0x608);
	EXPECT_STR(acpi_info.oem, "BOCHS ");
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
	memcpy(acpi_boot.rsdp_copy, acpi_rsdp.b, 36);
	acpi_boot.rsdp_bytes = 36;
	acpi_boot.rsdp = PA(0);
	acpi_rsdp.n = 0;
	expect_valid();
	make_valid(false);
	acpi_rsdp.b[15] = 2; /* a copy of version 1's part of a newer one */
	rsdp_fix();
	memcpy(acpi_boot.rsdp_copy, acpi_rsdp.b, 20);
	acpi_boot.rsdp_bytes = 20;
	expect_valid();
}

UNIT_TEST(acpi_xsdt_absent_in_version_2)
{
	struct blob version_2;

	make_valid(true);
	version_2 = acpi_rsdp;
	tables_are(false, tables);
	acpi_rsdp = version_2;
	blob_set(&acpi_rsdp, 16, 4, acpi_root.pa);
	blob_set(&acpi_rsdp, 24, 8, 0);
	rsdp_fix();
	expect_valid();
}

UNIT_TEST(acpi_without_fadt)
{
	make_valid(true);
	memcpy(fadt.b, "XXXX", 4);
	EXPECT(acpi_parses());
	EXPECT(!acpi_info.reset.present && !acpi_info.pm_timer_port && !acpi_info.pm1a_cnt_port);
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
				EXPECT(!acpi_parses());
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
			if (acpi_parses())
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
					EXPECT_EQ(acpi_parses(), value == was);
				}
				pieces[i]->b[at] = was;
			}
		}
	}
}

UNIT_TEST(acpi_random_mutations)
{
	unsigned round, good = 0;
	u64 seed = 3;

	for (round = 0; round < 50000 && !unit_failures(); round++) {
		make_valid(random_of(&seed, 2));
		if (random_of(&seed, 2)) {
			blob_mutate(&acpi_rsdp, &seed);
			if (acpi_rsdp.n >= 20)
				rsdp_fix();
		} else {
			tables_mutate(pieces + 1, &seed);
		}
		good += acpi_parses();
	}
	EXPECT(good > 1000 && good < 49000);
}

UNIT_TEST(acpi_rsdp_lies)
{
	make_valid(true);
	acpi_boot.rsdp = PA(0);
	expect_error("acpi: the loader gave no RSDP that can be read");
	acpi_boot.rsdp = PA(0x123);
	expect_error("acpi: the loader gave no RSDP that can be read");
	acpi_rsdp.b[0] = 'X';
	rsdp_fix();
	expect_error("acpi: the RSDP is too short or has a wrong signature");
	acpi_rsdp.b[8]++;
	expect_error("acpi: the RSDP has a wrong checksum");
	acpi_rsdp.b[32]++;
	expect_error("acpi: the RSDP has a wrong extended checksum");
	blob_set(&acpi_rsdp, 20, 4, 0xffffffff);
	rsdp_fix();
	expect_error("acpi: the RSDP has a wrong length");
}

UNIT_TEST(acpi_tables_that_point_at_themselves)
{
	make_valid(true);
	blob_set(&acpi_rsdp, 24, 8, RSDP_PA);
	rsdp_fix();
	expect_error("acpi: table XSDT cannot be read");
	blob_set(&acpi_root, 36 + 24, 8, acpi_root.pa); /* the XSDT in the MADT's place */
	table_finish(&acpi_root);
	expect_error("acpi: there is no table APIC, which lists the CPUs");
	blob_set(&acpi_root, 36, 8, ~0ull - 20);
	table_finish(&acpi_root);
	expect_error("acpi: a table that RSDT or XSDT names cannot be read");
	blob_put(&acpi_root, 4, 0);
	table_finish(&acpi_root);
	expect_error("acpi: table XSDT has a wrong length");
	memcpy(acpi_root.b, "RSDT", 4);
	table_finish(&acpi_root);
	expect_error("acpi: table XSDT cannot be read");
}

