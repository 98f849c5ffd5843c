/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The corridor's stages. A strategy is one choice for each stage; a choice is one file with one const struct of functions. All
 * hooks exist (no NULL): stages.c has those that do nothing. Each is called once per request, never per page or per target.
 */
#ifndef MM_SHOOTDOWN_STRATEGY_H
#define MM_SHOOTDOWN_STRATEGY_H

#include "arch/tlb.h"
#include "mm/frame.h"
#include "registry.h"
#include "smp/call.h"
#include "smp/cpumask.h"
#include "types.h"

struct mm;

struct gather;

/* What is promised when gather_close() returns; techniques that delay (LATR, LUF) may not delay all of them. */
enum change {
	CHANGE_UNMAP, /* the frames are no longer reachable through the range */
	CHANGE_PROTECT, /* the removed rights can no longer be used */
	CHANGE_REMAP, /* accesses see the new frame */
	CHANGE_RECLAIM, /* as UNMAP, but only when batch_flush() has returned */
	CHANGE_KERNEL, /* a kernel range: every CPU, every address space */
	CHANGE_EXIT, /* the address space ends: as UNMAP, and nobody may even sit in its root (lazy CPUs load KMM) */
};

/* One flush, as data. mm, change, range are there from gather_open() on; the rest from gather_close(), constant from issue() on. */
struct request {
	struct mm *mm; /* NULL: a batch, of any mms */
	enum change change;
	struct va start, end; /* [start, end), aligned to the stride; unused if full */
	unsigned stride_shift;
	bool full;
	bool freed_tables;
	bool mixed; /* not all that changed are leaves of the stride's size, or that is not known */
	bool kernel; /* global entries of a kernel range */
	bool trim; /* a trim round: nobody is left out for not running the mm */
	u64 new_gen; /* mm->tlb_gen after this request's increment; 0: none */
};

/* One shootdown under way; one per CPU, in struct cpu. */
struct flight {
	struct request req;
	struct cpumask targets; /* other CPUs whose entries must die */
	bool local; /* this CPU may hold entries too and flushes them itself; a transport that reaches it clears this in issue() */
	bool open;
};

/* Whose a request is; a set. */
enum take {
	PASS = 1, /* the fallback transport's */
	TAKE = 2, /* this transport's */
	BOTH = PASS | TAKE,
	UNFILTERED = 4, /* every holder is a target, no filter is asked */
};

/* What this CPU owes for a request that names the mm it runs. */
struct due {
	enum {
		DUE_NOTHING, /* done already, or somebody else keeps this CPU's entries right */
		DUE_RANGE, /* the request's range */
		DUE_TAG, /* everything under the loaded tag */
		DUE_ENTER, /* the mm goes under another tag: enter() and load again */
	} what;
	u64 gen; /* that the loaded tag is right for afterwards */
};

/* Which tag has the mm on this CPU, and is what is under it up to date? mm/asid/ */
struct tagging {
	struct tag (*enter)(struct mm *mm, u64 gen); /* to be loaded; tag.flush: not up to date with gen. Records gen as reached */
	bool (*settled)(struct mm *mm, u64 gen); /* loaded tag of this CPU holds mm, up to date with gen */
	struct due (*due)(struct mm *mm, const struct request *req); /* before the flush */
	void (*flushed)(struct mm *mm, u64 gen); /* after it: the loaded tag is right for gen */
	void (*not_loaded)(struct mm *mm); /* this CPU was asked to flush an mm that it doesn't have loaded, or not any more */
	void (*release)(struct mm *mm); /* the mm ends */
	void (*reset)(void); /* before the first mm enters under this strategy */
	void (*reset_cpu)(void); /* this CPU, after a full flush on KMM */
};

/* Which CPUs may hold entries? Both halves of the store-buffering pair are in one file. */
struct tracker {
	u64 (*switch_in)(struct mm *mm); /* announce this CPU, full order, then read and return mm->tlb_gen */
	/* The mm has its tag on this CPU, and is about to be loaded under it, or again: tag, with tag.flush if that is wanted. */
	struct tag (*entered)(struct mm *mm, struct tag tag);
	void (*switch_out)(struct mm *mm); /* another one is loaded by now */
	struct pte (*filled)(struct mm *mm, struct va va, struct pte pte); /* a fault is about to install pte */
	void (*holders)(const struct request *req, struct cpumask *out); /* after the generation was incremented; self may be in */
	/* This CPU was asked to flush an mm that it doesn't have loaded; entries that it keeps are no flusher's any more. */
	void (*left)(struct mm *mm);
	/* The mm goes on under a new tag (SAME_TAGS), nobody runs it, and who holds entries flushes before entering any mm. */
	void (*renewed)(struct mm *mm);
};

