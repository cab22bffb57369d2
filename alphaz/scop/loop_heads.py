"""Heads of `for` loops: iterator, start, condition and step."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from alphaz.c import tree as c
from alphaz.c.walk import nodes
from alphaz.diagnostics import Span
from alphaz.model.types import ScalarType
from alphaz.poly import Affine
from alphaz.poly.plain.polynomial import Polynomial
from alphaz.scop.index_expressions import as_polynomial, condition, index
from alphaz.scop.index_polynomials import (
    Condition,
    NotAffineCondition,
    TooComplicated,
    Value,
    add,
    affine,
    comparison,
    constant_polynomial,
    either,
    number,
    polynomial_of,
    scale,
)
from alphaz.scop.integer_widths import check_constant, note_width
from alphaz.scop.reader_state import Existentials, NoIndex, ReaderState, stays_positive
from alphaz.scop.recurrences import NO_CHANGES, LoopChanges, by_iterations, changes_of, trips_of
from alphaz.scop.scope import Context, NamedInteger, Undefined
from alphaz.scop.tree_queries import addressed, begins_with_itself, is_wide_integer, names_among, scalar_type, targets
from alphaz.scop.unsupported import outside

_NO_ITERATOR = "a `for` loop must initialise one integer iterator in its head: `for (int i = 0; ..)`"
_BEHIND = ("with `!=` this loop may start past its end, and then does not stop there", "use `<` or `>`")


@dataclass(frozen=True, slots=True, eq=False)
class LoopHead:
    """The head of one loop. `conditions` hold for the iterations. `name` is the variable in the text, `is_outer` if it
    is declared before the loop. `changes` are those of integers, with their values `known` in an iteration; `trips` is
    the number of iterations, if it is clear."""

    name: str
    iterator: str
    type: ScalarType
    step: int
    conditions: tuple[Condition, ...]
    asides: Existentials
    is_outer: bool
    stride: int
    changes: LoopChanges = NO_CHANGES
    known: Mapping[str, NamedInteger] = field(default_factory=dict)
    trips: Affine | None = None


def loop_head(state: ReaderState, nest: Context, loop: c.For, before: Context | None = None) -> LoopHead:
    """Returns the head of a loop, with the recurrences of integers that have values `before` it. Raises Rejected for
    loops of any other form."""
    span = state.span(loop)
    asides = Existentials()
    if not loop.start:
        loop, nest = _continued(state, nest, loop, asides)
    name, type_, start, is_outer = _start(state, nest, loop)
    if name in state.changed:
        raise outside(span, f"the iterator `{name}` is modified outside the loop head")
    try:
        first = index(state, nest, start, asides)
        if not type_.signed:
            stays_positive(state, nest, first, asides, state.span(start))
        step = _step(state, nest, loop, name, span)
        for bound in (first, constant_polynomial(step)):
            check_constant(state, start, bound, type_)
        iterator = state.fresh(name)
        conditions = [comparison(">=" if step > 0 else "<=", polynomial_of(iterator), first)]
        around = (
            asides.added(nest).with_names({name: NamedInteger(polynomial_of(iterator), type_)}).where(conditions[0])
        )
        own = replace(around, iterators=(*around.iterators, iterator))
        count = None
        if abs(step) != 1:
            count = state.fresh("q")
            from_ = as_polynomial(state, start, first, asides)
            asides.iterators.append(count)
            conditions.append(comparison("==", polynomial_of(iterator), _value_after_steps(from_, step, count)))
            own = asides.added(own).where(conditions[-1])
        iterations = _by_iterations(first, iterator, step)
        changes = NO_CHANGES if before is None else changes_of(state, before, own, loop, iterations)
        known = dict(_in_iteration(state, changes, first, iterator, step, count, asides))
        own = own.with_names(known)
        if loop.test is None:
            raise outside(span, "this loop has no condition, so it never ends")
        test = _one_sided(state, nest, loop.test, name, step, first, asides)
        test = _one_sided_value(state, nest, own, test, iterator, step, first)
        trips = None if changes == NO_CHANGES else trips_of(state, own, test, iterations)
        limit = condition(state, own, test, more := Existentials())
        if any(iterator in condition.affine.names for bound in more.conditions for part in bound for condition in part):
            message = "the loop condition must compare the iterator itself, not its quotient or remainder"
            raise outside(state.span(loop.test), message)
        asides.take(more)
    except NoIndex as problem:
        raise outside(problem.span, f"the bounds of this loop are not affine: {problem.why}") from None
    except (NotAffineCondition, TooComplicated) as problem:
        raise outside(span, f"the bounds of this loop are not affine: {problem}") from None
    _check_end(state, loop.test, limit, iterator, step)
    conditions.append(limit)
    note_width(state, type_)
    if step < 0 and not type_.signed:
        # The condition is evaluated after the last step too.
        every = replace(nest, iterators=(*nest.iterators, iterator), conditions=(*nest.conditions, *conditions))
        stays_positive(state, every, polynomial_of(iterator) + constant_polynomial(step), asides, span)
    return LoopHead(
        name=name, iterator=iterator, type=type_, step=1 if step > 0 else -1, conditions=tuple(conditions),
        asides=asides, is_outer=is_outer, stride=abs(step), changes=changes, known=known, trips=trips,
    )  # fmt: skip


def _by_iterations(first: Value, iterator: str, step: int) -> dict[str, Affine]:
    """Returns the iterator by the number of iterations before, if the loop starts at one value."""
    start = affine(first) if isinstance(first, Polynomial) else None
    return {} if start is None else {iterator: by_iterations(start, step)}


def _in_iteration(
    state: ReaderState, changes: LoopChanges, first: Value, iterator: str, step: int, count: str | None,
    asides: Existentials,
) -> Iterator[tuple[str, NamedInteger]]:  # fmt: skip
    """Yields the integers that are known in an iteration; `count` is the number of iterations before it, if steps are
    longer than one."""
    start = affine(first) if isinstance(first, Polynomial) else None
    for alternation in changes.alternations if start is not None and count is None else ():
        steps = (Affine.name(iterator) - (start or Affine())) * step
        yield alternation.name, alternation.after(state, steps, asides)
    for recurrence in changes.recurrences:
        amount = number(recurrence.amount)
        if amount is not None and amount % step == 0:
            progress = scale(add(polynomial_of(iterator), scale(first, -1)), amount // step)
            yield recurrence.name, replace(recurrence.start, value=add(recurrence.start.value, progress))
        elif count is not None or start is not None:
            steps = (Affine.name(iterator) - (start or Affine())) * step if count is None else Affine.name(count)
            known = recurrence.after(steps)
            if known is not None:
                yield recurrence.name, known


def _continued(state: ReaderState, nest: Context, loop: c.For, asides: Existentials) -> tuple[c.For, Context]:
    """Returns a loop that starts where an earlier one ended. The start is an existential: the first value for which the
    earlier loop's condition fails."""
    span = state.span(loop)
    match loop.steps:
        case (c.Step(operand=c.Name() as own) | c.Set(target=c.Name() as own),):
            meaning = nest.names.get(own.name)
        case _:
            raise outside(span, _NO_ITERATOR)
    if not isinstance(meaning, Undefined) or meaning.ended is None:
        raise outside(span, _NO_ITERATOR)
    end = _end(state, nest, own.name, meaning.ended, asides, span)
    name = asides.iterators[-2]
    started = replace(loop, start=(c.Assign(own, c.Name(name, at=loop.at), at=loop.at),))
    return started, nest.with_names({name: end})


