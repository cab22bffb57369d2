"""Peers of kernels of formulas: a separate loop for each operation in plain C, loops fused by hand,
and the sequence of calls of the BLAS through SciPy.

Bodies of C functions that have the parameters of the generated one; matrices are by rows.
"""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Peers:
    """`plain` and `fused` are bodies in C, `blas` the body of a Python function of p and v; None: there is none. Peers
    take whole matrices, so none does what a packed one is for.
    """

    plain: str | None = None
    fused: str | None = None
    blas: str | None = None


VECTOR = "for (int64_t i = 0; i < n; i++) "
THREADS = "#pragma omp parallel for simd\n"
ROWS = "for (int64_t i = 0; i < m; i++) "
COLUMNS = "for (int64_t j = 0; j < n; j++) "


def _times(result: str, matrix: str, vector: str) -> str:
    """result = matrix * vector."""
    return f"{ROWS}{{ double s = 0; {COLUMNS}s += {matrix}[i*n+j] * {vector}[j]; {result}[i] = s; }}\n"


def _transposed(result: str, matrix: str, vector: str) -> str:
    """result = matrix' * vector."""
    zero = f"{COLUMNS}{result}[j] = 0;\n"
    return f"{zero}{ROWS}{COLUMNS}{result}[j] += {matrix}[i*n+j] * {vector}[i];\n"


def _by_rows(sums: str, body: str) -> str:
    """Rows that threads share, and sums over all of them."""
    reduction = f" reduction(+ : {sums})" if sums else ""
    return f"#pragma omp parallel for{reduction}\n{ROWS}{{\n{body}}}\n"


def _row(clause: str, body: str) -> str:
    return f"#pragma omp simd{clause}\n{COLUMNS}{body}\n"


SUM = " reduction(+ : t)"

