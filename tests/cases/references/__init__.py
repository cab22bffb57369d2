"""Importing this fills the table of programs."""

from tests.cases.references import (
    dynamic_programming,
    graph,
    image,
    language,
    linear_algebra,
    physics,
    signal,
    stencils,
)

__all__ = [
    "dynamic_programming",
    "graph",
    "image",
    "language",
    "linear_algebra",
    "physics",
    "signal",
    "stencils",
]