/* Who of them can be left out, because it catches up by itself? Not asked when tables are freed, nor for kernel ranges. */
struct filter {
	void (*apply)(struct request *req, struct cpumask *targets);
};

/* Page by page or all? */
struct scope {
	void (*choose)(struct request *req, u64 value);
};

/* Now, or later together with others? */
struct batch {
	/* true: it took the request and the frames over, and counts in mm->gathers until it has flushed them */
	bool (*joins)(struct gather *gather, struct flight *flight, enum take take);
};

/*
 * How do the entries die on the targets, when is it done? One that broadcasts reaches every CPU, this one too: what it takes alone
 * has no targets. It may issue() at once what joins a batch; the batch's request, without an mm, brings the sync().
 */
struct transport {
	const char *fallback; /* transport that does what takes() passes on; its own name if it never does */
	bool broadcasts;
	enum take (*takes)(const struct request *req); /* after the generation was incremented */
	void (*hold)(struct flight *flight); /* before the edit */
	void (*drop)(struct flight *flight); /* nothing came of it, or it was batched: issue() will not be called */
	void (*issue)(struct flight *flight);
	void (*sync)(struct flight *flight); /* returns when it is done on all targets */
	void (*after)(struct flight *flight); /* the flush has ended, the mm is still there; may decide on promotion */
	void (*sweep)(void); /* what runs on this CPU goes on to another mm, or goes lazy: do what was left for it */
};

/* When does an mm get a tag that is the same on every CPU? */
struct promotion {
	u64 (*above)(u64 value); /* ... when more CPUs than this run it */
};

/* When may frames, tables, addresses be used again? */
struct completion {
	void (*retire)(struct flight *flight, struct frame_list *frames, struct frame_list *tables); /* the flush has ended */
	bool (*drain)(void); /* all CPUs have flushed everything: release what was held back. True: nothing is left */
};

/* One set of tables per mm, or one per CPU? */
struct tables {
	struct pa (*root)(struct mm *mm); /* that this CPU loads */
};

enum stage { /* in the order in which defaults are chosen */
	STAGE_TRACKER,
	STAGE_TAGGING,
	STAGE_FILTER, /* several */
	STAGE_SCOPE,
	STAGE_BATCH,
	STAGE_TRANSPORT,
	STAGE_PROMOTION,
	STAGE_POLICY, /* several: switches that others look at, enum policy */
	STAGE_COMPLETION,
	STAGE_TABLES,
	NR_STAGES
};

/* Traits: what a choice needs of the others, and what it gives. */
enum trait {
	CATCHES_UP = 1 << 0, /* a CPU that was left out flushes before it uses the mm again */
	INTERRUPTS = 1 << 1, /* targets run our code for each request */
	REMOTE = 1 << 2, /* entries on other CPUs die at all */
	LOOKS_AT_LOADED = 1 << 3, /* leaves out CPUs that don't run the mm */
	KEEPS_BITS = 1 << 4, /* no CPU is forgotten before it has flushed */
	BROADCASTS = 1 << 5, /* entries under one tag die on every CPU, whoever runs what */
	GLOBAL_TAGS = 1 << 6, /* mms can have a tag that is the same on every CPU */
	SAME_TAGS = 1 << 7, /* each mm has one tag, the same on every CPU, from the start */
	OWN_ENTRIES = 1 << 8, /* no CPU uses what another one has filled; arm64: TTBR.CnP is clear */
	MAY_WAIT = 1 << 10, /* a flush can be made good later: who is left out catches up, or it was broadcast and is waited for */
	SEES_ALONE = 1 << 9, /* knows when no other CPU holds entries: is asked for what is broadcast too */
};

/* What a choice of STAGE_POLICY stands for. */
enum policy {
	POLICY_OVERLAP = 1 << 0, /* the local flush runs while the targets work */
	POLICY_EARLY_ACK = 1 << 1, /* targets acknowledge before they flush, where that is legal */
	POLICY_SAMPLED = 1 << 2, /* promotion is thought of once in a while */
	POLICY_FINAL_ONLY = 1 << 3, /* broadcasts spare walk caches where no table is freed */
	POLICY_BATCH_ALL = 1 << 4, /* a batch is one broadcast of all tags */
	POLICY_HINT = 1 << 5, /* flushes of leaves of one size say which: request_of_one_size() */
	POLICY_ONE_BY_ONE = 1 << 6, /* they are page by page */
	POLICY_SYNC_EACH = 1 << 7, /* each is waited for before the next */
};

