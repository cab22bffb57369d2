"""How the caller passes a variable: flat, row-major over the bounding box of its domain, from the lower corner on."""

from alphaz.model.program import System, Variable
from alphaz.poly import Affine
from alphaz.poly.plain.integer import Integer, Name, Number, Operation
from alphaz.poly.questions.bounds import bounding_box


class NoShape(Exception):
    """A bound of the box is no affine expression of the parameters."""


def shape_of(variable: Variable, system: System) -> tuple[Affine, ...]:
    """The extents. Raises NoShape."""
    box = bounding_box(variable.domain, system.context)
    return tuple(affine_of(high) - affine_of(low) + 1 for low, high in zip(box.lower, box.upper, strict=True))


def origin_of(variable: Variable, system: System) -> tuple[Affine, ...]:
    """The point in the first cell. Raises NoShape."""
    return tuple(map(affine_of, bounding_box(variable.domain, system.context).lower))


def affine_of(value: Integer) -> Affine:
    match value:
        case Number(number):
            return Affine(constant=number)
        case Name(name):
            return Affine.name(name)
        case Operation("+", operands):
            return sum(map(affine_of, operands), Affine())
        case Operation("-", (left, right)):
            return affine_of(left) - affine_of(right)
        case Operation("neg", (operand,)):
            return -affine_of(operand)
        case Operation("*", (Number(factor), other)) | Operation("*", (other, Number(factor))):
            return affine_of(other) * factor
    raise NoShape("a bound of the box of a variable is not affine")
