"""Loop fusion in a kernel: a sequence of operations, each with an order of its loops, the number of outer loops that it
shares with the operation before, and the loops that are blocked. The verifier decides the legality of the resulting
dates and tiles.

Source: Belter, Efficient Generation of Sequences of Dense Linear Algebra through Auto-Tuning (2012), 3.2.5 and appendix
B, where legality is a hypothesis about types; here it is proved for the dates. Partitions: chapter 5."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import permutations, product

from alphaz.diagnostics import Source
from alphaz.mapping.design import Design
from alphaz.mapping.target_mapping import WHOLE
from alphaz.poly import Affine, AffineFunction, Domain
from alphaz.search.schedule.problem import Problem, problem_of
from alphaz.search.schedule.script_lines import Apply, Line
from alphaz.search.schedule.statement_accesses import reads_of, written_access
from alphaz.search.schedule.strategy import prove_lines
from alphaz.tuning.space import Unproved

Loops = tuple[str, ...]
Lines = tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class FusionCut:
    """A blocked loop with the size of its blocks."""

    loop: str
    size: int

    def __str__(self) -> str:
        return f"{self.loop} by {self.size}"


Partition = tuple[FusionCut, ...]


@dataclass(frozen=True, slots=True)
class FusionStep:
    """An operation in a sequence: its loops, the outermost first, of which the first `shared` are those of the step
    before it. `partition`: the loop that is blocked at each level, the outermost first, and the sizes; the loops
    over blocks are around all others, in that order. Steps that share loops are blocked in the same way."""

    operation: str
    loops: Loops
    shared: int = 0
    partition: Partition = ()

    @property
    def cut(self) -> tuple[int, ...]:
        """Returns the places of the blocked loops."""
        return tuple(self.loops.index(cut.loop) for cut in self.partition)

    def beside(self, before: "FusionStep", shared: int) -> "FusionStep | None":
        """Returns the step in the nest of the one before, blocked in the same way; None if it has no such loops."""
        if max(before.cut, default=-1) >= len(self.loops):
            return None
        alike = tuple(FusionCut(self.loops[at], cut.size) for at, cut in zip(before.cut, before.partition, strict=True))
        return replace(self, shared=shared, partition=alike)


def partitions(loops: Loops, levels: int) -> Iterator[Loops]:
    """Yields all ways to block loops at up to `levels` levels, none first: of a matrix-vector product, rows or
    columns."""
    for depth in range(levels + 1):
        yield from product(loops, repeat=depth)


def blocks(steps: Sequence[FusionStep]) -> dict[int, tuple[tuple[int, ...], ...]]:
    """Returns for each blocked nest, by its place in the sequence, the sizes of the band of tiles over its dates, from
    the outermost loop to the innermost blocked one, level by level. A level blocks one loop and leaves the others
    whole."""
    firsts = [step for step in steps if not step.shared]
    return {
        nest: tuple(
            tuple(cut.size if position == 2 * place else WHOLE for position in range(2 * max(step.cut) + 1))
            for place, cut in zip(step.cut, step.partition, strict=True)
        )
        for nest, step in enumerate(firsts)
        if step.cut
    }


@dataclass(frozen=True, slots=True, eq=False)
class FusionOperations:
    """The operations of a system, in a legal order."""

    design: Design
    problem: Problem
    names: tuple[str, ...]

    @staticmethod
    def of(design: Design, system: str) -> "FusionOperations":
        """Returns one operation for each equation; reductions have equations of their own. Raises Unproved where some
        depend on each other."""
        problem = problem_of(design, system)
        names: list[str] = []
        for name in problem.statements:
            _append(name, problem, names)
        return FusionOperations(design, problem, tuple(names))

    @property
    def system(self) -> str:
        return self.problem.system.name

    def loops(self, name: str) -> Loops:
        return self.problem.statements[name].domain.space.names

    def results(self, name: str) -> Loops:
        """Returns the indices of the result of an operation."""
        return self.problem.system.variable(name).domain.space.names

    def along_memory(self, name: str) -> Loops:
        """Returns its loops; the loop with unit stride in most accesses is the innermost."""
        accesses = [written_access(self.problem.statements[name]), *reads_of(self.problem, name)]
        large = max(len(access.indices) for access in accesses)
        along = [access.last for access in accesses if len(access.indices) == large]
        return tuple(sorted(self.loops(name), key=lambda loop: sum(bool(last.coefficient(loop)) for last in along)))

    def is_uneven(self, name: str) -> bool:
        """Returns True if iterations of a loop differ in work: the domain is not a box."""
        pieces, loops = self.problem.statements[name].domain.pieces(), set(self.loops(name))
        return any(len(loops & set(limit.affine.names)) > 1 for piece in pieces for limit in piece.constraints)

    def needs(self, name: str) -> frozenset[str]:
        """Returns the transitive dependences of an operation."""
        names: list[str] = []
        _append(name, self.problem, names)
        return frozenset(names) - {name}

    def alike(self, one: FusionStep, other: FusionStep) -> int:
        """Returns the number of outer loops of two steps that run over the same values, where both have operations, or
        one over a subset of those of the other: the rows of a band are a subset of those of a vector."""
        ranges = ([self._range(step.operation, loop) for loop in step.loops] for step in (one, other))
        for count, (a, b) in enumerate(zip(*ranges, strict=False)):
            one_of, other_of = a.in_context(b.parameters()), b.in_context(a.parameters())
            if not (one_of.is_subset(other_of) or other_of.is_subset(one_of)):
                return count
        return min(len(one.loops), len(other.loops))

    def _range(self, name: str, loop: str) -> Domain:
        domain = self.problem.statements[name].domain
        return domain.image(AffineFunction(domain.space, (Affine.name(loop),)), ("value",))

    def lines(self, steps: Sequence[FusionStep]) -> tuple[Line, ...]:
        """Returns the commands: space-time maps that alternate places in the sequence and loops; a band for each
        blocked nest."""
        deepest = max(len(step.loops) for step in steps)
        places, lines_ = [-1] + [0] * deepest, []
        for step in steps:
            places = [*places[: step.shared], places[step.shared] + 1, *[0] * (deepest - step.shared)]
            loops = [*step.loops, *["0"] * (deepest - len(step.loops))]
            date = [str(places[0]), *(text for pair in zip(loops, places[1:], strict=True) for text in map(str, pair))]
            function = f"({','.join(self.loops(step.operation))} -> {','.join(date)})"
            lines_.append(Line("setSpaceTimeMap", (step.operation, function)))
        return (
            *lines_,
            Line("setOrderingDimensions", ("0",)),
            *(_band(nest, levels) for nest, levels in blocks(steps).items()),
        )

    def designed(self, lines: Iterable[Line], apply: Apply) -> Design:
        """Returns the design with these lines. Raises Unproved."""
        design, report = prove_lines(self.design, self.system, lines, apply)
        if not report.is_proved:
            errors = [finding for finding in report.findings if finding.is_error]
            raise Unproved(f"{errors[0].rule.code}: {errors[0].message}" if errors else "undecided")
        return design

    def extended(self, lines: Iterable[Line], below: Iterable[Iterable[Lines]], apply: Apply) -> list[Line]:
        """Returns the lines, with the first proved alternative of each element of `below`, if any. Raises Unproved."""
        new_lines = list(lines)
        self.designed(new_lines, apply)
        for tried in below:
            new_lines += next((more for more in tried if self._holds([*new_lines, *more], apply)), ())
        return new_lines

    def _holds(self, lines: Iterable[Line], apply: Apply) -> bool:
        try:
            self.designed(lines, apply)
        except Unproved:
            return False
        return True

    def refusal(self, steps: Sequence[FusionStep], apply: Apply) -> str:
        """Returns the reason why the order is not legal; empty if it is proved."""
        _, report = prove_lines(self.design, self.system, self.lines(steps), apply)
        if report.is_proved:
            return ""
        errors = [finding for finding in report.findings if finding.is_error]
        return f"{errors[0].rule.code}, {errors[0].message}" if errors else "undecided"


def script(beginning: Source, lines: Iterable[Line]) -> str:
    """Returns the script with the proposed memory mapping, verification and code generation."""
    every = (*lines, Line("setProposedMemory"))
    ends = 'VerifyTargetMapping(prog, system, "MIN");\ngenerateScheduledCode(prog, system);\n'
    return beginning.text + "".join(f"{line}\n" for line in every) + "\n" + ends


def _band(nest: int, levels: Sequence[Sequence[int]]) -> Line:
    sizes = "; ".join(",".join(map(str, level)) for level in levels)
    return Line("setBandForTiling", (f"blocks{nest}", str(nest), 0, len(levels[0]) - 1, sizes))


def _append(name: str, problem: Problem, names: list[str], waiting: tuple[str, ...] = ()) -> None:
    """Appends the operation after all that it depends on. Raises Unproved for operations that depend on each other."""
    if name in waiting:
        cycle = " and ".join(f"`{operation}`" for operation in waiting[waiting.index(name) :])
        raise Unproved(f"{cycle} depend on each other: neither can come first")
    for edge in problem.flow:
        if edge.target == name and edge.source != name and edge.source not in names:
            _append(edge.source, problem, names, (*waiting, name))
    if name not in names:
        names.append(name)


# --- pairs --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SharedOperations:
    """Two operations in common loops: `one` and `other` share their outer `shared` ones. `refusal`: the reason if they
    cannot."""

    one: FusionStep
    other: FusionStep
    refusal: str

    def __str__(self) -> str:
        """`t1 and y share 1 loop (t1: i; y: j): legal`."""
        depth = self.other.shared
        loops = "; ".join(f"{step.operation}: {','.join(step.loops[:depth])}" for step in (self.one, self.other))
        several = f"{depth} loop{'' if depth == 1 else 's'}"
        verdict = f"refused, {self.refusal}" if self.refusal else "legal"
        return f"{self.one.operation} and {self.other.operation} share {several} ({loops}): {verdict}"

    def document(self) -> dict[str, object]:
        """Returns plain values, as JSON has them."""
        depth = self.other.shared
        loops = {step.operation: list(step.loops[:depth]) for step in (self.one, self.other)}
        return {"depth": depth, "loops": loops, "legal": not self.refusal, "reason": self.refusal}


def pairs(operations: FusionOperations, apply: Apply) -> Iterator[SharedOperations]:
    """Yields every two operations, every order of loops that run over the same values, every depth."""
    for position, first in enumerate(operations.names):
        for second in operations.names[position + 1 :]:
            yield from _pair(operations, first, second, apply)


def _pair(operations: FusionOperations, first: str, second: str, apply: Apply) -> Iterator[SharedOperations]:
    for step in _steps(operations, first):
        for other in _steps(operations, second):
            for depth in range(1, operations.alike(step, other) + 1):
                if _is_first(step, other, depth):
                    yield SharedOperations(
                        step, replace(other, shared=depth), _refusal(operations, step, other, depth, apply)
                    )


def _steps(operations: FusionOperations, name: str) -> Iterator[FusionStep]:
    return (FusionStep(name, order) for order in permutations(operations.loops(name)))


def _is_first(one: FusionStep, other: FusionStep, depth: int) -> bool:
    """Returns True for one of several orders that differ only in loops which are not shared."""
    return all(list(step.loops[depth:]) == sorted(step.loops[depth:]) for step in (one, other))


def _refusal(operations: FusionOperations, one: FusionStep, other: FusionStep, depth: int, apply: Apply) -> str:
    """The reason why two operations cannot share loops. The operations between them are put in the same loops, if they
    have them; all others come before or after."""
    after, before = one.operation, operations.needs(other.operation)
    between = [name for name in operations.names if name in before and after in operations.needs(name)]
    inside: list[FusionStep] = []
    for name in between:
        fitting = next((s for s in _steps(operations, name) if operations.alike(s, other) >= depth), None)
        if fitting is None:
            return f"{name} lies between the two, and has no such loops"
        inside.append(replace(fitting, shared=depth))
    together = {one.operation, *between, other.operation}
    needed = operations.needs(one.operation) | before
    rest = [FusionStep(name, operations.loops(name)) for name in operations.names if name not in together]
    earlier = [step for step in rest if step.operation in needed]
    later = [step for step in rest if step.operation not in needed]
    nest = [one, *inside, replace(other, shared=depth)]
    return operations.refusal([*earlier, *nest, *later], apply)
