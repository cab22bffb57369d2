"""LAPACK's factorisation, by reflections."""

import numpy as np
from scipy.linalg.lapack import dgeqrf, dgeqrf_lwork, dorgqr


def peer(p, v):
    qr, tau, _, _ = dgeqrf(v.columns, lwork=v.work, overwrite_a=1)
    r = np.triu(qr[: p.N])
    q, _, _ = dorgqr(qr, tau, lwork=v.work, overwrite_a=1)
    signs = np.sign(np.diag(r))
    q *= signs
    r *= signs[:, None]
    return {"Q": q, "R": r}


def prepare(p, v):
    work = int(dgeqrf_lwork(p.M, p.N)[0])
    return {"columns": np.array(v.A, order="F"), "work": work}


def data(p, rng):
    """Columns that are far from linearly dependent."""
    return {"A": rng.uniform(-1, 1, (p.M, p.N)) + p.M * np.eye(p.M, p.N)}
