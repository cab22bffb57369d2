"""The distribution of a mapping over ranks: one dimension of the dates, or two, has places, those before are steps.

A rank owns places; messages are sent between two steps. Of dimensions that are tiled together with the distributed one
a step is a tile. Source: verifier.md, Distributed mappings.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from alphaz.diagnostics import NOWHERE, Diagnostic, Label, Rejected, Rule, Span
from alphaz.diagnostics.message_words import count_text
from alphaz.diagnostics.rules import IGNORED, MAPPING, NOT_YET
from alphaz.mapping.cells import ghosts_of, is_one_to_one
from alphaz.mapping.dimension_kinds import has_prefix
from alphaz.mapping.prefix_scans import PrefixScan, ScanFault
from alphaz.mapping.statement import Cell, Role, Statement
from alphaz.mapping.target_mapping import (
    WHOLE,
    Band,
    Communication,
    CommunicationChoice,
    DimensionKind,
    DistributedDimension,
    Ownership,
    TargetMapping,
)
from alphaz.model.program import Kind, System
from alphaz.poly import Affine, Constraint, Domain, at_least, equal, unlike

_BLOCKS = (Ownership.BLOCK, Ownership.GIVEN)
_STEPS = (DimensionKind.SEQUENTIAL, DimensionKind.ORDERING)


@dataclass(frozen=True, slots=True, eq=False)
class Distribution:
    """`date[position : position + width]` is the place of an operation, `date[:position]` its step: of dimensions that
    one of `bands` has, the number of the tile.

    `ghosts` has the cell of a received copy for every variable. `size`: the places in a block of a block-cyclic
    dimension. Of variables `combined`, which are accumulated across the places, every rank has its own partial results
    in a step; at its end all ranks have the combined ones. `communication`: the way that the script asks for. `shape`:
    the ranks in each dimension, at most (0: as many as there are); empty without setProcessors. `scans`: those that the
    script asks for; `no_scans`: the reasons why other variables that read themselves are none.
    """

    position: int
    ownership: Ownership
    size: int
    ghosts: Mapping[str, Cell]
    combined: frozenset[str] = frozenset()
    width: int = 1
    bands: tuple[Band, ...] = ()
    communication: CommunicationChoice | None = None
    shape: tuple[int, ...] = ()
    scans: tuple[PrefixScan, ...] = ()
    no_scans: Mapping[str, ScanFault] = field(default_factory=dict)
    span: Span = field(default=NOWHERE, repr=False)

    @property
    def way(self) -> Communication | None:
        """Returns the way of communication that the script asks for."""
        return None if self.communication is None else self.communication.way

    @property
    def dimensions(self) -> slice:
        """Returns the distributed components of a date."""
        return slice(self.position, self.position + self.width)

    @property
    def is_by_blocks(self) -> bool:
        """Returns True if each rank owns an interval of places, in the order of the ranks; of a grid, a box."""
        return self.ownership in _BLOCKS

    def step_sizes(self, statement: Statement) -> tuple[int, ...]:
        """Returns how many values of each dimension before the places one step has: WHOLE if all."""
        band = next((band for band in self.bands if has_prefix(statement, band.prefix)), None)
        if band is None:
            return (1,) * self.position
        return (*(1,) * band.first, *(_step_size(band, index) for index in range(band.first, self.position)))

    def step_at(self, statement: Statement, date: Sequence[int]) -> tuple[int, ...]:
        """Returns the step of an operation."""
        sizes = self.step_sizes(statement)
        return tuple(x // size if size else 0 for x, size in zip(date, sizes, strict=False))

    def in_step(self, statement: Statement, date: Sequence[Affine], step: Sequence[Affine]) -> Iterator[Constraint]:
        """Yields the conditions under which a date is in a step."""
        for x, number, size in zip(date, step, self.step_sizes(statement), strict=False):
            if size == 1:
                yield equal(x, number)
            elif size == WHOLE:
                yield equal(number, 0)
            else:
                yield from (at_least(x - number * size, 0), at_least(number * size + (size - 1), x))

    def with_steps(self, statement: Statement, points: Domain, names: Sequence[str]) -> Domain:
        """Returns the points, of which `names` are the first components of dates, with the step instead of these."""
        if all(size == 1 for size in self.step_sizes(statement)):
            return points
        space, steps = points.space, tuple(map(Affine.name, names))
        fresh = dict(zip(names, unlike(tuple(names), (*space.names, *space.parameters)), strict=True))
        dates = points.renamed([fresh.get(name, name) for name in space.names])
        both = space.with_names((*dates.space.names, *names))
        inside = self.in_step(statement, tuple(Affine.name(fresh[name]) for name in names), steps)
        return (dates.embedded(both) & Domain.where(both, list(inside))).onto(space.names)


def _step_size(band: Band, dimension: int) -> int:
    """Returns the size of the outermost tiles; a dimension that only orders the contents of a tile has none."""
    size = WHOLE if dimension in band.ordering else band.size(dimension)
    assert size is not None, "sizes of steps are numbers"
    return size


def distribution_of(
    system: System,
    statements: Sequence[Statement],
    stated: TargetMapping,
    cells: Mapping[str, Cell],
    dimensions: int,
    bands: Sequence[Band] = (),
) -> tuple[Distribution | None, tuple[Diagnostic, ...]]:
    """Returns the distribution, if the script gives one, and warnings about ghost maps without effect.

    Raises Rejected (AZ411, AZ407) where the mapping cannot be distributed.
    """
    if not stated.distribution:
        return None, tuple(_idle(stated))
    first = min(stated.distribution, key=lambda entry: entry.position)
    width = max(entry.position for entry in stated.distribution) - first.position + 1
    for entry in stated.distribution:
        _check_entry(entry, first, dimensions)
    for statement in statements:
        for index in range(first.position, first.position + width):
            _check_statement(statement, [entry for entry in stated.distribution if entry.position == index], first)
    _check_system(system, stated, first)
    places = range(first.position, first.position + width)
    around = tuple(band for band in bands if band.first <= places[-1])
    for band in around:
        _check_band(band, around, places, first)
    ghosts = ghosts_of(system, stated, cells)
    communication = next(reversed(stated.communication), None)
    if communication is not None:
        _check_communication(communication, first, width, around)
    combined = {s.variable: s for s in statements if s.merged_at is not None}
    for name, statement in combined.items():
        _check_combined(name, statement, statements, cells, ghosts)
        if around:
            message = f"ranks combine the values of {name}, and the distributed dimension is tiled"
            raise _rejection(NOT_YET, message, around[0].span, "leave the tiles out")
    distribution = Distribution(
        position=first.position,
        ownership=first.ownership,
        size=first.size,
        ghosts=ghosts,
        combined=frozenset(combined),
        width=width,
        bands=around,
        communication=communication,
        shape=_shape(stated, first, width),
        span=first.span,
    )
    return distribution, ()


def _check_communication(
    choice: CommunicationChoice, first: DistributedDimension, width: int, bands: Sequence[Band]
) -> None:
    """Raises Rejected(AZ411) for a way of communication that such places cannot have."""
    way, is_by_blocks = choice.way, first.ownership in _BLOCKS
    tiles = next((band for band in bands if band.first < first.position), None)
    if way in (Communication.PIPELINE, Communication.SCAN) and (not is_by_blocks or width > 1):
        message = f"a {way} needs ranks in the order of their places"
        remedy = "distribute one dimension by blocks, or leave setCommunication out"
    elif way is Communication.OVERLAP and not is_by_blocks:
        message = "operations of places that are dealt out have no inner part, whose work hides messages"
        remedy = "distribute blocks, or leave setCommunication out"
    elif way is Communication.SCAN and tiles is not None:
        label = (Label(tiles.span, "tiled here"),)
        remedy = "leave the tiles out, or leave setCommunication out: the mapping is a pipeline"
        raise Rejected(
            Diagnostic(MAPPING, "a scan has no steps that are tiles", Label(choice.span), label, help=remedy)
        )
    else:
        return
    label = (Label(first.span, f"distributed here, {first.ownership}"),)
    raise Rejected(Diagnostic(MAPPING, message, Label(choice.span), label, help=remedy))


def _shape(stated: TargetMapping, first: DistributedDimension, width: int) -> tuple[int, ...]:
    """Returns the numbers of ranks that setProcessors gives."""
    entry = next(reversed(stated.processors), None)
    if entry is None:
        return ()
    if first.ownership is not Ownership.BLOCK:
        what = "whose blocks the caller gives" if first.ownership is Ownership.GIVEN else "that are dealt out"
        message = f"a number of ranks for places {what}"
        remedy = "leave setProcessors out, and call the code on a communicator of so many ranks"
        raise Rejected(Diagnostic(NOT_YET, message, Label(entry.span), help=remedy))
    if len(entry.numbers) != width:
        numbers, dimensions = count_text(len(entry.numbers), "number"), count_text(width, "distributed dimension")
        message = f"{numbers} of ranks for {dimensions}"
        label = (Label(first.span, "distributed here"),)
        raise Rejected(Diagnostic(MAPPING, message, Label(entry.span), label, help="give one number for each"))
    return entry.numbers


def _check_combined(
    name: str,
    statement: Statement,
    statements: Sequence[Statement],
    cells: Mapping[str, Cell],
    ghosts: Mapping[str, Cell],
) -> None:
    """Raises Rejected(AZ407) unless the variable has cells of its own, one for each value, and no initialisation."""
    mine = cells[name]
    guests = {other for spaces in (cells, ghosts) for other, cell in spaces.items() if cell.space == mine.space}
    if guests != {name} or not is_one_to_one(mine) or ghosts[name] is not mine:
        message = f"{name} is combined from contributions of several ranks, and its values share cells"
        remedy = f"give every value of {name} a cell of its own, in a memory space without other variables"
        raise _rejection(NOT_YET, message, mine.span, remedy)
    if any(s.role is Role.INIT and s.variable == name for s in statements):
        message = f"{name} is combined from contributions of several ranks, and has dates for its initialisation"
        raise _rejection(NOT_YET, message, statement.span, "leave these dates out")


def _idle(stated: TargetMapping) -> Iterator[Diagnostic]:
    for entry in stated.ghosts:
        message = f"no dimension is distributed: no rank receives copies of {entry.variable}"
        yield Diagnostic(IGNORED, message, Label(entry.span), help="add setDistributed, or leave the ghost map out")
    for other in (*stated.communication, *stated.processors):
        message = "no dimension is distributed: there are no ranks"
        yield Diagnostic(IGNORED, message, Label(other.span), help="add setDistributed, or leave this command out")


def _check_entry(entry: DistributedDimension, first: DistributedDimension, dimensions: int) -> None:
    if not entry.dimension >= 0 or entry.position >= dimensions:
        left = dimensions - len(entry.prefix)
        raise _rejection(
            MAPPING, f"there is no dimension {entry.dimension}: the dates have {left}, counted from 0", entry.span
        )
    is_grid = entry.position == first.position + 1 and entry.ownership is not Ownership.GIVEN
    if (entry.ownership, entry.size) != (first.ownership, first.size) or (
        entry.position != first.position and not is_grid
    ):
        message = "two ways to share places, or two dimensions that are no grid, are given for one system"
        remedy = "distribute one dimension of the dates, or two that follow each other, in the same way, not by"
        remedy += " `given` blocks; counted from 0"
        remedy += " with the prefix they are the same for all"
        raise Rejected(Diagnostic(NOT_YET, message, Label(entry.span), (Label(first.span, "the other"),), help=remedy))


def _check_statement(
    statement: Statement, entries: Sequence[DistributedDimension], first: DistributedDimension
) -> None:
    """Checks a statement for the entries of one distributed dimension."""
    entry = next((e for e in entries if has_prefix(statement, e.prefix)), None)
    if entry is None:
        message = f"the operations of {statement.name} have no place: its dates begin with none of the prefixes"
        label = (Label(statement.span, f"dates of {statement.name}"),)
        remedy = 'write setDistributed for its prefix too, or with the prefix ""'
        raise Rejected(Diagnostic(MAPPING, message, Label(first.span), label, help=remedy))
    steps = statement.kinds[: first.position]
    at = next((index for index, kind in enumerate(steps) if kind not in _STEPS), None)
    if at is not None:
        message = f"dimension {at} is {steps[at]} for {statement.name}, and lies before the distributed dimension"
        remedy = "steps follow each other: make it sequential, or distribute a dimension before it"
        raise _rejection(MAPPING, message, entry.span, remedy)
    if statement.merged_at not in (None, first.position):
        message = f"{statement.name} has a reduction dimension that is not the first distributed one"
        raise _rejection(NOT_YET, message, entry.span, "make the dimension sequential or parallel")
    if statement.role not in (Role.VALUE, Role.BODY, Role.INIT):
        what = "an input with dates" if statement.role is Role.INPUT else "a call"
        message = f"{statement.name} is {what} in a distributed mapping"
        remedy = "inputs without dates are there from the start; InlineSubSystem removes calls"
        raise _rejection(NOT_YET, message, entry.span, remedy)


def _check_system(system: System, stated: TargetMapping, first: DistributedDimension) -> None:
    if stated.registers or stated.packing:
        span = next(e.span for e in (*stated.registers, *stated.packing))
        message = f"{'register tiles' if stated.registers else 'packing'} in a distributed mapping"
        label = (Label(first.span, "distributed here"),)
        raise Rejected(Diagnostic(NOT_YET, message, Label(span), label, help="leave this out"))
    for entry in stated.ghosts:
        if system.variable(entry.variable).kind is Kind.INPUT:
            message = (
                f"the input {entry.variable} is not received: it is there from the start on every rank that reads it"
            )
            raise _rejection(MAPPING, message, entry.span, "leave its ghost map out")


def _check_band(band: Band, bands: Sequence[Band], places: range, first: DistributedDimension) -> None:
    """Checks tiles that begin before the places end: steps are tiles of known sizes, one after the other."""
    label = (Label(first.span, "distributed here"),)
    sides = [band.sizes[0][position - band.first] for position in range(band.first, min(places[0], band.last + 1))]
    nested = (other for other in bands if other is not band)
    several = any(all(x == y for x, y in zip(other.prefix, band.prefix, strict=False)) for other in nested)
    if band.last < places[-1] or band.first > places[0]:
        message = "the distributed dimension is not in the band of tiles around it"
        remedy = "tile the steps together with the distributed dimension, or dimensions behind it alone"
    elif several:
        message, remedy = "two bands of tiles have the distributed dimension", "give one band several levels of tiles"
    elif any(map(any, band.wavefront[:1])) or 0 in band.recursive:
        message = "tiles in wavefronts, or recursive ones, are the steps of a distributed mapping"
        remedy = "let the outermost tiles run in sequence: ranks with blocks of places pass values on in a pipeline"
    elif None in sides:
        message = "the tiles that are steps have a size that is a parameter"
        remedy = "give the band sizes; tiles that begin with the distributed dimension need none"
    else:
        return
    raise Rejected(Diagnostic(NOT_YET, message, Label(band.span), label, help=remedy))


def _rejection(rule: Rule, message: str, span: Span, remedy: str | None = None) -> Rejected:
    return Rejected(Diagnostic(rule, message, Label(span), help=remedy))
