/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Composition of strategies from text. Which choices go together follows from their traits, never from a list of pairs: each says
 * what it needs and gives. State: none (shootdown_init() fills machine.shootdown).
 */
#include "check.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "lib/words.h"
#include "machine.h"
#include "mm/shootdown/strategy.h"

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

static const struct {
	u32 trait;
	const char *text;
} trait_names[] = {
	{ CATCHES_UP, "a tagging that catches up with missed flushes" },
	{ INTERRUPTS, "a transport that interrupts its targets" },
	{ REMOTE, "a transport that reaches other CPUs" },
	{ LOOKS_AT_LOADED, "the filter loaded" },
	{ KEEPS_BITS, "a tracker that keeps mm_cpumask bits" },
	{ BROADCASTS, "a transport that broadcasts by tag" },
	{ GLOBAL_TAGS, "a tagging with global tags" },
	{ SAME_TAGS, "a tagging in which an mm has one tag on all CPUs" },
};

const char *stage_name(enum stage stage)
{
	return stage_names[stage];
}

/* A composition under way. */
struct draft {
	struct strategy *s;
	bool preset_given[NR_STAGES]; /* the stage's choice came from the preset and may be replaced */
	const char *spec; /* for messages */
	size_t n;
	bool tests;
	char *error;
	size_t size;
};

static bool fail(struct draft *d, const char *fmt, ...) PRINTF(2, 3);

static bool fail(struct draft *d, const char *fmt, ...)
{
	va_list args;
	size_t at = ksnprintf(d->error, d->size, "tlb=%.*s: ", (int)d->n, d->spec);

	va_start(args, fmt);
	if (at < d->size)
		kvsnprintf(d->error + at, d->size - at, fmt, args);
	va_end(args);
	return false;
}

static const struct choice *find_choice(const struct draft *d, const char *name, size_t n)
{
	const struct choice *c;

	REGISTRY_FOR_EACH (c, choices)
		if (word_is(name, n, c->name) && (d->tests || !c->sabotage))
			return c;
	return NULL;
}

static const struct preset *find_preset(const char *name, size_t n)
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
		if (!c->sabotage && first == (c->stage == STAGE_TRANSPORT) && !(first && find_preset(c->name, strlen(c->name))) &&
		    at < sizeof(names))
			at += ksnprintf(names + at, sizeof(names) - at, " %s", c->name);
	return fail(d, "unknown %s \"%.*s\"; there are%s", first ? "preset or transport" : "choice", (int)n, name, names);
}

static const struct choice *stage_choice(const struct strategy *s, enum stage stage)
{
	unsigned i;

	for (i = 0; i < s->nr_choices; i++)
		if (s->choice[i]->stage == stage)
			return s->choice[i];
	return NULL;
}

static bool many_allowed(enum stage stage)
{
	return stage == STAGE_FILTER || stage == STAGE_POLICY;
}

