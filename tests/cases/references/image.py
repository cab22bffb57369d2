"""References for `programs/image`."""

import math

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from tests.cases.table import integers, programs_of

program = programs_of("image")

_ANY = ({"H": 1, "W": 1}, {"H": 2, "W": 3}, {"H": 5, "W": 4})
_THREE = ({"H": 3, "W": 3}, {"H": 4, "W": 6}, {"H": 6, "W": 5})
_PIXELS = integers(0, 255)


def _window(array, height, width):
    return sliding_window_view(array, (height, width))


@program(*_THREE)
def box_blur(p, v):
    return {"g": _window(v.f, 3, 3).sum(axis=(2, 3))}


@program(*_THREE, externals={"abs": abs})
def sobel(p, v):
    kernel = np.outer([1, 2, 1], [-1, 0, 1])
    windows = _window(v.f, 3, 3)
    gx, gy = (np.einsum("yxvu,vu->yx", windows, k) for k in (kernel, kernel.T))
    return {"edge": abs(gx) + abs(gy)}


@program({"H": 3, "W": 3, "R": 1}, {"H": 5, "W": 7, "R": 2}, {"H": 6, "W": 4, "R": 1})
def separable_blur(p, v):
    size = 2 * p.R + 1
    return {"g": np.einsum("yxvu,v,u->yx", _window(v.f, size, size), v.k, v.k)}


@program(*_ANY, inputs={"f": _PIXELS, "level": _PIXELS})
def threshold(p, v):
    white = v.f > v.level
    return {"white": white, "area": white.sum()}


@program({"H": 1, "W": 1, "L": 1}, {"H": 3, "W": 4, "L": 5}, {"H": 4, "W": 4, "L": 2}, inputs={"f": integers(0, 4)})
def histogram(p, v):
    return {"h": np.bincount(v.f.ravel(), minlength=p.L)[: p.L]}


@program(*_ANY)
def integral(p, v):
    return {"S": np.pad(v.f.cumsum(axis=0).cumsum(axis=1), ((1, 0), (1, 0)))}


@program({"H": 1, "W": 1, "K": 1}, {"H": 3, "W": 4, "K": 2}, {"H": 5, "W": 4, "K": 4}, inputs={"f": _PIXELS})
def erosion(p, v):
    return {"g": _window(v.f, p.K, p.K).min(axis=(2, 3))}


@program(*_ANY)
def opening(p, v):
    def cross(f, choose):
        return choose([f[1:-1, 1:-1], f[:-2, 1:-1], f[2:, 1:-1], f[1:-1, :-2], f[1:-1, 2:]], axis=0)

    return {"g": cross(cross(v.f, np.min), np.max)}


@program(*_ANY)
def enlarge(p, v):
    return {"g": np.kron(v.f, np.ones((2, 2), dtype=int))}


