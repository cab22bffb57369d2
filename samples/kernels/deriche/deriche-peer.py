"""The recursive filters of SciPy."""

import numpy as np
from scipy.signal import lfilter

threaded = False


def peer(p, v):
    e = np.exp(-v.alpha)
    k = (1 - e) ** 2 / (1 + 2 * v.alpha * e - e * e)
    recursion = [1.0, -2 * e, e * e]
    forth, back = [k, k * e * (v.alpha - 1)], [0.0, k * e * (v.alpha + 1), -k * e * e]

    def smooth(image, axis):
        there = lfilter(forth, recursion, image, axis)
        return there + np.flip(lfilter(back, recursion, np.flip(image, axis), axis), axis)

    return {"out": smooth(smooth(v.image, 1), 0)}


def data(p, rng):
    return {"alpha": rng.uniform(0.2, 1.0)}
