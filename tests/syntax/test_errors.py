"""Texts that are not of the language: where the finding points, what it says, and what it advises."""

import re
from collections.abc import Callable

import pytest

from alphaz.diagnostics import Diagnostic, Rejected, Source
from alphaz.diagnostics.rules import document
from alphaz.syntax.parser import parse_domain, parse_expression, parse_function, parse_program, parse_script

HEAD = "affine f {N|N>0}\ninput float A {i|0<=i<N};\noutput float x {i|0<=i<N};\nlet\n"


def findings(text: str, parse: Callable[[Source], object] = parse_program) -> tuple[Diagnostic, ...]:
    with pytest.raises(Rejected) as caught:
        parse(Source("t", text))
    return caught.value.diagnostics


def summary(text: str, parse: Callable[[Source], object] = parse_program) -> list[tuple[str, str, str]]:
    """Line and column, rule, message."""
    return [
        ("{}:{}".format(*finding.primary.span.position), finding.rule.code, finding.message)
        for finding in findings(text, parse)
    ]


@pytest.mark.parametrize(
    ("equations", "place", "message", "remedy"),
    [
        ("x[i] = A[i]\n.", "5:12", "expected `;` after the equation of `x`", "write `;` after `]`"),
        ("x[i] = A[i]\ny[i] = 2;\n.", "5:12", "expected `;` after the equation of `x`", "write `;` after `]`"),
        ("x[i] = (A[i] + 3;\n.", "5:17", "expected `)` in the equation of `x`", "write `)` after `3`"),
        ("x[i] = A[i;\n.", "5:11", "expected `]` in the equation of `x`", "write `]` after `i`"),
        ("x[i] = A[i] + ;\n.", "5:15", "unexpected `;` in the equation of `x`", "write an expression here"),
        ("x = ;\n.", "5:5", "unexpected `;` in the equation of `x`", "write an expression here"),
        ("x[i] == 3;\n.", "5:6", "an equation is written with one `=`", "write `=`"),
        ("x[i] = {|i=0}: 3;\n.", "5:11", "`=` does not compare", "write `==`"),
        ("x[i] = if a=b then 1 else 2;\n.", "5:12", "`=` does not compare", "write `==`"),
        ("x[i] = {|0<i and i<3}: 3;\n.", "5:14", "constraints are not joined by `and`", "write `&&`"),
        ("x[i] = {|0<i & i<3}: 3;\n.", "5:14", "`&` is not a sign of the language", "write `&&`"),
        ("x[i] = a && b;\n.", "5:10", "`&&` joins constraints, not values", "write `and`"),
        ("x[i] = a || b;\n.", "5:10", "`||` joins domains, not values", "write `or`"),
        (
            "x[i] = {|i<2 || i>5}: 3;\n.",
            "5:14",
            "a domain is not a union inside its braces",
            "write `{| i<2} || {| i>5}`",
        ),
        (
            "x[i] = {| i<2 or i == 3 or i>5}: 3;\n.",
            "5:15",
            "a domain is not a union inside its braces",
            "write `{| i<2} || {| i == 3} || {| i>5}`",
        ),
        ("x[i] = {|0≤i}: 3;\n.", "5:11", "`≤` is not a sign of the language", "write `<=`"),
        (
            "x[i] = A[2*i];\n.",
            "5:11",
            "affine expressions have no `*`",
            "write the number directly before the name: `2i`",
        ),
        (
            "x[i] = max(a);\n.",
            "5:13",
            "`max(...)` takes two arguments or more",
            "write both values, with `,` between them",
        ),
        (
            "x[i] = (i->i)@-a;\n.",
            "5:15",
            "`-` cannot follow `@`",
            "put `-` and its operand in parentheses",
        ),
        (
            "x[i] = 1 + if a then b else c;\n.",
            "5:12",
            "an `if` inside an operation needs parentheses",
            "write `(if ... then ... else ...)`",
        ),
        (
            "x[i] = 2 * {|i>0} : a;\n.",
            "5:12",
            "a restrict inside an operation needs parentheses",
            "write `({...} : ...)`",
        ),
        ("x[i] = a^2;\n.", "5:9", "there is no power operator", "multiply, or call an external function"),
        (
            "# old\nx[i] = 2;\n.",
            "5:1",
            "unexpected `#`",
            "comments in programs are written `// ...` or `/* ... */`",
        ),
        ("x[i] = {|i>0} a;\n.", "5:14", "expected `:` in the equation of `x`", "write `:` after `}`"),
        ("x[i] = case {|i>0}: a; {|i<0}: b esac;\n.", "5:33", "expected `;` after the branch of a `case`", None),
        ("x[i] = a b c;\n.", "5:10", "unexpected `b` in the equation of `x`", None),
        ("x[i] = a B[i,2];\n.", "5:9", "an operator is missing between `a` and `B`", None),
        ("x[i] = (2 a) + 1;\n.", "5:10", "an operator is missing between `2` and `a`", None),
        ("x[i] = a y[i] = 2;\n.", "5:9", "expected `;` after the equation of `x`", "write `;` after `a`"),
        ("x[i] = a;\n", "5:10", "expected `.` at the end of system `f`", "end the system with `.`"),
        ("x[i] = a;\n. /* rest", "6:3", "this comment is never closed", "end it with `*/`"),
        (
            "x[i] = reduce(+, k, A[k]);\n.",
            "5:18",
            "`k` alone is not a projection",
            "write `[k]`, or a function such as `(i,k->i)`",
        ),
    ],
)
def test_one_mistake_gives_one_finding(equations: str, place: str, message: str, remedy: str | None) -> None:
    (finding,) = findings(HEAD + equations)
    assert ("{}:{}".format(*finding.primary.span.position), finding.message) == (place, message)
    assert finding.rule.code == "AZ101"
    assert finding.help
    assert remedy is None or finding.help == remedy


