"""Checks parameters and input arrays that come from outside against their declarations.

An array covers the bounding box of its variable's domain, row-major; a scalar is a 0-dimensional array. Elements in the
box but outside the domain are never read."""

from collections.abc import Callable, Iterable, Mapping

import numpy as np

from alphaz.diagnostics import Diagnostic, Label, Rejected
from alphaz.diagnostics.rules import INPUT_DATA
from alphaz.model.program import System, Variable
from alphaz.poly import Unbounded
from alphaz.poly.algorithms.bounds import Box, box_of
from alphaz.poly.algorithms.congruence import set_text

# Arrays of more cells than this are refused.
MOST_CELLS = 1 << 31


def checked_parameters(system: System, parameters: Mapping[str, int]) -> dict[str, int]:
    """Returns the parameters in the order of the system. Raises Rejected: missing, unknown, not an integer, outside the
    context."""
    findings = [_finding(system, f"parameter `{n}` has no value") for n in system.parameters if n not in parameters]
    findings += [_unknown(system, "parameter", n, system.parameters) for n in parameters if n not in system.parameters]
    findings += [
        _finding(system, f"parameter `{n}` is {v!r}, which is no integer")
        for n, v in parameters.items()
        if n in system.parameters and not _is_integer(v)
    ]
    if findings:
        raise Rejected(*findings)
    values = {name: int(parameters[name]) for name in system.parameters}
    large = [n for n, v in values.items() if not -(1 << 63) <= v < 1 << 63]
    if large:
        raise Rejected(*(_finding(system, f"parameter `{n}` does not fit into 64 bits") for n in large))
    if not system.context.contains(values):
        sizes = ", ".join(f"{n} = {v}" for n, v in values.items())
        context = set_text(system.context).removeprefix("{ | ").removesuffix("}")
        raise Rejected(_finding(system, f"{sizes} is outside the context of `{system.name}`: it needs {context}"))
    return values


def _is_integer(value: object) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def variable_box(variable: Variable, parameters: Mapping[str, int]) -> Box:
    """Returns the box over which the variable is stored. Raises Rejected if it is unbounded or far too large."""
    try:
        box = box_of(variable.domain, parameters)
    except Unbounded:
        raise Rejected(
            Diagnostic(
                INPUT_DATA,
                f"`{variable.name}` has infinitely many points for these parameters",
                Label(variable.span, "this domain is unbounded"),
                help="bound every index on both sides",
            )
        ) from None
    if box.size > MOST_CELLS:
        raise Rejected(
            Diagnostic(
                INPUT_DATA,
                f"`{variable.name}` would take {box.size} cells for these parameters",
                Label(variable.span),
                help="choose smaller parameters",
            )
        )
    return box


def checked_inputs(
    system: System,
    parameters: Mapping[str, int],
    inputs: Mapping[str, object],
    boxes: Callable[[Variable, Mapping[str, int]], Box] = variable_box,
) -> dict[str, np.ndarray]:
    """Returns every input as an array of its type over its box. Raises Rejected with all inputs that do not fit."""
    known = [v.name for v in system.inputs]
    findings = [_unknown(system, "input", name, known) for name in inputs if name not in known]
    arrays: dict[str, np.ndarray] = {}
    for variable in system.inputs:
        box = boxes(variable, parameters)
        if variable.name not in inputs:
            findings.append(_input(variable, f"input `{variable.name}` is not given", box, parameters))
            continue
        try:
            arrays[variable.name] = input_array(variable, box, inputs[variable.name], parameters)
        except Rejected as problem:
            findings += problem.diagnostics
    if findings:
        raise Rejected(*findings)
    return arrays


