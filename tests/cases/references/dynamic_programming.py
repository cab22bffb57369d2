"""References for `programs/dynamic-programming`: exhaustive search where it is cheap enough, else another recursion."""

import itertools
import math
from functools import cache

import numpy as np

from tests.cases.table import integers, programs_of

program = programs_of("dynamic-programming")

_M_N = ({"M": 1, "N": 1}, {"M": 3, "N": 5}, {"M": 6, "N": 4})
_N = ({"N": 1}, {"N": 2}, {"N": 7})
_LETTERS = integers(97, 99)
_TEXTS = {"a": _LETTERS, "b": _LETTERS}


def _subsequences(text):
    return {tuple(part) for size in range(len(text) + 1) for part in itertools.combinations(list(text), size)}


@program({"N": 1}, {"N": 2}, {"N": 6}, inputs={"p": integers(1, 9)})
def matrix_chain(p, v):
    @cache
    def cost(i, j):
        ways = (cost(i, k) + cost(k + 1, j) + v.p[i - 1] * v.p[k] * v.p[j] for k in range(i, j))
        return 0 if i == j else min(ways)

    return {"best": cost(1, p.N)}


@program(*_M_N, inputs=_TEXTS)
def longest_common_subsequence(p, v):
    return {"length": max(map(len, _subsequences(v.a) & _subsequences(v.b)))}


@program({"M": 0, "N": 2}, {"M": 3, "N": 4}, {"M": 5, "N": 3}, inputs=_TEXTS)
def edit_distance(p, v):
    row = list(range(p.N + 1))
    for i in range(1, p.M + 1):
        new = [i]
        for j in range(1, p.N + 1):
            new.append(min(row[j] + 1, new[-1] + 1, row[j - 1] + int(v.a[i - 1] != v.b[j - 1])))
        row = new
    return {"d": row[-1]}


@program(*_M_N, inputs=_TEXTS)
def smith_waterman(p, v):
    h = np.zeros((p.M + 1, p.N + 1), dtype=int)
    for i, j in itertools.product(range(1, p.M + 1), range(1, p.N + 1)):
        match = 2 if v.a[i - 1] == v.b[j - 1] else -1
        h[i, j] = max(0, h[i - 1, j - 1] + match, h[i - 1, j] - 1, h[i, j - 1] - 1)
    return {"score": h.max(), "H": h}


def _alignments(m, n):
    """Every global alignment as the list of its columns: (i, j), (i, None) or (None, j), from 1."""
    if m == n == 0:
        yield ()
    if m and n:
        yield from ((*head, (m, n)) for head in _alignments(m - 1, n - 1))
    if m:
        yield from ((*head, (m, None)) for head in _alignments(m - 1, n))
    if n:
        yield from ((*head, (None, n)) for head in _alignments(m, n - 1))


@program({"M": 1, "N": 1, "G": 0}, {"M": 2, "N": 4, "G": 3}, {"M": 4, "N": 4, "G": 2})
def needleman_wunsch(p, v):
    # As written, the infix max binds tighter than the sums: F[i-1,j-1] + (sim max F[i-1,j]) - G.
    f = np.zeros((p.M + 1, p.N + 1), dtype=int)
    f[0] = -p.G * np.arange(p.N + 1)
    f[:, 0] = -p.G * np.arange(p.M + 1)
    for i, j in itertools.product(range(1, p.M + 1), range(1, p.N + 1)):
        f[i, j] = f[i - 1, j - 1] + max(v.sim[i - 1, j - 1], f[i - 1, j]) - p.G
    return {"score": f[p.M, p.N]}


@program(
    {"M": 1, "N": 1}, {"M": 2, "N": 4}, {"M": 4, "N": 4}, inputs={"open": integers(3, 6), "extend": integers(1, 2)}
)
def gotoh(p, v):
    def score(columns):
        total, before = 0, None
        for i, j in columns:
            kind = "pair" if i and j else "down" if i else "right"
            if kind == "pair":
                total += v.sim[i - 1, j - 1]
            else:
                total -= v.extend if kind == before else v.open
            before = kind
        return total

    return {"score": max(map(score, _alignments(p.M, p.N)))}


@program({"N": 1}, {"N": 3}, {"N": 7}, inputs={"w": integers(0, 20)})
def optimal_search_tree(p, v):
    @cache
    def cost(i, j):
        return 0 if i > j else int(sum(v.w[i - 1 : j])) + min(cost(i, r - 1) + cost(r + 1, j) for r in range(i, j + 1))

    return {"cost": cost(1, p.N)}


