"""The array elements that the operations of a mapping access, with the dates of the accesses."""

from collections.abc import Iterator
from dataclasses import dataclass

from alphaz.mapping.resolved_mapping import ResolvedMapping
from alphaz.mapping.spaces import callers_own, occupants
from alphaz.mapping.statement import Role, Statement
from alphaz.model.program import Kind
from alphaz.order.operation_table import operations
from alphaz.poly import Affine, AffineFunction, Domain

_COMPUTING = (Role.VALUE, Role.BODY, Role.INIT)


@dataclass(frozen=True, slots=True, eq=False)
class ReferenceTouch:
    """For each point of `domain`, the operation of `statement` at `date` touches `array[element]`; both are over the
    names of the domain. The element's index that moves along memory is the last. `moduli` fold the others (0: none).
    """

    statement: Statement
    domain: Domain
    date: tuple[Affine, ...]
    array: str
    element: tuple[Affine, ...]
    moduli: tuple[int, ...]
    bytes: int
    is_write: bool


def touches_of(mapping: ResolvedMapping) -> tuple[ReferenceTouch, ...]:
    """Returns all touches of a mapping, except those of calls, which are not known."""
    places = _places(mapping)
    return (*_reads(mapping, places), *_writes(mapping, places))


def _reads(mapping: ResolvedMapping, places: "dict[str, _Place]") -> Iterator[ReferenceTouch]:
    for read in operations(mapping).reads:
        statement = read.reader.statement
        if statement is not None and statement.role in _COMPUTING and read.variable in places:
            date = tuple(_through(output, read.at, statement) for output in statement.dates)
            yield _touch(places[read.variable], statement, read.domain, date, read.function, is_write=False)


def _writes(mapping: ResolvedMapping, places: "dict[str, _Place]") -> Iterator[ReferenceTouch]:
    for statement in mapping.statements:
        if statement.role in _COMPUTING:
            target = statement.target.renamed(statement.domain.space.names)
            place = places[statement.variable]
            yield _touch(place, statement, statement.domain, statement.dates, target, is_write=True)


def _through(value: Affine, at: AffineFunction, statement: Statement) -> Affine:
    return value.substitute(dict(zip(statement.domain.space.names, at.outputs, strict=True)))


@dataclass(frozen=True, slots=True)
class _Place:
    array: str
    function: AffineFunction
    moduli: tuple[int, ...]
    order: tuple[int, ...]
    bytes: int


def _places(mapping: ResolvedMapping) -> dict[str, _Place]:
    system, places = mapping.system, {}
    for space, together in occupants(system, mapping.cells).items():
        owner = callers_own(system, mapping.cells, together, mapping.overwritable)
        for variable in together:
            cell = mapping.cells[variable.name]
            own = owner is variable and variable.kind is Kind.INPUT and len(together) == 1
            function = AffineFunction.identity(variable.domain.space) if own else cell.function
            moduli = tuple(0 if own or not isinstance(m, int) else m for m in cell.moduli)
            moduli = moduli if len(moduli) == len(function.outputs) else (0,) * len(function.outputs)
            layout = next((mapping.layouts[v.name] for v in together if v.name in mapping.layouts), None)
            width = len(function.outputs)
            order = layout.order if layout is not None and len(layout.order) == width else tuple(range(width))
            size = variable.type.bytes
            places[variable.name] = _Place(
                array=variable.name if own else space, function=function, moduli=moduli, order=order, bytes=size
            )
    return places


def _touch(
    place: _Place,
    statement: Statement,
    domain: Domain,
    date: tuple[Affine, ...],
    function: AffineFunction,
    is_write: bool,
) -> ReferenceTouch:
    values = dict(zip(place.function.domain.names, function.outputs, strict=True))
    cell = [output.substitute(values) for output in place.function.outputs]
    return ReferenceTouch(
        statement=statement,
        domain=domain,
        date=date,
        array=place.array,
        element=tuple(cell[at] for at in place.order),
        moduli=tuple(place.moduli[at] for at in place.order),
        bytes=place.bytes,
        is_write=is_write,
    )
