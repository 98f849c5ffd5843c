/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Scope "ceiling": up to N pages one by one, more: all entries of the mm at once (Linux tlb_single_page_flush_ceiling, 33). For
 * kernel ranges "all" includes global entries. The range is rounded to the stride first. No state.
 */
#include "mm/shootdown/strategy.h"
#include "machine.h"

static void ceiling_choose(struct request *req, u64 ceiling)
{
	u64 stride = 1ull << req->stride_shift;

	if (req->full)
		return;
	req->start = VA(ALIGN_DOWN(req->start.raw, stride));
	req->end = VA(ALIGN_UP(req->end.raw, stride));
	req->full = (req->end.raw - req->start.raw) >> req->stride_shift > ceiling;
}

static const struct scope ceiling = { .choose = ceiling_choose };

CHOICE(ceiling, .stage = STAGE_SCOPE, .name = "ceiling", .by_default = true, .takes_value = true, .min = 0, .max = 1 << 20,
       .def = 33, .scope = &ceiling, .help = "most pages that are flushed one by one; more: everything of the mm");
