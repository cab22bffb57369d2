"""The report as a file: what it holds, that nothing gets out of its data, and that it stays small."""

import base64
import hashlib
import json
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from alphaz.figures.report import page
from alphaz.resources import resource
from tests.cli.command_line import ask, files

SAMPLES = Path(__file__).parents[3] / "samples"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    files(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def written(*arguments: object) -> str:
    ask("verify", "--report", "html=report.html", *arguments)
    return Path("report.html").read_text(encoding="utf-8")


def data(text: str) -> dict[str, list[dict[str, object]]]:
    (result,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)
    value: dict[str, list[dict[str, object]]] = json.loads(result)
    return value


def test_the_report_has_what_was_found() -> None:
    text = written("wrong.cs", "right.cs")
    mappings = data(text)["mappings"]
    assert [(mapping["system"], mapping["word"]) for mapping in mappings] == [("sums", "refuted"), ("sums", "proved")]
    findings = mappings[0]["findings"]
    assert isinstance(findings, list)
    first = findings[0]
    assert first["code"] == "AZ502"
    picture = base64.b64decode(first["figure"].removeprefix("data:image/svg+xml;base64,"))
    assert ElementTree.fromstring(picture).tag.endswith("svg")
    assert "1 of 2 mappings proved" in text
    assert "SHA-256" in text
    assert "isl" in text


def test_fixes_can_be_copied() -> None:
    (mapping,) = data(written(SAMPLES / "prefix-sum" / "wrong-parallel.cs"))["mappings"]
    assert isinstance(mapping["findings"], list)
    (fix,) = mapping["findings"][0]["fixes"]
    assert fix == {
        "text": "dimension 0 sequential",
        "script": 'setDimensionType(prog, "prefix_sum", "y", 0, "SEQUENTIAL");',
        "tried": True,
    }


def test_the_policy_lets_in_the_script_and_the_style_of_the_page_alone() -> None:
    text = written("right.cs")
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)
    script = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    style = re.findall(r"<style>(.*?)</style>", text, re.DOTALL)
    for kind, (inside,) in (("script-src", script), ("style-src", style)):
        digest = base64.b64encode(hashlib.sha256(inside.encode("utf-8")).digest()).decode("ascii")
        assert f"{kind} 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none'")
    assert "unsafe" not in policy
    assert not re.search(r"<(?:link|iframe|object|form)\b|\bon\w+=|\bstyle=|https?://(?!www\.w3\.org)", text)


def test_long_lines_of_texts_wrap() -> None:
    assert re.search(r"\.source\{[^}]*white-space:pre-wrap;overflow-wrap:anywhere", resource("pages", "report.css"))


def test_the_same_run_gives_the_same_report_but_for_its_seconds() -> None:
    def without_seconds(text: str) -> str:
        return re.sub(r"\d+\.\d\d s", "- s", text)

    assert without_seconds(written("wrong.cs")) == without_seconds(written("wrong.cs"))


@pytest.mark.slow
def test_pictures_are_left_out_of_what_would_be_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page, "LIMIT", 200_000)
    text = written("--no-hints", *sorted(map(str, (SAMPLES / "matrix-chain").glob("*.cs"))))
    assert len(text.encode("utf-8")) < 200_000
    traces = [mapping["trace"] is not None for mapping in data(text)["mappings"]]
    assert any(traces)
    assert not all(traces)
    assert any("larger than 1 MB" in str(mapping["untraced"]) for mapping in data(text)["mappings"])


@pytest.mark.slow
def test_texts_are_left_out_of_what_would_be_too_large(folder: Path) -> None:
    long = (folder / "wrong.cs").read_text(encoding="utf-8") + f"# {'x' * 98}\n" * 15_000
    (folder / "long.cs").write_text(long, encoding="utf-8")
    text = written("--no-hints", "long.cs", "right.cs")
    assert len(text.encode("utf-8")) < page.LIMIT
    sources = text.partition('"sources":')[2]
    assert '"right.cs":' in sources
    assert '"long.cs":' not in sources
    assert [mapping["word"] for mapping in data(text)["mappings"]] == ["refuted", "proved"]


def test_a_mapping_that_is_not_well_formed_has_a_page(folder: Path) -> None:
    text = (folder / "right.cs").read_text(encoding="utf-8").replace('"(i->i)"', '"(i->i,0)"', 1)
    (folder / "odd.cs").write_text(text + 'setSpaceTimeMap(prog, "sums", "B", "(i->i)");\n', encoding="utf-8")
    words = {mapping["word"]: mapping["untraced"] for mapping in data(written("odd.cs"))["mappings"]}
    assert "the mapping is not well formed" in words.values()


def test_a_script_without_any_mapping_is_not_missing(folder: Path) -> None:
    """The error that stops a script is shown instead of its verdict; the script does not count as mapped."""
    (folder / "broken.cs").write_text('prog = ReadAlphabets("nothing.ab");\n', encoding="utf-8")
    text = written("right.cs", "broken.cs")
    first, second = data(text)["mappings"]
    assert (first["system"], first["script"], first["word"]) == ("", "broken.cs", "not well formed")
    assert isinstance(first["findings"], list)
    assert first["findings"][0]["code"] == "AZ405"
    assert (second["system"], second["word"]) == ("sums", "proved")
    assert "1 of 1 mapping proved" in text
    assert ">the script</a>" in text


@pytest.mark.slow
def test_what_is_not_drawn_is_said() -> None:
    """Of four indices one is held."""
    (mapping,) = data(written("--no-hints", SAMPLES / "kernels" / "heat-3d" / "heat-3d.cs"))["mappings"]
    assert isinstance(mapping["trace"], dict)
    assert mapping["trace"]["held"] == ["i = 1"]


def test_programs_have_no_html_report() -> None:
    answer = ask("check", "--report", "html=report.html", "sums.ab")
    assert answer.code == 2
    assert "`alphaz verify` makes one" in answer.err
    assert not Path("report.html").exists()
