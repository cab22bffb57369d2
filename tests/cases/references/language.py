"""References for `programs/language`: every corner of the grammar, spelled out in Python."""

import math
from itertools import accumulate
from typing import Any

import numpy as np

from tests.cases.table import integers, programs_of, reals

program = programs_of("language")

_N = ({"N": 1}, {"N": 2}, {"N": 7})
_N2 = ({"N": 2}, {"N": 3}, {"N": 6})
_N3 = ({"N": 3}, {"N": 4}, {"N": 7})
_N_M = ({"N": 1, "M": 1}, {"N": 2, "M": 5}, {"N": 6, "M": 3})


def _not_zero(rng, shape, p):
    return rng.integers(1, 8, shape) * rng.choice([-1, 1], shape)


def _quotient(a, b):
    """Towards zero, as in C."""
    return [math.trunc(x / y) for x, y in zip(a, b, strict=True)]


def _remainder(a, b):
    """With the sign of the dividend, as in C."""
    return np.array([int(math.fmod(x, y)) for x, y in zip(a, b, strict=True)])


def _signed(value, bits):
    """Two's complement."""
    return (value + 2 ** (bits - 1)) % 2**bits - 2 ** (bits - 1)


@program(*_N)
def precedence_extremes(p, v):
    low, high = np.minimum, np.maximum
    return {
        "p": v.a + (low(v.b, v.c) * v.d),
        "q": (v.a * high(v.b, v.c)) - v.d,
        "r": low(high(low(v.a, v.b), v.c), v.d),
        "s": high(-v.a, -v.b),
    }


@program(*_N, inputs={"b": _not_zero, "c": _not_zero})
def precedence_remainder(p, v):
    return {
        "p": _remainder(v.a, v.b * v.c),
        "q": v.a + _remainder(v.b, v.c) - 1,
        "r": _quotient(v.a, v.b) * v.c,
        "s": _remainder(_remainder(v.a, v.b), v.c),
    }


@program({"N": 1}, {"N": 8}, {"N": 40})
def precedence_logic(p, v):
    a, b, c, d, x, y = v.a, v.b, v.c, v.d, v.x, v.y
    return {
        "p": (a | b) ^ (c & d),
        "q": ~((a & b) & c),
        "r": (~a & b) | ~c,
        "s": ((x + 1 < y * 2) & (x != y)) | a,
        "t": ~(~(a & b) & c) | (x >= y),
    }


@program(*_N)
def operators_prefix(p, v):
    return {
        "sum": v.a + v.b + v.c + v.d,
        "product": v.a * v.b * v.c,
        "least": np.min([v.a, v.b, v.c, v.d], axis=0),
        "greatest": np.max([v.a, v.b], axis=0),
        "mixed": np.max([np.minimum(v.a, v.b), v.c + 2 * v.d, np.full(p.N, -5)], axis=0),
        "all": v.u & v.v & v.w,
        "any": v.u | v.v,
        "odd": v.u ^ v.v ^ v.w,
    }


@program(*_N)
def unary(p, v):
    return {"p": 2 * v.a, "q": 6 - 2 * v.a, "r": v.b}


@program(*_N)
def odd_names(p, v):
    value = vars(v)
    product = (value["min"] + value["input"]) * (value["for"] - value["_"] - value["main"])
    switch = np.maximum.accumulate(product)
    return {"case": product, "switch": switch, "errno": np.minimum(switch, value["min"])}


@program({"N": 1, "M": 0}, {"N": 3, "M": 2}, {"N": 4, "M": 5})
def index_values(p, v):
    points = [(i, j) for i in range(p.N) for j in range(-p.M, p.M + 1)]
    a = {(i, j): (i + j) * (2 * i - 3 * j + p.N) + i for i, j in points}
    return {"a": a, "b": a, "c": {(i, j): p.M if i < j else 5 for i, j in points}, "d": p.N - 2 * p.M, "e": p.M + p.N}


@program(*_N_M)
def tuples(p, v):
    n = range(p.N)
    return {"B": v.A, "C": {(i, j, k): i + 10 * j + 100 * k for i in n for j in n for k in n if k <= i and k <= j}}


