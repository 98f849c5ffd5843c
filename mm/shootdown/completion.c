/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Completion "now": frames and tables are free when the transport says that the flush has ended. Completion "quarantine": they are
 * held until every CPU has flushed everything, for transports that leave remote entries alive; a stale access then reads or writes
 * memory that nobody uses. State of the latter: quarantine of each CPU, its own until drain(), when nobody else has a gather open.
 */
#include "machine.h"
#include "mm/shootdown/stages.h"

static void free_all(struct frame_list *list)
{
	struct frame *f;

	while ((f = frame_list_pop(list)))
		frame_put(f);
}

static void now_retire(struct flight *flight, struct frame_list *frames, struct frame_list *tables)
{
	(void)flight;
	free_all(frames);
	free_all(tables);
}

static const struct completion now = { .retire = now_retire, .drain = completion_nothing_held };

static void hold_all(struct frame_list *list)
{
	struct frame_list *mine = &this_cpu()->quarantine;
	struct frame *f;

	while ((f = frame_list_pop(list))) {
		f->state = FRAME_QUARANTINED;
		frame_list_push(mine, f);
	}
}

static void quarantine_retire(struct flight *flight, struct frame_list *frames, struct frame_list *tables)
{
	(void)flight;
	hold_all(frames);
	hold_all(tables);
}

static bool quarantine_drain(void)
{
	unsigned cpu;

	for_each_cpu(cpu, &machine.smp.online)
		free_all(&machine.cpu[cpu].quarantine);
	return true;
}

static const struct completion quarantine = { .retire = quarantine_retire, .drain = quarantine_drain };

CHOICE(completion_now, .stage = STAGE_COMPLETION, .name = "now", .by_default = true, .order = 0, .needs = REMOTE,
       .completion = &now, .help = "frames and tables are free when the flush has ended");
CHOICE(completion_quarantine, .stage = STAGE_COMPLETION, .name = "quarantine", .by_default = true, .order = 1,
       .completion = &quarantine, .help = "frames and tables are held until every CPU has flushed everything");
