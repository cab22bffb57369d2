"""Extents of the caller's pointers, inferred from their use: `a[i * m + j]` is row i of rows of length m."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import reduce
from itertools import combinations
from math import gcd

from alphaz.poly import Affine, AffineFunction, Constraint, Domain, at_least
from alphaz.poly.algorithms.bounds import bounding_box
from alphaz.poly.domain import Unbounded
from alphaz.poly.plain.integer_expression import as_affine
from alphaz.poly.plain.polynomial import Polynomial
from alphaz.scop.index_polynomials import affine, constant_polynomial, exact_quotient
from alphaz.scop.lvalues import access
from alphaz.scop.reader_state import Existentials, ReaderState, UnsizedAccess
from alphaz.scop.scope import PointerView

# Borders as wide as a small array do not matter: the first of these sizes that gives one extent is taken.
_LEAST = (0, 1, 4)
_MOST_STRIDES = 8


def extents_of(
    state: ReaderState, uses: Sequence[UnsizedAccess], parameters: Sequence[str]
) -> Mapping[str, tuple[Affine, ...]]:
    """Returns the extents of each used array, by name; omits arrays where these are unclear.

    The inner extents are quotients of the strides; the first extent is one more than the greatest subscript.
    """
    extents: dict[str, tuple[Affine, ...]] = {}
    for name in dict.fromkeys(use.array.name for use in uses):
        array_uses = [use for use in uses if use.array.name == name]
        if array_uses[0].array.in_rows:
            if (rows := _of_rows(array_uses)) is not None:
                extents[name] = rows
            continue
        inner = array_uses[0].array.extents[1:] or _inner([use.offset for use in array_uses], frozenset(parameters))
        first = None if inner is None else _first(state, array_uses, inner)
        behind = [None if subscript is None else affine(subscript) for subscript in inner or ()]
        if first is not None and None not in behind:
            extents[name] = (first, *(subscript for subscript in behind if subscript is not None))
    return extents


def _inner(offsets: Sequence[Polynomial], parameters: frozenset[str]) -> tuple[Polynomial, ...] | None:
    strides: set[Polynomial] = set()
    for offset in offsets:
        by_iterator: dict[str, Polynomial] = {}
        for monomial, factor in offset.terms:
            iterators = [(name, power) for name, power in monomial if name not in parameters]
            if len(iterators) > 1 or any(power > 1 for _, power in iterators):
                return None
            rest = tuple(entry for entry in monomial if entry[0] in parameters)
            for name, _ in iterators:
                by_iterator[name] = by_iterator.get(name, Polynomial()) + Polynomial.of([(rest, factor)])
        strides |= {*by_iterator.values()}
    # A common stride, (i * m + j) * 3 + 2, makes the elements of one point; a stride of two rows skips rows.
    least = gcd(*(_common(stride) for stride in strides))
    rows = {_divided(stride, _common(stride) // least) for stride in strides if stride.degree > 0}
    rows -= _diagonals({*rows, constant_polynomial(1)})
    ordered = [
        *sorted(rows, key=lambda row: -row.degree),
        *([constant_polynomial(least)] if rows and least > 1 else []),
    ]
    ratios = [
        exact_quotient(one, other) for one, other in zip(ordered, [*ordered[1:], constant_polynomial(1)], strict=False)
    ]
    return None if None in ratios else tuple(ratio for ratio in ratios if ratio is not None)


def _diagonals(strides: set[Polynomial]) -> set[Polynomial]:
    """Returns the strides that are sums of others: `i * n + i` moves along a row and down a column."""
    few = len(strides) <= _MOST_STRIDES
    sums = (sum(chosen, Polynomial()) for count in (2, 3) for chosen in combinations(strides, count) if few)
    return strides & {*sums}


def _common(stride: Polynomial) -> int:
    return gcd(*(int(factor) for _, factor in stride.terms))


def _divided(stride: Polynomial, divisor: int) -> Polynomial:
    return Polynomial.of([(monomial, factor / divisor) for monomial, factor in stride.terms])


def _first(state: ReaderState, uses: Sequence[UnsizedAccess], inner: Sequence[Polynomial | None]) -> Affine | None:
    """Returns one more than the greatest subscript, if that is one expression."""
    rows = []
    for use in uses:
        array = replace(use.array, extents=(None, *inner), is_used=False)
        pointer, asides = PointerView(array, (), (), use.offset), Existentials()
        cell = access(state, use.span, pointer, use.domain, asides)
        if asides.iterators:
            return None
        rows.append(_values(use.domain, cell.subscripts[0]))
    return _one_more(rows)


def _of_rows(uses: Sequence[UnsizedAccess]) -> tuple[Affine, ...] | None:
    """Returns one more than the greatest of each subscript."""
    rows = []
    for position in range(len(uses[0].subscripts)):
        subscripts = [(use.domain, affine(use.subscripts[position])) for use in uses]
        values = [_values(domain, subscript) for domain, subscript in subscripts if subscript is not None]
        rows.append(_one_more(values) if len(values) == len(uses) else None)
    return None if None in rows else tuple(bound for bound in rows if bound is not None)


def _values(domain: Domain, subscript: Affine) -> Domain:
    return domain.image(AffineFunction(domain.space, (subscript,)), ["row"])


def _one_more(values: Sequence[Domain]) -> Affine | None:
    """Returns one more than the greatest value, if that is one expression."""
    rows = reduce(Domain.__or__, values)
    if rows.is_empty():
        return None
    for least in _LEAST:
        sizes = [at_least(Affine.name(name), least) for name in rows.space.parameters]
        bounded_rows = rows.in_context(Domain.where(rows.space.with_names(()), sizes))
        bounds = [bound for bound in _greatest(bounded_rows) if _is_reached(bounded_rows, bound)]
        if len(bounds) == 1:
            return bounds[0] + 1
    return None


def _greatest(rows: Domain) -> Sequence[Affine]:
    """Returns upper bounds of the subscript, starting with the least one that is a single expression."""
    if rows.is_empty():
        return ()
    try:
        exact = as_affine(bounding_box(rows, rows.parameters()).upper[0])
    except Unbounded:
        return ()
    return rows.upper_bounds("row") if exact is None else (exact,)


def _is_reached(rows: Domain, bound: Affine) -> bool:
    """Returns True if the greatest subscript equals this bound wherever a subscript exists."""
    there = Domain.where(rows.space, [Constraint(Affine.name("row") - bound, equality=True)])
    return rows.parameters().is_subset((rows & there).parameters())
