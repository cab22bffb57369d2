"""Layout of variables as C arguments: over the bounding box of the domain, from the lower corner, or in a storage
format."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

from alphaz.mapping.storage_formats import Layout, index
from alphaz.model.program import System, Variable
from alphaz.poly import Affine, AffineFunction, Constraint, at_least, less
from alphaz.poly.algorithms.bounds import bounding_box
from alphaz.poly.plain.integer_expression import Integer, IntegerConstant, IntegerName, IntegerOperation, as_affine
from alphaz.poly.plain.polynomial import Polynomial
from alphaz.scop.extraction import Shape
from alphaz.scop.index_polynomials import affine
from alphaz.scop.packed_arrays import PackedArray, packed_array

_NOT_AFFINE = "a bound of the bounding box of a variable is not affine"


class NoShape(Exception):
    """A bound of the box, or the cell of a point, is not affine; with the remedy, if there is one."""

    def __init__(self, why: str, remedy: str | None = None) -> None:
        super().__init__(why)
        self.remedy = remedy


@dataclass(frozen=True, slots=True)
class ArgumentPlace:
    """The cells of a variable: point z is the cell `cells(z)` of a row-major array of these `extents`; both call the
    indices of the variable `index(0)`, `index(1)`, .. .

    `held` are the conditions of the cells that may be accessed, by subscripts of these names: with a storage format the
    cells that hold points; if the number of rows is a minimum, the cells of the box. None: all cells inside the
    extents. (With `held` the first extent is not checked, and may exceed that of the array.) The cells of a packed
    variable are those of a box as well, and `packed` gives their position in memory.
    """

    extents: tuple[Affine, ...]
    cells: tuple[Affine, ...]
    held: tuple[Constraint, ...] | None = None
    packed: PackedArray | None = None

    @property
    def shape(self) -> Shape:
        return self.extents if self.packed is None else self.packed

    def cell_of(self, point: Sequence[Affine]) -> tuple[Affine, ...]:
        values = {index(number): position for number, position in enumerate(point)}
        return tuple(cell.substitute(values) for cell in self.cells)

    def cell_at(self, point: Sequence[int], parameters: Mapping[str, int]) -> tuple[int, ...]:
        values = {**parameters, **{index(number): position for number, position in enumerate(point)}}
        return tuple([cell.at(values) for cell in self.cells])


def place_of(variable: Variable, system: System, layout: Layout | None = None) -> ArgumentPlace:
    """Returns the place of a variable. Raises NoShape."""
    if layout is not None:
        is_affine = all(component.degree < 2 for component in layout.components)
        return (_formatted if is_affine else _packed_place)(variable, system, layout)
    box = bounding_box(variable.domain, system.context)
    lower = tuple(map(affine_of, box.lower))
    ends = [_least(box.upper[0]), *([affine_of(bound)] for bound in box.upper[1:])] if box.upper else []
    extents = [[high - low + 1 for high in bound] for low, bound in zip(lower, ends, strict=True)]
    return ArgumentPlace(
        extents=tuple(extent[0] for extent in extents),
        cells=tuple(Affine.name(index(position)) - low for position, low in enumerate(lower)),
        held=tuple(_inside(extents)) if any(len(extent) > 1 for extent in extents) else None,
    )


def _least(value: Integer) -> list[Affine]:
    """Returns the affine expressions whose minimum is a bound: the number of rows may be a minimum."""
    match value:
        case IntegerOperation("min", operands):
            return [least for operand in operands for least in _least(operand)]
        case IntegerOperation("+", operands):
            return [sum(least, Affine()) for least in product(*map(_least, operands))]
        case IntegerOperation("-", (left, right)):
            return [least - affine_of(right) for least in _least(left)]
    return [affine_of(value)]


def _inside(extents: Sequence[Sequence[Affine]]) -> Iterator[Constraint]:
    for position, alternatives in enumerate(extents):
        subscript = Affine.name(index(position))
        yield at_least(subscript, 0)
        yield from (less(subscript, extent) for extent in alternatives)


def _formatted(variable: Variable, system: System, layout: Layout) -> ArgumentPlace:
    cells = tuple(_plain(component, variable) for component in layout.components)
    cell_domain = _held_cells(variable, system, cells)
    first, *others = layout.extents
    return ArgumentPlace(extents=(_rows(first, cell_domain), *map(affine_of, others)), cells=cells, held=cell_domain)


def _packed_place(variable: Variable, system: System, layout: Layout) -> ArgumentPlace:
    message = f"`{variable.name}` is packed: the position of an element must be a polynomial of second degree"
    if layout.clamps:
        raise NoShape(message)
    place = place_of(variable, system)
    if place.held is not None:
        raise NoShape(f"`{variable.name}` is packed: a bound of its bounding box is not affine")
    turned = ArgumentPlace(
        tuple(place.extents[at] for at in layout.order), tuple(place.cells[at] for at in layout.order)
    )
    if layout.components[0] == _position(turned):
        return replace(turned, held=_held_cells(variable, system, turned.cells))
    cell_domain = _held_cells(variable, system, place.cells)
    names = tuple(index(position) for position in range(len(place.cells)))
    points = {name: Affine.name(name) * 2 - cell for name, cell in zip(names, place.cells, strict=True)}
    packed = packed_array(place.extents, layout.components[0].replaced(points), cell_domain, names)
    if packed is None:
        raise NoShape(message)
    return replace(place, held=cell_domain, packed=packed)


def _position(place: ArgumentPlace) -> Polynomial:
    """Returns the position of a point in a box, row by row."""
    position = Polynomial()
    for extent, cell in zip(place.extents, place.cells, strict=True):
        position = position * Polynomial.affine(extent) + Polynomial.affine(cell)
    return position


def _rows(extent: Integer, constraints: Sequence[Constraint]) -> Affine:
    """Returns the number of rows, or an upper bound if it is a minimum."""
    first = Affine.name(index(0))
    constant_extent = as_affine(extent)
    bounds = (constraint.affine + first for constraint in constraints if constraint.affine.coefficient(index(0)) == -1)
    most = (bound + 1 for bound in bounds if not any(name.startswith("[") for name in bound.names))
    rows = constant_extent if constant_extent is not None else next(most, None)
    if rows is None:
        raise NoShape("the number of rows of an array is not affine")
    return rows


def _plain(component: Polynomial, variable: Variable) -> Affine:
    position = affine(component)
    if position is None:
        raise NoShape(f"the position of an element of `{variable.name}` is not affine")
    return position


def _held_cells(variable: Variable, system: System, cells: Sequence[Affine]) -> tuple[Constraint, ...]:
    names = tuple(index(dimension) for dimension in range(variable.domain.space.dimensions))
    points = variable.domain.in_context(system.context).renamed(names)
    image = points.image(
        AffineFunction(points.space, tuple(cells)), tuple(index(position) for position in range(len(cells)))
    )
    pieces = image.within(system.context).simplify().pieces()
    if len(pieces) != 1 or pieces[0].floors:
        raise NoShape(f"the elements of `{variable.name}` do not form a single polyhedron in their array")
    return tuple(pieces[0].constraints)


def affine_of(value: Integer) -> Affine:
    match value:
        case IntegerConstant(number):
            return Affine(constant=number)
        case IntegerName(name):
            return Affine.name(name)
        case IntegerOperation("+", operands):
            return sum(map(affine_of, operands), Affine())
        case IntegerOperation("-", (left, right)):
            return affine_of(left) - affine_of(right)
        case IntegerOperation("neg", (operand,)):
            return -affine_of(operand)
        case IntegerOperation("*", (IntegerConstant(factor), other)) | IntegerOperation(
            "*", (other, IntegerConstant(factor))
        ):
            return affine_of(other) * factor
        case IntegerOperation("min" | "max"):
            raise NoShape(_NOT_AFFINE, "prove it for each case: --assume 'N<=M', and --assume 'N>=M'")
    raise NoShape(_NOT_AFFINE)
