/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * P0 takes x away, or has it lead elsewhere, and tells P1, which then loads through x: has what P1 held gone by then? The message
 * is a plain store.
 */
#include "tests/litmus/ops.h"

/* --- by instructions that reach P1, or don't --- */

LITMUS(MP_invRT, .name = "MP.invRT", .help = "a message, and nothing else", .leaf = OLD, .table = FIRST_TABLE,
       .holds = 2,
       .thread = { { W_ENTRY(X_LEAF, NONE), W(Y, 1) }, { R(Y, 0), T(1) } }, .premise = { IS(1, 0, 1) },
       .outcome = { { "stale", IS(1, 1, OLD), { ON_X86(ALLOWED, "3, 10"), ON_ARM64(ALLOWED, "24") } } });

LITMUS(MP_invRT_dsb_dsb_isb, .name = "MP.invRT+dsb+dsb-isb", .help = "barriers invalidate nothing", .leaf = OLD,
       .table = FIRST_TABLE, .holds = 2,
       .thread = { { W_ENTRY(X_LEAF, NONE), DSB, W(Y, 1) }, { R(Y, 0), DSB, ISB, T(1) } }, .premise = { IS(1, 0, 1) },
       .outcome = { { "stale", IS(1, 1, OLD), { ON_ARM64(ALLOWED, "24") } } });

LITMUS(MP_invRT1_dsb_tlbiis_dsb_dsb_isb, .name = "MP.invRT1+dsb-tlbiis-dsb+dsb-isb", .help = "the whole sequence",
       .leaf = OLD, .table = FIRST_TABLE, .holds = 2,
       .thread = { { W_ENTRY(X_LEAF, NONE), DSB, TLBI_IS, DSB, W(Y, 1) }, { R(Y, 0), DSB, ISB, T(1) } },
       .premise = { IS(1, 0, 1) },
       .outcome = { { "stale", IS(1, 1, OLD), { ON_ARM64(FORBIDDEN, "24, 25") } } });

LITMUS(MP_invRT1_dsb_tlbi_dsb_dsb_isb, .name = "MP.invRT1+dsb-tlbi-dsb+dsb-isb",
       .help = "a TLBI without IS stays on its CPU", .leaf = OLD, .table = FIRST_TABLE, .holds = 2,
       .thread = { { W_ENTRY(X_LEAF, NONE), DSB, TLBI_PE, DSB, W(Y, 1) }, { R(Y, 0), DSB, ISB, T(1) } },
       .premise = { IS(1, 0, 1) },
       .outcome = { { "stale", IS(1, 1, OLD), { ON_ARM64(ALLOWED, "21") } } });

LITMUS(MP_invRT1_tlbiis_dsb_dsb_isb, .name = "MP.invRT1+tlbiis-dsb+dsb-isb",
       .help = "no DSB before: the old entry may be walked again after the TLBI", .leaf = OLD, .table = FIRST_TABLE,
       .holds = 2,
       .thread = { { W_ENTRY(X_LEAF, NONE), TLBI_IS, DSB, W(Y, 1) }, { R(Y, 0), DSB, ISB, T(1) } },
       .premise = { IS(1, 0, 1) },
       .outcome = { { "stale", IS(1, 1, OLD), { ON_ARM64(ALLOWED, "24") } } });

LITMUS(MP_invRT1_dsb_tlbiis_dmb_dsb_isb, .name = "MP.invRT1+dsb-tlbiis-dmb+dsb-isb",
       .help = "a DMB does not wait for the TLBI", .leaf = OLD, .table = FIRST_TABLE, .holds = 2,
       .thread = { { W_ENTRY(X_LEAF, NONE), DSB, TLBI_IS, FENCE, W(Y, 1) }, { R(Y, 0), DSB, ISB, T(1) } },
       .premise = { IS(1, 0, 1) },
       .outcome = { { "stale", IS(1, 1, OLD), { ON_ARM64(ALLOWED, "24") } } });

LITMUS(MP_RT1_dsb_tlbiis_dsb_dsb_isb, .name = "MP.RT1+dsb-tlbiis-dsb+dsb-isb",
       .help = "the whole sequence, but for break before make", .leaf = OLD, .table = FIRST_TABLE, .holds = 2,
       .unbroken = true,
       .thread = { { W_ENTRY(X_LEAF, NEW), DSB, TLBI_IS, DSB, W(Y, 1) }, { R(Y, 0), DSB, ISB, T(1) } },
       .premise = { IS(1, 0, 1) },
       .outcome = { { "stale", IS(1, 1, OLD), { ON_ARM64(FORBIDDEN, "24, 25") } } });

LITMUS(MP_RT1_dsb_tlbi_dsb_dsb_isb, .name = "MP.RT1+dsb-tlbi-dsb+dsb-isb",
       .help = "a TLBI without IS, and no break before make", .leaf = OLD, .table = FIRST_TABLE, .holds = 2,
       .unbroken = true,
       .thread = { { W_ENTRY(X_LEAF, NEW), DSB, TLBI_PE, DSB, W(Y, 1) }, { R(Y, 0), DSB, ISB, T(1) } },
       .premise = { IS(1, 0, 1) },
       .outcome = { { "stale", IS(1, 1, OLD), { ON_ARM64(ALLOWED, "21") } } });

