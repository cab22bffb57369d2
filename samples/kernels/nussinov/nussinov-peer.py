"""No call; bases 0..3."""


def data(p, rng):
    return {"seq": rng.integers(0, 4, p.N)}
