"""Memory that a function allocates for itself; where an allocation fails, the dependent code is skipped, and the status
reports it.
"""

from collections.abc import Sequence

from alphaz.c import tree as c
from alphaz.codegen.c.arrays import FlatArray
from alphaz.codegen.c.expressions import STATUS


def allocate(array: FlatArray, status: c.Expression, size: c.Expression, function: str = "allocate") -> c.Call:
    """Returns `allocate(status, size, rank, extents)`: memory for an array; it sets the status where there is none."""
    return c.Call(function, (status, size, c.Literal(str(array.rank)), array.extents_code))


def claimed(array: FlatArray, failed: str) -> c.Declare:
    """Returns `T *A = allocate(&failed, sizeof(T), ...);`."""
    return c.Declare(f"{array.type.c_name} *", array.name, claim(array, failed))


def claim(array: FlatArray, failed: str) -> c.Call:
    """Returns `allocate(&failed, sizeof(T), ...)`."""
    return allocate(array, c.Unary("&", c.Name(failed)), c.Call("sizeof", (c.Name(array.type.c_name),)))


def released(arrays: Sequence[FlatArray]) -> tuple[c.Statement, ...]:
    return tuple(c.Evaluate(c.Call("free", (c.Name(array.name),))) for array in arrays)


def succeeded(failed: str) -> c.Expression:
    return c.Binary("==", c.Name(failed), c.ZERO)


def missing(failed: str) -> c.Expression:
    return c.Binary("!=", c.Name(failed), c.ZERO)


def failing(failed: str) -> c.Statement:
    """Returns the statement that stores a failure for the end of the function."""
    return c.Evaluate(c.Call("set_status", (STATUS, c.Name(failed))))
