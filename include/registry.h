/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Registries: a thing (option, benchmark, test, choice, counter, ...) is one const struct, put into a linker section by one
 * macro. Help, the banner, docs and tests walk the sections, so adding a thing touches one file.
 *
 * What each piece is for (each was a trap once, with gcc, clang, bfd or lld):
 *  - The object is external and named after the thing: the linker refuses a second one of the same name.
 *  - The section's name is a C identifier: the linker then defines __start_ and __stop_ by itself.
 *  - The bounds are weak: an empty registry has none.
 *  - aligned(__alignof__(type)): gcc otherwise pads large objects to 32 bytes and the section is no array any more.
 *  - used, retain: neither the compiler nor --gc-sections may drop it.
 *  - Iteration compares with <; registry_check() verifies at boot that the section's size divides. A new registry is named there.
 */
#ifndef REGISTRY_H
#define REGISTRY_H

#include "types.h"

#if defined(__has_attribute) && __has_attribute(retain)
#define REGISTRY_KEEP used, retain
#else
#define REGISTRY_KEEP used
#endif

#define REGISTRY_ENTRY(section_name, type, symbol)                                                           \
	extern const struct type symbol;                                                                     \
	const struct type symbol __attribute__((section(#section_name), REGISTRY_KEEP, aligned(__alignof__(struct type))))

#define REGISTRY_DECLARE(section_name, type)                                       \
	extern const struct type __start_##section_name[] __attribute__((weak)); \
	extern const struct type __stop_##section_name[] __attribute__((weak))

#define REGISTRY_FOR_EACH(p, section_name) for ((p) = __start_##section_name; (p) < __stop_##section_name; (p)++)

#define REGISTRY_COUNT(section_name) ((size_t)(__stop_##section_name - __start_##section_name))

#define REGISTRY_BYTES(section_name) ((size_t)((const char *)__stop_##section_name - (const char *)__start_##section_name))

/*
 * Ends the run unless the section is an array of whole entries, each with a name: boot/registries.c does it for each registry,
 * first thing at boot.
 */
#define REGISTRY_CHECK(section_name)                                                  \
	registry_check_section(&(struct registry){                                    \
		.section = #section_name,                                             \
		.start = __start_##section_name,                                      \
		.bytes = REGISTRY_BYTES(section_name),                                \
		.entry_bytes = sizeof(__start_##section_name[0]),                     \
		.name_offset = offsetof(__typeof__(__start_##section_name[0]), name), \
	})

struct registry {
	const char *section;
	const void *start;
	size_t bytes, entry_bytes, name_offset;
};

void registry_check_section(const struct registry *r);

/* All of them. (boot/registries.c) */
void registry_check(void);

#endif
