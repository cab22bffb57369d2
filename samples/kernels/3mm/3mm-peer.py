"""Three products of BLAS."""


def peer(p, v):
    return {"G": (v.A @ v.B) @ (v.C @ v.D)}
