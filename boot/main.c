/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What starts, in order. The boot CPU arrives with exceptions caught, and ends in run_end(). State: machine.boot.info,
 * machine.boot.hw, written once here.
 */
#include "arch/broadcast.h"
#include "arch/clock.h"
#include "arch/frame.h"
#include "arch/platform.h"
#include "arch/upcall.h"
#include "bench.h"
#include "boot/run.h"
#include "boot/topology.h"
#include "build_id.h"
#include "lib/boot_memory.h"
#include "lib/printf.h"
#include "lib/record.h"
#include "lib/string.h"
#include "machine.h"
#include "option.h"
#include "smp/call.h"
#include "test.h"

extern const struct option option_console; /* the port's: arch/, metal/serial.c */
extern const struct option option_tlb; /* mm/shootdown/install.c */

OPTION(acpi, .kind = OPTION_ENUM, .accepts = "on|off", .def = "on",
       .help = "off: ACPI tables do not count; only a device tree can say then what hardware there is");

#define RECORDS_BYTES (2ull << 20) /* about 3000 records of usual size */

/* NULL, or what the loader got wrong. A device tree, if there is one, says what hardware there is as well. */
static const char *parse_boot(enum boot_protocol protocol, struct pa info)
{
	const u32 *length;
	const void *bytes;

	if (protocol == PROTOCOL_FDT) {
		fdt_parse(info, platform_boot_bytes, &machine.boot.info, &machine.boot.hw);
		return machine.boot.info.error;
	}
	if (protocol == PROTOCOL_EFI) {
		efi_parse(info, platform_boot_bytes, &machine.boot.info, &machine.boot.hw);
		return machine.boot.info.error;
	}
	if (protocol == PROTOCOL_PVH) {
		pvh_parse(info, platform_boot_bytes, &machine.boot.info);
		return machine.boot.info.error;
	}
	length = platform_boot_bytes(info, 2 * sizeof(u32));
	bytes = length ? platform_boot_bytes(info, *length) : NULL;
	if (!bytes)
		return "multiboot2 information beyond 4 GiB";
	multiboot2_parse(bytes, *length, &machine.boot.info);
	return machine.boot.info.error;
}

/*
 * ACPI's tables, where no device tree was given, while all that firmware left is mapped. With acpi=off they say nothing but where
 * that error is to be seen, and how a run ends.
 */
static void parse_acpi(void)
{
	if (machine.boot.info.tree)
		return;
	acpi_parse(&machine.boot.info, platform_boot_bytes, &machine.boot.hw);
	if (option_enum(&option_acpi))
		machine.boot.hw.error = "acpi=off, and no device tree was given: nothing says what hardware there is";
}

/*
 * Options, the tables that they want looked at, the console that they or the tables name, on which errors about all of them are
 * reported. False: `error` says what is wrong with the options.
 */
static bool open_console(char *error, size_t size)
{
	bool good = options_parse(machine.boot.info.cmdline, error, size);
	const char *accepted;

	parse_acpi();
	accepted = platform_console_open(option_text(&option_console), &machine.boot.hw);
	if (good && accepted)
		ksnprintf(error, size, "console=%s: accepted are %s", option_text(&option_console), accepted);
	return good && !accepted;
}

/* What the loader got wrong is to be seen: where the tree, or as far as they can be found the tables say. */
static void open_console_for_error(void)
{
	if (machine.boot.info.rsdp.raw)
		parse_acpi();
	platform_console_open(option_console.def, &machine.boot.hw);
}

static void record_start(void)
{
	struct record r;

	record_begin(&r, "start");
	record_str(&r, "version", TLBLAB_VERSION);
	record_str(&r, "build", TLBLAB_BUILD);
	record_str(&r, "arch", TLBLAB_ARCH);
	record_u64(&r, "begin", machine.boot.begin);
	record_str(&r, "protocol", machine.boot.info.protocol);
	record_str(&r, "loader", machine.boot.info.loader);
	record_str(&r, "hardware_by", machine.boot.info.tree ? "device tree" : "acpi");
	if (machine.boot.info.secure_boot)
		record_str(&r, "secure_boot", machine.boot.info.secure_boot);
	record_str(&r, "cmdline", machine.boot.info.cmdline); /* last: it may be so long that it is cut */
	record_end(&r);
}

static void record_cpu(void)
{
	const struct platform_id *id = platform_id();
	struct record r;

	record_begin(&r, "cpu");
	record_str(&r, "cpu", id->cpu);
	record_str(&r, "id", id->cpu_id);
	record_str(&r, "features", id->features);
	record_str(&r, "hypervisor", id->hypervisor);
	record_str(&r, "emulator", id->emulator);
	record_str(&r, "irq_controller", id->irq_controller);
	record_str(&r, "tags", id->tags);
	record_str(&r, "full_flush", id->full_flush);
	record_str(&r, "broadcast", id->broadcast);
	if (id->errata[0])
		record_str(&r, "errata", id->errata);
	record_str(&r, "local_flush", id->local_flush);
	record_u64(&r, "cpus", machine.smp.nr_cpus);
	record_u64(&r, "expected", machine.smp.nr_expected);
	record_end(&r);
}

