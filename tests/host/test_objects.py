# SPDX-License-Identifier: BSD-2-Clause
"""The rules for what was built, on small objects built here."""

import pathlib
import subprocess
import tempfile
import unittest

import common
import objects
import source

ENTRIES = """
#include "registry.h"
struct thing { const char *name; long value; char more[3]; };
REGISTRY_DECLARE(things, thing);
#define THING(sym, n) REGISTRY_ENTRY(things, thing, thing_##sym) = { .name = #sym, .value = n }
THING(one, 1);
THING(two, 2);
int main(void) { return (int)REGISTRY_BYTES(things) - 2 * (int)sizeof(struct thing); }
"""


class Objects(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.top = pathlib.Path(directory.name)

    def gcc(self, name, text, *flags):
        out = self.top / name
        out.parent.mkdir(parents=True, exist_ok=True)
        command = ["gcc", "-xc", "-", "-fno-pie", "-no-pie", "-o", str(out), f"-I{common.TOP}/include", *flags]
        subprocess.run(command, input=text, text=True, check=True, capture_output=True)
        return out

    def test_mutable_objects_are_found(self):
        self.gcc("mm/a.o", "int x; static int y = 1; int f(void) { static int z; return ++z + ++y; } const int c = 1;", "-c")
        self.gcc("arch/x86/metal/b.o", "int allowed;", "-c")
        self.gcc("boot/machine.o", "struct machine { int x; } machine;", "-c")
        found = objects.state_outside_machine(self.top)
        self.assertEqual([name.split(".")[1].split(": ")[1] for name in found], ["x", "y", "z"])

    def test_constants_are_no_state(self):
        names = 'static const char *const names[] = {"a"}; const void *f(void) { return names; }'
        self.gcc("mm/a.o", "const int c = 1;" + names, "-c")
        self.assertEqual(objects.state_outside_machine(self.top), [])

    def test_a_whole_registry(self):
        elf = self.gcc("a", ENTRIES)
        self.assertEqual(objects.linked(elf, "things"), (2, True))
        self.assertEqual(subprocess.run([elf]).returncode, 0)

    def test_a_registry_that_is_no_array(self):
        stray = '__attribute__((section("things"), used)) const char stray[5] = "x";'
        self.assertEqual(objects.linked(self.gcc("a", ENTRIES + stray), "things"), (3, False))

    def test_no_entries(self):
        self.assertEqual(objects.linked(self.gcc("a", "int main(void) { return 0; }"), "things"), (0, True))

    def test_declarations_are_counted(self):
        text = "THING(x, 1);\n/*\nTHING(y, 2);\n*/\n\tTHING(z);\n"
        files = [source.File("include/thing.h", ENTRIES), source.File("mm/a.c", text)]
        self.assertEqual(objects.registries(files), {"things": "THING"})
        self.assertEqual(objects.declared(files[1:], "THING"), 1)

    def test_addresses_that_were_linked(self):
        text = """
            extern int there, maybe __attribute__((weak));
            static const char near[] = "near";
            const char *f(void) { return near; }
            int *g(void) { return &there; }
        """
        wrong = "const char *const far[] = { near }; int *h(void) { return &maybe; }"
        for text, expected in ((text, []), (text + wrong, ["ABS64", "ADR_GOT_PAGE"])):
            path = self.top / "a.o"
            command = ["aarch64-linux-gnu-gcc", "-xc", "-", "-O2", "-g", "-fno-pie", "-c", "-o", str(path)]
            subprocess.run(command, input=text, text=True, check=True, capture_output=True)
            kinds = {line.split()[1].removeprefix("R_AARCH64_") for line in objects.linked_addresses(path)}
            self.assertEqual(kinds & {"ABS64", "ADR_GOT_PAGE"}, set(expected))
            self.assertEqual(not kinds, not expected)

    def test_the_tree_has_registries(self):
        found = objects.registries(source.tree(common.TOP))
        self.assertEqual(found["options"], "OPTION")
        self.assertEqual(found["choices"], "CHOICE")


if __name__ == "__main__":
    unittest.main()
