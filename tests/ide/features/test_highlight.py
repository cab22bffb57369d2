"""The Pygments lexers: what they are found by, their tokens, and that nothing that parses is an error to them."""

import re
from pathlib import Path

import pytest
from pygments.lexers import get_lexer_by_name, get_lexer_for_filename
from pygments.token import Comment, Error, Keyword, Name, Number, Operator, Punctuation, String, Whitespace

from alphaz.ide.features.highlight import AlphabetsLexer, ScriptLexer, coloured
from alphaz.syntax.words import KEYWORDS
from tests.cases.corpus import FOLDER, paths

ROOT = Path(__file__).parents[3]
SAMPLES = sorted(
    str(path.relative_to(ROOT)) for path in (ROOT / "samples").rglob("*.*") if path.suffix in (".ab", ".cs")
)


def tokens(lexer: AlphabetsLexer | ScriptLexer, text: str) -> list[tuple[object, str]]:
    return [(kind, part) for kind, part in lexer.get_tokens(text) if kind is not Whitespace]


def test_the_lexers_are_entry_points_of_pygments() -> None:
    assert isinstance(get_lexer_by_name("alphabets"), AlphabetsLexer)
    assert isinstance(get_lexer_for_filename("mcm.ab"), AlphabetsLexer)
    assert isinstance(get_lexer_by_name("alphaz-script"), ScriptLexer)


def test_the_tokens_of_a_program() -> None:
    text = "//@ identity f = 0\naffine jacobi-1d {N|N>=1}\ninput unsigned int ^min;\n"
    text += "let y[i] = val(i->2i) + f(0.5) nand true; ."
    assert tokens(AlphabetsLexer(), text) == [
        (Comment.Special, "//@ identity f = 0"),
        (Keyword.Declaration, "affine"), (Name.Class, "jacobi-1d"),
        (Punctuation, "{"), (Name.Variable, "N"), (Operator, "|"), (Name.Variable, "N"), (Operator, ">="),
        (Number.Integer, "1"), (Punctuation, "}"),
        (Keyword.Declaration, "input"), (Keyword.Type, "unsigned"), (Keyword.Type, "int"), (Name.Variable, "^min"),
        (Punctuation, ";"), (Keyword.Declaration, "let"), (Name.Variable, "y"), (Punctuation, "["),
        (Name.Variable, "i"), (Punctuation, "]"), (Operator, "="), (Keyword, "val"), (Punctuation, "("),
        (Name.Variable, "i"), (Operator, "->"), (Number.Integer, "2"), (Name.Variable, "i"), (Punctuation, ")"),
        (Operator, "+"), (Name.Function, "f"), (Punctuation, "("), (Number.Float, "0.5"), (Punctuation, ")"),
        (Operator.Word, "nand"), (Keyword.Constant, "true"), (Punctuation, ";"), (Punctuation, "."),
    ]  # fmt: skip


def test_the_tokens_of_a_script() -> None:
    assert tokens(ScriptLexer(), 'p = ReadAlphabets("a.ab"); # read\nsetParallel(p, "s" + \'t\', 0);') == [
        (Name.Variable, "p"), (Operator, "="), (Name.Function, "ReadAlphabets"), (Punctuation, "("),
        (String, '"a.ab"'), (Punctuation, ")"), (Punctuation, ";"), (Comment.Single, "# read"),
        (Name.Function, "setParallel"), (Punctuation, "("), (Name.Variable, "p"), (Punctuation, ","), (String, '"s"'),
        (Operator, "+"), (String, "'t'"), (Punctuation, ","), (Number.Integer, "0"), (Punctuation, ")"),
        (Punctuation, ";"),
    ]  # fmt: skip


@pytest.mark.parametrize("word", sorted(KEYWORDS))
def test_every_reserved_word_is_coloured_and_no_part_of_a_name_is(word: str) -> None:
    ((kind, _),) = tokens(AlphabetsLexer(), word)
    assert kind in Keyword or kind in Operator.Word  # type: ignore[operator]
    assert tokens(AlphabetsLexer(), f"{word}s x_{word} ^{word}") == [
        (Name.Variable, f"{word}s"), (Name.Variable, f"x_{word}"), (Name.Variable, f"^{word}"),
    ]  # fmt: skip


@pytest.mark.parametrize("path", SAMPLES)
def test_no_sample_has_an_error(path: str) -> None:
    text = (ROOT / path).read_text(encoding="utf-8")
    lexer = AlphabetsLexer() if path.endswith(".ab") else ScriptLexer()
    assert [part for kind, part in lexer.get_tokens(text) if kind is Error] == []


@pytest.mark.slow
def test_no_program_of_the_corpus_has_an_error_and_colours_change_no_letter() -> None:
    for path in paths():
        text = (FOLDER / path).read_text(encoding="utf-8")
        assert [part for kind, part in AlphabetsLexer().get_tokens(text) if kind is Error] == [], path
        assert re.sub(r"\x1b\[[0-9;]*m", "", coloured(text)) == text
