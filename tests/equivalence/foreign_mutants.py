"""Three faults for each kernel of `foreign`: bounds, subscripts, starts, orders, races.

`scripts/prove-foreign [gemm--tiles ...]` proves the kernels and executes the mutants: none may be proved.
"""

import argparse
import sys
import time

from tests.equivalence.asking import FOREIGN, foreign, verdict

# What is replaced, by what.
# ruff: noqa: E501 - the texts are what is replaced
_FOR = "#pragma omp parallel for\n"
MUTANTS: dict[str, tuple[tuple[str, str], tuple[str, str], tuple[str, str]]] = {
    "2mm--pointers": (("double *d = D + i * NL", "double *d = D"), ("j * NL + l]", "l * NJ + j]"), ("k < NK", "k < NK - 1")),
    "atax--once": (("y[j] = 0;", "y[j] = x[j];"), ("row[j] * dot", "row[i] * dot"), ("i = 0; i < M", "i = 1; i < M")),
    "atax--sections": (("reduction(+ : y[:N])", ""), ("y[j] += A[i][j] * t", "y[j] = A[i][j] * t"), ("y[:N]", "y[:M]")),
    "bicg--collected": (("#pragma omp atomic\n", ""), ("mine[j] += r[i]", "mine[j] = r[i]"), ("calloc(M", "calloc(N")),
    "bicg--transposed": (("#pragma omp atomic\n", ""), ("j = M - 1; j >= 0", "j = M - 1; j > 0"), ("+= r[i]", "+= r[j]")),
    "bicg--unrolled": (("i + 1 < N", "i + 2 < N"), ("N % 2 == 1", "N % 2 == 0"), ("two += A[i + 1][j]", "two += A[i][j]")),
    "cholesky--columns": (("sqrt(A[j][j] - sum)", "sqrt(A[j][j] + sum)"), ("i = j + 1", "i = j + 2"), ("inner += L[i][k] * L[j][k]", "inner += L[i][k] * L[k][j]")),
    "covariance--unrolled": (("data[k + 3][i]", "data[k + 2][i]"), ("k = N % 4; k < N", "k = 4; k < N"), ("i <= j", "i < j")),
    "doitgen--buffer": (("double sum[P];", "double sum[P - 1];"), ("C4[s][p]", "C4[p][s]"), ("sum[p] = 0.0", "sum[p] = A[r][q][p]")),
    "durbin--scalars": (("buffer[k - i - 1]", "x[k - i - 1]"), ("r[k - 1 - i]", "r[i]"), ("double s = 0.0", "double s = 1.0")),
    "fdtd-2d--fused": (("if (i > 0)", "if (i > 1)"), ("- hz[i][j - 1]", "- hz[i - 1][j]"), ("    for (int64_t t = 0; t < T", f"{_FOR}    for (int64_t t = 0; t < T")),
    "gemm--rest": (("for (; j < NJ", "for (; j < NJ - 1"), ("j + 3 < NJ", "j + 2 < NJ"), ("aik * b[j + 2]", "aik * b[j + 1]")),
    "gemm--rows": (("sum[j] = 0.0;", "sum[0] = 0.0;"), ("&B[k * NJ]", "&B[k * NK]"), ("*beta * from[j]", "*beta * row[j]")),
    "gemm--threads": (("reduction(+ : sum)", ""), ("k < NK", "k <= NK"), ("beta * C0", "alpha * C0")),
    "gemm--tiles": (("kt += T", "kt += 3"), ("MIN(it + T, NI)", "it + T"), ("        for (long kt = 0;", f"{_FOR}        for (long kt = 0;")),
    "gemver--fused": (("reduction(+ : sum)", ""), ("v1[i]", "v1[j]"), ("    for (long j = 0; j < N; j++)\n        for (long i = 0;", f"{_FOR}    for (long j = 0; j < N; j++)\n        for (long i = 0;")),
    "gesummv--region": (("reduction(+ : ax, bx)", ""), ("bx += B", "bx = B"), ("#pragma omp for simd\n", "")),
    "gesummv--split": (("y[i] = 0;", ""), ("B[N * i + j]", "B[N * j + i]"), ("*alpha * tmp", "*beta * tmp")),
    "gramschmidt--columns": (("V[i][k] / norm", "V[i][k] / square"), ("j = k + 1", "j = k"), ("    for (int64_t k = 0;", f"{_FOR}    for (int64_t k = 0;")),
    "jacobi-1d--in-place": (("left = mid;", "left = B[i];"), ("left = B[0]", "left = B[1]"), ("B[i + 1])", "B[i])")),
    "jacobi-1d--parity": (("odd[i] = A[i];", "odd[i] = 0.0;"), ("t % 2 == 1)", "t % 2 == 0)"), ("even[i + 1])", "odd[i + 1])")),
    "jacobi-1d--skewed": (("w <= 2 * T", "w < 2 * T"), ("w - 2 * t <= N - 2", "w - 2 * t <= N - 1"), ("        for (int64_t t = 1; t <= T; t++)\n            if", "        for (int64_t t = 1; t < T; t++)\n            if")),
    "jacobi-2d--region": (("#pragma omp for\n            for (int64_t i = 1; i < N - 1; i++)\n                for (int64_t j = 1; j < N - 1; j++)\n                    B", "#pragma omp for nowait\n            for (int64_t i = 1; i < N - 1; i++)\n                for (int64_t j = 1; j < N - 1; j++)\n                    B"), ("B[i][j - 1]", "B[i][j - 2]"), ("B[i][j] = next", "B[j][i] = next")),
    "longest-common-subsequence--parity": (("(i - 1) % 2", "i % 2"), ("L[M % 2]", "L[N % 2]"), ("int L[2]", "int L[1]")),
    "longest-common-subsequence--rows": (("row[0] = 0;", ""), ("before[j - 1] + 1", "row[j - 1] + 1"), ("int before[N + 1]", "int before[N]")),
    "lu--blocks": (("ii += BS", "ii += BS + 1"), ("row[k] / piv[k]", "row[k] * piv[k]"), ("    for (long k = 0", f"{_FOR}    for (long k = 0")),
    "lu--right": (("j = k + 1", "j = k"), ("LU[i][k] /= LU[k][k];", "LU[i][k] /= LU[i][i];"), ("i = k + 1; i < N; i++)\n            LU", "i = k + 2; i < N; i++)\n            LU")),
    "lu--threads": (("    for (int64_t k", f"{_FOR}    for (int64_t k"), ("factor * LU[k][j]", "factor * LU[j][k]"), ("k < N - 1", "k < N - 2")),
    "matrix-chain--diagonals": (("k >= i; k--", "k > i; k--"), ("LONG_MAX", "1000"), ("M[i * (N + 1) + i] = 0;", "M[i * (N + 1) + i] = 1;")),
    "mvt--dot": (("k < n", "k < n - 1"), ("double s = 0.0", "double s = 1.0"), ("dot(N, A[i], y1)", "dot(N, A[0], y1)")),
    "mvt--fused": (("A[j * N + i]", "A[i * N + j]"), ("x2[i] = b[i]", "x2[i] = a[i]"), ("j < N", "j < i")),
    "mvt--stepping": (("*p++ * *q++", "*p++ * *q"), ("at += n", "at += 1"), ("k > 0; k--", "k > 1; k--")),
    "mvt--unrolled": (("j < N - 3", "j < N - 4"), ("y1[j + 3]", "y1[j + 2]"), ("j = N / 4 * 4", "j = N / 4")),
    "seidel-2d--wavefront": (("w - 2 * t;", "w - t;"), ("w <= N - 2 + 2 * (T - 1)", "w < N - 2 + 2 * (T - 1)"), ("w - 2 * t", "w - t")),
    "symm--gathered": (("k <= i", "k < i"), ("A[k][i]", "A[i][k]"), ("collapse(2)\n    for (long j", "\n    for (long j = 0; j < 1; j++)\n    for (long j_")),
    "syr2k--tiles": (("jt <= it", "jt < it"), ("i + 1)", "i)"), ("B[j][k] * A[i][k]", "B[i][k] * A[i][k]")),
    "syrk--rows": (("double dot = 0;", "static double dot; dot = 0;"), ("j >= 0", "j > 0"), ("A[j][k] * A[i][k]", "A[k][j] * A[i][k]")),
    "trisolv--columns": (("    for (int64_t j", f"{_FOR}    for (int64_t j"), ("i = j + 1", "i = j"), ("x[j] / L[j][j]", "x[j] * L[j][j]")),
    "trmm--upwards": (("k = i + 1", "k = i + 2"), ("B0[k][j]", "B[i][j]"), ("A[k - 1][i]", "A[k - 1][i + 1]")),
}  # fmt: skip


def mutants(name: str) -> list[str]:
    text = foreign(name)
    found = []
    for old, new in MUTANTS[name]:
        assert old in text, (name, old)
        found.append(text.replace(old, new))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("kernels", nargs="*", metavar="KERNEL")
    wrong = 0
    for name in parser.parse_args().kernels or sorted(path.stem for path in FOREIGN.glob("*.c")):
        start = time.perf_counter()
        kernel = name.partition("--")[0]
        right = verdict(kernel, foreign(name)).verdict
        answers = [verdict(kernel, mutant, executes=True).verdict for mutant in mutants(name)]
        wrong += (right != "proved") + answers.count("proved")
        sys.stdout.write(f"{name}: {right}; mutants {', '.join(answers)} ({time.perf_counter() - start:.1f} s)\n")
        sys.stdout.flush()
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