@program(
    {"N": 1, "W": 0}, {"N": 3, "W": 5}, {"N": 5, "W": 12}, inputs={"weight": integers(1, 6), "gain": integers(0, 9)}
)
def knapsack(p, v):
    chosen = itertools.product((0, 1), repeat=p.N)
    return {"best": max(np.dot(c, v.gain) for c in chosen if np.dot(c, v.weight) <= p.W)}


@program({"N": 1}, {"N": 4}, {"N": 9}, inputs={"seq": integers(0, 3)})
def nussinov(p, v):
    @cache
    def most(i, j):
        if i >= j:
            return 0
        pair = most(i + 1, j - 1) + int(v.seq[i] + v.seq[j] == 3)
        return max(pair, max(most(i, k) + most(k + 1, j) for k in range(i, j)))

    return {"pairs": most(0, p.N - 1)}


@program(*_N, inputs={"s": _LETTERS})
def palindrome(p, v):
    return {"length": max(len(s) for s in _subsequences(v.s) if s == s[::-1])}


@program(*_N)
def increasing_subsequence(p, v):
    return {"length": max(len(s) for s in _subsequences(v.x) if all(a < b for a, b in itertools.pairwise(s)))}


@program(*_N)
def maximum_subarray(p, v):
    return {"best": max(sum(v.x[i : j + 1]) for i in range(p.N) for j in range(i, p.N))}


