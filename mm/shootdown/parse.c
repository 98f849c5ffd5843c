/* SPDX-License-Identifier: BSD-2-Clause */
/* The text of a strategy: words, and what is said of one that is not accepted. State: none but the caller's draft. */
#include "lib/printf.h"
#include "lib/string.h"
#include "lib/words.h"
#include "machine.h"
#include "mm/shootdown/draft.h"

static const char *const stage_names[NR_STAGES] = {
	[STAGE_TAGGING] = "tagging",
	[STAGE_TRACKER] = "tracker",
	[STAGE_FILTER] = "filter",
	[STAGE_SCOPE] = "scope",
	[STAGE_BATCH] = "batch",
	[STAGE_TRANSPORT] = "transport",
	[STAGE_PROMOTION] = "promotion",
	[STAGE_POLICY] = "policy",
	[STAGE_COMPLETION] = "completion",
	[STAGE_TABLES] = "tables",
};

const char *stage_name(enum stage stage)
{
	return stage_names[stage];
}

bool draft_fail(struct draft *d, const char *fmt, ...)
{
	va_list args;
	size_t at = ksnprintf(d->error, d->size, "tlb=%.*s: ", (int)d->n, d->spec);

	va_start(args, fmt);
	if (at < d->size)
		kvsnprintf(d->error + at, d->size - at, fmt, args);
	va_end(args);
	return false;
}

const struct choice *draft_find(const struct draft *d, const char *name, size_t n)
{
	const struct choice *c;

	REGISTRY_FOR_EACH (c, choices)
		if (word_is(name, n, c->name) && (d->tests || !c->sabotage))
			return c;
	return NULL;
}

const struct preset *preset_find(const char *name, size_t n)
{
	const struct preset *p;

	REGISTRY_FOR_EACH (p, presets)
		if (word_is(name, n, p->name))
			return p;
	return NULL;
}

static bool fail_unknown(struct draft *d, const char *name, size_t n, bool first)
{
	const struct choice *c;
	const struct preset *p;
	char names[512] = "";
	size_t at = 0;

	if (first)
		REGISTRY_FOR_EACH (p, presets)
			at += ksnprintf(names + at, sizeof(names) - at, " %s", p->name);
	REGISTRY_FOR_EACH (c, choices)
		if (!c->sabotage && first == (c->stage == STAGE_TRANSPORT) && !(first && preset_find(c->name, strlen(c->name))) &&
		    at < sizeof(names))
			at += ksnprintf(names + at, sizeof(names) - at, " %s", c->name);
	return draft_fail(d, "unknown %s \"%.*s\"; there are%s", first ? "preset or transport" : "choice", (int)n, name, names);
}

const struct choice *draft_choice(const struct strategy *s, enum stage stage)
{
	unsigned i;

	for (i = 0; i < s->nr_choices; i++)
		if (s->choice[i]->stage == stage)
			return s->choice[i];
	return NULL;
}

bool draft_several(enum stage stage)
{
	return stage == STAGE_FILTER || stage == STAGE_POLICY;
}

bool draft_add(struct draft *d, const struct choice *c, u64 value, bool from_preset)
{
	struct strategy *s = d->s;
	const struct choice *old = draft_choice(s, c->stage);
	unsigned i;

	for (i = 0; i < s->nr_choices; i++)
		if (s->choice[i] == c && (draft_several(c->stage) || !d->preset_given[c->stage]))
			return draft_fail(d, "%s is there twice", c->name);
	if (old && !draft_several(c->stage)) {
		if (!d->preset_given[c->stage])
			return draft_fail(d, "%s and %s are both a %s; one is accepted", old->name, c->name, stage_names[c->stage]);
		for (i = 0; s->choice[i] != old; i++)
			;
		s->choice[i] = c;
	} else {
		if (s->nr_choices == ARRAY_SIZE(s->choice))
			return draft_fail(d, "too many choices; at most %u are accepted", (unsigned)ARRAY_SIZE(s->choice));
		s->choice[s->nr_choices++] = c;
	}
	s->value[c->stage] = value;
	d->preset_given[c->stage] = from_preset;
	return true;
}

/* NAME or NAME=VALUE */
static bool add_word(struct draft *d, const char *word, size_t n, bool first, bool from_preset)
{
	size_t name_n;
	const struct choice *c;
	u64 value;

	for (name_n = 0; name_n < n && word[name_n] != '='; name_n++)
		;
	c = draft_find(d, word, name_n);
	if (!c || first != (c->stage == STAGE_TRANSPORT))
		return fail_unknown(d, word, name_n, first);
	value = c->def;
	if (name_n < n && !c->takes_value)
		return draft_fail(d, "%s takes no value", c->name);
	if (name_n < n && (!parse_uint(word + name_n + 1, n - name_n - 1, &value) || value < c->min || value > c->max))
		return draft_fail(d, "%s: %llu..%llu is accepted, not \"%.*s\"", c->name, (unsigned long long)c->min,
			    (unsigned long long)c->max, (int)(n - name_n - 1), word + name_n + 1);
	return draft_add(d, c, value, from_preset);
}

/* Words of spec[0..n), separated by +. */
bool draft_words(struct draft *d, const char *spec, size_t n, bool first, bool from_preset)
{
	size_t from = 0, to;

	while (from <= n) {
		for (to = from; to < n && spec[to] != '+'; to++)
			;
		if (!add_word(d, spec + from, to - from, first, from_preset))
			return false;
		first = false;
		from = to + 1;
	}
	return true;
}
