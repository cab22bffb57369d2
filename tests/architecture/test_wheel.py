"""The installed package is complete: a wheel in a fresh environment works without the checkout."""

import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

from alphaz.diagnostics.rules import codes
from tests.architecture.source_tree import ROOT

pytestmark = pytest.mark.slow

PROGRAM = """affine twice {N | N > 0}
input
  int A {i | 0 <= i < N};
output
  int B {i | 0 <= i < N};
let
  B[i] = A[i] + A[i];
.
"""


def _run(folder: Path, *command: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*map(str, command)], cwd=folder, capture_output=True, text=True, check=False, timeout=120)


def _must(folder: Path, *command: str | Path) -> str:
    done = _run(folder, *command)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    # The wheel is built from the source distribution, so both are whole.
    _must(folder, sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, ROOT)
    assert len(list(folder.glob("*.tar.gz"))) == 1
    [built] = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The `bin` of a fresh environment that has the wheel, and borrows its dependencies from this one."""
    home = tmp_path_factory.mktemp("home") / "venv"
    _must(home.parent, sys.executable, "-m", "venv", "--without-pip", home)
    python = home / "bin" / "python"
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", python)
    _must(home.parent, *pip, "install", "--quiet", "--no-deps", "--no-index", wheel)
    own = Path(_must(home.parent, python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip())
    (own / "borrowed.pth").write_text(sysconfig.get_path("platlib") + "\n")
    return python.parent


def test_the_wheel_holds_the_data_and_the_type_marker(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    grammars = {f"alphaz/_data/grammar/{path.name}" for path in (ROOT / "grammar").glob("*.lark")}
    assert len(grammars) >= 3
    assert names >= grammars | {"alphaz/py.typed"}
    pages = {f"alphaz/_data/pages/studio/{path.name}" for path in (ROOT / "pages" / "studio").iterdir()}
    assert len(pages) >= 7
    assert names >= pages | {"alphaz/_data/samples/prefix-sum/prefix-sum.ab", "alphaz/_data/docs/lessons/05-cells.md"}
    assert not [name for name in names if name.startswith(("tests/", "samples/", "docs/"))]


def test_the_environment_runs_what_was_installed(installed: Path, tmp_path: Path) -> None:
    where = _must(tmp_path, installed / "python", "-c", "import alphaz; print(alphaz.__file__)")
    assert Path(where.strip()).is_relative_to(installed.parent)


def test_an_installed_alphaz_checks_a_program(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "twice.ab").write_text(PROGRAM)
    _must(tmp_path, installed / "alphaz", "check", "twice.ab")


def test_an_installed_alphaz_finds_a_syntax_error(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "twice.ab").write_text(PROGRAM.replace("A[i] +", "A[i] + +"))
    done = _run(tmp_path, installed / "alphaz", "check", "twice.ab")
    assert done.returncode == 1
    assert "AZ101" in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


def test_the_documents_of_the_rules_are_installed(installed: Path, tmp_path: Path) -> None:
    program = "from alphaz.diagnostics import rules as d; print(*(d.document(c).split()[1] for c in d.codes()))"
    assert _must(tmp_path, installed / "python", "-c", program).split() == codes()


def test_an_installed_alphaz_begins_a_project_draws_and_reports(installed: Path, tmp_path: Path) -> None:
    _must(tmp_path, installed / "alphaz", "new", "first")
    project = tmp_path / "first"
    _must(project, installed / "alphaz", "verify", "--report", "html=report.html")
    assert "<!doctype html>" in (project / "report.html").read_text(encoding="utf-8").lower()
    _must(project, installed / "alphaz", "draw", "wrong-parallel.cs", "-o", "wrong.svg")
    assert "<svg" in (project / "wrong.svg").read_text(encoding="utf-8")


def test_the_language_server_of_an_installed_alphaz_has_its_pages(installed: Path, tmp_path: Path) -> None:
    pytest.importorskip("pygls", reason="the extra lsp is not installed")
    program = "from alphaz.ide.lsp.convert import page_of; print(page_of('AZ502'))"
    page = _must(tmp_path, installed / "python", "-c", program).strip().removeprefix("file://")
    assert Path(page).is_relative_to(installed.parent)
    assert Path(page).read_text(encoding="utf-8").startswith("# AZ502")
