"""Memory that a function makes for itself; where there is none, what needs it is left out, and the status says so."""

from collections.abc import Sequence

from alphaz.c import tree as c
from alphaz.codegen.c.arrays import FlatArray
from alphaz.codegen.c.expressions import STATUS


def allocate(array: FlatArray, status: c.Expression, size: c.Expression, function: str = "allocate") -> c.Call:
    """`allocate(status, size, rank, extents)`: memory for an array; the status says where there is none."""
    return c.Call(function, (status, size, c.Literal(str(array.rank)), array.extents_code))


def claimed(array: FlatArray, failed: str) -> c.Declare:
    """`T *A = allocate(&failed, sizeof(T), ...);`."""
    return c.Declare(f"{array.type.c_name} *", array.name, claim(array, failed))


def claim(array: FlatArray, failed: str) -> c.Call:
    """`allocate(&failed, sizeof(T), ...)`."""
    return allocate(array, c.Unary("&", c.Name(failed)), c.Call("sizeof", (c.Name(array.type.c_name),)))


def released(arrays: Sequence[FlatArray]) -> tuple[c.Statement, ...]:
    return tuple(c.Evaluate(c.Call("free", (c.Name(array.name),))) for array in arrays)


def succeeded(failed: str) -> c.Expression:
    return c.Binary("==", c.Name(failed), c.ZERO)


def missing(failed: str) -> c.Expression:
    return c.Binary("!=", c.Name(failed), c.ZERO)


def failing(failed: str) -> c.Statement:
    """What went wrong is kept for the end."""
    return c.Evaluate(c.Call("set_status", (STATUS, c.Name(failed))))
