"""NumPy, with one product of BLAS."""

import numpy as np


def peer(p, v):
    return {"cov": np.cov(v.data, rowvar=False).reshape(p.M, p.M)}
