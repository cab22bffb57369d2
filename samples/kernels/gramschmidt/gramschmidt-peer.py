"""LAPACK's factorisation, by reflections."""

import numpy as np
from scipy.linalg.lapack import dgeqrf, dgeqrf_lwork, dorgqr, dorgqr_lwork


def peer(p, v):
    qr, tau, _, _ = dgeqrf(v.columns, lwork=v.factor_work, overwrite_a=1)
    r = np.triu(qr[: p.N])
    q, _, _ = dorgqr(qr, tau, lwork=v.form_work, overwrite_a=1)
    signs = np.sign(np.diag(r))
    q *= signs
    r *= signs[:, None]
    return {"Q": q, "R": r}


def prepare(p, v):
    work, form = dgeqrf_lwork(p.M, p.N)[0], dorgqr_lwork(p.M, p.N)[0]
    return {"columns": np.array(v.A, order="F"), "factor_work": int(work), "form_work": int(form)}


def data(p, rng):
    """Columns that are far from linearly dependent."""
    return {"A": rng.uniform(-1, 1, (p.M, p.N)) + p.M * np.eye(p.M, p.N)}
