/* SPDX-License-Identifier: BSD-2-Clause */
/* What several benchmarks need. */
#ifndef BENCH_COMMON_H
#define BENCH_COMMON_H

#include "bench.h"

/*
 * For the one CPU that zaps, between measured sections: if half of the frames are held back on it (completion quarantine), they are
 * released, at the cost of a full flush everywhere.
 */
void bench_make_room(void);

#endif
