"""The space of a kernel: which operations share loops, in which order the loops stand, how many rows are in registers.

A point is a wish: each operation shares as many loops with the one before as it wishes and as is legal, from the first
to the last, so that every point is a legal nest of sets of operations. It begins where everything is wished.
Source: Belter, Efficient Generation of Sequences of Dense Linear Algebra through Auto-Tuning (2012), 5.4, where greedy
maximal fusion begins the search, and the encoding has to make most points legal.
"""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise, permutations

from alphaz.diagnostics import Source
from alphaz.mapping.design import Design
from alphaz.mapping.resolved import ResolvedMapping
from alphaz.mapping.statements import resolve
from alphaz.schedule.accesses import reads_of, written
from alphaz.schedule.line import Apply, Line
from alphaz.schedule.proving import proved
from alphaz.tuning.conformance import departure
from alphaz.tuning.fusion import Loops, Operations, Step
from alphaz.tuning.space import Axis, Point, Space, Unproved

_REGISTERS, _ROWS = "rows in registers", ("1", "4", "8")
# Threads cost more than they bring where there is little to do.
_OUTER, _PARALLEL, _SEQUENTIAL = "outer loops", "parallel", "sequential"
_LAST = 2


@dataclass(frozen=True, slots=True, eq=False)
class KernelSpace(Space):
    """Its axes are, in this order: the loops of each operation that has several, what each shares with the one before,
    the rows in registers, whether threads share outer loops (the last `_LAST`). `source` is the beginning of all
    its scripts.
    """

    operations: Operations
    apply: Apply
    _legal: dict[tuple[Step, ...], bool] = field(default_factory=dict, repr=False)

    @staticmethod
    def of(operations: Operations, source: Source, apply: Apply) -> "KernelSpace":
        """Raises Unproved where not even the operations one after the other are proved."""
        apart = [Step(name, _along_memory(operations, name)) for name in operations.names]
        refusal = operations.refusal(apart, apply)
        if refusal:
            raise Unproved(refusal)
        legal: dict[tuple[Step, ...], bool] = {}
        steps = _granted(operations, [replace(step, shared=len(step.loops)) for step in apart], apply, legal)
        axes = [_loops_axis(step, operations) for step in steps if len(step.loops) > 1]
        for before, step in pairwise(steps):
            depths = range(min(len(before.loops), len(step.loops)) + 1)
            name = f"loops of {before.operation} and {step.operation}"
            axes.append(Axis(name, tuple(map(str, depths)), (), step.shared))
        rows = _ROWS if any(len(step.loops) > 1 for step in steps) else _ROWS[:1]
        axes += [Axis(_REGISTERS, rows, ()), Axis(_OUTER, (_PARALLEL, _SEQUENTIAL), ())]
        return KernelSpace(source=source, axes=tuple(axes), operations=operations, apply=apply, _legal=legal)

    def steps(self, point: Point) -> tuple[Step, ...]:
        """The sequence of operations, as far as the wish is granted."""
        return _granted(self.operations, self._wished(point), self.apply, self._legal)

    def settled(self, point: Point) -> Point:
        """The point that wishes what is granted."""
        first = len(point) - _LAST - (len(self.operations.names) - 1)
        shared = (step.shared for step in self.steps(point)[1:])
        return (*point[:first], *shared, *point[-_LAST:])

    def _wished(self, point: Point) -> tuple[Step, ...]:
        values = iter(self.chosen(point).values())
        loops: dict[str, Loops] = {}
        for name in self.operations.names:
            own = self.operations.loops(name)
            loops[name] = tuple(next(values).split(",")) if len(own) > 1 else own
        first, *others = self.operations.names
        return (Step(first, loops[first]), *(Step(name, loops[name], int(next(values))) for name in others))

    def outlined(self, point: Point) -> ResolvedMapping:
        """The dates alone."""
        return resolve(self._require(self.operations.lines(self.steps(point))), self.operations.system)

    def outline(self, point: Point) -> Hashable:
        """The sequence of operations, whatever is in registers, and what the threads do."""
        return self.steps(point)

    def departure(self, point: Point, mapping: ResolvedMapping) -> str:
        """In its loops, or in what shares them."""
        return departure(mapping, self.steps(point))

    def written(self, point: Point) -> str:
        """The script: dates, threads and vectors where they are proved, memory as it is proposed."""
        chosen = self.chosen(point)
        lines = tuple(self._lines(self.steps(point), int(chosen[_REGISTERS]), chosen[_OUTER] == _PARALLEL))
        ends = 'VerifyTargetMapping(prog, system, "MIN");\ngenerateScheduledCode(prog, system);\n'
        return self.source.text + "".join(f"{line}\n" for line in lines) + "\n" + ends

    def _lines(self, steps: Sequence[Step], rows: int, parallel: bool) -> Iterator[Line]:
        kept = list(self.operations.lines(steps))
        self._require(kept)
        for place, deepest in enumerate(_nests(steps)):
            nest = str(place)
            shared = (Line("setParallel", (nest, 0)), Line("setReductionDimension", (nest, 0))) if parallel else ()
            for line in shared:
                if self._holds([*kept, line]):
                    kept.append(line)
                    break
            for line in _inner(nest, deepest, rows, parallel):
                if self._holds([*kept, line]):
                    kept.append(line)
        return iter([*kept, Line("setProposedMemory")])

    def _require(self, lines: Sequence[Line]) -> Design:
        """The design with these lines. Raises Unproved."""
        design, report = proved(self.operations.design, self.operations.system, lines, self.apply)
        if not report.is_proved:
            found = [each for each in report.findings if each.is_error]
            raise Unproved(f"{found[0].rule.code}: {found[0].message}" if found else "undecided")
        return design

    def _holds(self, lines: Sequence[Line]) -> bool:
        try:
            self._require(lines)
        except Unproved:
            return False
        return True


