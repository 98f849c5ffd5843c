/* SPDX-License-Identifier: BSD-2-Clause */
/* units: mm/shootdown/?*.c mm/asid/?*.c mm/frame.c mm/switch.c tests/sabotage/?*.c arch/x86/pte.c lib/boot_memory.c lib/counter.c
 * lib/printf.c lib/words.c boot/options.c boot/option_values.c smp/cpumask.c smp/lock.c tests/unit/host/composed.c */
/* Composition of strategies from the product's own choices, presets and sabotages: what goes together, and what is said if not. */
#include "host/composed.h"
#include "lib/words.h"
#include "test.h"
#include "unit.h"

static const char *no_such_feature(void)
{
	return "this CPU has no flux capacitor";
}

extern const struct choice choice_transport_ipi, choice_ceiling, choice_filter_lazy, choice_filter_loaded, choice_filter_trim;
extern const struct choice choice_transport_invlpgb, choice_global;
extern const struct choice choice_completion_now, choice_completion_quarantine, choice_exact, choice_generation;

/* A transport that this machine can't run; seen by tests only, as sabotages are. */
CHOICE(absent, .stage = STAGE_TRANSPORT, .name = "absent", .gives = INTERRUPTS | REMOTE,
       .missing = no_such_feature, .sabotage = true);

/* As generation would be with TTBR.CnP set. */
CHOICE(shared_entries, .stage = STAGE_TAGGING, .name = "shared-entries", .gives = SAME_TAGS, .sabotage = true);

static struct strategy s;
static char error[600];

/* On an exact copy without an end, as it stands in the middle of a command line. */
static bool composes_for(bool tests, const char *spec)
{
	size_t n = strlen(spec);
	char *copy = unit_exact(spec, n);
	bool good;

	error[0] = '\0';
	good = strategy_compose(&s, copy, n, tests, error, sizeof(error));
	free(copy);
	EXPECT_EQ(good, !*error);
	EXPECT(!strchr(error, '\n') && strlen(error) < sizeof(error) - 1);
	return good;
}

static bool composes(const char *spec)
{
	return composes_for(false, spec);
}

static void expect_error(const char *spec, const char *what)
{
	char want[600];

	snprintf(want, sizeof(want), "tlb=%s: %s", spec, what);
	EXPECT(!composes(spec));
	EXPECT_STR(error, want);
}

static bool has(const struct choice *c)
{
	unsigned i;

	for (i = 0; i < s.nr_choices && s.choice[i] != c; i++)
		;
	return i < s.nr_choices;
}

/* Hooks are called, never looked for. Sabotages too. */
UNIT_TEST(strategy_no_hook_is_missing)
{
	const struct choice *c;

	REGISTRY_FOR_EACH (c, choices) {
		const struct tracker *k = c->tracker;

		if (c->stage == STAGE_TRACKER)
			EXPECT(k->switch_in && k->entered && k->switch_out && k->filled && k->holders && k->left && k->renewed);
	}
}

UNIT_TEST(strategy_presets_compose)
{
	const struct preset *p;

	REGISTRY_FOR_EACH (p, presets) {
		EXPECT(composes(p->name));
		EXPECT_STR(s.name, p->name);
		EXPECT(!s.sabotage);
		expect_whole(&s);
	}
}

UNIT_TEST(strategy_linux_6_1)
{
	EXPECT(composes("linux-6.1"));
	EXPECT(has(&choice_exact) && has(&choice_filter_lazy) && s.nr_filters == 1);
	EXPECT(s.policies == POLICY_OVERLAP && s.value[STAGE_SCOPE] == 33);
	EXPECT(composes("linux-6.1+ceiling=8+loaded"));
	EXPECT(has(&choice_exact) && s.value[STAGE_SCOPE] == 8 && s.nr_filters == 2);
	EXPECT(composes("linux-6.1+mask+trim+loaded"));
	EXPECT(!has(&choice_exact) && s.nr_filters == 3);
	expect_error("linux-6.1+ceiling=8+ceiling=9", "ceiling is there twice");
	expect_error("linux-6.1+lazy", "lazy is there twice");
	expect_error("linux-6.1+mask+exact", "mask and exact are both a tracker; one is accepted");
}

