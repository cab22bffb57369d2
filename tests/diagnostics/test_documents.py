"""Each rule has a document of one form. What its examples do is tested with the stages that find it."""

import re
from pathlib import Path

import pytest

from alphaz.diagnostics.rules import FORMER_CODES, RULES, codes, document
from alphaz.resources import resource_folder

_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_LANGUAGES = {"alphabets", "matrix", "c", "script", "text", "toml"}
_HEADINGS = [
    *("## What it does", "## Why is this bad?", "## Example", "### Wrong", "### Right", "## How to fix it"),
]


def test_codes_are_of_the_documented_ranges() -> None:
    assert codes() == sorted(RULES)
    assert all(re.fullmatch(r"AZ[1-9]\d\d", code) for code in codes())


def test_names_are_distinct() -> None:
    names = [rule.name for rule in RULES.values()]
    assert len(set(names)) == len(names)


def test_a_code_may_be_asked_for_in_small_letters() -> None:
    assert document("az901") == document("AZ901")


def test_codes_are_declared_in_order() -> None:
    assert list(RULES) == sorted(RULES)


@pytest.mark.parametrize("code", [code for code, rule in RULES.items() if rule.name.startswith("c-")])
def test_rules_about_c_stand_together(code: str) -> None:
    assert code.startswith("AZ83")


@pytest.mark.parametrize(("former", "present"), FORMER_CODES.items())
def test_a_former_code_leads_to_the_present_document(former: str, present: str) -> None:
    assert former not in RULES
    assert document(former.lower()) == document(present)


def test_an_unknown_code_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        document("AZ000")


def test_every_document_is_of_a_rule() -> None:
    results = {path.stem for path in resource_folder("docs/rules").glob("*.md")}
    assert results <= set(RULES)


@pytest.mark.parametrize("code", codes())
def test_every_rule_has_a_document_of_the_one_form(code: str) -> None:
    title, *parts = re.split(r"^(?=##+ )", document(code), flags=re.MULTILINE)
    assert title == f"# {code} {RULES[code].name}\n\n"
    sections = {heading: text for heading, _, text in (part.partition("\n") for part in parts)}
    assert list(sections)[: len(_HEADINGS)] == _HEADINGS
    assert list(sections)[len(_HEADINGS) :] in ([], ["## See also"])
    assert all(text.strip() for heading, text in sections.items() if heading != "## Example")
    for heading in ("### Wrong", "### Right"):
        fences = _FENCE.findall(sections[heading])
        assert fences
        assert {language for language, _ in fences} <= _LANGUAGES
        assert all(example.strip() for _, example in fences)


@pytest.mark.parametrize("code", codes())
def test_the_links_of_a_document_lead_somewhere(code: str) -> None:
    folder = Path(__file__).parents[2] / "docs" / "rules"
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", _FENCE.sub("", document(code))):
        assert (folder / target).exists(), target
