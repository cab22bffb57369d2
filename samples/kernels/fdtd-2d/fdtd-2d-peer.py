"""Whole arrays at a time."""

threaded = False


def peer(p, v):
    ex, ey, hz = v.ex0.copy(), v.ey0.copy(), v.hz0.copy()
    for t in range(p.T):
        ey[0] = v.source[t]
        ey[1:] -= 0.5 * (hz[1:] - hz[:-1])
        ex[:, 1:] -= 0.5 * (hz[:, 1:] - hz[:, :-1])
        hz[:-1, :-1] -= 0.7 * (ex[:-1, 1:] - ex[:-1, :-1] + ey[1:, :-1] - ey[:-1, :-1])
    return {"ex": ex, "ey": ey, "hz": hz}
