"""Two products of BLAS."""


def peer(p, v):
    return {"y": v.alpha * (v.A @ v.x) + v.beta * (v.B @ v.x)}
