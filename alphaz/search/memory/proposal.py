"""Proposals: a memory mapping for a schedule, proved as a whole before it is returned.

The search first drops the copies that must be dropped, then the optional ones; then it finds maps for each variable
alone, from its reuse lattices; then shared spaces. A proposal has passed the verifier, under the order of all tile
sizes or, if that needs more cells than the order of the sizes in the script, under the latter."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from time import process_time

from alphaz.legality.conflicts import Conflicts, conflicts_of
from alphaz.legality.mapping_obligations import orders
from alphaz.legality.verdicts import Options, SystemVerdict, TileOrder
from alphaz.legality.verify import is_legal, verify
from alphaz.mapping.design import Design
from alphaz.mapping.resolution import resolve
from alphaz.mapping.target_mapping import ArgumentSpace, MemoryMap, StorageFormat, TargetMapping
from alphaz.model.program import Kind, System, Variable
from alphaz.search.memory.access_strides import steps_of
from alphaz.search.memory.copy_elision import in_place, maps_for_branch_copies, maps_for_copies, with_arguments
from alphaz.search.memory.lattices import LatticeSearch, ReuseLattice, lattices
from alphaz.search.memory.legality import Legality
from alphaz.search.memory.map_candidates import Candidate, MapComponent, candidate, candidates
from alphaz.search.memory.placement import CostTable, Placement, default_map, given_map
from alphaz.search.memory.placement_options import PlacementOptions as Choices
from alphaz.search.memory.set_sizes import SetSizes, VariableTiles
from alphaz.search.memory.sharing import Objective, SharingSearch
from alphaz.search.memory.space_formats import Formats


@dataclass(frozen=True, slots=True)
class Request:
    """Options of a search. `sizes` of parameters compare counts of one degree. `only`: the variables that get new maps;
    if empty, the variables without a stated map. `seconds` of the processor for each search. `options` are those of
    the verifier."""

    objective: Objective = Objective.SPEED
    sizes: Mapping[str, int] = field(default_factory=dict)
    only: tuple[str, ...] = ()
    seconds: float = 0.6
    options: Options = field(default_factory=Options)


@dataclass(frozen=True, slots=True, eq=False)
class MemoryChoice:
    """The maps of one variable alone. No affine map, with any factors, has a lower degree than `least`."""

    variable: str
    candidates: tuple[Candidate, ...]
    complete: bool
    least: int = 0


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class MemoryProposal:
    """A proved mapping: `design` has the maps, `entries` are the maps that were not stated before.

    `complete`: the search was not interrupted. `others`: further placements found, and the one without sharing.
    `arguments`: arguments of calls that now live in the cells of variables."""

    design: Design
    system: str
    entries: tuple[MemoryMap, ...]
    placement: Placement
    choices: tuple[MemoryChoice, ...]
    report: SystemVerdict
    objective: Objective
    legality: Legality
    prices: CostTable
    options: Options
    complete: bool
    others: tuple[Placement, ...] = ()
    arguments: tuple[ArgumentSpace, ...] = ()

    def __repr__(self) -> str:
        return f"MemoryProposal({self.system}: {', '.join(e.variable for e in self.entries) or 'nothing new'})"

    @property
    def formats(self) -> tuple[StorageFormat, ...]:
        """Returns the storage formats that were not stated before."""
        return self.prices.formats.new_formats(self.placement.spaces.values())

    def is_legal_with(self, entry: StorageFormat) -> bool:
        """Returns True if that format of an argument is proved together with the proposal."""
        mapping = self.design.mapping(self.system).with_format(entry)
        return is_legal(self.design.with_mapping(self.system, mapping), self.system, self.options)

    def is_legal_with_map(self, entry: MemoryMap) -> bool:
        """Returns True if that map of an argument is proved together with the proposal, without further cells."""
        before, after = (
            self.prices.bill(placement) for placement in (self.placement, self.placement.with_entry(entry))
        )
        mapping = self.design.mapping(self.system).with_memory(entry)
        is_free = before is not None and after is not None and after.cells == before.cells
        return is_free and is_legal(self.design.with_mapping(self.system, mapping), self.system, self.options)

    def _bare(self, placement: Placement) -> TargetMapping:
        """The mapping with the formats of that placement, and without proposed arguments."""
        mapping, formats_ = self.design.mapping(self.system), self.prices.formats
        formats = (*formats_.entries, *formats_.new_formats(placement.spaces.values()))
        arguments = tuple(entry for entry in mapping.argument_spaces if entry not in self.arguments)
        return replace(mapping, formats=formats, argument_spaces=arguments)

    def with_placement(self, placement: Placement) -> "MemoryProposal | None":
        """Returns the proposal with another placement; None if it is not proved."""
        mapping = self._bare(placement)
        others = set(mapping.memory) - set(self.entries)
        stated = placement.script_maps(self.prices.system)
        design = self.design.with_mapping(self.system, replace(mapping, memory=stated))
        if not is_legal(design, self.system, self.options):
            return None
        entries = tuple(entry for entry in stated if entry not in others)
        report = _report(design, self.system, self.options)
        return replace(self, design=design, entries=entries, placement=placement, report=report, arguments=())

    def with_map(self, entry: MemoryMap) -> "MemoryProposal | None":
        """Returns the proposal with this map of its variable; None if it is not proved."""
        placement = self.placement.with_entry(entry)
        mapping = self._bare(placement).with_memory(entry)
        design = self.design.with_mapping(self.system, mapping)
        if not is_legal(design, self.system, self.options):
            return None
        report = _report(design, self.system, self.options)
        entries = tuple(entry if e.variable == entry.variable else e for e in self.entries)
        return replace(self, design=design, entries=entries, placement=placement, report=report, arguments=())

    def suggested(self, variable: str, together: Iterable[MemoryMap]) -> Iterator[MemoryMap]:
        """Returns maps of a variable into the space of others of its type, derived from their accesses to each
        other."""
        operations, system = self.legality.conflicts.operations, self.prices.system
        choice = next((choice for choice in self.choices if choice.variable == variable), None)
        one = system.variable(variable)
        if choice is not None and all(system.variable(e.variable).type == one.type for e in together):
            choices = Choices(
                operations=operations,
                variable=one,
                candidates=choice.candidates,
                steps=(),
                tiles=VariableTiles.of(operations, variable, self.prices.sizes),
                timid=True,
            )
            for entry in together:
                yield from choices.suggested(entry)


@dataclass(frozen=True, slots=True, eq=False)
class Refusal:
    """The schedule is not legal under any maps; the report of the verifier has the reason."""

    report: SystemVerdict


def propose(design: Design, system: str, request: Request | None = None) -> MemoryProposal | Refusal:
    """Proposes maps for the variables of a system. Raises KeyError if the system or a variable does not exist."""
    memory_request = request or Request()
    task = _Task.of(design, system, memory_request)
    start = task.with_required_copies()
    if start is None:
        return Refusal(_report(task.base, system, memory_request.options))
    return task.proposal(task.with_optional_copies(start))


@dataclass(frozen=True, slots=True, eq=False)
class _Task:
    """A search. `base` is the design with the stated maps, `fixed` their placement with that of the variables that need
    no search."""

    base: Design
    system: System
    request: Request
    fixed: Placement
    formats: Formats

    @staticmethod
    def of(design: Design, name: str, request: Request) -> "_Task":
        system, stated = design.system(name), design.mapping(name)
        for name_ in request.only:
            system.variable(name_)
        others = tuple(entry for entry in stated.memory if entry.variable not in request.only)
        formats = tuple(entry for entry in stated.formats if entry.variable not in request.only)
        base = design.with_mapping(name, replace(stated, memory=others, formats=formats))
        pinned = {entry.variable for entry in others} | {entry.variable for entry in formats}
        in_place = {space.space for space in stated.argument_spaces}
        placement = Placement()
        for variable in system.variables:
            free = variable.kind is Kind.LOCAL and variable.name not in (pinned | in_place)
            if not free or (request.only and variable.name not in request.only):
                placement = placement.with_entry(given_map(variable, base.mapping(name)))
        finds = request.objective is Objective.SIZE
        formats_ = Formats(SetSizes.of(system, request.sizes), formats, finds)
        return _Task(base=base, system=system, request=request, fixed=placement, formats=formats_)

    def with_maps(self, placement: Placement) -> Design:
        mapping = self.base.mapping(self.system.name)
        formats = (*mapping.formats, *self.formats.new_formats(placement.spaces.values()))
        stated = replace(mapping, memory=placement.script_maps(self.system), formats=formats)
        return self.base.with_mapping(self.system.name, stated)

    def is_legal(self, placement: Placement) -> bool:
        return is_legal(self.with_maps(placement), self.system.name, self.request.options)

    def with_required_copies(self) -> Placement | None:
        """The fixed placement with maps for copies without a date; None if it is not legal."""
        if self.is_legal(self.fixed):
            return self.fixed
        for copies in ((maps_for_copies,), (maps_for_copies, maps_for_branch_copies)):
            placement = self.fixed
            for entry in (entry for copy_ in copies for entry in copy_(self.base, self.system, self.fixed)):
                if not placement.has(entry.variable):
                    placement = placement.with_entry(entry)
            if placement != self.fixed and self.is_legal(placement):
                return placement
        return None

    def with_optional_copies(self, placement: Placement) -> Placement:
        """The placement with each optional copy that is proved."""
        tried: set[MemoryMap] = set()
        is_changed = True
        while is_changed:
            is_changed = False
            for entry in maps_for_branch_copies(self.base, self.system, placement):
                if entry in tried or placement.has(entry.variable):
                    continue
                tried.add(entry)
                if self.is_legal(placement.with_entry(entry)):
                    placement, is_changed = placement.with_entry(entry), True
        return placement

    def proposal(self, start: Placement) -> MemoryProposal:
        mapping = resolve(self.with_maps(start), self.system.name)
        orders_ = orders(mapping, self.request.options.exact_tiles)
        conflicts = conflicts_of(mapping)
        general = self.begun(start, Legality(conflicts))
        if TileOrder.SIZED in orders_ and not general.search.is_interrupted:
            # The order without tiling asks for less than that of any sizes: if it is content with less, these may be.
            plain = conflicts.orders[0]
            least = self.begun(general.start, Legality(conflicts.under(plain)), general)
            if least.price < general.price and least.price < self.finished(general).price:
                sized = Legality(conflicts.under(plain, orders_[TileOrder.SIZED]), general.search.legality)
                between = self.finished(self.begun(start, sized, least, general))
                return self.proved(start, min(between, general, key=lambda outcome: outcome.price))
        return self.proved(start, self.finished(general))

    def begun(self, start: Placement, legality: Legality, *like: "_Outcome") -> "_Outcome":
        """The first placements, by conflicts alone. Choices for variables with the same conflicts in another search are
        reused; and so are choices that were found both with fewer and with more conflicts. After an interrupt every
        variable has a cell for each point."""
        conflicts, sizes = legality.conflicts, self.formats.sizes
        free = [v for v in self.system.variables if not start.has(v.name)]
        copied = [v for v in free if v.name not in conflicts.operations.writers]
        for variable in copied:
            start = start.with_entry(default_map(variable))
        searched = [v for v in free if v not in copied]
        try:
            known_choices = like[0].choices_for(legality, like[1:]) if like else {}
            choices = [known_choices.get(v.name) or self._choice(v, legality, sizes) for v in searched]
            choices.sort(key=lambda choice: _largest_first(choice))
            options = tuple(self._options(conflicts, choice) for choice in choices)
        except KeyboardInterrupt:
            choices, options = [self._uncompressed(v, sizes) for v in searched], ()
        search = SharingSearch(
            legality=legality,
            prices=CostTable(self.formats, conflicts.operations.mapping.overwritable),
            objective=self.request.objective,
            start=start,
            variables=options,
        )
        search.is_interrupted = bool(choices) and not options
        search.begin()
        return _Outcome(start, search, tuple(choices))

    def finished(self, outcome: "_Outcome") -> "_Outcome":
        """The outcome with the best placements found within the time limit."""
        outcome.search.finish(process_time() + self.request.seconds)
        return outcome

    def _choice(self, variable: Variable, legality: Legality, sizes: SetSizes) -> MemoryChoice:
        reuse = legality.reuse(variable.name)
        least = legality.least_degree(variable.name)
        end = process_time() + self.request.seconds
        lattice_search = (
            lattices(reuse, reuse.width - least, end) if reuse.width else LatticeSearch((ReuseLattice(),), True)
        )
        steps = steps_of(legality.conflicts.operations, variable.name)
        tiles = VariableTiles.of(legality.conflicts.operations, variable.name, sizes)
        candidates_ = candidates(reuse, lattice_search.lattices, tiles, steps)
        candidates_.sort(key=lambda candidate_: _preference(candidate_, self.request.objective))
        return MemoryChoice(variable.name, tuple(candidates_), lattice_search.complete, least)

    def _uncompressed(self, variable: Variable, sizes: SetSizes) -> MemoryChoice:
        """A cell for every point: the choice after an interrupt."""
        names = variable.domain.space.names
        rows = tuple(MapComponent(tuple(int(a == b) for b in range(len(names)))) for a in range(len(names)))
        candidate_ = candidate(variable.name, names, rows, ReuseLattice(), sizes, ())
        return MemoryChoice(variable.name, (candidate_,) if candidate_ is not None else (), False)

    def _options(self, conflicts: Conflicts, choice: MemoryChoice) -> Choices:
        variable = self.system.variable(choice.variable)
        steps = steps_of(conflicts.operations, variable.name)
        timid = self.request.objective is Objective.SPEED
        return Choices(
            operations=conflicts.operations,
            variable=variable,
            candidates=choice.candidates,
            steps=steps,
            tiles=VariableTiles.of(conflicts.operations, variable.name, self.formats.sizes),
            timid=timid,
            is_tight=self.formats.of(variable) is not None,
        )

    def proved(self, start: Placement, outcome: "_Outcome") -> MemoryProposal:
        """The best placement that the verifier proves; without any sharing, and finally without any map. An interrupt
        does not stop this step."""
        try:
            return self._first_proved(start, outcome)
        except KeyboardInterrupt:
            outcome.search.is_interrupted, outcome.search.complete = True, False
            return self._first_proved(start, outcome)

    def _first_proved(self, start: Placement, outcome: "_Outcome") -> MemoryProposal:
        free = [self.system.variable(choice.variable) for choice in outcome.choices]
        placements = [placed.placement for placed in reversed(outcome.search.best)]
        for placement in (*placements, _alone(outcome), _with_own(start, free)):
            design = self.with_maps(placement)
            report = _report(design, self.system.name, self.request.options)
            if report.is_proved:
                arguments = () if self.request.only else in_place(design, self.system.name, self.request.options)
                if arguments:
                    design = with_arguments(design, self.system.name, arguments)
                    report = _report(design, self.system.name, self.request.options)
                return self._proposal_of(design, placement, outcome, report, arguments)
        raise AssertionError("the maps that were legal at first are not legal any more")

    def _proposal_of(
        self,
        design: Design,
        placement: Placement,
        outcome: "_Outcome",
        report: SystemVerdict,
        arguments: tuple[ArgumentSpace, ...],
    ) -> MemoryProposal:
        fixed_entries = set(self.fixed.entries)
        entries = tuple(entry for entry in placement.script_maps(self.system) if entry not in fixed_entries)
        search = outcome.search
        complete = search.complete and all(choice.complete for choice in outcome.choices)
        met = dict.fromkeys((*(placed.placement for placed in reversed(search.best)), _alone(outcome)))
        others = tuple(memory_map for memory_map in met if set(memory_map.entries) != set(placement.entries))
        return MemoryProposal(
            design=design,
            system=self.system.name,
            entries=entries,
            placement=placement,
            choices=outcome.choices,
            report=report,
            objective=self.request.objective,
            legality=search.legality,
            prices=search.prices,
            options=self.request.options,
            complete=complete,
            others=others,
            arguments=arguments,
        )


@dataclass(frozen=True, slots=True, eq=False)
class _Outcome:
    """The result of a search that began at `start`."""

    start: Placement
    search: SharingSearch
    choices: tuple[MemoryChoice, ...]

    def choices_for(self, legality: Legality, stricter: "tuple[_Outcome, ...]" = ()) -> dict[str, MemoryChoice]:
        """Choices of variables whose values conflict in the same way there; or whose choice here is no larger than
        under all the conflicts there, and more."""
        mine = self.search.legality
        here = {(c.variable, c.candidates) for c in self.choices if c.complete}
        every = (c for other in stricter for c in other.choices)
        same = {c.variable: c for c in every if c.complete and (c.variable, c.candidates) in here}
        rest = (c for c in self.choices if c.variable not in same)
        choices = {c.variable: c for c in rest if mine.reuse(c.variable).is_known_as(legality.reuse(c.variable))}
        return {**same, **choices}

    @property
    def price(self) -> tuple[object, ...]:
        return self.search.best[-1].price(self.search.objective) if self.search.best else ((99,),)


def _report(design: Design, system: str, options: Options) -> SystemVerdict:
    return verify(design, [system], options).systems[0]


def _preference(candidate_: Candidate, objective: Objective) -> tuple[float, ...]:
    if objective is Objective.SIZE:
        return (candidate_.degree, candidate_.cells[2], candidate_.bad, candidate_.odd)
    return (candidate_.degree, candidate_.bad, candidate_.touched, candidate_.cells[2], candidate_.odd)


def _largest_first(choice: MemoryChoice) -> tuple[float, ...]:
    best = choice.candidates[0] if choice.candidates else None
    return (-best.degree, -best.cells[2]) if best is not None else (0, 0)


def _alone(outcome: _Outcome) -> Placement:
    """Each variable with its best map in a space of its own."""
    placement = outcome.start
    for choice in outcome.choices:
        space = outcome.search.prices.system.variable(choice.variable).domain.space
        placement = placement.with_entry(choice.candidates[0].entry(choice.variable, space))
    return placement


def _with_own(start: Placement, variables: Collection[Variable]) -> Placement:
    for variable in variables:
        start = start.with_entry(default_map(variable))
    return start
