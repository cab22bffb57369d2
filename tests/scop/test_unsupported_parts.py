"""Texts of which the reader refuses a part, with its place, and reads the others."""

import pytest

from alphaz.analysis.read import read_program
from alphaz.diagnostics import Diagnostic, Rejected, Source
from alphaz.equivalence.driver.prove_c import prove_c
from alphaz.equivalence.driver.task import ProofTask
from alphaz.poly import Affine, Domain, Space
from alphaz.scop import CKernel, parse, read_kernel, together
from alphaz.scop.c_model import OtherFile

READ = "void f(long N, double *A)\n{\n    for (long i = 0; i < N; i++) A[i] = 0;\n}\n"
LOOP = "void g(void) { while (1) ; }"
CALLING = "void g(void);\n" + READ.replace("{\n", "{\n    g();\n")


def read(text: str, *others: str) -> CKernel:
    """The function `f` of a text, and the further files of its program."""
    sources = [Source(f"file{number}.c", each) for number, each in enumerate((text, *others))]
    first, *rest = ((source, parse(source, source.text)) for source in sources)
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
        ("__device__ int count;", "a variable of a GPU outside of functions"),
        ("__constant__ double weights[9];", "a variable of a GPU outside of functions"),
        ("__global__ void g(void) { } void h(void) { g(); }", "called, not launched"),
        ("__global__ void g(int threadIdx) { }", "built-in variable"),
        ("void g(__shared__ double *tile);", "`__shared__`"),
        ("void g(void) { _Atomic int n; __shared__ double tile[32]; }", "`__shared__`"),
    ],
)
def test_code_of_a_gpu_is_refused(before: str, said: str) -> None:
    for finding in (refused(f"{before}\n{READ}"), refused(CALLING, before)):
        assert said in finding.message
        assert finding.primary.span.position[0] == 1


def test_shared_memory_is_declared_in_a_kernel() -> None:
    assert "in a kernel" in refused(READ.replace("{\n", "{\n    __shared__ double tile[32];\n")).message


LACKING = [
    ("struct cell { int @a : 3; } x;", "this member of a structure"),
    ("_Atomic int @x;", "`_Atomic`"),
    ("int x = _Alignof(@int);", "this expression"),
    ("int x = @_Generic(1, int: 2, default: 3);", "this expression"),
    ("struct @{ int a; } x, y;", "one type without a name for several names"),
    ("int x = (@{ 1; });", "this expression"),
    ("switch (1) { int @y; case 1: break; }", "a statement of `switch` in front of its cases"),
    ('_Pragma@("omp barrier");', "`_Pragma`"),
]
PROGRAM = """affine f {N | N>=1}
output double A {i | 0<=i<N};
let A[i] = 0.0;
.
"""


def body_of(statement: str) -> tuple[str, tuple[int, int]]:
    """The function `g` with a statement, and the line and the column of `@`."""
    text = f"\nvoid g(void) {{ {statement} }}\n"
    return text.replace("@", ""), (2, text.index("@"))


@pytest.mark.parametrize(("statement", "said"), LACKING)
def test_a_body_is_refused_where_it_is_called(statement: str, said: str) -> None:
    body, at = body_of(statement)
    for finding, file in ((refused(body + CALLING), "file0.c"), (refused(CALLING, body), "file1.c")):
        assert finding.message == f"{said} is not supported"
        assert place(finding) == (file, at)


@pytest.mark.parametrize(("statement", "said"), LACKING)
def test_functions_beside_it_are_proved(statement: str, said: str) -> None:
    body, _ = body_of(statement)
    program = read_program(Source("f.ab", PROGRAM))
    for text, others in ((body + READ, ()), (READ, (OtherFile(Source("file1.c", body)),))):
        assert prove_c(program, Source("file0.c", text), ProofTask(executes=False, others=others)).is_proved
    called = prove_c(program, Source("file0.c", body + CALLING), ProofTask(executes=False))
    assert [finding.message for finding in called.findings] == [f"{said} is not supported"]


