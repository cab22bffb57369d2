"""Compiled once for all processes: what is taken from the cache, and what is not."""

import os
import shutil
import threading
from pathlib import Path

import pytest

from alphaz import cache
from alphaz.codegen.sources import Sources
from alphaz.processes.external import ProcessOutcome, run
from alphaz.run import compiler as compilers
from alphaz.run.compiler import find_compiler
from alphaz.run.library import NotCompiled, load

ONE = Sources({"one.c": '#include "value.h"\nint one(void) { return VALUE; }\n'})


@pytest.fixture
def compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """An empty cache, and what is compiled from now on."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    commands: list[str] = []

    def watched(command: tuple[str, ...], folder: Path, seconds: float) -> ProcessOutcome:
        if "-shared" in command:
            commands.append(" ".join(command))
        return run(command, folder, seconds)

    monkeypatch.setattr(compilers, "run", watched)
    return commands


def folder(parent: Path, value: int) -> Path:
    """With a header of the user."""
    place = parent / f"user-{value}-{len(list(parent.iterdir()))}"
    place.mkdir()
    (place / "value.h").write_text(f"#define VALUE {value}\n", encoding="utf-8")
    return place


def value(include: Path, *flags: str) -> int:
    return int(load(ONE, find_compiler(), flags, include).one())


def test_the_same_is_compiled_once(tmp_path: Path, compiled: list[str]) -> None:
    assert value(folder(tmp_path, 1)) == 1
    assert value(folder(tmp_path, 1)) == 1
    assert len(compiled) == 1


def test_another_header_and_other_flags_are_compiled_again(tmp_path: Path, compiled: list[str]) -> None:
    first = folder(tmp_path, 1)
    assert value(first) == 1
    (first / "value.h").write_text("#define VALUE 2\n", encoding="utf-8")
    assert value(first) == 2
    assert value(first, "-O1") == 2
    assert value(first, "-UVALUE", "-DOTHER") == 2
    assert len(compiled) == 4


def test_another_compiler_is_another_entry(tmp_path: Path, compiled: list[str]) -> None:
    include, known = folder(tmp_path, 1), find_compiler()
    other = type(known)(known.command, f"{known.version} (patched)", known.has_threads)
    for compiler in (known, other, known):
        assert load(ONE, compiler, (), include).one() == 1
    assert len(compiled) == 2


def test_a_compiler_at_another_place_is_another_entry(
    tmp_path: Path, compiled: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it makes may need the libraries that lie beside it."""
    include, known = folder(tmp_path, 1), find_compiler()
    for place in ("one", "other", "one"):
        wrapper = tmp_path / place / Path(known.command[0]).name
        wrapper.parent.mkdir(exist_ok=True)
        wrapper.write_text(f'#!/bin/sh\nexec {shutil.which(known.command[0])} "$@"\n', encoding="utf-8")
        wrapper.chmod(0o755)
        with monkeypatch.context() as context:
            context.setenv("PATH", f"{wrapper.parent}:{os.environ['PATH']}")
            compiler = type(known)((wrapper.name,), known.version, known.has_threads)
            assert load(ONE, compiler, (), include).one() == 1
    assert len(compiled) == 2


def test_what_does_not_load_is_compiled_again(tmp_path: Path, compiled: list[str]) -> None:
    include = folder(tmp_path, 1)
    assert value(include) == 1
    (rest,) = (tmp_path / "cache" / "alphaz").glob("kernel-*")
    cache.keep(rest.name, b"no library")
    assert value(include) == 1
    assert len(compiled) == 2
    assert value(include) == 1
    assert len(compiled) == 2


def test_errors_are_not_kept(tmp_path: Path, compiled: list[str]) -> None:
    for _ in range(2):
        with pytest.raises(NotCompiled, match="expected"):
            load(Sources({"wrong.c": "int wrong("}), find_compiler(), ())
    assert len(compiled) == 2
    assert not list((tmp_path / "cache").rglob("kernel-*"))


@pytest.mark.slow
def test_many_at_once(tmp_path: Path, compiled: list[str]) -> None:
    include, result = folder(tmp_path, 1), []
    threads = [threading.Thread(target=lambda: result.append(value(include))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert result == [1] * 4


def test_what_was_used_longest_ago_goes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    place = tmp_path / "alphaz"
    cache.keep("other-1", b"x" * 1000)
    for at in range(3):
        cache.keep(f"kernel-{at}", b"x" * 1000)
        os.utime(place / f"kernel-{at}", (at, at))
    assert cache.recall("kernel-0") is not None
    cache.keep("kernel-3", b"x" * 1000, most=3300)
    assert sorted(path.name for path in place.iterdir()) == ["kernel-0", "kernel-2", "kernel-3", "other-1"]
