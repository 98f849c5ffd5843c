/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The EFI stub: collects what firmware has for the kernel, puts a copy of the image where that may be loaded, leaves boot services,
 * and enters the copy as a loader would. It looks at nothing that it collects: boot/efi.c does, in the kernel, with a console to
 * report on. Owns no state, and writes none but on the stack and in memory that firmware gave: the image may be read only.
 *
 * It runs where firmware put it, not where it was linked: no address may come out of data (step lint-objects-arm64 looks at the
 * relocations of this object). (UEFI Specification 2.10: 7.4.6 leaving, 4.6 tables, 10.3.5.4 paths)
 */
#include "arch/arm64/metal/efi.h"
#include "arch/arm64/regs.h"
#include "boot_info.h"
#include "lib/string.h"

#define TRIES 8 /* at leaving */
#define SPARE 16 /* descriptors: what is allocated between two looks at the map */
#define PATH_MAX 256
#define NODE_END 0x7f
#define NODE_MEDIA 4
#define MEDIA_FILE 4

static const struct efi_guid loaded_image = { 0x5b1b31a1, 0x9562, 0x11d2, { 0x8e, 0x3f, 0, 0xa0, 0xc9, 0x69, 0x72, 0x3b } };
static const struct efi_guid file_system = { 0x964e5b22, 0x6459, 0x11d2, { 0x8e, 0x39, 0, 0xa0, 0xc9, 0x69, 0x72, 0x3b } };
static const struct efi_guid acpi_20 = { 0x8868e871, 0xe4f1, 0x11d3, { 0xbc, 0x22, 0, 0x80, 0xc7, 0x3c, 0x88, 0x81 } };
static const struct efi_guid device_tree = { 0xb1b621d5, 0xf19c, 0x41a5, { 0x83, 0x0b, 0xd9, 0x15, 0x2c, 0x69, 0xaa, 0xe0 } };
static const struct efi_guid global_variable = { 0x8be4df61, 0x93ca, 0x11d2, { 0xaa, 0x0d, 0, 0xe0, 0x98, 0x03, 0x2b, 0x8c } };

/* What the kernel will read, in one piece. */
struct package {
	struct efi_handoff handoff;
	u8 config[EFI_CONFIG_MAX + 1];
};

static efi_status say(struct efi_system *system, const efi_char *text, efi_status status)
{
	if (system->out) {
		system->out->output(system->out, u"tlblab: ");
		system->out->output(system->out, text);
		system->out->output(system->out, u"\r\n");
	}
	return status;
}

static u64 find_table(const struct efi_system *system, const struct efi_guid *vendor)
{
	for (u64 i = 0; i < system->nr_tables; i++)
		if (!memcmp(&system->tables[i].vendor, vendor, sizeof(*vendor)))
			return system->tables[i].table;
	return 0;
}

static u64 secure_boot(struct efi_system *system)
{
	u64 bytes = 1;
	u8 on = 0;

	if (system->runtime->get_variable(u"SecureBoot", &global_variable, NULL, &bytes, &on) || bytes != 1)
		return EFI_SECURE_UNKNOWN;
	return on ? EFI_SECURE_ON : EFI_SECURE_OFF;
}

/* Texts of all nodes of the path that are parts of a file's name, behind the *n characters. False: it is none, or too long. */
static bool image_path(const u8 *node, efi_char *path, size_t *n)
{
	unsigned bytes;

	for (; node && node[0] != NODE_END; node += bytes) {
		bytes = node[2] | node[3] << 8;
		if (bytes < 4 || *n + bytes / 2 >= PATH_MAX)
			return false;
		if (node[0] != NODE_MEDIA || node[1] != MEDIA_FILE)
			continue;
		if (*n && path[*n - 1] != '\\')
			path[(*n)++] = '\\';
		for (unsigned i = 4; i + 1 < bytes && (node[i] | node[i + 1]); i += 2)
			path[(*n)++] = (efi_char)(node[i] | node[i + 1] << 8);
	}
	return true;
}

/* tlblab.cfg in the directory of the image. False: nobody can say which that is. */
static bool config_path(const u8 *node, efi_char *path)
{
	static const efi_char name[] = u"tlblab.cfg";
	size_t n = 0;

	if (!image_path(node, path, &n))
		return false;
	while (n && path[n - 1] != '\\')
		n--;
	if (n + ARRAY_SIZE(name) > PATH_MAX)
		return false;
	memcpy(path + n, name, sizeof(name));
	return true;
}

