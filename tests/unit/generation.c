/* SPDX-License-Identifier: BSD-2-Clause */
/* units: mm/asid/generation.c mm/shootdown/stages.c smp/lock.c boot/options.c boot/option_values.c lib/printf.c lib/words.c */
/*
 * Tagging "generation" beside a TLB in software, under random interleavings: hook by hook, and others' hooks at each access to a
 * shared word within one. The invariants are those of kernel-tla's asidalloc, by their names there.
 */
#include "mm/shootdown/strategy.h"
#include "mm/switch.h"
#include "smp/wait.h"
#include "unit.h"

extern const struct choice choice_generation;

#define CPUS 4
#define MMS 7
#define ENTRIES 48
#define NONE (-1)

/* A page per mm. Its entries are numbered by how often it was unmapped before. */
static struct {
	struct mm mm;
	u64 who; /* changes when the mm ends and another one takes its place */
	u64 version, promised; /* entries with a version below `promised` are gone, as the flush has ended */
	bool mapped;
	unsigned holders, asked; /* CPUs: mm_cpumask; of those the flush under way waits for */
} mms[MMS];

static struct {
	int loaded, next; /* mms, NONE: KMM; next != loaded: entered, its root is not loaded yet */
	unsigned asid, next_asid;
	bool entering; /* in the hook */
	unsigned n;
	struct {
		u64 who, version;
		unsigned asid;
	} entry[ENTRIES];
} cpus[CPUS];

static const struct tagging *tagging;
static unsigned renewals;
static struct mm kmm = { .kernel = true };
static unsigned nr_tags, nr_cpus, flushes, rollovers, nested;
static u64 seed, last_who;

/* --- the hardware --- */

unsigned tlb_nr_tags(void)
{
	return nr_tags;
}

static unsigned self(void)
{
	return (unsigned)(host_cpu - machine.cpu);
}

unsigned loaded_asid(void)
{
	return cpus[self()].asid;
}

static void drop(unsigned c, bool all, unsigned asid)
{
	unsigned i;

	for (i = 0; i < cpus[c].n; i++)
		if (all || cpus[c].entry[i].asid == asid)
			cpus[c].entry[i--] = cpus[c].entry[--cpus[c].n];
}

void tlb_flush_everything(void)
{
	flushes++;
	drop(self(), true, 0);
}

void tlb_flush_other_tag(struct tag tag)
{
	drop(self(), false, tag.asid);
}

/* A walk at any time, from the root that is loaded: between two mms that is still the old one. */
static void fill(unsigned c)
{
	int m = cpus[c].loaded;
	unsigned i;

	if (m == NONE || !mms[m].mapped)
		return;
	for (i = 0; i < cpus[c].n; i++)
		if (cpus[c].entry[i].who == mms[m].who && cpus[c].entry[i].asid == cpus[c].asid &&
		    cpus[c].entry[i].version == mms[m].version)
			return;
	i = cpus[c].n < ENTRIES ? cpus[c].n++ : (unsigned)random_of(&seed, ENTRIES);
	cpus[c].entry[i].who = mms[m].who;
	cpus[c].entry[i].asid = cpus[c].asid;
	cpus[c].entry[i].version = mms[m].version;
}

/* --- what the kernel does around the hooks --- */

static bool is_between(unsigned c)
{
	return cpus[c].entering || cpus[c].next != cpus[c].loaded;
}

static void enter(unsigned c, int m)
{
	struct cpu *before = host_cpu;
	struct tag tag;

	if (m != NONE)
		mms[m].holders |= 1u << c;
	host_cpu = &machine.cpu[c];
	cpus[c].entering = true;
	tag = tagging->enter(m == NONE ? &kmm : &mms[m].mm, 0);
	cpus[c].entering = false;
	host_cpu = before;
	EXPECT(!tag.flush && tag.asid < nr_tags && !tag.asid == (m == NONE));
	cpus[c].next = m;
	cpus[c].next_asid = tag.asid;
}

