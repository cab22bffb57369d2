"""The text that people see, to the letter."""

from textwrap import dedent

import pytest

from alphaz.diagnostics import NOWHERE, Diagnostic, Label, Source, Span
from alphaz.diagnostics.render import to_text
from tests.diagnostics.findings import ALIAS, CAUSALITY, LEGALITY, PROGRAM, UNUSED, at, span


def expected(text: str) -> str:
    return dedent(text).removeprefix("\n")


def test_a_finding_in_two_files_with_all_its_parts() -> None:
    assert to_text([LEGALITY]) == expected("""
        error[AZ502]: `A` is read before it is written
         --> chain.cs:3:1
          |
        3 | setSpaceTimeMap(prog, "chain", "A", "(i->-i)");
          | ^^^^^^^^^^^^^^^ under this map
         --> chain.ab:6:15
          |
        4 |   A[i] = case
          |   ---- written here
        5 |     {| i==0} : 1.0;
        6 |     {| i>0} : A[i-1];
          |               ------ read here
          |
          = witness: for N = 2, A[1] at date (-1) reads A[0], which is written at date (0)
          = note: dimension 1 decides the order
          = help: let the date of `A[i-1]` come first, as with (i->i)
        """)


def test_findings_are_separated_by_an_empty_line() -> None:
    source = Source("a.ab", "x y\n")
    assert to_text([at(source, "x"), at(source, "y", rule=ALIAS)]) == expected("""
        warning[AZ207]: a phrase
         --> a.ab:1:1
          |
        1 | x y
          | ^

        note[AZ410]: a phrase
         --> a.ab:1:3
          |
        1 | x y
          |   ^
        """)


def test_no_findings_are_no_text() -> None:
    assert to_text([]) == ""


def test_several_labels_on_one_line_have_a_row_each_from_left_to_right() -> None:
    source = Source("a.ab", "A[i] = B[j];\n")
    finding = Diagnostic(
        CAUSALITY,
        "a phrase",
        Label(span(source, "B[j]"), "read"),
        (Label(span(source, "A[i]"), "written"), Label(span(source, "B[j]"), "again")),
    )
    assert to_text([finding]) == expected("""
        error[AZ502]: a phrase
         --> a.ab:1:8
          |
        1 | A[i] = B[j];
          | ---- written
          |        ^^^^ read
          |        ---- again
        """)


def test_lines_left_out_are_dots_and_the_gutter_fits_the_largest_number() -> None:
    source = Source("a.ab", "first\n" + "\n" * 8 + "\ttenth\n")
    finding = Diagnostic(UNUSED, "a phrase", Label(span(source, "first")), (Label(span(source, "tenth"), "here"),))
    assert to_text([finding]) == expected("""
        warning[AZ207]: a phrase
          --> a.ab:1:1
           |
         1 | first
           | ^^^^^
        ...
        10 |     tenth
           |     ----- here
        """)


def test_tabs_are_shown_to_the_next_multiple_of_four() -> None:
    source = Source("a.ab", "\ti\t=\tx;\n")
    assert to_text([at(source, "x", "here")]) == expected("""
        warning[AZ207]: a phrase
         --> a.ab:1:6
          |
        1 |     i   =   x;
          |             ^ here
        """)


def test_a_tab_under_a_label_is_marked_over_its_whole_width() -> None:
    assert to_text([at(Source("a.ab", "a\tb\n"), "a\tb")]).endswith("1 | a   b\n  | ^^^^^\n")


@pytest.mark.parametrize(
    ("line", "marks"),
    [
        ("表 x", "   ^"),
        ("e\u0301\u0302 x", "  ^"),
        ("\N{ZERO WIDTH JOINER}a x", "  ^"),
        ("\N{FULLWIDTH LATIN SMALL LETTER A} x", "   ^"),
        ("σ≤ x", "   ^"),
    ],
)
def test_marks_stand_under_what_they_mark_whatever_the_width_before(line: str, marks: str) -> None:
    assert to_text([at(Source("a.ab", line), "x")]).endswith(f"1 | {line}\n  | {marks}\n")


