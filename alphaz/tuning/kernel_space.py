"""The search space of a kernel: fused operations, loop orders, blocked loops with levels and properties."""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, pairwise, permutations

from alphaz.diagnostics import Rejected, Source
from alphaz.mapping.resolution import resolve
from alphaz.mapping.resolved_mapping import ResolvedMapping
from alphaz.mapping.statement import Role, Statement
from alphaz.search.schedule.script_lines import Apply, Line
from alphaz.tuning.fusion import FusionCut, FusionOperations, FusionStep, Lines, Partition, blocks, partitions, script
from alphaz.tuning.space import Point, SearchAxis, SearchSpace, Unproved

# Numbers of iterations of the outermost loop at once, each with its own sums (unroll and jam).
ROWS = ("1", "2", "4", "8")
# Iterations in a chunk of a thread, if they differ in work.
CHUNK = 16
# The vectorised loop. With a size, it is strip-mined and its inner loop unrolled: several vectors at once.
_INNERMOST, _OUTERMOST, _BY = "innermost", "outermost", " by "
VECTORS = (_INNERMOST, f"{_INNERMOST}{_BY}16", f"{_INNERMOST}{_BY}32", f"{_OUTERMOST}{_BY}8", "none")


@dataclass(frozen=True, slots=True)
class TunedNest:
    """The `place`-th nest of a sequence, `depth` loops deep, which begins with the operation `first`. `outermost` is
    the number, from 0, of the loop whose points or blocks are outermost."""

    place: int
    first: str
    outermost: int
    depth: int

    @property
    def prefix(self) -> str:
        """Returns the ordering prefix of its dates: position in the sequence, loop, position, and so on."""
        return str(self.place)

    @property
    def innermost(self) -> int:
        """Returns the dimension of the innermost loop, after the prefix."""
        return 2 * (self.depth - 1)

    def threads(self, *, in_chunks: bool) -> tuple[Lines, ...]:
        """Returns alternatives: threads share the outermost loop, in chunks or in equal parts, or have private
        accumulators for it."""
        loop = self.prefix, 2 * self.outermost
        chunks = (Line("setChunks", (*loop, CHUNK)),) if in_chunks else ()
        return tuple((Line(verb, loop), *chunks) for verb in ("setParallel", "setReductionDimension"))

    def vectors(self, schedule_request: str, *, parallel: bool) -> tuple[Line, ...]:
        """Returns the commands for one of VECTORS. A loop that threads share is vectorised anyway."""
        loop, _, size = schedule_request.partition(_BY)
        sizes = (int(size),) if size else ()
        if loop == _OUTERMOST and self.depth > 1:
            return (Line("setVectorDimension", (self.prefix, 0, *sizes)),)
        if loop != _INNERMOST or not self.depth:
            return ()
        if not parallel or self.outermost < self.depth - 1:
            return (Line("setVectorDimension", (self.prefix, self.innermost, *sizes)),)
        return (Line("setRegisterTile", (self.prefix, self.innermost, *sizes)),) if sizes else ()

    def registers(self, rows: str, vectors: str) -> tuple[Line, ...]:
        """Returns the commands for this number of ROWS, unless these are vectors already."""
        if self.depth < 2 or rows == ROWS[0] or vectors.startswith(_OUTERMOST):
            return ()
        return (Line("setRegisterTile", (self.prefix, 0, int(rows))),)


def nests(steps: Sequence[FusionStep]) -> tuple[TunedNest, ...]:
    """Returns the nests of a sequence of steps."""
    nests_: list[TunedNest] = []
    for step in steps:
        if step.shared:
            last = nests_.pop()
            nests_.append(TunedNest(last.place, last.first, last.outermost, max(last.depth, len(step.loops))))
        else:
            nests_.append(TunedNest(len(nests_), step.operation, next(iter(step.cut), 0), len(step.loops)))
    return tuple(nests_)


