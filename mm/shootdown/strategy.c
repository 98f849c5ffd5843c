/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Composition of strategies. Which choices go together follows from their traits, never from a list of pairs: each says what it
 * needs and gives. State: none (shootdown_init() fills machine.shootdown).
 */
#include "check.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "lib/words.h"
#include "machine.h"
#include "mm/shootdown/draft.h"

static const struct {
	u32 trait;
	const char *text;
} trait_names[] = {
	{ CATCHES_UP, "a tagging that catches up with missed flushes" },
	{ INTERRUPTS, "a transport that interrupts its targets" },
	{ REMOTE, "a transport that reaches other CPUs" },
	{ LOOKS_AT_LOADED, "the filter loaded" },
	{ KEEPS_BITS, "a tracker that forgets no CPU before it has flushed" },
	{ BROADCASTS, "a transport that broadcasts by tag" },
	{ GLOBAL_TAGS, "a tagging with global tags" },
	{ SAME_TAGS, "a tagging in which an mm has one tag on all CPUs" },
	{ MAY_WAIT, "a tagging that catches up with missed flushes, or the transport broadcast" },
	{ OWN_ENTRIES, "a tagging under which no CPU uses another's entries (CnP)" },
};

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
	u32 has = best ? best->gives & wanted : 0;

	if (!best || has != (c->gives & wanted))
		return !(has & ~c->gives);
	return c->order < best->order;
}

/*
 * Stages that nothing was said of get a default whose needs are met: one that gives more of what other choices still need, else
 * the first by .order.
 */
static bool add_defaults(struct draft *d)
{
	enum stage stage;

	for (stage = 0; stage < NR_STAGES; stage++) {
		const struct choice *c, *best = NULL;

		if (draft_several(stage) || draft_choice(d->s, stage))
			continue;
		REGISTRY_FOR_EACH (c, choices)
			if (c->stage == stage && c->by_default && !(c->needs & ~traits_given(d->s)) &&
			    better(c, best, traits_wanted(d->s)))
				best = c;
		CHECK(best);
		if (!draft_add(d, best, best->def, true))
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
			return draft_fail(d, "%s can't be used: %s", c->name, missing);
		for (t = 0; t < ARRAY_SIZE(trait_names); t++)
			if (c->needs & ~have & trait_names[t].trait)
				return draft_fail(d, "%s needs %s, and nothing in this strategy is one", c->name,
						  trait_names[t].text);
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
	fallback = draft_find(d, s->transport->fallback, strlen(s->transport->fallback));
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
		const struct choice *c = draft_find(&(struct draft){ .tests = true }, word, first_word(word, n));

		missing = c->missing ? c->missing() : NULL;
	}
	return missing;
}

static const char *preset_spec(const struct preset *p)
{
	return p->otherwise && spec_missing(p->spec) ? p->otherwise : p->spec;
}

const char *preset_missing(const struct preset *p)
{
	return spec_missing(preset_spec(p));
}

bool strategy_compose(struct strategy *s, const char *spec, size_t n, bool tests, char *error, size_t size)
{
	struct draft d = { .s = s, .spec = spec, .n = n, .tests = tests, .error = error, .size = size };
	const struct preset *p;
	const char *given;
	size_t first_n;

	*s = (struct strategy){ 0 };
	if (n >= STRATEGY_NAME)
		return draft_fail(&d, "at most %u characters are accepted", STRATEGY_NAME - 1);
	memcpy(s->name, spec, n);
	first_n = first_word(spec, n);
	p = preset_find(spec, first_n);
	if (p) {
		if (first_n < n && spec[first_n] == '=')
			return draft_fail(&d, "%s takes no value", p->name);
		given = preset_spec(p);
		if (!draft_words(&d, given, strlen(given), true, true))
			return false;
		if (first_n < n && !draft_words(&d, spec + first_n + 1, n - first_n - 1, false, false))
			return false;
	} else if (!draft_words(&d, spec, n, true, false)) {
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

		at += ksnprintf(buf + at, size - at, "%s%s=%s", i ? " " : "", stage_name(c->stage), c->name);
		if (c->takes_value && at < size)
			at += ksnprintf(buf + at, size - at, ":%llu", (unsigned long long)s->value[c->stage]);
	}
}
