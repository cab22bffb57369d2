"""Tiles whose iterators count from 0 in each, as people and models write them: packed panels, blocks of accumulators.

Where runs of the model are smaller than one tile, nothing but the cells tells where it begins.
"""

import pytest

from tests.equivalence.asking import verdict
from tests.thinning import thinned

pytestmark = pytest.mark.slow

PACKED = """\
#include <stdlib.h>
#define TI 32
#define TJ 64
#define TK 32
static inline int imin(int a, int b) { return a < b ? a : b; }
static void pack(double *dst, const double *B, int NJ, int k0, int k1, int j0, int j1)
{
    for (int k = k0; k < k1; k++)
        for (int j = j0; j < j1; j++)
            dst[(k - k0) * TJ + (j - j0)] = B[k * NJ + j];
}
void gemm(int NI, int NJ, int NK, double alpha, double beta,
          const double *C0, const double *A, const double *B, double *C)
{
    for (int i = 0; i < NI * NJ; i++)
        C[i] = beta * C0[i];
    #pragma omp parallel
    {
        double *buf = malloc(TK * TJ * sizeof(double));
        #pragma omp for collapse(2)
        for (int i0 = 0; i0 < NI; i0 += TI)
            for (int j0 = 0; j0 < NJ; j0 += TJ) {
                int i1 = imin(i0 + TI, NI), j1 = imin(j0 + TJ, NJ);
                for (int k0 = 0; k0 < NK; k0 += TK) {
                    int k1 = imin(k0 + TK, NK);
                    pack(buf, B, NJ, k0, k1, j0, j1);
                    for (int i = i0; i < i1; i++)
                        for (int k = k0; k < k1; k++) {
                            double a = alpha * A[i * NK + k];
                            for (int j = 0; j < j1 - j0; j++)
                                C[i * NJ + j0 + j] += a * buf[(k - k0) * TJ + j];
                        }
                }
            }
        free(buf);
    }
}
"""
BLOCKS = """\
#define MR 4
#define NR 8
static inline int imin(int a, int b) { return a < b ? a : b; }
void gemm(int NI, int NJ, int NK, double alpha, double beta,
          const double *C0, const double *A, const double *B, double *C)
{
    #pragma omp parallel for collapse(2)
    for (int i0 = 0; i0 < NI; i0 += MR)
        for (int j0 = 0; j0 < NJ; j0 += NR) {
            double acc[MR][NR];
            int mr = imin(MR, NI - i0), nr = imin(NR, NJ - j0);
            for (int r = 0; r < mr; r++)
                for (int c = 0; c < nr; c++)
                    acc[r][c] = 0.0;
            for (int k = 0; k < NK; k++)
                for (int r = 0; r < mr; r++)
                    for (int c = 0; c < nr; c++)
                        acc[r][c] += A[(i0 + r) * NK + k] * B[k * NJ + j0 + c];
            for (int r = 0; r < mr; r++)
                for (int c = 0; c < nr; c++)
                    C[(i0 + r) * NJ + j0 + c] = beta * C0[(i0 + r) * NJ + j0 + c] + alpha * acc[r][c];
        }
}
"""
WRONG = [
    (PACKED, "imin(k0 + TK, NK)", "imin(k0 + TK + 1, NK)"),
    (PACKED, "j < j1 - j0", "j < j1 - j0 - (j0 > 0)"),
    (PACKED, "= B[k * NJ + j]", "= B[k * NJ + j - j0]"),
    (BLOCKS, "B[k * NJ + j0 + c]", "B[k * NJ + c]"),
    (BLOCKS, "= imin(MR, NI - i0)", "= imin(MR, NI)"),
    (BLOCKS, "acc[r][c] = 0.0;", "acc[r][c] = i0 > 0;"),
]


@pytest.mark.parametrize("text", [PACKED, BLOCKS], ids=["packed", "blocks"])
def test_tiled_products_are_proved(text: str) -> None:
    assert verdict("gemm", text).verdict == "proved"


@pytest.mark.parametrize(("text", "old", "new"), thinned(WRONG, 3))
def test_what_is_wrong_behind_the_first_tile_is_not(text: str, old: str, new: str) -> None:
    assert old in text
    assert verdict("gemm", text.replace(old, new)).verdict == "undecided"


@pytest.mark.long
def test_tiles_that_add_to_the_first_columns_are_a_data_race() -> None:
    wrong = PACKED.replace("C[i * NJ + j0 + j] +=", "C[i * NJ + j] +=")
    assert wrong != PACKED
    assert verdict("gemm", wrong).verdict == "refuted"
