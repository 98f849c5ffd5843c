/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Three CPUs: P1 finds out about P0's store by a translation, and passes it on to P2. Simner et al. have walks read one memory, so
 * that what P1 has seen is there for all, and forbid that P2 misses it. The Arm ARM promises a store to walks when a DSB of the CPU
 * that made it has come (D8.2.6), and P0 has none; the model goes by that. So those are undecided, and seen in the simulator.
 */
#include "tests/litmus/ops.h"

LITMUS(WRC_TRT_inv_dsb_dsb_isb, .name = "WRC.TRT.inv+dsb+dsb-isb", .help = "an entry appears", .table = FIRST_TABLE,
       .thread = { { W_ENTRY(X_LEAF, NEW) }, { T(0), DSB, W(Y, 1) }, { R(Y, 0), DSB, ISB, T(1) } },
       .premise = { IS(1, 0, NEW), IS(2, 0, 1) },
       .outcome = { { "fault", IS(2, 1, FAULTS), { ON_ARM64(UNDECIDED, "26") } } });

LITMUS(WRC_TRT1_dsb_tlbiis_dsb_dsb_isb, .name = "WRC.TRT1+dsb-tlbiis-dsb+dsb-isb",
       .help = "P1 sees where it leads now, and drops what others hold", .leaf = OLD, .table = FIRST_TABLE, .holds = 4,
       .unbroken = true,
       .thread = { { W_ENTRY(X_LEAF, NEW) }, { T(0), DSB, TLBI_IS, DSB, W(Y, 1) }, { R(Y, 0), DSB, ISB, T(1) } },
       .premise = { IS(1, 0, NEW), IS(2, 0, 1) },
       .outcome = { { "stale", IS(2, 1, OLD), { ON_ARM64(UNDECIDED, "25, 26") } } });

LITMUS(WRC_TfRT1_dsb_tlbiis_dsb_dsb_isb, .name = "WRC.TfRT1+dsb-tlbiis-dsb+dsb-isb",
       .help = "P1 faults, and drops what others hold", .leaf = OLD, .table = FIRST_TABLE, .holds = 4,
       .thread = { { W_ENTRY(X_LEAF, NONE) }, { T(0), DSB, TLBI_IS, DSB, W(Y, 1) }, { R(Y, 0), DSB, ISB, T(1) } },
       .premise = { IS(1, 0, FAULTS), IS(2, 0, 1) },
       .outcome = { { "stale", IS(2, 1, OLD), { ON_ARM64(UNDECIDED, "25, 26") } } });

LITMUS(WRC_TfRT1_dsb_tlbi_dsb_dsb_isb, .name = "WRC.TfRT1+dsb-tlbi-dsb+dsb-isb",
       .help = "P1 faults, and its TLBI has no IS", .leaf = OLD, .table = FIRST_TABLE, .holds = 4,
       .thread = { { W_ENTRY(X_LEAF, NONE) }, { T(0), DSB, TLBI_PE, DSB, W(Y, 1) }, { R(Y, 0), DSB, ISB, T(1) } },
       .premise = { IS(1, 0, FAULTS), IS(2, 0, 1) },
       .outcome = { { "stale", IS(2, 1, OLD), { ON_ARM64(ALLOWED, "21") } } });
