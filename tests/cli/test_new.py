"""First contact: a folder to begin with, what is said without arguments, and what beginners guess."""

import json
import os
import pty
import subprocess
import sys
import tomllib
from importlib.metadata import PathDistribution
from pathlib import Path

import pytest
import yaml

from alphaz.cli.main import VERBS
from alphaz.cli.new import requirement_of
from tests.cli.command_line import ask

STARTER = {
    ".github/workflows/mappings.yml", ".gitignore", "README.md", "pyproject.toml", "sums.ab", "sums.cs",
    "wrong-parallel.cs",
}  # fmt: skip


def made(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def test_a_new_project_is_proved_and_its_wrong_mapping_refuted(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert ask("new", "first").code == 0
    assert made(folder / "first") == STARTER
    monkeypatch.chdir(folder / "first")
    right = ask("verify")
    assert (right.code, right.out.splitlines()[-1]) == (0, "1 of 1 mapping proved: no findings")
    wrong = ask("verify", "wrong-parallel.cs")
    assert wrong.code == 1
    assert "error[AZ502]" in wrong.out
    assert ask("check").code == 0
    assert ask("run", "sums.cs", "-o", "out").code == 0
    assert "#pragma omp" not in (Path("out") / "sums.c").read_text(encoding="utf-8")


def test_a_new_project_is_described(folder: Path) -> None:
    ask("new", "second")
    place = folder / "second"
    assert tomllib.loads((place / "pyproject.toml").read_text(encoding="utf-8"))["project"]["name"] == "second"
    assert (place / "README.md").read_text(encoding="utf-8").startswith("# second\n")
    jobs = yaml.safe_load((place / ".github/workflows/mappings.yml").read_text(encoding="utf-8"))["jobs"]
    assert "alphaz verify" in str(jobs["mappings"]["steps"])
    # The distribution has another name than the command.
    installed = [step["run"] for step in jobs["mappings"]["steps"] if "pip install" in step.get("run", "")]
    assert installed == ['pip install "alphaz-equations"']
    assert not any("NAME" in path.read_text(encoding="utf-8") for path in place.rglob("*") if path.is_file())


def test_a_new_project_is_laid_out(folder: Path) -> None:
    ask("new", "second")
    assert ask("fmt", "--check", folder / "second").code == 0


@pytest.fixture(autouse=True)
def unknown_origin(monkeypatch: pytest.MonkeyPatch) -> None:
    """The checkout of the tests may have a remote."""
    monkeypatch.delenv("ALPHAZ_REPOSITORY", raising=False)
    monkeypatch.setattr("alphaz.cli.new.distribution", lambda _: PathDistribution(Path("none")))


ORIGINS = {
    '{"url": "https://host.org/me/alphaz.git", "vcs_info": {"vcs": "git"}}': "git+https://host.org/me/alphaz",
    '{"url": "https://me:secret@host.org/me/alphaz", "vcs_info": {"vcs": "git"}}': "git+https://host.org/me/alphaz",
    '{"url": "ssh://git@host.org:22/me/alphaz.git", "vcs_info": {"vcs": "git"}}': "git+https://host.org/me/alphaz",
    '{"url": "file:///work/alphaz", "vcs_info": {"vcs": "git"}}': "OWNER",
    '{"url": "file:///nowhere", "dir_info": {}}': "OWNER",
    '{"url": "file:///tmp/alphaz_equations-0.1.0-py3-none-any.whl", "archive_info": {}}': "OWNER",
}


@pytest.mark.parametrize("record", ORIGINS)
def test_the_origin_is_that_of_the_installation(record: str) -> None:
    assert ORIGINS[record] in requirement_of(record)
    assert "secret" not in requirement_of(record)


@pytest.mark.parametrize("remote", ["git@host.org:me/alphaz.git", "https://token@host.org/me/alphaz"])
def test_the_origin_of_a_checkout_is_its_remote(remote: str, tmp_path: Path) -> None:
    for command in ("init -q", f"remote add origin {remote}"):
        subprocess.run(["git", *command.split()], cwd=tmp_path, check=True)
    record = json.dumps({"url": tmp_path.as_uri(), "dir_info": {"editable": True}})
    assert requirement_of(record) == "alphaz-equations @ git+https://host.org/me/alphaz"
    (tmp_path / "inside").mkdir()
    record = json.dumps({"url": (tmp_path / "inside").as_uri(), "dir_info": {}})
    assert "OWNER" in requirement_of(record)


def test_the_repository_of_a_new_project_is_a_variable(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALPHAZ_REPOSITORY", "https://example.org/mine/alphaz")
    ask("new", "second")
    for name in ("pyproject.toml", ".github/workflows/mappings.yml"):
        assert "git+https://example.org/mine/alphaz" in (folder / "second" / name).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("full", "full is a folder with something in it: nothing is written"),
        ("sums.ab", "sums.ab is a file: nothing is written"),
        ("a b", "`a b` cannot be the name of a project"),
        ("none/x", "there is no folder none"),
    ],
)
def test_existing_files_are_not_overwritten(name: str, message: str, folder: Path) -> None:
    (folder / "full").mkdir()
    (folder / "full" / "mine").write_text("")
    before = made(folder)
    answer = ask("new", name)
    assert (answer.code, answer.out) == (2, "")
    assert message in answer.err
    assert made(folder) == before


def test_without_arguments_a_terminal_is_told_where_to_begin(folder: Path) -> None:
    ours, theirs = pty.openpty()
    done = subprocess.run([sys.executable, "-m", "alphaz"], stdout=theirs, cwd=folder, check=False, timeout=60)
    os.close(theirs)
    text = os.read(ours, 10_000).decode()
    os.close(ours)
    assert done.returncode == 0
    assert "begin here" in text
    mentioned = {line.split()[1] for line in text.splitlines() if line.startswith("  alphaz ")}
    assert mentioned - {"--help"} <= set(VERBS)


GUESSES = [
    ('setParallel(prog, "sums", "B", "2");', 'write setDimensionType(prog, "sums", "B", 0, "PARALLEL")'),
    ("setParallel(prog, sums, 0, 0);", 'names of the program stand in quotes: write "sums"'),
    ('setParallel(prog, "sums", 0);', "write setParallel(program, system, prefix, dimensions)"),
    ('setSpacetimeMap(prog, "sums", "B", "(i->i)");', "Write setSpaceTimeMap(program, "),
    ('setMemorymap(prog, "sums", "B");', "Write setMemoryMap(program, "),
    ('setTiling(prog, "4");', "write setTiling(program, "),
    ('prog.setParallel("", 0);', "write `setParallel(prog, ...)`"),
]


@pytest.mark.parametrize(("guess", "remedy"), GUESSES, ids=[guess.split("(")[0] for guess, _ in GUESSES])
def test_a_beginner_is_told_the_right_form(guess: str, remedy: str, folder: Path) -> None:
    (folder / "guess.cs").write_text(f'prog = ReadAlphabets("sums.ab");\n{guess}\n', encoding="utf-8")
    answer = ask("verify", "guess.cs")
    assert answer.code == 1
    assert remedy in answer.out
