/* SPDX-License-Identifier: BSD-2-Clause */
/* Of arch/arm64/insn.h what a program of the host can do: one thread needs no barriers. */
static inline void dsb_ish(void)
{
}

static inline void dsb_ishst(void)
{
}

static inline void isb(void)
{
}
