"""References for `programs/linear-algebra`, in NumPy."""

import math
from typing import Any

import numpy as np

from tests.cases.table import integers, programs_of, reals

program = programs_of("linear-algebra")

_SQUARE = ({"N": 1}, {"N": 2}, {"N": 6})
_M_N = ({"M": 1, "N": 1}, {"M": 2, "N": 5}, {"M": 6, "N": 3})


def _dominant(rng: np.random.Generator, shape: tuple[int, ...], p: Any) -> Any:
    """A matrix with a heavy diagonal: every pivot is far from zero."""
    return rng.uniform(-1, 1, shape) + 2 * shape[0] * np.eye(shape[0])


def _definite(rng: np.random.Generator, shape: tuple[int, ...], p: Any) -> Any:
    """A symmetric positive definite matrix."""
    half = rng.uniform(-1, 1, shape)
    return half @ half.T + shape[0] * np.eye(shape[0])


@program(*_SQUARE)
def axpy(p, v):
    return {"z": v.y + v.a * v.x}


@program(*_SQUARE)
def dot(p, v):
    return {"s": np.dot(v.x, v.y)}


@program(*_M_N)
def matrix_vector(p, v):
    return {"y": v.A @ v.x}


@program({"P": 1, "Q": 1, "R": 1}, {"P": 2, "Q": 3, "R": 4}, {"P": 5, "Q": 2, "R": 3})
def matrix_product(p, v):
    return {"C": v.A @ v.B}


@program({"NI": 1, "NJ": 1, "NK": 1}, {"NI": 2, "NJ": 3, "NK": 4}, {"NI": 4, "NJ": 3, "NK": 1})
def gemm(p, v):
    return {"C": v.alpha * (v.A @ v.B) + v.beta * v.Cin}


@program(*_M_N)
def transpose(p, v):
    return {"B": v.A.T}


@program(*_SQUARE)
def trace(p, v):
    return {"tr": np.trace(v.A), "pr": np.prod(np.diag(v.A))}


@program(*_SQUARE)
def outer_product(p, v):
    a = np.outer(v.x, v.y)
    return {"A": a - a.T}


@program(*_M_N)
def trmm(p, v):
    unit = np.eye(p.M)
    unit[1:, : p.M - 1] += np.tril(v.L) if p.M > 1 else 0
    return {"C": unit @ v.B}


@program(*_M_N)
def symm(p, v):
    low = np.tril(v.A)
    return {"C": (low + np.tril(v.A, -1).T) @ v.B}


@program({"N": 1, "M": 1}, {"N": 4, "M": 2}, {"N": 3, "M": 5})
def syrk(p, v):
    return {"C": np.tril(v.A @ v.A.T)}


@program({"N": 1, "M": 1}, {"N": 4, "M": 2}, {"N": 3, "M": 5})
def syr2k(p, v):
    return {"C": np.tril(v.alpha * (v.A @ v.B.T + v.B @ v.A.T))}


@program(
    {"NI": 1, "NJ": 1, "NK": 1, "NL": 1}, {"NI": 2, "NJ": 3, "NK": 4, "NL": 5}, {"NI": 4, "NJ": 2, "NK": 1, "NL": 3},
    name="2mm",
)  # fmt: skip
def two_products(p, v):
    return {"D": v.A @ v.B @ v.C}


@program(*_SQUARE, name="3mm")
def three_products(p, v):
    return {"G": (v.A @ v.B) @ (v.C @ v.D)}


@program(*_M_N)
def atax(p, v):
    return {"y": v.A.T @ (v.A @ v.x)}


@program({"N": 1, "M": 1}, {"N": 4, "M": 2}, {"N": 3, "M": 5})
def bicg(p, v):
    return {"q": v.A @ v.p, "s": v.r @ v.A}


@program(*_SQUARE)
def mvt(p, v):
    return {"z1": v.x1 + v.A @ v.y1, "z2": v.x2 + v.A.T @ v.y2}