def test_a_wide_character_gets_two_marks() -> None:
    assert to_text([at(Source("a.ab", "表"), "表")]).endswith("1 | 表\n  | ^^\n")


def test_a_label_over_lines_marks_its_first_and_its_last() -> None:
    start = span(PROGRAM, "case").start
    end = span(PROGRAM, "esac").end
    finding = Diagnostic(UNUSED, "a phrase", Label(Span(PROGRAM, start, end), "the whole case"))
    assert to_text([finding]) == expected("""
        warning[AZ207]: a phrase
         --> chain.ab:4:10
          |
        4 |   A[i] = case
          |          ^^^^
        ...
        7 |   esac;
          |   ^^^^ the whole case
        """)


def test_a_label_that_closes_with_a_line_end_stays_on_its_line() -> None:
    assert to_text([at(Source("a.ab", "x;\r\n\r\ny;\r\n"), "x;\r\n\r\n", "here")]) == expected("""
        warning[AZ207]: a phrase
         --> a.ab:1:1
          |
        1 | x;
          | ^^ here
        """)


def test_a_label_that_opens_with_a_line_end_has_a_mark_on_each_line() -> None:
    source = Source("a.ab", "x\n  y\n")
    assert to_text([Diagnostic(UNUSED, "a phrase", Label(Span(source, 1, 5)))]).endswith(
        "1 | x\n  |  ^\n2 |   y\n  |   ^\n"
    )


@pytest.mark.parametrize(
    ("text", "start", "shown"),
    [
        ("", 0, " --> a.ab:1:1\n  |\n1 |\n  | ^ here\n"),
        ("ab", 2, " --> a.ab:1:3\n  |\n1 | ab\n  |   ^ here\n"),
        ("ab\n", 3, " --> a.ab:2:1\n  |\n2 |\n  | ^ here\n"),
    ],
)
def test_an_empty_place_at_the_end_of_a_text_has_one_mark(text: str, start: int, shown: str) -> None:
    finding = Diagnostic(UNUSED, "a phrase", Label(Span(Source("a.ab", text), start, start), "here"))
    assert to_text([finding]) == "warning[AZ207]: a phrase\n" + shown


def test_a_finding_without_a_place_says_what_it_has_to_say() -> None:
    finding = Diagnostic(UNUSED, "a phrase", Label(NOWHERE, "of the built-in rules"), help="nothing to do")
    assert to_text([finding]) == expected("""
        warning[AZ207]: a phrase
         = note: of the built-in rules
         = help: nothing to do
        """)


def test_further_lines_of_a_remark_or_a_label_stand_under_its_first() -> None:
    source = Source("a.ab", "x y\n")
    finding = Diagnostic(UNUSED, "a phrase", Label(span(source, "y"), "one\ntwo"), notes=("first\nsecond",))
    assert to_text([finding]).endswith(
        "1 | x y\n  |   ^ one\n  |     two\n  |\n  = note: first\n          second\n",
    )


def test_nothing_in_a_text_commands_the_terminal() -> None:
    source = Source("a\x1b[2J.ab", "x \x1b[31m \N{RIGHT-TO-LEFT OVERRIDE} \x07 y\n")
    rendered = to_text([Diagnostic(UNUSED, "\x1b]0;", Label(span(source, "y"), "\x9b1m"), notes=("\r",))])
    assert [char for char in rendered if char != "\n" and not char.isprintable()] == []
    assert "1 | x �[31m � � y\n  |             ^ �1m\n" in rendered


def test_colours_are_only_added() -> None:
    coloured = to_text([LEGALITY], colour=True)
    assert coloured.startswith("\x1b[1;31merror[AZ502]\x1b[0m\x1b[1m: `A` is read before it is written\x1b[0m\n")
    plain = coloured
    for code in ("0", "1", "1;31", "1;34"):
        plain = plain.replace(f"\x1b[{code}m", "")
    assert "\n".join(map(str.rstrip, plain.split("\n"))) == to_text([LEGALITY])