static void record_clock(void)
{
	const struct clock_info *clock = clock_of_samples();
	struct record r;

	record_begin(&r, "clock");
	record_str(&r, "source", clock->source);
	record_str(&r, "calibration", clock->calibration);
	record_u64(&r, "ticks_per_us", clock->ticks_per_us);
	record_u64(&r, "khz", clock->khz);
	record_u64(&r, "resolution", clock->resolution);
	record_bool(&r, "invariant", clock->invariant);
	record_str(&r, "time", clock_info()->source);
	record_u64(&r, "time_khz", clock_info()->khz);
	record_str(&r, "note", clock->note);
	record_end(&r);
}

/* All options with their values, in as many records as it takes. */
static void record_options(void)
{
	const struct option *o;
	struct record r;

	record_begin(&r, "options");
	REGISTRY_FOR_EACH (o, options) {
		const char *value = option_text(o);

		if (r.n + strlen(o->name) + strlen(value) + 8 > RECORD_MAX - 1) {
			record_end(&r);
			record_begin(&r, "options");
		}
		record_str(&r, o->name, value); /* one that doesn't fit even alone is cut */
	}
	record_end(&r);
}

/* Where memory under test is, and how much of it. */
static void record_frames(void)
{
	const struct frames_state *fs = &machine.mm.frames;
	struct record r;

	record_begin(&r, "frames");
	record_u64(&r, "start", fs->base * PAGE_SIZE);
	record_u64(&r, "end", (fs->base + fs->n) * PAGE_SIZE);
	record_u64(&r, "mib", (fs->total_small + fs->total_large * (LARGE_SIZE / PAGE_SIZE)) * PAGE_SIZE >> 20);
	record_end(&r);
}

/* What firmware tells wrongly, where the run goes on without. */
static void report_warning(void)
{
	const char *warning = machine.boot.hw.warning;
	struct record r;

	if (!warning)
		return;
	kprintf("warning: %s; the run goes on without\n", warning);
	record_begin(&r, "note");
	record_str(&r, "note", warning);
	record_end(&r);
}

/* Before a strategy relies on it. */
static void try_broadcast(void)
{
	char *why = machine.boot.broadcast_fails;
	struct record r;
	bool good;

	if (broadcast_missing())
		return;
	good = broadcast_self_test(why, sizeof(machine.boot.broadcast_fails));
	record_begin(&r, "broadcast");
	record_str(&r, "self_test", good ? "ok" : why);
	record_end(&r);
	if (good)
		return;
	kprintf("no broadcast: %s\n", why);
	if (!broadcast_give_up(why))
		run_error("%s, and it was asked for", why);
}

/* Presets of tlb=all that this machine can't do. */
static void report_left_out(void)
{
	const struct preset *p;
	struct record r;

	REGISTRY_FOR_EACH (p, presets) {
		const char *why = p->compare && option_list_has(&option_tlb, "all") ? preset_missing(p) : NULL;

		if (!why)
			continue;
		record_begin(&r, "left-out");
		record_str(&r, "tlb", p->name);
		record_str(&r, "why", why);
		record_end(&r);
		kprintf("tlb=all goes without %s: %s\n", p->name, why);
	}
}

static void or_error(const char *error)
{
	if (error)
		run_error("%s", error);
}

void upcall_boot(enum boot_protocol protocol, struct pa info)
{
	const char *error;
	char text[400];
	bool good;

	machine.boot.begin = clock_now();
	registry_check();
	error = parse_boot(protocol, info);

	/* A console that speaks; the final mappings, memory for records; what was started, and by whom. */
	if (error)
		open_console_for_error();
	or_error(error);
	good = open_console(text, sizeof(text));
	kprintf("\ntlblab %s (%s) for %s, a laboratory for TLB shootdowns\n", TLBLAB_VERSION, TLBLAB_BUILD, TLBLAB_ARCH);
	boot_alloc_init(&machine.boot.info.map, platform_image_start(), platform_image_end());
	or_error(platform_memory_init(&machine.boot.info.map));
	records_init(frame_contents(boot_alloc(RECORDS_BYTES, PAGE_SIZE)), RECORDS_BYTES);
	record_start();
	or_error(machine.boot.info.line_error);
	or_error(good ? NULL : text);
	if (machine.options.help) {
		print_help();
		run_end();
	}

	/* The machine: what there is, interrupts and the clock. */
	or_error(machine.boot.hw.error);
	report_warning();
	or_error(platform_devices_init(&machine.boot.hw));
	or_error(end_check());
	or_error(topology_check(text, sizeof(text)));
	smp_init();

	/* This CPU in the kernel's mm under the first strategy; then the others. */
	mm_init_kernel();
	shootdown_boot();
	switch_init_cpu();
	or_error(bring_up_cpus());
	call_init();
	irq_enable();
	record_cpu();
	record_clock();
	record_options();
	topology_report();
	report_cpu_differences();
	kprintf("%s, %s, %u of %u CPUs, %llu MHz %s by %s\n", platform_id()->cpu, platform_id()->irq_controller,
		machine.smp.nr_cpus, machine.smp.nr_expected, (unsigned long long)clock_of_samples()->ticks_per_us,
		clock_of_samples()->source, clock_of_samples()->calibration);

	/* Memory for what runs, then what was asked for. */
	bench_init();
	topology_choose_memory();
	or_error(frames_init());
	record_frames();
	try_broadcast();
	if (!shootdown_init(text, sizeof(text)))
		run_error("%s", text);
	report_left_out();
	or_error(bench_check(text, sizeof(text)));
	run_all();
	run_end();
}