@pytest.mark.parametrize(
    ("number", "shown", "instead"),
    [
        ("1.", "1.", "1.0"),
        (".5", ".5", "0.5"),
        ("1.5e3", "1.5e3", "1.5"),
        ("2.0F", "2.0F", "2.0"),
        ("2e5", "2e5", "2.0"),
    ],
)
def test_numbers_of_other_languages(number: str, shown: str, instead: str) -> None:
    (finding,) = findings(f"{HEAD}x[i] = {number};\n.")
    assert (finding.rule.code, finding.primary.span.text) == ("AZ102", shown)
    assert finding.help is not None
    assert finding.help.endswith(f"`{instead}`")


@pytest.mark.parametrize("digits", ["18446744073709551616", "9" * 5000])
def test_integers_beyond_every_type(digits: str) -> None:
    (finding,) = findings(f"{HEAD}x[i] = {digits};\n.")
    assert (finding.rule.code, finding.primary.span.text) == ("AZ102", digits)
    assert len(finding.message) < 80


def test_the_largest_integer_is_read() -> None:
    parse_expression(Source("t", "000018446744073709551615"))


def test_what_was_found_and_what_was_expected_is_said() -> None:
    (finding,) = findings(HEAD + "x[i] = A[i]\ny[i] = 2;\n.")
    assert finding.primary.text == "expected `;`, found `y`"
    (finding,) = findings(HEAD + "x[i] = (A[i];\n.")
    assert [(label.span.text, label.text) for label in finding.secondary] == [("(", "this `(` is open")]


@pytest.mark.parametrize(
    ("text", "place", "remedy"),
    [
        ("affine f {N|}\nouput float x;\n.", "2:1", "did you mean `output`?"),
        ("affine f {N|}\noutput flaot x;\n.", "2:8", "did you mean `float`?"),
        ("afine f {N|}\n.", "1:1", "did you mean `affine`?"),
    ],
)
def test_near_words(text: str, place: str, remedy: str) -> None:
    (finding,) = findings(text)
    assert ("{}:{}".format(*finding.primary.span.position), finding.help) == (place, remedy)


def test_a_reserved_word_as_a_name() -> None:
    (finding,) = findings("affine f {N|}\ninput int max;\n.")
    assert finding.message == "`max` is a reserved word"
    assert finding.help == "choose another name, or write `^max`"


def test_families_of_words_do_not_mix() -> None:
    assert summary("affine f {N|}\ngiven int a;\noutput int b;\nlet b = a;\n.") == [
        ("3:1", "AZ101", "`output` does not go with the words that this system began with"),
        ("4:1", "AZ101", "`let` does not go with the words that this system began with"),
    ]


def test_all_independent_errors_are_found_in_the_order_of_the_text() -> None:
    text = """affine f {N|N>0}
input float A {i|0<=i<N}
output float x {i|i=0};
ouput float z;
let
x[i] = A[i] + ;
y[i] = case {|i>0}: (1; {|i<0}: 1.; esac;
z = 99999999999999999999;
u[i] = a b c d;
use g(1);
int k;
w = 2;
affine g {N}
let x = y;
."""
    assert [(place, code) for place, code, _ in summary(text)] == [
        ("2:25", "AZ101"),
        ("3:20", "AZ101"),
        ("4:1", "AZ101"),
        ("6:15", "AZ101"),
        ("7:23", "AZ101"),
        ("7:33", "AZ102"),
        ("8:5", "AZ102"),
        ("9:10", "AZ101"),
        ("10:6", "AZ101"),
        ("11:1", "AZ101"),
        ("12:7", "AZ101"),
        ("13:12", "AZ101"),
    ]


