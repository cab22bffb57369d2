"""Models of kernels of a GPU: their instances, and the small blocks from which claims are inferred."""

import pytest

from alphaz.diagnostics import Source
from alphaz.equivalence.concrete_instances import points
from alphaz.equivalence.tile_shrinking import shrinkings
from alphaz.poly import Affine, Domain, Space
from alphaz.scop import CKernel, parse, read_kernel

HOST = "\nvoid f(int N, double *A)\n{\n    k<<<(N + %d) / %d, %d>>>(N, A);\n}\n"
STRIDED = "for (int l = threadIdx.x; l < N; l += %d) s[l %% %d] = A[l];"
LINEAR = "const int t = threadIdx.x, x = t % 4, y = t / 4; if (blockIdx.x * 16 + x < N) s[y] = A[blockIdx.x * 16 + x];"


def kernel_of(body: str, block: int) -> CKernel:
    head = f"__global__ void k(int N, double *A)\n{{\n    __shared__ double s[{block}];\n"
    source = Source("f.cu", f"{head}{body}\n}}\n{HOST % (block - 1, block, block)}")
    context = Domain.where(Space(("N",)), [])
    return read_kernel(source, parse(source, source.text), "f", context, {"N": "N"}, {"A": (Affine.name("N"),)})


@pytest.mark.parametrize(("body", "block"), [(STRIDED % (4, 4), 4), (STRIDED % (3, 4), 4), (LINEAR, 16)])
def test_strided_instances_are_those_of_the_domain(body: str, block: int) -> None:
    for statement in kernel_of(body, block).statements:
        for number in (1, 5, 18):
            found = points(statement, {"N": number})
            assert found
            assert found == sorted(statement.domain.points({"N": number}))


def test_products_of_sizes_stay_products() -> None:
    body = "int l = threadIdx.x; if (l / 16 < N) s[l % 16] = A[l / 16];"
    first = next(shrinkings(kernel_of(body, 256)))
    assert first.tiles == (4, 16)
    assert (first.numbers[16], first.numbers[255]) == (4, 15)
    assert (first.originals[4], first.originals[16]) == (16, 256)


def test_padded_rows_of_shared_memory_stay_padded() -> None:
    body = "int l = threadIdx.x; if (l < N) s[l % 16 * 33 + l / 16 % 32] = A[l];"
    choices = list(shrinkings(kernel_of(body, 16 * 33)))
    assert choices
    for small in choices:
        assert small.numbers[16 * 33] == small.numbers[16] * small.numbers[33]
        assert small.numbers[33] == small.numbers[32] + 1


def test_factors_of_parameters_stay_as_in_the_equations() -> None:
    body = "int l = blockIdx.x * 128 + threadIdx.x; if (l < 100 * N) s[l % 128] = A[l];"
    choices = list(shrinkings(kernel_of(body, 128)))
    assert choices
    assert all(small.numbers[100] == 100 > small.numbers[128] for small in choices)


def test_the_small_kernel_has_small_blocks() -> None:
    kernel = kernel_of(STRIDED % (128, 128), 128)
    small = next(shrinkings(kernel)).kernel(kernel)
    (statement,) = small.statements
    assert statement.domain.greatest("threadIdx.x") in range(2, 8)
    assert kernel.statements[0].domain.greatest("threadIdx.x") == 127


def test_small_blocks_are_not_made_smaller() -> None:
    assert list(shrinkings(kernel_of("if (threadIdx.x < N) A[threadIdx.x] = 0;", 3))) == []
