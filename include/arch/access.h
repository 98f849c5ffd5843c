/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Contract: accesses to mapped memory, that is memory whose translation is under test. Each is exactly one 8-byte access
 * by this CPU through its TLB, with the rights of user mode where the mapping is a user one. Nothing else touches such
 * addresses.
 */
#ifndef ARCH_ACCESS_H
#define ARCH_ACCESS_H

#include "types.h"

struct access {
	u64 value; /* what a load returned */
	bool fault; /* the access faulted and upcall_page_fault() did not repair it */
};

struct access va_load(struct va va);
struct access va_store(struct va va, u64 value);

#endif
