"""The banded solver of LAPACK."""

import numpy as np
from scipy.linalg import solve_banded

threaded = False


def peer(p, v):
    n = p.N

    def solve(weight, right):
        """(1 + 2 weight) x[i] - weight (x[i-1] + x[i+1]) = right[i] along the first axis, with the borders given."""
        bands = np.empty((3, n))
        bands[0], bands[1], bands[2] = -weight, 1 + 2 * weight, -weight
        bands[0, 1] = bands[2, -2] = 0.0
        bands[1, 0] = bands[1, -1] = 1.0
        return solve_banded((1, 1), bands, right, overwrite_ab=True, overwrite_b=True, check_finite=False)

    u = v.u0.copy()
    for _ in range(p.T):
        right = np.ones((n, n - 2))
        right[1:-1] = v.d * (u[1:-1, :-2] + u[1:-1, 2:]) + (1 - 2 * v.d) * u[1:-1, 1:-1]
        half = solve(v.a, right)
        right = np.ones((n, n - 2))
        right[1:-1] = (v.a * (half[:-2] + half[2:]) + (1 - 2 * v.a) * half[1:-1]).T
        u[1:-1] = solve(v.d, right).T
    return {"u": u}


def data(p, rng):
    return {"a": rng.uniform(0.1, 0.9), "d": rng.uniform(0.1, 0.9)}
