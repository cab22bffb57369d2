"""Two products of BLAS."""


def peer(p, v):
    return {"x1": v.a + v.A @ v.y1, "x2": v.b + v.y2 @ v.A}