def departure(mapping: ResolvedMapping, steps: Sequence[FusionStep]) -> str:
    """Returns the difference between the dates and tiles of a mapping and those of a sequence of steps; empty if there
    is none."""
    for step in steps:
        statement = _statement(mapping, step)
        if statement is not None and _loops(statement) != step.loops:
            return f"the loops of {step.operation} are {','.join(_loops(statement))}, not {','.join(step.loops)}"
    for before, step in pairwise(steps):
        one, other = _statement(mapping, before), _statement(mapping, step)
        if one is not None and other is not None and _shared_loops(one, other) != step.shared:
            return f"{before.operation} and {step.operation} share {_shared_loops(one, other)} loops, not {step.shared}"
    sizes = {band.prefix: band.sizes for band in mapping.bands if not band.registers}
    planned_sizes = {(nest,): levels for nest, levels in blocks(steps).items()}
    return "" if sizes == planned_sizes else f"the blocks of the nests are {sizes}, not {planned_sizes}"


def _statement(mapping: ResolvedMapping, step: FusionStep) -> Statement | None:
    """The statement of a step; None if the operation was dropped, as a copy."""
    own = [s for s in mapping.statements if s.variable == step.operation and s.role in (Role.VALUE, Role.BODY)]
    return own[0] if own else None


def _loops(statement: Statement) -> tuple[str, ...]:
    """The loops of a statement: dates alternate between places in the sequence and loops."""
    return tuple(date.names[0] for date in statement.dates[1::2] if date.names)


def _shared_loops(one: Statement, other: Statement) -> int:
    places = [a == b for a, b in zip(one.dates[::2], other.dates[::2], strict=True)]
    same = places.index(False) if False in places else len(places)
    return min(same, len(_loops(one)), len(_loops(other)))


# Threads do not pay for little work.
_OUTER, _PARALLEL, _SEQUENTIAL = "outer loops", "parallel", "sequential"
# For iterations that differ in work.
_CHUNKS = "parallel, in chunks"
# The sizes of blocks at each level, the outermost first: of the last cache, and of the first.
_BLOCKS = {"outer blocks": ("1024", "256", "4096", "16384"), "inner blocks": ("64", "16", "256")}
_UNCUT = "none"