PEERS: Mapping[str, Peers] = {
    "axpydot": Peers(
        f"double t = 0; {VECTOR}z[i] = w[i] - *a * v[i];\n{VECTOR}t += z[i] * u[i];\n*r = t;",
        f"double t = 0;\n#pragma omp parallel for simd reduction(+ : t)\n"
        f"{VECTOR}{{ z[i] = w[i] - *a * v[i]; t += z[i] * u[i]; }}\n*r = t;",
        "z = daxpy(v.v, v.w.copy(), a=-float(v.a)); return {'z': z, 'r': np.array(ddot(z, v.u))}",
    ),
    "vadd": Peers(
        f"{VECTOR}x[i] = w[i] + y[i];\n{VECTOR}x[i] += z[i];",
        f"{THREADS}{VECTOR}x[i] = w[i] + y[i] + z[i];",
        "return {'x': daxpy(v.z, daxpy(v.y, v.w.copy()))}",
    ),
    "waxpby": Peers(
        f"{VECTOR}w[i] = *a * x[i];\n{VECTOR}w[i] += *b * y[i];",
        f"{THREADS}{VECTOR}w[i] = *a * x[i] + *b * y[i];",
        "return {'w': daxpy(v.y, dscal(float(v.a), v.x.copy()), a=float(v.b))}",
    ),
    "two-vadd": Peers(
        f"{VECTOR}x[i] = z[i] + y[i];",
        f"{THREADS}{VECTOR}x[i] = z[i] + y[i];",
        "return {'x': daxpy(v.y, v.z.copy())}",
    ),
    "gemv": Peers(
        _times("y", "A", "x"),
        _by_rows("", f"double t = 0;\n{_row(SUM, 't += A[i*n+j] * x[j];')}y[i] = t;\n"),
        "return {'y': dgemv(1.0, v.A.T, v.x, trans=1)}",
    ),
    "atax": Peers(
        f"double *t = malloc(8 * (size_t)m);\n{_times('t', 'A', 'x')}{_transposed('y', 'A', 't')}free(t);",
        f"{COLUMNS}y[j] = 0;\n"
        + _by_rows("y[:n]", f"double t = 0;\n{_row(SUM, 't += A[i*n+j] * x[j];')}{_row('', 'y[j] += A[i*n+j] * t;')}"),
        "return {'y': dgemv(1.0, v.A.T, dgemv(1.0, v.A.T, v.x, trans=1))}",
    ),
    "aatx": Peers(
        f"double *t = malloc(8 * (size_t)n);\n{_transposed('t', 'A', 'x')}{_times('y', 'A', 't')}free(t);",
        "double *s = calloc(n, 8);\n"
        + _by_rows("s[:n]", _row("", "s[j] += A[i*n+j] * x[i];"))
        + _by_rows("", f"double t = 0;\n{_row(SUM, 't += A[i*n+j] * s[j];')}y[i] = t;\n")
        + "free(s);",
        "return {'y': dgemv(1.0, v.A.T, dgemv(1.0, v.A.T, v.x), trans=1)}",
    ),
    "bicgk": Peers(
        f"{_times('q', 'A', 'p')}{_transposed('s', 'A', 'r')}",
        f"{COLUMNS}s[j] = 0;\n"
        + _by_rows(
            "s[:n]",
            f"double t = 0;\n{_row(SUM, '{ t += A[i*n+j] * p[j]; s[j] += A[i*n+j] * r[i]; }')}q[i] = t;\n",
        ),
        "return {'q': dgemv(1.0, v.A.T, v.p, trans=1), 's': dgemv(1.0, v.A.T, v.r)}",
    ),
    "dgemv": Peers(
        f"{_times('z', 'A', 'x')}{ROWS}z[i] = *a * z[i] + *b * y[i];",
        _by_rows("", f"double t = 0;\n{_row(SUM, 't += A[i*n+j] * x[j];')}z[i] = *a * t + *b * y[i];\n"),
        "return {'z': dgemv(float(v.a), v.A.T, v.x, float(v.b), v.y, trans=1)}",
    ),
    "dgemvt": Peers(
        f"{_transposed('x', 'A', 'y')}{COLUMNS}x[j] = *b * x[j] + z[j];\n{_times('w', 'A', 'x')}{ROWS}w[i] *= *a;",
        f"{COLUMNS}x[j] = 0;\n"
        + _by_rows("x[:n]", _row("", "x[j] += A[i*n+j] * y[i];"))
        + f"{COLUMNS}x[j] = *b * x[j] + z[j];\n"
        + _by_rows("", f"double t = 0;\n{_row(SUM, 't += A[i*n+j] * x[j];')}w[i] = *a * t;\n"),
        "x = dgemv(float(v.b), v.A.T, v.y, 1.0, v.z); return {'x': x, 'w': dgemv(float(v.a), v.A.T, x, trans=1)}",
    ),
    "gemver": Peers(
        f"{ROWS}{COLUMNS}B[i*n+j] = A[i*n+j] + u1[i] * v1[j] + u2[i] * v2[j];\n"
        f"{_transposed('x', 'B', 'y')}{COLUMNS}x[j] = *b * x[j] + z[j];\n{_times('w', 'B', 'x')}{ROWS}w[i] *= *a;",
        f"{COLUMNS}x[j] = 0;\n"
        + _by_rows(
            "x[:n]",
            _row(
                "",
                "{ const double s = A[i*n+j] + u1[i] * v1[j] + u2[i] * v2[j]; B[i*n+j] = s; x[j] += s * y[i]; }",
            ),
        )
        + f"{COLUMNS}x[j] = *b * x[j] + z[j];\n"
        + _by_rows("", f"double t = 0;\n{_row(SUM, 't += B[i*n+j] * x[j];')}w[i] = *a * t;\n"),
        "b = dger(1.0, v.v1, v.u1, a=v.A.copy().T, overwrite_a=1); b = dger(1.0, v.v2, v.u2, a=b, overwrite_a=1)\n"
        "    x = dgemv(float(v.b), b, v.y, 1.0, v.z)\n"
        "    return {'B': b.T, 'x': x, 'w': dgemv(float(v.a), b, x, trans=1)}",
    ),
    "gesummv": Peers(
        f"double *t = malloc(8 * (size_t)m);\n{_times('t', 'A', 'x')}{_times('y', 'B', 'x')}"
        f"{ROWS}y[i] = *a * t[i] + *b * y[i];\nfree(t);",
        _by_rows(
            "",
            "double s = 0, t = 0;\n"
            + _row(" reduction(+ : s, t)", "{ s += A[i*n+j] * x[j]; t += B[i*n+j] * x[j]; }")
            + "y[i] = *a * s + *b * t;\n",
        ),
        "y = dgemv(float(v.b), v.B.T, v.x, trans=1)\n"
        "    return {'y': dgemv(float(v.a), v.A.T, v.x, 1.0, y, trans=1, overwrite_y=1)}",
    ),
    "two-products": Peers(
        f"{_times('w', 'A', 'z')}{_times('y', 'A', 'x')}",
        _by_rows(
            "",
            "double s = 0, t = 0;\n"
            + _row(" reduction(+ : s, t)", "{ s += A[i*n+j] * z[j]; t += A[i*n+j] * x[j]; }")
            + "w[i] = s; y[i] = t;\n",
        ),
        "return {'w': dgemv(1.0, v.A.T, v.z, trans=1), 'y': dgemv(1.0, v.A.T, v.x, trans=1)}",
    ),
    "outer": Peers(
        "for (int64_t i = 0; i < n; i++) for (int64_t j = i; j < n; j++) A[i*n+j] = x[i] * x[j];",
        "#pragma omp parallel for schedule(dynamic, 64)\nfor (int64_t i = 0; i < n; i++) {\n"
        "#pragma omp simd\nfor (int64_t j = i; j < n; j++) A[i*n+j] = x[i] * x[j]; }",
        "return {'A': dsyr(1.0, v.x, lower=1).T}",
    ),
    "triangular": Peers(
        "for (int64_t i = 0; i < n; i++) {\n"
        "double s = 0; for (int64_t j = i; j < n; j++) s += T[i*n+j] * x[j]; y[i] = s; }",
        "#pragma omp parallel for schedule(dynamic, 64)\nfor (int64_t i = 0; i < n; i++) {\ndouble s = 0;\n"
        "#pragma omp simd reduction(+ : s)\nfor (int64_t j = i; j < n; j++) s += T[i*n+j] * x[j];\ny[i] = s; }",
        "return {'y': dtrmv(v.T.T, v.x, lower=1, trans=1)}",
    ),
    "triangular-packed": Peers(),
}
