/* SPDX-License-Identifier: BSD-2-Clause */
/* Sabotage "wide-stride": small leaves are flushed in steps of 2 MiB, so that 511 of 512 are forgotten. */
#include "tests/sabotage/base.h"

static void choose(struct request *req, u64 ceiling)
{
	base_scope(req, ceiling);
	if (req->full)
		return;
	req->stride_shift = LARGE_SHIFT;
	base_scope(req, ceiling);
}

static const struct scope wide_stride = { .choose = choose };

CHOICE(wide_stride, .stage = STAGE_SCOPE, .name = "wide-stride", .takes_value = true, .max = 1024, .def = 1024, .sabotage = true,
       .scope = &wide_stride, .help = "wrong: 4 KiB leaves are flushed in steps of 2 MiB");
SABOTAGE(wide_stride, .name = "wide-stride", .spec = "ipi+wide-stride+quarantine",
	 .help = "4 KiB leaves are flushed in steps of 2 MiB");
