"""The documents of the rules of names, types, domains and definitions are their tests."""

import re

import pytest

from alphaz.diagnostics.rules import codes, document
from tests.analysis.programs import codes as codes_of
from tests.analysis.programs import found

# AZ317 needs the body of a function in C (tests/run/test_operator_trials.py).
_OTHERS = ("AZ317",)
_OWN = [
    code
    for code in codes()
    if code[2] in "23" and code not in _OTHERS and not re.search("```(matrix|script)", document(code))
]


def _example(code: str, section: str) -> str:
    match = re.search(rf"^### {section}\n.*?^```alphabets\n(.*?)^```$", document(code), re.MULTILINE | re.DOTALL)
    assert match is not None
    return match[1]


@pytest.mark.parametrize("code", _OWN)
def test_the_wrong_example_fires_exactly_this_rule(code: str) -> None:
    assert set(codes_of(_example(code, "Wrong"))) == {code}


@pytest.mark.parametrize("code", [code for code in _OWN if "\nwitness: " in document(code)])
def test_the_witness_is_the_one_that_is_found(code: str) -> None:
    witnesses = [finding.witness.sentence for finding in found(_example(code, "Wrong")) if finding.witness]
    assert re.findall(r"^witness: (.*)", document(code), re.MULTILINE) == witnesses[:1]


@pytest.mark.parametrize("code", _OWN)
def test_the_right_example_fires_nothing(code: str) -> None:
    assert codes_of(_example(code, "Right")) == []
