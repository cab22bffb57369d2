"""Selected rules, and comments that ignore rules."""

import re

import pytest

from alphaz.analysis.read import read_program
from alphaz.diagnostics import Diagnostic, Label, Rule, Severity, Source, Span
from alphaz.diagnostics.rules import CAUSALITY, DEFAULT_MAP, EMPTY_REDUCTION, UNUSED, document
from alphaz.diagnostics.selection import RuleSelection, ignore_comments, mistake, unused_comments


def finding(rule: Rule, source: Source, word: str = "here") -> Diagnostic:
    at = source.text.index(word)
    return Diagnostic(rule, "a message", Label(Span(source, at, at + len(word))))


def text(*lines: str) -> Source:
    return Source("scripts/a.cs", "\n".join(lines))


PLAIN = text("here")
EVERY = [finding(rule, PLAIN) for rule in (CAUSALITY, UNUSED, DEFAULT_MAP, EMPTY_REDUCTION)]


@pytest.mark.parametrize(
    ("selection", "shown"),
    [
        (RuleSelection(), ["AZ502", "AZ207", "AZ409", "AZ309"]),
        (RuleSelection(ignore=("AZ207",)), ["AZ502", "AZ409", "AZ309"]),
        (RuleSelection(ignore=("AZ",)), ["AZ502"]),
        (RuleSelection(select=("AZ3", "AZ409")), ["AZ502", "AZ409", "AZ309"]),
        (RuleSelection(select=("AZ3",), ignore=("AZ309",)), ["AZ502"]),
        (RuleSelection(severity={"AZ207": "off"}), ["AZ502", "AZ409", "AZ309"]),
        (RuleSelection(severity={"AZ207": "note"}, ignore=("AZ2", "AZ3", "AZ4")), ["AZ502", "AZ207"]),
        (RuleSelection(severity={"AZ": "off", "AZ20": "note"}), ["AZ502", "AZ207"]),
        (RuleSelection(severity={"AZ4": "off", "AZ409": "error"}), ["AZ502", "AZ207", "AZ409", "AZ309"]),
        (RuleSelection(by_file={"scripts/*.cs": ("AZ4",)}), ["AZ502", "AZ207", "AZ309"]),
        (RuleSelection(by_file={"scripts": ("AZ4",)}), ["AZ502", "AZ207", "AZ309"]),
        (RuleSelection(by_file={"*.ab": ("AZ4",)}), ["AZ502", "AZ207", "AZ409", "AZ309"]),
        (RuleSelection(ignore=("AZ502",), severity={"AZ502": "off"}), ["AZ502", "AZ207", "AZ409", "AZ309"]),
    ],
)
def test_the_shown_findings(selection: RuleSelection, shown: list[str]) -> None:
    assert [item.rule.code for item in selection.applied(EVERY)] == shown
    assert selection.applied(selection.applied(EVERY)) == selection.applied(EVERY)


def test_severities_change() -> None:
    selection = RuleSelection(severity={"AZ409": "error", "AZ309": "note"}, strict=True)
    severities = {item.rule.code: item.rule.severity for item in selection.applied(EVERY)}
    assert severities == {
        "AZ502": Severity.ERROR,
        "AZ207": Severity.ERROR,
        "AZ409": Severity.ERROR,
        "AZ309": Severity.NOTE,
    }


@pytest.mark.parametrize("code", ["AZ999", "", "default-map", "AZ5", "AZ502"])
def test_codes_that_cannot_be_selected(code: str) -> None:
    assert mistake(code)


@pytest.mark.parametrize("code", ["AZ", "AZ4", "AZ409", "AZ414"])
def test_codes_that_can_be_selected(code: str) -> None:
    assert not mistake(code)


@pytest.mark.parametrize(
    "lines",
    [
        ["here // alphaz: ignore[AZ409] a reason"],
        ["here // alphaz: ignore[AZ207, AZ409]"],
        ["here /* alphaz:ignore[AZ4] */"],
        ["# alphaz: ignore[AZ409]", "here"],
        ['"a" here # alphaz: ignore[AZ409]'],
        ["  -- alphaz: ignore[AZ409]", "  here"],
    ],
)
def test_comments_that_ignore(lines: list[str]) -> None:
    assert RuleSelection().applied([finding(DEFAULT_MAP, text(*lines))]) == []


@pytest.mark.parametrize(
    "lines",
    [
        ["here // alphaz: ignore[AZ410]"],
        ["here // alphaz: ignore"],
        ["// alphaz: ignore[AZ409]", "", "here"],
        ["here", "// alphaz: ignore[AZ409]"],
        ["x // alphaz: ignore[AZ409]", "here"],
        ['here = "// alphaz: ignore[AZ409]"'],
    ],
)
def test_comments_that_do_not_ignore(lines: list[str]) -> None:
    source = text(*lines)
    assert RuleSelection().applied([finding(DEFAULT_MAP, source)]) == [finding(DEFAULT_MAP, source)]


def test_an_error_is_not_ignored() -> None:
    source = text("here // alphaz: ignore[AZ502]")
    assert len(RuleSelection().applied([finding(CAUSALITY, source)])) == 1
    assert [comment.message for comment in unused_comments(source, [finding(CAUSALITY, source)], "5")] == [
        "AZ502 stands for errors, which are always shown"
    ]


@pytest.mark.parametrize(
    ("comment", "messages"),
    [
        ("ignore[AZ409]", []),
        ("ignore[AZ309] a rule of another verb", []),
        ("ignore", ["the comment names no rule: write `alphaz: ignore[AZ409]`, several with commas"]),
        ("ignore[]", ["the comment names no rule: write `alphaz: ignore[AZ409]`, several with commas"]),
        ("ignore[AZ409, AZ410]", ["line 1 has no finding of AZ410: remove AZ410 from the comment"]),
        ("ignore[X1]", ["`X1` is no rule and begins none"]),
    ],
)
def test_unused_comments(comment: str, messages: list[str]) -> None:
    source = text(f"here // alphaz: {comment}")
    assert [comment.message for comment in unused_comments(source, [finding(DEFAULT_MAP, source)], "4")] == messages


def test_rules_of_comments_are_not_judged_beside_an_error() -> None:
    source = text("here // alphaz: ignore[AZ409, X1]")
    error = finding(CAUSALITY, Source("other.ab", "here"))
    assert [comment.message for comment in unused_comments(source, [error], "4")] == ["`X1` is no rule and begins none"]
    assert len(unused_comments(source, [], "4")) == 2


def test_comments_have_their_places() -> None:
    assert [(comment.line, str(comment.span)) for comment in ignore_comments(text("", "x # alphaz: ignore[AZ4]"))] == [
        (2, "scripts/a.cs:2:3")
    ]


@pytest.mark.parametrize("section", ["Wrong", "Right"])
def test_the_examples_of_the_document(section: str) -> None:
    match = re.search(rf"^### {section}\n.*?^```alphabets\n(.*?)^```$", document("AZ813"), re.MULTILINE | re.DOTALL)
    assert match is not None
    source = Source("a.ab", match[1])
    unused = unused_comments(source, read_program(source).warnings, "123")
    assert bool(unused) == (section == "Wrong")
