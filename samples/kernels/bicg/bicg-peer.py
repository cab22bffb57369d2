"""Two products of BLAS."""


def peer(p, v):
    return {"s": v.r @ v.A, "q": v.A @ v.p}
