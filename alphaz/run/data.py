"""Input data: random but reproducible, or from files; and outputs, to files.

A text file has one value for each point of the variable's domain, in lexicographic order; white space, commas and
semicolons separate. With commas or semicolons (CSV), no cell is empty, and lines have whole rows. Values of type
`char` may be letters, which need no separators. A `.npy` file has an array over the bounding box of the domain.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np

from alphaz.diagnostics import NOWHERE, Diagnostic, Label, Rejected, Source, Span
from alphaz.diagnostics.rules import FILE, INPUT_DATA
from alphaz.model.domain_mask import domain_mask
from alphaz.model.input_values import input_array, variable_box
from alphaz.model.program import System, Variable
from alphaz.model.types import ScalarType
from alphaz.run.storage_conversion import Layouts, passed_box

# Integers are small, so that products of a few of them do not wrap around, and not 0, so that one may divide by them.
_LARGEST = 9
# Integers that are just in a type, or just not, as they are, or squares or cubes of them; and powers of 2, for floats.
_INTEGERS = (
    127, 181, 255, 256, 1290, 32_767, 32_768, 46_340, 65_535, 65_536, 2_097_151, 2**31 - 1, 2**31, 2**32 - 1, 2**32,
    3_037_000_499, 2**62, 2**63 - 1, 2**64 - 1,
)  # fmt: skip
_POWERS = (-1060, -300, -140, -80, -30, 14, 24, 31, 42, 63, 84, 126, 130, 250, 340, 500)
_OFTEN, _SELDOM = 0.7, 0.25
EXTREMES = len(_INTEGERS)
"""The number of `extreme_inputs`."""


def random_inputs(
    system: System, parameters: Mapping[str, int], seed: int, layouts: Layouts | None = None
) -> dict[str, np.ndarray]:
    """Returns an array for each input: integers 1 to 9 (signed ones of either sign), floats in [-1, 1), bools; over its
    box, or as passed in these storage formats.

    The same seed gives the same values, independently of other inputs.
    """
    return {v.name: _random(v, passed_box(layouts or {}, v, parameters).shape, seed) for v in system.inputs}


def tame_inputs(system: System, parameters: Mapping[str, int], seed: int) -> dict[str, np.ndarray]:
    """Returns inputs as `random_inputs`, but floats are in (0, 1], and where all indices are equal larger than all
    others together.

    So a matrix has a triangular decomposition and a root, and divisors and logarithms have values.
    """
    inputs = random_inputs(system, parameters, seed)
    return {v.name: _tame(inputs[v.name]) if v.type.is_float else inputs[v.name] for v in system.inputs}


def coarse_inputs(system: System, parameters: Mapping[str, int], seed: int) -> dict[str, np.ndarray]:
    """Returns inputs of which many are equal, or 0: numbers are -1, 0 and 1 (unsigned ones 0 and 1)."""
    return {v.name: _coarse(v, passed_box({}, v, parameters).shape, seed) for v in system.inputs}


def _coarse(variable: Variable, shape: tuple[int, ...], seed: int) -> np.ndarray:
    least = -1 if variable.type.is_float or (variable.type.kind == "int" and variable.type.signed) else 0
    source = np.random.default_rng([abs(seed), *variable.name.encode()])
    return np.asarray(source.integers(least, 2, shape)).astype(variable.type.numpy)


def _tame(values: np.ndarray) -> np.ndarray:
    tame = np.asarray((1 - values) / 2)
    if tame.ndim >= 2:
        diagonal = tuple(np.arange(min(tame.shape)) for _ in tame.shape)
        tame[diagonal] += sum(tame.shape)
    return tame.astype(values.dtype)


def extreme_inputs(system: System, parameters: Mapping[str, int], number: int) -> dict[str, np.ndarray]:
    """Returns inputs of one large magnitude (for floats, a small one for the first numbers): limits of types, and
    values whose products are at the limits. For half of the sizes, others of magnitude 1 are among them, of either
    sign, and zeros.
    """
    is_mixed = (number + sum(parameters.values())) % 2 == 1
    return {v.name: _extreme(v, passed_box({}, v, parameters).shape, number, is_mixed) for v in system.inputs}


def _extreme(variable: Variable, shape: tuple[int, ...], number: int, is_mixed: bool) -> np.ndarray:
    source, wanted = np.random.default_rng([number, *variable.name.encode()]), np.dtype(variable.type.numpy)
    if variable.type.kind == "bool":
        return np.asarray(source.integers(0, 2, shape)).astype(wanted)
    is_large = (source.random(shape) < _OFTEN) | (not is_mixed)
    is_turned = (source.random(shape) < _SELDOM) & is_mixed
    if variable.type.is_float:
        limits = np.finfo(wanted)
        power = min(max(_POWERS[number % len(_POWERS)], limits.minexp - limits.nmant), limits.maxexp - 2)
        values = np.where(is_large, np.ldexp(source.uniform(1.0, 2.0, shape), power), np.where(is_turned, 0.0, 1.0))
        return np.where(is_turned, -values, values).astype(wanted)
    low, high = (int(end) for end in (np.iinfo(wanted).min, np.iinfo(wanted).max))
    limit = min(_INTEGERS[number], high)
    values = np.where(is_large, np.asarray(limit, wanted), np.asarray(1, wanted))
    if low < 0:
        least = low if limit == high else -limit
        values = np.where(is_turned, np.where(is_large, np.asarray(least, wanted), np.asarray(-1, wanted)), values)
    return np.asarray(values, wanted)


def _random(variable: Variable, shape: tuple[int, ...], seed: int) -> np.ndarray:
    source = np.random.default_rng([abs(seed), *variable.name.encode()])
    wanted = np.dtype(variable.type.numpy)
    if variable.type.is_float:
        return np.asarray(source.uniform(-1.0, 1.0, shape)).astype(wanted, copy=False)
    if variable.type.kind == "bool":
        return np.asarray(source.integers(0, 2, shape)).astype(wanted)
    values = np.asarray(source.integers(1, _LARGEST + 1, shape))
    if variable.type.signed:
        values = values * (1 - 2 * np.asarray(source.integers(0, 2, shape)))
    return values.astype(wanted)


def nudged(array: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Returns inputs that are changed in their last bits: each float is one of its neighbours."""
    if array.dtype.kind != "f":
        return array
    towards = np.where(rng.integers(0, 2, array.shape), np.inf, -np.inf).astype(array.dtype)
    return np.asarray(np.nextafter(array, towards))


