"""Loops whose stride is the size of the grid.

for (int i = blockIdx.x * B + threadIdx.x; i < n; i += gridDim.x * B) BODY

Block b executes the iterations of the blocks b, b + G, b + 2 G .. of an unlimited grid in which each thread has one. If
nothing else is in the kernel, it is read so: blocks of the unlimited grid are not ordered, and those of one block are.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from alphaz.c import tree as c
from alphaz.c.walk import nodes
from alphaz.diagnostics import Rejected
from alphaz.model.types import INT
from alphaz.poly.plain.polynomial import Polynomial
from alphaz.scop.assignments import domain_of
from alphaz.scop.cuda_builtins import BLOCK, BLOCK_SIZE, DIMENSIONS, GRID_SIZE, SIGNED, THREAD
from alphaz.scop.index_expressions import condition, index
from alphaz.scop.index_polynomials import (
    NotAffineCondition,
    TooComplicated,
    Value,
    add,
    constant_polynomial,
    leaves,
    number,
    polynomial_of,
)
from alphaz.scop.lane_exchanges import EXCHANGE
from alphaz.scop.reader_state import Existentials, NoIndex, ReaderState
from alphaz.scop.scope import Context, NamedInteger
from alphaz.scop.substitution import is_steady, names_in
from alphaz.scop.tree_queries import assigned, body_of, is_wide_integer, name_of, scalar_type

_WAITS = ("__sync", EXCHANGE)


@dataclass(frozen=True, slots=True)
class _Stride:
    """A loop over `name`, which starts at `first` and is increased by `step`."""

    start: c.Declare
    test: c.Binary
    step: c.Expression
    body: tuple[c.Statement, ...]


def without_strides(
    state: ReaderState, kernel: c.Function, item: c.Launch, nest: Context
) -> tuple[c.Function, frozenset[str]]:
    """Returns a kernel with one iteration for each thread of an unlimited grid, and the dimensions that are unlimited;
    the kernel itself and none, if it has other statements, or objects that live longer than an iteration."""
    if _waits(state, kernel, set()):
        return kernel, frozenset()
    names = {parameter.name: _integer(polynomial_of(parameter.name)) for parameter in kernel.parameters}
    for position, dimension in enumerate(DIMENSIONS):
        extent = item.block[position] if position < len(item.block) else c.Literal("1", at=item.at)
        try:
            size = index(state, nest, extent, Existentials())
        except (NoIndex, Rejected):
            return kernel, frozenset()
        own = {name: polynomial_of(f"{name}.{dimension}") for name in (THREAD, BLOCK, GRID_SIZE)}
        for name, value in {**own, BLOCK_SIZE: size}.items():
            names[f"{name}.{dimension}"] = names[f"{name}.{dimension}{SIGNED}"] = _integer(value)
    loops = _without(state, body_of(kernel), Context(names=names))
    if loops is None:
        return kernel, frozenset()
    body, dimensions = loops
    return replace(kernel, body=body), dimensions


def _waits(state: ReaderState, function: c.Function, seen: set[str]) -> bool:
    """Returns True if the threads of a block wait for each other in a function, or share memory."""
    calls = {*map(name_of, nodes(function.body, c.Call))} - seen
    seen |= calls
    if any(name.startswith(_WAITS) for name in calls):
        return True
    if any(declared.space is c.AddressSpace.SHARED for declared in nodes(function.body, c.Declare)):
        return True
    inner = (state.functions.defined.get(name) for name in calls)
    return any(_waits(state, callee, seen) for callee in inner if callee is not None)


def _integer(value: Value) -> NamedInteger:
    return NamedInteger(value, INT)


def _without(
    state: ReaderState, body: Sequence[c.Statement], nest: Context
) -> tuple[tuple[c.Statement, ...], frozenset[str]] | None:
    """Returns the statements of a kernel, or of a loop in it, without the loop that they end with."""
    statements: list[c.Statement | None] = [statement for statement in body if not isinstance(statement, c.Pragma)]
    *first, last = statements or [None]
    before = [one for one in first if isinstance(one, c.Declare)]
    if len(before) < len(first):
        return None
    for one in before:
        if one.storage or not is_wide_integer(scalar_type(one.type)):
            return None
        if one.value is None or not is_steady({one.name}, [other for other in body if other is not one]):
            return None
        value = _value(state, nest, one.value)
        if value is None:
            return None
        nest = nest.with_names({one.name: _integer(value)})
    loop = _stride(last)
    dimension = None if loop is None else _dimension(state, loop, nest)
    if loop is None or dimension is None or assigned(loop.body) - _declared(loop.body):
        return None
    moving = {name for name, known in nest.names.items() if _moves(known, dimension)}
    if moving & (names_in(loop.body) | names_in(loop.test)):
        return None
    inner = _without(state, loop.body, nest.with_names({loop.start.name: _integer(polynomial_of(loop.start.name))}))
    inside, others = (loop.body, frozenset[str]()) if inner is None else inner
    branch = c.If(loop.test, inside, (), at=loop.start.at)
    used = names_in((loop.start, branch, *before))
    return (*(one for one in before if one.name in used), loop.start, branch), others | {dimension}


def _declared(body: Sequence[c.Statement]) -> set[str]:
    return {node.name for node in nodes(body, c.Declare) if not node.storage}


def _moves(known: object, dimension: str) -> bool:
    """Returns True for an integer that depends on the block, or on the number of blocks."""
    asked = {f"{BLOCK}.{dimension}", f"{GRID_SIZE}.{dimension}"}
    return isinstance(known, NamedInteger) and any(asked & {*leaf.names} for leaf in leaves(known.value))


def _stride(loop: c.Statement | None) -> _Stride | None:
    """Returns the parts of a loop `for (int i = first; i < end; i += step)`; None for other statements."""
    match loop:
        case c.For(
            (c.Declare(name=name, value=first, storage="") as start,),
            c.Binary("<" | "<=", c.Name(tested), end) as test,
            (step,),
            body,
        ) if tested == name and first is not None and name not in names_in(end):
            amount = _amount(step, name)
            is_open = is_wide_integer(scalar_type(start.type)) and is_steady({name}, body)
            if amount is not None and is_open and not nodes(body, (c.Break, c.Continue, c.Return, c.Goto, c.Label)):
                return _Stride(start, test, amount, body)
    return None


def _amount(step: c.Expression, name: str) -> c.Expression | None:
    match step:
        case c.Set("+=", c.Name(own), amount) if own == name:
            return amount
        case c.Set("=", c.Name(own), c.Binary("+", c.Name(left), amount)) if own == left == name:
            return amount
    return None


def _dimension(state: ReaderState, loop: _Stride, nest: Context) -> str | None:
    """Returns the dimension over whose blocks a loop goes on: a step has the length of all of them."""
    assert loop.start.value is not None
    first, step = _value(state, nest, loop.start.value), _value(state, nest, loop.step)
    if not isinstance(first, Polynomial) or not isinstance(step, Polynomial) or first.degree > 1:
        return None
    for dimension in DIMENSIONS:
        block, blocks = f"{BLOCK}.{dimension}", f"{GRID_SIZE}.{dimension}"
        factors = dict(first.terms)
        factor = factors.get(((block, 1),), 0)
        if (
            factor > 0
            and blocks not in first.names
            and step == polynomial_of(blocks) * constant_polynomial(int(factor))
        ):
            return dimension
    return None


def _value(state: ReaderState, nest: Context, node: c.Expression) -> Value | None:
    """Returns the value of an expression, without obligations: what remains of the loop is read again."""
    asides, divided = Existentials(), len(state.divided)
    try:
        value = index(state, nest, node, asides)
    except (NoIndex, Rejected):
        return None
    finally:
        del state.divided[divided:]
    return None if asides.iterators else value


def taken_once(state: ReaderState, loop: c.For, nest: Context) -> c.Statement | None:
    """Returns a loop that has at most one iteration, since its stride is the size of a grid that covers all, as a
    branch; None for other loops."""
    stride = _stride(loop)
    if state.block is None or stride is None or stride.start.value is None:
        return None
    if not names_in(stride.step) & {f"{GRID_SIZE}.{dimension}" for dimension in DIMENSIONS}:
        return None
    asides = Existentials()
    try:
        first, step = (index(state, nest, value, asides) for value in (stride.start.value, stride.step))
        if number(step) is not None:
            return None
        again = nest.with_names({stride.start.name: _integer(add(first, step))})
        going_on = condition(state, again, stride.test, asides)
        within = asides.added(nest).where(going_on)
        if not domain_of(state, within).is_empty():
            return None
    except (NoIndex, NotAffineCondition, TooComplicated, Rejected):
        return None
    return c.Block((stride.start, c.If(stride.test, stride.body, (), at=loop.at)), at=loop.at)
