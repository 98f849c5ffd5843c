# SPDX-License-Identifier: BSD-2-Clause
# `make sim`: the simulator, build/sim-x86/tlblab-sim: the kernel's own C, compiled for the host against <machine/...> of sim/, and
# the model. What of the shared floors is not compiled yet is printed by `make sim-todo`; that list may only shrink.
# `make sim-test`: the model's own tests, without a kernel. SIM_ISA=arm64: either with the port and the model of arm64.
# SIM_SAN=1: with AddressSanitizer and UBSan. SIM_RACE=1: the race build (sim/race.c; docs/races.md), without the model's tests.

SIM_CC ?= gcc
SIM_SANITIZE := $(if $(SIM_SAN),-fsanitize=address -fsanitize=undefined -fno-sanitize-recover=all)
SIM_ISA ?= x86
SIM_BUILD ?= build/sim-$(SIM_ISA)$(if $(SIM_SAN),-san)$(if $(SIM_RACE),-race)
SIM := $(SIM_BUILD)/tlblab-sim

# The kernel's C that runs in the model, unchanged.
SIM_SHARED := $(filter-out tests/guest/run.c tests/litmus/guest.c, \
	$(wildcard mm/*.c mm/*/*.c smp/*.c task/*.c tests/guest/*.c tests/litmus/*.c tests/sabotage/*.c)) \
	$(wildcard arch/$(SIM_ISA)/*.c) lib/printf.c lib/words.c lib/counter.c lib/boot_memory.c lib/stats.c boot/options.c \
	boot/option_values.c
# In the shared floors, but not in the model yet.
SIM_TODO := $(filter-out $(SIM_SHARED),$(wildcard lib/*.c mm/*.c mm/*/*.c smp/*.c task/*.c bench/*.c tests/guest/*.c \
	tests/sabotage/*.c arch/$(SIM_ISA)/*.c))
SIM_SOURCES := $(SIM_SHARED) $(filter-out $(if $(SIM_RACE),,sim/race.c),$(wildcard sim/*.c sim/$(SIM_ISA)/*.c tests/sim/*.c))
SIM_OBJECTS := $(SIM_SOURCES:%=$(SIM_BUILD)/%.o)

# Not -Wunused-function: insn.h of the port declares more instructions than run here. --wrap: the oracles see these (sim/oracle.c).
SIM_CFLAGS := -std=gnu11 -O2 -g -fno-pie -fno-common -Wall -Wextra \
	-Wno-unused-function -Wno-missing-field-initializers -Isim/$(SIM_ISA) -Isim \
	-Iarch/$(SIM_ISA) -I. -Iinclude -I$(SIM_BUILD) -MMD -MP \
	$(SIM_SANITIZE) $(if $(SIM_RACE),-DSIM_RACE) $(if $(WERROR),-Werror)
SIM_WRAP := gather_open gather_clear gather_change gather_close gather_flush_batch frame_put frame_free \
	lock_take lock_take_alone lock_release rwlock_take_shared rwlock_release_shared rwlock_take_exclusive \
	rwlock_release_exclusive pte_read
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
	$(Q)mkdir -p $(@D) && $(SIM_CC) $(SIM_CFLAGS) $(SIM_HOOKS) $(MUTATED) -c $< -o $@

$(SIM_BUILD)/flags: FORCE
	$(call write_if_changed,'$(SIM_CC) $(SIM_CFLAGS)')

# In the race build the compiler puts a hook before each plain access of the kernel's code; there is no libtsan.
ifdef SIM_RACE
$(patsubst %,$(SIM_BUILD)/%.o,$(SIM_SHARED) $(wildcard tests/sim/*.c)): SIM_HOOKS := -fsanitize=thread \
	--param tsan-instrument-func-entry-exit=0
endif

# A replay belongs to one state of the sources.
$(SIM_BUILD)/sim_build.h: $(filter-out sim/main.c sim/arguments.c sim/replay.c,$(SIM_SOURCES)) \
		$(wildcard include/*.h include/*/*.h mm/*.h mm/*/*.h smp/*.h sim/*.h sim/*/*.h)
	@mkdir -p $(@D) && printf '#define SIM_BUILD "%s"\n' "$$(cat $^ | cksum | tr ' ' -)" >$@

$(SIM_BUILD)/sim/replay.c.o: $(SIM_BUILD)/sim_build.h

# The model and its tests, no kernel.
MODEL_SOURCES := $(filter-out %/port.c,$(wildcard sim/$(SIM_ISA)/*.c)) $(wildcard sim/$(SIM_ISA)/test/*.c sim/test/*.c) \
	$(addprefix sim/,step.c choose.c fiber.c tlb.c walk.c arena.c names.c stale_set.c oracle_list.c) \
	$(addprefix sim/,exhaust.c exhaust_node.c exhaust_seen.c reduce.c state_model.c)
MODEL_OBJECTS := $(MODEL_SOURCES:%=$(SIM_BUILD)/%.o)

.PHONY: sim-test
sim-test: $(SIM_BUILD)/model-test
	$(if $(V),,@echo "  MODEL")
	$(Q)$<

$(SIM_BUILD)/model-test: $(MODEL_OBJECTS)
	$(if $(V),,@echo "  LINK    $@")
	$(Q)$(SIM_CC) -no-pie $(SIM_SANITIZE) $^ -o $@

-include $(sort $(SIM_OBJECTS:.o=.d) $(MODEL_OBJECTS:.o=.d))
