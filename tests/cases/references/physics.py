"""References for `programs/physics`."""

import math

import numpy as np

from tests.cases.table import programs_of, reals

program = programs_of("physics")

_T = ({"T": 1}, {"T": 2}, {"T": 20})
_N_T = ({"N": 3, "T": 1}, {"N": 4, "T": 3}, {"N": 7, "T": 5})


@program({"N": 2}, {"N": 3}, {"N": 6}, inputs={"eps": reals(0.1, 0.2)}, externals={"sqrt": math.sqrt})
def n_body(p, v):
    r = v.x + 1j * v.y
    away = r[None] - r[:, None]
    pull = (v.m * away / (abs(away) ** 2 + v.eps) ** 1.5).sum(axis=1)
    return {"ax": pull.real, "ay": pull.imag}


@program(*_T, inputs={"dt": reals(0.05, 0.2)}, externals={"sin": math.sin})
def leapfrog(p, v):
    theta = [float(v.theta0)]
    # Half a step back first, so that every step is the same.
    omega = float(v.omega0) + 0.5 * v.dt * math.sin(v.theta0)
    for _ in range(p.T):
        omega -= v.dt * math.sin(theta[-1])
        theta.append(theta[-1] + v.dt * omega)
    return {"theta": theta}


@program({"N": 2}, {"N": 3}, {"N": 6}, inputs={"s": lambda rng, shape, p: 2 * rng.integers(0, 2, shape) - 1})
def ising(p, v):
    energy = -sum((v.s * np.roll(v.s, 1, axis)).sum() for axis in (0, 1))
    return {"energy": energy, "magnet": v.s.sum()}


@program({"N": 3, "K": 1}, {"N": 4, "K": 3}, {"N": 6, "K": 5}, inputs={"omega": reals(1, 1.9)})
def sor(p, v):
    phi = np.zeros((p.N, p.N))
    for _ in range(p.K):
        for i in range(1, p.N - 1):
            for j in range(1, p.N - 1):
                around = phi[i - 1, j] + phi[i + 1, j] + phi[i, j - 1] + phi[i, j + 1]
                phi[i, j] += v.omega * ((around - v.rhs[i - 1, j - 1]) / 4 - phi[i, j])
    return {"phi": phi}


@program(*_T, inputs={"h": reals(0.01, 0.1), "x0": reals(0.5, 2), "y0": reals(0.5, 2)})
def lotka_volterra(p, v):
    def slope(state):
        x, y = state
        return np.array([x - x * y, x * y - y])

    states = [np.array([v.x0, v.y0], dtype=float)]
    for _ in range(p.T):
        here = slope(states[-1])
        there = slope(states[-1] + v.h * here)
        states.append(states[-1] + v.h * (here + there) / 2)
    return {"x": [s[0] for s in states], "y": [s[1] for s in states]}


@program(*_N_T)
def schroedinger(p, v):
    n = p.N
    inner = np.diag([0.0] + [1.0] * (n - 2) + [0.0])
    lap = np.eye(n, k=1) - 2 * np.eye(n) + np.eye(n, k=-1)
    step = 0.1 * inner @ (0.5 * lap - np.diag(v.V))
    re, im = v.r0, v.i0
    for _ in range(p.T):
        re = inner @ re - step @ im
        im = inner @ im + step @ re
    return {"density": abs(re + 1j * im) ** 2}


@program({"N": 1, "T": 1}, {"N": 3, "T": 2}, {"N": 5, "T": 6}, inputs={"dt": reals(0.01, 0.1), "m": reals(1, 2)})
def spring_chain(p, v):
    x, speed = v.x0.copy(), v.v0.copy()
    for _ in range(p.T):
        pull = v.k * np.diff(np.pad(x, 1))
        speed = speed + v.dt * np.diff(pull) / v.m
        x = x + v.dt * speed
    return {"energy": (v.m * speed**2).sum() / 2 + (v.k * np.diff(np.pad(x, 1)) ** 2).sum() / 2}


