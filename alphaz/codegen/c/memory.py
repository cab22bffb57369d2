"""Memory that a function makes for itself; where there is none, what needs it is left out, and the status says so."""

from collections.abc import Sequence

from alphaz.codegen.c import c_tree as c
from alphaz.codegen.c.arrays import Array
from alphaz.codegen.c.expressions import STATUS

ZERO = c.Literal("0")


def claimed(array: Array, failed: str) -> c.Declare:
    """`T *A = allocate(&failed, sizeof(T), ...);`."""
    size = c.Call("sizeof", (c.Name(array.type.c_name),))
    arguments = (c.Unary("&", c.Name(failed)), size, c.Literal(str(array.rank)), array.extents_code)
    return c.Declare(f"{array.type.c_name} *", array.name, c.Call("allocate", arguments))


def released(arrays: Sequence[Array]) -> tuple[c.Statement, ...]:
    return tuple(c.Evaluate(c.Call("free", (c.Name(array.name),))) for array in arrays)


def succeeded(failed: str) -> c.Expression:
    return c.Binary("==", c.Name(failed), ZERO)


def missing(failed: str) -> c.Expression:
    return c.Binary("!=", c.Name(failed), ZERO)


def failing(failed: str) -> c.Statement:
    """What went wrong is kept for the end."""
    return c.Evaluate(c.Call("set_status", (STATUS, c.Name(failed))))
