"""Notations with another meaning in other languages, and their meaning in this one.

Both texts are grammatical, so these are warnings: `2^L` is two times L, since a caret only escapes a name (AZ104); in
`N>=3, T>=1` the list `3, T` shares the comparisons around it (AZ105)."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from alphaz.analysis.findings import Findings, in_source_order
from alphaz.diagnostics import Diagnostic
from alphaz.diagnostics.rules import CARET, SHARED
from alphaz.syntax import tree
from alphaz.syntax.printer import print_affine
from alphaz.syntax.words import KEYWORDS

_DOWN, _UP = frozenset((">", ">=")), frozenset(("<", "<="))


def misread(text: tree.FunctionText | tree.DomainText, parameters: tuple[str, ...]) -> tuple[Diagnostic, ...]:
    """Returns all such warnings of a separate map or domain, in the order of the text."""
    findings = Findings()
    affines = list(text.outputs) if isinstance(text, tree.FunctionText) else []
    for polyhedron in text.polyhedra if isinstance(text, tree.DomainText) else ():
        for chain in polyhedron.constraints:
            shared_comparison(chain, parameters if polyhedron.names else (), findings)
            affines += (each for side in chain.sides for each in side.affines)
    for affine in affines:
        for term in affine.terms:
            caret(term, findings)
    return in_source_order(findings.diagnostics)


def caret(term: tree.Term, findings: Findings) -> None:
    """Warns about a number before an escaped name that needs no escape."""
    text = term.span.text.lstrip("+- \t\n")
    if term.name is None or not text[:1].isdigit() or "^" not in text or term.name in KEYWORDS:
        return
    factor = abs(term.coefficient)
    findings.report(
        CARET,
        f"`{text}` means {factor} times `{term.name}`: a caret escapes a name, and powers are not affine",
        replace(term.span, start=term.span.end - len(text)),
        "no power",
        help_=f"write `{factor}{term.name}` if that is meant; a power can be a parameter of its own",
    )


def shared_comparison(chain: tree.Chain, parameters: tuple[str, ...], findings: Findings) -> None:
    """Warns about a list between two comparisons where separate comparisons were probably intended."""
    between = [at for at, side in enumerate(chain.sides[1:-1], 1) if len(side.affines) > 1 and not side.parenthesised]
    if not any(_is_odd(chain, at, parameters) for at in between) and len(between) < 2:
        return
    meaning = " && ".join(
        f"{print_affine(left)}{operator}{print_affine(right)}"
        for operator, (one, other) in zip(chain.operators, pairwise(chain.sides), strict=True)
        for left in one.affines
        for right in other.affines
    )
    findings.report(
        SHARED,
        f"a list shares the comparisons around it: this means {meaning}",
        chain.span,
        "one chain of comparisons",
        help_=f"several comparisons are joined by `&&`: `{''.join(_apart(chain, set(between)))}`; "
        "a list in parentheses is not warned of",
    )


def _is_odd(chain: tree.Chain, at: int, parameters: tuple[str, ...]) -> bool:
    """Returns True if a list between its comparisons is suspicious: the comparisons have different directions, some of
    them hold or fail for all indices, or an element is repeated."""
    around = set(chain.operators[at - 1 : at + 1])
    if not (around <= _DOWN or around <= _UP):
        return True
    middle = chain.sides[at].affines
    names = [frozenset(term.name for term in each.terms if term.name is not None) for each in middle]
    if not all(names) or len({name <= set(parameters) for name in names}) > 1:
        return True
    ends = [*chain.sides[at - 1].affines, *chain.sides[at + 1].affines]
    return len(set(middle)) < len(middle) or any(end in middle for end in ends)


def _apart(chain: tree.Chain, between: set[int]) -> Iterator[str]:
    """The text of the chain with `&&` before the last part of each list between two comparisons."""
    for at, side in enumerate(chain.sides):
        texts = [print_affine(affine) for affine in side.affines]
        joined = ", ".join(texts)
        if at in between:
            joined = f"{', '.join(texts[:-1])} && {texts[-1]}"
        yield (f"({joined})" if side.parenthesised else joined) + (f"%{side.modulus}" if side.modulus else "")
        yield chain.operators[at] if at < len(chain.operators) else ""
