# SPDX-License-Identifier: BSD-2-Clause
# `make closure`: build/closure/tlblab-closure, the ASID allocators' own C to closure (sim/closure/closure.h).

CLOSURE_BUILD := build/closure
CLOSURE := $(CLOSURE_BUILD)/tlblab-closure
CLOSURE_SOURCES := $(wildcard sim/closure/*.c) sim/fiber.c mm/asid/generation.c mm/asid/global.c mm/asid/slots.c \
	mm/shootdown/stages.c mm/shootdown/transport_broadcast.c smp/cpumask.c smp/lock.c
CLOSURE_OBJECTS := $(CLOSURE_SOURCES:%=$(CLOSURE_BUILD)/%.o)
# What of <machine/...> is not in sim/closure/ is the unit tests'.
CLOSURE_CFLAGS := -std=gnu11 -O2 -g -fno-common -Wall -Wextra -Wmissing-prototypes -Wno-missing-field-initializers \
	-Isim/closure -Itests/unit/host -I. -Iinclude -MMD -MP $(if $(WERROR),-Werror)

.PHONY: closure
closure: $(CLOSURE)

$(CLOSURE): $(CLOSURE_OBJECTS)
	$(if $(V),,@echo "  LINK    $@")
	$(Q)$(SIM_CC) $^ -o $@

$(CLOSURE_BUILD)/%.c.o: %.c $(CLOSURE_BUILD)/flags
	$(if $(V),,@echo "  CC      $@")
	$(Q)mkdir -p $(@D) && $(SIM_CC) $(CLOSURE_CFLAGS) -c $< -o $@

$(CLOSURE_BUILD)/flags: FORCE
	$(call write_if_changed,'$(SIM_CC) $(CLOSURE_CFLAGS)')

-include $(CLOSURE_OBJECTS:.o=.d)
