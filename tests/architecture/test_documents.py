"""Committed files refer only to the project, and contain no path of the machine on which they were written."""

import ast
import re
import subprocess
import tomllib

import pytest

from tests.architecture.source_tree import PACKAGE, ROOT, modules

_HOMES = ("work", "root", "home", "Users")
_MACHINE = re.compile(rf"(?<![\w./])/(?:{'|'.join(_HOMES)})/[\w.]")
"""Absolute paths of a home or a work place. (Put together, so that this file does not name one.)"""


def _committed() -> list[str]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("not a git checkout")
    return [name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]


@pytest.mark.slow
def test_no_file_names_a_place_of_a_machine() -> None:
    results = []
    for name in _committed():
        lines = (ROOT / name).read_text(encoding="utf-8", errors="replace").splitlines()
        results += [f"{name}:{number}: {line}" for number, line in enumerate(lines, start=1) if _MACHINE.search(line)]
    assert results == []


def test_the_pattern_finds_what_it_is_for() -> None:
    for folder in _HOMES:
        assert _MACHINE.search(f"see /{folder}/somebody/project")
    assert not _MACHINE.search("network/work/x is relative to https://example.org/homepage")


def test_every_committed_file_is_utf8_and_ends_its_last_line() -> None:
    for name in _committed():
        content = (ROOT / name).read_bytes()
        if b"\0" not in content:  # a picture is no text
            assert content.decode("utf-8").endswith("\n") or not content, name


def test_the_commands_of_the_readme_can_be_run() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for name in ("scripts/demo", "scripts/test"):
        assert name in readme
        assert (ROOT / name).stat().st_mode & 0o111, name


def test_the_links_of_the_papers_lead_somewhere() -> None:
    for paper in (ROOT / "README.md", *(ROOT / "docs").glob("*.md")):
        prose = re.sub(r"^```.*?^```$|`[^`\n]*`", "", paper.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
        for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", prose):
            assert "://" in target or (paper.parent / target).exists(), f"{paper.name}: {target}"


def test_the_project_file_asks_for_what_the_scripts_check() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["requires-python"] == ">=3.11"
    assert "(3, 11)" in (ROOT / "scripts/prepare").read_text(encoding="utf-8")


def test_the_page_of_the_house_shows_every_room() -> None:
    page = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    rooms = {module.room for module in modules()} - {
        "alphaz",
        "cache",
        "lazy",
        "machine",
        "resources",
        "usage",
        "version",
        "__main__",
    }
    assert [room for room in sorted(rooms) if f"| `{room}/` |" not in page] == []


ENTRY = re.compile(r"((?:`\w+`(?: and )?)+) in\s`([\w/]+\.py)`")


@pytest.mark.parametrize("room", sorted(path.parent.name for path in PACKAGE.glob("*/__init__.py")))
def test_a_room_names_its_entry_points(room: str) -> None:
    text = ast.get_docstring(ast.parse((PACKAGE / room / "__init__.py").read_text(encoding="utf-8"))) or ""
    entries = ENTRY.findall(text.partition("Entry point")[2])
    assert entries, text
    assert len(text.splitlines()) <= 5
    for names, file in entries:
        tree = ast.parse((PACKAGE / room / file).read_text(encoding="utf-8"))
        assert {*re.findall(r"\w+", names.replace(" and ", ""))} <= {getattr(node, "name", "") for node in tree.body}


STEP = re.compile(r"^\|[^|]*\|\s(`[^|]*)\|\s((?:`[\w/]+\.py`(?:, )?)+)\s\|$", re.MULTILINE)


def test_the_steps_on_the_page_of_the_house_name_functions_that_exist() -> None:
    steps = STEP.findall((ROOT / "docs/architecture.md").read_text(encoding="utf-8"))
    assert len(steps) > 30
    for functions, files in steps:
        trees = [ast.parse((PACKAGE / file).read_text(encoding="utf-8")) for file in re.findall(r"`([^`]+)`", files)]
        names = {getattr(node, "name", "") for tree in trees for node in ast.walk(tree)}
        assert {name.split(".")[-1] for name in re.findall(r"`([^`]+)`", functions)} <= names, (functions, files)
