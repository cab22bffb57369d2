"""Words of CUDA that kernels and the functions of the host have: launches, calls of its library, and memory."""

from collections.abc import Iterator, Sequence

from alphaz.c import tree as c

Statements = tuple[c.Statement, ...]

LAUNCH = "launch"
"""The directive of a kernel, until it becomes a function and a launch."""
ONE = c.Literal("1")
STREAM = c.Parameter(c.Named("cudaStream_t"), "stream")
FAILED, _NO_MEMORY = "9", "3"


def number(value: int) -> c.Literal:
    """Returns a number."""
    return c.Literal(str(value))


def launch(grid: Sequence[c.Expression], block: Sequence[int], body: Statements) -> Statements:
    """Returns the directive of a kernel."""
    threads = tuple(number(size) for size in block)
    return (c.Omp(LAUNCH, (c.Clause("grid", tuple(grid) or (ONE,)), c.Clause("block", threads or (ONE,))), body),)


def unless(function: str, arguments: tuple[c.Expression, ...], then: Statements) -> c.If:
    """Returns the statements for a failed call of the library."""
    return c.If(c.Binary("!=", c.Call(function, arguments), c.Name("cudaSuccess")), then)


def allocated(name: str, type_: c.Type, size: c.Expression, before: Sequence[str]) -> Iterator[c.Statement]:
    """Yields the declaration and the allocation of an array; where it fails, those `before` are released."""
    yield c.Declare(c.Pointer(type_), name)
    place = c.Cast(c.Pointer(c.Pointer(c.VOID)), c.Unary("&", c.Name(name)))
    released = tuple(free(other) for other in reversed(before))
    yield unless("cudaMalloc", (place, size), (*released, c.Return(c.Literal(_NO_MEMORY))))


def free(name: str) -> c.Statement:
    """Returns the statement that releases an array."""
    return c.Evaluate(c.Call("cudaFree", (c.Name(name),)))
