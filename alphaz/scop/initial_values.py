"""Initial values of arrays: `{1, 2}`, nested by rows or flat; elements that are not listed are zero."""

from collections.abc import Mapping, Sequence
from math import prod
from typing import Any

from pycparser import c_ast

Place = tuple[int, ...]


def list_of(values: Any, sizes: Sequence[int]) -> Mapping[Place, Any] | None:
    """Returns the listed values, by subscripts; None for designators and for lists that are too long."""
    if not isinstance(values, c_ast.InitList):
        return None
    listed = values.exprs or []
    rows = [isinstance(each, c_ast.InitList) for each in listed]
    if any(isinstance(each, c_ast.NamedInitializer) for each in listed):
        return None
    if not any(rows):
        return {_place(at, sizes): each for at, each in enumerate(listed)} if len(listed) <= prod(sizes) else None
    if not all(rows) or len(sizes) < 2 or len(listed) > sizes[0]:
        return None
    found: dict[Place, Any] = {}
    for at, row in enumerate(listed):
        inside = list_of(row, sizes[1:])
        if inside is None:
            return None
        found |= {(at, *place): each for place, each in inside.items()}
    return found


def is_zero(value: Any) -> bool:
    """Returns True if it is the constant 0 of any type, but not -0.0."""
    return isinstance(value, c_ast.Constant) and value.type in ("int", "double", "float") and _number(value.value) == 0


def _number(text: str) -> float | None:
    try:
        return float(text.rstrip("fFlLuU"))
    except ValueError:
        return None


def _place(at: int, sizes: Sequence[int]) -> Place:
    """Returns the subscripts of an element from its flat position."""
    found: list[int] = []
    for size in reversed(sizes):
        at, rest = divmod(at, size)
        found.insert(0, rest)
    return tuple(found)
