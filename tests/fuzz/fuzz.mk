# SPDX-License-Identifier: BSD-2-Clause
# `make fuzz TARGET=NAME [TIME=SECONDS] [RUNS=N] [ARGS=...]`: tests/fuzz/NAME.c under libFuzzer (tests/fuzz/fuzz.h); without TARGET
# the names. Which product sources it has stands in its comment `units: ...`, as in tests/unit.

FUZZ_CC ?= clang
FUZZ_BUILD := build/fuzz
FUZZ_CFLAGS := -std=gnu11 -O1 -g -Wall -Wextra -Wmissing-prototypes -Wno-missing-field-initializers -Wno-unused-function \
	-fno-omit-frame-pointer -fsanitize=address,undefined,fuzzer-no-link -fno-sanitize-recover=all \
	-I. -Iinclude -Ithird_party/libfdt -Itests/fuzz -Itests/unit -Itests/unit/host -MMD -MP $(if $(WERROR),-Werror)
FUZZ_TARGETS := $(sort $(notdir $(basename $(wildcard tests/fuzz/*.c))))
FUZZ_SHARED := tests/fuzz/host/driver.c tests/unit/host/host.c

define FUZZ_PROGRAM
fuzz_$1 := $(patsubst %.c,$(FUZZ_BUILD)/%.o,tests/fuzz/$1.c $(FUZZ_SHARED) $(call unit_sources,tests/fuzz/$1.c))

$(FUZZ_BUILD)/$1: $$(fuzz_$1)
	$(if $(V),,@echo "  LINK    $$@"; )$(FUZZ_CC) $(FUZZ_CFLAGS) -fsanitize=fuzzer $$^ -o $$@
endef
$(foreach target,$(FUZZ_TARGETS),$(eval $(call FUZZ_PROGRAM,$(target))))

$(FUZZ_BUILD)/%.o: %.c
	$(if $(V),,@echo "  CC      $@"; )mkdir -p $(@D) && $(FUZZ_CC) $(FUZZ_CFLAGS) -c $< -o $@

FUZZ_ARGS = -max_len=16384 -timeout=10 -artifact_prefix=$(FUZZ_BUILD)/$(TARGET)- -print_final_stats=1 \
	$(if $(RUNS),-runs=$(RUNS)) $(addprefix -max_total_time=,$(or $(TIME),$(if $(RUNS),,60)))

.PHONY: fuzz fuzz-build
ifeq ($(TARGET),)
fuzz:
	@printf 'make fuzz TARGET=... TIME=SECONDS; targets: $(FUZZ_TARGETS)\n'
else
ifneq ($(filter fuzz,$(MAKECMDGOALS)),)
ifeq ($(filter $(TARGET),$(FUZZ_TARGETS)),)
$(error TARGET=$(TARGET): accepted are $(FUZZ_TARGETS))
endif
endif
fuzz: $(FUZZ_BUILD)/$(TARGET)
	$(Q)mkdir -p $(FUZZ_BUILD)/$(TARGET).corpus
	$(Q)$< $(FUZZ_ARGS) $(or $(ARGS),$(FUZZ_BUILD)/$(TARGET).corpus tests/fuzz/corpus/$(TARGET))
endif

fuzz-build: $(FUZZ_TARGETS:%=$(FUZZ_BUILD)/%)

-include $(patsubst %.o,%.d,$(sort $(foreach target,$(FUZZ_TARGETS),$(fuzz_$(target)))))