@program(*_ANY, inputs={"f": _PIXELS})
def shrink(p, v):
    return {"g": v.f.astype(int).reshape(p.H, 2, p.W, 2).sum(axis=(1, 3)) // 4}


@program(*_ANY, inputs={"rgb": _PIXELS})
def luma(p, v):
    return {"grey": np.tensordot([77, 150, 29], v.rgb.astype(int), axes=1) // 256}


@program(*_ANY)
def blend(p, v):
    return {"out": v.bottom + v.alpha * (v.top - v.bottom)}


@program({"H": 1, "W": 1, "R": 0}, {"H": 3, "W": 4, "R": 1}, {"H": 2, "W": 3, "R": 3})
def convolve(p, v):
    big = np.pad(v.f, p.R)
    size = 2 * p.R + 1
    return {"g": np.einsum("yxvu,vu->yx", _window(big, size, size), v.k[::-1, ::-1])}


@program({"H": 2, "W": 2}, {"H": 3, "W": 5}, {"H": 5, "W": 4}, externals={"sqrt": math.sqrt})
def gradient(p, v):
    gy, gx = np.gradient(v.f)
    return {"g": np.pad(np.hypot(gy, gx)[1:-1, 1:-1], 1)}


@program({"H": 1, "W": 1, "P": 1}, {"H": 2, "W": 3, "P": 2}, {"H": 4, "W": 3, "P": 1})
def pad(p, v):
    return {"g": np.pad(v.f, p.P, mode="edge")}


@program({"N": 1}, {"N": 2}, {"N": 5})
def rotate(p, v):
    return {f"r{k}": np.rot90(v.f, k) for k in (1, 2, 3)}


@program(*_ANY)
def mirror(p, v):
    half = -(-p.H // 2)
    return {"g": np.concatenate((v.f[:half, ::-1], v.f[half:]))}


@program(*_THREE, inputs={"f": _PIXELS, "a": integers(0, 3)})
def unsharp(p, v):
    f = v.f.astype(int)
    around = f[:-2, 1:-1] + f[2:, 1:-1] + f[1:-1, :-2] + f[1:-1, 2:]
    middle = f[1:-1, 1:-1]
    return {"g": np.clip(middle + v.a * (middle - (4 * middle + around) // 8), 0, 255)}


@program({"H": 5, "W": 5}, {"H": 6, "W": 8}, {"H": 7, "W": 5})
def harris(p, v):
    ix = (v.f[:, 2:] - v.f[:, :-2])[1:-1]
    iy = (v.f[2:] - v.f[:-2])[:, 1:-1]
    xx, xy, yy = (_window(a, 3, 3).sum(axis=(2, 3)) for a in (ix * ix, ix * iy, iy * iy))
    return {"r": xx * yy - xy**2 - 0.04 * (xx + yy) ** 2}


@program(
    {"H": 1, "W": 1, "M": 1, "N": 1}, {"H": 4, "W": 5, "M": 2, "N": 3}, {"H": 5, "W": 4, "M": 3, "N": 4},
    externals={"abs": abs},
)  # fmt: skip
def template_matching(p, v):
    sad = abs(_window(v.f, p.M, p.N) - v.t).sum(axis=(2, 3))
    return {"sad": sad, "best": sad.min()}


@program({"C": 1, "H": 1, "W": 1}, {"C": 2, "H": 3, "W": 2}, {"C": 3, "H": 2, "W": 4})
def max_pooling(p, v):
    pooled = v.f.reshape(p.C, p.H, 2, p.W, 2).max(axis=(2, 4))
    return {"g": np.maximum(pooled + v.bias[:, None, None], 0)}


@program(
    {"K": 1, "C": 1, "H": 1, "W": 1, "R": 1}, {"K": 2, "C": 3, "H": 4, "W": 5, "R": 2},
    {"K": 3, "C": 1, "H": 3, "W": 4, "R": 3},
)  # fmt: skip
def conv_layer(p, v):
    windows = sliding_window_view(v.f, (p.R, p.R), axis=(1, 2))
    return {"g": np.einsum("cyxvu,kcvu->kyx", windows, v.w)}


@program(*_ANY)
def distance_transform(p, v):
    spots = np.argwhere(v.on)
    far = np.full((p.H, p.W), 10**6)
    for y, x in np.ndindex(p.H, p.W):
        if len(spots):
            far[y, x] = np.min(abs(spots - [y, x]).sum(axis=1))
    if not len(spots):
        # Nothing is set: the distance to the frame of 1000 outside, by whichever side is nearest.
        ys, xs = np.indices((p.H, p.W))
        far = 1000 + np.min(np.stack([ys + 1, xs + 1, p.H - ys, p.W - xs]), axis=0)
    return {"d": far}


@program({"W": 1}, {"W": 3}, {"W": 9}, inputs={"f": _PIXELS})
def error_diffusion(p, v):
    error, on = 0, []
    for pixel in v.f.tolist():
        on.append(pixel + error >= 128)
        error += pixel - 255 * on[-1]
    return {"on": on}
