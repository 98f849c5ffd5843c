/* SPDX-License-Identifier: BSD-2-Clause */
/* A state on the path of an exhaustive search: what can happen there, and what of it is tried. */
#ifndef SIM_EXHAUST_NODE_H
#define SIM_EXHAUST_NODE_H

#include "sim/choose.h"

#define MAX_OPTIONS 160
#define NOBODY 0xff

enum stage { LOCAL, STEPS, EVERYTHING };

/* A state on the path, and what is tried there: options[taken] now, those up to n still; behind them what may be added. */
struct node {
	enum stage stage;
	bool keyed, irq_was_on, world;
	bool last_can; /* who ran last could go on */
	u8 last, preemptions; /* left */
	u16 taken, n, nr_steps, nr_all;
	u32 tlbs; /* CPUs whose TLBs the tried steps looked at or changed */
	u32 buffers, drains, drains_walked; /* that hold something; that must be tried; that walkers can see */
	bool broadcasts; /* some are under way */
	unsigned fills;
	u64 key;
	double paths;
	struct event *options;
};

/* --- exhaust_node.c --- */
bool node_bounded(void); /* there is a bound on preemptions */
void node_add(struct node *n, enum kind kind, unsigned cpu, unsigned va);
void node_list(struct node *n); /* everything; steps first, those of who ran last before all others */
bool node_find_local(struct node *n); /* puts a local one first, to be the only one tried */
void node_find_effects(struct node *n); /* what the steps possible here touch, as far as it is known before they are tried */
void node_add_noticed(struct node *n); /* what happens by itself and the steps tried here could notice, or each other */
u64 node_could(const struct node *n); /* who can do something here, as bits of event_agent() */
u64 event_agent(const struct event *o);

/* --- exhaust_seen.c: states seen --- */
struct seen {
	u64 key; /* 0: unused */
	double paths;
	u32 fills;
	u8 preemptions; /* left */
	bool on_path;
};

struct seen *seen_find(u64 key); /* that, or where it is to be put; until the next seen_grow() */
void seen_grow(u64 states); /* so that one more than so many has room */
void seen_forget(void);

_Noreturn void search_give_up(const char *why);

#endif
