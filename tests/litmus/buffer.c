/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Store buffering, the shape of "who may hold entries?": P0 takes x away and looks whether P1 has announced itself; P1 announces
 * itself and drops what it holds, as on entering an mm. Asked for: P0 leaves P1 alone, and P1 walks the old entry.
 */
#include "tests/litmus/ops.h"

LITMUS(SB_po_reload, .name = "SB+po+reload", .help = "P0 without a barrier: its store waits in the buffer", .leaf = OLD,
       .table = FIRST_TABLE, .holds = 2,
       .thread = { { W_ENTRY(X_LEAF, NONE), R(Y, 0) }, { W(Y, 1), RELOAD, T(0) } }, .premise = { IS(0, 0, 0) },
       .outcome = { { "stale", IS(1, 0, OLD), { ON_X86(ALLOWED, "12"), ON_ARM64(ALLOWED, "26") } } });

LITMUS(SB_fence_reload, .name = "SB+fence+reload", .help = "P0 by a locked operation, or a DMB", .leaf = OLD,
       .table = FIRST_TABLE, .holds = 2,
       .thread = { { W_ENTRY(X_LEAF, NONE), FENCE, R(Y, 0) }, { W(Y, 1), RELOAD, T(0) } }, .premise = { IS(0, 0, 0) },
       .outcome = { { "stale", IS(1, 0, OLD), { ON_X86(FORBIDDEN, "12"), ON_ARM64(UNDECIDED, "26") } } });

LITMUS(SB_mfence_reload, .name = "SB+mfence+reload", .help = "P0 by MFENCE", .leaf = OLD, .table = FIRST_TABLE,
       .holds = 2,
       .thread = { { W_ENTRY(X_LEAF, NONE), MFENCE, R(Y, 0) }, { W(Y, 1), RELOAD, T(0) } }, .premise = { IS(0, 0, 0) },
       .outcome = { { "stale", IS(1, 0, OLD), { ON_X86(FORBIDDEN, "12") } } });

LITMUS(SB_dsb_reload, .name = "SB+dsb+reload", .help = "P0 by a DSB, which walks are ordered by", .leaf = OLD,
       .table = FIRST_TABLE, .holds = 2,
       .thread = { { W_ENTRY(X_LEAF, NONE), DSB, R(Y, 0) }, { W(Y, 1), RELOAD, T(0) } }, .premise = { IS(0, 0, 0) },
       .outcome = { { "stale", IS(1, 0, OLD), { ON_ARM64(FORBIDDEN, "26") } } });

LITMUS(SB1_invlpg_reload, .name = "SB1+invlpg+reload", .help = "INVLPG orders as well", .leaf = OLD,
       .table = FIRST_TABLE, .holds = 2,
       .thread = { { W_ENTRY(X_LEAF, NONE), INVLPG, R(Y, 0) }, { W(Y, 1), RELOAD, T(0) } }, .premise = { IS(0, 0, 0) },
       .outcome = { { "stale", IS(1, 0, OLD), { ON_X86(FORBIDDEN, "10, 12") } } });
