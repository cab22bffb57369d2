"""Equality of expressions up to the names of their indices."""

from alphaz.model.expression import (
    Access,
    Binary,
    Call,
    Compose,
    Constant,
    Expression,
    IndexValue,
    Nary,
    Reduce,
    Restrict,
    Unary,
)  # fmt: skip
from alphaz.model.walk import children
from alphaz.poly import AffineFunction

Names = tuple[str, ...]


def same(one: Expression, names: Names, other: Expression, others: Names) -> bool:
    """Returns True if both have the same form, where the indices of their context spaces are named `names` and
    `others`.

    Indices are compared by position. Equal expressions have the same value at each point."""
    if type(one) is not type(other) or len(names) != len(others) or _own(one, names) != _own(other, others):
        return False
    if isinstance(one, Restrict) and isinstance(other, Restrict) and not one.domain.equals(other.domain):
        return False
    pairs = tuple(zip(children(one), children(other), strict=False))
    alike = len(children(one)) == len(children(other))
    return alike and all(same(a, _inner(one, names), b, _inner(other, others)) for a, b in pairs)


def _inner(node: Expression, names: Names) -> Names:
    """The indices inside the node."""
    match node:
        case Compose():
            return node.names
        case Reduce():
            return node.projection.domain.names
    return names


def _own(node: Expression, names: Names) -> object:
    """The parts of a node except its children and its domain, with indices by position."""
    match node:
        case Constant(value):
            return type(value), value
        case IndexValue(affine):
            return affine.rename(_places(names))
        case Access(variable, function):
            return variable, _outputs(function, names)
        case Compose(function):
            return _outputs(function, names)
        case Unary(operator) | Binary(operator) | Nary(operator):
            return operator
        case Call(name):
            return name
        case Reduce(operator, projection):
            return operator, _outputs(projection, projection.domain.names)
    return None


def _outputs(function: AffineFunction, names: Names) -> object:
    return tuple(output.rename(_places(names)) for output in function.outputs)


def _places(names: Names) -> dict[str, str]:
    return {name: f"#{at}" for at, name in enumerate(names)}
