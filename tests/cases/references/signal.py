"""References for `programs/signal`."""

import numpy as np

from tests.cases.table import integers, programs_of, reals

program = programs_of("signal")

_N = ({"N": 1}, {"N": 2}, {"N": 7})
_N2 = ({"N": 2}, {"N": 3}, {"N": 9})
_M_N = ({"M": 1, "N": 1}, {"M": 3, "N": 5}, {"M": 6, "N": 2})


@program({"N": 1, "K": 1}, {"N": 5, "K": 3}, {"N": 9, "K": 2})
def fir(p, v):
    return {"y": np.convolve(v.x, v.h, "valid")}


@program(*_N2)
def iir(p, v):
    y = [0.0, 0.0]
    for x in v.x:
        y.append(v.b0 * x - v.a1 * y[-1] - v.a2 * y[-2])
    return {"y": y[2:]}


@program(*_M_N)
def convolution(p, v):
    return {"h": np.convolve(v.f, v.g)}


@program(*_M_N)
def polynomial_product(p, v):
    return {"h": np.convolve(v.f, v.g)}


@program({"N": 1, "L": 0}, {"N": 5, "L": 2}, {"N": 6, "L": 5})
def autocorrelation(p, v):
    return {"r": np.correlate(v.x, v.x, "full")[p.N - 1 : p.N + p.L]}


@program({"N": 1, "R": 0}, {"N": 5, "R": 2}, {"N": 4, "R": 6}, warnings=("AZ312",))
def moving_average(p, v):
    windows = [v.x[max(0, n - p.R) : n + p.R + 1] for n in range(p.N)]
    return {"y": [w.mean() for w in windows], "count": [len(w) for w in windows]}


@program(*_N)
def prefix_sum(p, v):
    return {"s": np.cumsum(v.x)}


@program(*_N)
def scan_serial(p, v):
    return {"s": np.cumsum(v.x), "hi": np.maximum.accumulate(v.x), "lo": np.minimum.accumulate(v.x)}


def _circle(function):
    return lambda rng, shape, p: function(2 * np.pi * np.arange(p.N) / p.N)


@program(*_N, inputs={"c": _circle(np.cos), "s": _circle(np.sin)})
def dft(p, v):
    transform = np.fft.fft(v.x)
    return {"re": transform.real, "im": transform.imag}


@program(*_N)
def haar(p, v):
    return {"low": v.x[::2] + v.x[1::2], "high": v.x[::2] - v.x[1::2]}


@program(*_N)
def haar_inverse(p, v):
    # C's division rounds towards zero.
    even, odd = np.trunc((v.low + v.high) / 2), np.trunc((v.low - v.high) / 2)
    return {"x": np.stack([even, odd], axis=1).ravel()}


@program(*_N)
def downsample(p, v):
    by_three = v.x.reshape(p.N, 3)
    return {"y": by_three[:, 0], "rest": by_three[:, 1:]}


@program(*_N)
def upsample(p, v):
    return {"y": np.stack([v.x, np.zeros_like(v.x)], axis=1).ravel()}


@program(*_N2, inputs={"a": reals(0, 1), "b": reals(0, 1)})
def exponential_smoothing(p, v):
    level, trend = v.x[1], v.x[1] - v.x[0]
    for x in v.x[2:]:
        before = level
        level = v.a * x + (1 - v.a) * (level + trend)
        trend = v.b * (level - before) + (1 - v.b) * trend
    return {"forecast": level + trend}


@program(*_N)
def best_lag(p, v):
    r = np.correlate(v.y, v.x, "full")
    return {"peak": r.max(), "lag": int(np.argmax(r)) - (p.N - 1)}


@program({"N": 3}, {"N": 4}, {"N": 9})
def median_filter(p, v):
    return {"y": np.median(np.lib.stride_tricks.sliding_window_view(v.x, 3), axis=1)}


@program({"N": 1, "D": 3}, {"N": 5, "D": 1}, {"N": 8, "D": 3})
def comb(p, v):
    y = np.zeros(p.N)
    for echo in range(-(-p.N // p.D)):
        delay = echo * p.D
        y[delay:] += v.g**echo * v.x[: p.N - delay]
    return {"y": y}


@program({}, {}, {})
def walsh_hadamard(p, v):
    two = np.array([[1, 1], [1, -1]])
    return {"y": np.kron(two, np.kron(two, two)) @ v.x}


@program({"N": 1, "L": 1}, {"N": 4, "L": 2}, {"N": 6, "L": 5})
def quantise(p, v):
    return {"level": (v.x[:, None] >= v.threshold).sum(axis=1)}


@program({"N": 1, "W": 1}, {"N": 5, "W": 2}, {"N": 6, "W": 6})
def envelope(p, v):
    windows = np.lib.stride_tricks.sliding_window_view(v.x, p.W)
    return {"upper": windows.max(axis=1), "lower": windows.min(axis=1)}


@program(*_N2)
def zero_crossings(p, v):
    change = np.diff((v.x < 0).astype(int)) != 0
    return {"crossings": change.sum(), "any": change.any()}


@program({"N": 1}, {"N": 4}, {"N": 30}, inputs={"data": integers(0, 255)})
def checksum(p, v):
    a = sum(int(d) for d in v.data) % 255
    b = sum((p.N - i) * int(d) for i, d in enumerate(v.data)) % 255
    return {"sum": 256 * b + a}


@program({"N": 1, "B": 1}, {"N": 3, "B": 4}, {"N": 4, "B": 7})
def parity(p, v):
    return {"p": v.bit.astype(int).sum(axis=1) % 2, "total": v.bit.astype(int).sum() % 2}


@program({"B": 1}, {"B": 4}, {"B": 9})
def gray_code(p, v):
    number = int("".join(str(int(b)) for b in v.bin), 2)
    return {"gray": [int(d) for d in f"{number ^ (number >> 1):0{p.B}b}"], "back": v.bin}


@program({"N": 1, "M": 1}, {"N": 4, "M": 2}, {"N": 6, "M": 5}, inputs={"k": reals(-0.9, 0.9)})
def lattice(p, v):
    # As one polynomial: A_m(z) = A_{m-1}(z) + k_m z^-m A_{m-1}(1/z).
    a = np.array([1.0])
    for k in v.k:
        a = np.concatenate((a, [0])) + k * np.concatenate(([0], a[::-1]))
    return {"e": np.convolve(v.x, a)[: p.N]}
