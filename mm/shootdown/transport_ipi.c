/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Transport "ipi": each target is interrupted, does the request in its handler, and acknowledges; the initiator waits for all. One
 * indirect call, then a list push per target; the request is in the initiator's flight, so targets read one line of it. No
 * state of its own. Order: smp/call.c.
 */
#include "machine.h"
#include "mm/shootdown/stages.h"
#include "smp/call.h"

COUNTER(ipis_sent, "CPUs interrupted for flushes");

static void ipi_issue(struct flight *flight)
{
	count(&counter_ipis_sent, call_issue(strategy_now()->receive, &flight->req, &flight->targets));
}

static void ipi_sync(struct flight *flight)
{
	call_sync(&flight->targets, "acknowledgement of a flush");
}

static const struct transport ipi = {
	.fallback = "ipi",
	.takes = transport_takes_all,
	.hold = transport_nothing,
	.drop = transport_nothing,
	.issue = ipi_issue,
	.sync = ipi_sync,
	.after = transport_nothing,
	.sweep = transport_no_sweep,
};

CHOICE(transport_ipi, .stage = STAGE_TRANSPORT, .name = "ipi", .gives = INTERRUPTS | REMOTE, .transport = &ipi,
       .help = "interrupt each target, wait for each acknowledgement");
