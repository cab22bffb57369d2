"""References for `programs/stencils`: loops over time on whole arrays."""

import numpy as np

from tests.cases.table import integers, programs_of, reals

program = programs_of("stencils")

_N_T = ({"N": 3, "T": 1}, {"N": 4, "T": 3}, {"N": 7, "T": 4})


@program(*_N_T)
def jacobi_1d(p, v):
    x = v.A.copy()
    for _ in range(p.T):
        x[1:-1] = (x[:-2] + x[1:-1] + x[2:]) / 3
    return {"B": x}


@program({"N": 3, "T": 0}, {"N": 4, "T": 2}, {"N": 6, "T": 3})
def jacobi_2d(p, v):
    x = v.A.copy()
    for _ in range(p.T):
        x[1:-1, 1:-1] = 0.2 * (x[1:-1, 1:-1] + x[:-2, 1:-1] + x[2:, 1:-1] + x[1:-1, :-2] + x[1:-1, 2:])
    return {"B": x}


@program({"N": 3, "T": 0}, {"N": 4, "T": 2}, {"N": 5, "T": 1})
def heat_3d(p, v):
    x, inner = v.A.copy(), (slice(1, -1),) * 3
    for _ in range(p.T):
        new = x[inner].copy()
        for axis in range(3):
            new += 0.125 * np.diff(x, 2, axis)[tuple(slice(None) if a == axis else slice(1, -1) for a in range(3))]
        x[inner] = new
    return {"B": x}


@program(*_N_T)
def seidel_2d(p, v):
    x = v.A.copy()
    for _ in range(p.T):
        for i in range(1, p.N - 1):
            for j in range(1, p.N - 1):
                x[i, j] = x[i - 1 : i + 2, j - 1 : j + 2].sum() / 9
    return {"B": x}


@program({"NX": 2, "NY": 2, "T": 1}, {"NX": 3, "NY": 5, "T": 2}, {"NX": 4, "NY": 4, "T": 4})
def fdtd_2d(p, v):
    ex, ey, hz = v.ex0.copy(), v.ey0.copy(), v.hz0.copy()
    for t in range(p.T):
        ey[0] = v.fict[t]
        ey[1:] -= 0.5 * np.diff(hz, axis=0)
        ex[:, 1:] -= 0.5 * np.diff(hz, axis=1)
        hz[:-1, :-1] -= 0.7 * (np.diff(ex, axis=1)[:-1] + np.diff(ey, axis=0)[:, :-1])
    return {"hz": hz}


@program({"N": 2, "T": 1}, {"N": 3, "T": 2}, {"N": 6, "T": 5})
def wave_1d(p, v):
    u = [v.u0, v.u1]
    for _ in range(2, p.T + 1):
        new = np.zeros(p.N + 1)
        new[1:-1] = (2 * u[-1] - u[-2])[1:-1] + v.c2 * np.diff(u[-1], 2)
        u.append(new)
    return {"u": np.array(u)}


@program(*_N_T)
def heat_ring(p, v):
    x = v.f
    for _ in range(p.T):
        x = 0.25 * np.roll(x, 1) + 0.5 * x + 0.25 * np.roll(x, -1)
    return {"g": x}


@program({"N": 1, "M": 1, "T": 0}, {"N": 3, "M": 4, "T": 2}, {"N": 6, "M": 5, "T": 3})
def life(p, v):
    board = v.start.astype(int)
    for _ in range(p.T):
        big = np.pad(board, 1)
        around = sum(big[1 + a : p.N + 1 + a, 1 + b : p.M + 1 + b] for a in (-1, 0, 1) for b in (-1, 0, 1)) - board
        board = ((around == 3) | ((board == 1) & (around == 2))).astype(int)
    return {"end": board}


@program({"N": 1, "T": 0}, {"N": 4, "T": 3}, {"N": 9, "T": 6})
def rule_110(p, v):
    rows = [np.pad(v.row.astype(int), 1)]
    for _ in range(p.T):
        old = rows[-1]
        number = 4 * old[:-2] + 2 * old[1:-1] + old[2:]
        rows.append(np.pad(np.array([(110 >> n) & 1 for n in number]), 1))
    return {"C": np.array(rows)}


@program({"N": 0}, {"N": 1}, {"N": 5})
def rule_90(p, v):
    row = v.row.astype(bool)
    while len(row) > 1:
        row = row[:-2] ^ row[2:]
    return {"tip": row[0]}


@program({"K": 1, "T": 1}, {"K": 2, "T": 2}, {"K": 5, "T": 4})
def red_black(p, v):
    x = v.A.copy()
    for _ in range(p.T):
        x[2:-2:2] = 0.5 * (x[1:-3:2] + x[3:-1:2])
        x[1::2] = 0.5 * (x[:-1:2] + x[2::2])
    return {"B": x}


@program({"N": 1, "T": 1}, {"N": 2, "T": 4}, {"N": 6, "T": 3})
def upwind(p, v):
    u = np.empty((p.T + 1, p.N + 1))
    u[:, 0], u[0, 1:] = v.inflow, v.start
    for t in range(1, p.T + 1):
        u[t, 1:] = u[t - 1, 1:] - v.c * np.diff(u[t - 1])
    return {"u": u}