def with_ended(state: ReaderState, nest: Context, item: c.Statement) -> Context:
    """Returns the context in which the iterators of finished loops that a statement reads have their last values; the
    same context if it reads none, or changes integers."""
    changed = names_among((*targets(item), *addressed(item))) | {node.name for node in nodes(item, c.Declare)}
    if nest.region or changed & {*state.followed}:
        return nest
    asides, known = Existentials(), dict[str, NamedInteger]()
    for name in dict.fromkeys(node.name for node in nodes(item, c.Name)):
        meaning = nest.names.get(name)
        if not isinstance(meaning, Undefined) or meaning.ended is None or name in changed:
            continue
        if nest.date[:-1] == meaning.ended[1].date[:-1]:
            known[name] = _end(state, nest, name, meaning.ended, asides, state.span(item))
    return asides.added(nest).with_names(known) if known else nest


def _end(
    state: ReaderState, nest: Context, name: str, ended: tuple[c.For, Context], asides: Existentials, span: Span
) -> NamedInteger:
    """Returns the first value of an iterator for which the condition of its loop fails, an existential."""
    other, before = ended
    if nest.date[:-1] != before.date[:-1] or nest.region:
        raise outside(span, f"the start value of `{name}` is unknown: assign it before the loop")
    if not other.start:
        other, before = _continued(state, before, other, asides)
    head = loop_head(state, before, other)
    assert other.test is not None
    end, count = state.fresh(name), state.fresh("q")
    by = head.step * head.stride
    try:
        first = as_polynomial(state, other, index(state, before, _start(state, before, other)[2], asides), asides)
        here, last = (
            before.with_names({name: NamedInteger(limit, head.type)})
            for limit in (polynomial_of(end), polynomial_of(end) - constant_polynomial(by))
        )
        over = condition(state, here, other.test, asides, is_wanted=False)
        going_on = condition(state, last, other.test, asides)
        at_first = comparison("==", polynomial_of(end), first)
    except NoIndex as problem:
        raise outside(problem.span, f"the start of this loop is not affine: {problem.why}") from None
    asides.iterators += [end, count]
    asides.conditions += [
        over, either(at_first, going_on), comparison("==", polynomial_of(end), _value_after_steps(first, by, count)),
        comparison(">=", polynomial_of(count), constant_polynomial(0)),
    ]  # fmt: skip
    return NamedInteger(polynomial_of(end), head.type)


