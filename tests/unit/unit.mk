# SPDX-License-Identifier: BSD-2-Clause
# `make unit`: builds every tests/unit/*.c for the host, under sanitizers, and runs it. Which product sources a program is
# linked with stands in its own comment `units: ...`; each is compiled once, into build/unit/. Needs nothing of the kernel's
# build: `make -f tests/unit/unit.mk unit` does the same. UNIT_CC=clang works too (after removing build/unit/).

UNIT_CC ?= gcc
UNIT_BUILD := build/unit
UNIT_CFLAGS := -std=gnu11 -O1 -g -Wall -Wextra -Wmissing-prototypes -Wstrict-prototypes -fno-omit-frame-pointer \
	-fsanitize=address,undefined -fno-sanitize-recover=all -I. -Iinclude -Ithird_party/libfdt -Itests/unit -Itests/unit/host \
	-MMD -MP \
	$(if $(WERROR),-Werror)
UNIT_TESTS := $(sort $(notdir $(basename $(wildcard tests/unit/*.c))))

# What the units comment of $1 says; wildcards as in mm/?*.c.
unit_sources = $(wildcard $(shell sed -n '/^.\* units:/,$${h;s,^..\( units:\)\?,,;s,\*/,,;p;g;/\*\//q}' $1))

# What a program prints comes in one piece, also when several run at once.
define UNIT_PROGRAM
unit_$1 := $(patsubst %.c,$(UNIT_BUILD)/%.o,tests/unit/$1.c tests/unit/host/host.c tests/unit/host/runner.c \
	$(call unit_sources,tests/unit/$1.c))

$(UNIT_BUILD)/$1: $$(unit_$1)
	$(if $(V),,@echo "  LINK    $$@"; )$(UNIT_CC) $(UNIT_CFLAGS) $$^ -o $$@

.PHONY: unit-$1
unit-$1: $(UNIT_BUILD)/$1
	@$$< >$$<.log 2>&1; status=$$$$?; printf '  UNIT    $1\n%s\n' "$$$$(cat $$<.log)"; exit $$$$status
endef
$(foreach test,$(UNIT_TESTS),$(eval $(call UNIT_PROGRAM,$(test))))

# It uses few of the instructions that arch/arm64/insn.h declares.
$(UNIT_BUILD)/arch/arm64/pte.o: UNIT_CFLAGS += -Wno-unused-function

$(UNIT_BUILD)/third_party/%.o: UNIT_CFLAGS += -w

$(UNIT_BUILD)/%.o: %.c
	$(if $(V),,@echo "  CC      $@"; )mkdir -p $(@D) && $(UNIT_CC) $(UNIT_CFLAGS) -c $< -o $@

.PHONY: unit
unit: $(UNIT_TESTS:%=unit-%)

-include $(patsubst %.o,%.d,$(sort $(foreach test,$(UNIT_TESTS),$(unit_$(test)))))
