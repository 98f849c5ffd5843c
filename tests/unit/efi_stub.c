/* SPDX-License-Identifier: BSD-2-Clause */
/* units: arch/arm64/metal/stub.c */
/* The EFI stub against a firmware made here, which refuses, fails and lies. It is checked that nothing is called after leaving. */
#include "arch/arm64/metal/efi.h"
#include "boot_info.h"
#include "unit.h"

#define LARGE (2u << 20)
#define FILE_BYTES 0x3000
#define IMAGE_BYTES 0x5000
#define VARIABLE "SecureBoot"

/* What the firmware does, and what it saw. */
static struct {
	u64 descriptor_bytes, descriptors; /* of the map, growing with each allocation */
	unsigned stale; /* times that leaving is refused */
	efi_status leave, pages, pool, map, loaded_image, file_system, volume, open, read, variable;
	u8 secure;
	const char *config;

	u64 key, wanted_room;
	unsigned left, maps, closed;
	bool leaving, gone;
	char path[300], said[300];
} fw;

static struct efi_handoff got;
static char got_config[EFI_CONFIG_MAX + 2];
static u64 got_image, got_bytes;
static jmp_buf left;
static u8 image[FILE_BYTES], *memory;
static void *pools[8];
static unsigned nr_pools;
static struct efi_loaded_image loaded;
static u8 path[1000];
static struct efi_volume volume;
static struct efi_file root, file;

void efi_leave(const struct efi_handoff *handoff, u64 copy, u64 file_bytes)
{
	got = *handoff;
	EXPECT(got.config_bytes <= EFI_CONFIG_MAX + 1);
	memcpy(got_config, (const void *)got.config, got.config_bytes);
	got_config[got.config_bytes] = '\0';
	got_image = copy;
	got_bytes = file_bytes;
	longjmp(left, 1);
}

/* After a first refusal only the map and leaving are allowed, after leaving nothing. */
static void service(void)
{
	EXPECT(!fw.gone && !fw.leaving);
}

static void to_ascii(char *to, size_t size, const efi_char *text)
{
	size_t n = strlen(to);

	for (; *text && n + 1 < size; text++)
		to[n++] = (char)*text;
	to[n] = '\0';
}

static efi_status output(struct efi_text *self, const efi_char *text)
{
	(void)self;
	service();
	to_ascii(fw.said, sizeof(fw.said), text);
	return 0;
}

static efi_status allocate_pages(unsigned how, unsigned type, u64 pages, u64 *address)
{
	service();
	EXPECT_EQ(how, EFI_ALLOCATE_MAX_ADDRESS);
	EXPECT_EQ(type, EFI_LOADER_DATA);
	EXPECT_EQ(*address, (64ull << 40) - 1);
	if (fw.pages)
		return fw.pages;
	fw.descriptors++;
	fw.key++;
	memory = aligned_alloc(LARGE, LARGE + pages * EFI_PAGE); /* exactly, so that ASan sees one page more */
	memset(memory, 0xaa, LARGE + pages * EFI_PAGE);
	*address = (u64)memory + LARGE - 5 * EFI_PAGE;
	/* The last five pages behind what is asked for are not given. */
	EXPECT(pages * EFI_PAGE >= 2 * LARGE);
	return 0;
}

static efi_status allocate_pool(unsigned type, u64 bytes, void **buffer)
{
	service();
	EXPECT_EQ(type, EFI_LOADER_DATA);
	if (fw.pool && nr_pools == fw.pool - 1)
		return EFI_ERROR(9);
	fw.descriptors++;
	fw.key++;
	*buffer = pools[nr_pools++] = malloc(bytes);
	memset(*buffer, 0x55, bytes);
	return 0;
}

static efi_status get_memory_map(u64 *bytes, void *map, u64 *key, u64 *descriptor_bytes, u32 *version)
{
	EXPECT(!fw.gone);
	fw.maps++;
	fw.wanted_room = fw.descriptors * fw.descriptor_bytes;
	*descriptor_bytes = fw.descriptor_bytes;
	*version = 1;
	if (fw.map)
		return fw.map;
	if (*bytes < fw.wanted_room) {
		*bytes = fw.wanted_room;
		return EFI_BUFFER_TOO_SMALL;
	}
	if (map)
		memset(map, 0x77, *bytes); /* all of the buffer is there */
	*bytes = fw.wanted_room;
	*key = fw.key;
	return 0;
}

