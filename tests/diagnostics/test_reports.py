"""The formats for programs: JSON, GitHub annotations, SARIF; and the summary line."""

import json
from dataclasses import replace
from typing import Any

import pytest

from alphaz.diagnostics import NOWHERE, Diagnostic, Label, Source, Span
from alphaz.diagnostics.render import FORMATS, summary, to_github, to_json, to_sarif
from tests.diagnostics.findings import ALIAS, CAUSALITY, LEGALITY, PROGRAM, UNUSED, at


def test_json_holds_everything_under_the_documented_keys() -> None:
    assert json.loads(to_json([LEGALITY])) == {
        "version": 1,
        "diagnostics": [
            {
                "code": "AZ502",
                "name": "causality",
                "severity": "error",
                "message": "`A` is read before it is written",
                "location": {"file": "chain.cs", "line": 3, "column": 1, "endLine": 3, "endColumn": 16},
                "label": "under this map",
                "related": [
                    {
                        "location": {"file": "chain.ab", "line": 6, "column": 15, "endLine": 6, "endColumn": 21},
                        "label": "read here",
                    },
                    {
                        "location": {"file": "chain.ab", "line": 4, "column": 3, "endLine": 4, "endColumn": 7},
                        "label": "written here",
                    },
                ],
                "witness": {
                    "parameters": {"N": 2},
                    "places": [
                        {"role": "reader", "name": "A", "point": [1], "date": [-1], "cell": None, "tile": None},
                        {"role": "producer", "name": "A", "point": [0], "date": [0], "cell": None, "tile": None},
                    ],
                    "sentence": "for N = 2, A[1] at date (-1) reads A[0], which is written at date (0)",
                    "reason": "",
                },
                "notes": ["dimension 1 decides the order"],
                "help": "let the date of `A[i-1]` come first, as with (i->i)",
                "fixes": [],
                "group": 0,
            }
        ],
    }


def test_json_says_null_where_there_is_nothing() -> None:
    [finding] = json.loads(to_json([Diagnostic(UNUSED, "a phrase", Label(NOWHERE))]))["diagnostics"]
    assert finding["location"] is None
    assert finding["witness"] is None
    assert finding["help"] is None
    assert finding["related"] == finding["notes"] == []


def test_json_counts_columns_in_code_points() -> None:
    [finding] = json.loads(to_json([at(Source("a.ab", "\t表𝛼 x"), "x")]))["diagnostics"]
    assert finding["location"] == {"file": "a.ab", "line": 1, "column": 5, "endLine": 1, "endColumn": 6}


def test_json_of_no_findings() -> None:
    assert json.loads(to_json([])) == {"version": 1, "diagnostics": []}


def test_github_says_all_in_one_line() -> None:
    assert to_github([LEGALITY]) == (
        "::error file=chain.cs,line=3,endLine=3,col=1,endColumn=16,title=AZ502 causality::"
        "`A` is read before it is written%0Aunder this map%0Achain.ab:6:15: read here%0Achain.ab:4:3: written here"
        "%0Awitness: for N = 2, A[1] at date (-1) reads A[0], which is written at date (0)"
        "%0Anote: dimension 1 decides the order%0Ahelp: let the date of `A[i-1]` come first, as with (i->i)\n"
    )


def test_github_escapes_data_and_properties() -> None:
    finding = Diagnostic(ALIAS, "100%\r\nsure: yes, so", Label(Span(Source("a,b:c%.ab", "x"), 0, 1)))
    assert to_github([finding]) == (
        "::notice file=a%2Cb%3Ac%25.ab,line=1,endLine=1,col=1,endColumn=2,title=AZ410 alias::"
        "100%25%0D%0Asure: yes, so\n"
    )


def test_github_gives_no_columns_over_several_lines() -> None:
    finding = Diagnostic(UNUSED, "a phrase", Label(Span(PROGRAM, 0, 40)))
    assert to_github([finding]) == ("::warning file=chain.ab,line=1,endLine=2,title=AZ207 unused-variable::a phrase\n")


def test_github_without_a_place() -> None:
    assert to_github([Diagnostic(UNUSED, "a phrase", Label(NOWHERE))]) == (
        "::warning title=AZ207 unused-variable::a phrase\n"
    )


def _run(findings: list[Diagnostic]) -> dict[str, Any]:
    log = json.loads(to_sarif(findings))
    assert log["version"] == "2.1.0"
    [run] = log["runs"]
    assert isinstance(run, dict)
    return run


