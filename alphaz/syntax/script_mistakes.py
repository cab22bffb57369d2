"""Common mistakes in scripts and in the maps inside their strings, each shown in a docstring."""

from collections.abc import Callable

from alphaz.syntax.lexeme import END
from alphaz.syntax.unexpected_word import Advice, Repair, Situation


def _other_arrow(situation: Situation) -> Advice | None:
    """`(i => i)`."""
    here, behind = situation.found, situation.next(1)
    if "ARROW" not in situation.expected or here.text != "=" or behind.text != ">":
        return None
    repair = Repair(2, ("ARROW",))
    return Advice("`=>` is not an arrow", "write `->`", span=here.span.to(behind.span), repair=repair)


def _no_function(situation: Situation) -> Advice | None:
    """`i->i` or `{[i]->[i]}` where a script gives a map."""
    if situation.start != "function" or situation.previous is not None or situation.found.type == END:
        return None
    return Advice("a map begins with `(`", "write a map as in `(i,j -> i+j,j)`")


def _modulo(situation: Situation) -> Advice | None:
    """`(i -> i mod 2)` and `(i -> i%2)`."""
    if situation.start != "function" or situation.found.text not in ("mod", "%") or situation.previous is None:
        return None
    remedy = 'the factors of a memory map stand behind it, as in `"(t,i -> t,i)", "2,0"`; dates have none'
    return Advice(f"a map has no `{situation.found.text}`", remedy)


_SUFFIXES = ("ab", "alpha", "cs", "c", "h")
_OF_OTHERS = ("for", "while", "if", "do", "def", "import", "from")


def _control_flow(situation: Situation) -> Advice | None:
    """`for (i = 0; i < 2; i++)`, `if (x)`, `import alphaz`."""
    if situation.start != "script":
        return None
    at = situation.at
    while at and situation.lexemes[at - 1].text != ";":
        at -= 1
    first = situation.lexemes[at]
    if first.text not in _OF_OTHERS:
        return None
    remedy = "scripts go from line to line; loops and choices are for Python: `import alphaz`"
    return Advice(f"scripts have no `{first.text}`", remedy, span=first.span)


def _unquoted_map(situation: Situation) -> Advice | None:
    """`setSpaceTimeMap(p, s, "v", (i->i));`."""
    if situation.start != "script" or situation.found.type != "LPAR" or "STRING" not in situation.expected:
        return None
    return Advice("an argument begins with `(`", 'put a map or a list in quotes, as in `"(i,j -> i+j,j)"`')


def _no_script_number(situation: Situation) -> Advice | None:
    """`setParallel(p, s, "", -1);`, `setTiling(p, s, 0, 3.5);`."""
    before, here, behind = situation.previous, situation.found, situation.next(1)
    if situation.start != "script" or here.type != "JUNK" or behind.type != "INT":
        return None
    if here.text == "-":
        return Advice("numbers in scripts are not negative", "write a number from 0 on", span=here.span.to(behind.span))
    if here.text == "." and before is not None and before.type == "INT":
        span = before.span.to(behind.span)
        return Advice("numbers in scripts are whole", "write digits only", span=span, repair=Repair(2))
    return None


def _unquoted_file(situation: Situation) -> Advice | None:
    """`ReadAlphabets(mcm.ab);`."""
    before, here, behind = situation.previous, situation.found, situation.next(1)
    if situation.start != "script" or here.text != "." or before is None or behind.text not in _SUFFIXES:
        return None
    name, span = f"{before.text}.{behind.text}", before.span.to(behind.span)
    return Advice("the name of a file is a text", f'put it in quotes: "{name}"', span=span, repair=Repair(2))


def _method(situation: Situation) -> Advice | None:
    """`p.setParallel(...)`."""
    before, here, behind = situation.previous, situation.found, situation.next(1)
    if situation.start != "script" or here.text != "." or behind.type != "NAME" or before is None:
        return None
    return Advice("commands are not methods", f"write `{behind.text}({before.text}, ...)`")


SCRIPT_MISTAKES: tuple[Callable[[Situation], Advice | None], ...] = (
    _other_arrow,
    _no_function,
    _modulo,
    _control_flow,
    _unquoted_map,
    _no_script_number,
    _unquoted_file,
    _method,
)
