"""Whole rows at a time."""

import numpy as np

threaded = False


def peer(p, v):
    most = np.zeros(p.W + 1, dtype=v.gain.dtype)
    for weight, gain in zip(v.weight, v.gain, strict=True):
        if weight <= p.W:
            most[weight:] = np.maximum(most[weight:], most[: p.W + 1 - weight] + gain)
    return {"best": most[p.W]}


def data(p, rng):
    return {"weight": rng.integers(1, 100, p.N), "gain": rng.integers(1, 100, p.N)}
