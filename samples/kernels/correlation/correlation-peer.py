"""NumPy, and one product of BLAS."""

import numpy as np


def peer(p, v):
    scaled = v.data - v.data.mean(axis=0)
    deviation = np.sqrt(np.einsum("ij,ij->j", scaled, scaled) / p.N)
    scaled /= np.sqrt(p.N) * np.where(deviation <= 0.1, 1.0, deviation)
    corr = scaled.T @ scaled
    np.fill_diagonal(corr, 1.0)
    return {"corr": corr}
