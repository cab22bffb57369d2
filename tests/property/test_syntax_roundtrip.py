"""Printing then parsing is the identity, on the whole language; a spoilt text is rejected, never more than that."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from alphaz.diagnostics import Rejected, Source
from alphaz.syntax import tree
from alphaz.syntax.parser import (
    parse_domain,
    parse_expression,
    parse_expression_at,
    parse_function,
    parse_program,
    parse_script,
)
from alphaz.syntax.printer import print_domain, print_expression, print_function, print_program, print_script
from alphaz.syntax.script_tree import ScriptText
from alphaz.syntax.tree import parts
from tests.strategies import syntax

pytestmark = pytest.mark.slow

bounded = settings(max_examples=25, deadline=None)


def source(text: str) -> Source:
    return Source("<printed>", text)


@settings(max_examples=15, deadline=None)
@given(syntax.programs)
def test_programs(program: tree.ProgramText) -> None:
    printed = print_program(program)
    again = parse_program(source(printed))
    assert again == program
    assert print_program(again) == printed


@bounded
@given(syntax.scripts)
def test_scripts(script: ScriptText) -> None:
    printed = print_script(script)
    again = parse_script(source(printed))
    assert again == script
    assert print_script(again) == printed


@bounded
@given(syntax.expressions)
def test_expressions_and_their_spans(expression: tree.ExpressionNode) -> None:
    again = parse_expression(source(print_expression(expression)))
    assert again == expression
    pending = [again]
    while pending:
        part = pending.pop()
        assert parse_expression_at(part.span) == part
        pending += parts(part)


@bounded
@given(syntax.domains)
def test_domains(domain: tree.DomainText) -> None:
    assert parse_domain(source(print_domain(domain))) == domain


@bounded
@given(syntax.functions)
def test_functions(function: tree.FunctionText) -> None:
    assert parse_function(source(print_function(function))) == function


_PIECES = st.sampled_from(
    [
        "",
        ";",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        "|",
        "case",
        "esac",
        "=",
        "==",
        ".",
        "1.",
        "é",
        '"',
        "/*",
        "use",
        "affine",
        ",",
    ]
)


@settings(max_examples=15, deadline=None)
@given(syntax.programs, st.data())
def test_spoilt_programs_are_read_or_rejected(program: tree.ProgramText, data: st.DataObject) -> None:
    text = _spoilt(print_program(program), data)
    try:
        parse_program(source(text))
    except Rejected as rejected:
        _check_findings(rejected, len(text))


@bounded
@given(syntax.scripts, st.data())
def test_spoilt_scripts_are_read_or_rejected(script: ScriptText, data: st.DataObject) -> None:
    text = _spoilt(print_script(script), data)
    try:
        parse_script(source(text))
    except Rejected as rejected:
        _check_findings(rejected, len(text))


def _spoilt(text: str, data: st.DataObject) -> str:
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(text)))
        length = data.draw(st.integers(0, 3))
        text = text[:start] + data.draw(_PIECES) + text[start + length :]
    return text


def _check_findings(rejected: Rejected, length: int) -> None:
    assert rejected.diagnostics
    places = [finding.primary.span for finding in rejected.diagnostics]
    assert all(0 <= place.start <= place.end <= length for place in places)
    assert all(finding.help for finding in rejected.diagnostics)
    assert all(finding.rule.code in ("AZ101", "AZ102") for finding in rejected.diagnostics)
    starts = [place.start for place in places]
    assert starts == sorted(starts)
