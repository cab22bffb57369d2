"""The answers of the studio, computed in this process."""

import base64
import io
import zipfile
from pathlib import Path
from typing import Any

import pytest

from alphaz.ide.studio.analysis import StudioState
from alphaz.ide.studio.answers import answers
from alphaz.ide.studio.examples import lesson, lessons, sample, samples
from alphaz.ide.studio.json_values import offset_of, units
from alphaz.ide.studio.markdown import html_of
from alphaz.ide.studio.request import StudioRequest
from tests.ide.studio import studio_client

FILES = studio_client.sample("prefix-sum/prefix-sum.ab", "prefix-sum/prefix-sum.cs", "prefix-sum/wrong-parallel.cs")
READ, DEFINED = (FILES["prefix-sum.ab"].index(text) for text in ("y[i-1]", "y {i"))
C = """void prefix_sum(long N, double *x, double *y) {
    y[0] = x[0];
    for (long i = 1; i < N; i++) y[i] = y[i-1] + x[i];
}
"""


def _answers(folder: Path, request: StudioRequest, judged: StudioState | None = None) -> list[dict[str, Any]]:
    for name, text in request.files.items():
        (folder / name).write_text(text, encoding="utf-8")
    results = list(answers(request, StudioState() if judged is None else judged))
    assert results[-1] == {"event": "end"}
    return results[:-1]


def _one(folder: Path, request: StudioRequest, event: str) -> dict[str, Any]:
    [result] = [answer for answer in _answers(folder, request) if answer["event"] == event][-1:]
    return result


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.slow
def test_a_refuted_mapping_has_a_place_a_picture_and_a_fix_that_proves_it(folder: Path) -> None:
    result = _answers(folder, StudioRequest("analyse", FILES, "wrong-parallel.cs"))
    events = [answer["event"] for answer in result]
    assert events == ["findings", "findings", "verdicts", "picture", "code", "findings"]
    [finding] = result[-1]["findings"]
    text = FILES["wrong-parallel.cs"]
    assert (finding["code"], text[finding["at"]["from"] : finding["at"]["to"]]) == ("AZ502", "(i -> i)")
    [edit] = finding["fixes"][0]["edits"]
    fixed = text[: edit["from"]] + edit["insert"] + text[edit["to"] :]
    verdicts = _one(
        folder, StudioRequest("analyse", {**FILES, "wrong-parallel.cs": fixed}, "wrong-parallel.cs"), "verdicts"
    )
    assert verdicts["verdicts"][0]["word"] == "proved"
    assert result[3]["trace"]["witness"] is not None
    assert not result[4]["files"]


def test_a_proved_mapping_has_code(folder: Path) -> None:
    code = _one(folder, StudioRequest("analyse", FILES, "prefix-sum.cs"), "code")
    assert set(code["files"]) == {"prefix_sum.c", "prefix_sum.h"}


def test_two_generators_of_one_file_are_both_shown(folder: Path) -> None:
    script = f'{FILES["prefix-sum.cs"]}generateWriteC(prog, "prefix_sum");\n'
    code = _one(folder, StudioRequest("analyse", {**FILES, "s.cs": script}, "s.cs"), "code")["files"]
    assert "on demand" in code["demand-driven code prefix_sum.c"]
    assert "proved legal" in code["prefix_sum.c"]


def test_places_are_in_units_of_utf_16(folder: Path) -> None:
    text = FILES["wrong-parallel.cs"].replace("Wrong", "\U0001f600 Wrong")
    assert offset_of(text, units(text[:20])) == 20
    at = _one(folder, StudioRequest("analyse", {**FILES, "w.cs": text}, "w.cs"), "findings")["findings"][0]["at"]
    utf16 = text.encode("utf-16-le")
    assert utf16[2 * at["from"] : 2 * at["to"]].decode("utf-16-le") == "(i -> i)"


def test_a_program_alone_is_checked_and_drawn(folder: Path) -> None:
    result = _answers(folder, StudioRequest("analyse", FILES, "prefix-sum.ab"))
    assert result[1]["verdicts"][0]["word"] == "checked"
    assert list(result[2]["kinds"]) == ["domain", "order"]


@pytest.mark.parametrize(
    "text", ["", "affine", "\x00", "affine x {N | N>0}\noutput int B {i|0<=i<N}; let B[i] = B[i+1];\n."]
)
def test_wrong_programs_have_findings(folder: Path, text: str) -> None:
    result = _answers(folder, StudioRequest("analyse", {"x.ab": text}, "x.ab"))
    assert result[0]["findings"]
    assert result[1]["verdicts"][0]["word"] == "not well formed"


