"""Report of a memory proposal: cells, alternatives, and reasons why variables do not share."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

from alphaz.analysis.checks.obligation_finding import point_text
from alphaz.mapping.spaces import is_closed
from alphaz.mapping.target_mapping import MemoryMap, StorageFormat
from alphaz.model.program import UseEquation, Variable
from alphaz.poly import Domain, OutOfBudget, smallest_point
from alphaz.proof.discharge import with_growing_budget
from alphaz.search.memory.count import CellCount, allocated_cells, box_of, elements, total
from alphaz.search.memory.map_candidates import Candidate
from alphaz.search.memory.placement import Placement, default_map
from alphaz.search.memory.proposal import MemoryChoice, MemoryProposal
from alphaz.search.memory.set_sizes import degree
from alphaz.search.memory.variable_cuts import VariableCut, cuts

# isl operations for the search of the smallest witness.
_SEARCH = 50_000


@dataclass(frozen=True, slots=True)
class Alternative:
    """Another map for one variable, proved as well. `remark` compares its cells with those of the first."""

    entry: MemoryMap
    cells: CellCount
    remark: str


@dataclass(frozen=True, slots=True)
class RejectedMap:
    """A space that a variable could not share, by the map that its accesses suggest; `sentence` has the witness."""

    entry: MemoryMap
    sentence: str


@dataclass(frozen=True, slots=True)
class MapReport:
    """One map of a proposal: the cells of its space (reported with the first of its variables; else None), and those of
    one cell for every point."""

    entry: MemoryMap
    cells: CellCount | None
    instead: CellCount
    bound: str
    alternatives: tuple[Alternative, ...]
    rejected: tuple[RejectedMap, ...]


@dataclass(frozen=True, slots=True)
class UnreducedSpace:
    """A variable without a smaller map: it has a cell for every point, perhaps with others in its space."""

    variable: str
    cells: CellCount
    bound: str


@dataclass(frozen=True, slots=True)
class FormatProposal:
    """A storage format, with the elements of the array and those of the box around them."""

    entry: StorageFormat
    cells: CellCount
    instead: CellCount


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ProposalReport:
    """A proposal with its counts: `cells` that are allocated, `instead` of those without its maps.

    `passed`: formats of arguments, each proved alone. They change the interface, so they are not part of the proposal.
    The same holds for `in_place`, inputs that may be passed as an output in one array, each proved alone, and for
    `cuts`, which add variables to the program. `is_brief`: the search was interrupted, and the report has the proposal
    alone."""

    noun: ClassVar[str] = "a proposal of memory maps"

    proposal: MemoryProposal
    cells: CellCount
    instead: CellCount
    maps: tuple[MapReport, ...]
    kept_spaces: tuple[UnreducedSpace, ...]
    formats: tuple[FormatProposal, ...] = ()
    argument_formats: tuple[FormatProposal, ...] = ()
    cuts: tuple[VariableCut, ...] = ()
    in_place: tuple[MemoryMap, ...] = ()
    is_brief: bool = False

    def __repr__(self) -> str:
        return f"Account({self.proposal.system}: {self.cells} cells instead of {self.instead})"

    @staticmethod
    def of(proposal: MemoryProposal, alternatives: int = 3) -> "ProposalReport":
        """Returns the report, with at most this many alternatives to each map. After an interrupt it has the results
        proved so far."""
        try:
            return replace(
                _brief(proposal),
                maps=_told_of_all(proposal, alternatives, reasons=True),
                argument_formats=tuple(_passed_arguments(proposal)),
                cuts=tuple(cuts(proposal)),
                in_place=tuple(_in_place(proposal)),
                is_brief=False,
            )
        except KeyboardInterrupt:
            return _brief(proposal)


def _brief(proposal: MemoryProposal) -> ProposalReport:
    cells, instead = _cells_in_all(proposal)
    return ProposalReport(
        proposal=proposal,
        cells=cells,
        instead=instead,
        maps=_told_of_all(proposal, 0, reasons=False),
        kept_spaces=tuple(_kept_spaces(proposal)),
        formats=tuple(_formats(proposal)),
        is_brief=True,
    )


def _told_of_all(proposal: MemoryProposal, alternatives: int, reasons: bool) -> tuple[MapReport, ...]:
    choices = {choice.variable: choice for choice in proposal.choices}
    seen: set[str] = set()
    notes = []
    for entry in proposal.entries:
        choice = choices.get(entry.variable)
        note = _note_of(proposal, entry, choice, entry.space not in seen, alternatives)
        notes.append(replace(note, rejected=tuple(_rejected_maps(proposal, entry))) if reasons else note)
        seen.add(entry.space)
    return tuple(notes)


def _kept_spaces(proposal: MemoryProposal) -> Iterator[UnreducedSpace]:
    mapped = {entry.variable for entry in proposal.entries}
    for choice in proposal.choices:
        together = proposal.placement.spaces.get(choice.variable, ())
        if choice.variable not in mapped and together:
            cells = allocated_cells(proposal.prices, together)
            yield UnreducedSpace(choice.variable, cells, _bound(proposal, together))


def _formats(proposal: MemoryProposal) -> Iterator[FormatProposal]:
    """The formats of spaces."""
    for together in proposal.placement.spaces.values():
        format_ = proposal.prices.formats.of_space(together)
        if format_ is not None and format_.entry in proposal.formats:
            yield FormatProposal(format_.entry, elements(format_), allocated_cells(proposal.prices.plain, together))


def _passed_arguments(proposal: MemoryProposal) -> Iterator[FormatProposal]:
    """The formats of arguments, if no other system calls this one."""
    formats, system = proposal.prices.formats, proposal.prices.system
    called = any(
        isinstance(equation, UseEquation) and equation.system == system.name
        for other in proposal.design.program.systems
        for equation in other.equations
    )
    stated = {entry.variable for entry in formats.entries}
    for variable in () if called else (*system.inputs, *system.outputs):
        format_ = None if variable.name in stated else formats.of(variable)
        if format_ is not None and proposal.is_legal_with(format_.entry):
            yield FormatProposal(format_.entry, elements(format_), box_of(system, variable))


def _in_place(proposal: MemoryProposal) -> Iterator[MemoryMap]:
    """For inputs that may be overwritten and share no space: the first output of the same points that can start in the
    array of the input."""
    system, spaces = proposal.prices.system, proposal.placement.spaces
    for variable in system.inputs:
        if variable.name in proposal.prices.overwritable and spaces[variable.name] == (default_map(variable),):
            hosts = (output for output in system.outputs if _is_alike(variable, output))
            tried = (replace(default_map(variable), space=proposal.placement.of(host.name).space) for host in hosts)
            yield from [entry for entry in tried if proposal.is_legal_with_map(entry)][:1]


def _is_alike(one: Variable, other: Variable) -> bool:
    """Returns True if they have values of one type at the same points."""
    names = one.domain.space.names
    is_one_shape = one.type == other.type and len(names) == other.domain.space.dimensions
    return is_one_shape and other.domain.renamed(names).equals(one.domain)


def _cells_in_all(proposal: MemoryProposal) -> tuple[CellCount, CellCount]:
    """The cells that are allocated, and those without the maps of the proposal."""
    system = proposal.prices.system
    new = {entry.variable for entry in proposal.entries}
    before = Placement(
        tuple(default_map(system.variable(e.variable)) if e.variable in new else e for e in proposal.placement.entries)
    )
    return total(proposal.prices, proposal.placement), total(proposal.prices.plain, before)


def _note_of(
    proposal: MemoryProposal, entry: MemoryMap, choice: MemoryChoice | None, is_first: bool, alternatives: int
) -> MapReport:
    system = proposal.prices.system
    together = proposal.placement.spaces[entry.space]
    cells = allocated_cells(proposal.prices, together) if is_first else None
    instead = allocated_cells(proposal.prices.plain, (default_map(system.variable(entry.variable)),))
    has_alternatives = choice is not None and alternatives and len(together) == 1
    others = tuple(_alternatives(proposal, entry, choice, alternatives)) if choice and has_alternatives else ()
    bound = _bound(proposal, together) if is_first else ""
    return MapReport(
        entry=entry,
        cells=cells,
        instead=instead,
        bound=bound,
        alternatives=others,
        rejected=(),
    )


def _bound(proposal: MemoryProposal, together: tuple[MemoryMap, ...]) -> str:
    """The known bound of the degree of a space: it is least if one of its variables needs as much."""
    here = {entry.variable for entry in together}
    least = [choice.least for choice in proposal.choices if choice.variable in here]
    needed = degree(proposal.prices.space(together) or ())
    if not least or needed < 0:
        return ""
    return f"degree {needed} is least" if needed <= max(least) else f"degree {needed}, whether it is least is not known"


def _alternatives(proposal: MemoryProposal, entry: MemoryMap, choice: MemoryChoice, most: int) -> Iterator[Alternative]:
    """Maps of the same degree, without those that never have fewer cells than another one and no better accesses."""
    system = proposal.prices.system
    mine = allocated_cells(proposal.prices, (entry,))
    alternatives: list[tuple[Candidate, CellCount]] = []
    space = system.variable(entry.variable).domain.space
    for candidate in choice.candidates:
        if candidate.degree > choice.candidates[0].degree or len(alternatives) > most:
            return
        new_entry = candidate.entry(entry.variable, space)
        count = allocated_cells(proposal.prices, (new_entry,))
        if any(c.bad <= candidate.bad and other.is_never_more(count, system.context) for c, other in alternatives):
            continue
        alternatives.append((candidate, count))
        if new_entry != entry and proposal.with_map(new_entry) is not None:
            yield Alternative(new_entry, count, _comparison_text(count, mine, system.context))


def _comparison_text(count: CellCount, other: CellCount, context: Domain) -> str:
    if count.value == other.value:
        return "as many cells"
    if other.is_never_more(count, context):
        return "never fewer"
    if count.is_never_more(other, context):
        return "never more"
    where = count.fewer_where(other, context)
    return f"fewer where {where}" if where else "more or fewer, with the sizes"


# --- why not ---------------------------------------------------------------------------------------------------------


def _rejected_maps(proposal: MemoryProposal, entry: MemoryMap) -> Iterator[RejectedMap]:
    """For a variable in a space that is allocated: each space of a variable that it reads, or that reads it."""
    system = proposal.prices.system
    counts = proposal.prices.space(proposal.placement.spaces[entry.space])
    if counts is not None and not any(counts):
        return
    for space, together in proposal.placement.spaces.items():
        occupants = [system.variable(other.variable) for other in together]
        if space == entry.space or is_closed(occupants, proposal.prices.overwritable):
            continue
        for tried in proposal.suggested(entry.variable, together):
            sentence = _why(proposal, tried, together) if _is_serious(tried, entry) else ""
            if sentence:
                yield RejectedMap(tried, sentence)
                break


def _is_serious(tried: MemoryMap, entry: MemoryMap) -> bool:
    """Returns True if the space has as many dimensions as the variable needs."""
    assert tried.function is not None
    assert entry.function is not None
    return len(tried.function.outputs) >= len(entry.function.outputs)


def _why(proposal: MemoryProposal, tried: MemoryMap, together: tuple[MemoryMap, ...]) -> str:
    for other in (tried, *together):
        clash = next(proposal.legality.clashes(tried, other), None)
        if clash is None:
            continue
        try:
            point = with_growing_budget(lambda clash=clash: smallest_point(clash), _SEARCH)  # type: ignore[misc]
        except OutOfBudget:
            return f"values of {tried.variable} and {other.variable} are needed at one time"
        assert point is not None
        return _sentence(proposal, tried, other, clash, point)
    return ""


def _sentence(
    proposal: MemoryProposal, tried: MemoryMap, other: MemoryMap, clash: Domain, point: dict[str, int]
) -> str:
    values = [point[name] for name in clash.space.names]
    width = proposal.prices.system.variable(tried.variable).domain.space.dimensions
    one, two = point_text(tried.variable, values[:width]), point_text(other.variable, values[width:])
    sizes = ", ".join(f"{name}={point[name]}" for name in clash.space.parameters)
    where = f"{sizes}: " if sizes else ""
    return f"{where}{one} and {two} would have one cell, and are needed at one time"
