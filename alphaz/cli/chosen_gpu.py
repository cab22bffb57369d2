"""The GPU that an option names: one of the table, one in a file, or the one of this machine."""

import json
from dataclasses import MISSING, fields
from math import inf
from pathlib import Path
from typing import Any

from alphaz.cli.files import InputError, read_file
from alphaz.diagnostics.message_words import did_you_mean, listing
from alphaz.machine import GPUS, Gpu
from alphaz.run.cuda.device import gpu_here

USUAL_GPU = "h100"


def chosen_gpu(text: str | None) -> Gpu:
    """Returns the GPU of this name, or of this file; without one that of this machine, or a usual one.

    Raises InputError."""
    if text is None:
        return gpu_here() or GPUS[USUAL_GPU]
    if text in GPUS:
        return GPUS[text]
    if Path(text).suffix != ".json":
        known = did_you_mean(text, GPUS) or f"there are {listing(GPUS)}"
        raise InputError(f"`{text}` is no GPU: {known}, or name a file, GPU.json")
    return _gpu_of(text, read_file(text, "the GPU ", f"; those with a name are {listing(GPUS)}").text)


def _gpu_of(file: str, text: str) -> Gpu:
    try:
        values = json.loads(text)
    except ValueError as problem:
        raise InputError(f"{file} is no JSON: {problem}") from None
    known = {field.name: field for field in fields(Gpu)}
    if not isinstance(values, dict):
        raise InputError(f"{file} has no names: a GPU has {listing(known)}")
    wrong = next((name for name in values if name not in known), None)
    if wrong is not None:
        raise InputError(f"{file} has `{wrong}`, and a GPU has {listing(known)}")
    missing = [name for name, field in known.items() if name not in values and field.default is MISSING]
    if missing:
        raise InputError(f"{file} lacks {listing(missing)}: `alphaz machine --gpu h100 --format json` prints a GPU")
    return Gpu(**{name: _checked(file, name, value) for name, value in values.items()})


def _checked(file: str, name: str, value: object) -> Any:
    """Returns the value of a field. Raises InputError for another type, and for a number that is not positive."""
    kind = Gpu.__annotations__[name]
    if kind is str:
        if isinstance(value, str):
            return value
        raise InputError(f"{file}: `{name}` is {value!r}, and a text is needed")
    is_number = isinstance(value, int if kind is int else int | float) and not isinstance(value, bool)
    if not is_number or not 0 < float(str(value)) < inf:
        raise InputError(
            f"{file}: `{name}` is {value!r}, and a positive {'integer' if kind is int else 'number'} is needed"
        )
    return kind(value)