LITMUS(MP_invRT1_invlpg, .name = "MP.invRT1+invlpg", .help = "INVLPG reaches nobody else", .leaf = OLD,
       .table = FIRST_TABLE, .holds = 2,
       .thread = { { W_ENTRY(X_LEAF, NONE), INVLPG, W(Y, 1) }, { R(Y, 0), T(1) } }, .premise = { IS(1, 0, 1) },
       .outcome = { { "stale", IS(1, 1, OLD), { ON_X86(ALLOWED, "10") } } });

/* --- by an interrupt --- */

LITMUS(MP_invRT1_ipi, .name = "MP.invRT1+ipi", .help = "P1 drops it in its handler, and P0 waits for that", .leaf = OLD,
       .table = FIRST_TABLE, .holds = 2,
       .thread = { { W_ENTRY(X_LEAF, NONE), CALL(1), W(Y, 1) }, { R(Y, 0), T(1) } }, .premise = { IS(1, 0, 1) },
       .outcome = { { "stale", IS(1, 1, OLD), { ON_X86(FORBIDDEN, "6, 10"), ON_ARM64(FORBIDDEN, "24, 25") } } });

LITMUS(MP_invRT1_ipi_late, .name = "MP.invRT1+ipi-late", .help = "the message before the interrupt", .leaf = OLD,
       .table = FIRST_TABLE, .holds = 2,
       .thread = { { W_ENTRY(X_LEAF, NONE), W(Y, 1), CALL(1) }, { R(Y, 0), T(1) } }, .premise = { IS(1, 0, 1) },
       .outcome = { { "stale", IS(1, 1, OLD), { ON_X86(ALLOWED, "3, 10"), ON_ARM64(ALLOWED, "24") } } });

LITMUS(MP_invRT1_ipi_first, .name = "MP.invRT1+ipi-first", .help = "the interrupt before the store", .leaf = OLD,
       .table = FIRST_TABLE, .holds = 2,
       .thread = { { CALL(1), W_ENTRY(X_LEAF, NONE), W(Y, 1) }, { R(Y, 0), T(1) } }, .premise = { IS(1, 0, 1) },
       .outcome = { { "stale", IS(1, 1, OLD), { ON_X86(ALLOWED, "3"), ON_ARM64(ALLOWED, "19, 24") } } });

LITMUS(MP_RT1_invlpg_ipi, .name = "MP.RT1+invlpg-ipi", .help = "a remap: INVLPG, and P1 drops it in its handler",
       .leaf = OLD, .table = FIRST_TABLE, .holds = 2,
       .thread = { { W_ENTRY(X_LEAF, NEW), INVLPG, CALL(1), W(Y, 1) }, { R(Y, 0), T(1) } }, .premise = { IS(1, 0, 1) },
       .outcome = { { "stale", IS(1, 1, OLD), { ON_X86(FORBIDDEN, "6, 10") } } });

/* --- it was invalid: nothing can be held --- */

LITMUS(MP_RT_inv_dsb_dsb_isb, .name = "MP.RT.inv+dsb+dsb-isb",
       .help = "an entry appears, by the barriers that it takes", .table = FIRST_TABLE,
       .thread = { { W_ENTRY(X_LEAF, NEW), DSB, W(Y, 1) }, { R(Y, 0), DSB, ISB, T(1) } }, .premise = { IS(1, 0, 1) },
       .outcome = { { "fault", IS(1, 1, FAULTS), { ON_ARM64(FORBIDDEN, "26") } } });

LITMUS(MP_RT_inv_dmb_dsb_isb, .name = "MP.RT.inv+dmb+dsb-isb",
       .help = "an entry appears, by a DMB and the DSB of P1, which has read of it", .table = FIRST_TABLE,
       .thread = { { W_ENTRY(X_LEAF, NEW), FENCE, W(Y, 1) }, { R(Y, 0), DSB, ISB, T(1) } }, .premise = { IS(1, 0, 1) },
       .outcome = { { "fault", IS(1, 1, FAULTS), { ON_ARM64(FORBIDDEN, "26") } } });

LITMUS(MP_RT_inv_dmb_dmb, .name = "MP.RT.inv+dmb+dmb", .help = "an entry appears, by DMBs, which order no walks",
       .table = FIRST_TABLE,
       .thread = { { W_ENTRY(X_LEAF, NEW), FENCE, W(Y, 1) }, { R(Y, 0), FENCE, T(1) } }, .premise = { IS(1, 0, 1) },
       .outcome = { { "fault", IS(1, 1, FAULTS), { ON_ARM64(ALLOWED, "26") } } });

LITMUS(MP_RT_inv_po_dsb_isb, .name = "MP.RT.inv+po+dsb-isb", .help = "an entry appears, by nothing on P0",
       .table = FIRST_TABLE,
       .thread = { { W_ENTRY(X_LEAF, NEW), W(Y, 1) }, { R(Y, 0), DSB, ISB, T(1) } }, .premise = { IS(1, 0, 1) },
       .outcome = { { "fault", IS(1, 1, FAULTS), { ON_ARM64(ALLOWED, "26") } } });
