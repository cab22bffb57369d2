"""The search for a mapping for a GPU: candidates are proved, and compared by a model of their generated code."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from alphaz.diagnostics import Diagnostic, Label, Rejected
from alphaz.diagnostics.rules import NO_SCHEDULE
from alphaz.legality.verdicts import DesignVerdict
from alphaz.machine import GPUS, Gpu
from alphaz.mapping.design import Design
from alphaz.poly import Affine
from alphaz.search.cost.gpu_cost import GpuCost
from alphaz.search.memory.set_sizes import SetSizes
from alphaz.search.schedule.attempts import EngineFailure, attempts
from alphaz.search.schedule.dates import Dates, dates_of
from alphaz.search.schedule.gpu.candidates import GpuChoice, choices, kind_lines, starts_of, with_lines_last
from alphaz.search.schedule.nests import split_rows_by_phase
from alphaz.search.schedule.problem import Problem
from alphaz.search.schedule.propose import Attempt, Proposal, propose
from alphaz.search.schedule.request import NONE, Goal, ScheduleRequest
from alphaz.search.schedule.script_lines import Apply, Line, lines_of
from alphaz.search.schedule.strategy import MOST, PROPOSED, expanded_lines, verdict_after

# A choice counts only if it saves more than this part of the time.
_GAIN = 0.97
# Choices for a nest that are tried after the best one.
_MISSES = 2


@dataclass(frozen=True, slots=True)
class GpuRequest:
    """The GPU, and the sizes for which a mapping is to be fast; parameters without a size are 1000.

    `estimates` returns the cost of the code of a proved mapping at sizes, None where its text has no model, and raises
    Rejected for a mapping without code. `proves` returns whether the text is proved, and the verdict in words, and
    raises Rejected where it is wrong. `progress` gets a line for each mapping, of which at most `trials` are tried.
    """

    gpu: Gpu = GPUS["h100"]
    target: str = "cuda"
    sizes: Mapping[str, int] = field(default_factory=dict)
    trials: int = 32
    estimates: Callable[[DesignVerdict, Mapping[str, int]], GpuCost | None] = lambda verdict, sizes: None
    proves: Callable[[DesignVerdict], tuple[bool, str]] = lambda verdict: (False, "not tried")
    progress: Callable[[str], None] = lambda line: None


@dataclass(frozen=True, slots=True, eq=False)
class _Mapped:
    """A proved mapping with code; `cost` is None where the text has no model."""

    dates: Dates
    lines: tuple[Line, ...]
    verdict: DesignVerdict
    cost: GpuCost | None

    @property
    def design(self) -> Design:
        return self.verdict.design

    @property
    def seconds(self) -> float:
        return float("inf") if self.cost is None else self.cost.seconds


def propose_gpu(
    design: Design, system: str, schedule_request: ScheduleRequest, gpu_request: GpuRequest, apply: Apply
) -> Proposal:
    """Returns the fastest mapping for the GPU that is found, proved, and has code.

    Raises Rejected (AZ511) if there is none."""
    plain = propose(design, system, replace(schedule_request, strategy=NONE), apply)
    search = _Search(plain, schedule_request, gpu_request, apply)
    try:
        return search.proposal()
    finally:
        gpu_request.progress("")


@dataclass(slots=True, eq=False)
class _Search:
    plain: Proposal
    schedule_request: ScheduleRequest
    request: GpuRequest
    apply: Apply
    tried: list[Attempt] = field(default_factory=list)
    number: int = 0

    @property
    def problem(self) -> Problem:
        return self.plain.problem

    def proposal(self) -> Proposal:
        best = self._with_memory(self._base())
        for nest, options in choices(self.problem, best.dates):
            best = self._chosen(best, nest, options)
        best = self._with_memory(best)
        self.request.progress("proving the text of the kernels")
        is_proved, verdict = self.request.proves(best.verdict)
        self.tried.append(Attempt("the text of the kernels", verdict))
        return replace(
            self.plain,
            design=best.design,
            dates=best.dates,
            lines=self._commented(best),
            attempts=tuple(self.tried),
            report=best.verdict.first,
            unproved_text="" if is_proved else f"the text of the kernels is {verdict}",
        )

    # --- dates --------------------------------------------------------------------------------------------------------

    def _base(self) -> _Mapped:
        """Returns the fastest of the dates, whose parallel loops blocks and threads share. Raises Rejected."""
        mappings: list[_Mapped] = []
        for words, dates in self._bases():
            starts = starts_of(self.problem, dates)
            mapped = self._dated(f"{words}, sums of products start first", dates, starts) if starts else None
            mapped = mapped or self._dated(words, dates, {})
            if mapped is not None:
                mappings.append(mapped)
        if not mappings:
            raise Rejected(self._none())
        return min(mappings, key=lambda one: one.seconds)

    def _dated(self, words: str, dates: Dates, starts: Mapping[str, tuple[Affine, ...]]) -> _Mapped | None:
        """Returns the mapping with these dates."""
        lines = (*lines_of(self.problem, dates, threads=False, starts=starts), *kind_lines(dates))
        target = Line("setTarget", (self.request.target, self.request.gpu.architecture))
        return self._tried(words, dates, self.plain.undated, (*lines, target))

    def _bases(self) -> Iterator[tuple[str, Dates]]:
        """Yields schedules in words: one for parallel loops, and the one of the request."""
        known: list[object] = []
        for words, dates in self._schedules():
            for more, laid in (
                (f"{words}, x along lines of memory", with_lines_last(self.problem, dates)),
                (f"{words}, in phases", with_lines_last(self.problem, split_rows_by_phase(self.problem, dates))),
            ):
                key = {name: tuple(c.value for c in components) for name, components in laid.items()}
                if key not in known:
                    known.append(key)
                    yield more, laid

    def _schedules(self) -> Iterator[tuple[str, Dates]]:
        for words, find in attempts(replace(self.schedule_request, goal=Goal.PARALLEL, strategy=NONE)):
            try:
                yield words, dates_of(self.problem, find(self.problem))
            except EngineFailure as reason:
                self.tried.append(Attempt(words, str(reason)))
                continue
            break
        yield f"goal {self.schedule_request.goal}", self.plain.dates

    # --- nests --------------------------------------------------------------------------------------------------------

    def _chosen(self, best: _Mapped, nest: str, options: Iterable[GpuChoice]) -> _Mapped:
        """Returns the mapping with the fastest of the choices for a nest, as far as they are tried: the first one that
        takes no longer, then faster ones, until several in a row are none, or the budget of mappings is used up.
        """
        start, misses = best, 0
        for choice in options:
            if self.number >= self.request.trials:
                self.tried.append(Attempt(f"{nest}: {choice.words}", f"left out after {self.number} mappings"))
                break
            first, *rest = choice.lines
            lines = (replace(first, comment=f"{nest}: {choice.words}"), *rest)
            mapped = self._tried(f"{nest}: {choice.words}", start.dates, start.design, lines, start.lines)
            if mapped is not None and _is_better(mapped, best, is_first=best is start):
                best, misses = mapped, 0
            elif best is not start and (misses := misses + 1) == _MISSES:
                break
        return best

    def _with_memory(self, best: _Mapped) -> _Mapped:
        """Returns the mapping with less memory, if that is proved, has code, and takes no longer."""
        mapping = best.design.mapping(self.plain.system)
        locals_ = best.design.system(self.plain.system).locals
        free = [local for local in locals_ if mapping.memory_of(local.name) is None]
        if not 0 < len(free) <= MOST:
            return best
        mapped = self._tried("less memory", best.dates, best.design, (PROPOSED,), best.lines)
        if mapped is None or mapped.seconds > best.seconds * (2 - _GAIN):
            return best
        return mapped

    # --- one mapping --------------------------------------------------------------------------------------------------

    def _tried(
        self, words: str, dates: Dates, design: Design, lines: Sequence[Line], before: tuple[Line, ...] = ()
    ) -> _Mapped | None:
        """Returns the mapping after these lines; None if it is not proved, or has no code."""
        system = self.plain.system
        self.number += 1
        self.request.progress(words)
        try:
            verdict = verdict_after(design, system, lines, self.apply)
            if not verdict.is_proved:
                self.tried.append(Attempt(words, "not proved"))
                return None
            cost = self.request.estimates(verdict, self._sizes())
        except Rejected as reason:
            self.tried.append(Attempt(words, reason.diagnostics[0].message))
            return None
        self.tried.append(Attempt(words, f"proved, {_time(cost)}"))
        expanded = tuple(one for line in lines for one in expanded_lines(design, verdict.design, system, line))
        return _Mapped(dates, (*before, *expanded), verdict, cost)

    def _sizes(self) -> Mapping[str, int]:
        return SetSizes.of(self.problem.system, self.request.sizes).samples[-1]

    def _commented(self, best: _Mapped) -> tuple[Line, ...]:
        """Returns the lines, with the time above the first one."""
        first, *rest = best.lines
        comment = "" if best.cost is None else f"{_time(best.cost)} on {self.request.gpu.name} by the model"
        return (replace(first, comment=comment), *rest)

    def _none(self) -> Diagnostic:
        message = f"no mapping of {self.problem.system.name} for the target {self.request.target} was found"
        notes = tuple(f"{attempt.tried}: {attempt.outcome}" for attempt in self.tried)
        remedy = "inline called systems, or write the mapping by hand: setBlockDimensions and setThreadDimensions"
        return Diagnostic(NO_SCHEDULE, message, Label(self.problem.system.span), notes=notes, help=remedy)


def _is_better(mapped: _Mapped, best: _Mapped, *, is_first: bool) -> bool:
    """Returns True for the first choice that takes hardly longer, and for others that are faster."""
    return mapped.seconds <= best.seconds * (2 - _GAIN) if is_first else mapped.seconds < best.seconds * _GAIN


def _time(cost: GpuCost | None) -> str:
    if cost is None:
        return "unknown time"
    longest = max(cost.kernels, key=lambda kernel: kernel.seconds)
    return f"{1000 * cost.seconds:.3g} ms, most by {longest.limit}"