# Declarations of file scope, and what a function has to do with them to be refused.
DECLARED = [
    ("struct cell { int @a : 3; };", "struct cell *c;"),
    ("struct cell { int @a : 3; } x;", "x;"),
    ("struct cell { int @a : 3; } x;", "struct cell *c;"),
    ("typedef struct { int @a : 3; } cell;", "cell *c;"),
    ("typedef struct { int @a : 3; } cell;\ncell cells[9];\n", "cells[0] = cells[1];"),
    ("struct { int a; enum { ONE = 1, TWO } e; int @b : 2; } x;", "A[0] = TWO;"),
    ("_Atomic int @count;", "count;"),
    ("_Atomic int @A;\nvoid h(void) { A; }\n", "h();"),
    ("int count = _Alignof(@int);", "A[0] = count;"),
    ("struct @{ int a; } one, two;", "two;"),
    ("void g(_Atomic int @x) { }", "g(1);"),
    ("double sqrt(_Atomic double @x);", "A[0] = sqrt(A[0]);"),
    ("void @g(x) int x; { }", "g(1);"),
]


@pytest.mark.parametrize(("before", "used"), DECLARED)
def test_a_declaration_is_refused_where_it_is_used(before: str, used: str) -> None:
    text, at = before.replace("@", ""), before.index("@") + 1
    using = READ.replace("{\n", f"{{\n    {used}\n")
    assert place(refused(f"{text}\n{using}")) == ("file0.c", (1, at))
    assert len(read(f"{text}\n{READ}").statements) == 1


@pytest.mark.parametrize("before", ["struct cell { int @a : 3; };", "_Atomic int @n;", "void g(_Atomic int @x) { }"])
def test_declarations_of_further_files_are_refused(before: str) -> None:
    finding = refused(CALLING, before.replace("@", ""))
    assert place(finding) == ("file1.c", (1, before.index("@") + 1))


@pytest.mark.parametrize("statement", ["n = 4;", "n++;", "h(&n);"])
def test_a_body_that_is_not_understood_may_change_variables(statement: str) -> None:
    """A `static` number that no function assigns would be a constant."""
    before, using = "static int n = 2;\nvoid h(int *p);\n", READ.replace("] = 0", "] = n")
    (constant,) = read(before + using).statements
    assert not constant.reads
    for more in ("", " int x = _Alignof(int);"):
        (variable,) = read(f"{before}void g(void) {{ {statement}{more} }}\n{using}").statements
        assert [access.array.name for access in variable.reads] == ["n"]


@pytest.mark.parametrize("mark", ['# 7 "3"', '#line 7 "0"', "# 7", '# 0 "f.c" 1 3', '# 99999999999 "²"'])
def test_line_marks_name_no_further_file(mark: str) -> None:
    """Nodes of further files have the numbers of these as the names of their files."""
    wrong = READ.replace("A[i]", "A[i * i]")
    assert len(read(f"{mark}\n{READ}").statements) == 1
    inside = READ.replace("{\n", f"{{\n{mark}\n")
    assert len(read(inside).statements) == 1
    texts = (
        f"{mark}\n{wrong}",
        wrong.replace("{\n", f"{{\n{mark}\n"),
        f"{mark}\nvoid g(void) {{ _Atomic int x; }}\n{CALLING}",
    )
    for text in texts:
        assert place(refused(text))[0] == "file0.c"
    for first, other in ((f"{mark}\n{CALLING}", LOOP), (CALLING, f"{mark}\n{LOOP}")):
        assert place(refused(first, other))[0] == "file1.c"


def test_pragma_operators_are_refused() -> None:
    for text in (f'_Pragma("once")\n{READ}', READ.replace("for", '_Pragma("omp parallel for") for')):
        finding = refused(text)
        assert (finding.message, finding.help) == ("`_Pragma` is not supported", "write `#pragma`")