def test_sarif_has_each_rule_once_and_refers_to_it() -> None:
    warning = at(PROGRAM, "esac")
    run = _run([LEGALITY, warning, LEGALITY])
    assert run["tool"]["driver"]["rules"] == [
        {
            "id": rule.code,
            "name": rule.name,
            "shortDescription": {"text": rule.summary},
            "defaultConfiguration": {"level": rule.severity},
        }
        for rule in (CAUSALITY, UNUSED)
    ]
    assert [(result["ruleId"], result["ruleIndex"]) for result in run["results"]] == [
        ("AZ502", 0),
        ("AZ207", 1),
        ("AZ502", 0),
    ]


def test_sarif_places_are_where_the_labels_are() -> None:
    [result] = _run([LEGALITY])["results"]
    assert result["level"] == "error"
    assert result["message"]["text"].split("\n") == [LEGALITY.message, result["properties"]["witness"]["sentence"]]
    assert result["locations"] == [
        {
            "physicalLocation": {
                "artifactLocation": {"uri": "chain.cs"},
                "region": {"startLine": 3, "startColumn": 1, "endLine": 3, "endColumn": 16},
            },
            "message": {"text": "under this map"},
        }
    ]
    related = result["relatedLocations"]
    assert [(item["id"], item["message"]["text"]) for item in related] == [(1, "read here"), (2, "written here")]
    assert {item["physicalLocation"]["artifactLocation"]["uri"] for item in related} == {"chain.ab"}
    assert result["properties"]["witness"]["parameters"] == {"N": 2}
    assert result["properties"]["notes"] == ["dimension 1 decides the order"]


def test_sarif_without_a_place_or_remarks() -> None:
    [result] = _run([Diagnostic(UNUSED, "a phrase", Label(NOWHERE))])["results"]
    assert result["locations"] == []
    assert "relatedLocations" not in result
    assert "properties" not in result


@pytest.mark.parametrize(
    ("name", "uri"),
    [("a b/c#1.ab", "a%20b/c%231.ab"), ("/tmp/x.ab", "file:///tmp/x.ab"), ("<string>", "%3Cstring%3E")],
)
def test_sarif_names_files_by_uri(name: str, uri: str) -> None:
    [result] = _run([at(Source(name, "x"), "x")])["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == uri


def _fingerprints(findings: list[Diagnostic]) -> list[str]:
    return [result["partialFingerprints"]["alphazFinding/v1"] for result in _run(findings)["results"]]


def test_sarif_fingerprints_do_not_depend_on_line_numbers() -> None:
    moved = Source(PROGRAM.name, "// a new line\n\n" + PROGRAM.text)
    assert _fingerprints([at(moved, "A[i-1]")]) == _fingerprints([at(PROGRAM, "A[i-1]")])


def test_sarif_fingerprints_tell_findings_apart() -> None:
    one = at(PROGRAM, "A[i-1]")
    findings = [
        one,
        at(PROGRAM, "A[i]"),
        at(Source("other.ab", PROGRAM.text), "A[i-1]"),
        at(PROGRAM, "A[i-1]", rule=CAUSALITY),
        replace(one, message="another phrase"),
        one,
    ]
    assert len(set(_fingerprints(findings))) == len(findings)


def test_every_format_takes_no_findings_and_all_findings() -> None:
    findings = [LEGALITY, at(PROGRAM, "esac"), Diagnostic(ALIAS, "a phrase", Label(NOWHERE))]
    assert set(FORMATS) == {"text", "json", "github", "sarif"}
    for render in FORMATS.values():
        assert isinstance(render([]), str)
        assert all(code in render(findings) for code in ("AZ502", "AZ207", "AZ410"))


@pytest.mark.parametrize(
    ("findings", "line"),
    [
        ([], "no findings"),
        ([LEGALITY], "1 error"),
        ([at(PROGRAM, "esac"), LEGALITY, LEGALITY], "2 errors, 1 warning"),
        ([at(PROGRAM, "esac", rule=ALIAS)] * 3 + [at(PROGRAM, "esac")] * 2, "2 warnings, 3 notes"),
    ],
)
def test_the_summary_counts_the_gravest_first(findings: list[Diagnostic], line: str) -> None:
    assert summary(findings) == line
