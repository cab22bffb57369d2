"""Command scripts: texts and the trees that they say."""

import pytest

from alphaz.diagnostics import Source
from alphaz.syntax.parser import parse_script
from alphaz.syntax.printer import print_script
from alphaz.syntax.script_build import content_span
from alphaz.syntax.script_tree import (
    CommandCall,
    Concatenation,
    NumberLiteral,
    ScriptExpression,
    ScriptStatement,
    ScriptText,
    TextLiteral,
    VariableUse,
)
from alphaz.syntax.tree import Name

SCRIPT = """# the optimal parenthesisation: (a # in a comment
prog = ReadAlphabets("./mcm.ab");
system = 'MCM';\r
dir = "./out/" + system+"/x";
setSpaceTimeMap(prog, system, "M", "(i,j -> j-i,i,j)");
setParallel(prog, system, "", 1);
VerifyTargetMapping(prog, system,"NONE") ; # done"""


def statements(text: str) -> tuple[ScriptStatement, ...]:
    return parse_script(Source("<s>", text)).statements


def test_a_script() -> None:
    read, system, path, space_time, parallel, verify = statements(SCRIPT)
    assert read == ScriptStatement(Name("prog"), CommandCall(Name("ReadAlphabets"), (TextLiteral("./mcm.ab"),)))
    assert system == ScriptStatement(Name("system"), TextLiteral("MCM"))
    assert path.value == Concatenation((TextLiteral("./out/"), VariableUse(Name("system")), TextLiteral("/x")))
    assert space_time.target is None
    assert isinstance(space_time.value, CommandCall)
    assert space_time.value.arguments[3] == TextLiteral("(i,j -> j-i,i,j)")
    assert isinstance(parallel.value, CommandCall)
    assert parallel.value.arguments[-1] == NumberLiteral(1)
    assert verify.span.text == 'VerifyTargetMapping(prog, system,"NONE") ;'


def test_a_script_is_printed_a_statement_a_line() -> None:
    assert (
        print_script(parse_script(Source("<s>", SCRIPT)))
        == """prog = ReadAlphabets("./mcm.ab");
system = "MCM";
dir = "./out/" + system + "/x";
setSpaceTimeMap(prog, system, "M", "(i,j -> j-i,i,j)");
setParallel(prog, system, "", 1);
VerifyTargetMapping(prog, system, "NONE");
"""
    )


@pytest.mark.parametrize("text", ["", "\n# nothing\n"])
def test_an_empty_script_has_no_statements(text: str) -> None:
    assert parse_script(Source("<s>", text)) == ScriptText(())


@pytest.mark.parametrize(
    ("written", "value"),
    [
        (r'"a\"b"', 'a"b'),
        (r"'a\'b'", "a'b"),
        (r'"a\\n"', "a\\n"),
        (r'"a\nb\t"', "a\nb\t"),
        (r'"C:\data"', "C:\\data"),
        ('"two\nlines"', "two\nlines"),
        ("'\"'", '"'),
    ],
)
def test_strings(written: str, value: str) -> None:
    (statement,) = statements(f"x = {written};")
    assert statement.value == TextLiteral(value)
    assert statement.value.span.text == written


def test_the_content_of_a_string_has_a_span() -> None:
    (statement,) = statements('x = "(i -> i)";')
    assert isinstance(statement.value, TextLiteral)
    assert content_span(statement.value).text == "(i -> i)"


def test_calls_nest() -> None:
    (statement,) = statements("f(g(), h(1) + k);")
    inner: tuple[ScriptExpression, ...] = (
        CommandCall(Name("g"), ()),
        Concatenation((CommandCall(Name("h"), (NumberLiteral(1),)), VariableUse(Name("k")))),
    )
    assert statement.value == CommandCall(Name("f"), inner)


def test_depth_is_no_limit() -> None:
    text = "f(" * 3000 + "1" + ")" * 3000 + ";\n"
    assert print_script(parse_script(Source("<s>", text))) == text
