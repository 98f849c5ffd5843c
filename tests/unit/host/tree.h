/* SPDX-License-Identifier: BSD-2-Clause */
/* Device trees by hand, for unit tests. */
#ifndef HOST_TREE_H
#define HOST_TREE_H

#include "host/firmware.h"

#define TREE_PA 0x44000000

extern struct blob tree; /* what is being made; and where tree_parses() looks */
extern struct boot_info tree_info;
extern struct hw_info tree_hw;

void tree_begin(void); /* header, and a reservation of 4 KiB at 0x48000000 */
void tree_finish(void); /* strings and lengths */
bool tree_parses(void); /* what came out makes sense, whatever went in; false: it is an error */

void tree_put(unsigned bytes, u64 value); /* big endian */
void tree_set32(size_t offset, u32 value);
void tree_node(const char *name);
void tree_node_end(void);
void tree_prop(const char *name, u32 bytes);
void tree_prop_text(const char *name, const char *text, size_t n);
#define PROP_TEXT(name, text) tree_prop_text(name, text, sizeof(text))
void tree_prop_32(const char *name, u32 value);
void tree_prop_reg(unsigned n, const u64 *numbers); /* pairs of 64 bits */
#define REG(...) tree_prop_reg(sizeof((u64[]){ __VA_ARGS__ }) / 8, (u64[]){ __VA_ARGS__ })

#endif
