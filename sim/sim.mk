# SPDX-License-Identifier: BSD-2-Clause
# `make sim`: the simulator, build/sim-x86/tlblab-sim: the kernel's own C, compiled for the host against sim/machine/, and the model. What of the shared
# floors is not compiled yet is printed by `make sim-todo`; that list may only shrink. SIM_SAN=1: with AddressSanitizer and UBSan.

SIM_CC ?= gcc
SIM_SANITIZE := $(if $(SIM_SAN),-fsanitize=address -fsanitize=undefined -fno-sanitize-recover=all)
SIM_BUILD ?= build/sim-x86$(if $(SIM_SAN),-san)
SIM := $(SIM_BUILD)/tlblab-sim

# The kernel's C that runs in the model, unchanged.
SIM_SHARED := $(filter-out tests/guest/run.c,$(wildcard mm/*.c mm/*/*.c smp/*.c task/*.c tests/guest/*.c tests/sabotage/*.c)) \
	arch/x86/pte.c arch/x86/tlb.c arch/x86/ipi.c lib/printf.c lib/words.c lib/counter.c lib/boot_memory.c lib/stats.c \
	boot/options.c boot/option_values.c
# In the shared floors, but not in the model yet.
SIM_TODO := $(filter-out $(SIM_SHARED),$(wildcard lib/*.c mm/*.c mm/*/*.c smp/*.c task/*.c bench/*.c tests/guest/*.c tests/sabotage/*.c arch/x86/*.c))
SIM_SOURCES := $(SIM_SHARED) $(wildcard sim/*.c sim/x86/*.c tests/sim/*.c)
SIM_OBJECTS := $(SIM_SOURCES:%=$(SIM_BUILD)/%.o)

# Not -Wunused-function: arch/x86/insn.h declares more instructions than run here. --wrap: promises and reuse are seen by the oracles (sim/glue.c).
SIM_CFLAGS := -std=gnu11 -O2 -g -fno-pie -fno-common -Wall -Wextra -Wno-unused-function -Wno-missing-field-initializers -Isim -Iarch/x86 -I. -Iinclude \
	-I$(SIM_BUILD) -MMD -MP $(SIM_SANITIZE) $(if $(WERROR),-Werror)
SIM_WRAP := gather_close frame_put frame_free
SIM_LDFLAGS := -no-pie $(SIM_SANITIZE) $(SIM_WRAP:%=-Wl,--wrap=%)

.PHONY: sim sim-todo
sim: $(SIM)

sim-todo:
	@printf '%s\n' $(sort $(SIM_TODO))

$(SIM): $(SIM_OBJECTS)
	$(if $(V),,@echo "  LINK    $@")
	$(Q)$(SIM_CC) $(SIM_LDFLAGS) $^ -o $@

$(SIM_BUILD)/%.c.o: %.c $(SIM_BUILD)/flags
	$(if $(V),,@echo "  CC      $@")
	$(Q)mkdir -p $(@D) && $(SIM_CC) $(SIM_CFLAGS) -c $< -o $@

$(SIM_BUILD)/flags: FORCE
	$(call write_if_changed,'$(SIM_CC) $(SIM_CFLAGS)')

# A replay belongs to one state of the sources.
$(SIM_BUILD)/sim_build.h: $(filter-out sim/main.c,$(SIM_SOURCES)) $(wildcard include/*.h include/*/*.h mm/*.h mm/*/*.h smp/*.h sim/*.h sim/*/*.h)
	@mkdir -p $(@D) && printf '#define SIM_BUILD "%s"\n' "$$(cat $^ | cksum | tr ' ' -)" >$@

$(SIM_BUILD)/sim/main.c.o: $(SIM_BUILD)/sim_build.h

-include $(SIM_OBJECTS:.o=.d)
