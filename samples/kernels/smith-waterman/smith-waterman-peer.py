"""No call; letters 0..3."""


def data(p, rng):
    return {"a": rng.integers(0, 4, p.M), "b": rng.integers(0, 4, p.N)}
