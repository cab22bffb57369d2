"""The kernels of `samples/gpu` by CuPy (cuBLAS, CUB), else by PyTorch: `python -m benchmarks.cuda.peers gemm NI=64,..`
prints the library and the median of the seconds, by events of the GPU, as JSON.
"""

import importlib
import json
import sys
from collections.abc import Callable
from statistics import median
from typing import Any

CALLS = 11


def gemm(library: Any, sizes: dict[str, int], new: Callable[..., Any]) -> Callable[[], object]:
    """Returns the product of two matrices."""
    a, b = new(sizes["NI"], sizes["NK"]), new(sizes["NK"], sizes["NJ"])
    return lambda: library.matmul(a, b)


def sums(library: Any, sizes: dict[str, int], new: Callable[..., Any]) -> Callable[[], object]:
    """Returns the sum of a vector and that of its squares."""
    x = new(sizes["N"])
    return lambda: (x.sum(), library.dot(x, x))


def jacobi_1d(library: Any, sizes: dict[str, int], new: Callable[..., Any]) -> Callable[[], object]:
    """Returns the steps of the three-point mean."""
    x = new(sizes["N"])

    def run() -> object:
        one, other = x, x * 1.0
        for _ in range(sizes["T"]):
            other[1:-1] = (one[:-2] + one[1:-1] + one[2:]) / 3
            one, other = other, one
        return one

    return run


def jacobi_2d(library: Any, sizes: dict[str, int], new: Callable[..., Any]) -> Callable[[], object]:
    """Returns the steps of the five-point mean."""
    x = new(sizes["N"], sizes["N"])

    def run() -> object:
        one, other = x, x * 1.0
        for _ in range(sizes["T"]):
            inner = one[1:-1, 1:-1] + one[1:-1, :-2] + one[1:-1, 2:] + one[2:, 1:-1] + one[:-2, 1:-1]
            other[1:-1, 1:-1] = 0.2 * inner
            one, other = other, one
        return one

    return run


PEERS = {peer.__name__: peer for peer in (gemm, sums, jacobi_1d, jacobi_2d)}


def by_cupy(name: str, sizes: dict[str, int]) -> list[float]:
    """Returns the seconds of calls. Raises ImportError."""
    cupy = importlib.import_module("cupy")
    run = PEERS[name](cupy, sizes, lambda *shape: cupy.random.random(shape))
    return _timed(run, cupy.cuda.Event, lambda one, other: float(cupy.cuda.get_elapsed_time(one, other)))


def by_torch(name: str, sizes: dict[str, int]) -> list[float]:
    """Returns the seconds of calls. Raises ImportError."""
    torch = importlib.import_module("torch")
    run = PEERS[name](torch, sizes, lambda *shape: torch.rand(shape, dtype=torch.float64, device="cuda"))

    def event() -> Any:
        return torch.cuda.Event(enable_timing=True)

    return _timed(run, event, lambda one, other: float(one.elapsed_time(other)))


def _timed(run: Callable[[], object], event: Callable[[], Any], between: Callable[[Any, Any], float]) -> list[float]:
    seconds = []
    for number in range(CALLS + 1):
        begin, end = event(), event()
        begin.record()
        run()
        end.record()
        end.synchronize()
        if number:
            seconds.append(1e-3 * between(begin, end))
    return seconds


def main(arguments: list[str]) -> int:
    name, text = arguments
    sizes = {key: int(value) for key, value in (part.split("=") for part in text.split(","))}
    for library, measure in (("CuPy", by_cupy), ("PyTorch", by_torch)):
        try:
            seconds = measure(name, sizes)
        except ImportError:
            continue
        sys.stdout.write(json.dumps({"library": library, "seconds": median(seconds)}))
        return 0
    sys.stderr.write("neither CuPy nor PyTorch is installed: pip install cupy-cuda12x\n")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
