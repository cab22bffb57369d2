"""Distributed systems called from Python on communicators of mpi4py."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

import alphaz
from alphaz.diagnostics import Rejected
from alphaz.resources import resource_folder
from tests.codegen.mpi_programs import engine

pytestmark = pytest.mark.slow

FOLDER = resource_folder("samples") / "distributed"
ROOT = Path(__file__).parents[2]
SCRIPTS = ("floyd-warshall/rows.cs:N=5", "norm/blocks.cs:N=6,T=2", "product/tiles.cs:N=40")


def answer(ranks: int, *scripts: str) -> "subprocess.CompletedProcess[str]":
    """Runs the program of `rank_calls` on so many ranks."""
    starter, compiler = engine("mpiexec"), engine("mpicc")
    if starter is None or compiler is None or importlib.util.find_spec("mpi4py") is None:
        pytest.skip("MPI or mpi4py is missing: pip install mpich mpi4py")
    command = [starter, "-n", str(ranks), sys.executable, "-m", "tests.run.rank_calls"]
    command += [f"{FOLDER}/{script}" for script in scripts]
    path = f"{Path(compiler).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "OMP_NUM_THREADS": "2"}
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=200, env=environment)


def test_blocks_of_ranks() -> None:
    """Every rank gets the refusal of a mapping, and of code without ranks."""
    done = answer(3, *SCRIPTS, "prefix-sum/wrong-cyclic.cs!AZ804", "../prefix-sum/prefix-sum.cs!has no ranks")
    assert done.stdout.splitlines()[-1:] == ["right"], done.stderr[-3000:]


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    design = alphaz.run(FOLDER / "prefix-sum" / "pipeline.cs")
    with pytest.raises(Rejected, match="mpi4py is missing: pip install mpi4py mpich"):
        alphaz.compile(design, comm=object())  # type: ignore[call-overload]


def test_given_blocks_are_for_callers_in_c(tmp_path: Path) -> None:
    text = (FOLDER / "prefix-sum" / "pipeline.cs").read_text().replace('"block"', '"given"')
    (tmp_path / "prefix-sum.ab").write_text((FOLDER / "prefix-sum" / "prefix-sum.ab").read_text())
    (tmp_path / "given.cs").write_text(text)
    with pytest.raises(Rejected, match="the blocks of `prefix_sum` are given by a caller in C"):
        alphaz.compile(alphaz.run(tmp_path / "given.cs"), comm=object())  # type: ignore[call-overload]


def test_a_communicator_is_asked_for() -> None:
    with pytest.raises(Rejected, match=r"comm=MPI.COMM_WORLD"):
        alphaz.compile(alphaz.run(FOLDER / "prefix-sum" / "pipeline.cs"))