@pytest.mark.parametrize("text", ["", "prog = ReadAlphabets(", 'prog = ReadAlphabets("none.ab");', "nothing(1);"])
def test_wrong_scripts_have_findings(folder: Path, text: str) -> None:
    result = _answers(folder, StudioRequest("analyse", {"x.cs": text}, "x.cs"))
    assert bool(result[0]["findings"]) == bool(text)
    assert result[1]["verdicts"][0]["word"] in ("not well formed", "no mapping")


def test_a_rejected_program_has_a_figure_of_its_mistake(folder: Path) -> None:
    text = FILES["prefix-sum.ab"].replace("{| i>0}", "{| i>=0}").replace("{| i==0}: x[i];", "")
    picture = _one(folder, StudioRequest("analyse", {"x.ab": text}, "x.ab"), "picture")
    assert (list(picture["kinds"]), picture["kind"]) == (["witness"], "witness")
    assert str(picture["svg"]).startswith("<svg")


def test_what_a_script_prints_and_saves(folder: Path) -> None:
    script = 'prog = ReadAlphabets("prefix-sum.ab");\nAShow(prog);\nAsave(prog, "../copy.ab");\n'
    result = _answers(folder, StudioRequest("analyse", {**FILES, "s.cs": script}, "s.cs"))
    printed = next(answer for answer in result if answer["event"] == "printed")
    assert "y[i]" in str(printed["text"])
    assert not (folder.parent / "copy.ab").exists()


@pytest.mark.slow
def test_c_is_proved_and_executed_only_on_demand(folder: Path) -> None:
    files = {**FILES, "k.c": C}
    verdicts = _one(folder, StudioRequest("analyse", files, "k.c"), "verdicts")
    assert verdicts["verdicts"][0]["word"] == "proved"
    picture = _one(folder, StudioRequest("picture", files, "k.c", 0, "prefix_sum", "lifetimes"), "picture")
    assert (picture["kind"], list(picture["kinds"])) == ("lifetimes", ["dates", "lifetimes"])
    wrong = {**files, "k.c": C.replace("] + x", "] - x")}
    verdicts = _one(folder, StudioRequest("analyse", wrong, "k.c"), "verdicts")
    assert verdicts["verdicts"][0]["word"] == "undecided"
    verdicts = _one(folder, StudioRequest("analyse", wrong, "k.c", executes=True), "verdicts")
    assert verdicts["verdicts"][0]["word"] == "refuted"


def test_options_of_the_proof_of_c(folder: Path) -> None:
    files = {**FILES, "k.c": C.replace("prefix_sum", "sums").replace("*x", "*in").replace("x[", "in[")}
    options = "--function sums --map in=x --assume 'N>=1'"
    verdicts = _one(folder, StudioRequest("analyse", files, "k.c", options=options), "verdicts")
    assert verdicts["verdicts"][0]["word"] == "proved"
    for wrong in ("--nothing", "'", "--laws", "--laws none", "--sizes N=x", "--sizes N"):
        failed = _one(folder, StudioRequest("analyse", files, "k.c", options=wrong), "failed")
        assert "options" in str(failed["reason"])
    alone = _one(folder, StudioRequest("analyse", {"k.c": C}, "k.c"), "verdicts")
    assert alone["verdicts"][0]["word"] == "undecided"


def test_help_at_the_cursor(folder: Path) -> None:
    script = FILES["prefix-sum.cs"]
    at = script.index('"y"') + 2
    assert "double y" in str(_one(folder, StudioRequest("hover", FILES, "prefix-sum.ab", READ), "hover")["html"])
    assert _one(folder, StudioRequest("define", FILES, "prefix-sum.cs", at), "definition")["at"] == {
        "file": "prefix-sum.ab", "from": DEFINED, "to": DEFINED + 1,
    }  # fmt: skip
    assert _one(folder, StudioRequest("signature", FILES, "prefix-sum.cs", at), "signature")["current"] == "variables"
    items = _one(folder, StudioRequest("complete", {"x.cs": "setSp"}, "x.cs", 5), "completions")["items"]
    assert items[0]["text"] == "setSpaceTimeMap("
    formatted = _one(folder, StudioRequest("format", {"x.cs": "prog=1 ;"}, "x.cs"), "formatted")
    assert formatted["text"] == "prog = 1;\n"
    assert "AZ" not in str(_one(folder, StudioRequest("format", {"x.cs": "prog=("}, "x.cs"), "failed")["reason"])


