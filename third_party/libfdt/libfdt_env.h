/* SPDX-License-Identifier: BSD-2-Clause */
/* tlblab's own, the only such file here: types, and what libfdt needs of a C library, freestanding. Both ports are little endian. */
#ifndef LIBFDT_ENV_H
#define LIBFDT_ENV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/string.h"

#ifndef INT_MAX
#define INT_MAX __INT_MAX__
#endif

typedef uint16_t fdt16_t; /* as they lie in the tree: big endian */
typedef uint32_t fdt32_t;
typedef uint64_t fdt64_t;

#define fdt32_to_cpu(x) __builtin_bswap32(x)
#define cpu_to_fdt32(x) __builtin_bswap32(x)
#define fdt64_to_cpu(x) __builtin_bswap64(x)
#define cpu_to_fdt64(x) __builtin_bswap64(x)

#endif
