"""LAPACK."""

import numpy as np
from scipy.linalg.lapack import dpotrf


def peer(p, v):
    # In columns, the lower triangle of A is the upper one of A'.
    return {"L": dpotrf(v.columns, lower=0, clean=0, overwrite_a=1)[0].T}


def prepare(p, v):
    return {"columns": v.A.copy().T}


def data(p, rng):
    """A symmetric positive definite matrix."""
    half = rng.uniform(-1, 1, (p.N, p.N))
    return {"A": half @ half.T + p.N * np.eye(p.N)}
