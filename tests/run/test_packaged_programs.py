"""Programs of installed packages: those on PATH go first, and a name stays a name where neither has it."""

from pathlib import Path

import pytest

from alphaz.codegen.targets.cuda import CUDA_TARGET
from alphaz.run.compiler import find_compiler
from alphaz.run.packaged_programs import located

FAKE = """#!/bin/sh
case "$1" in --version) echo "nvcc of a package"; exit 0;; esac
while [ "$#" -gt 1 ]; do [ "$1" = -o ] && printf '#!/bin/sh\\nexit 0\\n' > "$2" && chmod +x "$2"; shift; done
"""


def _package(folder: Path, version: str) -> Path:
    place = folder / "nvidia" / version / "bin"
    place.mkdir(parents=True)
    (place / "nvcc").write_text(FAKE, encoding="utf-8")
    (place / "nvcc").chmod(0o755)
    return place / "nvcc"


def test_nvcc_of_a_package_compiles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _package(tmp_path, "cu13")
    newest = _package(tmp_path, "cu14")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    monkeypatch.delenv("NVCC", raising=False)
    compiler = find_compiler(CUDA_TARGET.toolchain)
    assert compiler.command == (str(newest),)
    assert compiler.version == "nvcc of a package"


def test_a_program_on_path_goes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mine = _package(tmp_path, "cu13")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("PATH", f"{mine.parent}:/usr/bin:/bin")
    assert located("nvcc") == "nvcc"


def test_programs_of_this_environment_need_no_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As those of the extra `mpi`, where the environment is not activated."""
    (tmp_path / "mpicc").write_text(FAKE, encoding="utf-8")
    (tmp_path / "mpicc").chmod(0o755)
    monkeypatch.setattr("sysconfig.get_path", lambda _: str(tmp_path))
    monkeypatch.setenv("PATH", "/nowhere")
    assert located("mpicc") == str(tmp_path / "mpicc")
    assert located("mpiexec") == "mpiexec"


def test_other_names_stay() -> None:
    assert located("no-such-program") == "no-such-program"
    assert located("/opt/nvcc") == "/opt/nvcc"