static void load(unsigned c)
{
	cpus[c].loaded = cpus[c].next;
	cpus[c].asid = cpus[c].next_asid;
}

/* The page goes; who may hold it is asked, after that. */
static void unmap(int m)
{
	if (!mms[m].mapped || mms[m].asked)
		return;
	mms[m].mapped = false;
	mms[m].version++;
	mms[m].asked = mms[m].holders;
}

/* Who has its root loaded still is on the way to another mm's; who holds entries will flush. */
static void renewed(struct mm *mm)
{
	unsigned c, i;
	int m;

	for (m = 0; m < MMS && mm != &mms[m].mm; m++)
		;
	for (c = 0; c < nr_cpus && m < MMS; c++) {
		EXPECT(cpus[c].loaded != m || is_between(c));
		for (i = 0; i < cpus[c].n && !machine.cpu[c].tlb.flush_pending; i++)
			EXPECT(cpus[c].entry[i].who != mms[m].who || cpus[c].loaded == m);
	}
	renewals++;
}

static void serve(unsigned c, int m)
{
	struct cpu *before = host_cpu;
	struct request req = { .mm = &mms[m].mm };

	if (is_between(c) || !(mms[m].asked & 1u << c))
		return; /* interrupts are off, or it was not asked */
	host_cpu = &machine.cpu[c];
	if (cpus[c].loaded == m) {
		EXPECT(tagging->settled(&mms[m].mm, 0));
		EXPECT_EQ(tagging->due(&mms[m].mm, &req).what, DUE_RANGE);
		drop(c, false, cpus[c].asid);
	} else {
		tagging->not_loaded(&mms[m].mm);
		mms[m].holders &= ~(1u << c);
	}
	host_cpu = before;
	mms[m].asked &= ~(1u << c);
}

/* The last one has flushed. */
static void end_flush(int m)
{
	if (mms[m].mapped || mms[m].asked)
		return;
	mms[m].promised = mms[m].version;
	mms[m].mapped = true;
}

static void make(int m)
{
	memset(&mms[m], 0, sizeof(mms[m]));
	mms[m].who = ++last_who;
	mms[m].mapped = true;
}

static void end_mm(int m)
{
	unsigned c;

	for (c = 0; c < nr_cpus; c++)
		if (cpus[c].loaded == m || cpus[c].next == m || cpus[c].entering)
			return;
	if (!mms[m].mapped)
		return;
	tagging->release(&mms[m].mm);
	make(m);
}

static void step(void)
{
	unsigned c = (unsigned)random_of(&seed, nr_cpus);
	int m = (int)random_of(&seed, MMS);

	switch (random_of(&seed, 8)) {
	case 0:
	case 1:
		if (!is_between(c) && cpus[c].loaded != m)
			enter(c, random_of(&seed, 8) ? m : NONE);
		break;
	case 2:
		if (!cpus[c].entering)
			load(c);
		break;
	case 3:
		fill(c);
		break;
	case 4:
		unmap(m);
		break;
	case 5:
	case 6:
		serve(c, m);
		end_flush(m);
		break;
	case 7:
		if (!random_of(&seed, 8))
			end_mm(m);
		break;
	}
}

/* Others go first, at an access to a shared word in a hook; not while one has the lock, nor in a hook within a hook. */
static void others(void)
{
	unsigned n = (unsigned)random_of(&seed, 40);

	host_step = NULL;
	if (n < 12 && cpus[self()].entering && !load_relaxed(&machine.generations.lock.held)) {
		nested++;
		for (; n; n--)
			step();
	}
	host_step = others;
}

/* --- the invariants --- */

