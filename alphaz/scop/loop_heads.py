"""Heads of `for` loops: iterator, start, condition and step."""

from dataclasses import dataclass, replace
from typing import Any

from pycparser import c_ast

from alphaz.diagnostics import Span
from alphaz.model.types import ScalarType
from alphaz.scop.index_expressions import as_polynomial, condition, index
from alphaz.scop.index_values import (
    Condition,
    NotAffineCondition,
    TooComplicated,
    Value,
    add,
    comparison,
    constant,
    either,
    number,
    polynomial_of,
    scale,
)
from alphaz.scop.integer_widths import check_constant, note_width
from alphaz.scop.pycparser_queries import begins_with_itself, nodes, scalar_type
from alphaz.scop.reader_state import Existentials, NoIndex, NonNegative, ReaderState, stays_positive
from alphaz.scop.scope import Context, NamedInteger, Undefined
from alphaz.scop.unsupported import outside

_BEHIND = ("with `!=` this loop may start past its end, and then does not stop there", "use `<` or `>`")


@dataclass(frozen=True, slots=True, eq=False)
class LoopHead:
    """The head of one loop. `conditions` hold for the iterations. `name` is the variable in the text, `is_outer` if it
    is declared before the loop."""

    name: str
    iterator: str
    type: ScalarType
    step: int
    conditions: tuple[Condition, ...]
    asides: Existentials
    is_outer: bool
    stride: int


def loop_head(words: ReaderState, nest: Context, loop: Any) -> LoopHead:
    """Returns the head of a loop. Raises Rejected for loops of any other form."""
    span = words.span(loop)
    asides = Existentials()
    if loop.init is None:
        loop, nest = _continued(words, nest, loop, asides)
    name, type_, start, is_outer = _start(words, nest, loop)
    if name in words.changed:
        raise outside(span, f"the iterator `{name}` is modified outside the loop head")
    try:
        first = index(words, nest, start, asides)
        if not type_.signed:
            stays_positive(words, nest, first, asides, words.span(start))
        step = _step(words, nest, loop, name, span)
        for bound in (first, constant(step)):
            check_constant(words, start, bound, type_)
        iterator = words.fresh(name)
        conditions = [comparison(">=" if step > 0 else "<=", polynomial_of(iterator), first)]
        around = asides.added(nest).knowing({name: NamedInteger(polynomial_of(iterator), type_)}).where(conditions[0])
        own = replace(around, iterators=(*around.iterators, iterator))
        if loop.cond is None:
            raise outside(span, "this loop has no condition, so it never ends")
        test = _one_sided(words, nest, loop.cond, name, step, first, asides)
        going_on = condition(words, own, test, more := Existentials())
        if any(iterator in c.affine.names for bound in more.conditions for part in bound for c in part):
            raise outside(
                words.span(loop.cond),
                "the loop condition must compare the iterator itself, not its quotient or remainder",
            )
        asides.iterators += more.iterators
        asides.conditions += more.conditions
    except NoIndex as problem:
        raise outside(problem.span, f"the bounds of this loop are not affine: {problem.why}") from None
    except (NotAffineCondition, TooComplicated) as problem:
        raise outside(span, f"the bounds of this loop are not affine: {problem}") from None
    _check_end(words, loop, going_on, iterator, step)
    conditions.append(going_on)
    if abs(step) != 1:
        count = words.fresh("q")
        from_ = as_polynomial(words, start, first, asides)
        asides.iterators.append(count)
        conditions.append(comparison("==", polynomial_of(iterator), _value_after_steps(from_, step, count)))
    note_width(words, type_)
    if step < 0 and not type_.signed:
        # The condition is evaluated after the last step too.
        every = replace(nest, iterators=(*nest.iterators, iterator), conditions=(*nest.conditions, *conditions))
        stays_positive(words, every, polynomial_of(iterator) + constant(step), asides, span)
    return LoopHead(
        name=name,
        iterator=iterator,
        type=type_,
        step=1 if step > 0 else -1,
        conditions=tuple(conditions),
        asides=asides,
        is_outer=is_outer,
        stride=abs(step),
    )


def _continued(words: ReaderState, nest: Context, loop: Any, asides: Existentials) -> tuple[Any, Context]:
    """Returns a loop that starts where an earlier one ended. The start is an existential: the first value for which the
    earlier loop's condition fails."""
    span = words.span(loop)
    step = loop.next.expr if isinstance(loop.next, c_ast.UnaryOp) else getattr(loop.next, "lvalue", None)
    meaning = nest.names.get(step.name) if isinstance(step, c_ast.ID) else None
    if not isinstance(meaning, Undefined) or meaning.ended is None or not isinstance(step, c_ast.ID):
        raise outside(span, "a `for` loop must initialise one integer iterator in its head: `for (int i = 0; ..)`")
    other, before = meaning.ended
    if nest.date[:-1] != before.date[:-1] or nest.region:
        raise outside(span, f"the start value of `{step.name}` is unknown: assign it before the loop")
    if other.init is None:
        other, before = _continued(words, before, other, asides)
    head = loop_head(words, before, other)
    end, count = words.fresh(step.name), words.fresh("q")
    by = head.step * head.stride
    try:
        first = as_polynomial(words, other, index(words, before, _start(words, before, other)[2], asides), asides)
        here, last = (
            before.knowing({step.name: NamedInteger(limit, head.type)})
            for limit in (polynomial_of(end), polynomial_of(end) - constant(by))
        )
        over = condition(words, here, other.cond, asides, is_wanted=False)
        going_on = condition(words, last, other.cond, asides)
        at_first = comparison("==", polynomial_of(end), first)
    except NoIndex as problem:
        raise outside(problem.span, f"the start of this loop is not affine: {problem.why}") from None
    asides.iterators += [end, count]
    asides.conditions += [
        over, either(at_first, going_on), comparison("==", polynomial_of(end), _value_after_steps(first, by, count)),
        comparison(">=", polynomial_of(count), constant(0)),
    ]  # fmt: skip
    start = c_ast.Assignment("=", step, c_ast.ID(end, loop.coord), loop.coord)
    started = c_ast.For(start, loop.cond, loop.next, loop.stmt, loop.coord)
    return started, nest.knowing({end: NamedInteger(polynomial_of(end), head.type)})


