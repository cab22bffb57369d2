"""Arrays in C: flat, row-major over a box, addressed by points; and their allocation.

The caller's arrays lie over the bounding box of their variable's domain, or in its storage format; the others over the
box of their contents. Where an allocation fails, the dependent code is skipped, and the status reports it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod

from alphaz.c import tree as c
from alphaz.codegen.c.expressions import STATUS
from alphaz.codegen.c.integers import bound, flat_index, integer
from alphaz.codegen.c.readable_c import CONSTANT
from alphaz.diagnostics import Diagnostic, Label, Rejected
from alphaz.diagnostics.rules import UNBOUNDED
from alphaz.mapping.factors import Factor, of_factor
from alphaz.mapping.storage_formats import Layout, index
from alphaz.model.program import Variable
from alphaz.model.types import ScalarType
from alphaz.poly import Affine, Domain, Unbounded
from alphaz.poly.algorithms.bounds import bounding_box, count_or_zero, extent
from alphaz.poly.plain.integer_expression import (
    Integer,
    IntegerConstant,
    IntegerName,
    IntegerOperation,
    as_affine,
    of_affine,
    simplified,
    substitute,
)


@dataclass(frozen=True, slots=True)
class FlatArray:
    """An array `name[flat(z - lower)]`, or `name[flat(components(z))]` with a layout; all are over C identifiers.

    `constants` are the declarations of identifiers that `lower` and `extents` use for non-affine values.
    `is_constant`: the elements are never written; `is_alone`: no other argument may be the same array.
    """

    name: str
    type: ScalarType
    lower: tuple[Integer, ...]
    extents: tuple[Integer, ...]
    constants: tuple[c.Declare, ...] = ()
    is_constant: bool = False
    layout: Layout | None = None
    is_alone: bool = True

    @property
    def rank(self) -> int:
        return len(self.extents)

    @property
    def size(self) -> int | None:
        """Returns the number of elements; None if it is no constant."""
        sizes = [extent.value for extent in self.extents if isinstance(extent, IntegerConstant)]
        return prod(sizes) if len(sizes) == self.rank else None

    @property
    def parameter(self) -> c.Parameter:
        """Returns the array as a parameter of a function that has no other access to its elements, if it is alone."""
        type_ = c.pointer(self.type, const=self.is_constant, restrict=self.is_alone)
        return c.Parameter(type_, self.name)

    def is_laid_out_as(self, other: "FlatArray") -> bool:
        """Returns True if the same points are the same elements. False means unknown."""
        mine, theirs = ((array.type, array.layout, array._sides) for array in (self, other))
        return mine == theirs

    @property
    def _sides(self) -> tuple[object, ...]:
        """Returns the array's lower corner and extents, without names of its own."""
        known = {declared.name: declared.value for declared in self.constants}
        return tuple(
            known.get(side.name, side) if isinstance(side, IntegerName) else side for side in self.lower + self.extents
        )

    @property
    def extents_code(self) -> c.Expression:
        """Returns the extents as an array of int64_t; NULL for a scalar."""
        if not self.extents:
            return c.Name("NULL")
        return c.compound(c.Array(CONSTANT), *(integer(e) for e in self.extents))

    def element(self, point: Sequence[Affine], moduli: Sequence[tuple[Factor, bool]] = ()) -> c.Expression:
        """Returns the element at a point. For each dimension a modulus (0: none) and whether the component may be
        negative.
        """
        if not self.extents:
            return c.Unary("*", c.Name(self.name))
        if self.layout is not None:
            return self.at(_laid_out(self.layout, point, moduli))
        return self.at(self.relative(point, moduli))

    def at(self, relative: Sequence[Integer]) -> c.Expression:
        """Returns the element at a position that is counted from the lower corner."""
        return c.Index(c.Name(self.name), flat_index(relative, self.extents))

    def relative(self, point: Sequence[Affine], moduli: Sequence[tuple[Factor, bool]] = ()) -> list[Integer]:
        """Returns the position of a point, counted from the lower corner: 0 along an extent of 1."""
        folds = moduli or [(0, False)] * self.rank
        return [
            IntegerConstant(0) if extent == IntegerConstant(1) else _relative(component, fold, low)
            for component, fold, low, extent in zip(point, folds, self.lower, self.extents, strict=True)
        ]

    def stride(self, point: Sequence[Affine], name: str) -> int | None:
        """Returns by how many elements the element at the point moves when the identifier grows by 1; None
        if unknown.
        """
        if self.layout is not None:
            return _stride(self.layout, point, name)
        moves = [component.coefficient(name) for component in point]
        if not any(moves):
            return 0
        return None if any(moves[:-1]) else moves[-1]


def _stride(layout: Layout, point: Sequence[Affine], name: str) -> int | None:
    here = {index(position): component for position, component in enumerate(point)}
    further = {index(position): value + value.coefficient(name) for position, value in enumerate(point)}
    one, other = layout.replaced(here), layout.replaced(further)
    *before, last = [b - a for a, b in zip(one.components, other.components, strict=True)]
    known = one.clamps == other.clamps and not any(factor.terms for factor in before) and last.degree <= 0
    return int(last.at({})) if known else None


