"""The file of a Python peer.

A function `peer(p, v)` takes the parameters and the inputs as attributes (`p.N`, `v.A`) and returns the outputs by
name. The file may also have `data(p, rng)`, which returns special inputs for all contestants, and `prepare(p, v)`,
which returns more attributes of v before each run: operands in the form that a library takes, and copies that it
overwrites. Its time does not count. A Python peer without threads sets `threaded = False`, and runs once.
"""

import runpy
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

import numpy as np

from alphaz.model.input_values import input_array, variable_box
from alphaz.model.program import System
from alphaz.run.bench.contest import NoPeer

_Function = Callable[[SimpleNamespace, SimpleNamespace], Mapping[str, object]]


@dataclass(frozen=True, slots=True, eq=False)
class PythonPeer:
    """The definitions in the file of a Python peer."""

    peer: _Function | None
    data: Callable[[SimpleNamespace, np.random.Generator], Mapping[str, object]] | None
    prepare: _Function | None = None
    threaded: bool = True

    def prepared(self, p: SimpleNamespace, v: SimpleNamespace) -> SimpleNamespace:
        """Returns the inputs together with what `prepare` returns. Raises NoPeer."""
        if self.prepare is None:
            return v
        return SimpleNamespace(**{**vars(v), **_calling("prepare", self.prepare, p, v)})

    def outputs(self, p: SimpleNamespace, v: SimpleNamespace) -> Mapping[str, object]:
        """Returns the outputs for prepared inputs. Raises NoPeer."""
        if self.peer is None:
            raise NoPeer("NumPy and SciPy have no call for it")
        return _calling("peer", self.peer, p, v)


def python_peer(path: Path) -> PythonPeer:
    """Runs the file. Raises NoPeer with its exception."""
    try:
        names = runpy.run_path(str(path))
    except Exception as problem:
        raise NoPeer(f"{path}: {type(problem).__name__}: {problem}") from None
    return PythonPeer(
        peer=names.get("peer"),
        data=names.get("data"),
        prepare=names.get("prepare"),
        threaded=bool(names.get("threaded", True)),
    )


def own_inputs(peer: PythonPeer, system: System, parameters: Mapping[str, int], seed: int) -> Mapping[str, np.ndarray]:
    """Returns the inputs that the file makes. Raises NoPeer, and Rejected for inputs that do not fit."""
    if peer.data is None:
        return {}
    made = _calling("data", peer.data, SimpleNamespace(**parameters), np.random.default_rng(abs(seed)))
    inputs: dict[str, np.ndarray] = {}
    for variable in system.inputs:
        if variable.name in made:
            box = variable_box(variable, parameters)
            inputs[variable.name] = input_array(variable, box, made[variable.name], parameters)
    return inputs


def _calling(name: str, function: Callable[..., Mapping[str, object]], *arguments: object) -> Mapping[str, object]:
    try:
        made = function(*arguments)
        return dict(made)
    except Exception as problem:
        raise NoPeer(f"{name}() raised {type(problem).__name__}: {problem}") from None
