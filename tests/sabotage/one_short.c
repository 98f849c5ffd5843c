/* SPDX-License-Identifier: BSD-2-Clause */
/* Sabotage "one-short": the last page of a range that is flushed page by page is forgotten. */
#include "tests/sabotage/base.h"

static void choose(struct request *req, u64 ceiling)
{
	base_scope(req, ceiling);
	if (!req->full)
		req->end.raw -= 1ull << req->stride_shift;
}

static const struct scope one_short = { .choose = choose };

CHOICE(one_short, .stage = STAGE_SCOPE, .name = "one-short", .takes_value = true, .max = 1024, .def = 33, .sabotage = true,
       .scope = &one_short, .help = "wrong: the last page of a range is forgotten");
SABOTAGE(one_short, .name = "one-short", .spec = "ipi+one-short+quarantine", .help = "the last page of a range is forgotten");
