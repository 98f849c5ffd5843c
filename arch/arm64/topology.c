/* SPDX-License-Identifier: BSD-2-Clause */
/* Topology by affinity: a convention, which implementations need not keep. No state. (Arm ARM D19.2.98, MPIDR_EL1) */
#include "arch/arm64/topology.h"

#define LEVEL_BITS 8

void topology_place(u32 hw_id, bool threads, struct place *place)
{
	u32 core = threads ? hw_id >> LEVEL_BITS : hw_id;

	place->at[LEVEL_THREAD] = threads ? hw_id & 0xff : 0;
	place->at[LEVEL_CORE] = core;
	place->at[LEVEL_COMPLEX] = core >> LEVEL_BITS;
	place->at[LEVEL_PACKAGE] = core >> 2 * LEVEL_BITS;
}
