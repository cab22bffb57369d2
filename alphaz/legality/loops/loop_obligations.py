"""States conditions on loops as obligations (V): a set is empty, a loop has an iteration, a register tile is whole.

The tile at a corner b is computed at once where all its points are operations of one statement and no other statement
has an operation in it:
    { x : x is in the tile of a corner b, and no operation }, { (b, y) : y is in the tile of b, of another statement }
are empty for all chosen corners. Source: Goto and van de Geijn, "Anatomy of high-performance matrix multiplication"
(TOMS 2008), whose inner kernel is such a tile.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from alphaz.analysis.checks.obligation_finding import parameters_text, point_text
from alphaz.analysis.facts.data_guarded_reductions import GuardedReduction
from alphaz.diagnostics import Span, Witness, WitnessPoint
from alphaz.diagnostics.rules import CAUSALITY
from alphaz.loops.nonempty import MissingIteration
from alphaz.mapping.statement import Statement
from alphaz.poly import Domain
from alphaz.poly.algorithms.tile_corners import BoxKey, BoxStep, box_points, corner_point_pairs, pair_names
from alphaz.proof import Obligation, Values


def witness_at(values: Values, parameters: tuple[str, ...], sentence: str, *places: WitnessPoint) -> Witness:
    """Returns the witness for these parameters."""
    values_ = tuple((name, values[name]) for name in parameters)
    return Witness(values_, places, f"{parameters_text(values, parameters)}{sentence}")


def _at(values: Values, names: Sequence[str]) -> str:
    """Returns ` at i=1, j=2`; empty where there are no names."""
    at = ", ".join(f"{name}={values[name]}" for name in names)
    return f" at {at}" if at else ""


def nothing(claim: str, domain: Domain, span: Span) -> Obligation:
    """Returns the obligation that the set has no points. `claim` states the meaning of that."""
    names, parameters = domain.space.names, domain.space.parameters

    return Obligation(
        rule=CAUSALITY,
        claim=claim,
        violations=lambda: domain,
        roles=(("point", names),),
        explain=lambda values: witness_at(values, parameters, f"there is something{_at(values, names)}"),
        recheck=domain.contains,
        span=span,
    )


def selecting(where: str, statement: Statement, domain: Domain, guarded: GuardedReduction) -> Iterator[Obligation]:
    """Yields the obligations that every operation of the domain computes the reduction over at least one point.

    `where` names the operations.
    """
    yield _within(f"{where}: every operation computes what it selects by", statement, domain, guarded.known)
    yield _within(f"{where}: every operation has something to select from", statement, domain, guarded.filled)


def _within(claim: str, statement: Statement, domain: Domain, results: Domain) -> Obligation:
    names, parameters = domain.space.names, domain.space.parameters
    there = results.renamed(names)

    def explain(values: Values) -> Witness:
        at = tuple(values[name] for name in names)
        sentence = f"{point_text(statement.name, at)} does not"
        return witness_at(values, parameters, sentence, WitnessPoint("point", statement.name, at))

    return Obligation(
        rule=CAUSALITY,
        claim=claim,
        violations=lambda: domain - there,
        roles=(("point", names),),
        explain=explain,
        recheck=lambda values: domain.contains(values) and not there.contains(values),
        span=statement.span,
    )


# The budget of one loop: keeping its guard costs less than a second of generation time.
FEW = 300_000


def never_empty(where: str, missing: Sequence[MissingIteration], span: Span) -> Iterator[Obligation]:
    """Yields the obligations that the loop has an iteration wherever one of `missing` has a point. `where` names the
    loop.
    """
    for case in missing:
        yield _obligation(where, case, span)


def _obligation(where: str, missing: MissingIteration, span: Span) -> Obligation:
    around, parameters = missing.place.names, missing.place.context.space.parameters

    def explain(values: Values) -> Witness:
        sentence = f"nothing around it keeps it from having no iteration{_at(values, around)}"
        return witness_at(values, parameters, sentence)

    return Obligation(
        rule=CAUSALITY,
        claim=f"{where}: it has an iteration wherever the bounds and tests around it let it be reached",
        violations=missing.points,
        roles=(("loops", missing.space.names),),
        explain=explain,
        recheck=missing.has,
        span=span,
    )


@dataclass(frozen=True, slots=True, eq=False)
class TilePoints:
    """The operations of a statement, in tiles that `keys` identify."""

    statement: Statement
    domain: Domain
    keys: tuple[BoxKey, ...]


def whole_tiles_obligation(where: str, corners: Domain, steps: Sequence[BoxStep], points: TilePoints) -> Obligation:
    """Returns the obligation that every point of the tiles is an operation. `where` names the action."""
    names, parameters = points.domain.space.names, points.domain.space.parameters

    def recheck(values: Values) -> bool:
        offsets = product(*(range(step.size) for step in steps))
        moves = ({step.name: step.sign * n for step, n in zip(steps, offset, strict=True)} for offset in offsets)
        shifted_points = ({name: value - move.get(name, 0) for name, value in values.items()} for move in moves)
        return not points.domain.contains(values) and any(map(corners.contains, shifted_points))

    def explain(values: Values) -> Witness:
        at = tuple(values[name] for name in names)
        sentence = f"{point_text(points.statement.name, at)} is in a tile that is done at once, and no operation"
        return witness_at(values, parameters, sentence, WitnessPoint("point", points.statement.name, at))

    return Obligation(
        rule=CAUSALITY,
        claim=f"{where}: every point of a tile that is done at once is an operation",
        violations=lambda: box_points(corners, steps) - points.domain,
        roles=(("point", names),),
        explain=explain,
        recheck=recheck,
        span=points.statement.span,
    )


def alone(where: str, corners: Domain, points: TilePoints, others: Sequence[TilePoints]) -> Iterator[Obligation]:
    """Yields the obligations that no other statement has an operation in these tiles."""
    for other in others:
        yield _disjoint_obligation(where, corners, points, other)


def _disjoint_obligation(where: str, corners: Domain, points: TilePoints, other: TilePoints) -> Obligation:
    left, right = pair_names(corners, other.domain)
    parameters = corners.space.parameters

    def recheck(values: Values) -> bool:
        corner = {**values, **{own: values[name] for own, name in left.items()}}
        point = {**values, **{own: values[name] for own, name in right.items()}}
        pairs = zip(points.keys, other.keys, strict=True)
        inside = all(0 <= two.value.at(point) - one.value.at(corner) < one.size for one, two in pairs)
        return corners.contains(corner) and other.domain.contains(point) and inside

    def explain(values: Values) -> Witness:
        corner, point = (tuple(values[name] for name in names.values()) for names in (left, right))
        tile = point_text(points.statement.name, corner)
        sentence = f"{point_text(other.statement.name, point)} is in the tile of {tile}, which is done at once"
        places = (
            WitnessPoint("corner", points.statement.name, corner),
            WitnessPoint("other", other.statement.name, point),
        )
        return witness_at(values, parameters, sentence, *places)

    return Obligation(
        rule=CAUSALITY,
        claim=f"{where}: no operation of {other.statement.name} is in a tile that is done at once",
        violations=lambda: corner_point_pairs(corners, points.keys, other.domain, other.keys),
        roles=(("corner", tuple(left.values())), ("other", tuple(right.values()))),
        explain=explain,
        recheck=recheck,
        span=points.statement.span,
    )
