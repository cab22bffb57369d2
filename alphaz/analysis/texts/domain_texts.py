"""Polyhedra -> text, in the usual style: `{i,j | 1<=i<=j<=N}`.

Integer divisions are written with remainders, `i%2==0`, `i%3>=1`; a set that needs too many of them raises Rejected."""

from collections.abc import Iterable, Iterator

from alphaz.diagnostics import Diagnostic, Label, Rejected, Span
from alphaz.diagnostics.rules import PRECONDITION
from alphaz.poly import Affine, AffineFunction, Constraint, Domain
from alphaz.poly.algorithms.congruence import Congruence, Lattice, lattices
from alphaz.syntax.tree import AffineText, Chain, DomainText, FunctionText, Name, Polyhedron, Side, Term

Comparison = tuple[AffineText, str, AffineText]


def names_text(names: Iterable[str]) -> tuple[Name, ...]:
    return tuple(Name(name) for name in names)


def affine_text(affine: Affine) -> AffineText:
    """Returns the text with positive terms first, the constant last."""
    ordered = sorted(affine.terms, key=lambda term: term[1] < 0)
    terms = [Term(coefficient, name) for name, coefficient in ordered]
    if affine.constant or not terms:
        terms.append(Term(affine.constant))
    return AffineText(tuple(terms))


def function_text(function: AffineFunction) -> FunctionText:
    return FunctionText(names_text(function.domain.names), tuple(affine_text(o) for o in function.outputs))


def domain_text(domain: Domain, names: tuple[str, ...], where: Span) -> DomainText:
    """Returns the domain as a union; `names` are written before the bar (none: they are inherited).

    Raises Rejected at `where` for a set without a notation in the language."""
    order = (*domain.space.names, *domain.space.parameters)
    parts = lattices(domain)
    if parts is None:
        message = "the program has a domain that the language cannot write: it needs many integer divisions"
        raise Rejected(Diagnostic(PRECONDITION, message, Label(where), notes=(f"the domain is {domain}",)))
    if not parts:
        never = Chain((_side(Affine()), _side(Affine(constant=1))), ("==",))
        return DomainText((Polyhedron(names_text(names), (never,)),))
    parameters = frozenset(domain.space.parameters)
    return DomainText(tuple(Polyhedron(names_text(names), _chains(part, order, parameters)) for part in parts))


def own_limits(domain: Domain, context: Domain) -> Domain:
    """Returns the domain as in a declaration: without the constraints that the context implies."""
    around = Domain.universe(domain.space).in_context(context)
    # Constraints that all pieces of the context imply are removed in a second step.
    return domain.gist(around).simplify().gist(around.hull())


def _side(affine: Affine) -> Side:
    return Side((affine_text(affine),))


def _chains(part: Lattice, order: tuple[str, ...], parameters: frozenset[str]) -> tuple[Chain, ...]:
    ranked = sorted(part.constraints, key=lambda c: _rank(c, order))
    chains = _chains_of([_comparison(constraint, parameters) for constraint in ranked])
    return (*chains, *map(_remainder, part.congruences))


def can_be_written(domain: Domain) -> bool:
    """Returns True if the language has a notation for the domain."""
    return lattices(domain) is not None


def _remainder(congruence: Congruence) -> Chain:
    """`i%2==0`, `(i+j)%3>=1`"""
    affine = affine_text(congruence.affine)
    left = Side((affine,), len(affine.terms) > 1, congruence.modulus)
    return Chain((left, _side(Affine(constant=congruence.rest))), (congruence.comparison,))


def _rank(constraint: Constraint, order: tuple[str, ...]) -> tuple[bool, tuple[int, ...], int]:
    """The order of constraints: equalities first; then by their indices, those of the innermost last; lower bounds
    before upper ones."""
    places = tuple(sorted(order.index(name) for name in constraint.affine.names))
    return not constraint.equality, places[:1], -constraint.affine.terms[0][1] if constraint.affine.terms else 0


def _comparison(constraint: Constraint, parameters: frozenset[str]) -> Comparison:
    """The comparison with positive coefficients: `i==j+1`, `0<=i`, `i<N`, `i<N-1`."""
    affine = constraint.affine
    left = Affine(tuple((n, -c) for n, c in affine.terms if c < 0))
    right = Affine(tuple((n, c) for n, c in affine.terms if c > 0))
    if constraint.equality:
        return _equation(left, right, affine.constant, parameters)
    below = left.terms and right.terms and parameters.issuperset(right.names)
    if affine.constant == -1 and left.terms and right.terms:
        return affine_text(left), "<", affine_text(right)
    if affine.constant < 0 and below and not parameters.issuperset(left.names):
        return affine_text(left), "<", affine_text(right + (affine.constant + 1))
    if affine.constant >= 0 and left.terms:
        return affine_text(left), "<=", affine_text(right + affine.constant)
    return affine_text(left - affine.constant), "<=", affine_text(right)


def _equation(left: Affine, right: Affine, constant: int, parameters: frozenset[str]) -> Comparison:
    """`left == right + constant`: the defined index on the left, `j==N-1`; else without a negative number next to a
    name."""
    if not parameters.issuperset(right.names) and parameters.issuperset(left.names):
        left, right, constant = right, left, -constant
    if len(left.terms) == 1 and not parameters.issuperset(left.names) and parameters.issuperset(right.names):
        return affine_text(left), "==", affine_text(right + constant)
    if not left.terms or (constant < 0 and right.terms):
        left, right, constant = right, left, -constant
    if constant < 0 and right.terms:
        left, constant = left - constant, 0
    return affine_text(left), "==", affine_text(right + constant)


def _chains_of(comparisons: list[Comparison]) -> Iterator[Chain]:
    """`1<=i`, `i<=j`, `j<=N` become `1<=i<=j<=N`; a bound of a single name is unchanged, `N>=2`."""
    left = list(comparisons)
    while left:
        chain = [left.pop(0)]
        if chain[0][1] != "==":
            _extend(chain, left)
        yield _chain(chain)


def _extend(chain: list[Comparison], left: list[Comparison]) -> None:
    while (behind := _take(left, 0, chain[-1][2])) is not None:
        chain.append(behind)
    while (before := _take(left, 2, chain[0][0])) is not None:
        chain.insert(0, before)


def _take(left: list[Comparison], side: int, affine: AffineText) -> Comparison | None:
    """Removes and returns the first inequality that has the wanted expression on one side (0 left, 2 right)."""
    for position, comparison in enumerate(left):
        if comparison[1] != "==" and comparison[side] == affine:
            return left.pop(position)
    return None


def _chain(chain: list[Comparison]) -> Chain:
    first, operator, second = chain[0]
    if len(chain) == 1 and operator == "<=" and all(term.name is None for term in first.terms):
        first, operator, second = second, ">=", first
    sides = [first, second, *(comparison[2] for comparison in chain[1:])]
    operators = [operator, *(comparison[1] for comparison in chain[1:])]
    return Chain(tuple(Side((side,)) for side in sides), tuple(operators))