@program(*_N2)
def chains(p, v):
    n = range(p.N)
    return {
        "a": {(i, j, k): i + j + k for i in n for j in n for k in n if i <= j < k},
        "b": {(i, j): i - j for i in n for j in n if i >= j},
        "c": {(i, i): 2 * i for i in n},
        "d": {(i, 2 * i + 1): 2 * i + 1 for i in n},
        "e": {(i, 0): 3 * i for i in n},
    }


@program({"N": 2}, {"N": 5}, {"N": 4})
def union_variables(p, v):
    rows = {(0, j): v.L[0, j] for j in range(p.N)} | {(3, j): v.L[j, 0] for j in range(p.N)}
    return {"rows": rows, "off": (v.L[:, :1] + v.L[:1]) * (1 - np.eye(p.N, dtype=int))}


@program(*_N3)
def not_equal(p, v):
    a = np.full((p.N, p.N), 2)
    a[0], a[:, 0] = 3, 4
    np.fill_diagonal(a, 1)
    return {"a": a}


@program({}, {}, {})
def scalars_only(p, v):
    return {"sum": v.a + v.b, "cube": (v.a + v.b) ** 3}


@program(*_N, externals={"twice": lambda x: 2 * x})
def lifting(p, v):
    i = np.arange(p.N)
    return {"x": v.s + 2 * v.A, "y": v.s * (i + 2) + 2 * v.s, "z": v.A[::-1] + 2 * v.s + 1, "n": p.N}


@program(*_N2)
def point_free(p, v):
    return {
        "p": v.A[:, 0] + v.v[::-1],
        "q": np.concatenate((v.v[:1], 2 * v.v[:-1]))[::-1],
        "r": v.A @ v.v,
    }


@program(*_N2)
def mixed_notation(p, v):
    return {"B": 2 * (v.A + v.A.T)}


@program(*_N)
def nested_reductions(p, v):
    n = range(p.N)
    rows = [[v.A[i, j, : j + 1] for j in range(i + 1)] for i in n]
    return {
        # Where j > i the inner sum is over nothing, and b bounds j.
        "p": [max((row[j].sum() if j < len(row) else 0) * v.b[j] for j in n) for row in rows],
        "q": [
            min(part.min() for part in row) if v.b[i] > 0 else 1 + max(part[-1] for part in row)
            for i, row in enumerate(rows)
        ],
        "r": sum(min(part.max() for part in row) for row in rows),
    }


@program(*_N2)
def reduction_point_free(p, v):
    pairs = np.add.outer(v.v, v.v)
    return {
        "a": np.cumsum(v.v)[:-1],
        "b": v.v[1:] * v.v[:-1],
        "c": [pairs[::-1].diagonal(k).max() for k in range(1 - p.N, p.N)],
        "total": v.v.sum(),
    }


@program(*_N2, warnings=("AZ309",))
def projections(p, v):
    return {
        "diagonal": np.correlate(v.v, v.v, "full"),
        "even": np.kron(v.v, [1, 0]),
        "shifted": v.v,
        "first": [v.v.max(), -(2**31)],
    }


@program(*_N)
def all_reductions(p, v):
    return {
        "sum": v.x.sum(), "product": math.prod(v.x.tolist()), "least": v.x.min(), "greatest": v.x.max(),
        "all": v.b.all(), "any": v.b.any(), "odd": v.b.sum() % 2,
    }  # fmt: skip


@program({"N": 0}, {"N": 0}, {"N": 3}, warnings=("AZ309",) * 6)
def empty_reductions(p, v):
    return {
        "sum": v.x.sum(), "product": math.prod(v.x.tolist()),
        "least": v.x.min(initial=2**31 - 1), "greatest": v.x.max(initial=-(2**31)),
        "low": v.d.min(initial=np.inf), "high": v.d.max(initial=-np.inf),
        "all": v.b.all(), "any": v.b.any(),
        "small": v.c.min(initial=255), "large": v.c.max(initial=0),
    }  # fmt: skip


@program(*_N, inputs={"f": reals(-9, -1), "d": reals(-9, -1)})
def negative_maximum(p, v):
    return {"fmax": v.f.max(), "dmax": v.d.max()}