/* Where the machine can't broadcast: without it, or an error that says why. */
UNIT_TEST(strategy_otherwise)
{
	EXPECT(composes("linux-6.18"));
	EXPECT(s.transport == choice_transport_invlpgb.transport);
	EXPECT_EQ(s.policies, POLICY_OVERLAP | POLICY_SAMPLED | POLICY_BATCH_ALL);
	EXPECT_EQ(s.value[STAGE_PROMOTION], 3);
	EXPECT(composes("invlpgb+threshold=7") && has(&choice_global) && s.value[STAGE_PROMOTION] == 7);
	no_broadcast = "it is too old";
	EXPECT(composes("linux-6.18"));
	EXPECT(s.transport == choice_transport_ipi.transport && s.policies == POLICY_OVERLAP && s.nr_filters == 3);
	expect_whole(&s);
	expect_error("invlpgb", "invlpgb can't be used: it is too old");
	no_broadcast = NULL;
}

/* Choices between forms of an instruction: refused where there are none, by the machine's reason. */
UNIT_TEST(strategy_forms_of_broadcasts)
{
	EXPECT(composes("tlbi-is+ttl+no-range+dsb-each"));
	EXPECT_EQ(s.policies, POLICY_HINT | POLICY_ONE_BY_ONE | POLICY_SYNC_EACH);
	no_hint = no_ranges = "it is too old";
	expect_error("tlbi-is+ttl", "ttl can't be used: it is too old");
	expect_error("tlbi-is+no-range", "no-range can't be used: it is too old");
	no_hint = no_ranges = NULL;
	EXPECT(composes("ipi+ttl"));
	EXPECT(!composes("ipi+dsb-each") && strstr(error, "dsb-each needs"));
}

/* What is said when the error is about a need: true of these choices, and of no other reason. */
static void expect_true_need(const struct choice *const *asked, unsigned n)
{
	unsigned i, complains = n;
	u32 gives = 0;
	char start[200];

	for (i = 0; i < n; i++)
		gives |= asked[i]->gives;
	for (i = 0; i < n; i++) {
		snprintf(start, sizeof(start), ": %s needs ", asked[i]->name);
		if (strstr(error, start))
			complains = i;
	}
	EXPECT(complains < n);
	if (complains < n)
		EXPECT(asked[complains]->needs & ~gives);
}

/*
 * Transport, then one or two choices. Refused are two of a stage that takes one, the same twice, and a need that nothing meets, and
 * nothing else. Which default each open stage gets is not known here: a need that none of them could meet must be refused, and a
 * strategy in which the choices named meet all needs of each other must not.
 */
static void try(const struct choice *const *asked, unsigned n, unsigned *good, unsigned *bad)
{
	const struct choice *c;
	char spec[64] = "", both[200];
	u32 needs = 0, gives = 0, possible = 0, taken = 0;
	unsigned i;

	for (i = 0; i < n; i++) {
		snprintf(spec + strlen(spec), sizeof(spec) - strlen(spec), "%s%s", i ? "+" : "", asked[i]->name);
		needs |= asked[i]->needs;
		gives |= asked[i]->gives;
		taken |= 1u << asked[i]->stage;
	}
	REGISTRY_FOR_EACH (c, choices)
		if (c->by_default && !(taken & 1u << c->stage))
			possible |= c->gives;
	if (composes(spec)) {
		(*good)++;
		EXPECT_EQ(needs & ~gives & ~possible, 0);
		for (i = 0; i < n; i++)
			EXPECT(has(asked[i]));
		for (i = 0; i < s.nr_choices; i++)
			EXPECT(s.choice[i]->by_default || s.choice[i] == asked[0] || s.choice[i] == asked[n / 2] ||
			       s.choice[i] == asked[n - 1]);
		EXPECT(n < 3 || asked[1] != asked[2]);
		expect_whole(&s);
		return;
	}
	(*bad)++;
	if (n == 3 && asked[1] == asked[2])
		snprintf(both, sizeof(both), "tlb=%s: %s is there twice", spec, asked[1]->name);
	else if (n == 3 && asked[1]->stage == asked[2]->stage && !takes_several(asked[1]->stage))
		snprintf(both, sizeof(both), "tlb=%s: %s and %s are both a %s; one is accepted", spec, asked[1]->name,
			 asked[2]->name, stage_name(asked[1]->stage));
	else
		both[0] = '\0';
	if (*both) {
		EXPECT_STR(error, both);
		return;
	}
	EXPECT(needs & ~gives);
	expect_true_need(asked, n);
}

