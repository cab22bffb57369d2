"""Memory of a distributed mapping: few rows of the values of a step, and few ghosts."""

from collections.abc import Iterator

from alphaz.mapping.resolved_mapping import ResolvedMapping
from alphaz.mapping.statement import Cell
from alphaz.poly import Affine, AffineFunction, Domain, less
from alphaz.search.cost.rank_pairs import RankPairs, rank_pairs
from alphaz.search.schedule.script_lines import Line, function_text
from alphaz.search.schedule.strategy import Applied, Tactic

# A value whose readers are within so many places has its ghosts next to the values of the rank.
_NEAR = 8


def rows(applied: Applied, system: str, tile: int) -> Iterator[Tactic]:
    """Yields maps of the locals with the values of a few steps, which are tiles of so many rows; 0: single ones."""
    resolved, stated = applied.report.mapping, applied.design.mapping(system)
    assert resolved is not None
    for local in resolved.system.locals:
        space = local.domain.space
        steps = _of_steps(resolved, local.name)
        if not steps or stated.memory_of(local.name) is not None:
            continue
        identity = AffineFunction.identity(space)
        outputs = tuple(x for position, x in enumerate(identity.outputs) if position not in steps)
        without = (function_text(AffineFunction(space, outputs)),) if outputs else ()
        lines = [Line("setMemoryMap", (local.name, text)) for text in without]
        for number in (max(tile, 1) + 1, 2 * max(tile, 1) + 1):
            factors = ",".join(str(number) if dimension in steps else "0" for dimension in range(space.dimensions))
            lines.append(Line("setMemoryMap", (local.name, function_text(identity), factors)))
        yield Tactic(tuple((line,) for line in lines), "", f"few rows of {local.name}")


def _of_steps(mapping: ResolvedMapping, variable: str) -> tuple[int, ...]:
    """Returns the dimensions of a variable that are steps and no places, of a single statement."""
    distribution = mapping.distribution
    assert distribution is not None
    positions = []
    for statement in (s for s in mapping.statements if s.variable == variable):
        steps, places = (
            {name for output in outputs for name in output.names}
            for outputs in (statement.dates[: distribution.position], statement.dates[distribution.dimensions])
        )
        target = statement.target.renamed(statement.domain.space.names).outputs
        names = ((index, set(output.names)) for index, output in enumerate(target))
        positions.append(tuple(at for at, used in names if used & steps and not used & places))
    return positions[0] if positions else ()


def ghosts(applied: Applied, system: str) -> Iterator[Tactic]:
    """Yields ghosts without the place, for values that are read far away."""
    assert applied.report.mapping is not None
    resolved = applied.report.mapping
    pairs = rank_pairs(resolved)
    for variable in pairs.pairs:
        if _is_read_far_away(pairs, variable):
            cell = resolved.cells[variable]
            lines = [(_ghost_line(resolved, cell, ghost),) for ghost in _kept(resolved, cell)]
            yield Tactic(tuple(lines), "", f"few ghosts of {variable}")


def _is_read_far_away(pairs: RankPairs, variable: str) -> bool:
    if not pairs.distribution.is_by_blocks:
        return not pairs.elsewhere(variable).is_empty()
    if pairs.distribution.width > 1:
        return False
    made, read, points = Affine.name(pairs.made[0]), Affine.name(pairs.read[0]), pairs.pairs[variable].points
    far = Domain.where(points.space, [less(made + _NEAR, read)], [less(read + _NEAR, made)])
    return not (points & far).is_empty()


def _kept(mapping: ResolvedMapping, cell: Cell) -> Iterator[tuple[int, ...]]:
    """Yields the dimensions of the cells that ghosts keep: those without the place, and without steps."""
    distribution = mapping.distribution
    assert distribution is not None
    statement = next(s for s in mapping.statements if s.variable == cell.variable)
    names = dict(zip(statement.domain.space.names, cell.function.domain.names, strict=False))
    place, steps = (
        {names.get(name, name) for output in outputs for name in output.names}
        for outputs in (statement.dates[distribution.dimensions], statement.dates[: distribution.position])
    )
    every = range(len(cell.function.outputs))
    without = [at for at in every if not place & set(cell.function.outputs[at].names)]
    yield tuple(at for at in without if not steps & set(cell.function.outputs[at].names))
    yield tuple(without)


def _ghost_line(mapping: ResolvedMapping, cell: Cell, dimensions: tuple[int, ...]) -> Line:
    outputs = tuple(cell.function.outputs[dimension] for dimension in dimensions) or (Affine(),)
    moduli = tuple(cell.moduli[dimension] for dimension in dimensions)
    text = function_text(AffineFunction(cell.function.domain, outputs))
    factors = (",".join(map(str, moduli)),) if any(moduli) else ()
    return Line("setGhostMap", (cell.variable, text, *factors))
