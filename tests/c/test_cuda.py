"""Words of CUDA: qualifiers and launches, read and printed."""

import pytest

from alphaz.c import tree as c
from alphaz.c.copy_assembly import without_copy_assembly
from alphaz.c.printer import file_text, statements_text
from alphaz.diagnostics import Rejected
from alphaz.diagnostics.rules import C_OUTSIDE
from tests.c.trees import inside, read

TEXT = """\
#include <cuda_runtime.h>

__constant__ float weights[9];

__device__ static float partial[128];

static __device__ __forceinline__ float twice(float x)
{
    return 2 * x;
}

__global__ void __launch_bounds__(256) smooth(int n, const float *__restrict__ a, float *__restrict__ b)
{
    __shared__ float tile[32][33], edge[32];
    extern __shared__ float more[];
    float sum = 0;
    static int count;
    __syncthreads();
    b[blockIdx.x * blockDim.x + threadIdx.x] = twice(tile[threadIdx.y][threadIdx.x]);
}

void host(int n, float *a, float *b)
{
    float unused = 0;
    smooth<<<(n + 255) / 256, 256>>>(n, a, b);
    smooth<<<dim3(n / 32, n / 8), dim3(32, 8, 1), 32 * sizeof(float)>>>(n, a, b);
    smooth<<<1, 1, 0, stream>>>(n, a, b);
}
"""
n, args = c.Name("n"), (c.Name("n"), c.Name("a"), c.Name("b"))


def functions() -> dict[str, c.Function]:
    return {item.name: item for item in read(TEXT).items if isinstance(item, c.Function)}


def declared(statements: tuple[c.Statement, ...] | None) -> dict[str, c.Declare]:
    return {statement.name: statement for statement in statements or () if isinstance(statement, c.Declare)}


def test_constants_and_the_null_stream_are_those_of_c() -> None:
    text = "void f(int *a)\n{\n    constexpr int t = 64;\n    k<<<1, t, 0, nullptr>>>(a);\n}\n"
    assert read(text) == read(text.replace("constexpr", "const").replace("nullptr", "0"))
    with pytest.raises(Rejected):
        read("int y;\nconstexpr int *p = &y;\n")


def test_the_text_is_read_and_printed() -> None:
    file = read(TEXT)
    assert file.includes == ("<cuda_runtime.h>",)
    assert read(file_text(file)) == file
    for word in (
        "__global__ __launch_bounds__(256) void smooth(",
        "__shared__ float tile[32][33];",
        "<<<1, 1, 0, stream>>>",
    ):
        assert word in file_text(file)


def test_qualifiers_of_functions() -> None:
    result = functions()
    assert result["twice"].qualifiers == ("__device__", "__forceinline__")
    assert result["twice"].storage == "static"
    assert result["smooth"].qualifiers == ("__global__", "__launch_bounds__(256)")
    assert result["host"].qualifiers == ()
    assert result["smooth"].parameters[1].type == c.Pointer(c.Scalar("float", const=True), restrict=True)


def test_spaces_of_variables() -> None:
    items = declared(tuple(item for item in read(TEXT).items if isinstance(item, c.Declare)))
    assert items["weights"].space is c.AddressSpace.CONSTANT
    assert items["partial"].space is c.AddressSpace.GLOBAL
    assert items["partial"].storage == "static"
    inner = declared(functions()["smooth"].body)
    spaces = {name: one.space for name, one in inner.items()}
    shared = c.AddressSpace.SHARED
    assert spaces == {
        "tile": shared, "edge": shared, "more": shared, "sum": c.AddressSpace.REGISTER, "count": c.AddressSpace.HOST,
    }  # fmt: skip
    assert inner["more"].storage == "extern"
    assert declared(functions()["host"].body)["unused"].space is c.AddressSpace.HOST


