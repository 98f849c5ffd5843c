/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a multiboot2 loader left (Multiboot2 Specification 2.0, section 3.6): a total size, then tags, each 8-byte aligned with
 * its own type and size, the last of type 0. Pure: looks at the bytes given, at nothing else.
 */
#include "boot_info.h"
#include "boot/bytes.h"
#include "boot/efi_map.h"
#include "lib/string.h"

enum tag_type { TAG_END = 0, TAG_CMDLINE = 1, TAG_LOADER = 2, TAG_MMAP = 6, TAG_RSDP_V1 = 14, TAG_RSDP_V2 = 15, TAG_EFI_MMAP = 17 };

#define INFO_HEADER 8 /* total size, reserved */
#define TAG_HEADER 8 /* type, size */
#define LIST_HEADER 16 /* of both memory maps: type, size, size of an entry, version */

/* The tags that are of use; .at is NULL where there was none. */
struct tags {
	struct bytes cmdline, loader, mmap, efi_mmap, rsdp_v1, rsdp_v2;
};

static struct bytes *tag_place(struct tags *tags, u32 type)
{
	switch (type) {
	case TAG_CMDLINE:
		return &tags->cmdline;
	case TAG_LOADER:
		return &tags->loader;
	case TAG_MMAP:
		return &tags->mmap;
	case TAG_EFI_MMAP:
		return &tags->efi_mmap;
	case TAG_RSDP_V1:
		return &tags->rsdp_v1;
	case TAG_RSDP_V2:
		return &tags->rsdp_v2;
	default:
		return NULL;
	}
}

/* NULL, or what is wrong. Each step is at least TAG_HEADER bytes, so it ends. */
static const char *find_tags(struct bytes info, struct tags *tags)
{
	u64 at = INFO_HEADER, size;
	struct bytes *place;
	u32 type;

	for (; bytes_have(info, at, TAG_HEADER); at = ALIGN_UP(at + size, 8)) {
		type = bytes_get32(info, at);
		size = bytes_get32(info, at + 4);
		if (size < TAG_HEADER || !bytes_have(info, at, size))
			return "multiboot2: a tag's size does not fit into the information";
		if (type == TAG_END)
			return NULL;
		place = tag_place(tags, type);
		if (place)
			*place = bytes_sub(info, at, size);
	}
	return "multiboot2: the end tag is missing";
}

/* Copies the string of a tag to buf; false: it does not end within the tag, or does not fit and is cut. */
static bool copy_string(struct bytes tag, char *buf, size_t size)
{
	u64 i;

	for (i = 0; i < size && bytes_have(tag, TAG_HEADER + i, 1); i++) {
		buf[i] = (char)tag.at[TAG_HEADER + i];
		if (!buf[i])
			return true;
	}
	buf[size - 1] = '\0';
	return false;
}

static enum mem_kind e820_kind(u32 type)
{
	return type == 1 ? MEM_USABLE : type == 3 || type == 4 ? MEM_ACPI : MEM_RESERVED;
}

static struct mem_range e820_range(struct bytes entry)
{
	u64 start = bytes_get64(entry, 0);

	return (struct mem_range){ PA(start), PA(start + bytes_get64(entry, 8)), e820_kind(bytes_get32(entry, 16)) };
}

static const char *read_map(struct bytes tag, unsigned smallest, struct mem_range (*read)(struct bytes entry), struct mem_map *map)
{
	u64 at, entry_size = bytes_get32(tag, 8);
	struct mem_range r;

	if (tag.n < LIST_HEADER || entry_size < smallest || (tag.n - LIST_HEADER) % entry_size)
		return "multiboot2: the memory map's tag has a wrong size";
	for (at = LIST_HEADER; at < tag.n; at += entry_size) {
		r = read(bytes_sub(tag, at, entry_size));
		if (r.end.raw < r.start.raw)
			return "multiboot2: a range of the memory map ends before it starts";
		if (!mem_map_add(map, r.start, r.end, r.kind))
			return "multiboot2: the memory map has too many ranges";
	}
	return NULL;
}

static const char *read_memory(const struct tags *tags, struct mem_map *map)
{
	if (tags->mmap.at)
		return read_map(tags->mmap, 20, e820_range, map);
	if (tags->efi_mmap.at)
		return read_map(tags->efi_mmap, EFI_DESCRIPTOR, efi_range, map);
	return "multiboot2: the loader gave no memory map (tag 6 or 17)";
}

static void read_rsdp(const struct tags *tags, struct boot_info *out)
{
	struct bytes tag = tags->rsdp_v2.at ? tags->rsdp_v2 : tags->rsdp_v1;
	struct bytes rsdp = bytes_sub(tag, TAG_HEADER, sizeof(out->rsdp_copy));

	if (!rsdp.at)
		return;
	memcpy(out->rsdp_copy, rsdp.at, rsdp.n);
	out->rsdp_bytes = (unsigned)rsdp.n;
}

static const char *read_all(struct bytes info, struct boot_info *out)
{
	struct tags tags = { 0 };
	const char *error;

	if (info.n < INFO_HEADER || bytes_get32(info, 0) > info.n)
		return "multiboot2: the information is longer than what can be read";
	info.n = bytes_get32(info, 0);
	error = find_tags(info, &tags);
	if (error)
		return error;
	if (tags.cmdline.at && !copy_string(tags.cmdline, out->cmdline, sizeof(out->cmdline)))
		return "multiboot2: the command line does not end, or is longer than 2047 bytes";
	if (tags.loader.at)
		copy_string(tags.loader, out->loader, sizeof(out->loader)); /* only a name: cut is fine */
	read_rsdp(&tags, out);
	return read_memory(&tags, &out->map);
}

void multiboot2_parse(const void *bytes, size_t length, struct boot_info *out)
{
	memset(out, 0, sizeof(*out));
	out->protocol = "multiboot2";
	out->error = read_all((struct bytes){ bytes, length }, out);
}
