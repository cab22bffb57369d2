"""One product of BLAS."""


def peer(p, v):
    return {"B": (v.A.reshape(-1, p.P) @ v.C4).reshape(v.A.shape)}