static efi_status exit_boot_services(void *handle, u64 key)
{
	EXPECT(!fw.gone && handle == &loaded);
	fw.left++;
	if (fw.stale) { /* a timer's handler has allocated */
		fw.stale--;
		fw.key++;
		fw.descriptors++;
	}
	fw.leaving = true;
	if (key != fw.key)
		return EFI_INVALID_PARAMETER;
	fw.gone = !fw.leave;
	return fw.leave;
}

static efi_status handle_protocol(void *handle, const struct efi_guid *protocol, void **interface)
{
	service();
	if (handle == &loaded && protocol->a == 0x5b1b31a1) {
		*interface = &loaded;
		return fw.loaded_image;
	}
	EXPECT(handle == &volume && protocol->a == 0x964e5b22);
	*interface = &volume;
	return fw.file_system;
}

static efi_status open_volume(struct efi_volume *self, struct efi_file **out)
{
	service();
	EXPECT(self == &volume);
	*out = &root;
	return fw.volume;
}

static efi_status open_file(struct efi_file *self, struct efi_file **out, const efi_char *name, u64 mode, u64 attributes)
{
	service();
	EXPECT(self == &root && mode == 1 && !attributes);
	to_ascii(fw.path, sizeof(fw.path), name);
	*out = &file;
	return fw.open ? fw.open : fw.config ? 0 : EFI_NOT_FOUND;
}

static efi_status close_file(struct efi_file *self)
{
	service();
	fw.closed += self == &file ? 1 : 0x10;
	return 0;
}

static efi_status read_file(struct efi_file *self, u64 *bytes, void *buffer)
{
	service();
	EXPECT(self == &file);
	*bytes = MIN(*bytes, strlen(fw.config));
	memcpy(buffer, fw.config, *bytes);
	return fw.read;
}

static efi_status get_variable(const efi_char *name, const struct efi_guid *vendor, u32 *attributes, u64 *bytes, void *data)
{
	char text[20] = "";

	service();
	to_ascii(text, sizeof(text), name);
	EXPECT_STR(text, VARIABLE);
	EXPECT(vendor->a == 0x8be4df61 && !attributes);
	if (fw.variable == EFI_BUFFER_TOO_SMALL || fw.secure == 2)
		*bytes = 4 * !!fw.variable;
	else
		*(u8 *)data = fw.secure;
	return fw.variable;
}

static struct efi_text text_output = { NULL, output };
static struct efi_boot_services boot = {
	.allocate_pages = allocate_pages,
	.get_memory_map = get_memory_map,
	.allocate_pool = allocate_pool,
	.handle_protocol = handle_protocol,
	.exit_boot_services = exit_boot_services,
};
static struct efi_runtime_services runtime = { .get_variable = get_variable };
static const struct efi_configuration tables[] = {
	{ { 0x8868e871, 0xe4f1, 0x11d3, { 0xbc, 0x22, 0, 0x80, 0xc7, 0x3c, 0x88, 0x80 } }, 1 }, /* but for one bit */
	{ { 0x8868e871, 0xe4f1, 0x11d3, { 0xbc, 0x22, 0, 0x80, 0xc7, 0x3c, 0x88, 0x81 } }, 0x1234 },
	{ { 0xb1b621d5, 0xf19c, 0x41a5, { 0x83, 0x0b, 0xd9, 0x15, 0x2c, 0x69, 0xaa, 0xe0 } }, 0x5678 },
};
static struct efi_system efi;

static void path_node(unsigned type, unsigned subtype, const char *text, size_t *n)
{
	size_t bytes = 4 + 2 * (strlen(text) + 1);

	path[*n] = (u8)type;
	path[*n + 1] = (u8)subtype;
	path[*n + 2] = (u8)bytes;
	path[*n + 3] = (u8)(bytes >> 8);
	for (size_t i = 0; i <= strlen(text); i++) {
		path[*n + 4 + 2 * i] = (u8)text[i];
		path[*n + 5 + 2 * i] = 0;
	}
	*n += bytes;
	memcpy(path + *n, "\x7f\xff\4", 4);
}

static void make(void)
{
	size_t n = 0;

	memset(&fw, 0, sizeof(fw));
	fw.descriptor_bytes = 48;
	fw.descriptors = 30;
	efi = (struct efi_system){ .vendor = u"x", .out = &text_output, .runtime = &runtime, .boot = &boot };
	efi.nr_tables = ARRAY_SIZE(tables);
	efi.tables = tables;
	volume = (struct efi_volume){ .open = open_volume };
	root = file = (struct efi_file){ .open = open_file, .close = close_file, .read = read_file };
	loaded = (struct efi_loaded_image){ .device = &volume, .path = path, .options_bytes = 4, .options = u"a" };
	path_node(4, 4, "\\EFI\\BOOT\\BOOTAA64.EFI", &n);
	for (size_t i = 0; i < sizeof(image); i++)
		image[i] = (u8)(i * 7);
}

