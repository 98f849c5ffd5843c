/* SPDX-License-Identifier: BSD-2-Clause */
/* lib/string.c under names of its own: on the host the C library, and the sanitizers behind it, have the real ones. */
#define memset k_memset
#define memcpy k_memcpy
#define memmove k_memmove
#define memcmp k_memcmp
#define strlen k_strlen
#define strcmp k_strcmp
#define strncmp k_strncmp

#include "lib/string.c"