def _value_after_steps(first: Value, step: int, count: str) -> Value:
    return add(first, scale(polynomial_of(count), step))


def _start(words: ReaderState, nest: Context, loop: Any) -> tuple[str, ScalarType, Any, bool]:
    span = words.span(loop)
    match loop.init:
        case c_ast.DeclList(decls=[declaration]) if declaration.init is not None:
            type_ = scalar_type(declaration.type)
            is_told = not begins_with_itself(declaration)
            if is_told and type_ is not None and type_.kind == "int" and type_.bits >= 32:
                return declaration.name, type_, declaration.init, False
        case c_ast.Assignment(op="=") if isinstance(loop.init.lvalue, c_ast.ID):
            meaning = nest.names.get(loop.init.lvalue.name)
            if isinstance(meaning, Undefined):
                return loop.init.lvalue.name, meaning.type, loop.init.rvalue, True
    raise outside(span, "a `for` loop must initialise one integer iterator in its head: `for (int i = 0; ..)`")


def _step(words: ReaderState, nest: Context, loop: Any, name: str, span: Span) -> int:
    match loop.next:
        case c_ast.UnaryOp(op="++" | "p++") if _is(loop.next.expr, name):
            return 1
        case c_ast.UnaryOp(op="--" | "p--") if _is(loop.next.expr, name):
            return -1
        case c_ast.Assignment(op="+=" | "-=") if _is(loop.next.lvalue, name):
            by = number(index(words, nest, loop.next.rvalue, Existentials()))
            if by:
                return by if loop.next.op == "+=" else -by
        case c_ast.Assignment(op="=") if _is(loop.next.lvalue, name) and isinstance(loop.next.rvalue, c_ast.BinaryOp):
            sum_ = loop.next.rvalue
            if _is(sum_.left, name) and sum_.op in "+-":
                by = number(index(words, nest, sum_.right, Existentials()))
                if by:
                    return by if sum_.op == "+" else -by
    raise outside(span, "the step of this loop must be a constant other than 0")


def _one_sided(
    words: ReaderState, nest: Context, test: Any, name: str, step: int, first: Value, asides: Existentials
) -> Any:
    """Returns `i != n` as `i < n`, if the loop never starts past its end."""
    match test:
        case c_ast.BinaryOp(op="!=", left=left, right=end) if abs(step) == 1 and _is(left, name):
            around = asides.added(nest)
            left_over = scale(add(index(words, nest, end, asides), scale(first, -1)), step)
            needed = NonNegative(around.iterators, around.conditions, left_over, words.span(test), otherwise=_BEHIND)
            words.divided.append(needed)
            return c_ast.BinaryOp("<" if step > 0 else ">", left, end, test.coord)
    return test


def _is(node: Any, name: str) -> bool:
    return isinstance(node, c_ast.ID) and node.name == name


def _check_end(words: ReaderState, loop: Any, going_on: Condition, iterator: str, step: int) -> None:
    """Checks that a loop ends where its condition first fails: once false, the condition stays false."""
    for conjunction in going_on:
        for constraint in conjunction:
            grows = constraint.affine.coefficient(iterator) * step
            if grows > 0 or (grows and constraint.equality):
                raise outside(
                    words.span(loop.cond), "this loop condition may hold again after it has failed", "use `<` or `>`"
                )


def not_ended(nest: Context, item: Any) -> Context:
    """Returns the context after a statement: the end value is unknown for iterators that other loops have changed."""
    meanings = {
        name: meaning
        for name, meaning in nest.names.items()
        if isinstance(meaning, Undefined) and meaning.ended is not None
    }
    if not meanings:
        return nest
    changed_ = [node.lvalue for node in nodes(item, c_ast.Assignment)]
    changed_ += [node.expr for node in nodes(item, c_ast.UnaryOp) if node.op != "-"]
    names = {target.name for target in changed_ if isinstance(target, c_ast.ID)}
    lost = {
        name: meaning
        for name, meaning in meanings.items()
        if name in names and meaning.ended and meaning.ended[0] is not item
    }
    return nest.knowing({name: replace(meaning, ended=None) for name, meaning in lost.items()})
