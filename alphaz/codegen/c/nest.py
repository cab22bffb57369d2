"""Loop trees in C, and the indices of a point at the place that the loops have reached."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce

from alphaz.c import tree as c
from alphaz.codegen.c.annotations import without
from alphaz.codegen.c.expressions import CScope
from alphaz.codegen.c.integers import in_c, integer
from alphaz.codegen.c.names import identifier
from alphaz.codegen.c.readable_c import CONSTANT, INDEX, one_by_one
from alphaz.loops.modes import Blocks, Mode, Threads
from alphaz.loops.tree import (
    Barrier,
    Block,
    Conditional,
    Enough,
    Exclusive,
    For,
    Instance,
    Launch,
    Let,
    Node,
    Team,
    calls,
    inside,
)
from alphaz.mapping.target_mapping import MergeKind
from alphaz.poly.plain.affine import Affine
from alphaz.poly.plain.integer_expression import Integer, IntegerConstant, IntegerName, as_affine, of_affine


def bind(
    names: Sequence[str], arguments: Sequence[Integer], new_name: Callable[[str], str], inline: bool = False
) -> tuple[tuple[c.Declare, ...], CScope]:
    """Returns the indices of a point: as the iterator that they equal, as their constant value, or by a declaration;
    with `inline` only non-affine indices are declared.
    """
    declared: list[c.Declare] = []
    values: list[Affine] = []
    for name, argument in zip(names, arguments, strict=True):
        affine = as_affine(argument)
        if affine is not None and (inline or affine.is_constant or isinstance(argument, IntegerName)):
            values.append(affine)
            continue
        local = new_name(identifier(name))
        declared.append(c.Declare(CONSTANT, local, integer(argument)))
        values.append(Affine.name(local))
    return tuple(declared), CScope(tuple(names), tuple(values))


def with_used(declared: Sequence[c.Declare], body: tuple[c.Statement, ...]) -> tuple[c.Statement, ...]:
    """Returns the declarations that the body needs, then the body."""
    used = c.names_used(body)
    return (*(d for d in declared if d.name in used), *without(body, [d for d in declared if d.name not in used]))


Statements = tuple[c.Statement, ...]


def _block(body: Statements) -> Statements:
    return (c.Block(body),)


def _plain_team(body: Statements, _: c.Expression | None) -> Statements:
    return _block(body)


def _without_mode(loop: c.For, _: Mode) -> Statements:
    return (loop,)


def _no_kernel(_: Sequence[c.Expression], __: Sequence[int], body: Statements) -> Statements:
    return body


@dataclass(frozen=True, slots=True)
class MergedCell:
    """An accumulator of a thread, the array `shared` of a block for those of its threads, and the array `partial` of
    all blocks. `combined` returns the statement that adds a value to a cell.
    """

    name: str
    type: c.Type
    shared: str
    partial: str
    combined: Callable[[c.Expression, c.Expression], c.Statement]


@dataclass(frozen=True, slots=True)
class GridMerging:
    """A loop of `body` that blocks share, where it `runs`: each thread has the accumulators `cells`, which `made`
    declares, and after the loop `merged` uses. `names` are those of the number of blocks, a part, a distance, a
    counter of blocks, and of the last one. `merge` says how blocks merge theirs.
    """

    blocks: c.Expression
    threads: int
    runs: c.Expression
    cells: tuple[MergedCell, ...]
    made: "Statements"
    body: "Statements"
    merged: "Statements"
    names: tuple[str, str, str, str, str]
    merge: MergeKind = MergeKind.PARTIALS


def _no_blocks(merging: GridMerging) -> "Statements":
    return (*merging.made, *merging.body, *merging.merged)


@dataclass(frozen=True, slots=True)
class LoopForms:
    """Makes C of loops with a mode, of teams, locks, barriers and kernels, whose contents are C already; by default for
    one thread, which needs none of them.
    """

    loop: Callable[[c.For, Mode], Statements] = _without_mode
    team: Callable[[Statements, c.Expression | None], Statements] = _plain_team
    exclusive: Callable[[Statements], Statements] = _block
    barrier: Statements = ()
    launch: Callable[[Sequence[c.Expression], Sequence[int], Statements], Statements] = _no_kernel
    merge: Callable[[GridMerging], Statements] = _no_blocks


ONE_THREAD = LoopForms()


def reached_instances(tree: Node, names: Mapping[str, Affine]) -> Iterator[tuple[Instance, tuple[Integer, ...]]]:
    """Yields every call of the tree, with its arguments in C; `names` has the parameters."""
    for call in calls(tree):
        yield call, tuple(in_c(argument, names) for argument in call.arguments)


def loops_in_c(
    tree: Node, names: Mapping[str, Affine], of_calls: Mapping[Instance, Statements], forms: LoopForms = ONE_THREAD
) -> Statements:
    """Returns the statements of the tree, those of each call given; `names` has the parameters in C."""
    if isinstance(tree, Instance):
        return of_calls[tree]
    inner = [loops_in_c(child, names, of_calls, forms) for child in inside(tree)]
    return node_in_c(tree, names, inner, forms)


def node_in_c(
    node: Node, names: Mapping[str, Affine], inner: Sequence[Statements], forms: LoopForms = ONE_THREAD
) -> Statements:
    """Returns the node, which is no call, around the statements of those directly inside, in their order."""
    match node:
        case For():
            return forms.loop(loop_around(node, names, inner[0]), _mode_in_c(node.mode, names))
        case Let(iterator, _, value, _):
            return _where(c.Declare(CONSTANT, iterator, integer(in_c(value, names))), scope(inner[0]))
        case Conditional(condition):
            return _conditional(in_c(condition, names), inner[0], inner[1] if len(inner) > 1 else ())
        case Block():
            return one_by_one(inner)
        case Team():
            return forms.team(inner[0], enough_in_c(node.enough, names))
        case Launch(grid, block):
            return forms.launch([integer(in_c(extent, names)) for extent in grid], block, inner[0])
        case Exclusive():
            return forms.exclusive(inner[0])
        case Barrier():
            return forms.barrier
    raise AssertionError(f"no loop, test or team: {node}")


def enough_in_c(enough: Enough | None, names: Mapping[str, Affine]) -> c.Expression | None:
    """Returns the condition; several factors are multiplied as floating-point numbers, as the product may be large."""
    if enough is None:
        return None
    factors = [integer(in_c(of_affine(extent), names)) for extent in enough.extents]
    if len(factors) > 1:
        factors = [c.Cast(c.DOUBLE, factor) for factor in factors]
    product = reduce(lambda left, right: c.Binary("*", left, right), factors)
    return c.Binary(">", product, c.Literal(str(enough.least)))


def _mode_in_c(mode: Mode, names: Mapping[str, Affine]) -> Mode:
    return replace(mode, first=in_c(mode.first, names)) if isinstance(mode, Blocks | Threads) else mode


def _conditional(test: Integer, then: Statements, otherwise: Statements) -> Statements:
    if isinstance(test, IntegerConstant):
        return then if test.value else otherwise
    asked = integer(test)
    return (c.If(asked, scope(then), _where_not(asked, scope(otherwise))),)


def _where_not(test: c.Expression, body: Statements) -> Statements:
    """Returns the statements for a failed test, without statements under the same test."""
    match body:
        case (c.If(condition, _, otherwise),) if condition == test:
            return _where_not(test, otherwise)
        case (c.If() as other,):
            return (replace(other, otherwise=_where_not(test, other.otherwise)),)
    return body


def loop_around(loop: For, names: Mapping[str, Affine], body: Statements) -> c.For:
    """Returns the same loop, without its mode, around these statements."""
    written = scope(body)
    condition = c.Binary(loop.comparison, c.Name(loop.iterator), integer(in_c(loop.bound, names)))
    first, step = integer(in_c(loop.first, names)), integer(in_c(loop.step, names))
    return c.counted(INDEX, loop.iterator, first, condition, step, written)


def where_it_runs(loop: For, names: Mapping[str, Affine], body: Statements) -> c.Statement:
    """Returns the statements around the loop, executed only where it has an iteration."""
    if loop.runs:
        return c.Block(body)
    first, end = (integer(in_c(value, names)) for value in (loop.first, loop.bound))
    return c.If(c.Binary(loop.comparison, first, end), body)


def counting(iterator: str, count: c.Expression, body: Statements) -> c.For:
    """Returns a loop from 0 to the count (excluded)."""
    return c.counted(INDEX, iterator, c.ZERO, c.Binary("<", c.Name(iterator), count), c.Literal("1"), body)


def _where(declared: c.Declare, body: Statements) -> Statements:
    """Binds a name to a value in the body, if the body uses it."""
    if declared.name in c.names_used(body):
        return (c.Block((declared, *body)),)
    return without(body, [declared])


def scope(body: Statements) -> Statements:
    """Returns the statements without further braces where they are in braces anyway."""
    match body:
        case (c.Block(inner),):
            return inner
    return body