def test_hovers_show_the_counterexample_of_the_latest_analysis(folder: Path) -> None:
    judged = StudioState()
    _answers(folder, StudioRequest("analyse", FILES, "wrong-parallel.cs"), judged)
    [hover] = _answers(folder, StudioRequest("hover", FILES, "prefix-sum.ab", READ), judged)
    assert "AZ502" in str(hover["html"])


def test_pictures_of_other_kinds_and_sizes(folder: Path) -> None:
    request = StudioRequest("picture", FILES, "prefix-sum.cs", 0, "prefix_sum", "lifetimes", "N=4")
    picture = _one(folder, request, "picture")
    assert (picture["size"], picture["kind"]) == ("N = 4", "lifetimes")
    assert str(picture["svg"]).startswith("<svg")
    for kind, parameters in (("tiles", "N=4"), ("none", "")):
        request = StudioRequest("picture", FILES, "prefix-sum.cs", 0, "prefix_sum", kind, parameters)
        assert "undrawn" in _one(folder, request, "picture")
    for parameters in ("N=0", "N=9999", "M=3"):
        request = StudioRequest("picture", FILES, "prefix-sum.cs", 0, "prefix_sum", "", parameters)
        assert "reason" in _one(folder, request, "picture"), parameters
    for parameters in ("N=abc", "6", "N=4, x", "N=" + "9" * 5000):
        request = StudioRequest("picture", FILES, "prefix-sum.cs", 0, "prefix_sum", "", parameters)
        assert "is not of the form N=5" in str(_one(folder, request, "picture")["reason"])


@pytest.mark.slow
def test_mappings_to_ranks_and_to_blocks_have_figures_of_them(folder: Path) -> None:
    ranks = studio_client.sample("distributed/norm/norm.ab", "distributed/norm/blocks.cs")
    picture = _one(folder, StudioRequest("analyse", ranks, "blocks.cs", kind="ranks"), "picture")
    assert picture["description"].startswith("norm: ranks")
    shared = (
        FILES["prefix-sum.cs"]
        .replace("(i -> i)", "(i -> 0,i)")
        .replace("generateScheduledCode", 'setTarget(prog, "prefix_sum", "cuda");\ngenerateScheduledCode')
    )
    picture = _one(
        folder, StudioRequest("analyse", {**FILES, "prefix-sum.cs": shared}, "prefix-sum.cs", kind="blocks"), "picture"
    )
    assert "one block in launch 1" in picture["description"]
    assert {"blocks", "dates"} <= set(picture["kinds"])


def test_exports(folder: Path) -> None:
    archive = _one(folder, StudioRequest("folder", FILES, "prefix-sum.cs"), "archive")
    packed = zipfile.ZipFile(io.BytesIO(base64.b64decode(str(archive["base64"]))))
    names = set(packed.namelist())
    assert {"prefix-sum/prefix-sum.ab", "prefix-sum/generated/prefix_sum.c", "prefix-sum/README.txt"} <= names
    assert any(name.endswith(".svg") for name in names)
    assert {entry.external_attr >> 16 for entry in packed.infolist()} == {0o644}
    _one(folder, StudioRequest("report", FILES, "prefix-sum.ab"), "failed")
    for file in ("prefix-sum.cs", "wrong-parallel.cs"):
        report = _one(folder, StudioRequest("report", FILES, file), "report")
        assert "<!doctype html>" in str(report["text"])
    report = _one(folder, StudioRequest("report", {**FILES, "k.c": C}, "k.c"), "report")
    assert "prefix_sum computes prefix_sum: proved" in str(report["text"])


def test_html_has_no_markup_of_texts() -> None:
    html = html_of("<script>x</script> [a](javascript:alert(1)) ![b](data:text/html,x) `<b>`")
    assert "<script" not in html
    assert "href" not in html
    assert "<img" not in html


def test_samples_and_lessons_have_texts() -> None:
    results = [sample(name) for name in list(samples())[::10]]
    assert all(
        result.first in result.files and any(name.endswith(".ab") for name in result.files) for result in results
    )
    for name in lessons():
        for place in (name, f"solutions/{name}"):
            assert lesson(place).first in lesson(place).files
    with pytest.raises(KeyError):
        lesson("../README")
