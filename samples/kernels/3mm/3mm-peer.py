"""Three products of BLAS."""

from scipy.linalg.blas import dgemm


def peer(p, v):
    return {"G": dgemm(1.0, dgemm(1.0, v.D.T, v.C.T), dgemm(1.0, v.B.T, v.A.T)).T}
