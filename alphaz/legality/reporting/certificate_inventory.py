"""Inventory of a system as plain data of a certificate: operations, reads, cells, and their numbers."""

from collections.abc import Collection, Iterator, Mapping

from alphaz.certificate.mapping_inventory import (
    BandRecord,
    BorderRecord,
    BufferRecord,
    CellRecord,
    Copied,
    InPlaceRecord,
    Inventory,
    KeptRecord,
    PlaceRecord,
    RanksRecord,
    ScanRecord,
    SideRecord,
)
from alphaz.certificate.mapping_inventory import LifetimeRecord as LifetimeRecord
from alphaz.certificate.mapping_inventory import OperationRecord as FamilyRecord
from alphaz.certificate.mapping_inventory import ReadRecord as ReadRecord
from alphaz.certificate.violation_sets import LinearSum
from alphaz.diagnostics import Label, Span
from alphaz.diagnostics.render.snippet import LineRegion, is_nowhere
from alphaz.legality.message_overlap import Border
from alphaz.legality.obligations.copies import packed_reads
from alphaz.legality.obligations.overlapped_tiles import selection
from alphaz.legality.obligations.prefix_scans import scan_reads
from alphaz.legality.obligations.rank_communication import Ranks, ranks_of
from alphaz.mapping.aliases import Copy
from alphaz.mapping.resolved_mapping import PackedRead
from alphaz.mapping.statement import Cell
from alphaz.mapping.target_mapping import Band
from alphaz.order.call_operations import ArrayLifetime
from alphaz.order.mapped_read import Read
from alphaz.order.operation_table import OperationTable
from alphaz.order.operations import StatementInstances
from alphaz.poly import AffineFunction
from alphaz.proof.certificate_formulas import cases_of, sum_of

# The roles of operations that compute the instances of a kept variable.
_COMPUTED = ("body", "contribution")


def families_of(operations: OperationTable) -> dict[StatementInstances, int]:
    """Returns every family with its number: those that write, then their operations (contributions, calls), then the
    rest.
    """
    readers = (read.reader for read in operations.reads)
    arrays = (f for life in operations.lifetimes for f in (life.allocation, *life.users, life.free) if f is not None)
    every = dict.fromkeys((*operations.families, *operations.dated, *readers, *arrays))
    return {family: position for position, family in enumerate(every)}


def inventory(
    operations: OperationTable, numbers: Mapping[StatementInstances, int], border: Border | None = None
) -> Inventory:
    """Returns the inventory of a system; `numbers` are those of `families_of`, `border` that of a proved overlap."""
    mapping = operations.mapping
    kept = {entry.variable for entry in mapping.kept_once}
    return Inventory(
        parameters=mapping.system.parameters,
        context=cases_of(mapping.system.context.pieces()),
        operations=tuple(_family(family, numbers, kept) for family in numbers),
        reads=tuple(_read(read, numbers[read.reader]) for read in operations.reads),
        cells=tuple(map(_cells, mapping.cells.values())),
        lifetimes=tuple(_lifetime(lifetime, numbers) for lifetime in operations.lifetimes),
        before=tuple(sorted(mapping.before)),
        bands=tuple(map(_band, mapping.bands)),
        copies=tuple(map(_copy_record, mapping.aliases.every)),
        buffers=tuple(_buffer(operations, packed) for packed in mapping.packed if not packed.is_final),
        in_place=tuple(_in_place(operations, numbers)),
        kept=tuple(_kept(operations, numbers, entry.variable) for entry in mapping.kept_once),
        ranks=_ranks(operations, ranks_of(operations), border),
    )


def _ranks(operations: OperationTable, ranks: Ranks | None, border: Border | None) -> RanksRecord | None:
    if ranks is None:
        return None
    distribution = ranks.distribution
    return RanksRecord(
        first=distribution.position,
        last=distribution.position + distribution.width - 1,
        blocks=distribution.is_by_blocks,
        pipeline=ranks.is_pipeline,
        ghosts=tuple(map(_cells, distribution.ghosts.values())),
        border=None if border is None else BorderRecord(border.low, border.high),
        scans=tuple(
            ScanRecord(scan.variable, scan.operator, scan.index, scan_reads(operations, scan))
            for scan in distribution.scans
        ),
    )


def _band(band: Band) -> BandRecord:
    return BandRecord(
        prefix=band.prefix,
        first=band.first,
        last=band.last,
        ordering=tuple(sorted(band.ordering)),
        registers=band.registers,
        sizes=band.sizes,
        wavefront=band.wavefront,
        recursive=tuple(sorted(band.recursive)),
    )


