"""What happens in a system, as the plain data of a certificate: operations, reads, cells, and their numbers."""

from collections.abc import Mapping

from alphaz.certificate.certificate import Band, Buffer, Cells, Copied, Inventory, Place, Side
from alphaz.certificate.certificate import Lifetime as LifetimeRecord
from alphaz.certificate.certificate import Operations as FamilyRecord
from alphaz.certificate.certificate import Read as ReadRecord
from alphaz.certificate.violations import Sum
from alphaz.diagnostics import Label, Span
from alphaz.diagnostics.render.region import Region, is_nowhere
from alphaz.mapping.aliases import Copy
from alphaz.mapping.bands import limits
from alphaz.mapping.packed import Packed
from alphaz.mapping.statement import Cell
from alphaz.poly import AffineFunction
from alphaz.proof.plain import cases_of, sum_of
from alphaz.verify.obligations.copies import packed_reads
from alphaz.verify.order.operations import Family
from alphaz.verify.reads.read import Read
from alphaz.verify.reads.table import Operations
from alphaz.verify.reads.uses import Lifetime


def families_of(operations: Operations) -> dict[Family, int]:
    """Every family with its number: those that write, then what does it (contributions, calls), then the rest."""
    readers = (read.reader for read in operations.reads)
    arrays = (f for life in operations.lifetimes for f in (life.allocation, *life.users, life.free) if f is not None)
    every = dict.fromkeys((*operations.families, *operations.dated, *readers, *arrays))
    return {family: at for at, family in enumerate(every)}


def inventory(operations: Operations, numbers: Mapping[Family, int]) -> Inventory:
    """`numbers` are those of `families_of`."""
    mapping = operations.mapping
    return Inventory(
        parameters=mapping.system.parameters,
        context=cases_of(mapping.system.context.pieces()),
        operations=tuple(_family(family, numbers) for family in numbers),
        reads=tuple(_read(read, numbers[read.reader]) for read in operations.reads),
        cells=tuple(map(_cells, mapping.cells.values())),
        lifetimes=tuple(_lifetime(lifetime, numbers) for lifetime in operations.lifetimes),
        before=tuple(sorted(mapping.before)),
        bands=tuple(Band(band.prefix, *limits(band)) for band in mapping.bands),
        copies=tuple(map(_copied, mapping.aliases.every)),
        buffers=tuple(_buffer(operations, packed) for packed in mapping.packed),
    )


def _buffer(operations: Operations, packed: Packed) -> Buffer:
    mapping, reads = operations.mapping, packed_reads(operations, packed)
    return Buffer(
        tuple(at for at, read in enumerate(operations.reads) if read in reads),
        mapping.levels[packed.level].position,
        tuple(Side(dimension, size) for dimension, size in mapping.sides_around(packed)),
    )


def _copied(copy: Copy) -> Copied:
    return Copied(
        variable=copy.variable,
        names=copy.domain.space.names,
        domain=cases_of(copy.domain.pieces()),
        source=copy.source,
        index=_sums(copy.function),
        text=str(copy),
    )


def place(label: Label) -> Place | None:
    """None for what stands in no text of the user."""
    if is_nowhere(label.span):
        return None
    region = Region.of(label.span)
    return Place(
        file=label.span.source.name,
        line=region.line,
        column=region.column,
        endLine=region.end_line,
        endColumn=region.end_column,
        label=label.text,
    )


def _lifetime(lifetime: Lifetime, numbers: Mapping[Family, int]) -> LifetimeRecord:
    instance = lifetime.argument.instance
    return LifetimeRecord(
        argument=lifetime.argument.name,
        allocation=None if lifetime.allocation is None else numbers[lifetime.allocation],
        users=tuple(numbers[user] for user in lifetime.users),
        free=None if lifetime.free is None else numbers[lifetime.free],
        names=instance.domain.names,
        instance=_sums(instance),
    )


def _family(family: Family, numbers: Mapping[Family, int]) -> FamilyRecord:
    statement = family.statement
    return FamilyRecord(
        name=family.name,
        variable=family.variable,
        moment=family.moment.name.lower(),
        role=_role(family),
        names=family.names,
        domain=cases_of(family.domain.pieces()),
        target=_sums(family.target),
        date=_sums(statement.date) if statement else (),
        kinds=tuple(map(str, family.kinds)),
        whole=None if family.whole is None else numbers[family.whole],
        direct=family.direct,
    )


def _role(family: Family) -> str:
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


def _where(span: Span) -> Place | None:
    return place(Label(span))


def _cells(cell: Cell) -> Cells:
    factors = tuple(Sum({}, m) if isinstance(m, int) else sum_of(m) for m in cell.moduli)
    return Cells(
        variable=cell.variable,
        space=cell.space,
        names=cell.function.domain.names,
        map=_sums(cell.function),
        factors=factors,
    )


def _sums(function: AffineFunction) -> tuple[Sum, ...]:
    return tuple(map(sum_of, function.outputs))
