"""Refuses mappings, and loops of passes, that a target cannot express; warns of vector dimensions without vectors."""

from collections.abc import Iterator, Mapping

from alphaz.c.tree import AddressSpace
from alphaz.codegen.c.arrays import FlatArray
from alphaz.codegen.scheduled.loop_levels import rows_in_vectors
from alphaz.codegen.scheduled.memory.buffers import Buffer
from alphaz.codegen.scheduled.memory.storage import Storage
from alphaz.codegen.scheduled.statements.statement_templates import StatementTemplate
from alphaz.codegen.targets.target import Target
from alphaz.diagnostics import Diagnostic, Label, Rejected, Span
from alphaz.diagnostics.rules import NO_VECTORS, NOT_YET
from alphaz.loops.modes import Blocks, Mode, Register, Vector
from alphaz.loops.tree import Allocate, For, Node, Scratch, inside, statement_names
from alphaz.mapping.resolved_mapping import ResolvedMapping
from alphaz.mapping.statement import Role
from alphaz.mapping.target_mapping import DimensionKind
from alphaz.poly.plain.integer_expression import IntegerConstant

_MODES: dict[DimensionKind, type[Mode]] = {DimensionKind.VECTOR: Vector}
"""The modes of loops that commands for kinds of dimensions ask for. Parallel dimensions may run in sequence."""


def check_mapping(mapping: ResolvedMapping, target: Target) -> None:
    """Raises Rejected(NOT_YET) at the commands that ask for modes of loops, or ranks, that the target does not have."""
    if mapping.distribution is not None and not target.has_ranks:
        raise Rejected(_refused(target, "ranks", mapping.distribution.span))
    if mapping.distribution is None and target.has_ranks:
        message = f"the target `{target.name}` executes distributed mappings, and no dimension is distributed"
        help_ = "add setDistributed, or choose another target"
        raise Rejected(Diagnostic(NOT_YET, message, Label(mapping.system.span), help=help_))
    for band in mapping.bands:
        if band.registers and (Register not in target.modes or Blocks in target.modes):
            what = (
                "register tiles of dimensions that threads do not share" if Blocks in target.modes else _loops(Register)
            )
            raise Rejected(_refused(target, what, band.span))
    missing = {span: mode for span, mode in _wanted_modes(mapping) if mode not in target.modes}
    if missing:
        raise Rejected(*(_refused(target, _loops(mode), span) for span, mode in missing.items()))


def _wanted_modes(mapping: ResolvedMapping) -> Iterator[tuple[Span, type[Mode]]]:
    for statement in mapping.statements:
        for setting in filter(None, statement.settings):
            if setting.kind in _MODES:
                yield setting.span, _MODES[setting.kind]


def check_loops(tree: Node, mapping: ResolvedMapping, target: Target) -> None:
    """Raises Rejected(NOT_YET) for a mode or a memory space that the target does not have."""
    match tree:
        case For(mode=mode) if type(mode) not in target.modes:
            raise Rejected(_refused(target, _loops(type(mode)), mapping.system.span))
        case Allocate(scratch) if scratch.space not in target.spaces:
            raise Rejected(_refused(target, _memory(scratch), _place(scratch, mapping)))
    for child in inside(tree):
        check_loops(child, mapping, target)


def check_packed_values(tree: Node, buffers: Mapping[str, Buffer]) -> None:
    """Raises Rejected(NOT_YET) for buffers in the memory of a block whose sizes are no numbers."""
    match tree:
        case Allocate(Scratch(space=AddressSpace.SHARED) as scratch):
            for name in scratch.buffers:
                if name in buffers:
                    _check_sides(buffers[name])
    for child in inside(tree):
        check_packed_values(child, buffers)


_STACK_BYTES = 1024 * 1024


def check_private_memory(tree: Node, mapping: ResolvedMapping, storage: Storage) -> None:
    """Raises Rejected(NOT_YET) for private memory of threads that is too large for their stacks."""
    arrays = {array.name: (space, array) for space, array in storage.private.items()}
    own = [arrays[name] for name in sorted(_on_stacks(tree)) if name in arrays]
    total = sum(_size(array) for _, array in own)
    if total > _STACK_BYTES:
        span = next(cell.span for cell in mapping.cells.values() if cell.space == own[0][0])
        message = f"the private memory of an iteration takes {total:,} bytes, and there are {_STACK_BYTES:,}"
        raise Rejected(Diagnostic(NOT_YET, message, Label(span), help="choose smaller tiles"))