@program(*_N, inputs={"x": integers(-100000, 100000), "c": integers(-128, 127)}, warnings=("AZ206",) * 3)
def narrow_types(p, v):
    return {
        "to_char": _signed(v.x, 8), "to_byte": v.x % 256, "to_short": _signed(3 * v.x, 16), "to_bool": v.x != 0,
        "wide": v.c**3,
    }  # fmt: skip


@program(*_N, inputs={"c": integers(0, 2**20), "d": integers(0, 3)}, warnings=("AZ206",))
def unsigned_types(p, v):
    return {
        "minus": (v.a - v.b) % 2**32,
        "product": v.c.astype(object) ** 4 % 2**64,
        "big": (v.d.astype(object) - 1) % 2**64,
        "less": v.x % 2**32 < v.a, "narrow": v.x < v.s,
    }  # fmt: skip


_LONG = integers(-(2**31), 2**31)


@program(*_N, inputs={"a": _LONG, "b": _LONG, "c": integers(-60000, 60000)})
def long_types(p, v):
    return {"p": v.a * v.b, "q": _signed(v.c * v.c, 32), "r": 3000000000 * v.c}


@program(*_N)
def float_and_double(p, v):
    f = v.f.astype(np.float32)
    halves = [math.trunc((n + 1) / 2) + (n + 1) / 2 for n in v.n.tolist()]
    return {"sum": f + v.g.astype(np.float32), "third": f / np.float32(3), "exact": v.f + 0.1, "mean": halves}


@program({"N": 1}, {"N": 9}, {"N": 30}, inputs={name: integers(-3, 3) for name in "abc"})
def comparisons(p, v):
    return {
        "p": (v.a == v.b) | (v.u != v.v), "q": (v.a <= v.b) & (v.x > 0), "r": (v.a < v.b) == (v.u == v.v),
        "s": (v.c >= 0) ^ (v.c == v.a), "t": np.ones(p.N, dtype=bool), "count": (v.a >= v.b).sum(),
    }  # fmt: skip


@program(*_N)
def conditions(p, v):
    i = np.arange(p.N)
    positive = np.where(v.u, v.a, v.b) > 0
    return {
        "p": 1 + 2 * (v.a <= v.b) + ~v.u,
        "q": 10 * np.where((i == 0) | (2 * i > p.N), v.a, v.b) + 1,
        "r": v.a + np.where(positive, v.b, -v.b),
    }


@program({"N": 4}, {"N": 5}, {"N": 8})
def nested_cases(p, v):
    n = range(p.N)
    below = {(i,): v.left[i + p.N] * (1 if 2 * i < -p.N else -1) for i in range(-p.N, 0)}
    before = [1, 1, *v.A[: p.N - 2]]
    return {
        "p": below | {(i,): v.A[i - 1] if i else 7 for i in n},
        "q": [v.A[i] * before[i] + 5 * (i < p.N - 1) for i in n],
        "r": list(accumulate([1, *v.A[1:]])),
        "s": np.concatenate((v.left, v.A)),
    }


@program(*_N2, warnings=("AZ208",) * 3)
def rebinding(p, v):
    i, j = np.indices((p.N, p.N))
    return {
        "B": np.where(i < j, v.A.T, np.where(i == j, v.A + i, v.A - j)),
        "c": np.tril(v.A).sum(axis=1) + np.arange(p.N),
    }


@program(*_N3)
def constant_indices(p, v):
    crossed = np.diag(v.A[:, ::-1]) * np.diag(v.A)
    return {"B": v.A[0] - v.A[::-1, 2] + crossed, "corner": v.A[0, 0] + v.A[-1, -1] + v.A[0, -1]}


def _blend(a, b, t):
    return a + (b - a) * t


@program(
    *_N,
    externals={
        "answer": lambda: 42, "blend": _blend, "scale": lambda a, x: a * x, "low_byte": lambda n: n & 255,
        "even": lambda n: n % 2 == 0,
    },
)  # fmt: skip
def externals(p, v):
    return {
        "p": v.a + 42, "q": (v.x + v.y) / 2, "r": v.a * (v.x + v.y), "s": (1000 * v.a) % 256,
        "evens": (v.a % 2 == 0).sum(),
    }  # fmt: skip


@program(*_N)
def comments(p, v):
    return {"B": v.A + 1}


