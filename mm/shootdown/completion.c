/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Completion "now": frames and tables are free when the transport says that the flush has ended. Completion "quarantine": they are held until every CPU has flushed
 * everything, for transports that leave remote entries alive; a stale access then reads or writes memory that nobody uses. State of the latter:
 * machine.shootdown.quarantine, under its lock.
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
	struct frame *f;

	while ((f = frame_list_pop(list))) {
		f->state = FRAME_QUARANTINED;
		frame_list_push(&machine.shootdown.quarantine, f);
	}
}

static void quarantine_retire(struct flight *flight, struct frame_list *frames, struct frame_list *tables)
{
	(void)flight;
	lock_take(&machine.shootdown.quarantine_lock, "the lock of the quarantined frames");
	hold_all(frames);
	hold_all(tables);
	lock_release(&machine.shootdown.quarantine_lock);
}

static bool quarantine_drain(void)
{
	lock_take(&machine.shootdown.quarantine_lock, "the lock of the quarantined frames");
	free_all(&machine.shootdown.quarantine);
	lock_release(&machine.shootdown.quarantine_lock);
	return true;
}

static const struct completion quarantine = { .retire = quarantine_retire, .drain = quarantine_drain };

CHOICE(completion_now, .stage = STAGE_COMPLETION, .name = "now", .by_default = true, .order = 0, .needs = REMOTE, .completion = &now,
       .help = "frames and tables are free when the flush has ended");
CHOICE(completion_quarantine, .stage = STAGE_COMPLETION, .name = "quarantine", .by_default = true, .order = 1, .completion = &quarantine,
       .help = "frames and tables are held until every CPU has flushed everything");
