/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Shared words on the host. Unit tests have one thread; the orders are kept nevertheless, should one start more. A test may have
 * others go first at each access to one: host_step.
 */
extern void (*host_step)(void);

static inline void others_first(void)
{
	if (host_step)
		host_step();
}

static inline u64 load_relaxed(const struct word *w)
{
	others_first();
	return __atomic_load_n(&w->raw, __ATOMIC_RELAXED);
}

static inline u64 load_acquire(const struct word *w)
{
	others_first();
	return __atomic_load_n(&w->raw, __ATOMIC_ACQUIRE);
}

static inline void store_relaxed(struct word *w, u64 value)
{
	others_first();
	__atomic_store_n(&w->raw, value, __ATOMIC_RELAXED);
}

static inline void store_release(struct word *w, u64 value)
{
	others_first();
	__atomic_store_n(&w->raw, value, __ATOMIC_RELEASE);
}

static inline u64 add_full(struct word *w, u64 n)
{
	others_first();
	return __atomic_add_fetch(&w->raw, n, __ATOMIC_SEQ_CST);
}

static inline u64 or_full(struct word *w, u64 bits)
{
	others_first();
	return __atomic_fetch_or(&w->raw, bits, __ATOMIC_SEQ_CST);
}

static inline u64 and_full(struct word *w, u64 bits)
{
	others_first();
	return __atomic_fetch_and(&w->raw, bits, __ATOMIC_SEQ_CST);
}

static inline u64 xchg_full(struct word *w, u64 value)
{
	others_first();
	return __atomic_exchange_n(&w->raw, value, __ATOMIC_SEQ_CST);
}

static inline bool cas_full(struct word *w, u64 expected, u64 value)
{
	others_first();
	return __atomic_compare_exchange_n(&w->raw, &expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

static inline bool cas_relaxed(struct word *w, u64 expected, u64 value)
{
	return cas_full(w, expected, value);
}

static inline bool cas_release(struct word *w, u64 expected, u64 value)
{
	return cas_full(w, expected, value);
}

static inline void barrier_full(void)
{
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
}

static inline void add_owner(struct word *w, u64 n)
{
	store_relaxed(w, load_relaxed(w) + n);
}
