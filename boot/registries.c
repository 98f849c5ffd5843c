/* SPDX-License-Identifier: BSD-2-Clause */
/* Every registry there is. A new one is named here, and in the linker script. No state. */
#include "bench.h"
#include "counter.h"
#include "mm/shootdown/strategy.h"
#include "option.h"
#include "registry.h"
#include "smp/watchdog.h"
#include "test.h"
#include "tests/litmus/litmus.h"

void registry_check(void)
{
	REGISTRY_CHECK(options);
	REGISTRY_CHECK(counters);
	REGISTRY_CHECK(choices);
	REGISTRY_CHECK(presets);
	REGISTRY_CHECK(benches);
	REGISTRY_CHECK(tests);
	REGISTRY_CHECK(sabotages);
	REGISTRY_CHECK(dumps);
	REGISTRY_CHECK(insns);
	REGISTRY_CHECK(litmuses);
}