UNIT_TEST(strategy_every_choice_and_every_pair)
{
	const struct choice *asked[3];
	unsigned good = 0, bad = 0;

	REGISTRY_FOR_EACH (asked[0], choices) {
		if (asked[0]->sabotage || asked[0]->stage != STAGE_TRANSPORT)
			continue;
		try(asked, 1, &good, &bad);
		EXPECT_EQ(bad, 0); /* each transport alone is a strategy */
	}
	REGISTRY_FOR_EACH (asked[0], choices) {
		if (asked[0]->sabotage || asked[0]->stage != STAGE_TRANSPORT)
			continue;
		REGISTRY_FOR_EACH (asked[1], choices) {
			if (asked[1]->sabotage || asked[1]->stage == STAGE_TRANSPORT)
				continue;
			try(asked, 2, &good, &bad);
			REGISTRY_FOR_EACH (asked[2], choices)
				if (!asked[2]->sabotage && asked[2]->stage != STAGE_TRANSPORT && !unit_failures())
					try(asked, 3, &good, &bad);
		}
	}
	EXPECT(good > 50 && bad > 50);
}

/* What lets a CPU alone: it knows of others by the one tag that an mm has on all of them, and each flushes what it holds itself. */
UNIT_TEST(strategy_alone)
{
	static const char *const trackers[] = { "active", "active-renewed", "count" };
	char spec[80], want[200];
	unsigned i;

	for (i = 0; i < ARRAY_SIZE(trackers); i++) {
		snprintf(spec, sizeof(spec), "broadcast+%s", trackers[i]);
		EXPECT(composes(spec) && s.traits & SEES_ALONE && has(&choice_generation));
		expect_whole(&s);
		EXPECT(has_targets(&s, TAKE));
		snprintf(spec, sizeof(spec), "ipi+slots+%s", trackers[i]);
		snprintf(want, sizeof(want), "%s needs a tagging in which an mm has one tag on all CPUs, and nothing in this "
			 "strategy is one", trackers[i]);
		expect_error(spec, want);
		snprintf(spec, sizeof(spec), "broadcast+%s+lazy", trackers[i]);
		EXPECT(!composes(spec));
		snprintf(spec, sizeof(spec), "broadcast+shared-entries+%s", trackers[i]);
		snprintf(want, sizeof(want), "tlb=%s: %s needs a tagging under which no CPU uses another's entries (CnP), "
			 "and nothing in this strategy is one", spec, trackers[i]);
		EXPECT(!composes_for(true, spec));
		EXPECT_STR(error, want);
	}
	EXPECT(composes("broadcast") && !has_targets(&s, TAKE) && has_targets(&s, PASS));
}

/* Nobody catches up by itself under it: every CPU that may hold entries is asked. */
UNIT_TEST(strategy_generation)
{
	EXPECT(composes("ipi+generation") && composes("none+generation") && composes("ipi+generation+overlap+early-ack"));
	expect_whole(&s);
	expect_error("ipi+generation+exact",
		     "generation needs a tracker that forgets no CPU before it has flushed, and nothing in this strategy is one");
	expect_error("ipi+generation+lazy",
		     "lazy needs a tagging that catches up with missed flushes, and nothing in this strategy is one");
	expect_error("ipi+generation+loaded",
		     "loaded needs a tagging that catches up with missed flushes, and nothing in this strategy is one");
	expect_error("ipi+generation+batch",
		     "batch needs a tagging that catches up with missed flushes, or the transport broadcast, "
		     "and nothing in this strategy is one");
	EXPECT(composes("broadcast+batch") && has(&choice_generation) && s.value[STAGE_BATCH] == 32);
	EXPECT(composes("broadcast+batch+count+batch-all"));
	EXPECT(composes("ipi+batch") && !has(&choice_generation));
	nr_tags = 1;
	expect_error("ipi+generation", "generation can't be used: there are no tags, or they may not be used");
	EXPECT(spec_missing("ipi+generation") && !spec_missing("ipi+mask"));
	nr_tags = 4095;
	EXPECT(!spec_missing("ipi+generation"));
}

UNIT_TEST(strategy_needs_are_named)
{
	expect_error("none+lazy", "lazy needs a transport that interrupts its targets, and nothing in this strategy is one");
	expect_error("none+overlap", "overlap needs a transport that reaches other CPUs, and nothing in this strategy is one");
	expect_error("none+early-ack",
		     "early-ack needs a transport that interrupts its targets, and nothing in this strategy is one");
	expect_error("none+now", "now needs a transport that reaches other CPUs, and nothing in this strategy is one");
	expect_error("ipi+trim", "trim needs the filter loaded, and nothing in this strategy is one");
	expect_error("ipi+exact+loaded+trim",
		     "trim needs a tracker that forgets no CPU before it has flushed, and nothing in this strategy is one");
	EXPECT(!composes_for(true, "absent"));
	EXPECT_STR(error, "tlb=absent: absent can't be used: this CPU has no flux capacitor");
}