def _inner(nest: str, deepest: int, rows: int, parallel: bool) -> Iterator[Line]:
    """The innermost of several loops goes along vectors, the outermost in pieces that are in registers; of a single
    loop that threads share, each of them has vectors anyway.
    """
    if deepest > 1 or not parallel:
        yield Line("setVectorDimension", (nest, 2 * (deepest - 1)))
    if deepest > 1 and rows > 1:
        yield Line("setRegisterTile", (nest, 0, rows))


def _nests(steps: Sequence[Step]) -> list[int]:
    """How deep each nest is."""
    found: list[int] = []
    for step in steps:
        if step.shared:
            found[-1] = max(found[-1], len(step.loops))
        else:
            found.append(len(step.loops))
    return found


def _loops_axis(step: Step, operations: Operations) -> Axis:
    orders = [",".join(order) for order in permutations(operations.loops(step.operation))]
    return Axis(f"loops of {step.operation}", tuple(orders), (), orders.index(",".join(step.loops)))


# --- as much as is legal ----------------------------------------------------------------------------------------------


def _granted(
    operations: Operations, wished: Sequence[Step], apply: Apply, legal: dict[tuple[Step, ...], bool]
) -> tuple[Step, ...]:
    """Each operation shares as many loops with the one before as it wishes and as is legal, whatever comes behind;
    `legal` is what is known of sequences, and is added to.
    """
    steps = list(wished[:1])
    for at, step in enumerate(wished[1:], 1):
        apart = [replace(other, shared=0) for other in wished[at + 1 :]]
        most = min(step.shared, operations.alike(steps[-1], step))
        depths = range(most, 0, -1)
        tried = (replace(step, shared=depth) for depth in depths)
        steps.append(next((each for each in tried if _is_legal(operations, [*steps, each], apart, apply, legal)),
                          replace(step, shared=0)))  # fmt: skip
    return tuple(steps)


def _is_legal(
    operations: Operations, steps: list[Step], apart: list[Step], apply: Apply, legal: dict[tuple[Step, ...], bool]
) -> bool:
    key = tuple(steps)
    if key not in legal:
        legal[key] = not operations.refusal([*steps, *apart], apply)
    return legal[key]


def _along_memory(operations: Operations, name: str) -> Loops:
    """The loop that goes along most rows in memory is the innermost."""
    loops, problem = operations.loops(name), operations.problem
    accesses = [written(problem.statements[name]), *reads_of(problem, name)]
    large = max(len(access.indices) for access in accesses)
    along = [access.last for access in accesses if len(access.indices) == large]
    return tuple(sorted(loops, key=lambda loop: sum(bool(last.coefficient(loop)) for last in along)))
