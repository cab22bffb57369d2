"""docs/trust.md has the lengths of the trusted files, and a proof that the kernel accepts for the facts of the page."""

import json
import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from alphaz.certificate import document
from alphaz.kernel.checker import check, goal_of
from alphaz.kernel.derive import derived
from tests.certificate.sample_certificates import SAMPLES, certificate

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "trust.md").read_text(encoding="utf-8")
COUNTED = re.findall(r"\[`[^`]+`\]\(\.\./([^)]+)\) \((\d+)\)", PAGE)


def lines_of(file: str) -> int:
    return len((ROOT / file).read_text(encoding="utf-8").splitlines())


@pytest.mark.parametrize(("file", "count"), COUNTED)
def test_the_lengths_of_files(file: str, count: str) -> None:
    assert lines_of(file) == int(count), f"docs/trust.md has another length of {file}"


def test_the_lengths_of_the_derivation() -> None:
    names = ("derive", "stated_sets", "order", "ranks", "cases")
    derive, sets, order, ranks, cases = lengths = [lines_of(f"alphaz/kernel/{name}.py") for name in names]
    words = " ".join(PAGE.split())
    assert {f"alphaz/kernel/{name}.py" for name in ("checker", "certificate_check", *names)} <= dict(COUNTED).keys()
    assert f"of mappings has five files of {sum(lengths)} lines together" in words
    text = f"The obligations take {derive} lines, their operations and cells {sets}, the order {order},"
    assert f"{text} distributed mappings {ranks}, and sums and cases {cases}." in words


def test_the_proof_by_hand() -> None:
    text = document.write(certificate(SAMPLES / "forward-substitution" / "fs-columns.cs"))
    system = json.loads(text)["systems"][0]
    entry = system["obligations"][1]
    goal = goal_of(*derived(system["inventory"], entry["key"]))
    facts = dict(re.findall(r"^    fact (\d+) +(.*? (?:>=|==) 0)\b", PAGE, re.MULTILINE))
    assert [facts[str(number)] for number in range(len(goal.facts))] == [
        f"{_text(terms, constant)} {'==' if is_equality else '>='} 0" for (terms, constant), is_equality in goal.facts
    ]
    assert len(facts) == len(goal.facts)
    (proof,) = re.findall(r'^    (\[\["case".*)$', PAGE, re.MULTILINE)
    check(goal, json.loads(proof))
    check(goal_of(entry["violations"], system["parts"]), json.loads(proof))


def _text(terms: Mapping[int, int], constant: int) -> str:
    """The names of the page are N, i, k, i', k', in this order."""
    names = ("N", "i", "k", "i'", "k'")
    result = "".join(f" {'-' if c < 0 else '+'} {names[variable]}" for variable, c in sorted(terms.items()))
    if constant or not terms:
        result += f" {'-' if constant < 0 else '+'} {abs(constant)}"
    return result.removeprefix(" + ")
