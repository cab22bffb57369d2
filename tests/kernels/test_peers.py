"""The peers in measurements compute the same values as the independent references."""

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from alphaz.codegen.sources import Sources
from alphaz.model.program import System
from alphaz.run.bench.contest import NoPeer
from alphaz.run.bench.peers import peer_symbol
from alphaz.run.bench.python_peer import own_inputs, python_peer
from alphaz.run.compare import Tolerance, compare
from alphaz.run.compiler import find_compiler
from alphaz.run.data import random_inputs
from alphaz.run.kernel import Kernel
from alphaz.run.library import load
from alphaz.scripting.interpreter.python_api import read
from tests.kernels.references import KERNELS
from tests.kernels.test_kernels import FOLDER, only_system, plain_of, sizes
from tests.thinning import thinned

CLOSE = Tolerance(relative=1e-9, absolute=1e-9)


def peer(folder: str, suffix: str) -> Path:
    return FOLDER / folder / f"{folder}-peer{suffix}"


def inputs(folder: str, system: System, parameters: dict[str, int]) -> dict[str, np.ndarray]:
    """Those that the Python peer makes where there is one, else random."""
    made = {}
    if peer(folder, ".py").exists():
        try:
            made = dict(own_inputs(python_peer(peer(folder, ".py")), system, parameters, 1))
        except NoPeer as reason:
            pytest.skip(str(reason))
    return {**random_inputs(system, parameters, 1), **made}


@pytest.fixture(scope="module")
def peers() -> Kernel:
    """All C peers in one library, which is compiled at once."""
    texts = {f"{name}.c": peer(name, ".c").read_text(encoding="utf-8") for name in KERNELS}
    flags = ("-O1", "-Wall", "-Wextra", "-Wconversion", "-Werror")
    library = load(Sources(texts), find_compiler(), flags, meaning=("-std=c11",))
    return Kernel(only_system(read(FOLDER / "gemm" / "gemm.ab")), "gemm", find_compiler(), library, has_status=False)


@pytest.mark.parametrize("folder", thinned(sorted(KERNELS), 6))
def test_the_peers_compute_what_the_reference_computes(folder: str, peers: Kernel) -> None:
    system = only_system(read(FOLDER / folder / f"{folder}.ab"))
    parameters = dict(sizes(plain_of(FOLDER / folder / f"{folder}.cs"))[1])
    arguments = inputs(folder, system, parameters)
    p = SimpleNamespace(**parameters)
    v = SimpleNamespace(**{name: values.copy() for name, values in arguments.items()})
    wanted = KERNELS[folder].reference(p, v)
    expected = {output.name: np.asarray(wanted[output.name]).astype(output.type.numpy) for output in system.outputs}
    outputs = (
        Kernel(system, peer_symbol(system), peers.compiler, peers.library, has_status=False)
        .run(parameters, arguments)
        .outputs
    )
    assert compare(system.outputs, parameters, expected, outputs, CLOSE) == ()
    python = python_peer(peer(folder, ".py")) if peer(folder, ".py").exists() else None
    if python is not None and python.peer is not None:
        made = python.outputs(p, python.prepared(p, SimpleNamespace(**arguments)))
        results = {output.name: np.asarray(made[output.name]).astype(output.type.numpy) for output in system.outputs}
        assert compare(system.outputs, parameters, expected, results, CLOSE) == ()
