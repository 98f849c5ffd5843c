/* SPDX-License-Identifier: BSD-2-Clause */
/* The one object that holds all mutable state. */
#include "machine.h"

struct machine machine;
