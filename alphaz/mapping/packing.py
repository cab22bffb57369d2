"""Which reads are packed, and the proof that they may be (M0).

A buffer is filled when a tile begins, so nothing in the tile may write a cell that is read from it: with f the function
of the read, { (e, w) : e and w are in one tile, cell(v, f(e)) = cell(w) } is empty. Whatever is written outside of the
tile is written before it or after it. Tiles whose size is a parameter are taken as if they held everything.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NoReturn

from alphaz.analysis.checks.question import given, point_text
from alphaz.diagnostics import Diagnostic, Label, Place, Rejected, Witness
from alphaz.diagnostics.rules import IGNORED, PACKING
from alphaz.mapping.axes import Level
from alphaz.mapping.cells import location, one_cell
from alphaz.mapping.packed import Along, Packed
from alphaz.mapping.resolved import ResolvedMapping
from alphaz.mapping.statement import Role, Statement, date_text
from alphaz.mapping.target import DimensionKind, Packing
from alphaz.model.expression import Access, Case, Compose, Expression, Reduce, Restrict
from alphaz.model.program import UseEquation
from alphaz.model.same import same
from alphaz.model.walk import children, walk, without_restricts
from alphaz.poly import Affine, AffineFunction, Constraint, Domain, at_least, equal, fresh_names
from alphaz.proof import Obligation, Proved, Refuted, discharge

Values = Mapping[str, int]


def packed_reads(
    mapping: ResolvedMapping, stated: Sequence[Packing]
) -> tuple[tuple[Packed, ...], tuple[Diagnostic, ...]]:
    """Every read that is packed, and warnings about those that are not, since their tiles have a reduction dimension.

    Raises Rejected (AZ413) at the command that cannot be followed.
    """
    found: list[Packed] = []
    notes: list[Diagnostic] = []
    for entry in stated:
        for packed in _packed(mapping, entry):
            level = mapping.levels[packed.level]
            if any(level.has(s) and DimensionKind.REDUCTION in s.kinds for s in mapping.statements):
                message = f"{packed.variable} is not packed: the tiles have a reduction dimension"
                notes.append(Diagnostic(IGNORED, message, Label(entry.span), (Label(level.band.span, "tiled here"),)))
            else:
                found.append(packed)
    return tuple(found), tuple(dict.fromkeys(notes))


def _packed(mapping: ResolvedMapping, entry: Packing) -> Iterator[Packed]:
    found = False
    for statement in mapping.statements:
        expression = computed(statement)
        if statement.variable != entry.statement or expression is None:
            continue
        for read, *twins in _alike(statement, list(_reads(expression, entry.variable))):
            found = True
            packed = replace(_placed(mapping, entry, statement, read), twins=tuple(twins))
            _check_kept(mapping, packed)
            yield packed
    if not found:
        message = f"{entry.statement} reads nothing of {entry.variable} at its own points"
        help_ = "a reduction that is mapped at its result reads inside its own loop: NormalizeReduction, then its body"
        raise Rejected(Diagnostic(PACKING, message, Label(entry.span), help=help_))


def _alike(statement: Statement, reads: Sequence[Expression]) -> list[list[Expression]]:
    """The reads of a statement, those that are the same together."""
    names, found = statement.domain.space.names, list[list[Expression]]()
    for read in reads:
        twins = next((known for known in found if same(known[0], names, read, names)), None)
        if twins is None:
            found.append([read])
        else:
            twins.append(read)
    return found


def computed(statement: Statement) -> Expression | None:
    """What an operation of the statement evaluates; None where it only moves or initialises something."""
    if statement.equation is None or statement.role not in (Role.VALUE, Role.BODY):
        return None
    whole = without_restricts(statement.equation.expression)
    if statement.role is Role.VALUE:
        return whole
    assert isinstance(whole, Reduce)
    return whole.body


def _reads(node: Expression, variable: str, top: bool = True) -> Iterator[Expression]:
    """The outermost expressions that choose among cells of the variable, and nothing else.

    Cases at the top are statements of their own in the end, and what is inside of them is looked at.
    """
    if isinstance(node, Compose | Reduce):
        return
    if not (top and isinstance(node, Case | Restrict)):
        top = False
        if _is_choice(node, variable):
            yield node
            return
    for child in children(node):
        yield from _reads(child, variable, top)


def _is_choice(node: Expression, variable: str) -> bool:
    match node:
        case Access(name, _):
            return name == variable
        case Case() | Restrict():
            return all(_is_choice(child, variable) for child in children(node))
    return False


# --- where ------------------------------------------------------------------------------------------------------------


def _placed(mapping: ResolvedMapping, entry: Packing, statement: Statement, read: Expression) -> Packed:
    levels = mapping.levels
    along = tuple(_along(entry, statement, name) for name in _indices(mapping, statement, read))
    tiles = [
        (at, number, tile.dimension)
        for at, level in enumerate(levels)
        if level.has(statement) and not level.band.registers
        for number, tile in enumerate(level.tiles)
    ]
    wanted = {entry.dimension} if entry.dimension is not None else {each.dimension for each in along}
    chosen = [(at, number) for at, number, dimension in tiles if dimension in wanted]
    if not chosen:
        _refuse_place(entry, statement)
    at, number = chosen[-1]
    level = levels[at]
    if level.wavefront:
        number = len(level.tiles) - 1
    return Packed(statement, entry.variable, read, along, at, number, entry.span)


def _refuse_place(entry: Packing, statement: Statement) -> NoReturn:
    if entry.dimension is None:
        message = f"no dimension that this read of {entry.variable} depends on has tiles"
        help_ = "tile one of them, or name the dimension in whose tiles the buffer is filled"
    else:
        message = f"dimension {entry.dimension} of the dates of {statement.variable} has no tiles"
        help_ = "setTiling tiles it; the tiles of registers do not count"
    raise Rejected(Diagnostic(PACKING, message, Label(entry.span), (Label(statement.span, "mapped here"),), help=help_))


def _indices(mapping: ResolvedMapping, statement: Statement, read: Expression) -> tuple[str, ...]:
    """The indices of the statement that the value depends on: by where it is read, and by the tests of cases."""
    names, found = statement.domain.space.names, set[str]()
    for node in walk(read):
        if isinstance(node, Access):
            found |= {name for output in node.function.renamed(names).outputs for name in output.names}
        if isinstance(node, Case):
            for branch in node.branches:
                facts = mapping.facts
                test = facts.expression_domain[branch].gist(facts.context_domain[node]).renamed(names)
                found |= {name for piece in test.pieces() for c in piece.constraints for name in c.affine.names}
                found |= {name for piece in test.pieces() for f in piece.floors for name in f.affine.names}
    return tuple(name for name in names if name in found)


def _along(entry: Packing, statement: Statement, name: str) -> Along:
    names = set(statement.domain.space.names)
    for dimension, value in enumerate(statement.dates):
        if abs(value.coefficient(name)) == 1 and names & set(value.names) == {name}:
            return Along(name, dimension)
    message = f"index {name}, along which {statement.variable} reads {entry.variable}, is no dimension of its dates"
    help_ = "packing needs dates of which one component is the index alone"
    raise Rejected(Diagnostic(PACKING, message, Label(entry.span), (Label(statement.span, "mapped here"),), help=help_))


# --- what may be ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class _Meeting:
    """A read from a buffer and a write in the same tile; the indices of the writer have names of their own."""

    mapping: ResolvedMapping
    packed: Packed
    access: Access
    writer: Statement
    names: tuple[str, ...]

    @property
    def at(self) -> tuple[Affine, ...]:
        return self.access.function.renamed(self.packed.statement.domain.space.names).outputs

    @property
    def written(self) -> AffineFunction:
        return self.writer.target.renamed(self.names)

    def violations(self) -> Domain:
        mapping, reader = self.mapping, self.packed.statement
        mine, other = mapping.cells[self.access.variable], mapping.cells[self.writer.variable]
        space = mapping.system.space((*reader.domain.space.names, *self.names))
        cells, more = one_cell(mine, self.at, other, self.written.outputs, (*space.parameters, *space.names))
        tiles, counts = self._in_one_tile((*space.parameters, *space.names, *more))
        whole = space.with_names((*space.names, *more, *counts))
        found = Domain.where(whole, [*cells, *tiles]).in_context(mapping.system.context)
        reads = reader.domain & mapping.facts.context_domain[self.access].renamed(reader.domain.space.names)
        found = found & reads.embedded(whole) & self.writer.domain.renamed(self.names).embedded(whole)
        return found.onto(space.names)

    def _in_one_tile(self, taken: Sequence[str]) -> tuple[list[Constraint], tuple[str, ...]]:
        """The numbers of tiles have names of their own."""
        sides = list(self._sides())
        counts = fresh_names(len(sides), "t", taken)
        found: list[Constraint] = []
        for count, (dimension, size) in zip(counts, sides, strict=True):
            for date in (self.packed.statement.dates, self.writer.date.renamed(self.names).outputs):
                inside = date[dimension] - Affine.name(count) * size
                found += [at_least(inside, 0), at_least(-inside, 1 - size)]
        for dimension in range(self._level.position):
            mine, other = self.packed.statement.dates[dimension], self.writer.date.renamed(self.names).outputs
            found.append(equal(mine, other[dimension]))
        return found, counts

    @property
    def _level(self) -> Level:
        return self.mapping.levels[self.packed.level]

    def _sides(self) -> Iterator[tuple[int, int]]:
        """The dimensions and sizes of the tiles around the buffer, where they are known."""
        reader, packed = self.packed.statement, self.packed
        for at, level in enumerate(self.mapping.levels[: packed.level + 1]):
            if level.has(reader) and not level.band.registers:
                tiles = level.tiles[: packed.tile + 1] if at == packed.level else level.tiles
                yield from ((tile.dimension, tile.size) for tile in tiles if tile.size is not None)

    # --- in plain integers, and in words ---------------------------------------------------------------------------

    def recheck(self, values: Values) -> bool:
        mapping, reader = self.mapping, self.packed.statement
        date, other = reader.date.at(self._own(values)), self.writer.date.at(self._others(values))
        cells = mapping.cells
        return (
            reader.domain.contains(self._own(values))
            and self.writer.domain.contains(self._others(values))
            and date[: self._level.position] == other[: self._level.position]
            and all(date[d] // size == other[d] // size for d, size in self._sides())
            and location(cells[self.access.variable], values, self._read(values))
            == location(cells[self.writer.variable], values, self._lost(values))
        )

    def _own(self, values: Values) -> Values:
        """By the names that the dates of the reader use."""
        reader = self.packed.statement
        named = zip(reader.date.domain.names, reader.domain.space.names, strict=True)
        return {**values, **{name: values[own] for name, own in named}}

    def _others(self, values: Values) -> Values:
        writer = self.writer
        point = [values[name] for name in self.names]
        by_date = dict(zip(writer.date.domain.names, point, strict=True))
        return {**values, **by_date, **dict(zip(writer.domain.space.names, point, strict=True))}

    def _read(self, values: Values) -> tuple[int, ...]:
        return tuple(output.at(values) for output in self.at)

    def _lost(self, values: Values) -> tuple[int, ...]:
        return self.written.at(values)

    def explain(self, values: Values) -> Witness:
        parameters = tuple((name, values[name]) for name in self.mapping.system.parameters)
        reader, writer = self.packed.statement, self.writer
        mine = tuple(values[name] for name in reader.domain.space.names)
        other = tuple(values[name] for name in self.names)
        dated = reader.date.at(self._own(values)), writer.date.at(self._others(values))
        places = (
            Place("reader", reader.variable, mine, dated[0]),
            Place("writer", writer.variable, other, dated[1]),
        )
        read = point_text(self.access.variable, self._read(values))
        lost = point_text(writer.variable, self._lost(values))
        where = f", in the cell of {lost}" if lost != read else ""
        sentence = (
            f"{point_text(reader.name, mine)}, at {date_text(dated[0])}, reads {read}; "
            f"{point_text(writer.name, other)}, at {date_text(dated[1])}, writes it{where}, in the same tile"
        )
        return Witness(parameters, places, f"{given(values, self.mapping.system.parameters)}{sentence}")

    def obligation(self) -> Obligation:
        reader, writer = self.packed.statement, self.writer
        variable = self.access.variable
        return Obligation(
            PACKING,
            f"{writer.name} writes nothing of {variable} in a tile in which {reader.variable} reads a copy of it",
            self.violations,
            (("reader", reader.domain.space.names), ("writer", self.names)),
            self.explain,
            self.recheck,
            self.packed.span,
            (Label(self.access.span, "read here"), Label(writer.span, f"dates of {writer.name}")),
        )


def _check_kept(mapping: ResolvedMapping, packed: Packed) -> None:
    """Nothing in the tile writes what is read. Raises Rejected."""
    _check_no_call(mapping, packed)
    space = mapping.cells[packed.variable].space
    writers = [
        s for s in mapping.statements if s.variable in mapping.cells and mapping.cells[s.variable].space == space
    ]
    taken = (*mapping.system.parameters, *packed.statement.domain.space.names)
    for access in (node for node in walk(packed.read) if isinstance(node, Access)):
        for writer in writers:
            names = fresh_names(writer.domain.space.dimensions, "w", taken)
            _discharge(packed, _Meeting(mapping, packed, access, writer, names).obligation())


def _discharge(packed: Packed, obligation: Obligation) -> None:
    verdict = discharge(obligation)
    if isinstance(verdict, Proved):
        return
    if isinstance(verdict, Refuted):
        message = f"{packed.variable} is written in the tile in which it is packed"
        help_ = "fill the buffer in tiles further inside (name a dimension), or do not pack this variable"
        found = Diagnostic(
            PACKING, message, Label(obligation.span), obligation.related, witness=verdict.witness, help=help_
        )
        raise Rejected(found)
    message = f"it is not decided whether {packed.variable} is written in the tile in which it is packed"
    raise Rejected(Diagnostic(PACKING, message, Label(obligation.span), obligation.related, notes=(verdict.reason,)))


def _check_no_call(mapping: ResolvedMapping, packed: Packed) -> None:
    """What calls write is not asked about: their spaces are not packed."""
    space = mapping.cells[packed.variable].space
    results = {n for e in mapping.system.equations if isinstance(e, UseEquation) for n in e.outputs}
    held = {a.name for use in mapping.uses for a in use.arguments if a.has_array}
    for name in (*results, *held):
        if name in mapping.cells and mapping.cells[name].space == space:
            message = f"{packed.variable} shares its memory with {name}, which a call may write"
            raise Rejected(Diagnostic(PACKING, message, Label(packed.span), help="do not pack this variable"))
