"""The choices that a script leaves open."""

import pytest

from alphaz.diagnostics import Rejected, Source
from alphaz.tuning.choices import space_of

SCRIPT = """prog = ReadAlphabets("p.ab");
size = choose("rows", 16, 32);
setTiling(prog, "s", 0, size);
setTiling(prog, "s", 1, choose("columns", 8, 8, 64));
setParallel(prog, "s", "", choose("threads", "0", "1"));
setTiling(prog, "s", 2, choose("rows", 16, 32));
"""


def test_a_choice_is_an_axis_and_the_same_name_the_same_choice() -> None:
    space = space_of(Source("x.cs", SCRIPT))
    assert [(axis.name, axis.alternatives) for axis in space.axes] == [
        ("rows", ("16", "32")),
        ("columns", ("8", "64")),
        ("threads", ('"0"', '"1"')),
    ]
    assert space.size == 8
    assert space.usual == (0, 0, 0)


def test_a_point_is_a_plain_script() -> None:
    space = space_of(Source("x.cs", SCRIPT))
    assert space.script_of((1, 1, 0)) == (
        'prog = ReadAlphabets("p.ab");\n'
        "size = 32;\n"
        'setTiling(prog, "s", 0, size);\n'
        'setTiling(prog, "s", 1, 64);\n'
        'setParallel(prog, "s", "", "0");\n'
        'setTiling(prog, "s", 2, 32);\n'
    )


def test_without_choices_the_sizes_of_tiles_are_open() -> None:
    text = 'setTiling(prog, "s", 0, 32);\nsetTiling(prog, "s", 1);\nsetRegisterTile(prog, "s", 0, 4);\n'
    space = space_of(Source("x.cs", text))
    assert [axis.alternatives for axis in space.axes] == [
        ("8", "16", "32", "64", "128"),
        ("2", "3", "4", "5", "6", "8"),
    ]
    assert space.script_of(space.usual) == text
    assert [axis.name for axis in space.axes] == ["setTiling at 1:25", "setRegisterTile at 3:31"]


def test_a_script_may_leave_nothing_open() -> None:
    assert not space_of(Source("x.cs", 'setParallel(prog, "s", "", 1);')).axes


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('f(choose("a", 1, 2), choose("a", 1, 3));', "other alternatives"),
        ('n = 3; f(choose("a", 1, n));', "number or a text"),
        ("f(choose(4, 1));", "a text"),
    ],
)
def test_what_is_no_choice_is_refused_with_its_place(text: str, message: str) -> None:
    with pytest.raises(Rejected) as refused:
        space_of(Source("x.cs", text))
    assert message in refused.value.diagnostics[0].message
    assert refused.value.diagnostics[0].primary.span.text in text
