"""Memory shared by two processes, so that large data does not go through a pipe."""

import mmap
import os
import tempfile
from collections.abc import Sequence

import numpy as np

# The shape of an array, and its type.
Shape = tuple[tuple[int, ...], str]
_ALIGNED = 64


def anonymous(shapes: Sequence[Shape]) -> int:
    """Returns the descriptor of memory for such arrays, which is in no folder; its owner closes it."""
    size = _places(shapes)[-1]
    if hasattr(os, "memfd_create"):
        descriptor = os.memfd_create("alphaz")
    else:
        with tempfile.TemporaryFile() as file:
            descriptor = os.dup(file.fileno())
    os.ftruncate(descriptor, size)
    return descriptor


def arrays(descriptor: int, shapes: Sequence[Shape]) -> list[np.ndarray]:
    """Returns the arrays in the memory, one after the other; the memory lives as long as one of them."""
    *places, size = _places(shapes)
    memory = mmap.mmap(descriptor, size)
    return [
        np.frombuffer(memory, dtype=kind, count=_count(shape), offset=at).reshape(shape)
        for at, (shape, kind) in zip(places, shapes, strict=True)
    ]


def _places(shapes: Sequence[Shape]) -> list[int]:
    """Returns the offset of each array, and the total size, which is never 0."""
    found = [0]
    for shape, kind in shapes:
        bytes_ = _count(shape) * np.dtype(kind).itemsize
        found.append(found[-1] + -(-bytes_ // _ALIGNED) * _ALIGNED)
    found[-1] = max(found[-1], _ALIGNED)
    return found


def _count(shape: tuple[int, ...]) -> int:
    return int(np.prod(shape, dtype=np.int64))