@program({"N": 1, "M": 1}, {"N": 3, "M": 5}, {"N": 6, "M": 6})
def given_family(p, v):
    x = p.M - np.arange(p.N)
    return {"x": x, "y": x + p.N, "z": p.N}


@program({}, {}, {})
def no_parameters(p, v):
    return {"B": np.cumsum(v.A * v.A[::-1])}


@program(*_N2, system="main_system")
def several_systems(p, v):
    return {"lo": v.v.min(), "hi": v.v.max(), "tail": v.v[p.N :]}


@program(*_N)
def use_triangular(p, v):
    return {"prefix": np.cumsum(v.v)}


@program({"P": 1, "Q": 1, "K": 1}, {"P": 2, "Q": 3, "K": 2}, {"P": 3, "Q": 1, "K": 4})
def use_batched_product(p, v):
    return {"C": np.einsum("pik,qkj->pqij", v.A, v.B)}


@program(*_N, {"N": 40})
def recursion(p, v):
    return {"s": v.x.sum()}


@program({"N": 1, "D": 0}, {"N": 2, "D": 3}, {"N": 6, "D": 1})
def recursion_windows(p, v):
    return {"m": v.x.max() + p.D}


@program(*_N)
def use_expressions(p, v):
    behind = np.concatenate(([0], v.a[:-1]))
    return {"z": (v.a + 1) * v.a.sum() + 2 * np.arange(p.N), "w": 3 * behind + v.a[::-1]}


@program(*_N2)
def two_way_recurrence(p, v):
    rows_f: list[Any] = []
    rows_g: list[Any] = []
    for i in range(p.N):
        f = v.seed if i == 0 else np.cumsum(rows_g[-1])
        rows_f.append(f)
        # From the right: what is last minus everything between.
        rows_g.append(np.array([f[-1] - f[j:-1].sum() for j in range(p.N)]))
    return {"F": np.array(rows_f), "G": np.array(rows_g)}


@program({"N": 1}, {"N": 10}, {"N": 20000})
def long_chain(p, v):
    return {"last": v.a.sum()}


@program(*_N, warnings=("AZ207", "AZ207"))
def unused(p, v):
    return {"B": 2 * v.A}


@program({"N": 0}, {"N": 1}, {"N": 5})
def empty_domains(p, v):
    return {"B": np.diff(v.A), "C": np.append(v.A, 0)}


@program({"N": 1, "M": 1}, {"N": 2, "M": 3}, {"N": 4, "M": 6})
def negative_bounds(p, v):
    upper = [-2 * j - 1 >= p.M for j in range(-p.M, 0)]
    return {"B": np.where(upper, v.A, -v.A[::-1])}