def _value_after_steps(first: Value, step: int, count: str) -> Value:
    return add(first, scale(polynomial_of(count), step))


def _start(state: ReaderState, nest: Context, loop: c.For) -> tuple[str, ScalarType, c.Expression, bool]:
    match loop.start:
        case (c.Declare(declared, name, value) as declaration,) if value is not None:
            type_ = scalar_type(declared)
            if not begins_with_itself(declaration) and is_wide_integer(type_):
                return name, type_, value, False
        case (c.Assign(c.Name(name), value, "="),):
            meaning = nest.names.get(name)
            if isinstance(meaning, Undefined):
                return name, meaning.type, value, True
    raise outside(state.span(loop), _NO_ITERATOR)


def _step(state: ReaderState, nest: Context, loop: c.For, name: str, span: Span) -> int:
    match loop.steps:
        case (c.Step(operator, _, c.Name(own)),) if own == name:
            return 1 if operator == "++" else -1
        case (c.Set("+=" | "-=" as operator, c.Name(own), amount),) if own == name:
            by = number(index(state, nest, amount, Existentials()))
            if by:
                return by if operator == "+=" else -by
        case (c.Set("=", c.Name(own), c.Binary("+" | "-" as operator, c.Name(left), amount)),) if own == left == name:
            by = number(index(state, nest, amount, Existentials()))
            if by:
                return by if operator == "+" else -by
    raise outside(span, "the step of this loop must be a constant other than 0")


