"""References for `programs/graph`."""

import itertools

import numpy as np

from tests.cases.table import integers, programs_of, reals

program = programs_of("graph")

_N = ({"N": 1}, {"N": 3}, {"N": 6})
_N2 = ({"N": 2}, {"N": 3}, {"N": 7})


def _chance(of_true):
    return lambda rng, shape, p: rng.random(shape) < of_true


def _cheapest(weights):
    """The least sums over paths of one edge or more: squared until nothing changes. No weight is negative."""
    d = weights.copy()
    while True:
        better = np.minimum(d, (d[:, :, None] + d[None]).min(axis=1))
        if (better == d).all():
            return d
        d = better


@program(*_N, inputs={"w": integers(1, 30)})
def floyd_warshall(p, v):
    return {"d": _cheapest(v.w)}


@program(*_N, inputs={"edge": _chance(0.3)})
def transitive_closure(p, v):
    reach = np.eye(p.N, dtype=int) + v.edge
    for _ in range(p.N):
        reach = ((reach @ reach) > 0).astype(int)
    return {"reach": reach, "strong": reach.all()}


@program(*_N, inputs={"w": integers(1, 30)})
def bellman_ford(p, v):
    weights = v.w.copy()
    np.fill_diagonal(weights, 0)
    return {"dist": _cheapest(weights)[0]}


@program({"N": 1, "K": 1}, {"N": 3, "K": 4}, {"N": 4, "K": 9}, inputs={"adj": integers(0, 3)})
def walks(p, v):
    powers = [np.linalg.matrix_power(v.adj.astype(object), k) for k in range(1, p.K + 1)]
    return {"count": np.array(powers)}


@program(*_N)
def degrees(p, v):
    return {"indegree": v.edge.sum(axis=0), "outdegree": v.edge.sum(axis=1), "edges": v.edge.sum()}


@program({"N": 3}, {"N": 4}, {"N": 7})
def triangles(p, v):
    edges = {(i, j) for i, j in itertools.combinations(range(p.N), 2) if v.edge[i, j - 1]}
    triples = itertools.combinations(range(p.N), 3)
    return {"count": sum({(i, j), (j, k), (i, k)} <= edges for i, j, k in triples)}


@program(
    {"N": 1, "T": 1}, {"N": 3, "T": 2}, {"N": 5, "T": 6},
    inputs={"n": lambda rng, shape, p: float(p.N), "damping": reals(0.5, 0.9), "A": reals(0, 1)},
)  # fmt: skip
def pagerank(p, v):
    rank = np.full(p.N, 1 / p.N)
    for _ in range(p.T):
        rank = (1 - v.damping) / p.N + v.damping * v.A @ rank
    return {"rank": rank}


@program(*_N)
def bottleneck(p, v):
    # The widest path is at least w wide exactly where the edges of width w or more connect.
    best = v.width.copy()
    for w in np.unique(v.width):
        reach = (v.width >= w).astype(int)
        for _ in range(p.N):
            reach = ((reach + reach @ reach) > 0).astype(int)
        best = np.where(reach, np.maximum(best, w), best)
    return {"best": best}


@program(*_N, inputs={"edge": _chance(0.35)})
def breadth_first(p, v):
    level, queue = {0: 0}, [0]
    for u in queue:
        for w in np.flatnonzero(v.edge[u]).tolist():
            if w not in level:
                level[w] = level[u] + 1
                queue.append(w)
    return {"level": [level.get(u, -1) for u in range(p.N)]}


@program(*_N, inputs={"edge": _chance(0.3)})
def components(p, v):
    groups = [{u} for u in range(p.N)]
    for i, j in itertools.combinations(range(p.N), 2):
        if v.edge[i, j - 1] and groups[i] is not groups[j]:
            groups[i] |= groups[j]
            for member in groups[j]:
                groups[member] = groups[i]
    return {"label": [min(group) for group in groups], "number": len({min(group) for group in groups})}


@program(*_N2)
def common_neighbours(p, v):
    sets = [set(np.flatnonzero(row).tolist()) for row in v.edge]
    pairs = list(itertools.combinations(range(p.N), 2))
    both = {(i, j): len(sets[i] & sets[j]) for i, j in pairs}
    ratio = {(i, j): both[i, j] / len(sets[i] | sets[j]) if sets[i] | sets[j] else 0.0 for i, j in pairs}
    return {"common": both, "jaccard": ratio}


@program(
    {"N": 2}, {"N": 3}, {"N": 6}, {"N": 7}, inputs={"edge": _chance(0.6), "in_set": _chance(0.4)},
)  # fmt: skip
def independent_set(p, v):
    members = set(np.flatnonzero(v.in_set).tolist())
    edges = {(i, j) for i, j in itertools.combinations(range(p.N), 2) if v.edge[i, j - 1]}
    return {
        "independent": not any({i, j} <= members for i, j in edges),
        "clique": set(itertools.combinations(sorted(members), 2)) <= edges,
        "cover": all({i, j} & members for i, j in edges),
    }


@program(*_N)
def complement(p, v):
    return {"other": ~v.edge & ~np.eye(p.N, dtype=bool)}


@program({"N": 1}, {"N": 2}, {"N": 3}, {"N": 5}, inputs={"R": _chance(0.8)})
def properties(p, v):
    two_steps = (v.R.astype(int) @ v.R.astype(int)) > 0
    return {
        "reflexive": v.R.diagonal().all(),
        "symmetric": (v.R == v.R.T).all(),
        "transitive": bool((v.R | ~two_steps).all()),
    }


@program(*_N2)
def tournament(p, v):
    wins = [0] * p.N
    for i, j in itertools.combinations(range(p.N), 2):
        wins[i if v.beats[i, j - 1] else j] += 1
    return {"wins": wins, "best": max(wins), "winner": wins.index(max(wins))}


@program({"N": 1, "K": 1}, {"N": 3, "K": 2}, {"N": 4, "K": 5})
def hop_limited(p, v):
    d = [np.where(np.eye(p.N, dtype=bool), 0, 1000)]
    for _ in range(p.K):
        d.append(np.minimum(d[-1], (d[-1][:, :, None] + v.w[None]).min(axis=1)))
    return {"D": np.array(d)}


@program({"N": 2, "C": 1}, {"N": 4, "C": 3}, {"N": 7, "C": 2}, inputs={"colour": integers(0, 2)})
def colouring(p, v):
    pairs = itertools.combinations(range(p.N), 2)
    return {
        "conflicts": sum(bool(v.edge[i, j - 1]) and v.colour[i] == v.colour[j] for i, j in pairs),
        "size": np.bincount(v.colour, minlength=p.C)[: p.C],
    }


@program(*_N, inputs={"duration": integers(1, 9)})
def critical_path(p, v):
    # Through all chains of tasks.
    best = [0] * p.N
    for size in range(2, p.N + 1):
        for chain in itertools.combinations(range(p.N), size):
            if all(v.before[a, b - 1] for a, b in itertools.pairwise(chain)):
                best[chain[-1]] = max(best[chain[-1]], sum(int(v.duration[u]) for u in chain[:-1]))
    return {"start": best, "finish": max(s + int(d) for s, d in zip(best, v.duration, strict=True))}
