"""No call; the sizes of matrices."""


def data(p, rng):
    return {"p": rng.integers(1, 100, p.N + 1)}