def _one_sided(
    state: ReaderState, nest: Context, test: c.Expression, name: str, step: int, first: Value, asides: Existentials
) -> c.Expression:
    """Returns `i != n` as `i < n`, if the loop never starts past its end; and `i <= a || i - 1 != n` as
    `i <= a || i - 1 < n`, in a loop that starts with a."""
    match test:
        case c.Binary("&&", one, other):
            sides = (_one_sided(state, nest, side, name, step, first, asides) for side in (one, other))
            return c.Binary("&&", *sides, at=test.at)
        case c.Binary("||", c.Binary("<=" | ">=" as way, c.Name(own), begin) as is_first, going_on) if own == name:
            is_start = name not in names_among(nodes(begin, c.Name)) and (way == "<=") == (step > 0)
            if is_start and index(state, nest, begin, asides) == first:
                before = c.Binary("-" if step > 0 else "+", c.Name(name), c.Literal("1"))
                going_on = _below(state, nest, going_on, before, step, first, asides)
                return c.Binary("||", is_first, going_on, at=test.at)
        case _:
            return _below(state, nest, test, c.Name(name), step, first, asides)
    return test


def _below(
    state: ReaderState, nest: Context, test: c.Expression, compared: c.Expression, step: int, first: Value,
    asides: Existentials,
) -> c.Expression:  # fmt: skip
    """Returns `x != n` as `x < n`, or `x > n` downwards, for a value x that begins with the iterator's first value and
    makes the same steps of one, if n is not behind that."""
    match test:
        case c.Binary("!=", left, end) if (
            abs(step) == 1
            and left == compared
            and not names_among(nodes(end, c.Name)) & names_among(nodes(left, c.Name))
        ):
            around = asides.added(nest)
            left_over = scale(add(index(state, nest, end, asides), scale(first, -1)), step)
            state.require(around, left_over, state.span(test), otherwise=_BEHIND)
            return c.Binary("<" if step > 0 else ">", left, end, at=test.at)
    return test


def _one_sided_value(
    state: ReaderState, nest: Context, own: Context, test: c.Expression, iterator: str, step: int, first: Value
) -> c.Expression:
    """Returns `n != m` as `n < m` or `n > m`, if n and m approach each other by one in each iteration, and start on
    these sides."""
    match test:
        case c.Binary("!=", left, right):
            sides = [index(state, own, side, Existentials()) for side in (left, right)]
        case _:
            return test
    gap = affine(sides[1] - sides[0]) if isinstance(sides[0], Polynomial) and isinstance(sides[1], Polynomial) else None
    start = affine(first) if isinstance(first, Polynomial) else None
    if gap is None or start is None or abs(step) != 1 or abs(gap.coefficient(iterator)) != 1:
        return test
    is_less = gap.coefficient(iterator) * step < 0
    begin = gap.substitute({iterator: start}) * (1 if is_less else -1)
    state.require(nest, Polynomial.affine(begin), state.span(test), otherwise=_BEHIND)
    return c.Binary("<" if is_less else ">", left, right, at=test.at)


def _check_end(state: ReaderState, test: c.Expression, going_on: Condition, iterator: str, step: int) -> None:
    """Checks that a loop ends where its condition first fails: once false, the condition stays false."""
    for conjunction in going_on:
        for constraint in conjunction:
            grows = constraint.affine.coefficient(iterator) * step
            if grows > 0 or (grows and constraint.equality):
                message = "this loop condition may hold again after it has failed"
                raise outside(state.span(test), message, "use `<` or `>`")


def after_loop(state: ReaderState, nest: Context, head: LoopHead) -> Context:
    """Returns the context after a loop, with the values of the integers that it changes where they are known."""
    if head.trips is None:
        return nest
    asides = Existentials()
    values = {change.name: change.behind(state, nest, head.trips) for change in head.changes.recurrences}
    values |= {change.name: change.behind(state, nest, head.trips, asides) for change in head.changes.alternations}
    return asides.added(nest).with_names({name: value for name, value in values.items() if value is not None})


def not_ended(nest: Context, item: c.Statement) -> Context:
    """Returns the context after a statement: the end value is unknown for iterators that other loops have changed."""
    known = nest.names.items()
    ended = {name: it for name, it in known if isinstance(it, Undefined) and it.ended and it.ended[0] is not item}
    if not ended:
        return nest
    names = names_among((*targets(item), *addressed(item)))
    return nest.with_names({name: replace(it, ended=None) for name, it in ended.items() if name in names})
