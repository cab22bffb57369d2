"""Two products of BLAS."""


def peer(p, v):
    return {"y": (v.A @ v.x) @ v.A}