struct choice {
	enum stage stage;
	const char *name, *help;
	u32 needs, gives; /* enum trait */
	unsigned order; /* filters: who is asked first; defaults: which is tried first */
	bool by_default; /* of its stage */
	bool takes_value; /* NAME=VALUE */
	u64 min, max, def;
	const char *(*missing)(void); /* NULL, or why this machine can't do it; may be NULL */
	bool sabotage; /* wrong on purpose: tests only */
	union {
		const struct tagging *tagging;
		const struct tracker *tracker;
		const struct filter *filter;
		const struct scope *scope;
		const struct batch *batch;
		const struct transport *transport;
		const struct promotion *promotion;
		u32 policy; /* enum policy, one */
		const struct completion *completion;
		const struct tables *tables;
	};
};

#define CHOICE(sym, ...) REGISTRY_ENTRY(choices, choice, choice_##sym) = { __VA_ARGS__ }
REGISTRY_DECLARE(choices, choice);

/* A name for a spec. Presets that follow a kernel release say line by line in their file what they stand for. */
struct preset {
	const char *name, *spec, *help;
	const char *otherwise; /* spec where this machine can't do the other; may be NULL */
	bool compare; /* part of tlb=all */
	unsigned order; /* in tlb=all, from 0, each once */
};

#define PRESET(sym, ...) REGISTRY_ENTRY(presets, preset, preset_##sym) = { __VA_ARGS__ }
REGISTRY_DECLARE(presets, preset);

#define MAX_FILTERS 4
#define MAX_POLICIES 8
#define STRATEGY_NAME 64

struct strategy {
	char name[STRATEGY_NAME]; /* as the user wrote it */
	const struct tagging *tagging;
	const struct tracker *tracker;
	const struct filter *filter[MAX_FILTERS];
	unsigned nr_filters;
	const struct scope *scope;
	const struct batch *batch;
	const struct transport *transport, *fallback;
	const struct promotion *promotion;
	const struct completion *completion;
	const struct tables *tables;
	u64 value[NR_STAGES]; /* of the choice, where it takes one */
	u32 policies; /* enum policy */
	call_fn *receive; /* what targets run for a request */
	u32 traits; /* what its choices give together */
	bool sabotage; /* some choice is */
	const struct choice *choice[NR_STAGES + MAX_FILTERS + MAX_POLICIES]; /* what it is made of, for records */
	unsigned nr_choices;
};

/* Does a request need targets, if that is whose it is? */
static inline bool has_targets(const struct strategy *s, enum take take)
{
	return take & PASS || !s->transport->broadcasts || s->traits & SEES_ALONE;
}

/*
 * Policy ttl: may a TLB be told what size of leaves has to go? It must be true of all of them: told of pages, a TLB may keep
 * blocks, and walk caches of tables that are freed.
 */
static inline bool request_of_one_size(const struct strategy *s, const struct request *req)
{
	return s->policies & POLICY_HINT && !req->freed_tables && !req->mixed;
}

#define MAX_STRATEGIES 16

struct shootdown_state {
	const struct strategy *strategy; /* installed */
	struct strategy list[MAX_STRATEGIES]; /* of tlb= */
	unsigned nr;
	struct strategy boot; /* "ipi", until the first installation */
	struct strategy trial; /* tests: a strategy with a sabotage */
	struct cpumask scratch; /* CPU 0: the CPUs of the test or benchmark under way */
};

/*
 * Composes `spec` = PRESET or TRANSPORT, then +CHOICE[=VALUE]...; with `tests`, sabotage choices are allowed. False: `error` is one
 * line that says what does not fit, where, and what is accepted.
 */
bool strategy_compose(struct strategy *s, const char *spec, size_t n, bool tests, char *error, size_t size);

/* NULL, or why this machine can't do one of the choices of `spec`, which names no preset. */
const char *spec_missing(const char *spec);

/* NULL, or why this machine can't do it: tlb=all goes without it then. */
const char *preset_missing(const struct preset *p);

const char *stage_name(enum stage stage);

/* "tagging=slots tracker=mask filter=lazy ..." */
void strategy_describe(const struct strategy *s, char *buf, size_t size);

/*
 * Makes it the one in force: no mm but KMM is alive, all CPUs are parked or here; everybody loads KMM, flushes everything, forgets
 * its slots; what was held back is drained; counters are zero.
 */
void strategy_install(const struct strategy *s);

/* Composes the boot strategy. */
void shootdown_boot(void);

/* Composes list[] from tlb=, once it is known what this machine can do. False: one line in error. */
bool shootdown_init(char *error, size_t size);

/*
 * A full flush on every CPU, lazy ones load KMM; then what was held back is released. No other CPU has a gather open meanwhile:
 * what it held back after some CPU's flush would be released with the rest.
 */
void strategy_settle(void);

/* receive.c: what a CPU does for a request, the initiator for itself too. Interrupts off. */
void receive_request(const struct request *req);

/* The same as a call with the request as its argument, acknowledged afterwards; policy_early_ack.c: before, where that is legal. */
void receive_call(struct call_node *call);
void receive_early(struct call_node *call);

#endif
