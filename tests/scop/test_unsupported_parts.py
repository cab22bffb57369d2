"""Texts of which the reader refuses a part, with its place, and reads the others."""

import pytest

from alphaz.diagnostics import Diagnostic, Rejected, Source
from alphaz.poly import Affine, Domain, Space
from alphaz.scop import CKernel, parse, prepared, read_kernel, together
from alphaz.scop.kernel import OtherFile

READ = "void f(long N, double *A)\n{\n    for (long i = 0; i < N; i++) A[i] = 0;\n}\n"
CALLING = "void g(void);\n" + READ.replace("{\n", "{\n    g();\n")


def read(text: str, *others: str) -> CKernel:
    """The function `f` of a text, and the further files of its program."""
    sources = [Source(f"file{number}.c", each) for number, each in enumerate((text, *others))]
    first, *rest = ((source, parse(source, prepared(source.text))) for source in sources)
    files = tuple(OtherFile(source) for source in sources[1:])
    context = Domain.universe(Space(("N",)))
    tree, _ = together(first, rest)
    return read_kernel(sources[0], tree, "f", context, {"N": "N"}, {"A": (Affine.name("N"),)}, others=files)


def refused(text: str, *others: str) -> Diagnostic:
    with pytest.raises(Rejected) as rejected:
        read(text, *others)
    (only,) = rejected.value.diagnostics
    assert only.rule.code == "AZ832"
    return only


def place(finding: Diagnostic) -> tuple[str, tuple[int, int]]:
    return finding.primary.span.source.name, finding.primary.span.position


@pytest.mark.parametrize(
    ("before", "said"),
    [
        ("__global__ void g(int n) { }", "functions of a GPU"),
        ("static __device__ int g(int n) { return n; }", "functions of a GPU"),
        ("__host__ void g(void);", "functions of a GPU"),
        ("__device__ int count;", "memory of a GPU"),
        ("__constant__ double weights[9];", "memory of a GPU"),
        ("void g(void) { __shared__ double tile[32]; }", "memory of a GPU"),
        ("void g(int n); void h(void) { g<<<1, 1>>>(3); }", "launches"),
        ("void g(__shared__ double *tile);", "`__shared__`"),
        ("void g(void) { _Atomic int n; __shared__ double tile[32]; }", "`__shared__`"),
    ],
)
def test_code_of_a_gpu_is_refused(before: str, said: str) -> None:
    for finding in (refused(f"{before}\n{READ}"), refused(CALLING, before)):
        assert said in finding.message
        assert finding.primary.span.position[0] == 1


def test_the_function_itself_is_not_one_of_a_gpu() -> None:
    for word in ("__global__", "__device__"):
        assert place(refused(f"{word} {READ}")) == ("file0.c", (1, len(word) + 7))
    assert "memory of a GPU" in refused(READ.replace("{\n", "{\n    __shared__ double tile[32];\n")).message


@pytest.mark.parametrize("statement", ["n = 4;", "n++;", "h(&n);"])
def test_a_body_that_is_not_understood_may_change_variables(statement: str) -> None:
    """A `static` number that no function assigns would be a constant."""
    before, using = "static int n = 2;\nvoid h(int *p);\n", READ.replace("] = 0", "] = n")
    (constant,) = read(before + using).statements
    assert not constant.reads
    for more in ("", " int x = _Alignof(int);"):
        (variable,) = read(f"{before}void g(void) {{ {statement}{more} }}\n{using}").statements
        assert [access.array.name for access in variable.reads] == ["n"]
