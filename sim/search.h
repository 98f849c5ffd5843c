/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SIM_SEARCH_H
#define SIM_SEARCH_H

int close_all(void); /* --exhaustive; exit status, 4: not closed */

#endif