@program({"N": 3, "T": 1}, {"N": 4, "T": 2}, {"N": 7, "T": 2}, inputs={"a": reals(0.2, 0.9)})
def adi(p, v):
    n = p.N - 2
    full = (1 + 2 * v.a) * np.eye(n) - v.a * (np.eye(n, k=1) + np.eye(n, k=-1))
    u = v.u0[1:-1, 1:-1]
    for _ in range(p.T):
        u = np.linalg.solve(full, np.linalg.solve(full, u.T).T)
    return {"u": np.pad(u, 1)}


@program({"N": 1}, {"N": 2}, {"N": 5})
def lax_wendroff(p, v):
    u, out = v.f, {(0, i): v.f[i + p.N] for i in range(-p.N, p.N + 1)}
    for t in range(1, p.N + 1):
        u = u[1:-1] - 0.5 * v.c * (u[2:] - u[:-2]) + 0.5 * v.c**2 * np.diff(u, 2)
        out |= {(t, i): u[i + p.N - t] for i in range(t - p.N, p.N - t + 1)}
    return {"u": out}


@program({"N": 2}, {"N": 3}, {"N": 8})
def variable_diffusion(p, v):
    flux = np.concatenate(([0], v.k * np.diff(v.u), [0]))
    return {"v": v.u + 0.1 * np.diff(flux)}


@program(*_N_T)
def burgers(p, v):
    u = v.u0.copy()
    for _ in range(p.T):
        new = u.copy()
        for i in range(1, p.N - 1):
            slope = u[i] - u[i - 1] if u[i] > 0 else u[i + 1] - u[i]
            new[i] -= 0.1 * u[i] * slope
        u = new
    return {"u": u}


@program(*_N_T, inputs={"u0": reals(0, 1), "v0": reals(0, 1), "F": reals(0.02, 0.05), "kk": reals(0.05, 0.07)})
def gray_scott(p, v):
    us, vs = [v.u0], [v.v0]
    for _ in range(p.T):
        a, b = us[-1].copy(), vs[-1].copy()
        uvv = (a * b * b)[1:-1]
        us.append(a + np.pad(0.16 * np.diff(a, 2) - uvv + v.F * (1 - a[1:-1]), 1))
        vs.append(b + np.pad(0.08 * np.diff(b, 2) + uvv - (v.F + v.kk) * b[1:-1], 1))
    return {"u": np.array(us), "v": np.array(vs)}


@program({"N": 7}, {"N": 8}, {"N": 12})
def box_blur_chain(p, v):
    # Between the ends the three blurs are one convolution.
    b = np.convolve(v.f, [1, 1, 1], "same")
    b[0], b[-1] = v.f[0], v.f[-1]
    c = np.convolve(b, [1, 1, 1], "same")
    return {"g": np.convolve(c, [1, 1, 1], "same")[3:-3]}


@program({"N": 3, "T": 2}, {"N": 4, "T": 3}, {"N": 6, "T": 5})
def wave_2d(p, v):
    old, now = v.u0, v.u1
    for _ in range(2, p.T + 1):
        lap = now[:-2, 1:-1] + now[2:, 1:-1] + now[1:-1, :-2] + now[1:-1, 2:] - 4 * now[1:-1, 1:-1]
        old, now = now, np.pad(2 * now[1:-1, 1:-1] - old[1:-1, 1:-1] + 0.25 * lap, 1)
    return {"height": now}


@program({"N": 1, "T": 1}, {"N": 3, "T": 2}, {"N": 5, "T": 4})
def staggered(p, v):
    ps, vs = [v.p0], [np.zeros(p.N)]
    for _ in range(p.T):
        vs.append(vs[-1] - 0.5 * np.diff(ps[-1]))
        ps.append(ps[-1] - 0.5 * np.diff(np.pad(vs[-1], 1)))
    return {"p": np.array(ps), "v": np.array(vs)}


@program({"N": 1}, {"N": 2}, {"N": 6}, inputs={"h": integers(0, 7)})
def sandpile(p, v):
    g = v.h.copy()
    for i, j in np.argwhere(v.h >= 4):
        g[i, j] -= 4
        for a, b in ((i - 1, j), (i + 1, j), (i, j - 1), (i, j + 1)):
            if 0 <= a < p.N and 0 <= b < p.N:
                g[a, b] += 1
    return {"g": g}


@program({"K": 2}, {"K": 3}, {"K": 6})
def multigrid_cycle(p, v):
    c = np.convolve(v.u, [0.25, 0.5, 0.25], "same")[::2]
    c[0], c[-1] = v.u[0], v.u[-1]
    d = np.convolve(c, [1 / 3] * 3, "same")
    d[0], d[-1] = c[0], c[-1]
    return {"v": np.interp(np.arange(2 * p.K + 1) / 2, np.arange(p.K + 1), d)}


@program({"N": 1, "T": 1}, {"N": 3, "T": 2}, {"N": 6, "T": 5})
def time_skewed(p, v):
    x = v.f.astype(object)
    for _ in range(p.T):
        x = x + np.concatenate(([0], x[:-1]))
    return {"g": x}