@program({"N": 0}, {"N": 3}, {"N": 20})
def catalan(p, v):
    return {"C": [math.comb(2 * n, n) // (n + 1) for n in range(p.N + 1)]}


@program({"N": 0}, {"N": 4}, {"N": 40})
def pascal(p, v):
    return {"B": {(n, k): math.comb(n, k) for n in range(p.N + 1) for k in range(n + 1)}}


@program({"N": 1}, {"N": 4}, {"N": 6})
def stirling(p, v):
    first, second, bell = {}, {}, {}
    for n in range(p.N + 1):
        # First kind: coefficients of x (x+1) ... (x+n-1). Second kind: by inclusion and exclusion.
        rising = np.poly1d([1])
        for i in range(n):
            rising *= np.poly1d([1, i])
        for k in range(n + 1):
            first[n, k] = round(rising[k])
            signed = sum((-1) ** (k - i) * math.comb(k, i) * i**n for i in range(k + 1))
            second[n, k] = signed // math.factorial(k)
        bell[(n,)] = sum(second[n, k] for k in range(n + 1))
    return {"first": first, "second": second, "bell": bell}


@program({"N": 0}, {"N": 3}, {"N": 6})
def partitions(p, v):
    def count(n, k):
        parts = (itertools.combinations_with_replacement(range(1, k + 1), size) for size in range(n + 1))
        return sum(sum(item) == n for item in itertools.chain.from_iterable(parts))

    return {"p": {(n, k): count(n, k) for n in range(p.N + 1) for k in range(p.N + 1)}}


@program(*_N)
def rod_cutting(p, v):
    best = [0]
    for n in range(1, p.N + 1):
        best.append(max(int(v.price[i - 1]) + best[n - i] for i in range(1, n + 1)))
    return {"best": best}


@program({"E": 1, "F": 1}, {"E": 2, "F": 10}, {"E": 3, "F": 13})
def egg_drop(p, v):
    # With t trials and e eggs, sum_{i=1..e} C(t, i) floors can be told apart.
    return {"trials": next(t for t in range(p.F + 1) if sum(math.comb(t, i) for i in range(1, p.E + 1)) >= p.F)}


@program({"S": 1, "T": 1}, {"S": 2, "T": 4}, {"S": 3, "T": 4})
def viterbi(p, v):
    def score(path):
        steps = sum(v.step[a, b] for a, b in itertools.pairwise(path))
        return v.start[path[0]] + steps + sum(v.emit[t, s] for t, s in enumerate(path))

    return {"score": max(map(score, itertools.product(range(p.S), repeat=p.T)))}


@program({"N": 1, "K": 1}, {"N": 3, "K": 2}, {"N": 4, "K": 3})
def cyk(p, v):
    @cache
    def words(i, j):
        if i == j:
            return frozenset(np.flatnonzero(v.letter[i]).tolist())
        pairs = [(words(i, k), words(k + 1, j)) for k in range(i, j)]
        heads = np.argwhere(v.rule).tolist()
        return frozenset(a for a, b, c in heads if any(b in left and c in right for left, right in pairs))

    return {"accepted": 0 in words(0, p.N - 1)}


@program({"N": 3}, {"N": 4}, {"N": 7}, inputs={"v": integers(1, 9)})
def triangulation(p, v):
    @cache
    def weight(corners):
        if len(corners) < 3:
            return 0
        first, last = corners[0], corners[-1]
        return min(
            weight(corners[: k + 1]) + weight(corners[k:]) + int(v.v[first] * v.v[corners[k]] * v.v[last])
            for k in range(1, len(corners) - 1)
        )

    return {"weight": weight(tuple(range(p.N)))}


@program(*_M_N, externals={"fabs": abs})
def time_warping(p, v):
    @cache
    def distance(i, j):
        before = [distance(a, b) for a, b in ((i - 1, j - 1), (i - 1, j), (i, j - 1)) if a >= 0 and b >= 0]
        return abs(v.x[i] - v.y[j]) + min(before, default=0.0)

    return {"distance": distance(p.M - 1, p.N - 1)}


@program({"M": 1, "N": 2}, {"M": 3, "N": 2}, {"M": 4, "N": 5})
def falling_path(p, v):
    paths = itertools.product(range(p.N), repeat=p.M)
    legal = (path for path in paths if all(abs(a - b) <= 1 for a, b in itertools.pairwise(path)))
    return {"cheapest": min(sum(int(v.cost[i, j]) for i, j in enumerate(path)) for path in legal)}


@program(*_M_N, inputs={"wall": lambda rng, shape, p: rng.random(shape) < 0.2})
def grid_paths(p, v):
    @cache
    def ways(i, j):
        if i >= p.M or j >= p.N or v.wall[i, j]:
            return 0
        return 1 if (i, j) == (p.M - 1, p.N - 1) else ways(i + 1, j) + ways(i, j + 1)

    return {"ways": ways(0, 0)}


@program(*_M_N, inputs=_TEXTS)
def common_substring(p, v):
    def parts(text):
        return {tuple(text[i:j]) for i in range(len(text)) for j in range(i, len(text) + 1)}

    return {"longest": max(map(len, parts(v.a) & parts(v.b)))}


@program({"N": 1, "W": 1}, {"N": 3, "W": 9}, {"N": 4, "W": 20})
def subset_sum(p, v):
    sums = {int(np.dot(c, v.x)) for c in itertools.product((0, 1), repeat=p.N)}
    return {"can": [w in sums for w in range(p.W + 1)]}


@program({"N": 0}, {"N": 3}, {"N": 9})
def delannoy(p, v):
    def number(i, j):
        return sum(math.comb(i, k) * math.comb(j, k) * 2**k for k in range(min(i, j) + 1))

    return {"D": [[number(i, j) for j in range(p.N + 1)] for i in range(p.N + 1)]}


@program({"N": 0}, {"N": 7}, {"N": 90})
def fibonacci(p, v):
    numbers = [0, 1]
    while len(numbers) <= p.N:
        numbers.append(sum(numbers[-2:]))
    return {"F": [n % 2**32 for n in numbers[: p.N + 1]]}


@program({"N": 1, "K": 1}, {"N": 3, "K": 2}, {"N": 4, "K": 5})
def flow_shop(p, v):
    # The makespan is the longest monotone path.
    steps = p.N + p.K - 2
    best = 0
    for downs in itertools.combinations(range(steps), p.N - 1):
        j = m = 0
        total = int(v.time[0, 0])
        for step in range(steps):
            j, m = (j + 1, m) if step in downs else (j, m + 1)
            total += int(v.time[j, m])
        best = max(best, total)
    return {"makespan": best}


@program({"N": 2}, {"N": 4}, {"N": 7}, externals={"abs": abs})
def two_servers(p, v):
    def cost(choice):
        servers, total = [v.x[0], v.x[0]], 0
        for i, who in enumerate(choice, 1):
            total += abs(int(v.x[i]) - int(servers[who]))
            servers[who] = v.x[i]
        return total

    return {"cost": min(map(cost, itertools.product((0, 1), repeat=p.N)))}
