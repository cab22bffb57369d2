"""Recurrences: integers that a loop changes by known amounts, as functions of the number of its iterations.

int n = 0;                            before iteration i of the outer loop: n = i * M
for (int i = 0; i < N; i++)           before iteration j of the inner one:  n = i * M + j
    for (int j = 0; j < M; j++)       after both:                           n = N * M
        a[n++] = b[j];

int c = 0;                            before iteration t: c = t % 2
for (int t = 0; t < T; t++) {         after the loop:     c = T % 2
    .. c .. 1 - c ..
    c = 1 - c;
}

The amount of an iteration may depend on the iterator: the closed form is the sum of a polynomial.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from alphaz.c import tree as c
from alphaz.c.walk import nodes
from alphaz.model.types import ScalarType
from alphaz.poly import Affine, Constraint
from alphaz.poly.plain.polynomial import Polynomial
from alphaz.scop.assignments import domain_of
from alphaz.scop.index_expressions import index, quotient
from alphaz.scop.index_polynomials import (
    TRUE,
    Condition,
    Extreme,
    NotAffineCondition,
    add,
    affine,
    comparison,
    constant_polynomial,
    is_integer,
    number,
    polynomial_of,
    scale,
)
from alphaz.scop.pointer_swaps import start_of
from alphaz.scop.reader_state import Existentials, NoIndex, ReaderState
from alphaz.scop.scope import Context, NamedInteger, Undefined
from alphaz.scop.substitution import names_in
from alphaz.scop.tree_queries import (
    Trees,
    addressed,
    changes,
    is_wide_integer,
    names_among,
    names_declared,
    scalar_type,
    targets,
)

# Not C identifiers.
_AT, _OWN = "iteration'", "own'"
_LEAVES = (c.Break, c.Continue, c.Goto, c.Label, c.Return)


@dataclass(frozen=True, slots=True)
class IntegerRecurrence:
    """An integer that is `start` before a loop, and changes by `amount` in an iteration: a polynomial in the number of
    iterations before it."""

    name: str
    start: NamedInteger
    amount: Polynomial

    def after(self, steps: Affine) -> NamedInteger | None:
        """Returns the integer after this number of iterations; None if it is none for all numbers."""
        change = self.amount.summed(_AT, Affine(), steps - 1)
        return NamedInteger(add(self.start.value, change), self.start.type) if is_integer(change) else None

    def behind(self, state: ReaderState, nest: Context, trips: Affine) -> NamedInteger | None:
        """Returns the integer after a loop with this number of iterations, or none if that is negative."""
        if _is_never_negative(state, nest, trips):
            return self.after(trips)
        amount = number(self.amount)
        if amount is None:
            return None
        steps = scale(Extreme(False, Polynomial.affine(trips), constant_polynomial(0)), amount)
        return NamedInteger(add(self.start.value, steps), self.start.type)


@dataclass(frozen=True, slots=True)
class Alternation:
    """An integer that each iteration of a loop replaces by `total` less itself; it is `first` before the loop."""

    name: str
    type: ScalarType
    first: int
    total: int

    def after(self, state: ReaderState, steps: Affine, asides: Existentials) -> NamedInteger:
        """Returns the integer after this number of iterations, by a quotient that is added to `asides`."""
        turn = steps - Affine.name(quotient(state, steps, 2, asides)) * 2
        return NamedInteger(Polynomial.affine(turn * (self.total - 2 * self.first) + self.first), self.type)

    def behind(self, state: ReaderState, nest: Context, trips: Affine, asides: Existentials) -> NamedInteger | None:
        """Returns the integer after a loop with this number of iterations, which must not be negative."""
        return self.after(state, trips, asides) if _is_never_negative(state, nest, trips) else None


@dataclass(frozen=True, slots=True)
class LoopChanges:
    """The integers that a loop changes in a known way."""

    recurrences: tuple[IntegerRecurrence, ...] = ()
    alternations: tuple[Alternation, ...] = ()


NO_CHANGES = LoopChanges()


def changes_of(
    state: ReaderState, before: Context, inside: Context, loop: c.For, iterations: Mapping[str, Affine]
) -> LoopChanges:
    """Returns the changes of the followed integers by the body of a loop.

    `before` is the context before the loop, `inside` that of an iteration, without the condition of the loop;
    `iterations` gives the iterator by the number of iterations before.
    """
    changed = names_among(targets(loop.body))
    if not changed & state.followed or nodes(loop.body, _LEAVES):
        return NO_CHANGES
    within = inside.where(_going_on(state, inside, loop.test, changed))
    return LoopChanges(
        tuple(_recurrences(state, before, within, loop.body, iterations)),
        tuple(_alternations(state, before, within, loop.body)),
    )


def _alternations(
    state: ReaderState, before: Context, inside: Context, body: Sequence[c.Statement]
) -> Iterator[Alternation]:
    """Yields the followed integers that alternate between two numbers, in the order of their names."""
    changed = names_among(targets(body))
    for name in sorted(changed & state.followed):
        start = before.names.get(name)
        if not isinstance(start, NamedInteger) or start.is_shared or (first := number(start.value)) is None:
            continue
        last = _last_value(state, inside, body, name, start.type, changed)
        total = None if last is None else number(last + polynomial_of(_OWN))
        if total is not None:
            yield Alternation(name, start.type, first, total)


def _last_value(
    state: ReaderState, inside: Context, body: Sequence[c.Statement], name: str, type_: ScalarType, changed: set[str]
) -> Polynomial | None:
    """Returns the value of an integer at the end of an iteration, by that at its begin."""
    nest = inside.with_names({name: NamedInteger(polynomial_of(_OWN), type_)})
    given_away = names_among(addressed(body))
    unknown = (changed | _declared(body) | given_away) - {name}
    for item in body:
        match item:
            case c.Declare(type=declared, name=own, value=value) if value is not None:
                of = scalar_type(declared)
            case c.Assign(c.Name(own), value, "=") if own in state.followed:
                of = type_
            case _:
                unknown |= names_among(targets(item))
                if name in unknown:
                    return None
                continue
        known = _value(state, nest, value, unknown, 1) if is_wide_integer(of) else None
        if known is not None and of is not None and own not in given_away:
            nest, unknown = nest.with_names({own: NamedInteger(known, of)}), unknown - {own}
        elif own == name:
            return None
        else:
            unknown |= {own}
    last = nest.names[name]
    return last.value if isinstance(last, NamedInteger) and isinstance(last.value, Polynomial) else None


def _recurrences(
    state: ReaderState, before: Context, inside: Context, body: Sequence[c.Statement], iterations: Mapping[str, Affine]
) -> Iterator[IntegerRecurrence]:
    """Yields the followed integers that change by polynomials, in the order of their names."""
    changed = names_among(targets(body))
    for name in sorted(changed & state.followed):
        start = before.names.get(name)
        if not isinstance(start, NamedInteger) or start.is_shared:
            continue
        amount = _amount(state, inside, body, name, changed | _declared(body))
        if amount is not None:
            yield IntegerRecurrence(name, start, _counted(amount, iterations))


def _counted(amount: Polynomial, iterations: Mapping[str, Affine]) -> Polynomial:
    return amount.replaced({name: value for name, value in iterations.items() if name in amount.names})


def by_iterations(first: Affine, step: int) -> Affine:
    """Returns the iterator of a loop by the number of iterations before."""
    return first + Affine.name(_AT) * step


def _declared(body: Trees) -> set[str]:
    return {node.name for node in nodes(body, c.Declare)}


def _amount(
    state: ReaderState, nest: Context, body: Sequence[c.Statement], name: str, changed: set[str]
) -> Polynomial | None:
    """Returns the amount by which statements change an integer; None if it is no function of the iterators."""
    total = Polynomial()
    for item in body:
        if name not in names_among(targets(item)):
            continue
        part = _of_statement(state, nest, item, name, changed)
        if part is None:
            return None
        total = total + part
    return total


def _of_statement(
    state: ReaderState, nest: Context, item: c.Statement, name: str, changed: set[str]
) -> Polynomial | None:
    match item:
        case c.Evaluate(c.Step(operator, _, c.Name(own))) if own == name:
            return constant_polynomial(1 if operator == "++" else -1)
        case c.Assign(c.Name(own), value, "+=" | "-=" as operator) if own == name:
            return _value(state, nest, value, changed, -1 if operator == "-=" else 1)
        case c.Assign(c.Name(own), c.Binary("+" | "-" as operator, c.Name(left), value), "=") if own == left == name:
            return _value(state, nest, value, changed, -1 if operator == "-" else 1)
        case c.Block(body) if name not in names_declared(body):
            return _amount(state, nest, body, name, changed)
        case c.If(test, then, otherwise) if not changes(test) and name not in names_declared((*then, *otherwise)):
            amounts = [_amount(state, nest, branch, name, changed) for branch in (then, otherwise)]
            return amounts[0] if amounts[0] == amounts[1] else None
        case c.For():
            return _of_loop(state, nest, item, name, changed)
    return None


def _value(state: ReaderState, nest: Context, node: c.Expression, changed: set[str], sign: int) -> Polynomial | None:
    """Returns the value of an expression that no statement of the loop changes, times the sign."""
    if names_in(node) & changed or nodes(node, (c.Set, c.Step)):
        return None
    asides = Existentials()
    try:
        value = index(state, nest, node, asides)
    except NoIndex:
        return None
    return value * constant_polynomial(sign) if isinstance(value, Polynomial) and not asides.iterators else None


def _of_loop(state: ReaderState, nest: Context, loop: c.For, name: str, changed: set[str]) -> Polynomial | None:
    """Returns the amount by which all iterations of an inner loop change an integer."""
    head = _plain_head(loop)
    if head is None or name in names_among(targets((*loop.start, *loop.steps))):
        return None
    iterator, start, step = head
    declared, known = loop.start[0], nest.names.get(iterator)
    type_ = known.type if isinstance(known, NamedInteger | Undefined) else None
    if isinstance(declared, c.Declare):
        type_ = scalar_type(declared.type)
    if not is_wide_integer(type_) or iterator in names_among(targets(loop.body)):
        return None
    first = _value(state, nest, start, changed - {iterator}, 1)
    own = affine(first) if first is not None else None
    if own is None:
        return None
    inner = state.fresh(iterator)
    inside = nest.with_names({iterator: NamedInteger(polynomial_of(inner), type_)})
    trips = trips_of(state, inside, loop.test, {inner: by_iterations(own, step)}, changed - {iterator})
    begun = comparison(">=" if step > 0 else "<=", polynomial_of(inner), Polynomial.affine(own))
    within = replace(inside, iterators=(*inside.iterators, inner), conditions=(*inside.conditions, begun))
    within = within.where(_going_on(state, within, loop.test, changed - {iterator}))
    amount = _amount(state, within, loop.body, name, changed - {iterator})
    if amount is None or trips is None or inner in trips.names or not _is_never_negative(state, nest, trips):
        return None
    return _counted(amount, {inner: by_iterations(own, step)}).summed(_AT, Affine(), trips - 1)


def _plain_head(loop: c.For) -> tuple[str, c.Expression, int] | None:
    """Returns iterator, start and step of a loop with steps of one; None for others."""
    start = start_of(loop)
    match loop.steps:
        case (c.Step(operator, _, c.Name(name)),) if start is not None and name == start[0]:
            return None if name in names_in(start[1]) else (*start, 1 if operator == "++" else -1)
    return None


def trips_of(
    state: ReaderState, inside: Context, test: c.Expression | None, iterations: Mapping[str, Affine],
    changed: set[str] | frozenset[str] = frozenset(),
) -> Affine | None:  # fmt: skip
    """Returns the number of iterations of a loop, if it is not negative; None if it is unclear."""
    gap = _gap_of(state, inside, test, changed)
    if gap is None:
        return None
    counted = affine(_counted(gap, iterations))
    if counted is None or counted.coefficient(_AT) != -1:
        return None
    return counted + Affine.name(_AT) + 1


def _going_on(
    state: ReaderState, inside: Context, test: c.Expression | None, changed: set[str] | frozenset[str]
) -> Condition:
    """Returns where a loop goes on, if its condition compares values that it does not change; else everywhere."""
    gap = _gap_of(state, inside, test, changed)
    own = affine(gap) if gap is not None else None
    return TRUE if own is None else ((Constraint(own),),)


def _is_never_negative(state: ReaderState, nest: Context, value: Affine) -> bool:
    """Returns True if a value is at least 0 wherever the conditions of the context hold."""
    try:
        below = comparison("<", Polynomial.affine(value), constant_polynomial(0))
    except NotAffineCondition:
        return False
    return domain_of(state, nest.where(below)).is_empty()


def _gap_of(
    state: ReaderState, inside: Context, test: c.Expression | None, changed: set[str] | frozenset[str] = frozenset()
) -> Polynomial | None:
    """Returns a value that is at least 0 where a comparison holds; None for other conditions."""
    match test:
        case c.Binary("<" | "<=" | ">" | ">=" as operator, left, right):
            sides = [_value(state, inside, side, {*changed}, 1) for side in (left, right)]
        case _:
            return None
    low, high = sides if operator in ("<", "<=") else sides[::-1]
    if low is None or high is None:
        return None
    return high - low - constant_polynomial(1 if operator in ("<", ">") else 0)