def read_array(path: Path, variable: Variable, parameters: Mapping[str, int]) -> np.ndarray:
    """Returns the values of an input from a `.npy` file or a text file, over its box. Raises Rejected(FILE or
    INPUT_DATA).
    """
    if path.suffix == ".npy":
        return input_array(variable, variable_box(variable, parameters), _load(path), parameters)
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as problem:
        raise _unreadable(path, problem) from None
    return parse_values(Source(str(path), text), variable, parameters)


def _load(path: Path) -> np.ndarray:
    try:
        return np.asarray(np.load(path, allow_pickle=False))
    except (OSError, ValueError, EOFError) as problem:
        raise _unreadable(path, problem) from None


def parse_values(source: Source, variable: Variable, parameters: Mapping[str, int]) -> np.ndarray:
    """Returns the values of a text, one for each point of the domain in lexicographic order, as an array over
    its box.
    """
    box = variable_box(variable, parameters)
    mask = domain_mask(variable.domain, box, parameters)
    wanted = int(mask.sum())
    words, line_ends = _words(source, variable)
    read = _reader(variable.type)
    numbers = [_value_of(word, position, variable, read) for position, word in enumerate(words)]
    shape = f"its box is {' x '.join(map(str, box.shape)) or 'a single value'}, the last index changes first"
    if len(words) != wanted:
        end = Span(source, len(source.text.rstrip()), len(source.text.rstrip()))
        message = f"{len(words)} values for `{variable.name}`, whose domain has {wanted} points for these parameters"
        raise Rejected(
            Diagnostic(INPUT_DATA, message, Label(end), (Label(variable.span, "declared here"),), help=shape)
        )
    if re.search("[,;]", source.text) and mask.ndim > 1:
        _check_lines(line_ends, mask, variable, shape)
    result = np.zeros(box.shape, dtype=variable.type.numpy)
    result[mask] = np.array(numbers, dtype=variable.type.numpy)
    return result