def input_array(variable: Variable, box: Box, value: object, parameters: Mapping[str, int]) -> np.ndarray:
    """Returns `value` (an array, a nested sequence, a number, or letters for a `char`) as a contiguous array of the
    variable's type over its box, at these parameters; without a copy if it is one already.

    Raises Rejected for another shape, and if the conversion would change a value."""
    try:
        array = np.asarray(codes_of_letters(variable, value))
    except ValueError:
        raise Rejected(_input(variable, f"input `{variable.name}` is no array of numbers", box, parameters)) from None
    if array.dtype.kind not in "biuf":
        contents = _NO_NUMBERS.get(array.dtype.kind, f"elements of type {array.dtype}")
        needed = "words of one length" if variable.type.is_char and array.dtype.kind in "US" else "numbers"
        message = f"input `{variable.name}` has {contents} where {needed} are needed"
        raise Rejected(_input(variable, message, box, parameters))
    # A box without points has no sides: an array without elements fits, whatever its other sides.
    is_nothing = array.ndim == len(box.shape) and array.size == 0 and 0 in box.shape
    if array.shape != box.shape and not is_nothing:
        raise Rejected(_input(variable, f"input `{variable.name}` has shape {array.shape}", box, parameters))
    wanted = np.dtype(variable.type.numpy)
    converted = _without_loss(array, wanted)
    if converted is None:
        raise Rejected(
            _input(
                variable,
                f"input `{variable.name}` has {array.dtype} values that {variable.type} cannot hold",
                box,
                parameters,
            )
        )
    return np.ascontiguousarray(converted).reshape(box.shape)


# What arrays without numbers have, by the kind of their NumPy type.
_NO_NUMBERS = {"U": "text", "S": "bytes", "O": "Python objects", "c": "complex numbers", "M": "dates", "m": "durations"}


def codes_of_letters(variable: Variable, text: object) -> object:
    """Returns the codes of letters that are given for a `char`: as text or bytes, one word for each row, or as an array
    of single letters. Other values, and words of several lengths, are returned as they are."""
    if not variable.type.is_char:
        return text
    try:
        words = np.asarray(text)
    except ValueError:
        return text
    code = {"U": np.uint32, "S": np.uint8}.get(words.dtype.kind)
    if code is None:
        return text
    letters = np.ascontiguousarray(words).reshape(-1).view(code).reshape(*words.shape, -1)
    codes = letters[..., 0] if words.ndim == variable.domain.space.dimensions and letters.shape[-1] == 1 else letters
    # Words are filled with zeros up to the longest.
    return text if not codes.all() else codes


def _without_loss(array: np.ndarray, wanted: np.dtype) -> np.ndarray | None:
    """The converted array, or None if a value would change. Floats never become integers, numbers never bools (except
    0, 1)."""
    if np.can_cast(array.dtype, wanted, "safe"):
        return array.astype(wanted, copy=False)
    if array.dtype.kind == "f" and wanted.kind != "f":
        return None
    with np.errstate(all="ignore"):
        converted = array.astype(wanted)
        back = converted.astype(array.dtype)
    same = (back == array) | ((array != array) & (back != back))
    if array.dtype.kind in "ui" and wanted.kind in "ui":
        same &= (converted < 0) == (array < 0)
    return converted if bool(np.all(same)) else None


def _finding(system: System, message: str) -> Diagnostic:
    return Diagnostic(INPUT_DATA, message, Label(system.span), help=_signature(system))


def _signature(system: System) -> str:
    return f"`{system.name}` has the parameters {', '.join(system.parameters) or '(none)'}"


def _unknown(system: System, what: str, name: str, known: Iterable[str]) -> Diagnostic:
    names = ", ".join(f"`{n}`" for n in known) or f"no {what}s"
    return Diagnostic(
        INPUT_DATA, f"`{name}` is no {what} of `{system.name}`", Label(system.span), help=f"it has {names}"
    )


def _input(variable: Variable, message: str, box: Box, parameters: Mapping[str, int]) -> Diagnostic:
    lower = ", ".join(map(str, box.lower))
    origin = f", whose first element is {variable.name}[{lower}]" if any(box.lower) else ""
    values = ", ".join(f"{name} = {value}" for name, value in parameters.items())
    at = f" for {values}" if values and box.shape else ""
    shape = f"an array of shape {box.shape}" if box.shape else "a single number"
    return Diagnostic(
        INPUT_DATA,
        message,
        Label(variable.span, "declared here"),
        help=f"expected {shape} of {variable.type.numpy}{at}{origin}",
    )
