"""A quick start: what is remembered is right, and what is loaded is little."""

import dataclasses
import subprocess
import sys
from pathlib import Path

import pytest

from alphaz.cli.dataclass_cache import CompiledTexts
from tests.thinning import thinned

PROGRAM = Path(__file__).parents[2] / "samples" / "prefix-sum" / "prefix-sum.ab"


def test_a_text_is_compiled_once_and_known_to_the_next_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    variables: dict[str, object] = {}
    first = CompiledTexts("texts-0")
    first.execute("x = 2 + 3", variables)
    assert variables["x"] == 5
    first.keep()
    second = CompiledTexts("texts-0")
    assert list(second.known) == ["x = 2 + 3"]
    again: dict[str, object] = {}
    second.execute("x = 2 + 3", again)
    assert again["x"] == 5
    assert not second.has_new


def test_data_classes_of_remembered_code_are_data_classes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    for _ in range(2):
        texts = CompiledTexts("texts-1")
        monkeypatch.setattr(dataclasses, "exec", texts.execute, raising=False)
        made = dataclasses.make_dataclass("Point", [("x", int), ("y", int, 3)], frozen=True, slots=True)
        assert (made(1), made(1) == made(1, 3), hash(made(2))) == (made(1, 3), True, hash((2, 3)))
        with pytest.raises(dataclasses.FrozenInstanceError):
            made(1).x = 2
        texts.keep()
    assert not texts.has_new


def test_what_was_kept_in_part_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    texts = CompiledTexts("texts-2")
    texts.execute("x = 1", {})
    texts.keep()
    (file,) = (tmp_path / "alphaz").iterdir()
    file.write_bytes(file.read_bytes()[:-1])
    assert CompiledTexts("texts-2").known == {}


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    thinned([["check", str(PROGRAM)], ["help", "setTiling"], ["verify", str(PROGRAM.with_suffix(".cs"))]], 3),
    ids=lambda words: words[0],
)
def test_a_second_start_loads_no_makers_of_tables_and_no_metadata(words: list[str], tmp_path: Path) -> None:
    script = (
        "import sys; sys.argv = ['alphaz', *sys.argv[1:]]\n"
        "from alphaz.cli.main import cli\n"
        "code = cli(standalone_mode=False)\n"
        "heavy = {'lark', 'importlib.metadata', 'z3', 'numpy', 'sympy', 'pygments', 'fractions'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", script, *words],
            capture_output=True, text=True, check=False, env={"XDG_CACHE_HOME": str(tmp_path), "PATH": "/usr/bin:/bin"},
        )  # fmt: skip
    assert done.stdout.endswith("[]\n"), done.stdout + done.stderr


def test_a_proof_of_c_loads_neither_ranks_nor_generators() -> None:
    code = "import sys, alphaz.cli.prove; print(*(name for name in sys.modules if name.startswith('alphaz.')))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert "alphaz.equivalence.driver.prove_c" in loaded
    assert [name for name in loaded if ".ranks." in name or name == "alphaz.scripting.commands.generators"] == []
