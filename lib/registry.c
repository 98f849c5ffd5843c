/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Is a registry's section the array that everybody walks? What the compiler and the linker made of it is looked at once, at boot.
 * No state.
 */
#include "check.h"
#include "registry.h"

void registry_check_section(const struct registry *r)
{
	const char *entry = r->start;
	size_t i;

	if (r->bytes % r->entry_bytes)
		panic("registry %s: %zu bytes are no whole number of entries of %zu", r->section, r->bytes, r->entry_bytes);
	for (i = 0; i < r->bytes / r->entry_bytes; i++, entry += r->entry_bytes)
		if (!*(const char *const *)(entry + r->name_offset))
			panic("registry %s: entry %zu has no name", r->section, i);
}
