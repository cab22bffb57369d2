"""The ranks, or the blocks and threads of a GPU, to which the operations in a trace belong."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from alphaz.diagnostics.rules import GHOST_LOST, LATE_MESSAGE, SENT_LOST
from alphaz.figures.trace.trace_data import BlockShare, Index, LaunchedBlocks, Operation, RankLanes, Violation
from alphaz.mapping.distribution import Distribution
from alphaz.mapping.statement import Statement
from alphaz.scop.c_model import CKernel, Date, KernelLoop, KernelStatement, LoopKind

# The most instances that are counted.
_MOST = 20_000


def launched_blocks(kernel: CKernel, parameters: Mapping[str, int]) -> LaunchedBlocks | None:
    """Returns the share of each block in each launch; None without launches, and where there are too many instances."""
    counts: dict[tuple[Index, Index], int] = defaultdict(int)
    threads: dict[tuple[Index, Index], set[Index]] = defaultdict(set)
    names: tuple[str, ...] = ()
    for total, (statement, values) in enumerate(_instances(kernel, parameters)):
        if total == _MOST:
            return None
        loops = [part for part in statement.date if isinstance(part, KernelLoop) and _is_of_device(part)]
        around = _host_part(statement)
        launch = tuple(values[part.iterator] if isinstance(part, KernelLoop) else part for part in around)
        grid = [loop for loop in loops if loop.kind is LoopKind.GRID]
        key = launch, tuple(values[loop.iterator] for loop in grid)
        names = tuple(loop.iterator for loop in grid)
        counts[key] += 1
        threads[key].add(tuple(values[loop.iterator] for loop in loops if loop.kind.is_of_threads))
    if not counts:
        return None
    launches = sorted({launch for launch, _ in counts})
    shares = (
        BlockShare(launches.index(launch), block, operations, len(threads[launch, block]))
        for (launch, block), operations in sorted(counts.items())
    )
    return LaunchedBlocks(_axes(names), len(launches), tuple(shares))


def _instances(kernel: CKernel, parameters: Mapping[str, int]) -> Iterator[tuple[KernelStatement, dict[str, int]]]:
    """Yields the instances of the statements in kernels."""
    for statement in kernel.statements:
        if statement.block is not None:
            for point in statement.domain.points(dict(parameters)):
                yield statement, dict(zip(statement.iterators, point, strict=True))


def _host_part(statement: KernelStatement) -> Date:
    """Returns the components of the date that order launches; a kernel of one thread has no loops of threads."""
    assert statement.block is not None
    positions = (position for position, part in enumerate(statement.date) if _is_of_device(part))
    return statement.date[: next(positions, statement.block.depth)]


def _is_of_device(part: int | KernelLoop) -> bool:
    return isinstance(part, KernelLoop) and (part.kind is LoopKind.GRID or part.kind.is_of_threads)


def _axes(names: tuple[str, ...]) -> tuple[str, ...]:
    """Returns `y` for `blockIdx.y`, and for `blockIdx.y_2`."""
    return tuple(name.rpartition(".")[2][:1] for name in names)


# The ranks of a mapping without a counterexample; of a grid in each dimension.
_RANKS, _SIDE = 3, 2


def rank_lanes(
    distribution: Distribution,
    statements: Mapping[str, Statement],
    operations: Sequence[Operation],
    witness: Violation | None,
) -> RankLanes | None:
    """Returns few ranks, or those of the counterexample: one has all places that it needs there, and every other place
    is a rank of its own. Merges of reductions, in which all ranks take part, have no place. None if no operation has
    one.
    """
    dates = {o.number: o.date for o in operations if o.is_dated and o.date is not None}
    names = {o.number: o.name for o in operations}
    dated = {number: date for number, date in dates.items() if len(date[distribution.dimensions]) == distribution.width}
    places = {number: date[distribution.dimensions] for number, date in dated.items()}
    if not places:
        return None
    inside = [places[number] for number in _together(witness) if number in places]
    sides = [sorted({place[position] for place in places.values()}) for position in range(distribution.width)]
    groups = [list(_groups(side, distribution, {p[position] for p in inside})) for position, side in enumerate(sides)]
    lanes = list(product(*groups))
    of = {
        number: next(
            position
            for position, lane in enumerate(lanes)
            if all(x in part for x, part in zip(place, lane, strict=True))
        )
        for number, place in places.items()
    }
    return RankLanes(
        names=tuple("x".join(map(_name, lane)) for lane in lanes),
        ranks=tuple(sorted(of.items())),
        steps=tuple(
            (number, distribution.step_at(statements[names[number]], date)) for number, date in sorted(dated.items())
        ),
    )


def _together(witness: Violation | None) -> list[int]:
    """Returns the operations that one rank executes in the counterexample."""
    if witness is None:
        return []
    roles = {LATE_MESSAGE: ("reader",), SENT_LOST: ("producer", "writer")}.get(witness.rule, ())
    if witness.rule == GHOST_LOST:
        is_received = "writer" in witness.roles or "overwrites a received" in witness.claim
        roles = ("reader", "writer", "other") if is_received else ("reader", "writer", "other", "producer")
    return [number for role, number in witness.places if role in roles]


def _groups(side: Sequence[int], distribution: Distribution, inside: set[int]) -> Iterator[tuple[int, ...]]:
    """Yields the places of each rank in one dimension."""
    if inside:
        low, high = min(inside), max(inside)
        mine = [p for p in side if (low <= p <= high if distribution.is_by_blocks else p in inside)]
        for place in side:
            if place == mine[0]:
                yield tuple(mine)
            elif place not in mine:
                yield (place,)
        return
    count = min(len(side), _RANKS if distribution.width == 1 else _SIDE)
    block = max(distribution.size, 1)
    for rank in range(count):
        if distribution.is_by_blocks:
            yield tuple(side[rank * len(side) // count : (rank + 1) * len(side) // count])
        elif mine := [place for place in side if (place - side[0]) // block % count == rank]:
            yield tuple(mine)


def _name(places: Index) -> str:
    """Returns `[0,3)`, or `0, 2, 4` for places that are no interval."""
    if places == tuple(range(places[0], places[-1] + 1)):
        return f"[{places[0]},{places[-1] + 1})"
    return ", ".join(map(str, places))
