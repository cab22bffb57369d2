"""Lines of OpenMP as directives with clauses. The expressions inside are read by a function of the caller."""

import re
from collections.abc import Callable, Iterator
from itertools import pairwise

from alphaz.c.tree import Clause, Expression, Index, Name, Section

Read = Callable[[str], Expression | None]

_WORDS = frozenset({
    "parallel", "for", "simd", "sections", "section", "single", "master", "masked", "critical", "atomic", "barrier",
    "task", "taskloop", "taskwait", "taskyield", "taskgroup", "teams", "distribute", "target", "loop",
})  # fmt: skip
_STANDALONE = frozenset({"barrier", "taskwait", "taskyield"})
# These directives are about a loop, or one assignment, which has no braces.
_OF_A_STATEMENT = frozenset({"for", "simd", "atomic", "taskloop", "distribute", "loop"})
_DATA = frozenset({"data", "enter", "exit", "update"})
_CLAUSE = re.compile(r"\s*,?\s*(?P<name>\w+)\s*")
_LAST = frozenset({"aligned", "linear"})
"""Clauses with a number after the colon; in others the word before it says how."""
_OF_NAMES = frozenset({
    "private", "firstprivate", "lastprivate", "shared", "reduction", "copyprivate", "linear", "aligned", "nontemporal",
})  # fmt: skip


def read_directive(text: str, read: Read) -> tuple[str, tuple[Clause, ...]] | None:
    """Returns the directive of a pragma of OpenMP, and its clauses; None for others, and for declarations."""
    words = text.split()
    if words[:1] != ["omp"]:
        return None
    rest, directive = text.split("omp", 1)[1], list[str]()
    while (word := _CLAUSE.match(rest)) is not None and (
        word["name"] in _WORDS or (word["name"] == "ordered" and not directive)
    ):
        directive.append(word["name"])
        rest = rest[word.end() :]
    if not directive or (directive == ["target"] and rest.split()[:1] and rest.split()[0] in _DATA):
        return None
    clauses = _clauses(rest, read)
    if clauses is None or (directive == ["ordered"] and {"depend", "doacross"} & {clause.name for clause in clauses}):
        return None
    return " ".join(directive), clauses


def is_standalone(directive: str) -> bool:
    """Returns True if no statement belongs to the directive."""
    return directive in _STANDALONE


def is_about_statement(directive: str) -> bool:
    """Returns True if the directive is about a loop, or one assignment, not about a block."""
    return not _OF_A_STATEMENT.isdisjoint(directive.split())


def _clauses(text: str, read: Read) -> tuple[Clause, ...] | None:
    made: list[Clause] = []
    while text.strip(" ,\t"):
        match = _CLAUSE.match(text)
        name, rest = (match["name"], text[match.end() :]) if match else ("", text.lstrip())
        if not rest.startswith("("):
            if match is None:
                return None
            made.append(Clause(name))
            text = rest
            continue
        end = closing_bracket(rest)
        clause = _clause(name, rest[1:end], read) if end else None
        if clause is None:
            return None
        made.append(clause)
        text = rest[end + 1 :]
    return tuple(made)


def _clause(name: str, inside: str, read: Read) -> Clause | None:
    """Returns the clause; None if its expressions cannot be read."""
    before, colon, behind = _at_colon(inside)
    last: Expression | None = None
    if colon and name in _LAST:
        inside, last = before, read(behind)
        if last is None:
            return None
    operator = " ".join(before.split()) if colon and name not in _LAST else ""
    parts = [part.strip() for part in _split(behind if operator else inside)]
    if name in _OF_NAMES and any(part.startswith("(") for part in parts):
        return None
    listed = [_argument(part, read) for part in parts]
    arguments = tuple(one for one in listed if one is not None)
    return Clause(name, arguments, operator, last) if len(arguments) == len(listed) else None


def _argument(text: str, read: Read) -> Expression | None:
    """Returns an expression, or a section of an array: `a[0:n][k]`."""
    if text.isidentifier():
        # Among them words of C: `schedule(static)`.
        return Name(text)
    name, bracket, _ = text.partition("[")
    if not bracket or ":" not in text or not name.strip().isidentifier():
        return read(text)
    value: Expression = Name(name.strip())
    rest = text[len(name) :]
    while rest.startswith("["):
        end = closing_bracket(rest)
        first, colon, count = _at_colon(rest[1:end])
        parts = tuple(read(part) if part.strip() else None for part in (first, count))
        if not end or any(part.strip() and one is None for part, one in zip((first, count), parts, strict=True)):
            return None
        if not colon and parts[0] is None:
            return None
        value = Section(value, *parts) if colon or parts[0] is None else Index(value, parts[0])
        rest = rest[end + 1 :].lstrip()
    return None if rest else value


def closing_bracket(text: str) -> int:
    """Returns the position of the bracket that closes the first one; 0 if there is none."""
    return next((at for at, depth in _depths(text) if depth == 0), 0)


def _depths(text: str) -> Iterator[tuple[int, int]]:
    """Yields each position with the number of brackets open behind it."""
    depth = 0
    for position, char in enumerate(text):
        depth += (char in "([{") - (char in ")]}")
        yield position, depth


def _split(text: str) -> list[str]:
    commas = [at for at, depth in _depths(text) if depth == 0 and text[at] == ","]
    bounds = [-1, *commas, len(text)]
    return [text[one + 1 : other] for one, other in pairwise(bounds)]


def _at_colon(text: str) -> tuple[str, bool, str]:
    """Returns the parts around the first colon outside of brackets and conditional expressions."""
    at = next((at for at, depth in _depths(text) if depth == 0 and text[at] in ":?"), None)
    if at is None or text[at] == "?":
        return text, False, ""
    return text[:at], True, text[at + 1 :]
