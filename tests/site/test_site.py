"""The parts of the site, without building it (`scripts/site` does, and takes minutes): pages, links, generated text."""

import ast
import inspect
import io
import re
import runpy
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import yaml

import alphaz
from alphaz.cli.main import VERBS
from alphaz.diagnostics.rules import codes
from tests.thinning import thinned

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"


def pages() -> set[str]:
    """Every document of the site."""
    results = {path.relative_to(DOCS).with_suffix("").as_posix() for path in DOCS.rglob("*.md")}
    return {name for name in results if not name.startswith("lessons/wrong")}


def listed() -> set[str]:
    """Returns the pages of all tables of contents."""
    result: set[str] = {"index"}
    for page in DOCS.rglob("*.md"):
        for block in re.findall(r"^```\{toctree\}\n(.*?)^```$", page.read_text(encoding="utf-8"), re.M | re.S):
            for line in block.splitlines():
                if line and not line.startswith(":"):
                    names = page.parent.glob(f"{line}.md") if "*" in line else [page.parent / f"{line}.md"]
                    result |= {name.relative_to(DOCS).with_suffix("").as_posix() for name in names}
    return result


def test_every_page_is_in_a_table_of_contents_and_every_entry_is_a_page() -> None:
    assert listed() == pages()


def test_links_between_documents_lead_somewhere() -> None:
    for name in sorted(pages()):
        page = DOCS / f"{name}.md"
        text = re.sub(r"^```.*?^```$|`[^`\n]*`", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
        for target in re.findall(r"\]\(([^)\s:]+)\)", text):
            place = target.partition("#")[0]
            assert not place or (page.parent / place).exists(), f"{name}: {target}"


@pytest.fixture(scope="module")
def made() -> dict[str, Any]:
    pytest.importorskip("sphinx", reason="the extra docs is not installed")
    pytest.importorskip("docutils", reason="the extra docs is not installed")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(DOCS)
        return runpy.run_path(str(DOCS / "alphaz_site.py"))


def test_the_reference_is_generated_from_what_there_is(made: dict[str, Any]) -> None:
    verbs, api, rules = made["verbs"](), made["api"](), made["rules"]()
    assert all(f"**alphaz {name}**" in verbs for name in VERBS)
    assert all(f"**alphaz.{name}**" in api for name in ("read", "run", "verify", "trace", "compile", "Report"))
    assert all(f"(rules/{code}.md)" in rules for code in codes())


def test_the_calls_in_the_table_of_python_fit_the_signatures() -> None:
    page = (DOCS / "python.md").read_text(encoding="utf-8")
    calls = re.findall(r"`((\w+)\([^`]*\))`", "".join(re.findall(r"^\|.*?\|", page, re.M)))
    assert {name for _, name in calls} >= {"read", "trace", "from_c", "verify"}
    for text, name in calls:
        call = ast.parse(text, mode="eval").body
        assert isinstance(call, ast.Call)
        keywords = {str(keyword.arg): keyword.value for keyword in call.keywords}
        inspect.signature(getattr(alphaz, name)).bind(*call.args, **keywords)


def test_the_page_of_python_is_readable_in_a_checkout() -> None:
    """It names every public name without the generated part, and its example runs."""
    page = (DOCS / "python.md").read_text(encoding="utf-8")
    assert [name for name in alphaz.__all__ if not re.search(rf"`(alphaz\.)?{name}\b", page)] == []
    (example,) = re.findall(r"^```python\n(.*?)^```$", page, re.M | re.S)
    made = subprocess.run([sys.executable, "-c", example], cwd=ROOT, capture_output=True, check=False, text=True)
    assert made.stdout.splitlines()[-1] == "[1. 3. 6.]", made.stderr


@pytest.fixture(scope="module")
def pictures() -> dict[str, Any]:
    return runpy.run_path(str(DOCS / "alphaz_pictures.py"))


# Reads all files that the site is made from, below the current folder. Drawing needs no files but those. sphinx is of
# the extra `docs`, which tests do not need.
READS = """
import runpy, sys, types
from pathlib import Path
try:
    import sphinx
except ImportError:
    for name in ("docutils", "docutils.nodes", "docutils.parsers", "docutils.parsers.rst", "sphinx",
                 "sphinx.application", "sphinx.util", "sphinx.util.docutils"):
        sys.modules[name] = types.ModuleType(name)
    sys.modules["docutils"].nodes = types.SimpleNamespace(Node=object, raw=object)
    sys.modules["docutils.parsers.rst"].directives = types.SimpleNamespace(unchanged=str)
    sys.modules["sphinx.application"].Sphinx = sys.modules["sphinx.util.docutils"].SphinxDirective = object
sys.path[:0] = [str(Path.cwd()), str(Path("docs").resolve())]
import alphaz, alphaz_site, alphaz_pictures, re
assert Path(alphaz.__file__).is_relative_to(Path.cwd())
alphaz_site._can_be_drawn = lambda script: script.read_text(encoding="utf-8") != ""
for made in (alphaz_site.api, alphaz_site.verbs, alphaz_site.rules, alphaz_site.gallery):
    assert made()
for code, wanted in alphaz_pictures.PICTURES.items():
    for section, kind in wanted:
        assert alphaz_pictures.drawn_rule(code, section, kind).svg
for page in [*Path("docs").rglob("*.md")]:
    text = page.read_text(encoding="utf-8")
    for name in re.findall(r"^```\\{alphaz-figure\\} (\\S+)", text, re.M):
        assert alphaz.run(Path(name)).mapped_systems
assert [*(alphaz_site.DOCS / "pictures").iterdir()]
from tests.site import test_site
assert test_site.ROOT == Path.cwd()
test_site.test_every_page_is_in_a_table_of_contents_and_every_entry_is_a_page()
test_site.test_links_between_documents_lead_somewhere()
conf = runpy.run_path("docs/conf.py")
for name in conf["html_css_files"]:
    assert any((Path("docs") / folder / name).is_file() for folder in conf["html_static_path"])
"""


@pytest.mark.slow
def test_the_site_is_made_from_committed_files(tmp_path: Path) -> None:
    git = shutil.which("git")
    if git is None or not (ROOT / ".git").exists():
        pytest.skip("this is no clone")
    archive = subprocess.run([git, "archive", "HEAD"], cwd=ROOT, capture_output=True, check=True).stdout
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        files.extractall(tmp_path, filter="data")
    made = subprocess.run([sys.executable, "-c", READS], cwd=tmp_path, capture_output=True, check=False, text=True)
    assert made.returncode == 0, made.stderr


# Rules of which no picture says more than their words.
WITHOUT_PICTURE = {
    "the text cannot be read, or has a form of its own": "AZ101 AZ102 AZ103 AZ104 AZ105 AZ107",
    "it is about C": "AZ831 AZ832 AZ833 AZ802 AZ803 AZ836 AZ837 AZ834 AZ835",
    "it is about names, types and how often something is declared": "AZ201 AZ202 AZ203 AZ204 AZ205 AZ206 AZ207"
    " AZ301 AZ302 AZ303",
    "it is about formulas of matrices": "AZ221 AZ222 AZ223",
    "it is about commands, options and files": "AZ401 AZ402 AZ403 AZ405 AZ407 AZ408 AZ412 AZ813"
    " AZ513 AZ514 AZ515 AZ808 AZ841 AZ842",
    "it is about a run, its data and results": "AZ317 AZ815 AZ805 AZ806 AZ807 AZ809 AZ810 AZ811 AZ814",
    "no program is known to lead there": "AZ418 AZ839 AZ838 AZ901",
    "there are no points that could be drawn": "AZ308",
    "nothing is known that could be drawn": "AZ314 AZ801",
}


def test_links_to_former_codes_of_rules_lead_to_the_present_ones(made: dict[str, Any], tmp_path: Path) -> None:
    app = SimpleNamespace(builder=SimpleNamespace(format="html"), outdir=tmp_path)
    (tmp_path / "rules").mkdir()
    made["redirected"](app, None)
    assert "url=AZ832.html" in (tmp_path / "rules" / "AZ112.html").read_text(encoding="utf-8")


@pytest.mark.slow
def test_every_rule_has_a_picture_or_a_reason_why_not(pictures: dict[str, Any]) -> None:
    without = [code for listed in WITHOUT_PICTURE.values() for code in listed.split()]
    assert sorted([*without, *pictures["PICTURES"]]) == sorted(codes())


PICTURED = sorted(set(codes()) - {code for listed in WITHOUT_PICTURE.values() for code in listed.split()})


# Whose wrong examples go wrong at a point: others are right and could be better, or are drawn without their script.
REFUTED = {
    *("AZ304", "AZ305", "AZ306", "AZ310", "AZ313", "AZ413", "AZ501", "AZ502", "AZ503"),
    *("AZ521", "AZ601", "AZ602", "AZ603", "AZ604", "AZ622", "AZ701", "AZ702"),
}


@pytest.mark.slow
@pytest.mark.parametrize("code", thinned(PICTURED, 4))
def test_the_pictures_of_a_rule_are_drawn_from_its_document(pictures: dict[str, Any], code: str) -> None:
    figures = {section: pictures["drawn_rule"](code, section, kind) for section, kind in pictures["PICTURES"][code]}
    assert len({figure.svg for figure in figures.values()}) == len(figures)
    for section, figure in figures.items():
        refuted = re.findall(r">(AZ\d+): ", figure.svg)
        expected = {"AZ409": "AZ502", "AZ804": "AZ502"}.get(code, code if code in REFUTED else None)
        assert refuted == ([expected] if section == "Wrong" and expected else []), section


def test_a_cell_gives_what_a_notebook_would(made: dict[str, Any]) -> None:
    names: dict[str, Any] = {}
    assert made["evaluated"]("a = 1\nb = 2", names) is None
    assert made["evaluated"]("c = a + b\nc * 2", names) == 6


def test_the_figures_that_pages_name_are_there() -> None:
    for page in DOCS.glob("*.md"):
        for name in re.findall(r"^```\{alphaz-figure\} (\S+)", page.read_text(encoding="utf-8"), re.M):
            assert alphaz.run(ROOT / name).mapped_systems


def test_the_workflow_treats_warnings_as_errors() -> None:
    jobs = yaml.safe_load((ROOT / ".github" / "workflows" / "site.yml").read_text(encoding="utf-8"))["jobs"]
    assert any("sphinx -W -n" in str(step.get("run")) for step in jobs["build"]["steps"])


def test_the_workflow_of_proofs_names_commands_that_exist() -> None:
    jobs = yaml.safe_load((ROOT / ".github" / "workflows" / "proofs.yml").read_text(encoding="utf-8"))["jobs"]
    commands = [str(step["run"]).split() for job in jobs.values() for step in job["steps"] if "run" in step]
    scripts = [command[0] for command in commands if command[0].startswith("scripts/")]
    assert scripts == ["scripts/measure-proofs", "scripts/fuzz-kernel"]
    for name in scripts:
        assert (ROOT / name).stat().st_mode & 0o100
    assert (ROOT / "alphaz" / "kernel" / "kernel.c").exists()
