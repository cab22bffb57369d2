"""Scopes: the meaning of index names, and notations with another meaning in other languages."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise

from alphaz.analysis.elaboration_findings import Findings, in_source_order
from alphaz.diagnostics import Diagnostic
from alphaz.diagnostics.rules import CARET, SHARED
from alphaz.poly import Affine, Space, unlike
from alphaz.syntax import tree
from alphaz.syntax.printer import print_affine
from alphaz.syntax.words import KEYWORDS


@dataclass(frozen=True, slots=True)
class Scope:
    """The index names at one place. `visible` maps a name of the text to a name of `space`.

    `order` are the names that the equation and its reductions give to positions. Those that the text of the equation
    `binds` (a declaration does not) keep their meaning even if a restrict renames dimensions; `clashing` are those that
    a restrict has given to another position."""

    space: Space
    visible: Mapping[str, str]
    order: tuple[str, ...] = ()
    binds: frozenset[str] = frozenset()
    clashing: frozenset[str] = field(default=frozenset())

    @staticmethod
    def of(parameters: tuple[str, ...], names: tuple[str, ...], written: bool = True) -> "Scope":
        """Returns a scope with dimensions named `names`, by the text at this place (`written`), or by a declaration."""
        binds = frozenset(names if written else ())
        return Scope(Space(parameters, names), {n: n for n in names}, names, binds)

    @property
    def has_names(self) -> bool:
        """Returns True if every dimension has a name that the text may use."""
        return set(self.visible.values()) >= set(self.space.names)

    def affine_of(self, name: str) -> Affine | None:
        """Returns the meaning of a name, or None if it is unknown."""
        if name in self.visible:
            return Affine.name(self.visible[name])
        return Affine.name(name) if name in self.space.parameters else None

    @property
    def visible_names(self) -> tuple[str, ...]:
        """Returns every name that is visible here."""
        return (*self.visible, *self.space.parameters)

    def rebound(self, names: tuple[str, ...]) -> "Scope":
        """Returns the same dimensions, also visible under the names of a restrict, by position."""
        own = dict(zip(names, self.space.names, strict=True))
        bound_names = {name: at for name, at in self.visible.items() if name in self.binds}
        clashing = {name for name, at in own.items() if bound_names.get(name, at) != at}
        return replace(self, visible={**self.visible, **own, **bound_names}, clashing=self.clashing | clashing)

    def renamed(self, names: tuple[str, ...]) -> "Scope":
        """Returns the same dimensions under other names alone."""
        visible = dict(zip(names, self.space.names, strict=True))
        return replace(self, visible=visible, order=names, binds=frozenset(names), clashing=frozenset())

    def extended(self, names: tuple[str, ...]) -> "Scope":
        """Returns the scope with further dimensions after the present ones; a hidden dimension may have the same
        name."""
        inner = unlike(names, (*self.space.parameters, *self.space.names))
        space = self.space.with_names(self.space.names + inner)
        visible = {**self.visible, **dict(zip(names, inner, strict=True))}
        return replace(self, space=space, visible=visible, order=self.order + names, binds=self.binds.union(names))

    def behind(self, names: tuple[str, ...]) -> "Scope":
        """Returns the scope after a function whose output dimensions are named `names`."""
        fits = len(self.order) == len(names)
        visible = dict(zip(self.order, names, strict=True)) if fits else {}
        return replace(self, space=self.space.with_names(names), visible=visible, clashing=frozenset())


_DOWN, _UP = frozenset((">", ">=")), frozenset(("<", "<="))


def misread(text: tree.FunctionText | tree.DomainText, parameters: tuple[str, ...]) -> tuple[Diagnostic, ...]:
    """Returns all such warnings of a separate map or domain, in the order of the text."""
    findings = Findings()
    affines = list(text.outputs) if isinstance(text, tree.FunctionText) else []
    for polyhedron in text.polyhedra if isinstance(text, tree.DomainText) else ():
        for chain in polyhedron.constraints:
            shared_comparison(chain, parameters if polyhedron.names else (), findings)
            affines += (side_affine for side in chain.sides for side_affine in side.affines)
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
    between = [
        position
        for position, side in enumerate(chain.sides[1:-1], 1)
        if len(side.affines) > 1 and not side.parenthesised
    ]
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


def _is_odd(chain: tree.Chain, position: int, parameters: tuple[str, ...]) -> bool:
    """Returns True if a list between its comparisons is suspicious: the comparisons have different directions, some of
    them hold or fail for all indices, or an element is repeated."""
    around = set(chain.operators[position - 1 : position + 1])
    if not (around <= _DOWN or around <= _UP):
        return True
    middle = chain.sides[position].affines
    names = [frozenset(term.name for term in side.terms if term.name is not None) for side in middle]
    if not all(names) or len({name <= set(parameters) for name in names}) > 1:
        return True
    ends = [*chain.sides[position - 1].affines, *chain.sides[position + 1].affines]
    return len(set(middle)) < len(middle) or any(end in middle for end in ends)


def _apart(chain: tree.Chain, between: set[int]) -> Iterator[str]:
    """The text of the chain with `&&` before the last part of each list between two comparisons."""
    for position, side in enumerate(chain.sides):
        texts = [print_affine(affine) for affine in side.affines]
        joined = ", ".join(texts)
        if position in between:
            joined = f"{', '.join(texts[:-1])} && {texts[-1]}"
        yield (f"({joined})" if side.parenthesised else joined) + (f"%{side.modulus}" if side.modulus else "")
        yield chain.operators[position] if position < len(chain.operators) else ""