static bool unique_asid(unsigned c, unsigned d, bool both_ways)
{
	unsigned i, j;

	for (i = 0; i < cpus[c].n; i++)
		for (j = 0; j < cpus[d].n; j++) {
			bool same_asid = cpus[c].entry[i].asid == cpus[d].entry[j].asid;
			bool same_mm = cpus[c].entry[i].who == cpus[d].entry[j].who;

			if (same_asid != same_mm && (same_asid || both_ways))
				return false;
		}
	return true;
}

static bool UniqueASIDPerCPU(void)
{
	unsigned c;

	for (c = 0; c < nr_cpus; c++)
		if (!unique_asid(c, c, false))
			return false;
	return true;
}

/* With CPUs that share their TLBs (CnP) only. */
static bool UniqueASIDAllCPUs(void)
{
	unsigned c, d;

	for (c = 0; c < nr_cpus; c++)
		for (d = 0; d < nr_cpus; d++)
			if (!unique_asid(c, d, true))
				return false;
	return true;
}

/* Of two CPUs: what each has entered last, be its root loaded or not. */
static bool active_agree(unsigned c, unsigned d, bool same_mm)
{
	if (cpus[c].next == NONE || cpus[d].next == NONE || (cpus[c].next == cpus[d].next) != same_mm)
		return true;
	return (cpus[c].next_asid == cpus[d].next_asid) == same_mm;
}

static bool all_active_agree(bool same_mm)
{
	unsigned c, d;

	for (c = 0; c < nr_cpus; c++)
		for (d = 0; d < c; d++)
			if (!active_agree(c, d, same_mm))
				return false;
	return true;
}

static bool SameASIDActiveTask(void)
{
	return all_active_agree(true);
}

static bool UniqueASIDActiveTask(void)
{
	return all_active_agree(false);
}

/* Under the ASID that the mm is loaded under; and under that which it has, where it can be loaded without a flush. */
static bool current_asid(unsigned c, int m, unsigned asid)
{
	if (cpus[c].loaded == m && cpus[c].asid == asid)
		return true;
	return !machine.cpu[c].tlb.flush_pending && asid_of_id(load_relaxed(&mms[m].mm.tag_id)) == asid;
}

static bool TLBEmptyInvalPTE(void)
{
	unsigned c, i;
	int m;

	for (c = 0; c < nr_cpus; c++)
		for (m = 0; m < MMS; m++)
			for (i = 0; i < cpus[c].n; i++)
				if (cpus[c].entry[i].who == mms[m].who && cpus[c].entry[i].version < mms[m].promised &&
				    current_asid(c, m, cpus[c].entry[i].asid))
					return false;
	return true;
}

/* --- the tests --- */

static void begin(unsigned n, unsigned asids, const char *bits)
{
	static const struct tracker tracker = { .renewed = renewed };
	static struct strategy strategy = { .tracker = &tracker };
	unsigned c;
	int m;

	machine.shootdown.strategy = &strategy;
	machine.smp.nr_cpus = nr_cpus = n;
	nr_tags = asids + 1;
	unit_set_option("asid_bits", bits);
	tagging = choice_generation.tagging;
	tagging->reset();
	memset(cpus, 0, sizeof(cpus));
	for (c = 0; c < CPUS; c++) {
		host_cpu = &machine.cpu[c];
		tagging->reset_cpu();
		cpus[c].loaded = cpus[c].next = NONE;
	}
	for (m = 0; m < MMS; m++)
		make(m);
	host_cpu = &machine.cpu[0];
	host_step = NULL;
	flushes = nested = renewals = 0;
}

static void count_rollovers(void)
{
	rollovers = (unsigned)(load_relaxed(&machine.generations.now) / ASID_SPACE) - 1;
}

