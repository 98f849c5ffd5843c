/* SPDX-License-Identifier: BSD-2-Clause */
/* Nobody else runs in a unit test, so a wait that is not over at once never is. */
_Noreturn void host_stuck(void);

static inline void wait_pause(const struct word *w, u64 seen)
{
	if (load_relaxed(w) == seen)
		host_stuck();
}
