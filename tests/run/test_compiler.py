"""Finding a C compiler by trying, and what is said when there is none."""

from pathlib import Path

import pytest

from alphaz.diagnostics import Rejected
from alphaz.run.compiler import Compiler, find_compiler, require_threads


def script(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


def no_compiler(help_: str = "apt install gcc") -> str:
    with pytest.raises(Rejected) as caught:
        find_compiler()
    (finding,) = caught.value.diagnostics
    assert finding.rule.code == "AZ802"
    assert finding.help is not None
    assert help_ in finding.help
    return "\n".join(finding.notes)


def test_the_compiler_of_this_machine_has_openmp() -> None:
    compiler = find_compiler()
    assert compiler.has_threads
    assert compiler.version


def test_cc_with_arguments_is_honoured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "gcc -g0")
    assert find_compiler().command == ("gcc", "-g0")


def test_a_compiler_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "no-such-compiler")
    assert "no-such-compiler" in no_compiler()


def test_a_compiler_that_refuses_everything(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    bad = script(tmp_path, "cc", "echo 'stdio.h: no such file' >&2; exit 1")
    monkeypatch.setenv("CC", str(bad))
    assert "stdio.h: no such file" in no_compiler()


def test_nothing_on_the_path(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    tried = no_compiler()
    assert all(f"`{name}`" in tried for name in ("cc", "gcc", "clang"))


def test_a_compiler_without_openmp(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    plain = script(tmp_path, "cc", 'for a in "$@"; do [ "$a" = -fopenmp ] && exit 1; done; exec gcc "$@"')
    monkeypatch.setenv("CC", str(plain))
    compiler = find_compiler()
    assert not compiler.has_threads
    assert compiler.thread_flags == ()
    with pytest.raises(Rejected) as caught:
        require_threads(compiler)
    assert caught.value.diagnostics[0].rule.code == "AZ802"
    require_threads(Compiler(("gcc",), "", has_threads=True))


def test_a_full_disk_is_no_missing_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The line that names the reason is shown, and what helps against it."""
    text = "echo collecting >&2; echo 'ld: final link failed: No space left on device' >&2; exit 1"
    monkeypatch.setenv("CC", str(script(tmp_path, "cc", text)))
    assert no_compiler("TMPDIR").endswith("ld: final link failed: No space left on device")
