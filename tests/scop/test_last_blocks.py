"""Sums whose last block merges the results of all blocks: what is read as one, and what is not."""

import pytest

from alphaz.c.parse import parse as parse_file
from alphaz.diagnostics import Rejected, Source
from alphaz.scop import parse
from alphaz.scop.block_counters import Counting, NotCounted, check_counters
from alphaz.scop.fences import Fences
from alphaz.scop.last_blocks import COUNTED, LAST
from alphaz.scop.tree_queries import definitions

SUM = """
__device__ unsigned int count = 0;
__global__ void sum(int n, const double *x, double *part, double *out)
{
    __shared__ double w[128];
    __shared__ bool last;
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + threadIdx.x;
    w[t] = i < n ? x[i] : 0.0;
    __syncthreads();
    if (t == 0) {
        part[blockIdx.x] = w[0];
        __threadfence();
        unsigned int ticket = atomicInc(&count, gridDim.x);
        last = (ticket == gridDim.x - 1);
    }
    __syncthreads();
    if (last) {
        double own = 0;
        for (int b = t; b < gridDim.x; b += 128)
            own += part[b];
        w[t] = own;
        __syncthreads();
        if (t == 0) {
            *out = w[0];
            count = 0;
        }
    }
}
void total(int N, const double *d, double *part, double *dr)
{
    sum<<<(N + 127) / 128, 128>>>(N, d, part, dr);
}
"""
FENCE = "        __threadfence();\n"
WRITE = "    if (t == 0) {\n        part[blockIdx.x] = w[0];\n" + FENCE
TAKE = "        unsigned int ticket = atomicInc(&count, gridDim.x);\n        last = (ticket == gridDim.x - 1);"
RESET = "            count = 0;\n"
# A counter in memory that the host allocates.
OWN = (
    ("__device__ unsigned int count = 0;\n", ""),
    ("double *part, double *out)\n{", "double *part, unsigned *c, double *out)\n{"),
    ("&count", "c"),
    (RESET, ""),
    (
        "    sum<<<(N + 127) / 128, 128>>>(N, d, part, dr);",
        "    unsigned int *c;\n    cudaMalloc(&c, sizeof(unsigned int));\n    cudaMemset(c, 0, sizeof(unsigned int));\n"
        "    sum<<<(N + 127) / 128, 128>>>(N, d, part, c, dr);\n    cudaFree(c);",
    ),
)
LAUNCH = "    sum<<<(N + 127) / 128, 128>>>(N, d, part, c, dr);\n"

