"""Errors of the syntax: nothing is said that only follows from them, and the rest of the file is checked."""

import random
import re
from pathlib import Path

import pytest

from alphaz.analysis.read import read_program
from alphaz.diagnostics import Diagnostic, Rejected, Source

FILES = sorted((Path(__file__).parents[1] / "cases" / "programs").glob("*/*.ab"))
WORDS = re.compile(r"//[^\n]*|/\*.*?\*/|\w+|\|\||&&|->|[<>=!]=|[^\w\s]", re.DOTALL)
MARK = "affine marked {N | N>=1} output int marked {i | 0<=i<N}; let marked[i] = case {| i>0} : 1; esac; .\n"


def errors(text: str) -> tuple[Diagnostic, ...]:
    try:
        read_program(Source("t", text))
    except Rejected as rejected:
        return rejected.diagnostics
    return ()


def damaged(rng: random.Random, text: str) -> str:
    """A text with a word left out, put in or replaced."""
    words = [w for w in WORDS.finditer(text) if not w[0].startswith(("//", "/*"))]
    word, other = rng.choice(words), rng.choice(words)[0]
    new, rest = rng.choice((("", ""), (f" {other} ", word[0]), (f" {other} ", "")))
    return f"{text[: word.start()]}{rest}{new}{text[word.end() :]}"


@pytest.mark.slow
def test_there_are_no_false_followers_and_the_next_system_is_checked() -> None:
    rng = random.Random(2)
    tried = followers = missed = 0
    for _ in range(250):
        text = damaged(rng, rng.choice(FILES).read_text(encoding="utf-8"))
        result = errors(f"{text}\n{MARK}")
        if not any(item.rule.code == "AZ101" for item in result):
            continue
        tried += 1
        rest = [item for item in result if item.rule.code[:3] != "AZ1"]
        mine = [item for item in rest if item.primary.span.start > len(text)]
        missed += [item.rule.code for item in mine] != ["AZ304"]
        followers += len(rest) > len(mine)
    assert tried > 150
    # A full stop that is missing joins two systems.
    assert followers <= 0.005 * tried
    assert missed <= 0.1 * tried, (missed, tried)


PAIR = (
    "affine other {N | N>=1} input int A {i | 0<=i<N}; output int B, C {i | 0<=i<N}; let B[i] = A[i]; C[i] = A[i]; . "
)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("affine other {N |", "affine other {N && |"),
        ("int B, C", "int B, 1"),
        ("int B, C", "int , C"),
        ("int B, C", "int && , C"),
        ("int B, C", "{ int B, C"),
        ("let B[i]", "let 2C[i]"),
        ("input int A {", "input int X int A {"),
    ],
)
def test_what_a_syntax_error_takes_away_is_not_missed(right: str, wrong: str) -> None:
    declared = "input int x {i | 0<=i<N}; output int y, z {i | 0<=i<N};"
    caller = f"affine caller {{N | N>=1}} {declared} let use other[N](x) returns (y, z); ."
    result = errors(PAIR.replace(right, wrong) + caller)
    assert {item.rule.code for item in result} == {"AZ101"}, [item.message for item in result]


def test_a_name_that_is_misspelt_is_told_beside_a_syntax_error() -> None:
    result = errors(PAIR.replace("int A {i | 0<=i<N;", "int A {i | 0<=i<N").replace("C[i] = A[i]", "C[i] = Aa[i]"))
    assert [item.rule.code for item in result] == ["AZ201"]


def test_a_call_of_a_system_with_a_wrong_declaration_is_no_missing_equation() -> None:
    caller = "affine caller {N | N>=1} output int y, z {i | 0<=i<N}; let use other[N]([0]) returns (y, z); ."
    assert [error.rule.code for error in errors(PAIR.replace("A {i |", "A {k |") + caller)] == ["AZ201"]
