"""Affine expressions, constraints, domains and functions: text -> polyhedra, in a scope.

Lists distribute, `0<=(i,j)<N` says 0<=i, 0<=j, i<N and j<N; `a!=b` is the union of a<b and a>b; `a%2` is a name r of
its own with a == 2q + r and 0<=r<2 for some q.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from alphaz.analysis.elaborate.scope import Scope, caret, shared_comparison
from alphaz.analysis.elaboration_findings import Findings, near
from alphaz.diagnostics import Span
from alphaz.diagnostics.message_words import count_text
from alphaz.diagnostics.rules import ARITY, LITERAL, NO_INDEX_NAMES, REBOUND, REDECLARED, UNDECIDED, UNDECLARED
from alphaz.poly import (
    Affine,
    AffineFunction,
    Constraint,
    Domain,
    OutOfBudget,
    Space,
    at_least,
    budget,
    equal,
    fresh_names,
    less,
)
from alphaz.poly.algorithms.congruence import Remainder, with_remainders
from alphaz.proof import BUDGET
from alphaz.syntax import tree

LARGEST = 2**63 - 1


def affine(text: tree.AffineText, scope: Scope, findings: Findings) -> Affine | None:
    """None when a name is unknown: the findings say which."""
    total: Affine | None = Affine()
    for term in text.terms:
        value = _term(term, scope, findings)
        total = total + value if total is not None and value is not None else None
    return total


def _term(term: tree.Term, scope: Scope, findings: Findings) -> Affine | None:
    if abs(term.coefficient) > LARGEST:
        findings.report(LITERAL, f"{abs(term.coefficient)} does not fit into 64 bits", term.span, "too large")
        return None
    if term.name is None:
        return Affine(constant=term.coefficient)
    value = scope.affine_of(term.name)
    if value is None:
        _unknown_index(term.name, term.span, scope, findings)
        return None
    caret(term, findings)
    if term.name in scope.clashing:
        findings.report(
            REBOUND,
            f"`{term.name}` is the index of the equation here, not the one that the restrict calls so",
            term.span,
            "the equation's",
            help_="give the indices of the restrict names of their own, or leave them out: `{| ..}`",
        )
    return value * term.coefficient


def _unknown_index(name: str, span: Span, scope: Scope, findings: Findings) -> None:
    if not scope.has_names:
        findings.report(
            NO_INDEX_NAMES,
            f"the index `{name}` has no meaning here: the indices have no names",
            span,
            "not the name of a parameter",
            help_="behind a function to another number of indices, a restrict names them, `{a,b | ..} : ..`, or each "
            "read does, `(a,b -> ..) @ V`",
        )
        return
    findings.report(
        UNDECLARED,
        f"`{name}` is neither an index nor a parameter here",
        span,
        "not declared",
        help_=near(name, scope.visible_names) or _what_is_known(scope),
    )


def _what_is_known(scope: Scope) -> str | None:
    return f"the names that mean something here are {', '.join(scope.visible_names)}" if scope.visible_names else None


def affines(texts: Iterable[tree.AffineText], scope: Scope, findings: Findings) -> tuple[Affine, ...] | None:
    """All or none."""
    forms = [affine(text, scope, findings) for text in texts]
    values = tuple(value for value in forms if value is not None)
    return values if len(values) == len(forms) else None


# --- names ------------------------------------------------------------------------------------------------------


def index_names(
    names: tuple[tree.Name, ...], parameters: tuple[str, ...], findings: Findings
) -> tuple[str, ...] | None:
    """The names as texts, or None when one stands twice or is a parameter."""
    seen: set[str] = set()
    good = True
    for name in names:
        if name.text in seen or name.text in parameters:
            what = "is a parameter" if name.text in parameters else "stands twice"
            findings.report(
                REDECLARED, f"the index name `{name.text}` {what}", name.span, what, help_="give the index another name"
            )
            good = False
        seen.add(name.text)
    return tuple(name.text for name in names) if good else None


# --- domains ----------------------------------------------------------------------------------------------------


def declared_domain(text: tree.DomainText, parameters: tuple[str, ...], findings: Findings) -> Domain | None:
    """A domain with names of its own: those of its first polyhedron; the others are renamed by position."""
    names = index_names(text.polyhedra[0].names, parameters, findings)
    if names is None:
        return None
    return _union(text, Scope.of(parameters, names), findings)


def context_of(text: tree.DomainText, findings: Findings) -> Domain | None:
    """The parameters of a system and their legal values, as a domain without dimensions."""
    names = index_names(text.polyhedra[0].names, (), findings)
    if names is None:
        return None
    space = Space(names)
    return _union(text, Scope(space, {n: n for n in names}), findings, of_parameters=True)


def restricting_domain(text: tree.DomainText, scope: Scope, findings: Findings) -> tuple[Domain, Scope] | None:
    """The domain of a restrict, over the context space, and the scope of what it restricts."""
    domain = _union(text, scope, findings)
    first = text.polyhedra[0].names
    if domain is None or not first:
        return None if domain is None else (domain, scope)
    return domain, scope.rebound(tuple(name.text for name in first))


def _union(text: tree.DomainText, scope: Scope, findings: Findings, of_parameters: bool = False) -> Domain | None:
    parts = [_polyhedron(polyhedron, scope, findings, of_parameters) for polyhedron in text.polyhedra]
    polyhedra = [part for part in parts if part is not None]
    if len(polyhedra) < len(parts):
        return None
    try:
        with budget(BUDGET):
            return _union_of(scope.space, polyhedra)
    except OutOfBudget as limit:
        findings.report(UNDECIDED, "this domain has too many pieces", text.span, str(limit))
        return None


@dataclass(frozen=True, slots=True)
class _Conjunction:
    """`different` pairs are not equal; `remainders` have names of their own, which the others use."""

    constraints: list[Constraint] = field(default_factory=list)
    different: list[tuple[Affine, Affine]] = field(default_factory=list)
    remainders: list[Remainder] = field(default_factory=list)

    @property
    def is_plain(self) -> bool:
        return not self.different and not self.remainders


def _union_of(space: Space, parts: list[_Conjunction]) -> Domain:
    """Plain conjunctions are read at once; each `!=` then cuts its polyhedron in two."""
    result = Domain.where(space, *(part.constraints for part in parts if part.is_plain))
    for part in parts:
        if not part.is_plain:
            result |= _intersection_of(space, part)
    return result


def _intersection_of(space: Space, part: _Conjunction) -> Domain:
    piece = with_remainders(space, part.remainders)
    piece &= Domain.where(piece.space, part.constraints)
    for left, right in part.different:
        piece &= Domain.where(piece.space, [less(left, right)], [less(right, left)])
    return piece.onto(space.names)


def _polyhedron(text: tree.Polyhedron, scope: Scope, findings: Findings, of_parameters: bool) -> _Conjunction | None:
    inner = scope
    if text.names:
        names = index_names(text.names, () if of_parameters else scope.space.parameters, findings)
        expected = scope.space.parameters if of_parameters else scope.space.names
        if names is None:
            return None
        if len(names) != len(expected):
            findings.report(
                ARITY,
                f"this domain has {count_text(len(names), 'index')}, but {len(expected)} are needed here",
                text.names[0].span.to(text.names[-1].span),
                f"{count_text(len(expected), 'index')} expected" + (f": {', '.join(expected)}" if expected else ""),
            )
            return None
        inner = Scope(scope.space, dict(zip(names, expected, strict=True)))
    return _constraints(text.constraints, inner, findings)


def _constraints(chains: Iterable[tree.Chain], scope: Scope, findings: Findings) -> _Conjunction | None:
    conjunction = _Conjunction()
    good = True
    for chain in chains:
        shared_comparison(chain, scope.space.parameters if scope.space.names else (), findings)
        sides = [_side(side, conjunction, scope, findings) for side in chain.sides]
        for operator, left, right in zip(chain.operators, sides, sides[1:], strict=False):
            if left is None or right is None:
                good = False
                continue
            pairs = [(a, b) for a in left for b in right]
            if operator == "!=":
                conjunction.different.extend(pairs)
            else:
                conjunction.constraints.extend(_constraint(operator, a, b) for a, b in pairs)
    return conjunction if good else None


def _side(side: tree.Side, conjunction: _Conjunction, scope: Scope, findings: Findings) -> tuple[Affine, ...] | None:
    values = affines(side.affines, scope, findings)
    if side.modulus is None or values is None:
        return values
    if not 0 < side.modulus <= LARGEST:
        message = f"there is no remainder of a division by {side.modulus}"
        findings.report(LITERAL, message, side.span, help_="divide by a positive number that fits into 64 bits")
        return None
    names = fresh_names(len(values), f"rest{len(conjunction.remainders)}.", ())
    conjunction.remainders.extend(Remainder(n, v, side.modulus) for n, v in zip(names, values, strict=True))
    return tuple(map(Affine.name, names))


def _constraint(operator: str, left: Affine, right: Affine) -> Constraint:
    match operator:
        case "==":
            return equal(left, right)
        case "<":
            return less(left, right)
        case "<=":
            return at_least(right, left)
        case ">":
            return less(right, left)
    return at_least(left, right)


# --- functions --------------------------------------------------------------------------------------------------


def function(text: tree.FunctionText, parameters: tuple[str, ...], findings: Findings) -> AffineFunction | None:
    """`(names -> outputs)`, with names of its own."""
    names = index_names(text.names, parameters, findings)
    if names is None:
        return None
    outputs = affines(text.outputs, Scope.of(parameters, names), findings)
    return AffineFunction(Space(parameters, names), outputs) if outputs is not None else None


def function_from(text: tree.FunctionText, scope: Scope, findings: Findings) -> AffineFunction | None:
    """`(names -> outputs)` from the dimensions of the scope, whatever it calls them."""
    result = function(text, scope.space.parameters, findings)
    if result is None:
        return None
    if len(result.domain.names) != scope.space.dimensions:
        findings.report(
            ARITY,
            f"this function has {count_text(len(result.domain.names), 'index')}, but stands where there "
            f"{'is' if scope.space.dimensions == 1 else 'are'} {scope.space.dimensions}",
            text.span,
            f"{count_text(scope.space.dimensions, 'index')} expected",
        )
        return None
    return result.renamed(scope.space.names)
