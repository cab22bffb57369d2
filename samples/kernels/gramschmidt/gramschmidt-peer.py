"""LAPACK's factorisation, by reflections."""

import numpy as np


def peer(p, v):
    q, r = np.linalg.qr(v.A)
    signs = np.sign(np.diag(r))
    return {"Q": q * signs, "R": r * signs[:, None]}


def data(p, rng):
    """Columns that are far from linearly dependent."""
    return {"A": rng.uniform(-1, 1, (p.M, p.N)) + p.M * np.eye(p.M, p.N)}
