/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The oracles by name, and which are switched off: a bug that only one oracle sees must go through without it, else that oracle is
 * not needed. Owns the switches; they are set by the command line and stay for the whole run. What can't go on (I-DEADLOCK,
 * I-PROGRESS, CHECK, TEST, VALUE, #GP, #UD) ends the schedule all the same when it is off, as if nothing had been noticed.
 */
#include <string.h>

#include "sim/oracle.h"

static struct {
	const char *name;
	bool off;
} list[] = {
	{ "O-STALE" },	  { "O-PERM" }, { "O-FRAME" }, { "O-TABLE" },  { "O-XMM" },	  { "O-DIRTY" },
	{ "O-MULTI" },	  { "I-ROOT" },	{ "I-LAZY" },  { "I-GATHER" }, { "I-TAG" }, { "I-BREAK" },   { "I-DEADLOCK" },
	{ "I-PROGRESS" }, { "VALUE" },	{ "CHECK" },   { "TEST" },
	{ "#GP" },	  { "#UD" },    { "O-RACE" },
};

#define NR (sizeof(list) / sizeof(list[0]))

static unsigned find(const char *name)
{
	unsigned i;

	for (i = 0; i < NR && strcmp(list[i].name, name); i++)
		;
	return i;
}

bool oracle_on(const char *name)
{
	unsigned i = find(name);

	return i == NR || !list[i].off;
}

bool oracle_switch(const char *name, bool on)
{
	unsigned i = find(name);

	if (i < NR)
		list[i].off = !on;
	return i < NR;
}

bool oracle_only(const char *name)
{
	unsigned wanted = find(name), i;

	for (i = 0; wanted < NR && i < NR; i++)
		list[i].off = i != wanted;
	return wanted < NR;
}

const char *oracle_names(void)
{
	static char text[240];
	unsigned i;

	text[0] = '\0';
	for (i = 0; i < NR; i++) {
		strcat(text, i ? " " : "");
		strcat(text, list[i].name);
	}
	return text;
}
