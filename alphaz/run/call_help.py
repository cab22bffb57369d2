"""The call of a compiled system for readers: its signature, its text of help, and the shapes of its arrays."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from inspect import Parameter, Signature
from keyword import iskeyword
from typing import Generic, TypeVar

import numpy as np

from alphaz.mapping.loop_dimensions import TileSize
from alphaz.model.program import System, Variable
from alphaz.poly import Unbounded
from alphaz.poly.algorithms.bounds import bounding_box
from alphaz.poly.plain.integer_expression import Integer, as_affine
from alphaz.run.storage_conversion import Layouts

_Owner = TypeVar("_Owner")
_Value = TypeVar("_Value")


@dataclass(frozen=True, slots=True)
class OfInstances(Generic[_Owner, _Value]):
    """An attribute that instances compute; the class has `of_class`, or no such attribute."""

    value: Callable[[_Owner], _Value]
    of_class: _Value | None = None

    def __get__(self, owner: _Owner | None, _: type[_Owner]) -> _Value:
        """Returns the value. Raises AttributeError on the class where it has none."""
        if owner is not None:
            return self.value(owner)
        if self.of_class is None:
            raise AttributeError
        return self.of_class


def passed_extents(system: System, layouts: Layouts, variable: Variable) -> tuple[Integer, ...] | None:
    """Returns the extents of the array that is passed; None for a domain that is not bounded."""
    layout = layouts.get(variable.name)
    try:
        return bounding_box(variable.domain, system.context).extents if layout is None else layout.extents
    except (ValueError, Unbounded):
        return None


def call_signature(system: System, sizes: Iterable[TileSize]) -> Signature:
    """Returns the signature of a call by names; names that are not identifiers of Python can only be given to `run`.

    A parameter that is None follows from the shapes of the inputs.
    """
    tiles = {size.name: (int, size.default) for size in sizes}
    inputs = {v.name: (np.ndarray if v.domain.space.dimensions else float, Parameter.empty) for v in system.inputs}
    named: Mapping[str, tuple[object, object]] = {
        **dict.fromkeys(system.parameters, (int | None, None)),
        **tiles,
        **inputs,
        "threads": (int | None, None),
    }
    parameters = [
        Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
        for name, (annotation, default) in named.items()
        if name.isidentifier() and not iskeyword(name)
    ]
    several = len(system.outputs) != 1
    return Signature(parameters, return_annotation=dict[str, np.ndarray] if several else np.ndarray)


def call_text(system: System, sizes: Iterable[TileSize], layouts: Layouts) -> str:
    """Returns the types and shapes of all arguments and outputs, one in a line."""
    lines = [f"Computes the system `{system.name}`. Arguments are given by name.", ""]
    lines += [f"{name}: a parameter; without it, from the shapes of the inputs" for name in system.parameters]
    lines += [f"{size.name}: a tile size ({size.default})" for size in sizes]
    lines += [f"{v.name}: {_array_text(system, layouts, v)}" for v in system.inputs]
    lines += ["threads: the number of threads", ""]
    lines += [f"Returns {v.name}: {_array_text(system, layouts, v)}" for v in system.outputs]
    return "\n".join(lines)


def shapes_text(system: System, layouts: Layouts) -> str:
    """Returns the inputs that have dimensions with their shapes: `A of shape (N, N + 1), x of shape (N,)`."""
    arrays = (v for v in system.inputs if v.domain.space.dimensions)
    return ", ".join(f"`{v.name}` of shape {_shape_text(system, layouts, v)}" for v in arrays)


def _array_text(system: System, layouts: Layouts, variable: Variable) -> str:
    if not variable.domain.space.dimensions:
        return f"a number, {variable.type.numpy}"
    layout = layouts.get(variable.name)
    storage = "" if layout is None else f", {layout.format}"
    return f"an array of shape {_shape_text(system, layouts, variable)}, {variable.type.numpy}{storage}"


def _shape_text(system: System, layouts: Layouts, variable: Variable) -> str:
    extents = passed_extents(system, layouts, variable)
    if extents is None:
        return "unknown"
    affine = [as_affine(extent) for extent in extents]
    texts = ["?" if extent is None else str(extent) for extent in affine]
    return f"({', '.join(texts)}{',' if len(texts) == 1 else ''})"
