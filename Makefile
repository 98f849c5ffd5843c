# SPDX-License-Identifier: BSD-2-Clause
# make                  the kernel, build/x86_64/tlblab.elf
# make ARCH=arm64       build/arm64/tlblab.elf, and of it build/tlblab-arm64.efi: an EFI application and a Linux arm64 Image in one
# make iso [OPTIONS=..] build/tlblab-x86_64.iso: GRUB's menu; or, with OPTIONS, straight into the kernel with them ([ISO=]).
#                       ARCH=arm64: build/tlblab-arm64.iso, for UEFI
# make ARCH=arm64 esp   build/tlblab-arm64.esp: a FAT file system that UEFI boots from; OPTIONS in its tlblab.cfg ([ESP=])
# make ARCH=arm64 grub  what iso needs of GRUB for arm64, where the host is of another architecture: fetched, once
# make unit             host unit tests, under sanitizers
# make sim              the simulator, build/sim-x86/tlblab-sim; SIM_ISA=arm64: build/sim-arm64/tlblab-sim
# make fuzz TARGET=...  one of its parsers under libFuzzer, for TIME seconds (default 60); without TARGET: which there are
# make clean
# Also: CC=clang LD=ld.lld, V=1 (whole command lines), WERROR=1 (warnings are errors), BUILD=DIRECTORY. Nothing is written outside
# build/. Sources are found by wildcard: a new file is built without being named here.

VERSION := 0.1

ARCH := x86_64
CROSS_arm64 := aarch64-linux-gnu-
ifeq ($(origin CC),default)
CC := $(CROSS_$(ARCH))gcc
endif
ifeq ($(origin LD),default)
LD := $(CROSS_$(ARCH))ld
endif
OBJCOPY := $(CROSS_$(ARCH))objcopy
ifeq ($(filter $(ARCH),x86_64 arm64),)
$(error ARCH=$(ARCH): accepted are x86_64, arm64)
endif
BUILD ?= build/$(ARCH)
ISO ?= build/tlblab-$(ARCH).iso
ELF := $(BUILD)/tlblab.elf
IMAGE := $(if $(filter build/arm64,$(BUILD)),build,$(BUILD))/tlblab-arm64.efi
Q := $(if $(V),,@)

# All flags that make it a kernel of this ISA are here. MUTATED=-Wno-error is for copies with a bug in them (tools/zoo.py), and no
# reason to compile again what has none.
FLAGS_x86_64 := -m64 -fno-pie -mno-red-zone -mgeneral-regs-only -mcmodel=kernel
FLAGS_arm64 := -march=armv8-a -fno-pie -mgeneral-regs-only -mno-outline-atomics -mstrict-align -mcmodel=small
PORT := $(patsubst x86_64,x86,$(ARCH))
CPPFLAGS := -I. -Iinclude -Iarch/$(PORT)/metal -Iarch/$(PORT) -Ithird_party/libfdt -I$(BUILD) -MMD -MP
CFLAGS := -std=gnu11 -O2 -g -ffreestanding -fno-stack-protector -fno-asynchronous-unwind-tables -fno-common \
	$(FLAGS_$(ARCH)) -Wall -Wextra -Wmissing-prototypes -Wstrict-prototypes -Wvla -Wframe-larger-than=2048 \
	-Wno-missing-field-initializers $(if $(WERROR),-Werror) # a registry entry leaves out what is zero
LDFLAGS := -nostdlib -static -z max-page-size=4096 -z noexecstack --build-id=none

