"""`alphaz machine`: what it asks, keeps and measures. No test looks at how fast anything is."""

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from alphaz.machine import VECTORS, Cache, Ceiling
from alphaz.run import ceilings as measuring
from alphaz.run import machine as asking
from alphaz.run import network as networks
from tests.cli.command_line import ask
from tests.codegen.mpi_programs import engine


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv(asking.PIN, raising=False)
    asking._measure_machine.cache_clear()


def test_the_machine_is_inspected_once(monkeypatch: pytest.MonkeyPatch) -> None:
    first = json.loads(ask("machine", "--format", "json").out)
    assert first["instructions"] in VECTORS
    assert first["ceilings"] == []
    assert all(cache["size"] >= 1024 and cache["ways"] >= 1 for cache in first["caches"])
    asking._measure_machine.cache_clear()
    monkeypatch.setattr(asking, "_instructions", lambda _: pytest.fail("asked again"))
    assert json.loads(ask("machine", "--format", "json").out) == first


def test_the_ceilings_are_measured_once(monkeypatch: pytest.MonkeyPatch) -> None:
    measured: list[int] = []

    def ceilings(threads: list[int], caches: tuple[Cache, ...]) -> list[Ceiling]:
        measured.extend(threads)
        return [Ceiling(n, n * 1e10, n * 4e10, (8e10,) * (len(caches) - 1)) for n in threads]

    monkeypatch.setattr(measuring, "ceilings", ceilings)
    text = ask("machine", "--measure").out
    assert "10.0 GB/s from memory, 40.0 Gflop/s with 1 thread\n" in text
    assert "         80.0 GB/s from cache 2" in text
    asking._measure_machine.cache_clear()
    assert ask("machine").out == ask("machine", "--measure").out == text
    once = len(measured)
    ask("machine", "--again")
    assert len(measured) == 2 * once


def test_the_network_is_measured_once(monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter(((3e-6, 4e-4), (5e-6, 4e-4)))
    monkeypatch.setattr(networks, "measure_network", lambda: networks.network_of(*next(times)))
    assert "network" not in ask("machine").out
    text = ask("machine", "--network").out
    assert text.endswith("network  3.00 us a message, 10.56 GB/s\n")
    asking._measure_machine.cache_clear()
    assert ask("machine").out == ask("machine", "--network").out == text
    assert "network  5.00 us" in ask("machine", "--network", "--again").out
    assert "ceilings" not in ask("machine", "--network").out


@pytest.mark.slow
def test_two_ranks_measure_a_network(monkeypatch: pytest.MonkeyPatch) -> None:
    starter = engine("mpicc")
    if starter is None or engine("mpiexec") is None:
        pytest.skip("MPI is missing: pip install mpich, or apt install mpich")
    monkeypatch.setenv("PATH", f"{os.environ['PATH']}:{Path(starter).parent}")
    network = networks.measure_network()
    assert network.latency >= 0
    assert network.bytes > 0


def test_without_an_engine_the_remedy_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MPICC", "/nowhere/mpicc")
    outcome = ask("machine", "--network")
    assert outcome.code == 2
    assert "no C with MPI compiler was found" in outcome.err
    assert "apt install mpich" in outcome.err


def test_what_was_measured_without_caches_is_measured_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Records of before had none."""
    here = asking.this_machine()
    asking.remember(replace(here, ceilings=(Ceiling(1, 1e10, 4e10),)))
    rates = (9e10,) * (len(here.caches) - 1)
    monkeypatch.setattr(measuring, "ceilings", lambda threads, _: [Ceiling(n, 2e10, 4e10, rates) for n in threads])
    (ceiling,) = measuring.measured([1]).ceilings
    assert (ceiling.bytes, ceiling.caches) == (2e10, rates)


def test_each_cache_is_filled_by_what_no_smaller_one_holds() -> None:
    caches = (Cache(32768, 8), Cache(1 << 20, 16), Cache(8 << 20, 16))
    assert list(measuring._filling(caches, 1)) == [1 << 19, 4 << 20]
    assert list(measuring._filling(caches, 64)) == [1 << 19, 3 << 19]


def test_the_variable_pins_the_instructions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(asking.PIN, "avx512")
    assert ask("machine").out.startswith("vectors  avx512: 32 registers of 64 bytes\n")
    monkeypatch.setenv(asking.PIN, "mmx")
    answer = ask("machine")
    assert answer.code == 2
    assert "AZ808" in answer.err + answer.out
    assert "sse2, neon, avx2, avx512" in answer.err + answer.out


def test_a_compiler_that_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "/nowhere/cc")
    assert ask("machine").out.startswith("vectors  avx2: ")
