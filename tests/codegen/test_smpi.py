"""The engine smpi: `alphaz test` on simulated ranks, deadlocks, and its remedies."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from alphaz.codegen.scheduled.scheduled_c import scheduled_c
from alphaz.codegen.targets.mpi import MPI
from alphaz.codegen.targets.smpi import simulated
from alphaz.machine import Network
from alphaz.resources import resource_folder
from alphaz.run.data import random_inputs
from alphaz.run.guarded_call import Broke, compile_isolated
from alphaz.run.simulated_ranks import platform
from tests.cli.command_line import ask
from tests.codegen.mpi_mutants import mutants
from tests.codegen.test_mpi import CASES
from tests.legality.mapped import Mapped

_SAMPLES = Path(str(resource_folder("samples"))) / "distributed"


@pytest.fixture
def simulator() -> None:
    if shutil.which("smpicc") is None or shutil.which("smpirun") is None:
        pytest.skip("SimGrid is missing: apt install simgrid libsimgrid-dev")


def test_a_platform_has_a_host_for_each_rank() -> None:
    text = platform(3, Network(2e-6, 1e10))
    assert 'radical="0-2"' in text
    assert 'bw="10000000000.0Bps" lat="1e-06s"' in text


@pytest.mark.slow
def test_without_simgrid_the_remedy_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SMPICC", "/nowhere/smpicc")
    outcome = ask("test", str(_SAMPLES / "prefix-sum" / "pipeline.cs"), "-p", "N=3", "--engine", "smpi")
    assert outcome.code == 2
    assert "help: install SimGrid (Debian: apt install simgrid libsimgrid-dev)" in outcome.err


@pytest.mark.slow
def test_mappings_without_ranks_are_refused() -> None:
    script = _SAMPLES.parent / "matrix-product" / "mm-tiled.cs"
    outcome = ask("test", str(script), "--engine", "smpi")
    assert outcome.code == 1
    assert "`--engine smpi` executes ranks, and the target of" in outcome.err


@pytest.mark.long
@pytest.mark.usefixtures("simulator")
@pytest.mark.parametrize("name", ["pipeline", "scan"])
def test_ranks_are_simulated(name: str) -> None:
    """Of SMPI's own MPI_Exscan a scan would get no values."""
    script = str(_SAMPLES / "prefix-sum" / f"{name}.cs")
    outcome = ask("test", script, "-p", "N=20", "--ranks", "16", "--engine", "smpi")
    assert outcome.code == 0, outcome.err
    assert "scheduled C with 16 ranks" in outcome.out


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.usefixtures("simulator")
def test_a_deadlock_is_a_finding() -> None:
    case = next(case for case in CASES if case.mapped.system == "Jacobi")
    assert isinstance(case.mapped, Mapped)
    sources = scheduled_c(case.verified, "Jacobi", target=simulated(MPI))
    lost = next(m for m in mutants(sources.files["Jacobi.c"]) if m.kind == "message left out")
    mutated = replace(sources, files={**sources.files, "Jacobi.c": lost.text})
    isolated = compile_isolated(mutated, case.mapped.design.checked, "Jacobi", include=None)
    system, size = case.mapped.design.system("Jacobi"), {"N": 9, "T": 2}
    with pytest.raises(Broke) as broken:
        isolated.run(size, random_inputs(system, size, 1), 3)
    assert any("Deadlock detected" in note for note in broken.value.finding.notes)