def _in_place(operations: OperationTable, numbers: Mapping[StatementInstances, int]) -> Iterator[InPlaceRecord]:
    for argument in (output for use in operations.mapping.uses for output in use.outputs if output.in_place):
        (writer,) = operations.writers[argument.variable or ""]
        yield InPlaceRecord(numbers[writer], cases_of(argument.domain.renamed(writer.names).pieces()))


def _kept(operations: OperationTable, numbers: Mapping[StatementInstances, int], variable: str) -> KeptRecord:
    """Returns the record of a kept variable; its instances are those of its operations, if each has one."""
    domain = operations.system.variable(variable).domain.in_context(operations.system.context)
    reduction, instances = selection(operations, variable)
    target = reduction.projection
    for family in numbers:
        if family.variable == variable and _role(family) in _COMPUTED:
            instances, target = family.domain, family.target
    instances = instances.simplify()
    return KeptRecord(
        variable=variable,
        names=domain.space.names,
        domain=cases_of(domain.pieces()),
        indices=instances.space.names,
        instances=cases_of(instances.pieces()),
        target=_sums(target),
    )


def _buffer(operations: OperationTable, packed: PackedRead) -> BufferRecord:
    mapping, reads = operations.mapping, packed_reads(operations, packed)
    return BufferRecord(
        tuple(index for index, read in enumerate(operations.reads) if read in reads),
        mapping.levels[packed.level].position,
        tuple(SideRecord(dimension, size) for dimension, size in mapping.sides_around(packed)),
    )


def _copy_record(copy: Copy) -> Copied:
    return Copied(
        variable=copy.variable,
        names=copy.domain.space.names,
        domain=cases_of(copy.domain.pieces()),
        source=copy.source,
        index=_sums(copy.function),
        text=str(copy),
    )


def place(label: Label) -> PlaceRecord | None:
    """Returns the record of a place; None for labels outside the user's text."""
    if is_nowhere(label.span):
        return None
    region = LineRegion.of(label.span)
    return PlaceRecord(
        file=label.span.source.name,
        line=region.line,
        column=region.column,
        endLine=region.end_line,
        endColumn=region.end_column,
        label=label.text,
    )


def _lifetime(lifetime: ArrayLifetime, numbers: Mapping[StatementInstances, int]) -> LifetimeRecord:
    instance = lifetime.argument.instance
    return LifetimeRecord(
        argument=lifetime.argument.name,
        allocation=None if lifetime.allocation is None else numbers[lifetime.allocation],
        users=tuple(numbers[user] for user in lifetime.users),
        free=None if lifetime.free is None else numbers[lifetime.free],
        names=instance.domain.names,
        instance=_sums(instance),
    )


def _family(
    family: StatementInstances, numbers: Mapping[StatementInstances, int], kept: Collection[str]
) -> FamilyRecord:
    """Returns the record of a family; instances of `kept` variables have fewer cases, since each is looked for."""
    statement = family.statement
    is_instance = family.variable in kept and _role(family) in _COMPUTED
    return FamilyRecord(
        name=family.name,
        variable=family.variable,
        moment=family.moment.name.lower(),
        role=_role(family),
        names=family.names,
        domain=cases_of((family.domain.simplify() if is_instance else family.domain).pieces()),
        target=_sums(family.target),
        date=_sums(statement.date) if statement else (),
        kinds=tuple(map(str, family.kinds)),
        whole=None if family.whole is None else numbers[family.whole],
        direct=family.direct,
    )


def _role(family: StatementInstances) -> str:
    if family.statement is None:
        return ""
    if family.statement.merged_at is not None:
        return "merge" if family.merge else "contribution"
    return str(family.statement.role)


def _read(read: Read, reader: int) -> ReadRecord:
    return ReadRecord(
        reader=reader,
        running=read.is_running,
        direct=read.direct,
        names=read.names,
        domain=cases_of(read.domain.pieces()),
        at=_sums(read.at),
        variable=read.variable,
        index=_sums(read.function),
        text=read.span.text,
        place=_where(read.span),
    )


def _where(span: Span) -> PlaceRecord | None:
    return place(Label(span))


def _cells(cell: Cell) -> CellRecord:
    factors = tuple(LinearSum({}, m) if isinstance(m, int) else sum_of(m) for m in cell.moduli)
    return CellRecord(
        variable=cell.variable,
        space=cell.space,
        names=cell.function.domain.names,
        map=_sums(cell.function),
        factors=factors,
        outer=cell.outer,
    )


def _sums(function: AffineFunction) -> tuple[LinearSum, ...]:
    return tuple(map(sum_of, function.outputs))
