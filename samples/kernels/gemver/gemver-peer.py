"""Rank-one updates and products of BLAS."""

from scipy.linalg.blas import dgemv, dger


def peer(p, v):
    # BLAS stores columns: what it takes for a matrix is the transpose of ours.
    b = dger(1.0, v.v1, v.u1, a=v.columns, overwrite_a=1)
    b = dger(1.0, v.v2, v.u2, a=b, overwrite_a=1)
    x = dgemv(v.beta, b, v.y, 1.0, v.z)
    return {"x": x, "w": dgemv(v.alpha, b, x, trans=1)}


def prepare(p, v):
    return {"columns": v.A.copy().T}