static bool add_choice(struct draft *d, const struct choice *c, u64 value, bool from_preset)
{
	struct strategy *s = d->s;
	const struct choice *old = stage_choice(s, c->stage);
	unsigned i;

	for (i = 0; i < s->nr_choices; i++)
		if (s->choice[i] == c && (many_allowed(c->stage) || !d->preset_given[c->stage]))
			return fail(d, "%s is there twice", c->name);
	if (old && !many_allowed(c->stage)) {
		if (!d->preset_given[c->stage])
			return fail(d, "%s and %s are both a %s; one is accepted", old->name, c->name, stage_names[c->stage]);
		for (i = 0; s->choice[i] != old; i++)
			;
		s->choice[i] = c;
	} else {
		if (s->nr_choices == ARRAY_SIZE(s->choice))
			return fail(d, "too many choices; at most %u are accepted", (unsigned)ARRAY_SIZE(s->choice));
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
	c = find_choice(d, word, name_n);
	if (!c || first != (c->stage == STAGE_TRANSPORT))
		return fail_unknown(d, word, name_n, first);
	value = c->def;
	if (name_n < n && !c->takes_value)
		return fail(d, "%s takes no value", c->name);
	if (name_n < n && (!parse_uint(word + name_n + 1, n - name_n - 1, &value) || value < c->min || value > c->max))
		return fail(d, "%s: %llu..%llu is accepted, not \"%.*s\"", c->name, (unsigned long long)c->min,
			    (unsigned long long)c->max, (int)(n - name_n - 1), word + name_n + 1);
	return add_choice(d, c, value, from_preset);
}

/* Words of spec[0..n), separated by +. */
static bool add_words(struct draft *d, const char *spec, size_t n, bool first, bool from_preset)
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

static u32 traits_given(const struct strategy *s)
{
	u32 traits = 0;
	unsigned i;

	for (i = 0; i < s->nr_choices; i++)
		traits |= s->choice[i]->gives;
	return traits;
}

/* What the choices so far need and none of them gives. */
static u32 traits_wanted(const struct strategy *s)
{
	u32 needs = 0;
	unsigned i;

	for (i = 0; i < s->nr_choices; i++)
		needs |= s->choice[i]->needs;
	return needs & ~traits_given(s);
}

static bool better(const struct choice *c, const struct choice *best, u32 wanted)
{
	if (!best || !(c->gives & wanted) != !(best->gives & wanted))
		return !best || c->gives & wanted;
	return c->order < best->order;
}

/*
 * Stages that nothing was said of get a default whose needs are met: one that gives what another choice still needs, else the
 * first by .order.
 */
static bool add_defaults(struct draft *d)
{
	enum stage stage;

	for (stage = 0; stage < NR_STAGES; stage++) {
		const struct choice *c, *best = NULL;

		if (many_allowed(stage) || stage_choice(d->s, stage))
			continue;
		REGISTRY_FOR_EACH (c, choices)
			if (c->stage == stage && c->by_default && !(c->needs & ~traits_given(d->s)) &&
			    better(c, best, traits_wanted(d->s)))
				best = c;
		CHECK(best);
		if (!add_choice(d, best, best->def, true))
			return false;
	}
	return true;
}

static bool check_traits(struct draft *d)
{
	u32 have = traits_given(d->s);
	unsigned i, t;

	for (i = 0; i < d->s->nr_choices; i++) {
		const struct choice *c = d->s->choice[i];
		const char *missing = c->missing ? c->missing() : NULL;

		if (missing)
			return fail(d, "%s can't be used: %s", c->name, missing);
		for (t = 0; t < ARRAY_SIZE(trait_names); t++)
			if (c->needs & ~have & trait_names[t].trait)
				return fail(d, "%s needs %s, and nothing in this strategy is one", c->name, trait_names[t].text);
	}
	return true;
}

static void add_filter(struct strategy *s, const struct choice *c)
{
	unsigned i, at = s->nr_filters++;
	const struct choice *other;

	/* In the order of .order, whatever the order on the command line. */
	for (; at > 0; at--) {
		REGISTRY_FOR_EACH (other, choices)
			if (other->stage == STAGE_FILTER && other->filter == s->filter[at - 1])
				break;
		if (other->order <= c->order)
			break;
		s->filter[at] = s->filter[at - 1];
	}
	s->filter[at] = c->filter;
	for (i = 0; i < s->nr_filters; i++)
		CHECK(s->filter[i]);
}

static void fill_in(struct draft *d)
{
	struct strategy *s = d->s;
	const struct choice *fallback;
	unsigned i;

	for (i = 0; i < s->nr_choices; i++) {
		const struct choice *c = s->choice[i];

		s->sabotage |= c->sabotage;
		switch (c->stage) {
		case STAGE_TAGGING:
			s->tagging = c->tagging;
			break;
		case STAGE_TRACKER:
			s->tracker = c->tracker;
			break;
		case STAGE_FILTER:
			add_filter(s, c);
			break;
		case STAGE_SCOPE:
			s->scope = c->scope;
			break;
		case STAGE_BATCH:
			s->batch = c->batch;
			break;
		case STAGE_TRANSPORT:
			s->transport = c->transport;
			break;
		case STAGE_PROMOTION:
			s->promotion = c->promotion;
			break;
		case STAGE_POLICY:
			s->policies |= c->policy;
			break;
		case STAGE_COMPLETION:
			s->completion = c->completion;
			break;
		case STAGE_TABLES:
			s->tables = c->tables;
			break;
		case NR_STAGES:
			break;
		}
	}
	s->traits = traits_given(s);
	s->receive = s->policies & POLICY_EARLY_ACK ? receive_early : receive_call;
	fallback = find_choice(d, s->transport->fallback, strlen(s->transport->fallback));
	CHECK(fallback && fallback->stage == STAGE_TRANSPORT);
	s->fallback = fallback->transport;
}

static size_t first_word(const char *spec, size_t n)
{
	size_t i;

	for (i = 0; i < n && spec[i] != '+' && spec[i] != '='; i++)
		;
	return i;
}

const char *spec_missing(const char *spec)
{
	const char *word, *missing = NULL;
	unsigned i;
	size_t n;

	for (i = 0; !missing && piece(spec, '+', i, &word, &n); i++) {
		const struct choice *c = find_choice(&(struct draft){ .tests = true }, word, first_word(word, n));

		missing = c->missing ? c->missing() : NULL;
	}
	return missing;
}

const char *preset_missing(const struct preset *p)
{
	return p->otherwise ? NULL : spec_missing(p->spec);
}

static const char *preset_spec(const struct preset *p)
{
	return p->otherwise && spec_missing(p->spec) ? p->otherwise : p->spec;
}

bool strategy_compose(struct strategy *s, const char *spec, size_t n, bool tests, char *error, size_t size)
{
	struct draft d = { .s = s, .spec = spec, .n = n, .tests = tests, .error = error, .size = size };
	const struct preset *p;
	const char *given;
	size_t first_n;

	*s = (struct strategy){ 0 };
	if (n >= STRATEGY_NAME)
		return fail(&d, "at most %u characters are accepted", STRATEGY_NAME - 1);
	memcpy(s->name, spec, n);
	first_n = first_word(spec, n);
	p = find_preset(spec, first_n);
	if (p) {
		if (first_n < n && spec[first_n] == '=')
			return fail(&d, "%s takes no value", p->name);
		given = preset_spec(p);
		if (!add_words(&d, given, strlen(given), true, true))
			return false;
		if (first_n < n && !add_words(&d, spec + first_n + 1, n - first_n - 1, false, false))
			return false;
	} else if (!add_words(&d, spec, n, true, false)) {
		return false;
	}
	if (!add_defaults(&d) || !check_traits(&d))
		return false;
	fill_in(&d);
	return true;
}

void strategy_describe(const struct strategy *s, char *buf, size_t size)
{
	size_t at = 0;
	unsigned i;

	buf[0] = '\0';
	for (i = 0; i < s->nr_choices && at < size; i++) {
		const struct choice *c = s->choice[i];

		at += ksnprintf(buf + at, size - at, "%s%s=%s", i ? " " : "", stage_names[c->stage], c->name);
		if (c->takes_value && at < size)
			at += ksnprintf(buf + at, size - at, ":%llu", (unsigned long long)s->value[c->stage]);
	}
}
