# SPDX-License-Identifier: BSD-2-Clause
"""
Rules that only the built kernel can show: mutable state lives in `struct machine`, each registry's section holds exactly the
entries that the source declares, as an array, and what runs before the MMU is set up needs no address that was linked.
"""

import re
import subprocess

METAL = re.compile(r"arch/[^/]+/metal/")


def symbols(path):
    """(name, nm's type letter, address, size) of every symbol with an address in an object or ELF file."""
    text = subprocess.run(["nm", "-S", str(path)], check=True, capture_output=True, text=True).stdout
    for line in text.splitlines():
        match = re.fullmatch(r"([0-9a-f]+)(?: ([0-9a-f]+))? (\w) (\S+)", line)
        if match and match[4][0] != "$":  # arm64's mapping symbols
            yield match[4], match[3], int(match[1], 16), int(match[2] or "0", 16)


def mutable(path):
    """Names of the mutable objects in an object file: data, bss, common."""
    return sorted(name for name, letter, _, _ in symbols(path) if letter in "bBdDCsSgG")


def state_outside_machine(directory):
    """`OBJECT: NAME` for all mutable objects of shared code except `machine` itself."""
    out = []
    for path in sorted(directory.rglob("*.o")):
        relative = path.relative_to(directory).as_posix()
        if not METAL.search(relative):
            out += [f"{relative}: {name}" for name in mutable(path) if name != "machine"]
    return out


ADDRESSES = re.compile(r"R_AARCH64_(ABS|GLOB|RELATIVE|JUMP_SLOT|ADR_GOT|LD64_GOT)")


def linked_addresses(path):
    """
    Relocations of an arm64 object that make it use an address as it was linked, `SECTION: KIND SYMBOL`, debug information aside:
    such code can't run elsewhere.
    """
    out, section = [], ""
    text = subprocess.run(["readelf", "-rW", str(path)], check=True, capture_output=True, text=True).stdout
    for line in text.splitlines():
        words = line.split()
        if line.startswith("Relocation section"):
            section = line.split("'")[1].removeprefix(".rela")
        elif len(words) > 2 and ADDRESSES.match(words[2]) and not section.startswith(".debug"):
            out.append(f"{section}: {words[2]} {' '.join(words[4:])}")
    return out


def _kernel(file, port):
    """Is it linked into the kernel of arch/`port`? Unit tests and the simulator have registries and entries of their own."""
    other = file.under("arch") and not file.under(f"arch/{port}")
    return not other and not file.host_test and not file.under("tests/sim", "sim", "tools")


def registries(files, port="x86"):
    """{section: macro} from the kernel's headers: every macro that is a REGISTRY_ENTRY(section, ...)."""
    pattern = r"#[ \t]*define[ \t]+(\w+)\([^\n]*\)[ \t]*(?:\\\n)?[^\n]*?\bREGISTRY_ENTRY\((\w+),"
    found = [pair for f in files if f.path.endswith(".h") and _kernel(f, port) for pair in re.findall(pattern, f.code)]
    return {section: macro for macro, section in found}


def declared(files, macro, port="x86"):
    """How many entries the kernel's sources declare with a macro."""
    return sum(len(re.findall(rf"^{macro}\(", f.code, re.M)) for f in files if f.is_c and _kernel(f, port))


def linked(elf, section):
    """(entries, whether they fill the section as an array): what lies between its __start_ and __stop_."""
    table = {name: (address, size) for name, _, address, size in symbols(elf)}
    if f"__start_{section}" not in table or f"__stop_{section}" not in table:
        return 0, True
    start, stop = table[f"__start_{section}"][0], table[f"__stop_{section}"][0]
    sizes = [size for address, size in table.values() if start <= address < stop and size]
    return len(sizes), len(set(sizes)) <= 1 and sum(sizes) == stop - start
