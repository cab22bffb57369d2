"""The triangular product of BLAS."""

import numpy as np
from scipy.linalg.blas import dtrmm


def peer(p, v):
    unit = np.eye(p.M)
    unit[1:, : p.M - 1] += np.tril(v.A)
    return {"B": dtrmm(v.alpha, unit.T, v.B0.T, side=1, lower=0, trans_a=1, diag=1).T}
