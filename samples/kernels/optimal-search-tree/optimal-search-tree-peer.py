"""No call; weights."""


def data(p, rng):
    return {"w": rng.integers(0, 50, p.N)}