@program({"T": 0}, {"T": 3}, {"T": 50}, inputs={"seed": lambda rng, shape, p: rng.integers(0, 2**32, shape)})
def random_walk(p, v):
    state, positions = int(v.seed), [0]
    for _ in range(p.T):
        state = (1664525 * state + 1013904223) % 2**32
        positions.append(positions[-1] + (-1 if (state >> 16) & 1 else 1))
    return {"position": positions}


@program({"T": 0}, {"T": 3}, {"T": 12})
def diffusion_of_probability(p, v):
    odds = {(t, k): math.comb(t, k) / 2**t for t in range(p.T + 1) for k in range(t + 1)}
    return {"P": odds, "spread": float(p.T)}


@program({"N": 2, "T": 0}, {"N": 3, "T": 4}, {"N": 8, "T": 6})
def traffic(p, v):
    rows = [v.road]
    for _ in range(p.T):
        now = rows[-1]
        moves = now & ~np.roll(now, -1)
        rows.append((now & ~moves) | np.roll(moves, 1))
    return {"car": np.array(rows), "moved": [(row & ~np.roll(row, -1)).sum() for row in rows]}


@program({"N": 1}, {"N": 2}, {"N": 9}, inputs={"m": reals(0.5, 2)})
def centre_of_mass(p, v):
    return {"centre": np.average(v.r, axis=0, weights=v.m)}


def _potential(r: float, sigma: float) -> float:
    return 4 * ((sigma / r) ** 12 - (sigma / r) ** 6)


@program({"N": 2}, {"N": 3}, {"N": 6}, externals={"potential": _potential, "sqrt": math.sqrt})
def lennard_jones(p, v):
    pairs = [(i, j) for j in range(p.N) for i in range(j)]
    return {"energy": sum(_potential(math.dist(v.r[i], v.r[j]), float(v.sigma)) for i, j in pairs)}


@program({"N": 2, "T": 1}, {"N": 4, "T": 3}, {"N": 6, "T": 9}, externals={"fabs": abs})
def heat_rod_steady(p, v):
    u = np.zeros(p.N + 1)
    u[0], u[-1] = v.left, v.right
    for _ in range(p.T):
        old, u = u, u.copy()
        u[1:-1] = (old[:-2] + old[2:]) / 2
    return {"temperature": u, "residual": np.max(abs(u - old))}


@program(*_T, inputs={"h": reals(0.01, 0.2), "d": reals(0.1, 0.5)})
def runge_kutta(p, v):
    # The method is exact up to the fourth order: one step multiplies by the Taylor polynomial of exp(h A).
    a = v.h * np.array([[0.0, 1.0], [-1.0, -float(v.d)]])
    step = sum(np.linalg.matrix_power(a, k) / math.factorial(k) for k in range(5))
    states = [np.array([v.x0, v.v0], dtype=float)]
    for _ in range(p.T):
        states.append(step @ states[-1])
    return {"x": [s[0] for s in states], "v": [s[1] for s in states]}


@program({"N": 1}, {"N": 2}, {"N": 10})
def transfer_matrix(p, v):
    # By the eigenvalues of the matrix.
    a, b = int(v.a), int(v.b)
    return {"Z": (a + b) ** p.N + (a - b) ** p.N}


@program({"N": 1, "T": 1}, {"N": 2, "T": 4}, {"N": 4, "T": 15}, inputs={"dt": reals(0.05, 0.1), "vy0": reals(1, 6)})
def projectile(p, v):
    xs, ys = [], []
    for vx, vy in zip(v.vx0, v.vy0, strict=True):
        x = y = 0.0
        for _ in range(p.T):
            vx, vy = vx * (1 - 0.1 * v.dt), vy * (1 - 0.1 * v.dt) - 9.81 * v.dt
            if y >= 0:
                x, y = x + v.dt * vx, y + v.dt * vy
        xs.append(x)
        ys.append(max(y, 0.0))
    return {"x": xs, "y": ys}