/* No such file, or no file system: no bytes. */
static efi_status read_config(struct efi_system *system, const struct efi_loaded_image *image, u8 *buffer, u64 *bytes)
{
	struct efi_volume *volume;
	struct efi_file *root, *file;
	efi_char path[PATH_MAX];
	efi_status status;
	u64 room = *bytes;

	*bytes = 0;
	if (!image->device || system->boot->handle_protocol(image->device, &file_system, (void **)&volume) ||
	    !config_path(image->path, path) || volume->open(volume, &root))
		return 0;
	status = root->open(root, &file, path, EFI_FILE_READ, 0);
	if (!status) {
		status = file->read(file, &room, buffer);
		*bytes = status ? 0 : room;
		file->close(file);
	}
	root->close(root);
	return status == EFI_NOT_FOUND ? 0 : status;
}

static efi_status collect(void *handle, struct efi_system *system, struct package *package)
{
	struct efi_handoff *out = &package->handoff;
	struct efi_loaded_image *image;
	efi_status status = system->boot->handle_protocol(handle, &loaded_image, (void **)&image);

	if (status)
		return say(system, u"firmware does not say how it loaded this image", status);
	*out = (struct efi_handoff){ .magic = EFI_HANDOFF_MAGIC, .vendor = (u64)system->vendor };
	out->fdt = find_table(system, &device_tree);
	out->rsdp = find_table(system, &acpi_20);
	out->options = (u64)image->options;
	out->options_bytes = image->options ? image->options_bytes : 0;
	out->secure_boot = secure_boot(system);
	out->config = (u64)package->config;
	out->config_bytes = sizeof(package->config);
	status = read_config(system, image, package->config, &out->config_bytes);
	return status ? say(system, u"tlblab.cfg is there, but can't be read", status) : 0;
}

/* At a multiple of 2 MiB, within what the kernel maps directly; all of its last 2 MiB belong to it. */
static efi_status copy_image(struct efi_boot_services *boot, const void *image, u64 file_bytes, u64 image_bytes, u64 *copy)
{
	u64 at = DIRECT_MAP_BYTES - 1;
	efi_status status = boot->allocate_pages(EFI_ALLOCATE_MAX_ADDRESS, EFI_LOADER_DATA,
						 (ALIGN_UP(image_bytes, LARGE_SIZE) + LARGE_SIZE) / EFI_PAGE, &at);

	if (status)
		return status;
	*copy = ALIGN_UP(at, LARGE_SIZE);
	memcpy((void *)*copy, image, file_bytes);
	return 0;
}

/* The buffer for the map must be there before: firmware that has refused once may give no more memory. */
static efi_status map_buffer(struct efi_boot_services *boot, struct efi_handoff *out)
{
	u64 bytes = 0, key, size = 0;
	u32 version;
	void *map;
	efi_status status = boot->get_memory_map(&bytes, NULL, &key, &size, &version);

	if (status != EFI_BUFFER_TOO_SMALL)
		return status ? status : EFI_UNSUPPORTED;
	bytes += SPARE * size;
	status = boot->allocate_pool(EFI_LOADER_DATA, bytes, &map);
	out->map = (u64)map;
	out->map_bytes = bytes;
	return status;
}

/* What firmware allocates after our look at the map, a timer's handler for one, makes the key stale: it refuses, we look again. */
static efi_status leave_boot_services(struct efi_boot_services *boot, void *handle, struct efi_handoff *out)
{
	u64 room = out->map_bytes, key;
	efi_status status = EFI_INVALID_PARAMETER;

	for (unsigned i = 0; i < TRIES && status == EFI_INVALID_PARAMETER; i++) {
		u32 version;

		out->map_bytes = room;
		status = boot->get_memory_map(&out->map_bytes, (void *)out->map, &key, &out->descriptor_bytes, &version);
		if (!status)
			status = boot->exit_boot_services(handle, key);
	}
	return status;
}

efi_status efi_stub(void *handle, struct efi_system *system, const void *image, u64 file_bytes, u64 image_bytes)
{
	struct efi_boot_services *boot = system->boot;
	struct package *package;
	efi_status status;
	u64 copy;

	status = boot->allocate_pool(EFI_LOADER_DATA, sizeof(*package), (void **)&package);
	if (status)
		return say(system, u"firmware gives no memory", status);
	status = collect(handle, system, package);
	if (status)
		return status;
	status = copy_image(boot, image, file_bytes, image_bytes, &copy);
	if (!status)
		status = map_buffer(boot, &package->handoff);
	if (status)
		return say(system, u"firmware gives no memory, or no map of it", status);
	/* From here on nothing can be said: a firmware that has refused once has taken part of itself away. */
	status = leave_boot_services(boot, handle, &package->handoff);
	if (status)
		return status;
	efi_leave(&package->handoff, copy, file_bytes);
}