/* The status, or ~0: it left. */
static efi_status stub(void)
{
	efi_status status = ~0ull;

	nr_pools = 0;
	memory = NULL;
	memset(&got, 0, sizeof(got));
	if (!setjmp(left))
		status = efi_stub(&loaded, &efi, image, FILE_BYTES, IMAGE_BYTES);
	return status;
}

static void clean_up(void)
{
	while (nr_pools)
		free(pools[--nr_pools]);
	free(memory);
	make();
}

static void expect_left(void)
{
	EXPECT_EQ(stub(), ~0ull);
	EXPECT_STR(fw.said, "");
}

static void expect_said(efi_status status, const char *text)
{
	EXPECT_EQ(stub(), status);
	EXPECT_STR(fw.said, text);
	EXPECT_EQ(fw.left, 0);
	clean_up();
}

UNIT_TEST(stub_hands_over)
{
	make();
	fw.config = "tests=all";
	expect_left();
	EXPECT_EQ(got.magic, EFI_HANDOFF_MAGIC);
	EXPECT_EQ(got.rsdp, 0x1234);
	EXPECT_EQ(got.fdt, 0x5678);
	EXPECT_EQ(got.options, (u64)loaded.options);
	EXPECT_EQ(got.options_bytes, 4);
	EXPECT_EQ(got.vendor, (u64)efi.vendor);
	EXPECT_EQ(got.secure_boot, EFI_SECURE_OFF);
	EXPECT_STR(got_config, "tests=all");
	EXPECT_STR(fw.path, "\\EFI\\BOOT\\tlblab.cfg");
	EXPECT_EQ(fw.closed, 0x11);
	EXPECT_EQ(got.descriptor_bytes, 48);
	EXPECT_EQ(got.map_bytes, fw.descriptors * 48);
	clean_up();
}

UNIT_TEST(stub_copies_the_image)
{
	make();
	expect_left();
	EXPECT_EQ(got_image % LARGE, 0);
	EXPECT_EQ(got_bytes, FILE_BYTES);
	EXPECT(!memcmp((const void *)got_image, image, FILE_BYTES));
	EXPECT(got_image >= (u64)memory + LARGE - 5 * EFI_PAGE);
	EXPECT_EQ(*((const u8 *)got_image + FILE_BYTES), 0xaa);
	clean_up();
}

UNIT_TEST(stub_map_key_is_stale)
{
	for (unsigned times = 1; times < 8; times++) {
		make();
		fw.stale = times;
		expect_left();
		EXPECT_EQ(fw.left, times + 1);
		EXPECT_EQ(fw.maps, times + 2);
		EXPECT_EQ(got.map_bytes, fw.descriptors * 48); /* the last one's */
		clean_up();
	}
	fw.stale = 1000;
	EXPECT_EQ(stub(), EFI_INVALID_PARAMETER);
	EXPECT_EQ(fw.left, 8);
	EXPECT_STR(fw.said, ""); /* nobody listens any more */
	clean_up();
	fw.leave = EFI_UNSUPPORTED;
	EXPECT_EQ(stub(), EFI_UNSUPPORTED);
	EXPECT_EQ(fw.left, 1);
	clean_up();
}

UNIT_TEST(stub_firmware_refuses)
{
	static const char memory_text[] = "tlblab: firmware gives no memory, or no map of it\r\n";

	make();
	fw.loaded_image = EFI_UNSUPPORTED;
	expect_said(EFI_UNSUPPORTED, "tlblab: firmware does not say how it loaded this image\r\n");
	fw.pool = 1;
	expect_said(EFI_ERROR(9), "tlblab: firmware gives no memory\r\n");
	fw.pool = 2;
	expect_said(EFI_ERROR(9), memory_text);
	fw.pages = EFI_ERROR(9);
	expect_said(EFI_ERROR(9), memory_text);
	fw.map = EFI_INVALID_PARAMETER;
	expect_said(EFI_INVALID_PARAMETER, memory_text);
	fw.descriptors = 0;
	fw.descriptor_bytes = 0; /* a map without entries */
	expect_said(EFI_UNSUPPORTED, memory_text);
	efi.out = NULL;
	fw.pages = EFI_ERROR(9);
	expect_said(EFI_ERROR(9), "");
}

