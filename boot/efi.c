/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the EFI stub handed over: struct efi_handoff, which says where firmware has what (UEFI Specification 2.10: 7.2 memory map,
 * 9.1 load options). Pure: memory is looked at through the reader given only.
 *
 * The device tree says what hardware there is, if it lists a CPU: GRUB gives one with nothing in it where firmware has none. Its
 * memory is not believed, but for what it reserves. Nor is its command line: that is in the load options, or if these are empty
 * in tlblab.cfg.
 */
#include "boot/bytes.h"
#include "boot/efi_map.h"
#include "boot_info.h"
#include "lib/string.h"

#define MAP_MAX (1u << 20)
#define OPTIONS_MAX (64u << 10)
#define NO_CHARACTER 0xff /* for what is none in ASCII: the options' parser says where it stands */

static const char too_long[] = "efi: the command line is longer than 2047 bytes";

static struct bytes read(phys_reader at, u64 pa, u64 n)
{
	const u8 *p = pa && n ? at(PA(pa), n) : NULL;

	return (struct bytes){ p, p ? n : 0 };
}

static u8 character(u64 unit)
{
	return unit && unit < 0x80 ? (u8)unit : NO_CHARACTER;
}

/* Only a name: cut is fine. Unit by unit, because where it ends is seen when it ends. */
static void read_vendor(phys_reader at, u64 pa, struct boot_info *out)
{
	for (size_t i = 0; i < sizeof(out->loader) - 1; i++) {
		u64 unit = bytes_get(read(at, pa ? pa + 2 * i : 0, 2), 0, 2);

		if (!unit)
			return;
		out->loader[i] = unit >= 0x20 && unit < 0x7f && unit != '"' && unit != '\\' ? (char)unit : '?';
	}
}

/* What loaders put before the options: GRUB where the image is from, UEFI's shell the command. */
static bool is_image_name(const char *word, size_t n)
{
	static const char grub[] = "BOOT_IMAGE=", suffix[] = ".efi";

	if (n >= sizeof(grub) - 1 && !strncmp(word, grub, sizeof(grub) - 1))
		return true;
	if (n < sizeof(suffix))
		return false;
	for (size_t i = 1; i < sizeof(suffix); i++)
		if ((word[n - i] | 0x20) != (suffix[sizeof(suffix) - 1 - i] | 0x20))
			return false;
	for (size_t i = 0; i < n; i++)
		if (word[i] == '=')
			return false;
	return true;
}

/* The line without the image's name and without spaces at its start. */
static void trim(char *line)
{
	size_t start = 0, end;

	while (line[start] == ' ')
		start++;
	for (end = start; line[end] && line[end] != ' ';)
		end++;
	if (is_image_name(line + start, end - start))
		for (start = end; line[start] == ' ';)
			start++;
	memmove(line, line + start, strlen(line + start) + 1);
}

static const char *read_options(struct bytes text, struct boot_info *out)
{
	u64 n = text.n / 2, unit;

	for (u64 i = 0; i < n && (unit = bytes_get(text, 2 * i, 2)); i++) {
		if (i == sizeof(out->cmdline) - 1)
			return too_long;
		out->cmdline[i] = (char)character(unit);
	}
	trim(out->cmdline);
	return NULL;
}

/* Its lines become one; # begins a comment. */
static const char *read_config(struct bytes text, struct boot_info *out)
{
	bool comment = false;
	size_t n = 0;

	for (u64 i = 0; i < text.n; i++) {
		u8 c = text.at[i];
		bool space = c == '\n' || c == '\r' || c == '\t' || c == ' ';

		comment = (comment || c == '#') && c != '\n';
		if (comment || (space && (!n || out->cmdline[n - 1] == ' ')))
			continue;
		if (n == sizeof(out->cmdline) - 1)
			return too_long;
		out->cmdline[n++] = (char)(space ? ' ' : character(c));
	}
	n -= n && out->cmdline[n - 1] == ' ';
	out->cmdline[n] = '\0';
	return NULL;
}

static const char *read_cmdline(phys_reader at, const struct efi_handoff *in, struct boot_info *out)
{
	struct bytes options = read(at, in->options, in->options_bytes), config = read(at, in->config, in->config_bytes);
	const char *error;

	memset(out->cmdline, 0, sizeof(out->cmdline));
	if (in->options_bytes > OPTIONS_MAX || (in->options_bytes && !options.at))
		return "efi: the load options cannot be read";
	error = read_options(options, out);
	if (error || out->cmdline[0])
		return error;
	if (in->config_bytes > EFI_CONFIG_MAX)
		return "efi: tlblab.cfg is longer than 16 KiB";
	if (in->config_bytes && !config.at)
		return "efi: tlblab.cfg cannot be read";
	return read_config(config, out);
}

static const char *read_memory(phys_reader at, const struct efi_handoff *in, struct mem_map *map)
{
	u64 size = in->descriptor_bytes, n = in->map_bytes;
	struct bytes all;

	if (size < EFI_DESCRIPTOR || !n || n > MAP_MAX || n % size)
		return "efi: the memory map has a wrong size";
	all = read(at, in->map, n);
	if (!all.at)
		return "efi: the memory map cannot be read";
	for (u64 i = 0; i < n; i += size) {
		struct mem_range r = efi_range(bytes_sub(all, i, size));

		if (r.end.raw < r.start.raw)
			return "efi: a range of the memory map ends before it starts";
		if (!mem_map_add(map, r.start, r.end, r.kind))
			return "efi: the memory map has too many ranges";
	}
	return NULL;
}

static void keep_reserved(struct mem_map *map)
{
	unsigned n = 0;

	for (unsigned i = 0; i < map->nr; i++)
		if (map->range[i].kind == MEM_RESERVED)
			map->range[n++] = map->range[i];
	map->nr = n;
}

/* A tree that is damaged is an error; one that lists no CPU counts as none if there is ACPI. */
static const char *read_tree(phys_reader at, const struct efi_handoff *in, struct boot_info *out, struct hw_info *hw)
{
	if (in->fdt) {
		fdt_parse(PA(in->fdt), at, out, hw);
		keep_reserved(&out->map);
	}
	if (out->error || !in->rsdp || (in->fdt && !hw->error))
		return out->error;
	hw_info_clear(hw);
	out->tree = false;
	return NULL;
}

static const char *read_all(struct bytes block, phys_reader at, struct boot_info *out, struct hw_info *hw)
{
	static const char *const secure[] = { "unknown", "off", "on" };
	struct efi_handoff in;
	const char *error;

	if (!block.at)
		return "efi: what the stub hands over cannot be read";
	memcpy(&in, block.at, sizeof(in));
	if (in.magic != EFI_HANDOFF_MAGIC)
		return "efi: the stub hands over nothing";
	error = read_tree(at, &in, out, hw);
	out->protocol = "efi";
	out->rsdp = PA(in.rsdp);
	out->secure_boot = secure[in.secure_boot < ARRAY_SIZE(secure) ? in.secure_boot : EFI_SECURE_UNKNOWN];
	read_vendor(at, in.vendor, out);
	out->line_error = read_cmdline(at, &in, out);
	if (!error)
		error = read_memory(at, &in, &out->map);
	if (!error && !in.fdt && !in.rsdp)
		error = "efi: firmware gives neither a device tree nor ACPI tables";
	return error;
}

void efi_parse(struct pa handoff, phys_reader at, struct boot_info *out, struct hw_info *hw)
{
	memset(out, 0, sizeof(*out));
	hw_info_clear(hw);
	out->protocol = "efi";
	out->error = read_all(read(at, handoff.raw, sizeof(struct efi_handoff)), at, out, hw);
}
