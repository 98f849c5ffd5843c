/* SPDX-License-Identifier: BSD-2-Clause */
/* What a litmus shape says, as text and as answers. No state. */
#include "check.h"
#include "lib/printf.h"
#include "tests/litmus/litmus.h"

unsigned litmus_threads(const struct litmus *shape)
{
	unsigned n = 0;

	while (n < LITMUS_THREADS && shape->thread[n][0].kind != OP_END)
		n++;
	return n;
}

bool litmus_is_here(const struct litmus *shape)
{
	return shape->outcome[0].by[litmus_isa()].verdict != NOT_ASKED;
}

static bool is(const struct litmus_value *v, const u64 (*reg)[LITMUS_REGS])
{
	return reg[v->thread][v->reg] == v->value;
}

bool litmus_premise(const struct litmus *shape, const u64 (*reg)[LITMUS_REGS])
{
	unsigned i;

	for (i = 0; i < ARRAY_SIZE(shape->premise) && shape->premise[i].there; i++)
		if (!is(&shape->premise[i], reg))
			return false;
	return true;
}

bool litmus_outcome(const struct litmus *shape, const struct litmus_outcome *o, const u64 (*reg)[LITMUS_REGS])
{
	return litmus_premise(shape, reg) && is(&o->is, reg);
}

/* The operation that writes a register; the last one that does. NULL: none. */
static const struct litmus_op *writer(const struct litmus *shape, unsigned thread, unsigned reg)
{
	const struct litmus_op *op, *found = NULL;

	for (op = shape->thread[thread]; op->kind != OP_END; op++)
		if ((op->kind == OP_READ && op->b == reg) || (op->kind == OP_ACCESS && op->a == reg))
			found = op;
	return found;
}

unsigned litmus_registers(const struct litmus *shape, struct litmus_value *out, unsigned max)
{
	unsigned thread, reg, n = 0;

	for (thread = 0; thread < litmus_threads(shape); thread++) {
		for (reg = 0; reg < LITMUS_REGS; reg++) {
			if (!writer(shape, thread, reg))
				continue;
			CHECK(n < max);
			out[n++] = (struct litmus_value){ true, (u8)thread, (u8)reg, 0 };
		}
	}
	return n;
}

const char *litmus_verdict_name(enum litmus_verdict verdict)
{
	static const char *const names[] = { "-", "allowed", "forbidden", "undecided" };

	return names[verdict];
}

static const char *const slots[] = { "leaf", "other leaf", "table" };
static const char *const entries[] = { "invalid", "old", "new", "third", "first", "other" };
static const char *const words[] = { "y", "z" };
static const char *const insns[] = { "DSB",	    "ISB",    "TLBI VAE1", "TLBI VALE1", "TLBI VAE1IS",
				     "TLBI VALE1IS", "MFENCE", "INVLPG" };

static void op_text(const struct litmus_op *op, char *buf, size_t size)
{
	switch ((enum litmus_kind)op->kind) {
	case OP_END:
		break;
	case OP_ENTRY:
		ksnprintf(buf, size, "W %s=%s", slots[op->a], entries[op->b]);
		break;
	case OP_WRITE:
		ksnprintf(buf, size, "W %s=%u", words[op->a], op->b);
		break;
	case OP_READ:
		ksnprintf(buf, size, "R %s", words[op->a]);
		break;
	case OP_ACCESS:
		ksnprintf(buf, size, "T x");
		break;
	case OP_FENCE:
		ksnprintf(buf, size, "fence");
		break;
	case OP_INSN:
		ksnprintf(buf, size, "%s", insns[op->a]);
		break;
	case OP_RELOAD:
		ksnprintf(buf, size, "flush the tag");
		break;
	case OP_CALL:
		ksnprintf(buf, size, "IPI P%u: flush x; wait", op->a);
		break;
	}
}

void litmus_thread_text(const struct litmus *shape, unsigned thread, char *buf, size_t size)
{
	const struct litmus_op *op;
	char text[40];

	*buf = 0;
	if (shape->holds >> thread & 1)
		ksnprintf(buf, size, "(holds x) ");
	for (op = shape->thread[thread]; op->kind != OP_END; op++) {
		op_text(op, text, sizeof(text));
		ksnprintf_append(buf, size, "%s%s", op == shape->thread[thread] ? "" : "; ", text);
	}
}

void litmus_value_text(const struct litmus *shape, const struct litmus_value *v, char *buf, size_t size)
{
	const struct litmus_op *op = writer(shape, v->thread, v->reg);
	static const char *const seen[] = { "fault", "old", "new", "third" };
	const struct litmus_op *before = v->reg ? writer(shape, v->thread, v->reg - 1u) : NULL;
	bool first = !before || before->kind != OP_ACCESS;

	if (op->kind == OP_READ)
		ksnprintf(buf, size, "P%u:%s=%u", v->thread, words[op->a], v->value);
	else
		ksnprintf(buf, size, "P%u:x%s=%s", v->thread, first ? "" : "'", seen[v->value & 3]);
}