UNIT_TEST(stub_no_config)
{
	static efi_status *const fails[] = { &fw.file_system, &fw.volume };

	make();
	expect_left(); /* no such file */
	EXPECT_EQ(got.config_bytes, 0);
	EXPECT_EQ(fw.closed, 0x10);
	clean_up();
	for (size_t i = 0; i < ARRAY_SIZE(fails); i++) {
		fw.config = "tests=all";
		*fails[i] = EFI_UNSUPPORTED;
		expect_left();
		EXPECT_EQ(got.config_bytes, 0);
		clean_up();
	}
	loaded.device = NULL; /* GRUB's */
	fw.config = "tests=all";
	expect_left();
	EXPECT_EQ(got.config_bytes, 0);
	clean_up();
}

UNIT_TEST(stub_config_fails)
{
	static char text[EFI_CONFIG_MAX + 100];
	static const char unreadable[] = "tlblab: tlblab.cfg is there, but can't be read\r\n";

	make();
	fw.config = "x";
	fw.open = EFI_ERROR(7);
	expect_said(EFI_ERROR(7), unreadable);
	fw.config = "x";
	fw.read = EFI_ERROR(7);
	expect_said(EFI_ERROR(7), unreadable);
	memset(text, 'a', sizeof(text) - 1);
	fw.config = text;
	expect_left();
	EXPECT_EQ(got.config_bytes, EFI_CONFIG_MAX + 1); /* the kernel says that it is too long */
	clean_up();
}

UNIT_TEST(stub_paths)
{
	static char text[120];
	size_t n;

	make();
	n = 0;
	path_node(4, 4, "a.efi", &n);
	expect_left();
	EXPECT_STR(fw.path, "tlblab.cfg");
	clean_up();
	n = 0;
	path_node(1, 1, "device", &n);
	path_node(4, 4, "\\a", &n);
	path_node(4, 4, "b.efi", &n);
	expect_left();
	EXPECT_STR(fw.path, "\\a\\tlblab.cfg");
	clean_up();
	loaded.path = NULL;
	expect_left();
	EXPECT_STR(fw.path, "tlblab.cfg");
	clean_up();
	path[2] = 3; /* a node shorter than its header */
	path[3] = 0;
	expect_left();
	EXPECT_STR(fw.path, ""); /* no file was asked for */
	clean_up();
	path[3] = 2; /* one longer than any name */
	expect_left();
	EXPECT_STR(fw.path, "");
	clean_up();
	memset(text, 'a', 119);
	text[118] = '\\';
	for (unsigned nodes = 1; nodes < 4; nodes++) {
		n = 0;
		for (unsigned i = 0; i < nodes; i++)
			path_node(4, 4, text, &n);
		expect_left();
		EXPECT_EQ(strlen(fw.path), nodes == 1 ? 119 + 10 : nodes == 2 ? 2 * 119 + 10 : 0);
		clean_up();
	}
	n = 0;
	path_node(4, 4, text, &n);
	path_node(4, 4, text, &n);
	path_node(4, 4, "234567\\", &n); /* 245 characters: the file's name and its end fit exactly, */
	expect_left();
	EXPECT_EQ(strlen(fw.path), 255);
	clean_up();
	n = 0;
	path_node(4, 4, text, &n);
	path_node(4, 4, text, &n);
	path_node(4, 4, "2345678\\", &n); /* or not */
	expect_left();
	EXPECT_STR(fw.path, "");
	clean_up();
}

UNIT_TEST(stub_secure_boot)
{
	make();
	fw.secure = 1;
	expect_left();
	EXPECT_EQ(got.secure_boot, EFI_SECURE_ON);
	clean_up();
	fw.variable = EFI_NOT_FOUND;
	fw.secure = 1;
	expect_left();
	EXPECT_EQ(got.secure_boot, EFI_SECURE_UNKNOWN);
	clean_up();
	fw.variable = EFI_BUFFER_TOO_SMALL;
	expect_left();
	EXPECT_EQ(got.secure_boot, EFI_SECURE_UNKNOWN);
	clean_up();
	fw.secure = 2; /* it is there, and empty */
	expect_left();
	EXPECT_EQ(got.secure_boot, EFI_SECURE_UNKNOWN);
	clean_up();
	efi.nr_tables = 1;
	expect_left();
	EXPECT_EQ(got.rsdp, 0);
	EXPECT_EQ(got.fdt, 0);
	clean_up();
}