DIRECTORIES := boot lib smp mm mm/* task bench tests/guest tests/litmus tests/sabotage arch/$(PORT) arch/$(PORT)/metal \
	third_party/libfdt
SOURCES := $(sort $(wildcard $(DIRECTORIES:%=%/*.c) $(DIRECTORIES:%=%/*.S)))
OBJECTS := $(SOURCES:%=$(BUILD)/%.o)

.PHONY: all iso esp grub clean FORCE
all: $(ELF) $(if $(filter arm64,$(ARCH)),$(IMAGE))

$(ELF): $(OBJECTS) arch/$(PORT)/metal/kernel.ld $(BUILD)/link
	$(if $(V),,@echo "  LINK    $@")
	$(Q)$(LD) $(LDFLAGS) -T arch/$(PORT)/metal/kernel.ld -o $@ $(OBJECTS)

$(IMAGE): $(ELF)
	$(if $(V),,@echo "  IMAGE   $@")
	$(Q)$(OBJCOPY) -O binary $< $@

$(BUILD)/%.c.o: %.c $(BUILD)/flags
	$(if $(V),,@echo "  CC      $<")
	$(Q)mkdir -p $(@D) && $(CC) $(CPPFLAGS) $(CFLAGS) $(MUTATED) -c -o $@ $<

$(BUILD)/%.S.o: %.S $(BUILD)/flags
	$(if $(V),,@echo "  AS      $<")
	$(Q)mkdir -p $(@D) && $(CC) $(CPPFLAGS) $(FLAGS_$(ARCH)) -g -c -o $@ $<

# Others' code, as it is: their warnings are theirs.
$(BUILD)/third_party/%.c.o: CFLAGS += -w

# gcc makes a call to memcpy of a loop that is memcpy.
$(BUILD)/lib/string.c.o: CFLAGS += $(if $(findstring clang,$(CC)),-fno-builtin,-fno-tree-loop-distribute-patterns)

# Generated files, rewritten only when they change: objects are rebuilt when the compiler or its flags do, the kernel is
# linked when a source comes or goes, main.c is rebuilt when the build id changes.
define write_if_changed
	@mkdir -p $(@D) && printf '%s\n' $1 >$@.new && if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi
endef

$(BUILD)/flags: FORCE
	$(call write_if_changed,'$(CC) $(CFLAGS)')

$(BUILD)/link: FORCE
	$(call write_if_changed,'$(LD) $(LDFLAGS) $(OBJECTS)')

BUILD_ID := $(or $(shell git describe --always --dirty 2>/dev/null),unknown)
$(BUILD)/build_id.h: FORCE
	$(call write_if_changed,'#define TLBLAB_VERSION "$(VERSION)"' \
		'#define TLBLAB_BUILD "$(BUILD_ID)"' '#define TLBLAB_ARCH "$(ARCH)"')

$(BUILD)/boot/main.c.o: $(BUILD)/build_id.h

# GRUB's command for the kernel, and where its modules are if not where grub-mkrescue looks.
KERNEL_x86_64 := $(ELF)
KERNEL_arm64 := $(IMAGE)
COMMAND_x86_64 := multiboot2
COMMAND_arm64 := linux
GRUB_arm64 := $(firstword $(wildcard /usr/lib/grub/arm64-efi/linux.mod) build/grub/arm64-efi/linux.mod)
KERNEL := $(KERNEL_$(ARCH))

# The modules that a menu, a serial line and a kernel on a CD or stick need: 5 MB instead of 20.
GRUB_MODULES := $(COMMAND_$(ARCH)) normal configfile serial terminal iso9660 fat part_gpt part_msdos search search_fs_file echo \
	help minicmd reboot halt ls test

iso: $(KERNEL) $(GRUB_$(ARCH)) boot/grub.cfg.in FORCE
	$(if $(V),,@echo "  ISO     $(ISO)")
	$(Q)rm -rf $(BUILD)/iso && mkdir -p $(BUILD)/iso/boot/grub $(dir $(ISO)) && cp $(KERNEL) $(BUILD)/iso/boot/
	$(Q)sed -e 's|@TIMEOUT@|$(if $(OPTIONS),0,5)|; s|@TITLE@|$(if $(OPTIONS),as built,compare all strategies)|' \
		-e 's|@KERNEL@|$(COMMAND_$(ARCH)) /boot/$(notdir $(KERNEL))|' \
		-e 's|@OPTIONS@|$(subst |,\|,$(subst &,\&,$(OPTIONS)))|' boot/grub.cfg.in >$(BUILD)/iso/boot/grub/grub.cfg
	$(Q)grub-mkrescue -o $(ISO) $(if $(GRUB_$(ARCH)),-d $(dir $(GRUB_$(ARCH)))) --install-modules="$(GRUB_MODULES)" \
		--modules="part_gpt part_msdos" --locales= --fonts= --themes= $(BUILD)/iso >$(BUILD)/iso.log 2>&1 || \
		{ cat $(BUILD)/iso.log; false; }

grub: $(GRUB_$(ARCH))
build/grub/arm64-efi/linux.mod:
	$(if $(V),,@echo "  FETCH   $@")
	$(Q)mkdir -p build && { tools/grub_arm64.sh build/grub >build/grub.log 2>&1 || { cat build/grub.log; false; }; }

ESP ?= build/tlblab-arm64.esp
esp: $(KERNEL) FORCE
	$(if $(filter arm64,$(ARCH)),,$(error esp: ARCH=$(ARCH) has no EFI application; accepted is arm64))
	$(if $(V),,@echo "  ESP     $(ESP)")
	$(Q)mkdir -p $(dir $(ESP)) && rm -f $(ESP) && truncate -s 16M $(ESP) && mformat -i $(ESP) :: && \
		mmd -i $(ESP) ::/EFI ::/EFI/BOOT && mcopy -i $(ESP) $(KERNEL) ::/EFI/BOOT/BOOTAA64.EFI && \
		printf '%s\n' '$(OPTIONS)' | mcopy -i $(ESP) - ::/EFI/BOOT/tlblab.cfg

clean:
	$(Q)rm -rf build

-include $(OBJECTS:.o=.d)
-include tests/unit/unit.mk
-include tests/fuzz/fuzz.mk
include sim/sim.mk
include sim/closure/closure.mk
