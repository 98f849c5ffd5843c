/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which features for translations are used, of those that CPUs have or lack: tags, INVPCID, broadcast. State: machine.arch.pcid,
 * soft_pcid, no_pcid, invpcid, invpcid_tag, no_invpcid, no_invlpgb, invlpgb_max, invlpgb_emulated, invlpgb_asked, written once on
 * the boot CPU before others start.
 */
#include "arch/x86/insn.h"
#include "arch/x86/metal/metal.h"
#include "lib/printf.h"
#include "machine.h"
#include "option.h"

OPTION(pcid, .kind = OPTION_ENUM, .accepts = "auto|off|soft", .def = "auto",
       .help = "tag the TLB by PCID where the CPU has it; never; or count tags and flush at each load of a root");
OPTION(invlpgb, .kind = OPTION_ENUM, .accepts = "auto|hw|emulate|off", .def = "auto",
       .help = "broadcast where the CPU can; or never; emulate: by interrupts, in the handler of #UD (counts hold, times don't)");
OPTION(invpcid, .kind = OPTION_ENUM, .accepts = "auto|tags|off", .def = "auto",
       .help = "where the CPU has INVPCID, use it to flush everything (instead of CR4.PGE); and the loaded tag (of CR3); or never");

enum { PCID_AUTO, PCID_OFF, PCID_SOFT }; /* in the order of .accepts */
enum { INVPCID_AUTO, INVPCID_TAGS, INVPCID_OFF };
enum { INVLPGB_AUTO, INVLPGB_HW, INVLPGB_EMULATE, INVLPGB_OFF };

#define EMULATED_PAGES 8 /* per instruction, as on Zen 3 */

/*
 * CPUs on which INVLPG leaves global entries behind while PCIDE is set, outside virtual machines: Alder Lake, Raptor Lake and
 * Gracemont. Newer microcode mends it, but there is no bit that says so; without tags it does not matter.
 */
static bool invlpg_leaves_globals(void)
{
	static const u8 models[] = { 0x97, 0x9a, 0xb7, 0xba, 0xbe, 0xbf };
	u32 eax = cpuid(1, 0).eax, model = (eax >> 4 & 0xf) | (eax >> 12 & 0xf0);

	if (cpuid(0, 0).ebx != 0x756e6547 /* Genu ineIntel */ || (eax >> 8 & 0xf) != 6 || cpuid(1, 0).ecx & 1u << 31)
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(models); i++)
		if (models[i] == model)
			return true;
	return false;
}

/* NULL: tags are in use. */
static const char *choose_pcid(void)
{
	unsigned wanted = option_enum(&option_pcid);

	if (wanted == PCID_OFF)
		return "pcid=off";
	if (wanted == PCID_SOFT)
		return "pcid=soft";
	if (!(cpuid(1, 0).ecx & 1 << 17))
		return "this CPU has none";
	if (invlpg_leaves_globals())
		return "INVLPG leaves global entries behind on this CPU while PCID is in use";
	/* CR3 holds PCID 0 here, so PCIDE may be set (SDM vol. 3A 4.10.1). Every other CPU gets the whole value. */
	machine.arch.pcid = true;
	machine.arch.cr4 |= CR4_PCIDE;
	write_cr4(machine.arch.cr4);
	return NULL;
}

/* NULL: INVPCID is in use. */
static const char *choose_invpcid(void)
{
	if (cpuid(0, 0).eax < 7 || !(cpuid(7, 0).ebx & 1 << 10))
		return "this CPU has none";
	if (option_enum(&option_invpcid) == INVPCID_OFF)
		return "invpcid=off";
	machine.arch.invpcid = true;
	machine.arch.invpcid_tag = option_enum(&option_invpcid) == INVPCID_TAGS;
	return NULL;
}

static bool says_invlpgb(void)
{
	return cpuid(0x80000000, 0).eax >= 0x80000008 && cpuid(0x80000008, 0).ebx & 1 << 3;
}

/* NULL: this CPU can broadcast, as far as is known before the self-test. */
static const char *no_invlpgb(void)
{
	u32 eax = cpuid(1, 0).eax, family = (eax >> 8 & 0xf) + (eax >> 20 & 0xff);

	if (!says_invlpgb())
		return "this CPU has no INVLPGB";
	/* Some of Zen 2 say so (Linux a74bb5f202da); it came with Zen 3. */
	if (cpu_is_amd() && family < 0x19)
		return "CPUs of this family say that they have INVLPGB, but do not";
	if (!machine.arch.pcid)
		return "PCID is not in use";
	return NULL;
}

/* NULL, or what is wrong with the options. */
static const char *choose_invlpgb(char *error, size_t size)
{
	unsigned wanted = option_enum(&option_invlpgb);

	machine.arch.no_invlpgb = wanted == INVLPGB_OFF ? "invlpgb=off" : no_invlpgb();
	machine.arch.invlpgb_asked = wanted == INVLPGB_HW || wanted == INVLPGB_EMULATE;
	machine.arch.invlpgb_max = (cpuid(0x80000008, 0).edx & 0xffff) + 1;
	if (wanted == INVLPGB_HW && machine.arch.no_invlpgb) {
		ksnprintf(error, size, "invlpgb=hw: %s; accepted here are auto, off%s", machine.arch.no_invlpgb,
			  says_invlpgb() ? "" : ", emulate");
		return error;
	}
	if (wanted != INVLPGB_EMULATE)
		return NULL;
	if (says_invlpgb())
		return "invlpgb=emulate: this CPU says that it has INVLPGB, so it raises no #UD; accepted here are auto, off";
	if (option_enum(&option_pcid) == PCID_OFF)
		return "invlpgb=emulate: a broadcast is by tag, and pcid=off leaves none; accepted there are auto, soft";
	machine.arch.no_invlpgb = NULL;
	machine.arch.invlpgb_emulated = true;
	machine.arch.invlpgb_max = EMULATED_PAGES;
	machine.arch.soft_pcid |= !machine.arch.pcid;
	return NULL;
}

const char *features_choose(char *error, size_t size)
{
	machine.arch.no_pcid = choose_pcid();
	machine.arch.no_invpcid = choose_invpcid();
	machine.arch.soft_pcid = option_enum(&option_pcid) == PCID_SOFT;
	return choose_invlpgb(error, size);
}
