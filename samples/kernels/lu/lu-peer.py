"""LAPACK; with pivots, which this data does not need."""

import numpy as np
from scipy.linalg.lapack import dgetrf


def peer(p, v):
    return {"LU": dgetrf(v.columns, overwrite_a=1)[0]}


def prepare(p, v):
    # By rows it would be another factorisation, U with ones on its diagonal.
    return {"columns": np.array(v.A, order="F")}


def data(p, rng):
    """A heavy diagonal: every pivot is far from zero."""
    return {"A": rng.uniform(-1, 1, (p.N, p.N)) + 2 * p.N * np.eye(p.N)}
