"""Completion: what can stand at the end of a text that is being typed."""

from pathlib import Path

import pytest

from alphaz.ide.console.console import Console
from alphaz.ide.console.words import WORDS, candidates
from alphaz.ide.features.completion import usage
from alphaz.ide.features.cursor import parse_prefix
from alphaz.scripting.commands.reference import EXAMPLE_CALLER, EXAMPLE_FILE, EXAMPLE_PROGRAM


@pytest.fixture
def console(tmp_path: Path) -> Console:
    (tmp_path / EXAMPLE_FILE).write_text(f"{EXAMPLE_PROGRAM}\n{EXAMPLE_CALLER}", encoding="utf-8")
    (tmp_path / "sub").mkdir()
    (tmp_path / "notes.txt").touch()
    made = Console(tmp_path)
    assert made.enter(f'prog = ReadAlphabets("{EXAMPLE_FILE}"); name = "table"').is_good
    return made


def completed(text: str, console: Console) -> list[str]:
    """The text with each of the candidates."""
    result = candidates(text, console.interpreter.variables, console.folder)
    return [text[: len(text) - item.length] + item.text for item in result]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ReadAl", ["ReadAlphabets(", "ReadAlphaBundle("]),
        ("x = pro", ["x = prog"]),
        ("addl", ["AddLocal(", "AddLocalUnique("]),
        ('ReadAlphabets("', ['ReadAlphabets("sub/', 'ReadAlphabets("sums.ab']),
        ('ReadAlphabets("su', ['ReadAlphabets("sub/', 'ReadAlphabets("sums.ab']),
        ('ReadAlphabets("sub/', []),
        ('AShow(prog, "', ['AShow(prog, "sums', 'AShow(prog, "table']),
        ("AShow(prog, ", ["AShow(prog, prog", "AShow(prog, name", 'AShow(prog, "sums"', 'AShow(prog, "table"']),
        ('setSpaceTimeMap(prog, "sums", "', [f'setSpaceTimeMap(prog, "sums", "{v}' for v in "ABC"]),
        ('setSpaceTimeMap(prog, "sums", "A, ', [f'setSpaceTimeMap(prog, "sums", "A, {v}' for v in "ABC"]),
        ('setSpaceTimeMap(prog, name, "U', ['setSpaceTimeMap(prog, name, "UseEquation_Y']),
        ('setDimensionType(prog, "sums", "B", 0, "PAR', ['setDimensionType(prog, "sums", "B", 0, "PARALLEL']),
        ('Inline(prog, "sums", "', ['Inline(prog, "sums", "B', 'Inline(prog, "sums", "C']),
        ('NormalizeReduction(prog, "0,1', ['NormalizeReduction(prog, "0,1,0', 'NormalizeReduction(prog, "0,1,0,0']),
        ('nonsense("', []),
        ('setSpaceTimeMap(prg, "', []),
        ('AShow(prog, "sum"); No', ["AShow(prog, \"sum\"); Normalize(", 'AShow(prog, "sum"); NormalizeReduction(']),
        (":u", [":undo"]),
        (":help setMemoryM", [":help setMemoryMap"]),
    ],
)  # fmt: skip
def test_a_line_completes_to_these_candidates(text: str, expected: list[str], console: Console) -> None:
    result = completed(text, console)
    assert [item for item in result if "Deep" not in item][: len(expected) or None] == expected


def test_the_words_of_the_console_complete(console: Console) -> None:
    assert completed(":", console) == list(WORDS)


def test_every_place_of_an_entry_can_be_completed(console: Console) -> None:
    entry = """x = setMemoryMap(prog, "sums", 'B, C', "rows", "(i->i)", print(calc_Inverse("(i->i)"), 1)); # "("\n:y"""
    for at in range(len(entry) + 1):
        completed(entry[:at], console)
        usage(entry[:at])


@pytest.mark.parametrize(
    ("text", "call", "arguments", "word", "quoted", "whole"),
    [
        ("", None, (), "", False, True),
        ("prog", None, (), "prog", False, True),
        ("prog ", None, (), "", False, True),
        ("f(", "f", (), "", False, False),
        ("f (a, ", "f", ("a",), "", False, False),
        ('f(a, "b, c', "f", ("a",), "b, c", True, False),
        ('f("a)", g(1, 2), x', "f", ('"a)"', "g1, 2)"), "x", False, False),
        ("f(a); g", None, (), "g", False, True),
        ("f(a # b)\n", "f", (), "", False, False),
        ("x = 'a", None, (), "a", True, False),
        (")", None, (), "", False, True),
    ],
)
def test_where_a_text_ends(
    text: str, call: str | None, arguments: tuple[str, ...], word: str, quoted: bool, whole: bool
) -> None:
    result = parse_prefix(text)
    assert (result.call, result.arguments, result.word, result.quoted) == (call, arguments, word, quoted)
    assert result.is_whole == whole


def test_the_call_that_is_open_is_explained() -> None:
    assert usage('setStatementOrdering(prog, "sums", ') == "setStatementOrdering(program, system, before, after)"
    assert usage("print(1)") == usage("nonsense(") == ""