def _laid_out(layout: Layout, point: Sequence[Affine], moduli: Sequence[tuple[Factor, bool]]) -> list[Integer]:
    """Returns the components of a point, of which some may be folded."""
    if not any(modulus for modulus, _ in moduli):
        values = {index(position): component for position, component in enumerate(point)}
        return list(layout.replaced(values).places)
    folded = {
        index(position): _modulo(affine, *fold)
        for position, (affine, fold) in enumerate(zip(point, moduli, strict=True))
    }
    return [simplified(substitute(place, folded)) for place in layout.places]


def _relative(component: Affine, fold: tuple[Factor, bool], low: Integer) -> Integer:
    """Returns the position of a component, after folding, in an array that begins at `low`."""
    place = _modulo(component, *fold)
    return place if low == IntegerConstant(0) else simplified(IntegerOperation("-", (place, low)))


def _modulo(component: Affine, modulus: Factor, may_be_negative: bool) -> Integer:
    if not modulus:
        return of_affine(component)
    if modulus == 1:
        return IntegerConstant(0)
    if component.is_constant and isinstance(modulus, int):
        return IntegerConstant(component.constant % modulus)
    symbol = "floor_mod" if may_be_negative else "remainder"
    return IntegerOperation(symbol, (of_affine(component), of_factor(modulus)))


def array_over(
    name: str,
    type_: ScalarType,
    domain: Domain,
    context: Domain,
    names: Mapping[str, Affine],
    moduli: Sequence[Factor] = (),
    is_constant: bool = False,
    is_filled: bool = False,
) -> FlatArray:
    """Returns an array over the box of the domain; a dimension with a modulus m lies over 0 .. m-1. Raises Unbounded.

    `is_filled`: the code counts all its elements, so that no extent may be negative where the domain has no point.
    """
    box = bounding_box(domain, context)
    lower: list[Integer] = []
    extents: list[Integer] = []
    constants: list[c.Declare] = []
    for position, (low, high) in enumerate(zip(box.lower, box.upper, strict=True)):
        modulus = moduli[position] if moduli else 0
        start = IntegerConstant(0) if modulus else bound(low, names)
        size = of_factor(modulus) if modulus else extent(low, high)
        count = bound(count_or_zero(size, domain, context) if is_filled else size, names)
        lower.append(_name_value(f"{name}_from{position}", start, constants))
        extents.append(_name_value(f"{name}_size{position}", count, constants))
    return FlatArray(
        name=name,
        type=type_,
        lower=tuple(lower),
        extents=tuple(extents),
        constants=tuple(constants),
        is_constant=is_constant,
    )


def _name_value(name: str, value: Integer, constants: list[c.Declare]) -> Integer:
    """Names a non-affine value, so that subscripts stay readable."""
    if as_affine(value) is not None:
        return value
    constants.append(c.Declare(CONSTANT, name, integer(value)))
    return IntegerName(name)


def stored_array(
    variable: Variable,
    name: str,
    context: Domain,
    names: Mapping[str, Affine],
    is_constant: bool = False,
    layout: Layout | None = None,
) -> FlatArray:
    """Returns an array over the whole domain of a variable. Raises Rejected (AZ307) when it is not bounded."""
    if layout is not None:
        return _array_as(layout, variable, name, names, is_constant)
    try:
        return array_over(name, variable.type, variable.domain, context, names, is_constant=is_constant)
    except Unbounded:
        message = f"{variable.name} has infinitely many points: no array can hold it"
        place = Label(variable.span, "bound every index of this domain")
        raise Rejected(Diagnostic(UNBOUNDED, message, place)) from None


def _array_as(
    layout: Layout, variable: Variable, name: str, names: Mapping[str, Affine], is_constant: bool
) -> FlatArray:
    constants: list[c.Declare] = []
    extents = [
        _name_value(f"{name}_size{position}", bound(extent, names), constants)
        for position, extent in enumerate(layout.extents)
    ]
    return FlatArray(
        name=name,
        type=variable.type,
        lower=tuple(IntegerConstant(0) for _ in extents),
        extents=tuple(extents),
        constants=tuple(constants),
        is_constant=is_constant,
        layout=layout.replaced(names),
    )


def allocate(array: FlatArray, status: c.Expression, size: c.Expression, function: str = "allocate") -> c.Call:
    """Returns `allocate(status, size, rank, extents)`: memory for an array; it sets the status where there is none."""
    return c.Call(function, (status, size, c.Literal(str(array.rank)), array.extents_code))


def claimed(array: FlatArray, failed: str) -> c.Declare:
    """Returns `T *A = allocate(&failed, sizeof(T), ...);`."""
    return c.Declare(c.pointer(array.type), array.name, claim(array, failed))


def claim(array: FlatArray, failed: str) -> c.Call:
    """Returns `allocate(&failed, sizeof(T), ...)`."""
    return allocate(array, c.Unary("&", c.Name(failed)), c.SizeOf(c.scalar(array.type)))


def released(arrays: Sequence[FlatArray]) -> tuple[c.Statement, ...]:
    return tuple(c.Evaluate(c.Call("free", (c.Name(array.name),))) for array in arrays)


def succeeded(failed: str) -> c.Expression:
    return c.Binary("==", c.Name(failed), c.ZERO)


def missing(failed: str) -> c.Expression:
    return c.Binary("!=", c.Name(failed), c.ZERO)


def failing(failed: str) -> c.Statement:
    """Returns the statement that stores a failure for the end of the function."""
    return c.Evaluate(c.Call("set_status", (STATUS, c.Name(failed))))
