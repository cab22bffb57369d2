"""Whole arrays at a time."""

threaded = False


def peer(p, v):
    a = v.A.copy()
    for _ in range(p.T):
        around = a[2:, 1:-1, 1:-1] + a[:-2, 1:-1, 1:-1] + a[1:-1, 2:, 1:-1] + a[1:-1, :-2, 1:-1]
        around += a[1:-1, 1:-1, 2:] + a[1:-1, 1:-1, :-2]
        a[1:-1, 1:-1, 1:-1] = 0.125 * around + 0.25 * a[1:-1, 1:-1, 1:-1]
    return {"B": a}
