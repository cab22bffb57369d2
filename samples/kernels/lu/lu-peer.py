"""LAPACK; with pivots, which this data does not need."""

import numpy as np
from scipy.linalg.lapack import dgetrf


def peer(p, v):
    # In columns it would be another factorisation, U with ones on its diagonal: so the matrix is copied.
    return {"LU": dgetrf(np.asfortranarray(v.A), overwrite_a=True)[0]}


def data(p, rng):
    """A heavy diagonal: every pivot is far from zero."""
    return {"A": rng.uniform(-1, 1, (p.N, p.N)) + 2 * p.N * np.eye(p.N)}
