"""Infers missing parameters from the shapes of arrays."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from alphaz.mapping.target import Tightness
from alphaz.model.program import System, Variable
from alphaz.poly import Unbounded
from alphaz.poly.algorithms.bounds import bounding_box
from alphaz.poly.plain.integer import Integer, as_affine
from alphaz.run.storage_conversion import Layouts


def sizes_of(
    system: System, layouts: Layouts, parameters: Mapping[str, int], inputs: Mapping[str, object]
) -> dict[str, int]:
    """Returns the parameters, with those that are the only unknown in the extent of an input as passed; the others are
    left out. Where arrays contradict each other the first one counts, and later checks reject the others.
    """
    known = dict(parameters)
    # Most callers give all of them: then no box is computed.
    if all(name in known for name in system.parameters):
        return known
    extents = [extent for variable in system.inputs for extent in _extents(system, layouts, variable, inputs)]
    exact = [extent[:2] for extent in extents if extent[2]]
    for pairs in (exact, [*exact, *(extent[:2] for extent in extents if not extent[2])]):
        known = _with_solved(known, pairs)
    return known


def _with_solved(known: dict[str, int], extents: Sequence[tuple[Integer, int]]) -> dict[str, int]:
    """Solves extents until no further parameter is found."""
    found = next((each for each in (_solved(*pair, known) for pair in extents) if each is not None), None)
    return known if found is None else _with_solved({**known, found[0]: found[1]}, extents)


def _extents(
    system: System, layouts: Layouts, variable: Variable, inputs: Mapping[str, object]
) -> Iterator[tuple[Integer, int, bool]]:
    """Yields each extent, the length of the array in that dimension, and whether the array may not be longer."""
    if variable.name not in inputs or not variable.domain.space.dimensions:
        return
    try:
        shape = np.asarray(inputs[variable.name]).shape
        layout = layouts.get(variable.name)
        extents = bounding_box(variable.domain, system.context).extents if layout is None else layout.extents
    except (ValueError, TypeError, Unbounded):
        return
    if len(shape) == len(extents):
        is_full = layout is not None and layout.format.tightness is Tightness.FULL
        yield from zip(extents, shape, (not is_full, *(True for _ in shape[1:])), strict=True)


def _solved(extent: Integer, length: int, known: Mapping[str, int]) -> tuple[str, int] | None:
    """Returns the one unknown parameter of an affine extent."""
    affine = as_affine(extent)
    unknown = [] if affine is None else [(name, factor) for name, factor in affine.terms if name not in known]
    if affine is None or len(unknown) != 1:
        return None
    ((name, factor),) = unknown
    rest = length - affine.constant - sum(f * known[n] for n, f in affine.terms if n != name)
    return (name, rest // factor) if rest % factor == 0 else None