UNIT_TEST(strategy_defaults_by_traits)
{
	EXPECT(composes("ipi") && has(&choice_completion_now) && s.value[STAGE_SCOPE] == 33 && !s.nr_filters && !s.policies);
	EXPECT(composes("none") && has(&choice_completion_quarantine));
	EXPECT(composes("ipi+quarantine") && has(&choice_completion_quarantine));
	EXPECT(composes("ipi+ceiling") && s.value[STAGE_SCOPE] == 33);
}

/* In the order of .order, however they are typed. */
UNIT_TEST(strategy_filters_in_order)
{
	static const char *const typed[] = {
		"ipi+trim+loaded+lazy", "ipi+trim+lazy+loaded", "ipi+loaded+trim+lazy",
		"ipi+loaded+lazy+trim", "ipi+lazy+trim+loaded", "ipi+lazy+loaded+trim",
	};
	unsigned i;

	for (i = 0; i < ARRAY_SIZE(typed); i++) {
		EXPECT(composes(typed[i]));
		EXPECT_EQ(s.nr_filters, 3);
		EXPECT(s.filter[0] == choice_filter_trim.filter);
		EXPECT(s.filter[1] == choice_filter_loaded.filter);
		EXPECT(s.filter[2] == choice_filter_lazy.filter);
		expect_whole(&s);
	}
}

UNIT_TEST(strategy_values)
{
	EXPECT(composes("ipi+ceiling=0") && s.value[STAGE_SCOPE] == 0);
	EXPECT(composes("ipi+ceiling=0x400") && s.value[STAGE_SCOPE] == 1024);
	EXPECT(composes("ipi+ceiling=1048576") && s.value[STAGE_SCOPE] == 1048576);
	expect_error("ipi+ceiling=1048577", "ceiling: 0..1048576 is accepted, not \"1048577\"");
	expect_error("ipi+ceiling=-1", "ceiling: 0..1048576 is accepted, not \"-1\"");
	expect_error("ipi+ceiling=", "ceiling: 0..1048576 is accepted, not \"\"");
	expect_error("ipi+ceiling=8=9", "ceiling: 0..1048576 is accepted, not \"8=9\"");
	expect_error("ipi=8", "ipi takes no value");
	expect_error("ipi+lazy=8", "lazy takes no value");
	expect_error("lazy=8", "lazy takes no value");
	expect_error("linux-6.1=8+overlap", "linux-6.1 takes no value");
}

/* Lists in errors are of what would have been accepted there. */
static void expect_unknown(const char *spec, const char *kind, const char *word, const char *listed, const char *not_listed)
{
	char want[200];

	snprintf(want, sizeof(want), "tlb=%s: unknown %s \"%s\"; there are ", spec, kind, word);
	EXPECT(!composes(spec));
	EXPECT(!strncmp(error, want, strlen(want)));
	EXPECT(strstr(error + strlen(want) - 1, listed) && !strstr(error + strlen(want) - 1, not_listed));
}

UNIT_TEST(strategy_unknown_names)
{
	static const char first[] = "preset or transport";

	expect_unknown("", first, "", " linux-6.1", " overlap");
	expect_unknown("ip", first, "ip", " ipi", " ceiling");
	expect_unknown("ipix", first, "ipix", " ipi", " mask");
	expect_unknown("overlap", first, "overlap", " none", " overlap");
	expect_unknown("+lazy", first, "", " ipi", " loaded");
	expect_unknown("ipi+", "choice", "", " lazy", " ipi");
	expect_unknown("ipi++lazy", "choice", "", " lazy", " none");
	expect_unknown("ipi+none", "choice", "none", " quarantine", " none");
	expect_unknown("lazy+linux-6.1", "choice", "linux-6.1", " quarantine", " linux-6.1");
	expect_unknown("ipi+laz", "choice", "laz", " lazy", "drops-last");
}

UNIT_TEST(strategy_names_of_any_length)
{
	char spec[200];
	unsigned n;

	for (n = 1; n < sizeof(spec) - 1; n++) {
		memset(spec, 'x', n);
		spec[n] = '\0';
		EXPECT(!composes(spec));
		EXPECT(n < STRATEGY_NAME || strstr(error, ": at most 63 characters are accepted"));
	}
}

