"""Independence of loop iterations, and of boxes of points, as obligations (V) of the common proof engine.

A loop with independent iterations is vectorised, for every kind of its dimension: inside a tile a sequential dimension
is often such a loop. Let w be a write and t an access (a read or a write) of its operations:
    { (x, y) : x and y are in one run of the loop, in different iterations, cell(t(x)) = cell(w(y)) }
is empty for all t and w. A loop without a proof stays unchanged: these obligations never make a mapping illegal.
Source: Allen and Kennedy, "Automatic translation of Fortran programs to vector form" (TOPLAS 1987).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

from alphaz.analysis.checks.obligation_finding import point_text
from alphaz.diagnostics import Witness, WitnessPoint
from alphaz.diagnostics.rules import RACE
from alphaz.legality.loops.loop_obligations import witness_at
from alphaz.mapping.resolved_mapping import ResolvedMapping
from alphaz.mapping.statement import Statement
from alphaz.model.expression import Access, Compose, Expression, Reduce
from alphaz.model.walk import walk
from alphaz.poly import Affine, Domain
from alphaz.poly.algorithms.tile_corners import BoxKey, BoxStep, conflict, pair_names, unequal_pairs
from alphaz.proof import Obligation, Values

# The modulus of a component that is folded by a parametric factor.
PARAMETRIC = -1


@dataclass(frozen=True, slots=True)
class CellAccess:
    """A cell of a memory space, over the names of the domain of an operation. `text` is the access in the program's
    text.
    """

    space: str
    cell: tuple[BoxKey, ...]
    text: str

    def may_be(self, other: "CellAccess") -> bool:
        """Returns True if both cells are in one space and have the same mod factors."""
        return self.space == other.space


@dataclass(frozen=True, slots=True)
class Effect:
    """The effect of an operation: it writes `target` (an accumulation reads it too); `reads` are all other cells it
    reads.
    """

    target: CellAccess
    reads: tuple[CellAccess, ...]

    def touches(self, cell: CellAccess) -> bool:
        """Returns True if the operation may access the space of this cell, for any indices."""
        return any(cell.may_be(access) for access in (self.target, *self.reads))


def alike(one: CellAccess, other: CellAccess) -> tuple[tuple[BoxKey, ...], tuple[BoxKey, ...]]:
    """Returns the components of two cells of one space that have the same constant mod factor; further components may
    be equal then.
    """
    every = zip(one.cell, other.cell, strict=True)
    pairs = [
        (own_index, other_index)
        for own_index, other_index in every
        if own_index.modulus == other_index.modulus != PARAMETRIC
    ]
    return tuple(own_index for own_index, _ in pairs), tuple(other_index for _, other_index in pairs)


def effect_of(mapping: ResolvedMapping, statement: Statement, expression: Expression) -> Effect | None:
    """Returns the effect of a statement with this right-hand side; None where a read is not a single cell."""
    names = statement.domain.space.names
    reads: list[CellAccess] = []
    for node in walk(expression):
        if isinstance(node, Compose | Reduce):
            return None
        if isinstance(node, Access):
            reads.append(cell_access(mapping, node.variable, node.function.renamed(names).outputs))
    target = statement.target.renamed(names).outputs
    return Effect(cell_access(mapping, statement.variable, target), tuple(dict.fromkeys(reads)))


def cell_access(mapping: ResolvedMapping, variable: str, point: Sequence[Affine]) -> CellAccess:
    """Returns the cell of a value, over the names of the point."""
    cell = mapping.cells[variable]
    values = dict(zip(cell.function.domain.names, point, strict=True))
    outputs = (o.substitute(values) for o in cell.function.outputs)
    moduli = (m if isinstance(m, int) else PARAMETRIC for m in cell.moduli)
    keys = tuple(BoxKey(o, modulus=m) for o, m in zip(outputs, moduli, strict=True))
    return CellAccess(cell.space, keys, point_text(variable, point))


@dataclass(frozen=True, slots=True, eq=False)
class Iterations:
    """The effect of the iterations of a loop at the points of a domain; points of one iteration have one value `at`.

    `keys` are the values that are constant during a run of the loop. `collects`: each iteration has its own
    accumulator for the accumulations into the target.
    """

    statement: Statement
    effect: Effect
    points: Domain
    keys: tuple[Affine, ...]
    at: Affine
    collects: bool = False

    @property
    def touches(self) -> tuple[CellAccess, ...]:
        return (self.effect.target, *self.effect.reads)


def independence(where: str, iterations: Sequence[Iterations]) -> Iterator[Obligation]:
    """Yields the obligations that no iteration writes a cell that another iteration accesses. `where` names
    the loop.
    """
    for iteration in iterations:
        for other in iterations:
            together = iteration.collects and other.collects and iteration.statement is other.statement
            for touch in iteration.effect.reads if together else iteration.touches:
                if other.effect.target.may_be(touch):
                    yield _disjoint_obligation(where, iteration, touch, other)


def crossing(where: str, one: Iterations, other: Iterations) -> Iterator[Obligation]:
    """Yields the obligations that no iteration of one loop accesses a cell that one of the other loop writes, or the
    reverse, where their values differ. `where` names the loops.
    """
    for touch in one.touches:
        if other.effect.target.may_be(touch):
            yield _disjoint_obligation(where, one, touch, other)
    for touch in other.effect.reads:
        if one.effect.target.may_be(touch):
            yield _disjoint_obligation(where, other, touch, one)


def finished(where: str, finishing: Sequence[Iterations], update: Iterations, column: Affine) -> Iterator[Obligation]:
    """Yields the obligations that the accumulations of `update` may be kept in local variables until the step that is
    their column: only the operations of that step access their cells, which differ from column to column. The values
    of all iterations are their steps. `where` names the loop.
    """
    targets = replace(update, effect=Effect(update.effect.target, ()), at=column)
    for iterations in finishing:
        yield from crossing(where, iterations, targets)
    for read in update.effect.reads:
        if update.effect.target.may_be(read):
            yield _disjoint_obligation(where, update, read, targets)
    yield _disjoint_obligation(where, targets, targets.effect.target, targets)


def _disjoint_obligation(where: str, one: Iterations, touch: CellAccess, other: Iterations) -> Obligation:
    other_indices, own_indices = alike(touch, other.effect.target)
    keys, other_keys = (*map(BoxKey, one.keys), *other_indices), (*map(BoxKey, other.keys), *own_indices)
    left, right = pair_names(one.points, other.points)

    def recheck(values: Values) -> bool:
        x, y = _point(values, left), _point(values, right)
        inside = one.points.contains(x) and other.points.contains(y)
        return inside and one.at.at(x) != other.at.at(y) and _meet(keys, x, other_keys, y)

    what = f"{where}: no iteration touches by {touch.text} what another one writes"
    return _obligation(
        f"{what} ({one.statement.name}, {other.statement.name})",
        lambda: unequal_pairs(one.points, keys, one.at, other.points, other_keys, other.at),
        (one.statement, left, other.statement, right),
        recheck,
        touch.text,
    )


def separate(
    where: str,
    statement: Statement,
    effect: Effect,
    corners: Domain,
    steps: Sequence[BoxStep],
    keys: Sequence[Affine],
    *,
    unordered: bool,
) -> Iterator[Obligation]:
    """Yields the obligations that, in boxes whose corners have the same keys, no operation reads a cell that another
    one writes: their targets can be kept in registers during the box.

    `unordered`: an operation may read its own target, but each operation has a target of its own, so that all
    operations can read before any of them writes. `where` names the operations.
    """
    if unordered:
        cell, _ = alike(effect.target, effect.target)
        yield _of_boxes(where, statement, effect.target.text, corners, steps, keys, (cell, cell), apart=True)
    for read in effect.reads:
        if effect.target.may_be(read):
            own_indices, read_indices = alike(effect.target, read)
            yield _of_boxes(
                where, statement, read.text, corners, steps, keys, (own_indices, read_indices), apart=unordered
            )


def _of_boxes(
    where: str,
    statement: Statement,
    text: str,
    corners: Domain,
    steps: Sequence[BoxStep],
    keys: Sequence[Affine],
    cells: tuple[tuple[BoxKey, ...], tuple[BoxKey, ...]],
    *,
    apart: bool,
) -> Obligation:
    left, right = pair_names(corners, corners)

    def corners_of(point: Values) -> set[tuple[int, ...]]:
        """Returns the keys of the corners whose boxes contain the point."""
        corners_ = set()
        for offsets in product(*(range(step.size) for step in steps)):
            moves = {step.name: step.sign * offset for step, offset in zip(steps, offsets, strict=True)}
            corner = {name: value - moves.get(name, 0) for name, value in point.items()}
            if corners.contains(corner):
                corners_.add(tuple(key.at(corner) for key in keys))
        return corners_

    def recheck(values: Values) -> bool:
        x, y = _point(values, left), _point(values, right)
        both = not corners_of(x).isdisjoint(corners_of(y))
        return both and not (apart and x == y) and _meet(cells[0], x, cells[1], y)

    return _obligation(
        f"{where}: concurrent operations access no cell that another one writes, by {text}"
        f"{' at another point' if apart else ''}",
        lambda: conflict(corners, steps, keys, *cells, apart),
        (statement, left, statement, right),
        recheck,
        text,
    )


Pair = tuple[Statement, Mapping[str, str], Statement, Mapping[str, str]]


def _obligation(
    claim: str, violations: Callable[[], Domain], pair: Pair, recheck: Callable[[Values], bool], text: str
) -> Obligation:
    one, left, other, right = pair

    def explain(values: Values) -> Witness:
        x, y = (tuple(values[name] for name in names.values()) for names in (left, right))
        parameters = tuple(name for name in values if name not in {*left.values(), *right.values()})
        places = (WitnessPoint("one", one.name, x), WitnessPoint("other", other.name, y))
        sentence = f"{point_text(one.name, x)} touches, by {text}, the cell that {point_text(other.name, y)} writes"
        return witness_at(values, parameters, sentence, *places)

    roles = (("one", tuple(left.values())), ("other", tuple(right.values())))
    return Obligation(
        rule=RACE, claim=claim, violations=violations, roles=roles, explain=explain, recheck=recheck, span=one.span
    )


def _point(values: Values, names: Mapping[str, str]) -> dict[str, int]:
    """Returns the parameters and one of the two points, by the names of its domain."""
    return {**values, **{own: values[name] for own, name in names.items()}}


def _meet(keys: Sequence[BoxKey], x: Values, others: Sequence[BoxKey], y: Values) -> bool:
    pairs = zip(keys, others, strict=True)
    return all(_are_equal(one.value.at(x) - other.value.at(y), one.modulus) for one, other in pairs)


def _are_equal(apart: int, modulus: int) -> bool:
    return apart % modulus == 0 if modulus else apart == 0