@dataclass(frozen=True, slots=True, eq=False)
class KernelSpace(SearchSpace):
    """The space of a kernel. Its axes are: the loops of each operation that has several, its partition, the number of
    loops shared with the one before, the sizes of its blocks, its rows in registers, whether threads share outer
    loops, its vectors. `source` is the beginning of all its scripts."""

    operations: FusionOperations
    apply: Apply
    _legal: dict[tuple[FusionStep, ...], bool] = field(default_factory=dict, repr=False)

    @staticmethod
    def of(operations: FusionOperations, source: Source, apply: Apply, levels: int = len(_BLOCKS)) -> "KernelSpace":
        """Returns the space with this number of levels of blocks. Raises Unproved if not even the unfused sequence is
        proved."""
        apart = [FusionStep(name, operations.along_memory(name)) for name in operations.names]
        refusal = operations.refusal(apart, apply)
        if refusal:
            raise Unproved(refusal)
        legal: dict[tuple[FusionStep, ...], bool] = {}
        steps = _legal_steps(operations, [replace(step, shared=len(step.loops)) for step in apart], apply, legal)
        looped = [step for step in steps if step.loops]
        axes = [_loops_axis(step, operations) for step in steps if len(step.loops) > 1]
        axes += [_partition_axis(step, operations, levels) for step in looped]
        axes += [_shared_axis(before, step) for before, step in pairwise(steps)]
        axes += [axis for step in looped for axis in _block_axes(step, levels)]
        axes += [SearchAxis(_rows_of(step.operation), ROWS, (), is_fine=True) for step in looped if len(step.loops) > 1]
        chunks = (_CHUNKS,) if any(map(operations.is_uneven, operations.names)) else ()
        axes.append(SearchAxis(_OUTER, (*chunks, _PARALLEL, _SEQUENTIAL), (), is_fine=True))
        axes += [SearchAxis(_vectors_of(step.operation), VECTORS, (), is_rare=True, is_fine=True) for step in looped]
        return KernelSpace(source=source, axes=tuple(axes), operations=operations, apply=apply, _legal=legal)

    def steps(self, point: Point) -> tuple[FusionStep, ...]:
        """Returns the sequence of operations, as far as the request is legal."""
        return _legal_steps(self.operations, self._requested(point), self.apply, self._legal)

    def representative(self, point: Point) -> Point:
        """Returns the point that requests exactly the legal part; choices without effect have their usual values."""
        steps = self.steps(point)
        choices = {_partition_of(step.operation): _partition_text(step.partition) for step in steps}
        choices |= {_shared_loops_axis_name(before, step): str(step.shared) for before, step in pairwise(steps)}
        choices |= {
            name: str(cut.size) for step in steps for name, cut in zip(_levels_of(step), step.partition, strict=False)
        }
        idle = {name for step in steps for name in _levels_of(step)[len(step.partition) :]}
        idle |= {
            name for step in steps if step.shared for name in (_rows_of(step.operation), _vectors_of(step.operation))
        }
        return tuple(
            axis.usual if axis.name in idle else axis.alternatives.index(choices.get(axis.name, axis.alternatives[at]))
            for axis, at in zip(self.axes, point, strict=True)
        )

    def _requested(self, point: Point) -> tuple[FusionStep, ...]:
        chosen = self.chosen(point)
        steps_: list[FusionStep] = []
        for name in self.operations.names:
            step = FusionStep(name, self.operations.loops(name))
            loops = tuple(chosen[_loops_of(name)].split(",")) if len(step.loops) > 1 else step.loops
            shared = int(chosen[_shared_loops_axis_name(steps_[-1], step)]) if steps_ else 0
            steps_.append(FusionStep(name, loops, shared, _chosen_partition(step, chosen)))
        return tuple(steps_)

    def outlined(self, point: Point) -> ResolvedMapping:
        """Returns the dates and the blocks; the innermost loops are assumed to be vectorised."""
        steps, system = self.steps(point), self.operations.system
        design = self.operations.designed(self.operations.lines(steps), self.apply)
        plain = resolve(design, system)
        inner = [(nest.prefix, nest.innermost) for nest in nests(steps) if nest.depth]
        try:
            for nest_ in inner:
                design = self.apply(design, system, Line("setVectorDimension", nest_))
            return resolve(design, system)
        except Rejected:
            return plain

    def outline(self, point: Point) -> Hashable:
        """Returns the sequence of operations, its blocks, and the threads, without registers."""
        return self.steps(point)

    def departure(self, point: Point, mapping: ResolvedMapping) -> str:
        """Returns a difference in its loops, in fusion, or in blocks."""
        return departure(mapping, self.steps(point))

    def script_of(self, point: Point) -> str:
        """Returns the script: dates; threads and vectors if they are proved; the proposed memory mapping."""
        steps, chosen = self.steps(point), self.chosen(point)
        below = (tried for nest in nests(steps) for tried in self._below(nest, chosen))
        return script(self.source, self.operations.extended(self.operations.lines(steps), below, self.apply))

    def _below(self, nest: TunedNest, chosen: Mapping[str, str]) -> Iterator[Iterable[Lines]]:
        """Alternatives for a nest besides its dates: for each, the first proved lines are used, if any."""
        parallel, vectors = chosen[_OUTER] != _SEQUENTIAL, chosen.get(_vectors_of(nest.first), VECTORS[0])
        if parallel:
            in_chunks = chosen[_OUTER] == _CHUNKS and self.operations.is_uneven(nest.first)
            yield nest.threads(in_chunks=in_chunks)
        for tried in (
            nest.vectors(vectors, parallel=parallel),
            nest.registers(chosen.get(_rows_of(nest.first), ROWS[0]), vectors),
        ):
            yield ((line,) for line in tried)


# --- axes ---------------------------------------------------------------------------------------------------------


def _loops_of(operation: str) -> str:
    return f"loops of {operation}"


def _partition_of(operation: str) -> str:
    return f"partition of {operation}"


def _rows_of(operation: str) -> str:
    return f"rows of {operation} in registers"


