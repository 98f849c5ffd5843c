# SPDX-License-Identifier: BSD-2-Clause
"""
The command line of ./tlblab. One parser for all commands, so that what is wrong is always said in one line: what, and what is
accepted. (argparse prints a page, and refuses values that begin with "-", which --qemu-arg must take.)
"""

from errors import usage


class Option:
    """--name or, with `metavar`, --name VALUE. `kind` turns the text into the value and raises ValueError(what is accepted)."""

    def __init__(self, name, help, metavar=None, kind=str, default=None, many=False, short=None):
        self.name, self.help, self.metavar, self.kind, self.many, self.short = name, help, metavar, kind, many, short
        self.default = [] if many else default if metavar else False

    @property
    def field(self):
        return self.name.lstrip("-").replace("-", "_")


class Command:
    """One command. `words`: how its other arguments are called, "" if it takes none. `kernel`: takes `-- KERNEL OPTIONS`."""

    def __init__(self, run, help, options=(), words="", kernel=False):
        self.run, self.help, self.options, self.words, self.kernel = run, help, options, words, kernel


class Arguments:
    """Values by option field, `words`, and `kernel` (the words after --)."""


def choice(*accepted):
    def kind(text):
        if text not in accepted:
            raise ValueError(", ".join(accepted))
        return text

    return kind


def number(low, high):
    def kind(text):
        if not text.isascii() or not text.isdigit() or not low <= int(text) <= high:
            raise ValueError(f"a number from {low} to {high}")
        return int(text)

    return kind


def kernel_word(text):
    """Kernel options pass through make, GRUB's shell and QEMU; none of these may see anything special in them."""
    if not text or not all(c.isascii() and c.isalnum() or c in "_.,:=+/@-" for c in text):
        raise ValueError("letters, digits and _ . , : = + / @ -")
    return text


def _value(command, option, given, text):
    try:
        return option.kind(text)
    except ValueError as accepted:
        raise usage(f"{command} {given} {text}: accepted is {accepted}")


def parse(name, command, argv):
    """argv (behind the command's name) as Arguments; raises a usage Error."""
    out = Arguments()
    out.words, out.kernel = [], []
    for option in command.options:
        setattr(out, option.field, list(option.default) if option.many else option.default)
    names = {n: o for o in command.options for n in (o.name, o.short) if n}
    rest = list(argv)
    while rest:
        word = rest.pop(0)
        given, equals, text = word.partition("=")
        if word == "--" and command.kernel:
            out.kernel = [_value(name, Option("--", "", kind=kernel_word), "--", w) for w in rest]
            break
        if given in names and word != "-":
            option = names[given]
            if not option.metavar:
                if equals:
                    raise usage(f"{name}: {given} takes no value")
                setattr(out, option.field, True)
                continue
            if not equals:
                if not rest:
                    raise usage(f"{name}: {given} needs a value, {option.metavar}")
                text = rest.pop(0)
            value = _value(name, option, given, text)
            setattr(out, option.field, getattr(out, option.field) + [value] if option.many else value)
        elif word.startswith("-") and word != "-":
            accepted = ", ".join([o.name for o in command.options] + (["-- KERNEL OPTIONS"] if command.kernel else []))
            raise usage(f"{name}: unknown option {given}; accepted are {accepted or 'none'}")
        elif not command.words or out.words:
            hint = "; kernel options follow --" if command.kernel else ""
            raise usage(f"{name}: unexpected argument {word}; accepted is {command.words or 'none'}{hint}")
        else:
            out.words.append(word)
    return out


def describe(name, command):
    """Help on one command."""
    line = ["./tlblab", name]
    line += ["[options]"] if command.options else []
    line += [command.words] if command.words else []
    line += ["[-- KERNEL OPTIONS]"] if command.kernel else []
    text = [" ".join(line), "", "  " + command.help]
    for option in command.options:
        left = f"{option.short + ', ' if option.short else ''}{option.name}{' ' + option.metavar if option.metavar else ''}"
        text.append(f"    {left:24} {option.help}")
    return "\n".join(text)
