"""NumPy, and one product of BLAS."""

import numpy as np


def peer(p, v):
    deviation = v.data.std(axis=0)
    scaled = (v.data - v.data.mean(axis=0)) / (np.sqrt(p.N) * np.where(deviation <= 0.1, 1.0, deviation))
    corr = scaled.T @ scaled
    np.fill_diagonal(corr, 1.0)
    return {"corr": corr}