@program(*_SQUARE)
def gemver(p, v):
    a = v.A + np.outer(v.u1, v.v1) + np.outer(v.u2, v.v2)
    x = v.beta * (a.T @ v.y) + v.z
    return {"x": x, "w": v.alpha * (a @ x)}


@program(*_SQUARE)
def gesummv(p, v):
    return {"y": v.alpha * (v.A @ v.x) + v.beta * (v.B @ v.x)}


@program(*_SQUARE, inputs={"A": _dominant})
def lu(p, v):
    rest, low = v.A.copy(), {}
    for k in range(p.N):
        for i in range(k + 1, p.N):
            low[i, k] = rest[i, k] / rest[k, k]
            rest[i] -= low[i, k] * rest[k]
    return {"L": low, "U": np.triu(rest)}


@program(*_SQUARE, inputs={"A": _definite}, externals={"sqrt": math.sqrt})
def cholesky(p, v):
    return {"L": np.linalg.cholesky(np.tril(v.A) + np.tril(v.A, -1).T)}


@program(*_SQUARE, inputs={"A": _definite})
def ldl(p, v):
    root = np.linalg.cholesky(np.tril(v.A) + np.tril(v.A, -1).T)
    low = root / np.diag(root)
    return {"L": {(i, j): low[i, j] for i in range(p.N) for j in range(i)}, "D": np.diag(root) ** 2}


@program(*_SQUARE, inputs={"L": _dominant})
def trisolv(p, v):
    return {"x": np.linalg.solve(np.tril(v.L), v.b)}


@program(*_SQUARE, inputs={"U": _dominant})
def back_substitution(p, v):
    return {"x": np.linalg.solve(np.triu(v.U), v.b)}


@program(*_SQUARE, inputs={"L": _dominant})
def triangular_inverse(p, v):
    return {"X": np.tril(np.linalg.inv(np.tril(v.L)))}


@program(*_M_N)
def kronecker(p, v):
    return {"K": np.kron(v.A, v.B).reshape(p.M, p.N, p.M, p.N)}


@program({"R": 1, "Q": 1, "P": 1}, {"R": 2, "Q": 3, "P": 4}, {"R": 3, "Q": 1, "P": 2})
def doitgen(p, v):
    return {"S": np.tensordot(v.A, v.C4, axes=1)}


@program({"N": 2}, {"N": 3}, {"N": 9}, inputs={"b": reals(4, 5)})
def thomas(p, v):
    full = np.diag(v.b) + np.diag(v.a, -1) + np.diag(v.c, 1)
    return {"x": np.linalg.solve(full, v.d)}


@program({"N": 1, "W": 0}, {"N": 5, "W": 1}, {"N": 6, "W": 4})
def banded(p, v):
    full = np.zeros((p.N, p.N))
    for i in range(p.N):
        for j in range(max(0, i - p.W), min(p.N, i + p.W + 1)):
            full[i, j] = v.B[i, j - i + p.W]
    return {"y": full @ v.x}


@program(*_M_N)
def hadamard(p, v):
    return {"H": v.A * v.B * v.C}


@program({"N": 1, "K": 0}, {"N": 3, "K": 2}, {"N": 4, "K": 11})
def matrix_power(p, v):
    result = np.eye(p.N, dtype=object)
    for _ in range(p.K):
        result = (result @ v.A.astype(object)) % 2**32
    return {"R": result}


@program({"M": 1, "N": 1}, {"M": 4, "N": 2}, {"M": 5, "N": 5}, externals={"sqrt": math.sqrt})
def gram_schmidt(p, v):
    q, r = np.linalg.qr(v.A)
    sign = np.sign(np.diag(r))
    return {"Q": q * sign, "R": r * sign[:, None]}


@program(*_M_N, externals={"fabs": abs})
def norms(p, v):
    return {"one": np.linalg.norm(v.A, 1), "inf": np.linalg.norm(v.A, np.inf), "big": np.abs(v.A).max()}


