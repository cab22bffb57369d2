"""Rank-one updates and products of BLAS."""

import numpy as np
from scipy.linalg.blas import dgemv, dger


def peer(p, v):
    # BLAS stores columns: what it takes for a matrix is the transpose of ours.
    b = np.array(v.A).T
    b = dger(1.0, v.v1, v.u1, a=b, overwrite_a=True)
    b = dger(1.0, v.v2, v.u2, a=b, overwrite_a=True)
    x = dgemv(v.beta, b, v.y, 1.0, v.z)
    return {"x": x, "w": dgemv(v.alpha, b, x, trans=1)}
