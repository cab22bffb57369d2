"""The table of programs with an independent reference, which the modules of `references/` fill.

A reference is a plain function `(p, v) -> outputs`: `p.N` is a parameter, `v.A` an input as an array over the bounding
box of its domain, relative to the box's lower corner. An output is an array over its own box with zeros outside of its
domain, or a dictionary from points (tuples of indices, as the program counts them) to values, or a number for a scalar.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import numpy as np

Reference = Callable[[SimpleNamespace, SimpleNamespace], Mapping[str, Any]]
Maker = Callable[[np.random.Generator, tuple[int, ...], SimpleNamespace], Any]


@dataclass(frozen=True, slots=True)
class Case:
    """A program, the system of it that is run, and what its outputs must be."""

    folder: str
    name: str
    reference: Reference
    parameters: tuple[Mapping[str, int], ...]
    system: str | None = None
    inputs: Mapping[str, Maker] = field(default_factory=dict)
    externals: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()

    @property
    def path(self) -> str:
        """Of the program, relative to `programs/`."""
        return f"{self.folder}/{self.name}.ab"

    def __str__(self) -> str:
        return f"{self.folder}/{self.name}" + (f"/{self.system}" if self.system else "")


TABLE: list[Case] = []


def programs_of(folder: str) -> Callable[..., Callable[[Reference], Reference]]:
    """A decorator factory: `@program({"N": 3}, ...)` registers `def matrix_product(p, v)` for `matrix-product.ab`.

    `system` chooses a system of the file (the last one if it is left out); `name` overrides the file's name; `inputs`
    makes particular inputs; `warnings` lists the codes of the findings that are expected, in source order.
    """

    def program(
        *parameters: Mapping[str, int], name: str | None = None, **options: Any
    ) -> Callable[[Reference], Reference]:
        def register(reference: Reference) -> Reference:
            file = name or reference.__name__.strip("_").replace("_", "-")
            TABLE.append(Case(folder, file, reference, parameters, **options))
            return reference

        return register

    return program


def integers(low: int, high: int) -> Maker:
    """Inputs from low to high, both included."""
    return lambda rng, shape, p: rng.integers(low, high + 1, shape)


def reals(low: float, high: float) -> Maker:
    """Inputs between two numbers."""
    return lambda rng, shape, p: rng.uniform(low, high, shape)