UNIT_TEST(generation_random)
{
	unsigned n, i, all = 0;

	for (n = 2; n <= CPUS; n++) {
		begin(n, MAX(4u, n + 1), "0");
		seed = n;
		host_step = others;
		for (i = 0; i < 300000 && !unit_failures(); i++) {
			step();
			EXPECT(UniqueASIDPerCPU());
			EXPECT(SameASIDActiveTask());
			EXPECT(UniqueASIDActiveTask());
			EXPECT(TLBEmptyInvalPTE());
			all += !UniqueASIDAllCPUs();
		}
		host_step = NULL;
		count_rollovers();
		EXPECT(rollovers > 1000 && nested > 1000 && flushes > 1000 && renewals > 1000);
	}
	/* Local flushes are not enough for CPUs that share TLBs: it must not be used there (zoo E14, CnP). */
	EXPECT(all > 1000);
}

/* Nothing but an id, KMM and one flush per CPU and rollover. */
UNIT_TEST(generation_by_hand)
{
	begin(2, 4, "0");
	enter(0, 0);
	load(0);
	enter(1, 0);
	load(1);
	EXPECT(cpus[0].asid == 1 && cpus[1].asid == 1 && flushes == 0);
	enter(1, 1), load(1), enter(1, 2), load(1), enter(1, 3), load(1);
	EXPECT(cpus[1].asid == 4 && flushes == 0);
	enter(1, 4), load(1); /* rolls over; CPU 1 flushes, CPU 0 runs on under 1, CPU 1 has 4 reserved */
	EXPECT(cpus[1].asid == 2 && flushes == 1);
	enter(1, 3), load(1);
	EXPECT(cpus[1].asid == 4 && flushes == 1);
	enter(1, 0), load(1); /* its ASID, as CPU 0 still runs it */
	EXPECT(cpus[1].asid == 1 && flushes == 1);
	enter(0, NONE), load(0); /* no reason to flush */
	EXPECT(cpus[0].asid == 0 && flushes == 1);
	enter(0, 0), load(0);
	EXPECT(cpus[0].asid == 1 && flushes == 2);
	enter(0, 4), load(0);
	EXPECT(cpus[0].asid == 2 && flushes == 2);
	count_rollovers();
	EXPECT_EQ(rollovers, 1);
}

UNIT_TEST(generation_due)
{
	begin(2, 4, "0");
	EXPECT_EQ(tagging->due(&mms[0].mm, &(struct request){ .new_gen = 9 }).what, DUE_RANGE);
	EXPECT_EQ(tagging->due(&mms[0].mm, &(struct request){ .full = true }).what, DUE_TAG);
}

/* Of 2^bits ASIDs there is one that the hardware starts with, and KMM's; each CPU may have one in use, and one more is wanted. */
UNIT_TEST(generation_space)
{
	begin(6, 65534, "3");
	EXPECT_EQ(machine.generations.end, 7);
	EXPECT(strstr(choice_generation.missing(), "too few ASIDs"));
	begin(5, 65534, "3");
	EXPECT(!choice_generation.missing());
	begin(254, 254, "0");
	EXPECT(choice_generation.missing());
	begin(253, 254, "16"); /* more than there are */
	EXPECT(!choice_generation.missing());
	EXPECT_EQ(machine.generations.end, 255);
	begin(1, 65534, "0");
	EXPECT_EQ(machine.generations.end, 65535);
	begin(1, 65534, "1");
	EXPECT(choice_generation.missing());
	begin(1, 0, "0");
	EXPECT(strstr(choice_generation.missing(), "no tags"));
}

/* All of them are handed out, each once, before the rollover. */
UNIT_TEST(generation_hands_out_all)
{
	static bool seen[ASID_SPACE];
	unsigned i;

	begin(1, 65534, "0");
	for (i = 1; i <= 65534; i++) {
		struct mm mm = { 0 };
		struct tag tag = tagging->enter(&mm, 0);

		EXPECT(tag.asid >= 1 && tag.asid <= 65534 && !seen[tag.asid] && !flushes);
		seen[tag.asid] = true;
	}
	enter(0, 0);
	EXPECT_EQ(flushes, 1);
	count_rollovers();
	EXPECT_EQ(rollovers, 1);
}
