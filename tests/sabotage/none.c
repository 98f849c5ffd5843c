/* SPDX-License-Identifier: BSD-2-Clause */
/* Sabotage "none": nobody but the initiator flushes. The transport itself is mm/shootdown/transport_none.c. */
#include "test.h"

SABOTAGE(none, .name = "none", .spec = "none", .help = "no remote flush at all");
