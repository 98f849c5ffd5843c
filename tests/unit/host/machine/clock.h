/* SPDX-License-Identifier: BSD-2-Clause */
/* A clock that moves by one at each look. */
extern u64 host_clock;

static inline u64 clock_now(void)
{
	return ++host_clock;
}

static inline u64 clock_sample(void)
{
	return 0;
}

static inline u64 clock_begin(void)
{
	return ++host_clock;
}

static inline u64 clock_end(void)
{
	return ++host_clock;
}