/* A message that doesn't fit is cut, never written beyond its room. */
UNIT_TEST(strategy_errors_in_little_room)
{
	char *room;
	size_t size;

	for (size = 1; size < 200; size++) {
		room = malloc(size);
		EXPECT(!strategy_compose(&s, "ipi+nothing", 11, false, room, size));
		EXPECT(strlen(room) < size);
		free(room);
	}
}

UNIT_TEST(strategy_sabotages)
{
	const struct sabotage *x;
	const struct choice *c;
	char spec[64];

	REGISTRY_FOR_EACH (x, sabotages) {
		EXPECT(composes_for(true, x->spec));
		EXPECT_EQ(s.sabotage, strcmp(x->spec, "none") != 0);
		EXPECT(has(&choice_completion_quarantine)); /* a stale access hits memory that nobody uses */
		expect_whole(&s);
		EXPECT_EQ(composes(x->spec), !strcmp(x->spec, "none")); /* not from the command line */
	}
	REGISTRY_FOR_EACH (c, choices) {
		if (!c->sabotage)
			continue;
		snprintf(spec, sizeof(spec), "%s%s", c->stage == STAGE_TRANSPORT ? "" : "ipi+", c->name);
		EXPECT(!composes(spec));
		EXPECT(strstr(error, "unknown "));
		EXPECT(!strstr(strstr(error, "there are"), c->name));
	}
	EXPECT(!composes_for(true, "drops-last")); /* no transport */
}

UNIT_TEST(strategy_descriptions)
{
	char text[300], *room;
	size_t size;

	EXPECT(composes("linux-6.1+ceiling=8"));
	strategy_describe(&s, text, sizeof(text));
	EXPECT_STR(text, "transport=ipi tracker=exact filter=lazy policy=overlap scope=ceiling:8 batch=batch:32 tagging=slots:6 "
			 "promotion=never completion=now tables=shared");
	for (size = 1; size < sizeof(text); size++) {
		room = malloc(size);
		strategy_describe(&s, room, size);
		EXPECT(strlen(room) < size && !strncmp(room, text, strlen(room)));
		EXPECT(strlen(room) == MIN(size - 1, strlen(text)));
		free(room);
	}
}

static bool lists(const char *tlb)
{
	memset(&machine.shootdown, 0, sizeof(machine.shootdown));
	unit_set_option("tlb", tlb);
	error[0] = '\0';
	return shootdown_init(error, sizeof(error));
}

UNIT_TEST(strategy_lists)
{
	struct shootdown_state *sd = &machine.shootdown;
	char many[600] = "";
	unsigned i;

	shootdown_boot();
	EXPECT(sd->strategy == &sd->boot);
	EXPECT_STR(sd->boot.name, "ipi");
	EXPECT(lists("all"));
	EXPECT_EQ(sd->nr, 9);
	EXPECT_STR(sd->list[0].name, "none"); /* in the order that presets say, whatever the linker made of it */
	EXPECT_STR(sd->list[1].name, "ipi");
	EXPECT_STR(sd->list[5].name, "invlpgb");
	EXPECT_STR(sd->list[6].name, "tlbi-is");
	EXPECT_STR(sd->list[7].name, "tlbi-local");
	EXPECT_STR(sd->list[8].name, "linux-arm64");
	no_broadcast = "it is too old";
	EXPECT(lists("all"));
	EXPECT_EQ(sd->nr, 5);
	no_broadcast = NULL;
	EXPECT(lists("ipi+loaded,none"));
	EXPECT_EQ(sd->nr, 2);
	EXPECT_STR(sd->list[1].name, "none");
	EXPECT(!lists("ipi,lazy,ipi"));
	EXPECT_STR(error, "tlb=: ipi is there twice");
	EXPECT(!lists("all,none"));
	EXPECT_STR(error, "tlb=: none is there twice");
	EXPECT(!lists("ipi,nothing"));
	EXPECT(strstr(error, "unknown preset or transport \"nothing\""));
	for (i = 0; i <= MAX_STRATEGIES; i++)
		snprintf(many + strlen(many), sizeof(many) - strlen(many), "%sipi+ceiling=%u", i ? "," : "", i);
	EXPECT(!lists(many));
	EXPECT_STR(error, "tlb=: at most 16 strategies are accepted");
}
