"""References for `samples/kernels`: textbook loops and NumPy calls, where possible by another way to the same result.

A reference is a plain function `(p, v) -> outputs`: `p.N` is a parameter, `v.A` an input as an array over the bounding
box of its domain, relative to the box's lower corner. An output is an array over its own box; points of the box outside
of its domain are not compared.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import numpy as np

Reference = Callable[[SimpleNamespace, SimpleNamespace], Mapping[str, Any]]
Maker = Callable[[np.random.Generator, tuple[int, ...], SimpleNamespace], Any]


@dataclass(frozen=True, slots=True)
class Kernel:
    """A reference for the outputs of a kernel, and its inputs if arbitrary numbers do not suit."""

    reference: Reference
    inputs: Mapping[str, Maker] = field(default_factory=dict)


KERNELS: dict[str, Kernel] = {}


def kernel(folder: str, **inputs: Maker) -> Callable[[Reference], Reference]:
    """Registers the reference of `samples/kernels/<folder>`."""

    def register(reference: Reference) -> Reference:
        KERNELS[folder] = Kernel(reference, inputs)
        return reference

    return register


def integers(low: int, high: int) -> Maker:
    """From low to high, both included."""
    return lambda rng, shape, p: rng.integers(low, high + 1, shape)


def reals(low: float, high: float) -> Maker:
    return lambda rng, shape, p: rng.uniform(low, high, shape)


def dominant(rng: np.random.Generator, shape: tuple[int, ...], p: Any) -> Any:
    """A matrix with a heavy diagonal: every pivot is far from zero."""
    return rng.uniform(-1, 1, shape) + 2 * shape[0] * np.eye(shape[0])


def definite(rng: np.random.Generator, shape: tuple[int, ...], p: Any) -> Any:
    """A symmetric positive definite matrix."""
    half = rng.uniform(-1, 1, shape)
    return half @ half.T + shape[0] * np.eye(shape[0])


def independent(rng: np.random.Generator, shape: tuple[int, ...], p: Any) -> Any:
    """Columns that are far from linearly dependent."""
    return rng.uniform(-1, 1, shape) + shape[0] * np.eye(shape[0], shape[1])


# --- products ---------------------------------------------------------------------------------------------------------


@kernel("gemm")
def gemm(p, v):
    return {"C": v.alpha * (v.A @ v.B) + v.beta * v.C0}


@kernel("2mm")
def two_products(p, v):
    return {"D": v.alpha * (v.A @ v.B) @ v.C + v.beta * v.D0}


@kernel("3mm")
def three_products(p, v):
    return {"G": (v.A @ v.B) @ (v.C @ v.D)}


@kernel("gemver")
def gemver(p, v):
    b = v.A + np.outer(v.u1, v.v1) + np.outer(v.u2, v.v2)
    x = v.beta * (b.T @ v.y) + v.z
    return {"x": x, "w": v.alpha * (b @ x)}


@kernel("gesummv")
def gesummv(p, v):
    return {"y": (v.alpha * v.A + v.beta * v.B) @ v.x}


@kernel("symm")
def symm(p, v):
    whole = np.tril(v.A) + np.tril(v.A, -1).T
    return {"C": v.alpha * (whole @ v.B) + v.beta * v.C0}


@kernel("syrk")
def syrk(p, v):
    return {"C": v.alpha * (v.A @ v.A.T) + v.beta * v.C0}


@kernel("syr2k")
def syr2k(p, v):
    return {"C": v.alpha * (v.A @ v.B.T + v.B @ v.A.T) + v.beta * v.C0}


@kernel("trmm")
def trmm(p, v):
    unit = np.eye(p.M)
    unit[1:, : p.M - 1] += np.tril(v.A)
    return {"B": v.alpha * (unit.T @ v.B0)}


@kernel("atax")
def atax(p, v):
    return {"y": v.A.T @ (v.A @ v.x)}


@kernel("bicg")
def bicg(p, v):
    return {"s": v.r @ v.A, "q": v.A @ v.p}


@kernel("mvt")
def mvt(p, v):
    return {"x1": v.a + v.A @ v.y1, "x2": v.b + v.A.T @ v.y2}


@kernel("doitgen")
def doitgen(p, v):
    return {"B": v.A @ v.C4}


# --- factorisations and solvers ---------------------------------------------------------------------------------------


@kernel("cholesky", A=definite)
def cholesky(p, v):
    return {"L": np.linalg.cholesky(np.tril(v.A) + np.tril(v.A, -1).T)}


@kernel("lu", A=dominant)
def lu(p, v):
    a = v.A.copy()
    for k in range(p.N):
        a[k + 1 :, k] /= a[k, k]
        a[k + 1 :, k + 1 :] -= np.outer(a[k + 1 :, k], a[k, k + 1 :])
    return {"LU": a}


@kernel("ludcmp", A=dominant)
def ludcmp(p, v):
    return {"x": np.linalg.solve(v.A, v.b)}


@kernel("trisolv", L=dominant)
def trisolv(p, v):
    return {"x": np.linalg.solve(np.tril(v.L), v.b)}


@kernel("durbin", r=lambda rng, shape, p: rng.uniform(-1, 1, shape) / (2 * p.N))
def durbin(p, v):
    first = np.concatenate([[1.0], v.r[:-1]])
    toeplitz = np.array([[first[abs(i - j)] for j in range(p.N)] for i in range(p.N)])
    return {"x": np.linalg.solve(toeplitz, -v.r)}


@kernel("gramschmidt", A=independent)
def gramschmidt(p, v):
    q, r = np.linalg.qr(v.A)
    signs = np.sign(np.diag(r))
    return {"Q": q * signs, "R": r * signs[:, None]}


# --- data mining ------------------------------------------------------------------------------------------------------


def with_a_constant(rng: np.random.Generator, shape: tuple[int, ...], p: Any) -> Any:
    """Observations of which one variable does not vary at all."""
    values = rng.uniform(-1, 1, shape)
    values[:, shape[1] // 2] = 0.25
    return values


@kernel("correlation", data=with_a_constant)
def correlation(p, v):
    deviation = v.data.std(axis=0)
    scaled = (v.data - v.data.mean(axis=0)) / np.where(deviation <= 0.1, 1.0, deviation)
    corr = scaled.T @ scaled / p.N
    np.fill_diagonal(corr, 1.0)
    return {"corr": corr}


@kernel("covariance")
def covariance(p, v):
    return {"cov": np.cov(v.data, rowvar=False).reshape(p.M, p.M)}


# --- images -----------------------------------------------------------------------------------------------------------


@kernel("deriche", alpha=reals(0.2, 1.0))
def deriche(p, v):
    e = np.exp(-v.alpha)
    k = (1 - e) ** 2 / (1 + 2 * v.alpha * e - e**2)

    def smooth(line):
        """Both recursions as sums over the impulse response that they share."""
        n = len(line)
        response = [1.0, 2 * e]
        while len(response) < n:
            response.append(2 * e * response[-1] - e * e * response[-2])
        forth, back = np.zeros(n), np.zeros(n)
        for at in range(n):
            for distance in range(at + 1):
                forth[at] += response[distance] * k * line[at - distance]
                if distance < at:
                    forth[at] += response[distance] * k * e * (v.alpha - 1) * line[at - distance - 1]
            for distance in range(n - at):
                if at + distance + 1 < n:
                    back[at] += response[distance] * k * e * (v.alpha + 1) * line[at + distance + 1]
                if at + distance + 2 < n:
                    back[at] -= response[distance] * k * e * e * line[at + distance + 2]
        return forth + back

    rows = np.apply_along_axis(smooth, 1, v.image)
    return {"out": np.apply_along_axis(smooth, 0, rows)}


# --- stencils ---------------------------------------------------------------------------------------------------------


@kernel("jacobi-1d")
def jacobi_1d(p, v):
    a = v.A.copy()
    for _ in range(p.T):
        a[1:-1] = 0.33333 * (a[:-2] + a[1:-1] + a[2:])
    return {"B": a}


@kernel("jacobi-2d")
def jacobi_2d(p, v):
    a = v.A.copy()
    for _ in range(p.T):
        a[1:-1, 1:-1] = 0.2 * (a[1:-1, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:] + a[2:, 1:-1] + a[:-2, 1:-1])
    return {"B": a}


@kernel("seidel-2d")
def seidel_2d(p, v):
    a = v.A.copy()
    for _ in range(p.T):
        for i in range(1, p.N - 1):
            others = a[i, 1:-1] + a[i, 2:]
            for row in (i - 1, i + 1):
                others = others + a[row, :-2] + a[row, 1:-1] + a[row, 2:]
            for j in range(1, p.N - 1):
                a[i, j] = (others[j - 1] + a[i, j - 1]) / 9.0
    return {"B": a}


@kernel("heat-3d")
def heat_3d(p, v):
    a = v.A.copy()
    for _ in range(p.T):
        centre = a[1:-1, 1:-1, 1:-1]
        around = a[2:, 1:-1, 1:-1] + a[:-2, 1:-1, 1:-1] + a[1:-1, 2:, 1:-1] + a[1:-1, :-2, 1:-1]
        around = around + a[1:-1, 1:-1, 2:] + a[1:-1, 1:-1, :-2]
        a[1:-1, 1:-1, 1:-1] = 0.125 * around + 0.25 * centre
    return {"B": a}


@kernel("fdtd-2d")
def fdtd_2d(p, v):
    ex, ey, hz = v.ex0.copy(), v.ey0.copy(), v.hz0.copy()
    for t in range(p.T):
        ey[0] = v.source[t]
        ey[1:] -= 0.5 * (hz[1:] - hz[:-1])
        ex[:, 1:] -= 0.5 * (hz[:, 1:] - hz[:, :-1])
        hz[:-1, :-1] -= 0.7 * (ex[:-1, 1:] - ex[:-1, :-1] + ey[1:, :-1] - ey[:-1, :-1])
    return {"ex": ex, "ey": ey, "hz": hz}


@kernel("adi", a=reals(0.1, 0.9), d=reals(0.1, 0.9))
def adi(p, v):
    n = p.N

    def implicit(weight):
        """The matrix of (1 + 2 weight) x[i] - weight (x[i-1] + x[i+1]), with the borders fixed."""
        matrix = (1 + 2 * weight) * np.eye(n) - weight * (np.eye(n, k=1) + np.eye(n, k=-1))
        matrix[[0, -1]] = np.eye(n)[[0, -1]]
        return matrix

    u = v.u0.copy()
    for _ in range(p.T):
        right = np.ones((n, n))
        right[1:-1, 1:-1] = v.d * (u[1:-1, :-2] + u[1:-1, 2:]) + (1 - 2 * v.d) * u[1:-1, 1:-1]
        half = np.linalg.solve(implicit(v.a), right)
        right = np.ones((n, n))
        right[1:-1, 1:-1] = v.a * (half[:-2, 1:-1] + half[2:, 1:-1]) + (1 - 2 * v.a) * half[1:-1, 1:-1]
        u[1:-1] = np.linalg.solve(implicit(v.d), right.T).T[1:-1]
    return {"u": u}


# --- graphs and dynamic programming -----------------------------------------------------------------------------------


@kernel("floyd-warshall", w=integers(0, 99))
def floyd_warshall(p, v):
    d = v.w.copy()
    for k in range(p.N):
        d = np.minimum(d, d[:, k, None] + d[None, k, :])
    return {"d": d}


@kernel("nussinov", seq=integers(0, 3))
def nussinov(p, v):
    best: dict[tuple[int, int], int] = {}

    def pairs(i: int, j: int) -> int:
        """Base i pairs with nothing, or with k: what is inside and what is behind are independent."""
        if j <= i:
            return 0
        if (i, j) not in best:
            joined = [k for k in range(i + 1, j + 1) if v.seq[i] + v.seq[k] == 3]
            best[i, j] = max([pairs(i + 1, j), *(1 + pairs(i + 1, k - 1) + pairs(k + 1, j) for k in joined)])
        return best[i, j]

    return {"pairs": pairs(0, p.N - 1)}


@kernel("matrix-chain", p=integers(1, 20))
def matrix_chain(p, v):
    cost = np.zeros((p.N + 2, p.N + 2), dtype=np.int64)
    for length in range(2, p.N + 1):
        for i in range(1, p.N - length + 2):
            j = i + length - 1
            cost[i, j] = min(cost[i, k] + cost[k + 1, j] + v.p[i - 1] * v.p[k] * v.p[j] for k in range(i, j))
    return {"best": cost[1, p.N]}


@kernel("optimal-search-tree", w=integers(0, 50))
def optimal_search_tree(p, v):
    weights = [int(item) for item in v.w]
    best: dict[tuple[int, int], int] = {}

    def cost(first: int, behind: int) -> int:
        if first == behind:
            return 0
        if (first, behind) not in best:
            least = min(cost(first, root) + cost(root + 1, behind) for root in range(first, behind))
            best[first, behind] = sum(weights[first:behind]) + least
        return best[first, behind]

    return {"cost": cost(0, p.N)}


@kernel("longest-common-subsequence", a=integers(0, 3), b=integers(0, 3))
def longest_common_subsequence(p, v):
    row = [0] * (p.N + 1)
    for letter in v.a:
        above, row = row, [0]
        for j in range(p.N):
            row.append(above[j] + 1 if letter == v.b[j] else max(above[j + 1], row[j]))
    return {"length": row[-1]}


@kernel("smith-waterman", a=integers(0, 3), b=integers(0, 3))
def smith_waterman(p, v):
    table = np.zeros((p.M + 1, p.N + 1), dtype=int)
    for i in range(1, p.M + 1):
        for j in range(1, p.N + 1):
            same = 2 if v.a[i - 1] == v.b[j - 1] else -1
            table[i, j] = max(0, table[i - 1, j - 1] + same, table[i - 1, j] - 1, table[i, j - 1] - 1)
    return {"score": table[1:, 1:].max()}


@kernel("needleman-wunsch", a=integers(0, 3), b=integers(0, 3), open=integers(2, 4), extend=integers(0, 1))
def needleman_wunsch(p, v):
    """The cubic recurrence of Waterman, Smith and Beyer: a gap of every length is tried."""
    cost = [0, *(int(v.open) + (length - 1) * int(v.extend) for length in range(1, max(p.M, p.N) + 1))]
    best = np.zeros((p.M + 1, p.N + 1), dtype=int)
    for i in range(p.M + 1):
        for j in range(p.N + 1):
            ways = [best[i - gap, j] - cost[gap] for gap in range(1, i + 1)]
            ways += [best[i, j - gap] - cost[gap] for gap in range(1, j + 1)]
            if i > 0 and j > 0:
                ways.append(best[i - 1, j - 1] + (2 if v.a[i - 1] == v.b[j - 1] else -1))
            best[i, j] = max(ways, default=0)
    return {"score": best[p.M, p.N]}


@kernel("knapsack", weight=integers(1, 9), gain=integers(0, 20))
def knapsack(p, v):
    most = [0] * (p.W + 1)
    for weight, gain in zip(v.weight, v.gain, strict=True):
        most = [max(m, most[w - weight] + gain if w >= weight else 0) for w, m in enumerate(most)]
    return {"best": most[p.W]}
