"""Register tiles: one operation of many points computes each whole tile; the remaining points are computed one by one.

A tile of a statement is whole where all its points are in the domain, and where no other statement has an operation in
it: then the points can be computed one after the other, without other operations between them. A tile of which the
domain has some points can be computed whole where all reads are from buffers: the other elements of a buffer are
arbitrary numbers. This module searches such tiles, and `alphaz.legality.loops.loop_obligations` proves them: unproved
tiles are computed point by point.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from alphaz.codegen.scheduled.statements.independence import OracleQuery
from alphaz.codegen.scheduled.statements.statement_templates import StatementTemplate, TileInstance
from alphaz.legality.loops.loop_obligations import TilePoints, alone, whole_tiles_obligation
from alphaz.loops.modes import REGISTER
from alphaz.loops.tree import For, Instance, Node, Whole
from alphaz.mapping.resolved_mapping import ResolvedMapping
from alphaz.mapping.statement import Statement
from alphaz.mapping.target_mapping import Band
from alphaz.model.expression import Access, Binary, Constant, Expression, Nary, Restrict, Unary
from alphaz.model.types import DOUBLE, FLOAT
from alphaz.model.walk import children
from alphaz.poly import Domain
from alphaz.poly.algorithms.tile_corners import (
    BoxKey,
    BoxStep,
    corners_of_points,
    full_tile_corners,
    lines_agree,
    partial_tile_corners,
)
from alphaz.poly.plain.integer_expression import IntegerConstant, IntegerName, IntegerOperation
from alphaz.proof import Obligation

# Suffixes of the name of an action: for its whole tiles, and for tiles with some of its points.
_WHOLE, _PARTIAL = " whole", " partial"

Boxes = Mapping[str, tuple[TileInstance, ...]]


def boxes_of(
    mapping: ResolvedMapping,
    actions: Sequence[StatementTemplate],
    asked: OracleQuery,
    packed: Collection[Expression] = (),
    resized: frozenset[str] = frozenset(),
) -> Boxes:
    """Returns the register tiles, by the names of the actions. `packed`: the reads that use buffers; `resized`: the
    actions whose register tiles are those of tiles with final values."""
    boxes_by_name: dict[str, tuple[TileInstance, ...]] = {}
    for action in actions:
        statement = action.statement
        band = mapping.registers(statement) if statement is not None else None
        if band is None or statement is None:
            continue
        own_band = band.of_final() if action.name in resized else band
        boxes = _boxes(mapping, action, statement, own_band, actions, packed)
        boxes_by_name[action.name] = tuple(box for box, needed in boxes if asked.all_hold(needed))
    return {name: boxes for name, boxes in boxes_by_name.items() if boxes}


def whole_of(action: StatementTemplate, boxes: Boxes) -> tuple[Whole, ...]:
    """Returns the tiles that may be computed at once, for the scan of an action."""
    tiles = boxes.get(action.name, ())
    return tuple(Whole(_title(action, box), box.corners, box.steps, box.mask is not None) for box in tiles)


def whole_tiles(actions: Sequence[StatementTemplate], boxes: Boxes) -> tuple[StatementTemplate, ...]:
    """Returns the actions that compute such tiles, at their corners."""
    chosen = [(action, box) for action in actions for box in boxes.get(action.name, ())]
    return tuple(replace(w, name=_title(w, box), comment=f"{w.comment}, {_sizes(box)}", box=box) for w, box in chosen)


def points_of(action: StatementTemplate, call: Instance, iterators: Sequence[str]) -> Node | None:
    """Returns the operations of a whole tile at its corner, each point an instance of the statement: loops in
    registers, with these names, upwards, since the points of such a tile have no order. None for tiles of which only
    some points count.
    """
    box = action.box
    if box is None or box.mask is not None:
        return None
    arguments = dict(zip(action.domain.space.names, call.arguments, strict=True))
    names = dict(zip((step.name for step in box.steps), iterators, strict=True))
    here = tuple(IntegerName(names[name]) if name in names else value for name, value in arguments.items())
    node: Node = Instance(action.name.removesuffix(_WHOLE), here)
    for step in reversed(box.steps):
        corner = arguments[step.name]
        below, above = (0, step.size) if step.sign == 1 else (1 - step.size, 1)
        node = For(
            iterator=names[step.name],
            dimension=-1,
            first=IntegerOperation("+", (corner, IntegerConstant(below))) if below else corner,
            comparison="<",
            bound=IntegerOperation("+", (corner, IntegerConstant(above))),
            step=IntegerConstant(1),
            body=node,
            mode=REGISTER,
        )
    return node


def rows_agree(mapping: ResolvedMapping, action: StatementTemplate, dimension: int) -> bool:
    """Returns True if the rows of each register tile have the same iterations along a vector dimension around it."""
    statement = action.statement
    band = mapping.registers(statement) if statement is not None else None
    if statement is None or band is None:
        return True
    domain = action.domain.in_context(mapping.system.context)
    return lines_agree(domain, _steps(statement, band), statement.dates[dimension].names)


def _title(action: StatementTemplate, box: TileInstance) -> str:
    return f"{action.name}{_WHOLE if box.mask is None else _PARTIAL}"


def _sizes(box: TileInstance) -> str:
    sizes = " x ".join(str(step.size) for step in box.steps)
    return sizes if box.mask is None else f"some of {sizes}"


def _boxes(
    mapping: ResolvedMapping,
    action: StatementTemplate,
    statement: Statement,
    band: Band,
    actions: Sequence[StatementTemplate],
    packed: Collection[Expression],
) -> Iterator[tuple[TileInstance, Iterator[Obligation]]]:
    """Yields tiles with the obligations for them."""
    if action.expression is None or action.tie:
        return
    steps = _steps(statement, band)
    if not steps:
        return
    domain, keys, date = (
        action.domain.in_context(mapping.system.context),
        _keys(statement, band),
        statement.dates,
    )
    others = [
        TilePoints(o.statement, o.domain.in_context(mapping.system.context), there)
        for o in actions
        if o is not action and o.statement is not None and not _are_versions(o, action)
        if not any(map(_differ, keys, there := _keys(o.statement, band)))
    ]
    mine = TilePoints(statement, domain, keys)
    named = {d: date[d] for d in (*range(band.first), *band.tiled)}

    def free(corner: Domain) -> Domain:
        """Returns the corners of tiles in which no other statement has an operation."""
        for other in others:
            corner = corner - corners_of_points(corner, keys, other.domain, other.keys)
        return corner.simplify()

    def apart(found: Domain) -> Iterator[Obligation]:
        return alone(action.comment, found, mine, others)

    # Either answer is right, here and below: where there is no corner, nothing is done at once.
    full = full_tile_corners(domain, steps)
    full_tiles = free(full)
    if not full_tiles.is_empty():
        yield (
            TileInstance(steps, full_tiles, named),
            chain((whole_tiles_obligation(action.comment, full_tiles, steps, mine),), apart(full_tiles)),
        )
    if action.uses_buffers and _reads_buffers_only(mapping, action, packed):
        partly = free(partial_tile_corners(domain, steps) - full)
        if not partly.is_empty():
            yield TileInstance(steps, partly, named, domain), apart(partly)


def _are_versions(one: StatementTemplate, other: StatementTemplate) -> bool:
    """Returns True if two actions are of one statement in different tiles."""
    return one.statement is other.statement and one.uses_buffers != other.uses_buffers


def _reads_buffers_only(mapping: ResolvedMapping, action: StatementTemplate, packed: Collection[Expression]) -> bool:
    """Returns True if its value can be computed outside of its domain too: sums and products of floats from buffers."""
    assert action.statement is not None
    assert action.expression is not None
    if mapping.system.variable(action.statement.variable).type not in (DOUBLE, FLOAT):
        return False
    waiting, reads_buffer = [action.expression], False
    while waiting:
        node = waiting.pop()
        if node in packed:
            reads_buffer = True
            continue
        if isinstance(node, Access) and node.function.outputs:
            return False
        if not isinstance(node, Access | Binary | Unary | Nary | Constant | Restrict):
            return False
        waiting += children(node)
    return reads_buffer


def _size(band: Band, dimension: int) -> int:
    size = band.size(dimension)
    assert size is not None
    return size


def _keys(statement: Statement, band: Band) -> tuple[BoxKey, ...]:
    date, tiled = statement.dates, band.tiled
    return (*(BoxKey(date[d]) for d in range(band.first)), *(BoxKey(date[d], _size(band, d)) for d in tiled))


def _differ(one: BoxKey, other: BoxKey) -> bool:
    """Returns True if constants separate all operations with one key from those with the other."""
    sizes = one.size == other.size == 1
    return sizes and one.value.is_constant and other.value.is_constant and one.value != other.value


def _steps(statement: Statement, band: Band) -> tuple[BoxStep, ...]:
    """Returns a step for each dimension with tiles of more than one point; none where one of them is along no index."""
    date = statement.dates
    steps: list[BoxStep] = []
    for dimension in band.tiled:
        size = _size(band, dimension)
        if size == 1:
            continue
        others = (*date[:dimension], *date[dimension + 1 :])
        alone = [
            name
            for name in statement.domain.space.names
            if abs(date[dimension].coefficient(name)) == 1 and not any(o.coefficient(name) for o in others)
        ]
        if not alone:
            return ()
        steps.append(BoxStep(alone[0], date[dimension].coefficient(alone[0]), size))
    return tuple(steps)
