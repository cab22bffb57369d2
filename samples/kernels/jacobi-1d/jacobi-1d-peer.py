"""Whole arrays at a time."""

threaded = False


def peer(p, v):
    a = v.A.copy()
    for _ in range(p.T):
        a[1:-1] = 0.33333 * (a[:-2] + a[1:-1] + a[2:])
    return {"B": a}