def _on_stacks(tree: Node) -> set[str]:
    """Returns the names of buffers that are not in the memory of a block."""
    names = {name for child in inside(tree) for name in _on_stacks(child)}
    if isinstance(tree, Allocate) and tree.scratch.space is not AddressSpace.SHARED:
        names.update(tree.scratch.buffers)
    return names


def _size(array: FlatArray) -> int:
    assert array.size is not None
    return array.size * array.type.bytes


def _check_sides(buffer: Buffer) -> None:
    for side in buffer.sides:
        if not isinstance(side.extent, IntegerConstant):
            variable = buffer.packed.variable
            message = f"the packed values of {variable} are not of a constant number along {side.name}"
            remedy = f"tile dimension {side.dimension} by a number, and pack in its tiles"
            raise Rejected(Diagnostic(NOT_YET, message, Label(buffer.packed.span), help=remedy))


def not_launched(mapping: ResolvedMapping, reason: str) -> Diagnostic:
    """Returns the finding for blocks and threads that cannot share loops as the script says."""
    private = [cell.span for cell in mapping.cells.values() if cell.outer]
    if private and not mapping.launches:
        remedy = "let all statements that use it have loops over the same leading dimensions of the dates"
        return Diagnostic(NOT_YET, reason, Label(private[0]), help=remedy)
    span = mapping.launches[0].span if mapping.launches else mapping.system.span
    remedy = "share other dimensions among threads, or make a sequential dimension outside of the blocks"
    return Diagnostic(NOT_YET, reason, Label(span), help=remedy)


def _loops(mode: type[Mode]) -> str:
    return f"{mode.__name__.lower()} loops"


def _memory(scratch: Scratch) -> str:
    use = "packed values" if scratch.buffers else "partial results"
    return f"{scratch.space.name.lower()} memory for {use}"


def _place(scratch: Scratch, mapping: ResolvedMapping) -> Span:
    """Returns the first command that packs, else the system."""
    return mapping.packed[0].span if scratch.buffers and mapping.packed else mapping.system.span


def _refused(target: Target, lacking: str, span: Span) -> Diagnostic:
    remedy = "choose another target (`setTarget`, `--target`), or leave the command out"
    return Diagnostic(NOT_YET, f"the target `{target.name}` has no {lacking}", Label(span), help=remedy)


def unvectorised_warnings(
    mapping: ResolvedMapping, tree: Node, actions: Mapping[str, StatementTemplate]
) -> list[Diagnostic]:
    """Returns a warning (AZ816) for each command whose vector dimension has rows of a register tile inside and no loop
    in vectors, for an accumulation.
    """
    reached = {s.name for name in _in_vectors(tree) if (s := actions[name].statement) is not None}
    sums = [a.statement for a in actions.values() if a.statement is not None and not a.assigns]
    missing: dict[Label, dict[str, None]] = {}
    for statement in sums:
        if statement.role is Role.BODY and statement.name not in reached:
            for dimension in rows_in_vectors(mapping, statement):
                setting = statement.settings[dimension]
                if setting is not None:
                    missing.setdefault(Label(setting.span), {})[statement.name] = None
    return [_warning(label, list(names)) for label, names in missing.items()]


def _in_vectors(node: Node) -> Iterator[str]:
    if isinstance(node, For):
        in_groups = node.split is not None and any(group.vector for group in node.split.groups)
        if node.vector_dimension or in_groups:
            yield from statement_names(node)
    for child in inside(node):
        yield from _in_vectors(child)


def _warning(label: Label, names: list[str]) -> Diagnostic:
    return Diagnostic(
        NO_VECTORS,
        f"no loop over this vector dimension is in vectors for {' and '.join(names)}: the rows of the register tile "
        "are computed one by one",
        label,
        notes=(
            "in vectors, operations report no failures, call no external functions, have no loops inside, and "
            "accumulate by an operator of OpenMP; their iterations are independent in a tile, and the same "
            "for all of its rows if threads collect the results",
        ),
        help="leave out setVectorDimension: the register tile alone is faster",
    )