RIGHT = {
    "a counter of the file": (),
    "additions": (("atomicInc(&count, gridDim.x)", "atomicAdd(&count, 1)"),),
    "a counter that wraps around": (("(&count, gridDim.x)", "(&count, gridDim.x - 1)"), (RESET, "")),
    "one statement": ((TAKE, "        last = atomicAdd(&count, 1u) == gridDim.x - 1;"),),
    "a sum": (("ticket == gridDim.x - 1", "ticket + 1 == gridDim.x"),),
    "a return": (("    if (last) {", "    if (!last)\n        return;\n    {"),),
    "a fence of all": (
        (WRITE, "    if (t == 0)\n        part[blockIdx.x] = w[0];\n    __threadfence();\n    if (t == 0) {\n"),
    ),
    "a flag of the file": (("    __shared__ bool last;\n", ""), ("__device__", "__shared__ bool last;\n__device__")),
    "another thread, and a barrier": (
        (WRITE, "    if (t == 1)\n        part[blockIdx.x] = w[0];\n    __syncthreads();\n    if (t == 0) {\n" + FENCE),
    ),
    "a counter of the host": OWN,
    "two launches, cleared twice": (
        *OWN,
        (LAUNCH, f"{LAUNCH}    cudaMemset(c, 0, sizeof(unsigned int));\n{LAUNCH}"),
    ),
}
WRONG = {
    "no fence": ((FENCE, ""),),
    "a fence of the block": (("__threadfence", "__threadfence_block"),),
    "the fence in front of the store": ((WRITE, "    if (t == 0) {\n" + FENCE + "        part[blockIdx.x] = w[0];\n"),),
    "the fence behind the ticket": ((FENCE, ""), ("        last =", FENCE + "        last =")),
    "a fence under a condition": ((FENCE, "        if (n > 5)\n            __threadfence();\n"),),
    "another thread stores": (
        (WRITE, "    if (t == 1)\n        part[blockIdx.x] = w[0];\n    if (t == 0) {\n" + FENCE),
    ),
    "another thread stores, and all fence": (
        (WRITE, "    if (t == 1)\n        part[blockIdx.x] = w[0];\n    __threadfence();\n    if (t == 0) {\n"),
    ),
    "the counter is not reset": ((RESET, ""),),
    "the counter is set to 1": ((RESET, "            count = 1;\n"),),
    "the counter is 1 at first": (("count = 0;\n__g", "count = 1;\n__g"),),
    "the number of blocks": (("== gridDim.x - 1", "== gridDim.x"),),
    "one block less": (("== gridDim.x - 1", "== gridDim.x - 2"),),
    "the last one in the grid": (("ticket == gridDim.x", "blockIdx.x == gridDim.x"),),
    "a narrow ticket": (("unsigned int ticket", "unsigned char ticket"),),
    "a narrow comparison": (("(ticket ==", "((unsigned char)ticket =="),),
    "a counter that wraps too early": (("(&count, gridDim.x)", "(&count, 5)"),),
    "a flag of each thread": (("__shared__ bool last", "bool last"),),
    "no barrier before the flag": (("    __syncthreads();\n    if (last)", "    if (last)"),),
    "a barrier of a warp": (("    __syncthreads();\n    if (last)", "    __syncwarp();\n    if (last)"),),
    "a read before the flag": (
        ("        double own = 0;\n", ""),
        ("    if (t == 0) {", "    double own = part[t];\n    if (t == 0) {"),
    ),
    "every thread counts": (("    if (t == 0) {\n        part", "    if (t >= 0) {\n        part"),),
    "the first thread of another name": (("int t = threadIdx.x, ", "int t = threadIdx.x; t = 0; int "),),
    "threads return early": (("    w[t] = i < n", "    if (i >= n)\n        return;\n    w[t] = i < n"),),
    "the last block adds its own part": (("own += part[b]", "own += part[blockIdx.x]"),),
    "the last block uses a number of its own": (("own += part[b]", "own += part[b] + (i < 0 ? 1.0 : 0.0)"),),
    "statements behind": (("    }\n}\nvoid", "    }\n    if (t == 0)\n        out[1] = 0;\n}\nvoid"),),
    "another kernel has the counter": (("void total", "__global__ void bad() { count = 3; }\nvoid total"),),
    "a fence of the text's own": (("__global__ void sum", "__device__ void __threadfence() {}\n__global__ void sum"),),
    "blocks of two dimensions": (("128>>>", "dim3(128, 2)>>>"),),
    "a grid of two dimensions": (("(N + 127) / 128, 128>>>", "dim3((N + 127) / 128, 2), 128>>>"),),
    "a counter that is not cleared": (*OWN, ("    cudaMemset(c, 0, sizeof(unsigned int));\n", "")),
    "a counter that is cleared in part": (*OWN, ("c, 0, sizeof(unsigned int)", "c, 0, 2")),
    "two launches, cleared once": (*OWN, (LAUNCH, LAUNCH * 2)),
    "a loop of launches, cleared once": (*OWN, (LAUNCH, "    for (int k = 0; k < 2; k++)\n    " + LAUNCH)),
    "a counter with another name": (*OWN, ("    cudaFree", "    unsigned int *q = c;\n    cudaFree")),
    "a counter of the caller": (
        *OWN,
        (
            "    unsigned int *c;\n    cudaMalloc(&c, sizeof(unsigned int));\n"
            "    cudaMemset(c, 0, sizeof(unsigned int));\n",
            "",
        ),
        ("double *dr)\n{\n    sum", "double *dr, unsigned int *c)\n{\n    sum"),
    ),
}


def _is_split(changes: tuple[tuple[str, str], ...]) -> bool:
    text = SUM
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new, 1)
    try:
        tree = parse(Source("sum.cu", text), text)
    except Rejected as problem:
        return not str(problem)
    return any(name.endswith((LAST, COUNTED)) for name in definitions(tree))


@pytest.mark.parametrize("name", RIGHT)
def test_last_blocks_merge(name: str) -> None:
    assert _is_split(RIGHT[name])


@pytest.mark.parametrize("name", WRONG)
def test_other_kernels_are_refused(name: str) -> None:
    assert not _is_split(WRONG[name])


@pytest.mark.parametrize(
    ("statements", "open_"),
    [
        ("x[t] = 1; __syncthreads(); __threadfence();", (False, False)),
        ("x[t] = 1; __threadfence(); __syncthreads();", (True, False)),
        ("if (t == 0) x[0] = 1; __threadfence();", (False, False)),
        ("if (t == 0) { __threadfence(); x[0] = 1; }", (True, False)),
        ("w[t] = 1;", (False, False)),
    ],
)
def test_fences_of_accesses(statements: str, open_: tuple[bool, bool]) -> None:
    text = f"void f(int t, double *x) {{ double w[8]; {statements} }}"
    body = definitions(parse_file(Source("f.c", text), text))["f"].body or ()
    fences = Fences({}, frozenset())
    fences.pass_all(body, frozenset({"w"}), frozenset({"t"}), is_first=False)
    assert (fences.of_first, fences.of_others) == open_


def test_a_counter_that_is_no_variable_is_refused() -> None:
    text = "__global__ void k(unsigned *c) {}\nvoid f(unsigned *c) { k<<<1, 1>>>(c + 1); }"
    with pytest.raises(NotCounted, match="no variable"):
        check_counters(parse_file(Source("f.cu", text), text), {"k": Counting(0, resets=False)})
