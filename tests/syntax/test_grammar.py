"""The grammars are LALR(1) without conflicts, and what is written twice agrees."""

import logging

import pytest
from lark import Lark, logger
from lark.lexer import PatternStr

from alphaz.syntax.grammar_tables import load_lark
from alphaz.syntax.words import KEYWORDS, SCALAR_TYPES

GRAMMARS = ["alphabets", "alpha", "script"]


@pytest.mark.parametrize("name", GRAMMARS)
def test_no_conflict_is_resolved_silently(name: str, caplog: pytest.LogCaptureFixture) -> None:
    """Lark prefers to shift where it could also reduce, and tells its debug log alone."""
    before = logger.level
    logger.addHandler(caplog.handler)
    try:
        logger.setLevel(logging.DEBUG)
        load_lark(name, debug=True)
    finally:
        logger.removeHandler(caplog.handler)
        logger.setLevel(before)
    assert [record.getMessage() for record in caplog.records if "onflict" in record.getMessage()] == []


def test_a_conflict_would_be_seen(caplog: pytest.LogCaptureFixture) -> None:
    before = logger.level
    logger.addHandler(caplog.handler)
    try:
        logger.setLevel(logging.DEBUG)
        Lark('start: start "+" start | "a"', parser="lalr", debug=True)
    finally:
        logger.removeHandler(caplog.handler)
        logger.setLevel(before)
    assert any("onflict" in record.getMessage() for record in caplog.records)


@pytest.mark.parametrize("name", GRAMMARS)
def test_strict_mode_finds_nothing(name: str) -> None:
    """Conflicts and terminals that match the same text are errors in Lark's strict mode."""
    pytest.importorskip("interegular")
    load_lark(name, strict=True)


def test_reserved_words_are_those_of_the_grammar() -> None:
    terminals = load_lark("alphabets").terminals
    words = {terminal.pattern.value for terminal in terminals if isinstance(terminal.pattern, PatternStr)}
    assert {word for word in words if word.isalpha()} | set(SCALAR_TYPES) == KEYWORDS
