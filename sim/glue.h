/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SIM_GLUE_H
#define SIM_GLUE_H

#include "types.h"

struct scenario;

/* What the CPUs have and the kernel uses. */
struct features {
	u32 flags; /* FLAG_* */
	u32 knobs; /* how they are broken, once the scenario is set up */
};

/* NULL, or one line: what does not fit. `sabotage`: sabotage choices are allowed in spec. */
const char *glue_set_up(const struct scenario *s, const char *spec, unsigned cpus, const struct features *have, bool sabotage);

/* Everything as glue_set_up() left it; `fills` spontaneous fills may happen. */
void glue_reset(unsigned fills);

/* oracle.c: invariants of a CPU that could be interrupted now; of one that runs nothing; of the end of a schedule. */
void glue_check_cpu(unsigned cpu);
void glue_check_kernel_thread(unsigned cpu);
void glue_check_end(void);

/* waits.c: nobody has a lock. */
void waits_begin(void);

/* oracle.c: what it knows now is what it returns to. */
void oracle_keep(void);
void oracle_restore(void);
u64 oracle_hash(void); /* of what differs from it */

#endif
