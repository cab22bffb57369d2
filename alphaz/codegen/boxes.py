"""Register tiles: whole tiles are done by one operation of many points, what is left point by point.

A tile of a statement is whole where all its points are in the domain, and where no other statement has an operation in
it: then the points can be done one after the other, with nothing in between.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from alphaz.codegen.box import Box
from alphaz.codegen.works import Work
from alphaz.mapping.bands import limits
from alphaz.mapping.kinds import has_prefix
from alphaz.mapping.resolved import ResolvedMapping
from alphaz.mapping.statement import Statement
from alphaz.mapping.target import Band, DimensionKind
from alphaz.poly import Affine
from alphaz.poly.boxes import Key, Step, corners, met
from alphaz.poly.loops import Whole

# Behind the name of a work: its whole tiles.
WHOLE = " whole"


def boxes_of(mapping: ResolvedMapping, works: Sequence[Work]) -> Mapping[str, Box]:
    """What can be done a whole register tile at a time, by the names of the works."""
    bands = [band for band in mapping.bands if band.registers]
    found = {work.name: _box(mapping, work, works, bands) for work in works} if bands else {}
    return {name: box for name, box in found.items() if box is not None}


def whole(work: Work, boxes: Mapping[str, Box]) -> Whole | None:
    """The tiles that may be whole, for the scan of a work."""
    box = boxes.get(work.name)
    return None if box is None else Whole(_title(work), box.corners, box.steps)


def whole_tiles(works: Sequence[Work], boxes: Mapping[str, Box]) -> tuple[Work, ...]:
    """The works that do whole tiles, at their corners."""
    chosen = [(work, boxes[work.name]) for work in works if work.name in boxes]
    return tuple(replace(w, name=_title(w), comment=f"{w.comment}, {_sizes(box)}", box=box) for w, box in chosen)


def _title(work: Work) -> str:
    return f"{work.name}{WHOLE}"


def _sizes(box: Box) -> str:
    return " x ".join(str(step.size) for step in box.steps)


def _box(mapping: ResolvedMapping, work: Work, works: Sequence[Work], bands: Sequence[Band]) -> Box | None:
    statement = work.statement
    band = next((b for b in bands if statement is not None and has_prefix(statement, b.prefix)), None)
    if band is None or statement is None or work.expression is None or work.tie:
        return None
    tiled = _tiled(mapping, band)
    steps = _steps(statement, band, tiled)
    if not steps:
        return None
    corner = corners(work.domain.in_context(mapping.system.context), steps)
    keys = _keys(statement, band, tiled)
    for other in works:
        if other is not work and other.statement is not None:
            mixed = other.domain.in_context(mapping.system.context)
            corner = corner - met(corner, keys, mixed, _keys(other.statement, band, tiled))
    if corner.is_empty():
        return None
    date = _dates(statement)
    return Box(steps, corner.simplify(), {d: date[d] for d in (*range(limits(band)[0]), *tiled)})


def _tiled(mapping: ResolvedMapping, band: Band) -> tuple[int, ...]:
    """The dimensions of the band but those that only order what is in a tile."""
    first, last = limits(band)
    members = [s for s in mapping.statements if has_prefix(s, band.prefix)]
    return tuple(d for d in range(first, last + 1) if {s.kinds[d] for s in members} != {DimensionKind.ORDERING})


def _size(band: Band, dimension: int) -> int:
    size = band.sizes[0][dimension - limits(band)[0]]
    assert size is not None
    return size


def _dates(statement: Statement) -> tuple[Affine, ...]:
    return statement.date.renamed(statement.domain.space.names).outputs


def _keys(statement: Statement, band: Band, tiled: Sequence[int]) -> tuple[Key, ...]:
    date, first = _dates(statement), limits(band)[0]
    return (*(Key(date[d]) for d in range(first)), *(Key(date[d], _size(band, d)) for d in tiled))


def _steps(statement: Statement, band: Band, tiled: Sequence[int]) -> tuple[Step, ...]:
    """A step for each dimension with tiles of more than one point; none where one of them is along no index."""
    date = _dates(statement)
    found: list[Step] = []
    for dimension in tiled:
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
        found.append(Step(alone[0], date[dimension].coefficient(alone[0]), size))
    return tuple(found)
