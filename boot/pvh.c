/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a PVH loader (QEMU's -kernel, Xen) left: struct hvm_start_info of Xen's public headers (arch-x86/hvm/start_info.h), which
 * points to the rest by physical addresses. Pure: memory is looked at through the reader given only.
 */
#include "boot_info.h"
#include "boot/bytes.h"
#include "lib/string.h"

#define START_MAGIC 0x336ec578 /* "xEn3" with its highest bit set */
#define START_SIZE_V0 40
#define START_SIZE_V1 56
#define ENTRY_SIZE 24
#define MAX_ENTRIES 1024 /* more is a lie, and would keep us busy for long */

static struct bytes read(phys_reader at, u64 pa, u64 n)
{
	const u8 *p = at(PA(pa), n);

	return (struct bytes){ p, p ? n : 0 };
}

/* Byte by byte: how long it is, and whether what follows it can be read, is not known before its end is seen. */
static const char *read_cmdline(phys_reader at, u64 pa, struct boot_info *out)
{
	size_t i;

	for (i = 0; pa && i < sizeof(out->cmdline); i++) {
		struct bytes byte = read(at, pa + i, 1);

		if (!byte.at)
			return "pvh: the command line cannot be read";
		out->cmdline[i] = (char)byte.at[0];
		if (!out->cmdline[i])
			return NULL;
	}
	out->cmdline[sizeof(out->cmdline) - 1] = '\0';
	return pa ? "pvh: the command line is longer than 2047 bytes" : NULL;
}

/* The same numbers as E820's. */
static enum mem_kind kind_of(u32 type)
{
	return type == 1 ? MEM_USABLE : type == 3 || type == 4 ? MEM_ACPI : MEM_RESERVED;
}

static const char *read_memory(phys_reader at, u64 pa, u32 entries, struct mem_map *map)
{
	u64 start, end;
	u32 i;

	if (!pa || !entries || entries > MAX_ENTRIES)
		return "pvh: the memory map has no entries, or too many";
	for (i = 0; i < entries; i++) {
		struct bytes entry = read(at, pa + (u64)i * ENTRY_SIZE, ENTRY_SIZE);

		if (!entry.at)
			return "pvh: the memory map cannot be read";
		start = bytes_get64(entry, 0);
		end = start + bytes_get64(entry, 8);
		if (end < start)
			return "pvh: a range of the memory map ends before it starts";
		if (!mem_map_add(map, PA(start), PA(end), kind_of(bytes_get32(entry, 16))))
			return "pvh: the memory map has too many ranges";
	}
	return NULL;
}

static const char *read_all(u64 pa, phys_reader at, struct boot_info *out)
{
	struct bytes info = read(at, pa, START_SIZE_V0);
	const char *error;

	if (!info.at || bytes_get32(info, 0) != START_MAGIC)
		return "pvh: there is no start info where the loader says";
	error = read_cmdline(at, bytes_get64(info, 24), out);
	if (error)
		return error;
	out->rsdp = PA(bytes_get64(info, 32));
	if (bytes_get32(info, 4) < 1)
		return "pvh: start info version 0 has no memory map; version 1 is needed";
	info = read(at, pa, START_SIZE_V1);
	if (!info.at)
		return "pvh: the start info cannot be read as a whole";
	return read_memory(at, bytes_get64(info, 40), bytes_get32(info, 48), &out->map);
}

void pvh_parse(struct pa start_info, phys_reader at, struct boot_info *out)
{
	memset(out, 0, sizeof(*out));
	out->protocol = "pvh";
	out->error = read_all(start_info.raw, at, out);
}