def _words(source: Source, variable: Variable) -> tuple[list[Span], list[tuple[int, Span]]]:
    """Returns the places of the values, without quotes, and the end of each line after so many values. For type `char`
    each letter of a word without digits is a value. Raises Rejected for an empty cell; a separator may end a line.
    """
    words: list[Span] = []
    ends: list[tuple[int, Span]] = []
    is_cell_empty = True
    for match in re.finditer(r'\n|[,;]|"[^"\n]*"|[^\s,;]+', source.text):
        span, text = Span(source, *match.span()), match[0]
        if text == "\n":
            ends.append((len(words), span))
        elif text == '""' or (is_cell_empty and text in ",;"):
            raise Rejected(_empty_cell(span, len(words), variable))
        elif text not in ",;":
            inner = span if text[0] != '"' or text[-1] != '"' else Span(source, span.start + 1, span.end - 1)
            letters = variable.type.is_char and not re.search(r"\d", inner.text)
            words += (
                [Span(source, position, position + 1) for position in range(inner.start, inner.end)]
                if letters
                else [inner]
            )
        is_cell_empty = text in "\n,;"
    return words, ends


def _check_lines(line_ends: Sequence[tuple[int, Span]], mask: np.ndarray, variable: Variable, shape: str) -> None:
    """Raises Rejected for a line that ends inside a row: the file has other rows than the variable."""
    begin = 0
    for size in mask.sum(axis=-1).ravel().tolist():
        inside = next(((count, span) for count, span in line_ends if begin < count < begin + size), None)
        if inside is not None:
            message = f"a line ends inside a row of `{variable.name}`, after {inside[0] - begin} of its {size} values"
            declared = (Label(variable.span, "declared here"),)
            help_ = f"{shape}; a line of comma-separated values has whole rows"
            raise Rejected(Diagnostic(INPUT_DATA, message, Label(inside[1]), declared, help=help_))
        begin += size


def _value_of(word: Span, position: int, variable: Variable, read: Callable[[str], int | float]) -> int | float:
    try:
        return read(word.text)
    except (ValueError, OverflowError):
        raise Rejected(_no_value(word, position, variable)) from None


def _reader(type_: ScalarType) -> Callable[[str], int | float]:
    if type_.is_float:
        return float
    if type_.kind == "bool":
        return _bool
    return lambda word: _fitting(ord(word) if type_.is_char and not re.search(r"\d", word) else int(word), type_)


def _bool(word: str) -> int:
    values = {"0": 0, "1": 1, "false": 0, "true": 1}
    if word.lower() not in values:
        raise ValueError(word)
    return values[word.lower()]


def _fitting(value: int, type_: ScalarType) -> int:
    limits = np.iinfo(type_.numpy)
    if not int(limits.min) <= value <= int(limits.max):
        raise OverflowError(value)
    return value


def write_array(path: Path, variable: Variable, parameters: Mapping[str, int], array: np.ndarray) -> None:
    """Writes the values of a variable in the format that `read_array` reads. Raises Rejected(FILE)."""
    try:
        if path.suffix == ".npy":
            np.save(path, array)
        else:
            path.write_text(values_text(variable, parameters, array), encoding="utf-8")
    except OSError as problem:
        message = f"`{path}` cannot be written: {problem.strerror or problem}"
        raise Rejected(Diagnostic(FILE, message, Label(NOWHERE))) from None


def values_text(variable: Variable, parameters: Mapping[str, int], array: np.ndarray) -> str:
    """Returns one value a line, in the order of the domain, with enough digits to read the same value again."""
    mask = domain_mask(variable.domain, variable_box(variable, parameters), parameters)
    return "".join(f"{value_text(value)}\n" for value in array[mask])


def value_text(value: object) -> str:
    """Returns a value in the fewest digits that its type needs; bools as 0 and 1."""
    return str(int(value)) if isinstance(value, bool | np.bool_) else str(value)


def _empty_cell(span: Span, position: int, variable: Variable) -> Diagnostic:
    declared = (Label(variable.span, "declared here"),)
    message = f"an empty cell, where value {position + 1} of `{variable.name}` is expected"
    return Diagnostic(INPUT_DATA, message, Label(span), declared, help="give a value for every point of the domain")


def _no_value(word: Span, position: int, variable: Variable) -> Diagnostic:
    is_header = position == 0 and "\n" in word.source.text.strip()
    return Diagnostic(
        INPUT_DATA,
        f"`{word.text}` is no value of type {variable.type}",
        Label(word, f"value {position + 1} of `{variable.name}`"),
        (Label(variable.span, "declared here"),),
        help="a file of values has no header: remove a line of names" if is_header else None,
    )


def _unreadable(path: Path, problem: Exception) -> Rejected:
    reason = getattr(problem, "strerror", None) or problem
    return Rejected(Diagnostic(FILE, f"`{path}` cannot be read: {reason}", Label(NOWHERE)))
