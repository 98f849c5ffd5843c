/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Basic types. Physical and virtual addresses are one-field structs, so that the compiler refuses to mix them.
 */
#ifndef TYPES_H
#define TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int64_t s64;

struct pa {
	u64 raw;
};
struct va {
	u64 raw;
};

#define PA(x) ((struct pa){ (u64)(x) })
#define VA(x) ((struct va){ (u64)(x) })

static inline struct va va_add(struct va va, u64 bytes)
{
	return VA(va.raw + bytes);
}

static inline struct pa pa_add(struct pa pa, u64 bytes)
{
	return PA(pa.raw + bytes);
}

#define PAGE_SHIFT 12
#define PAGE_SIZE (1ull << PAGE_SHIFT)
#define LARGE_SHIFT 21
#define LARGE_SIZE (1ull << LARGE_SHIFT)

#define CACHE_LINE 64

/* Build limit; the machine may have fewer (smp.nr_cpus). Every array by CPU and every cpumask has this size. */
#define MAX_CPUS 1024

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define ALIGN_DOWN(x, a) ((x) & ~((u64)(a)-1))
#define ALIGN_UP(x, a) ALIGN_DOWN((u64)(x) + (a)-1, a)
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define container_of(ptr, type, member) ((type *)((char *)(ptr)-offsetof(type, member)))

#define PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))

#endif