@program({"N": 2}, {"N": 3}, {"N": 7})
def arrow(p, v):
    full = np.diag(np.diag(v.A))
    full[0], full[:, 0] = v.A[0], v.A[:, 0]
    return {"y": full @ v.x}


@program({"N": 1, "D": 0}, {"N": 3, "D": 2}, {"N": 4, "D": 5})
def vandermonde(p, v):
    return {"V": np.vander(v.x, p.D + 1, increasing=True), "y": np.polyval(v.c[::-1], v.x)}


@program(*_SQUARE, inputs={"r": lambda rng, shape, p: 0.5 ** np.arange(1, shape[0] + 1) * rng.uniform(0.8, 1)})
def durbin(p, v):
    first = np.concatenate(([1.0], v.r[:-1]))
    full = np.array([[first[abs(i - j)] for j in range(p.N)] for i in range(p.N)])
    return {"x": np.linalg.solve(full, -v.r)}


@program({"N": 1, "T": 1}, {"N": 3, "T": 2}, {"N": 4, "T": 7}, inputs={"A": reals(0.1, 1)}, externals={"fabs": abs})
def power_iteration(p, v):
    u = np.ones(p.N)
    for _ in range(p.T):
        w = v.A @ u
        m = np.abs(w).max()
        u = w / m
    return {"lambda": m, "v": u}


@program({"N": 2, "T": 1}, {"N": 3, "T": 4}, {"N": 5, "T": 3}, inputs={"A": _dominant})
def jacobi_solver(p, v):
    x, diagonal = np.zeros(p.N), np.diag(v.A)
    for _ in range(p.T):
        x = (v.b - (v.A - np.diag(diagonal)) @ x) / diagonal
    return {"x": x}


@program({"B": 1, "N": 1}, {"B": 3, "N": 2}, {"B": 2, "N": 5})
def batched_dot(p, v):
    return {"S": (v.X * v.Y).sum(axis=1)}


@program({"N": 1, "M": 1}, {"N": 3, "M": 2}, {"N": 2, "M": 5})
def chain_of_products(p, v):
    return {"R": v.A @ v.B @ v.C}


@program(*_SQUARE)
def toeplitz(p, v):
    return {"y": [sum(v.t[i - j + p.N - 1] * v.x[j] for j in range(p.N)) for i in range(p.N)]}


@program(*_SQUARE)
def circulant(p, v):
    return {"y": sum(np.roll(v.c, j) * v.x[j] for j in range(p.N))}


@program(*_SQUARE, inputs={"A": integers(-20, 20)})
def determinant_3(p, v):
    return {"det": np.rint(np.linalg.det(v.A.astype(float))).astype(int)}


@program(*_SQUARE, inputs={"A": _dominant})
def gauss_jordan(p, v):
    return {"Inv": np.linalg.inv(v.A)}


@program(*_SQUARE)
def complex_product(p, v):
    c = (v.ar + 1j * v.ai) * (v.br + 1j * v.bi)
    return {"cr": c.real, "ci": c.imag}


@program({"N": 2, "M": 1}, {"N": 3, "M": 4}, {"N": 7, "M": 3}, inputs={"n": lambda rng, shape, p: float(p.N)})
def covariance(p, v):
    return {"cov": np.triu(np.atleast_2d(np.cov(v.data, rowvar=False)))}


@program({"N": 3, "T": 1}, {"N": 4, "T": 2}, {"N": 6, "T": 4}, inputs={"A": _definite})
def conjugate_gradient(p, v):
    # The minimiser of the energy norm over the Krylov space of dimension T, by a dense solve.
    basis = [v.b]
    for _ in range(p.T - 1):
        basis.append(v.A @ basis[-1])
    k = np.linalg.qr(np.array(basis).T)[0]
    return {"sol": k @ np.linalg.solve(k.T @ v.A @ k, k.T @ v.b)}
