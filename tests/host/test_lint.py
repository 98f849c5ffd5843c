# SPDX-License-Identifier: BSD-2-Clause
"""Each lint rule sees what it is for, and leaves its look-alikes alone."""

import unittest

import common  # noqa: F401
import lint
import source

HEAD = "/* SPDX-License-Identifier: BSD-2-Clause */\n"

# rule: (path, text that is wrong); the declarations that a rule needs are in TREE.
BAD = {
    "shared-words": [
        ("mm/a.c", "x = __atomic_load_n(p, 0);"),
        ("smp/a.c", "_Atomic int x;"),
        ("mm/a.c", "mm->tlb_gen.raw++;"),
        ("mm/a.c", "m->bits[i].raw = 1;"),
    ],
    "spin-loops": [
        ("mm/a.c", "while (load_acquire(&w) != 1)\n\t;"),
        ("mm/a.c", "while (!cas_full(&w, 0, 1)) {\n}"),
        ("mm/a.c", "for (; load_relaxed(&w);)\n\tn++;"),
        ("mm/a.c", "for (;;) {\n\tif (load_acquire(&w))\n\t\tbreak;\n}"),
        ("mm/a.c", "do {\n\tn++;\n} while (load_acquire(&w));"),
        ("smp/a.c", "wait_pause(&w, 0);"),
        ("mm/a.c", "wait_halt(&w, 0, 0);"),
    ],
    "mapped-memory": [("mm/a.c", "*(u64 *)va.raw = 1;"), ("bench/a.c", "x = *(const u8 *)(range->start.raw + 8);")],
    "page-tables": [
        ("mm/a.c", "pte_exchange(slot, pte_none());"),
        ("mm/shootdown/a.c", "pte_replace(slot, a, b);"),
        ("mm/a.c", "store_relaxed(&slot->word, 0);"),
        ("tests/guest/a.c", "litmus_store_entry(slot, pte);"),
        ("mm/a.c", "if (pte.raw & 1)"),
    ],
    "instructions": [
        ("mm/a.c", 'asm("nop");'),
        ("arch/x86/a.c", '__asm__ __volatile__("nop");'),
        ("lib/a.c", "volatile int x;"),
    ],
    "arch-if": [("mm/a.c", "#ifdef __x86_64__"), ("lib/a.h", "#if defined(__aarch64__)"), ("smp/a.c", "# elif ARM64")],
    "floors": [
        ("lib/a.c", '#include "mm/mm.h"'),
        ("mm/a.c", '#include "boot/state.h"'),
        ("arch/x86/a.c", '#include "smp/wait.h"'),
        ("mm/a.c", '#include "mm.h"'),
        ("mm/a.c", '#include "../smp/wait.h"'),
    ],
    "quiet": [("bench/a.c", 'kprintf("x");'), ("mm/shootdown/a.c", "record_end(&r);")],
    "license-line": [("mm/a.c", None), ("tools/a.py", None)],
    "line-length": [("mm/a.c", "\t" * 16 + "12345")],
    "line-ends": [("mm/a.c", "int x; "), ("mm/a.c", "int x;\n\nint y;\t")],
    "comment-style": [("mm/a.c", "// what"), ("mm/a.c", "x = 1; // what")],
    "comment-names": [("mm/a.c", "/* like no_such_function() does */")],
}

GOOD = [
    ("mm/a.c", "va.raw += 8; start.raw = 1;"),
    ("mm/a.c", "/* asm volatile __atomic pte_exchange(slot) while (load_acquire(&w)) */"),
    ("lib/a.c", 'kprintf("asm volatile /* // __atomic_x");'),
    ("mm/a.c", "while (xchg_full(&w, 1))\n\twait_until(&w, WAIT_EQ, 0, name);"),
    ("bench/a.c", "/* No spin: works until the others end. */\nwhile (load_acquire(&w))\n\twork();"),
    ("mm/a.c", "do {\n\thead = load_relaxed(w);\n} while (!cas_full(w, head, x));"),
    ("mm/shootdown/gather.c", "pte_exchange(slot, pte_none());"),
    ("arch/x86/metal/a.c", 'asm volatile("nop"); while (load_acquire(&w)) ;'),
    ("arch/x86/pte.c", "pte_exchange(slot, x); return *(u64 *)pa.raw;"),
    ("tests/unit/host/machine/atomic.h", "__atomic_load_n(p, 0);"),
    ("sim/fiber.c", 'asm("nop");\n#include "arch/x86/insn.h"'),
    ("README.md", "| a wide table |" * 9),
    ("mm/a.c", '#include "arch/pte.h"\n#include "types.h"\n#include "mm/mm.h"\n#include "lib/printf.h"'),
    ("boot/a.c", '#include "mm/mm.h"'),
    ("include/machine.h", '#include "boot/state.h"'),
    ("lib/a.c", "#if MAX_CPUS > 64\n#endif"),
    ("mm/a.c", "/* as wait_until() does */\n/* like Linux's flush_tlb_func() */"),
    ("mm/a.c", "\t" * 16 + "1234"),
]

TREE = [
    ("include/types.h", "struct va { u64 raw; };\nstruct va start, end;"),
    ("include/arch/pte.h", "struct pte_slot { struct word word; };"),
    ("mm/mm.h", "struct mm { struct word tlb_gen, other; struct word bits[4]; };"),
    ("smp/wait.h", "u64 wait_until(const struct word *w);"),
]


def findings(path, text):
    """Rules that complain about one file in a small tree."""
    if text is None:
        text = "int x;\n"
    else:
        text = ("# SPDX-License-Identifier: BSD-2-Clause\n" if path.endswith(".py") else HEAD) + text + "\n"
    files = [source.File(path, text)] + [source.File(p, HEAD + t + "\n") for p, t in TREE if p != path]
    return {found[2] for found in lint.lint(files) if found[0] == path}


class Rules(unittest.TestCase):
    def test_every_rule_has_a_bad_snippet(self):
        self.assertEqual({r.rule for r in lint.RULES}, set(BAD))

    def test_bad_snippets_are_caught(self):
        for rule, snippets in BAD.items():
            for path, text in snippets:
                with self.subTest(rule=rule, text=text):
                    self.assertIn(rule, findings(path, text))

    def test_good_snippets_pass(self):
        for path, text in GOOD:
            with self.subTest(text=text):
                self.assertEqual(findings(path, text), set())

    def test_lines_are_counted_right(self):
        found = lint.lint([source.File("mm/a.c", HEAD + '/* a\n b */\nchar *s = "x";\nvolatile int x;\n')])
        self.assertEqual([f[1] for f in found], [5])

    def test_no_newline_at_the_end(self):
        found = lint.lint([source.File("mm/a.c", HEAD + "int x;")])
        self.assertEqual([f[2] for f in found], ["line-ends"])


if __name__ == "__main__":
    unittest.main()