def _vectors_of(operation: str) -> str:
    return f"vectors of {operation}"


def _levels_of(step: FusionStep) -> tuple[str, ...]:
    """The axes of the sizes of its blocks, level by level."""
    return tuple(f"{level} of {step.operation}" for level in _BLOCKS)


def _shared_loops_axis_name(before: FusionStep, step: FusionStep) -> str:
    return f"loops of {before.operation} and {step.operation}"


def _loops_axis(step: FusionStep, operations: FusionOperations) -> SearchAxis:
    orders = [",".join(order) for order in permutations(operations.loops(step.operation))]
    return SearchAxis(_loops_of(step.operation), tuple(orders), (), orders.index(",".join(step.loops)))


def _partition_axis(step: FusionStep, operations: FusionOperations, levels: int) -> SearchAxis:
    every = partitions(operations.loops(step.operation), levels)
    return SearchAxis(
        _partition_of(step.operation), tuple(",".join(item) or _UNCUT for item in every), (), is_rare=True
    )


def _partition_text(partition: Partition) -> str:
    return ",".join(cut.loop for cut in partition) or _UNCUT


def _chosen_partition(step: FusionStep, chosen: Mapping[str, str]) -> Partition:
    loops = chosen.get(_partition_of(step.operation), _UNCUT)
    if loops == _UNCUT:
        return ()
    return tuple(
        FusionCut(loop, int(chosen[size])) for loop, size in zip(loops.split(","), _levels_of(step), strict=False)
    )


def _block_axes(step: FusionStep, levels: int) -> Iterator[SearchAxis]:
    every = zip(_levels_of(step), _BLOCKS.values(), strict=True)
    return (SearchAxis(name, sizes, (), is_rare=True) for name, sizes in islice(every, levels))


def _shared_axis(before: FusionStep, step: FusionStep) -> SearchAxis:
    depths = range(min(len(before.loops), len(step.loops)) + 1)
    return SearchAxis(_shared_loops_axis_name(before, step), tuple(map(str, depths)), (), step.shared)


# --- as much as is legal ----------------------------------------------------------------------------------------------


def _legal_steps(
    operations: FusionOperations,
    requested: Sequence[FusionStep],
    apply: Apply,
    legal: dict[tuple[FusionStep, ...], bool],
) -> tuple[FusionStep, ...]:
    """Each operation shares as many of the requested loops with the one before as is legal, blocked like that one; the
    first of a nest is blocked at as many of the requested levels as is legal. Later operations do not matter;
    `legal` caches results for sequences."""
    steps: list[FusionStep] = []
    for position, step in enumerate(requested):
        apart = [replace(other, shared=0, partition=()) for other in requested[position + 1 :]]
        tried = (*_steps_beside(operations, steps, step), *_alone(step))
        steps.append(
            next(candidate for candidate in tried if _is_legal(operations, [*steps, candidate], apart, apply, legal))
        )
    return tuple(steps)


def _steps_beside(operations: FusionOperations, steps: Sequence[FusionStep], step: FusionStep) -> Iterator[FusionStep]:
    """The step in the nest of the step before, at the requested depth, then less."""
    if steps:
        most = min(step.shared, operations.alike(steps[-1], step))
        candidates = (step.beside(steps[-1], depth) for depth in range(most, 0, -1))
        yield from (step_ for step_ in candidates if step_ is not None)


def _alone(step: FusionStep) -> Iterator[FusionStep]:
    """The step at the beginning of a nest, blocked as requested, then at fewer levels."""
    for levels in range(len(step.partition), -1, -1):
        yield replace(step, shared=0, partition=step.partition[:levels])


def _is_legal(
    operations: FusionOperations,
    steps: list[FusionStep],
    apart: list[FusionStep],
    apply: Apply,
    legal: dict[tuple[FusionStep, ...], bool],
) -> bool:
    if not steps[-1].shared and not steps[-1].partition:
        return True
    key = tuple(steps)
    if key not in legal:
        legal[key] = not operations.refusal([*steps, *apart], apply)
    return legal[key]
