"""C texts for tests, read."""

from alphaz.diagnostics import Rejected, Source
from alphaz.poly import Affine, Domain, Space
from alphaz.scop import CKernel, parse, read_kernel

N = Affine.name("N")


def kernel(body: str, head: str = "void f(long N, double *A, double B[N][N])", before: str = "") -> CKernel:
    """The function `f` with N, A of N elements and B of N x N."""
    source = Source("kernel.c", f"{before}{head}\n{{\n{body}\n}}\n")
    context = Domain.universe(Space(("N",)))
    tree = parse(source, source.text)
    return read_kernel(source, tree, "f", context, {"N": "N"}, {"A": (N,), "B": (N, N), "n": ()})


def refusal(body: str, **more: str) -> tuple[str, str, int]:
    """The rule, the message and the line of the only finding."""
    try:
        kernel(body, **more)
    except Rejected as rejected:
        (only,) = rejected.diagnostics
        return only.rule.code, only.message, only.primary.span.position[0]
    raise AssertionError("it was read")