def test_launches() -> None:
    one, two, three = (s for s in functions()["host"].body or () if isinstance(s, c.Launch))
    blocks = c.Binary("/", c.Binary("+", n, c.Literal("255")), c.Literal("256"))
    assert one == c.Launch("smooth", (blocks,), (c.Literal("256"),), args)
    assert two.grid == (c.Binary("/", n, c.Literal("32")), c.Binary("/", n, c.Literal("8")))
    assert two.block == tuple(map(c.Literal, ("32", "8", "1")))
    assert two.bytes == c.Binary("*", c.Literal("32"), c.SizeOf(c.Scalar("float")))
    assert (three.bytes, three.stream) == (c.ZERO, c.Name("stream"))
    assert one.at == c.SourcePlace("", 25, 5)


def test_a_stream_without_memory_of_its_own() -> None:
    one = (c.Literal("1"),)
    launch = c.Launch(kernel="f", grid=one, block=one, arguments=(), stream=c.Name("s"))
    assert statements_text([launch]) == "f<<<1, 1, 0, s>>>();\n"


def test_words_in_strings_and_calls_of_calls_are_those_of_c() -> None:
    (message,) = inside('f("__shared__ g<<<1, 1>>>()");')
    assert message == c.Evaluate(c.Call("f", (c.String('"__shared__ g<<<1, 1>>>()"'),)))
    (called,) = inside("f(1, 1)(x);")
    assert called == c.Evaluate(c.Call(c.Call("f", (c.Literal("1"), c.Literal("1"))), (c.Name("x"),)))


def test_a_launch_is_a_statement() -> None:
    for text in ("x = f<<<1, 1>>>();", "f<<<1>>>();"):
        with pytest.raises(Rejected):
            inside(text)


@pytest.mark.parametrize(
    "text",
    [
        "void f(__shared__ int *x);",
        "typedef __device__ int T;",
        "struct s { __shared__ int x; };",
        "int f(int n) { return sizeof(__shared__ int); }",
    ],
)
def test_a_qualifier_belongs_to_a_function_or_a_variable(text: str) -> None:
    with pytest.raises(Rejected) as rejected:
        read(f"int a;\n  {text}")
    (finding,) = rejected.value.diagnostics
    assert finding.rule is C_OUTSIDE
    assert finding.primary.span.position == (2, 3 + text.index("__"))


@pytest.mark.parametrize(
    ("assembly", "calls"),
    [
        (
            r'asm volatile("cp.async.ca.shared.global [%0], [%1], 8;\n" :: "r"(a), "l"(&x[(i)]));',
            "copy$(a, &x[(i)], 8);",
        ),
        ('asm("cp.async.cg.shared.global [%0], [%1], %2;" :: "r"(a), "l"(p), "n"(16));', "line$(a, p, 16);"),
        (r'asm volatile("cp.async.commit_group;\n" ::);', "commit$();"),
        (r'__asm__ volatile("cp.async.wait_group %0;\n" ::"n"(N) : "memory");', "wait$(N);"),
        ('asm volatile("cp.async.wait_all;");', "wait_all$();"),
        ('asm volatile("cp.async.wait_group %0;" :: "r"(n));', None),
        ('asm volatile("cp.async.wait_group 1;" : "+r"(n));', None),
        ('asm volatile("cp.async.ca.shared.global [%1], [%0], 8;" :: "r"(a), "l"(p));', None),
        ('asm volatile("cp.async.ca.shared.global [%0], [%1], 8, 4;" :: "r"(a), "l"(p));', None),
        ('asm volatile("cp.async.wait_all; bar.sync 0;");', None),
        ('asm volatile("bar.sync 0;");', None),
    ],
)
def test_asynchronous_copies_in_assembly_are_calls(assembly: str, calls: str | None) -> None:
    changed = without_copy_assembly(f"{assembly} f();\n")
    assert len(changed) == len(assembly) + 6
    assert changed.split() == ((calls or assembly) + " f();").split()


def test_conversions_are_casts_where_they_are_values() -> None:
    text = "__global__ void k(int n, double (*A)[4])\n{{\n    {};\n}}\n"
    for call, cast in (
        ("n = int(n) + size_t(n)", "n = (int)n + (size_t)n"),
        ("k<<<{unsigned(n), 2}, {32}>>>(n, A)", "k<<<dim3((unsigned)n, 2), dim3(32)>>>(n, A)"),
        ("return float(n)", "return (float)n"),
    ):
        assert read(text.format(call)) == read(text.format(cast))