@program(*_N)
def lattice_guards(p, v):
    return {"kind": {(i, i // 3): i % 3 for i in range(p.N)}, "digit": np.arange(p.N) % 3}


@program({"N": 1}, {"N": 2}, {"N": 6}, inputs={"x": integers(1, 60)}, externals={"gcd": math.gcd})
def own_operator(p, v):
    return {"divisor": math.gcd(*v.x.tolist()), "prefix": list(accumulate(v.x.tolist(), math.gcd))}


@program(*_N_M, warnings=("AZ312",))
def implicit_bounds(p, v):
    n = range(p.N)
    b = np.concatenate(([0], v.b))
    return {
        "p": [100 + sum(v.A[i, j] * b[j] for j in range(1, min(i, p.M) + 1)) for i in n],
        "q": [v.A[i, : i // 2 + 1].sum() for i in n],
        "r": np.convolve(np.ones(p.N, dtype=int), b),
        "n": [i + 1 for i in n],
    }


@program({"if": 1, "then": 1}, {"if": 2, "then": 3}, {"if": 5, "then": 1})
def reserved_words(p, v):
    n, size, s = vars(p)["then"], vars(p)["if"], int(v.esac)
    inner = [2 * i + size + max(vars(v)["input"][i, : i + 1]) + s for i in range(size)]
    out = [inner[0]]
    for i in range(1, size):
        out.append(out[-1] - inner[i - 1] + max(i + 2 * n, s))
    return {"output": out}


@program({"N": 1, "M": 1}, {"N": 2, "M": 5}, {"N": -2, "M": 2}, {"N": -2, "M": 6})
def parameter_unions(p, v):
    x = v.a[p.N - 1] if p.N >= 1 else v.a[-p.N - 1] + p.N
    return {"x": x, "y": [v.a[i] if i < p.M else v.a[i - p.M] + 1 for i in range(p.M + p.N)]}


@program({"M": 1}, {"M": 2}, {"M": 5})
def calls_by_parity(p, v):
    m = p.M
    return {
        "even": v.x[m] - 2 * m,
        "odd": v.x[m] - 2 * m - 1,
        "each": [v.x[k + 1] - 2 * k for k in range(1, m + 1)],
    }


@program(*_N)
def reduction_depths(p, v):
    n = range(p.N)
    least = np.minimum.accumulate(v.A, axis=0)
    d = dict.fromkeys(range(-p.N + 1, p.N), 0)
    for i in n:
        for j in n:
            d[i - j] += (v.B[j, i] * v.A[i, i, j] if j <= i else 0) + (v.B[i, j] * v.A[j, i, i] if i <= j else 0)
    return {
        "x": [1 + max(2 * (v.A[i, j] * least[i, j]).sum() for j in n) - 4 for i in n],
        "d": [d[c] for c in sorted(d)],
    }


@program(*_N)
def triangle_of_calls(p, v):
    return {
        "p": [sum(i - j + i + 1 for j in range(i + 1)) for i in range(p.N)],
        "q": [i - 1 for i in range(p.N)],
    }


@program(*_N)
def outwards(p, v):
    n, x = p.N, {0: v.a[p.N]}
    for i in range(1, n + 1):
        x[-i] = 2 * x[i - 1] - v.a[n - i]
        x[i] = x[-i] + v.a[n + i]
    return {"x": [x[i] for i in range(-n, n + 1)]}


@program({"N": 3}, {"N": 7}, {"N": 40}, warnings=("AZ315",))
def halving_steps(p, v):
    def steps(i):
        following = i // 2 if i % 2 == 0 else 3 * i + 1
        return 0 if i == 1 else 1 + steps(following if following <= p.N else 1)

    return {"c": [steps(i) for i in range(1, p.N + 1)]}


@program(*_N)
def names_in_scope(p, v):
    i, j = np.indices((p.N, p.N))
    later = [[v.m[r, q] + r - q for q in range(r + 1, p.N)] for r in range(p.N)]
    sums = i + j
    return {
        "sums": np.cumsum(v.a),
        "rows": v.m.sum(axis=1) + [sum(row) for row in later],
        "turned": v.a[j] + 2 * v.m.T + 3 * j,
        "own": v.m + v.a[j] + i,
        "inner": (v.m.T + 2 * i).max(axis=1),
        "again": np.where(sums == 0, sums - 1, sums - 1 - 5 * sums),
    }


@program(*_N, {"N": 3})
def yielding(p, v):
    before = np.concatenate([[0], np.cumsum(v.x)[:-1]])
    total = np.cumsum(v.x)
    table = total[:, None] - total[None, :]
    np.fill_diagonal(table, 7)
    i = np.arange(p.N)
    return {
        "prefix": np.where(i == 0, 100, before),
        "least": [v.x[n] if n <= 1 else 2 * max(v.x[2 : n + 1]) - 1 for n in i],
        "both": np.where(i >= 2, v.x, 5 + before),
        "inside": np.where(i <= 2, 2**i, 0),
        "table": table,
    }


@program(*_N, {"N": 4}, warnings=("AZ316",) * 3)
def calls_on_demand(p, v):
    b, d, rows = np.zeros(p.N, dtype=int), np.ones(p.N, dtype=int), np.zeros((3, p.N), dtype=int)
    b[0] = v.a[0]
    for i in range(1, p.N):
        b[i] = 2 * b[i - 1] + v.a[i]
        d[i] = d[i - 1] + v.a[i - 1]
    rows[0] = np.cumsum(v.a)
    for k in range(1, 3):
        for i in range(p.N):
            new = rows[k - 1, i] + (rows[k, i - 1] if i else 0)
            rows[k, i] = new + (rows[k, i - 1] if i else 0)
    return {"b": b, "c": np.cumsum(d + v.a), "d": d, "rows": rows}
