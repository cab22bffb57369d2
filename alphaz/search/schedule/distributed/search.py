"""The search for a distributed mapping: candidates are proved, and compared by a model of the network."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile
from math import inf

from alphaz.diagnostics import Diagnostic, Label, Rejected
from alphaz.diagnostics.rules import NO_SCHEDULE
from alphaz.legality.obligations.rank_communication import ranks_of
from alphaz.legality.verdicts import SystemVerdict
from alphaz.machine import Network
from alphaz.mapping.design import Design
from alphaz.mapping.resolved_mapping import ResolvedMapping
from alphaz.mapping.statement import Role
from alphaz.mapping.target_mapping import Ownership
from alphaz.order.operation_table import operations
from alphaz.search.cost.rank_time import RankTime, rank_time
from alphaz.search.memory.set_sizes import SetSizes
from alphaz.search.schedule.attempts import EngineFailure, attempts
from alphaz.search.schedule.dates import Component, Dates, dates_of, with_kinds
from alphaz.search.schedule.distributed.candidates import RankCandidate, candidates, grids
from alphaz.search.schedule.distributed.placement import reversed_seeds, seeds
from alphaz.search.schedule.distributed.rank_memory import ghosts, rows
from alphaz.search.schedule.problem import Problem
from alphaz.search.schedule.propose import Attempt, Proposal, propose
from alphaz.search.schedule.request import NONE, Goal, ScheduleRequest
from alphaz.search.schedule.script_lines import Apply, Line
from alphaz.search.schedule.strategy import Applied, apply_tactic, prove_lines

# Sizes of tiles that are steps.
_TILES = (8, 32, 128)
# Times within this factor of the least one are taken as equal.
_SAME = 1.02
# Code for places that are dealt out is slower by this factor.
_DEALT_OUT = 1.05
# Most mappings of a kind that are refined, and for which code is tried.
_REFINED, _FINISHED = 4, 6
# Most attempts that are shown.
_SHOWN = 12
_STATEMENTS = (Role.VALUE, Role.BODY)


@dataclass(frozen=True, slots=True)
class RankRequest:
    """The ranks, the network and the sizes for which a mapping is to be fast; parameters without a size are 1000.

    `generates` raises Rejected for a mapping without code. `progress` gets a line for each mapping.
    """

    ranks: int
    network: Network
    target: str = "mpi"
    sizes: Mapping[str, int] = field(default_factory=dict)
    generates: Callable[[Design, str], object] = lambda design, system: None
    progress: Callable[[str], None] = lambda line: None


@dataclass(frozen=True, slots=True, eq=False)
class _Found:
    """A proved candidate, with its estimated time."""

    candidate: RankCandidate
    lines: tuple[Line, ...]
    design: Design
    report: SystemVerdict
    time: RankTime | None

    @property
    def seconds(self) -> float:
        return inf if self.time is None else self.time.seconds

    @property
    def computing(self) -> float:
        """Returns the seconds without messages, which tiles do not change."""
        return inf if self.time is None else self.time.computing

    @property
    def mapping(self) -> ResolvedMapping:
        assert self.report.mapping is not None
        return self.report.mapping


def propose_ranks(
    design: Design, system: str, schedule_request: ScheduleRequest, rank_request: RankRequest, apply: Apply
) -> Proposal:
    """Returns the fastest distributed mapping that is found, proved, and has code.

    Raises Rejected (AZ511) if there is none."""
    plain = propose(design, system, replace(schedule_request, strategy=NONE), apply)
    search = _Search(plain, schedule_request, rank_request, apply)
    try:
        ordered = _ordered(search.found())
    finally:
        rank_request.progress("")
    tried = list(search.attempts(ordered))
    for one in ordered[:_FINISHED]:
        try:
            return search.finished(one, tried)
        except Rejected as reason:
            tried.append(Attempt(str(one.candidate), reason.diagnostics[0].message))
    raise Rejected(_none(plain.problem, [f"{attempt.tried}: {attempt.outcome}" for attempt in tried]))


def _none(problem: Problem, tried: Sequence[str]) -> Diagnostic:
    message = f"no distributed mapping of {problem.system.name} was found"
    notes = tuple(tried) or ("no dates, places and steps that were tried are legal",)
    remedy = "distribute another formulation of the program, or write setDistributed by hand"
    return Diagnostic(NO_SCHEDULE, message, Label(problem.system.span), notes=notes[-_SHOWN:], help=remedy)


@dataclass(slots=True, eq=False)
class _Search:
    plain: Proposal
    schedule_request: ScheduleRequest
    rank_request: RankRequest
    apply: Apply
    refuted: int = 0
    proved: int = 0

    @property
    def problem(self) -> Problem:
        return self.plain.problem

    @property
    def system(self) -> str:
        return self.plain.system

    def found(self) -> list[_Found]:
        """Returns the proved candidates: blocks, then tiles of their steps, and cyclic places where these may help."""
        self._check_statements()
        bases = self._bases()
        for places in (seeds, reversed_seeds):
            single = self._all_proved(candidates(self.problem, bases, list(places(self.problem, self.plain.dates))))
            if single:
                exchanges = [one.candidate for one in single if not _is_pipeline(one)]
                return self._with_refined([*single, *self._all_proved(grids(self.problem, exchanges))])
        return []

    def _all_proved(self, chosen: Iterable[RankCandidate]) -> list[_Found]:
        return [proved for candidate in chosen if (proved := self._proved(candidate)) is not None]

    def _with_refined(self, results: Sequence[_Found]) -> list[_Found]:
        """Adds tiles as steps of the fastest pipelines, and cyclic places of the fastest others."""
        best = _ordered(results)
        late = [one for one in best if _is_pipeline(one)]
        pipelines = [one.candidate for one in late if one.computing < best[0].seconds]
        tiled = [tiles for candidate in pipelines for size in _TILES if (tiles := candidate.tiles(size)) is not None]
        others = [one.candidate for one in best if one not in late and one.candidate.width == 1]
        dealt = [candidate.dealt_out() for candidate in others[:_REFINED]]
        return [*results, *self._all_proved((*tiled[: _REFINED * len(_TILES)], *dealt))]

    def _check_statements(self) -> None:
        for statement in self.problem.statements.values():
            if statement.role not in _STATEMENTS:
                message = f"{statement.name} is a call: the target {self.rank_request.target} has no calls"
                raise Rejected(Diagnostic(NO_SCHEDULE, message, Label(statement.span), help="InlineSubSystem"))

    def _bases(self) -> list[Dates]:
        """Returns the schedule, those with another row of its outermost band first, and one with parallel rows."""
        bases = [self.plain.dates, *_rotated(self.problem, self.plain.dates)]
        for _, find in attempts(replace(self.schedule_request, goal=Goal.PARALLEL, strategy=NONE)):
            try:
                bases.append(dates_of(self.problem, find(self.problem)))
            except EngineFailure:
                continue
            break
        return bases

    def _proved(self, candidate: RankCandidate) -> _Found | None:
        lines = candidate.lines(self.problem)
        self.rank_request.progress(f"{self.proved} mappings proved, {self.refuted} not; {candidate}")
        try:
            design, report = prove_lines(self.plain.undated, self.system, lines, self.apply)
        except Rejected:
            report = None
        if report is None or not report.is_proved or report.mapping is None:
            self.refuted += 1
            return None
        self.proved += 1
        request = self.rank_request
        time = rank_time(report.mapping, self._sizes(), request.ranks, request.network)
        return _Found(candidate=candidate, lines=lines, design=design, report=report, time=time)

    def _sizes(self) -> Mapping[str, int]:
        return SetSizes.of(self.problem.system, self.rank_request.sizes).samples[-1]

    def attempts(self, results: Sequence[_Found]) -> Iterator[Attempt]:
        """Yields the fastest mappings with their times."""
        named = dict[str, _Found]()
        for result in results:
            named.setdefault(str(result.candidate), result)
        for name, one in list(named.items())[:_SHOWN]:
            time = "unknown time" if one.time is None else f"{1000 * one.seconds:.3g} ms"
            yield Attempt(name, f"proved, {time} on {self.rank_request.ranks} ranks")
        if self.refuted:
            yield Attempt("others", f"{self.refuted} not proved")

    def finished(self, one: _Found, tried: Sequence[Attempt]) -> Proposal:
        """Returns the proposal with memory maps and ghosts. Raises Rejected if it has no code."""
        applied = Applied(one.design, one.lines, one.report)
        for tactic in (*rows(applied, self.system, one.candidate.tile), *ghosts(applied, self.system)):
            applied = apply_tactic(applied, self.system, tactic, self.apply)
        target = Line("setTarget", (self.rank_request.target,))
        design, report = prove_lines(applied.design, self.system, [target], self.apply)
        self.rank_request.generates(design, self.system)
        return replace(
            self.plain,
            design=design,
            dates=with_kinds(self.problem, one.candidate.dates),
            lines=(*applied.lines, target),
            attempts=tuple(tried),
            report=report,
        )


def _ordered(results: Iterable[_Found]) -> list[_Found]:
    """Returns the mappings, the fastest first; of those that are hardly slower than it, the one with short dates."""
    times = {
        result: result.seconds * (1 if result.candidate.ownership is Ownership.BLOCK else _DEALT_OUT)
        for result in results
    }
    least = min(times.values(), default=inf)
    return sorted(times, key=lambda one: (max(times[one], least * _SAME), one.candidate.terms))


def _is_pipeline(one: _Found) -> bool:
    ranks = ranks_of(operations(one.mapping))
    return ranks is not None and ranks.is_pipeline


def _rotated(problem: Problem, dates: Dates) -> Iterator[Dates]:
    """Yields the dates with another row of the outermost band before its other rows."""
    bands = {name: _outermost_band(components) for name, components in dates.items()}
    for position in range(1, max((end - start for start, end in bands.values()), default=0)):
        changed = dict(dates)
        for name, (start, end) in bands.items():
            if position < end - start:
                components = dates[name]
                chosen = start + position
                others = (*components[start:chosen], *components[chosen + 1 : end])
                changed[name] = (*components[:start], components[chosen], *others, *components[end:])
        yield with_kinds(problem, changed)


def _outermost_band(components: Sequence[Component]) -> tuple[int, int]:
    """Returns where the outermost band begins and ends."""
    start = next((position for position, component in enumerate(components) if component.is_row), len(components))
    rows_ = takewhile(
        lambda component: component.is_row and component.band == components[start].band, components[start:]
    )
    return start, start + len(list(rows_))
