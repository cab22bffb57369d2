"""The triangular product of BLAS."""

import numpy as np
from scipy.linalg.blas import dtrmm


def peer(p, v):
    return {"B": dtrmm(v.alpha, v.unit.T, v.B, side=1, lower=0, trans_a=1, diag=1, overwrite_b=1).T}


def prepare(p, v):
    unit = np.eye(p.M)
    unit[1:, : p.M - 1] += np.tril(v.A)
    return {"unit": unit, "B": v.B0.copy().T}
