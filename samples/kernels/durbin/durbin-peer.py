"""The recursion of Levinson in SciPy."""

import numpy as np
from scipy.linalg import solve_toeplitz

threaded = False


def peer(p, v):
    column = np.concatenate([[1.0], v.r[:-1]])
    return {"x": solve_toeplitz(column, -v.r)}


def data(p, rng):
    """A Toeplitz matrix with a heavy diagonal."""
    return {"r": rng.uniform(-1, 1, p.N) / (2 * p.N)}
