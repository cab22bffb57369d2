"""Selects the packed reads and the places where their buffers are filled. `alphaz.legality` proves them legal (P)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NoReturn

from alphaz.diagnostics import Diagnostic, Label, Rejected
from alphaz.diagnostics.rules import IGNORED, PACKING
from alphaz.mapping.resolved_mapping import Along, PackedRead, ResolvedMapping
from alphaz.mapping.statement import Role, Statement
from alphaz.mapping.target_mapping import DimensionKind, Packing
from alphaz.model.expression import Access, Case, Compose, Expression, Reduce, Restrict
from alphaz.model.program import UseEquation
from alphaz.model.walk import children, has_same_form, walk, without_restricts

Values = Mapping[str, int]


def packed_reads(
    mapping: ResolvedMapping, stated: Sequence[Packing]
) -> tuple[tuple[PackedRead, ...], tuple[Diagnostic, ...]]:
    """Returns every packed read, and warnings about reads that are not packed because their tiles have a reduction
    dimension.

    Raises Rejected (AZ413) at a command that cannot be applied.
    """
    result: list[PackedRead] = []
    notes: list[Diagnostic] = []
    for entry in stated:
        for packed in _packed_reads(mapping, entry):
            level = mapping.levels[packed.level]
            if any(level.has(s) and DimensionKind.REDUCTION in s.kinds for s in mapping.statements):
                message = f"{packed.variable} is not packed: the tiles have a reduction dimension"
                notes.append(Diagnostic(IGNORED, message, Label(entry.span), (Label(level.band.span, "tiled here"),)))
            else:
                result.append(packed)
    return tuple(result), tuple(dict.fromkeys(notes))


def _packed_reads(mapping: ResolvedMapping, entry: Packing) -> Iterator[PackedRead]:
    is_packed = False
    for statement in mapping.statements:
        expression = computed_expression(statement)
        if statement.variable != entry.statement or expression is None:
            continue
        for read, *twins in _alike(statement, list(_reads(expression, entry.variable))):
            is_packed = True
            packed = replace(_packed_read(mapping, entry, statement, read), twins=tuple(twins))
            _check_no_call(mapping, packed)
            yield packed
    if not is_packed:
        message = f"{entry.statement} reads nothing of {entry.variable} at its own points"
        help_ = "a reduction that is mapped at its result reads inside its own loop: NormalizeReduction, then its body"
        raise Rejected(Diagnostic(PACKING, message, Label(entry.span), help=help_))


def _alike(statement: Statement, reads: Sequence[Expression]) -> list[list[Expression]]:
    """Returns the reads of a statement, grouped by equality."""
    names, groups = statement.domain.space.names, list[list[Expression]]()
    for read in reads:
        twins = next((group for group in groups if has_same_form(group[0], names, read, names)), None)
        if twins is None:
            groups.append([read])
        else:
            twins.append(read)
    return groups


def computed_expression(statement: Statement) -> Expression | None:
    """Returns the expression that an operation of the statement evaluates; None where it only moves or initialises a
    value.
    """
    if statement.equation is None or statement.role not in (Role.VALUE, Role.BODY):
        return None
    whole = without_restricts(statement.equation.expression)
    if statement.role is Role.VALUE:
        return whole
    assert isinstance(whole, Reduce)
    return whole.body


def _reads(node: Expression, variable: str, top: bool = True) -> Iterator[Expression]:
    """Yields the outermost expressions that only select among cells of the variable.

    Cases at the top become separate statements, so their branches are searched.
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


def _packed_read(mapping: ResolvedMapping, entry: Packing, statement: Statement, read: Expression) -> PackedRead:
    levels = mapping.levels
    along = tuple(_along(entry, statement, name) for name in _indices(mapping, statement, read))
    tiles = [
        (position, number, tile.dimension)
        for position, level in enumerate(levels)
        if level.has(statement) and not level.band.registers
        for number, tile in enumerate(level.tiles)
    ]
    dimensions = {entry.dimension} if entry.dimension is not None else {step.dimension for step in along}
    chosen = [(at, number) for at, number, dimension in tiles if dimension in dimensions or entry.is_final]
    if not chosen:
        _refuse_place(entry, statement)
    at, number = chosen[-1]
    level = levels[at]
    if level.wavefront or level.recursive:
        number = len(level.tiles) - 1
    return PackedRead(
        statement=statement,
        variable=entry.variable,
        read=read,
        along=along,
        level=at,
        tile=number,
        span=entry.span,
        is_final=entry.is_final,
    )


def _refuse_place(entry: Packing, statement: Statement) -> NoReturn:
    if entry.dimension is None:
        message = f"no dimension that this read of {entry.variable} depends on has tiles"
        help_ = "tile one of them, or name the dimension in whose tiles the buffer is filled"
    else:
        message = f"dimension {entry.dimension} of the dates of {statement.variable} has no tiles"
        help_ = "setTiling tiles it; the tiles of registers do not count"
    raise Rejected(Diagnostic(PACKING, message, Label(entry.span), (Label(statement.span, "mapped here"),), help=help_))


def _indices(mapping: ResolvedMapping, statement: Statement, read: Expression) -> tuple[str, ...]:
    """Returns the indices of the statement that the value depends on: through the access, and through the tests of
    cases.
    """
    names, indices = statement.domain.space.names, set[str]()
    for node in walk(read):
        if isinstance(node, Access):
            indices |= {name for output in node.function.renamed(names).outputs for name in output.names}
        if isinstance(node, Case):
            for branch in node.branches:
                facts = mapping.facts
                test = facts.expression_domain[branch].gist(facts.context_domain[node]).renamed(names)
                indices |= {name for piece in test.pieces() for c in piece.constraints for name in c.affine.names}
                indices |= {name for piece in test.pieces() for f in piece.floors for name in f.affine.names}
    return tuple(name for name in names if name in indices)


def _along(entry: Packing, statement: Statement, name: str) -> Along:
    names = set(statement.domain.space.names)
    for dimension, value in enumerate(statement.dates):
        if abs(value.coefficient(name)) == 1 and names & set(value.names) == {name}:
            return Along(name, dimension)
    message = f"index {name}, along which {statement.variable} reads {entry.variable}, is no dimension of its dates"
    help_ = "packing needs dates of which one component is the index alone"
    raise Rejected(Diagnostic(PACKING, message, Label(entry.span), (Label(statement.span, "mapped here"),), help=help_))


def _check_no_call(mapping: ResolvedMapping, packed: PackedRead) -> None:
    """Rejects packing of spaces that calls write: there is no obligation for these writes."""
    space = mapping.cells[packed.variable].space
    results = {n for e in mapping.system.equations if isinstance(e, UseEquation) for n in e.outputs}
    held = {a.name for use in mapping.uses for a in use.arguments if a.has_array}
    for name in (*results, *held):
        if name in mapping.cells and mapping.cells[name].space == space:
            message = f"{packed.variable} shares its memory with {name}, which a call may write"
            raise Rejected(Diagnostic(PACKING, message, Label(packed.span), help="do not pack this variable"))