def test_a_case_without_its_end_does_not_swallow_the_next_equation() -> None:
    text = HEAD + "x[i] = case {|i>0}: 1; {|i<=0}: 2;\ny[i] = 3;\nz = ;\n."
    assert summary(text) == [
        ("6:6", "AZ101", "the `case` in the equation of `x` is not closed before the next equation"),
        ("7:5", "AZ101", "unexpected `;` in the equation of `z`"),
    ]


def test_reading_ends_where_an_equation_seems_to_begin_inside_a_case() -> None:
    assert summary(HEAD + "x = 1; z = case c = d; esac;\n.") == [("5:19", "AZ101", "`=` does not compare")]


@pytest.mark.parametrize("text", ["", "  \n", "// only a remark\n"])
def test_an_empty_program(text: str) -> None:
    (finding,) = findings(text)
    assert (finding.message, finding.help) == ("the text is empty", "write at least one system")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('p = f("a")\nq = 1;', [("1:11", "expected `;` after the call of `f`")]),
        ('f("a", ;', [("1:8", "unexpected `;` in the call of `f`")]),
        ("f(a,;\ng(1 2);", [("1:5", "unexpected `;` in the call of `f`"), ("2:4", "expected `,` in the call of `g`")]),
        ('f(p;', [("1:4", "expected `)` in the call of `f`")]),
        ('f("a);', [("1:3", "this string is never closed")]),
        ('f("a);\ng("b");', [("2:4", "unexpected `b` after a string of several lines")]),
        ("f(p); // remark", [("1:7", "unexpected `//`")]),
        ("f(“a”);", [("1:3", "`“` is not a quotation mark of the language")]),
        ("= 3;", [("1:1", "unexpected `=`")]),
        ("f(p, (i->i));", [("1:6", "an argument begins with `(`")]),
        ("f(p, -1);", [("1:6", "numbers in scripts are not negative")]),
        ("f(p, 3.5);\ng(;", [("1:6", "numbers in scripts are whole"), ("2:3", "expected `)` in the call of `g`")]),
        ("p.f(1);", [("1:2", "commands are not methods")]),
        ("p = R(mcm.ab);", [("1:7", "the name of a file is a text")]),
        ("/* why */ f(p);", [("1:1", "unexpected `/*`")]),
        ("f(p, 1\ng(p);", [("1:7", "expected `);` in the call of `f`")]),
        (
            "f(p, 1\nx = g(p);\nh(;",
            [("1:7", "expected `);` in the call of `f`"), ("3:3", "expected `)` in the call of `h`")],
        ),
        ("import alphaz;", [("1:1", "scripts have no `import`")]),
        ("if (x) f(p);", [("1:1", "scripts have no `if`")]),
        ("f(p);\nfor (i = 0;", [("2:1", "scripts have no `for`")]),
    ],
)  # fmt: skip
def test_scripts(text: str, expected: list[tuple[str, str]]) -> None:
    assert [(place, message) for place, _, message in summary(text, parse_script)] == expected


@pytest.mark.parametrize(
    ("parse", "text", "place", "message"),
    [
        (parse_function, "(i,j → i)", "1:6", "`→` is not a sign of the language"),
        (parse_function, "(i,j -> i*2)", "1:10", "affine expressions have no `*`"),
        (parse_function, "(i,j -> i", "1:10", "the text ends too early"),
        (parse_function, "(i,j -> i) j", "1:12", "unexpected `j`"),
        (parse_function, "", "1:1", "the text is empty"),
        (parse_function, "i->i", "1:1", "a map begins with `(`"),
        (parse_function, "{[i]->[i]}", "1:1", "a map begins with `(`"),
        (parse_function, "(t,i -> t,i mod 2)", "1:13", "a map has no `mod`"),
        (parse_function, "(t,i -> t%2,i)", "1:10", "a map has no `%`"),
        (parse_function, "(i=>i)", "1:3", "`=>` is not an arrow"),
        (parse_domain, "{i,j}", "1:5", "expected `|`"),
        (parse_expression, "a +", "1:4", "the text ends too early"),
    ],
)
def test_maps_and_pieces(parse: Callable[[Source], object], text: str, place: str, message: str) -> None:
    assert summary(text, parse) == [(place, "AZ101", message)]


# --- the documents of the rules ------------------------------------------------------------------------------------

_FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_PARSERS: dict[str, Callable[[Source], object]] = {"alphabets": parse_program, "script": parse_script}


@pytest.mark.parametrize("code", ["AZ101", "AZ102"])
def test_examples_of_the_documents_do_what_they_say(code: str) -> None:
    wrong, right = re.split(r"^##+ ", document(code), flags=re.MULTILINE)[4:6]
    for language, example in _FENCE.findall(wrong):
        assert {finding.rule.code for finding in findings(example, _PARSERS[language])} == {code}
    for language, example in _FENCE.findall(right):
        _PARSERS[language](Source(code, example))
