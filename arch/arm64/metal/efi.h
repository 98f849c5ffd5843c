/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Of UEFI's interfaces what the stub calls. A table's functions are listed in its order; `unused` are the ones between. (UEFI
 * Specification 2.10: 4.3 system table, 4.4 boot services, 8.2 variables, 9.1 loaded image, 12.4 text, 13.4 and 13.5 files)
 */
#ifndef ARCH_ARM64_METAL_EFI_H
#define ARCH_ARM64_METAL_EFI_H

#include "types.h"

typedef unsigned short efi_char; /* UCS-2 */
typedef u64 efi_status;

#define EFI_ERROR(n) (1ull << 63 | (n))
#define EFI_INVALID_PARAMETER EFI_ERROR(2)
#define EFI_UNSUPPORTED EFI_ERROR(3)
#define EFI_BUFFER_TOO_SMALL EFI_ERROR(5)
#define EFI_NOT_FOUND EFI_ERROR(14)

enum { EFI_ALLOCATE_MAX_ADDRESS = 1 };
enum { EFI_LOADER_DATA = 2 };
#define EFI_PAGE 4096
#define EFI_FILE_READ 1

struct efi_guid {
	u32 a;
	u16 b, c;
	u8 d[8];
};

struct efi_header {
	u64 signature;
	u32 revision, bytes, crc, reserved;
};

struct efi_text {
	void *unused;
	efi_status (*output)(struct efi_text *self, const efi_char *text);
};

struct efi_file {
	u64 revision;
	efi_status (*open)(struct efi_file *self, struct efi_file **file, const efi_char *name, u64 mode, u64 attributes);
	efi_status (*close)(struct efi_file *self);
	void *unused;
	efi_status (*read)(struct efi_file *self, u64 *bytes, void *buffer);
};

struct efi_volume {
	u64 revision;
	efi_status (*open)(struct efi_volume *self, struct efi_file **root);
};

struct efi_loaded_image {
	u32 revision;
	void *parent, *system;
	void *device; /* a handle; NULL: it came from memory */
	const u8 *path; /* on the device */
	void *unused;
	u32 options_bytes;
	const void *options;
};

struct efi_boot_services {
	struct efi_header header;
	void *unused0[2];
	efi_status (*allocate_pages)(unsigned how, unsigned type, u64 pages, u64 *address);
	void *unused1;
	efi_status (*get_memory_map)(u64 *bytes, void *map, u64 *key, u64 *descriptor_bytes, u32 *descriptor_version);
	efi_status (*allocate_pool)(unsigned type, u64 bytes, void **buffer);
	void *unused2[10];
	efi_status (*handle_protocol)(void *handle, const struct efi_guid *protocol, void **interface);
	void *unused3[9];
	efi_status (*exit_boot_services)(void *handle, u64 key);
};

struct efi_runtime_services {
	struct efi_header header;
	void *unused[6];
	efi_status (*get_variable)(const efi_char *name, const struct efi_guid *vendor, u32 *attributes, u64 *bytes, void *data);
};

struct efi_configuration {
	struct efi_guid vendor;
	u64 table;
};

struct efi_system {
	struct efi_header header;
	const efi_char *vendor;
	u32 revision;
	void *in_handle, *in, *out_handle;
	struct efi_text *out;
	void *err_handle, *err;
	struct efi_runtime_services *runtime;
	struct efi_boot_services *boot;
	u64 nr_tables;
	const struct efi_configuration *tables;
};

/* Returns only if something is wrong; then that is on firmware's console. (stub.c) */
efi_status efi_stub(void *handle, struct efi_system *system, const void *image, u64 file_bytes, u64 image_bytes);

struct efi_handoff;
_Noreturn void efi_leave(const struct efi_handoff *handoff, u64 image, u64 file_bytes); /* efi.S */

#endif
