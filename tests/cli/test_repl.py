"""`alphaz repl` without a terminal."""

from pathlib import Path

from tests.cli.command_line import ask


def test_statements_from_standard_input() -> None:
    answer = ask("repl", stdin='x = "a"\nprint(x +\n "b")\n:script\n')
    assert (answer.code, answer.err) == (0, "")
    assert answer.out == 'ab\nx = "a";\nprint(x +\n "b");\n'


def test_what_is_wrong_is_located_and_the_rest_is_done() -> None:
    answer = ask("repl", stdin="print(1)\nprnt(2)\nprint(3)\nquit\nprint(4)\n")
    assert answer.code == 1
    assert "error[AZ401]: there is no command `prnt`\n --> <console>:1:1" in answer.out
    assert answer.out.startswith("1\n")
    assert answer.out.endswith("3\n")


def test_a_script_comes_first(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    for name in ("sums.ab", "right.cs"):
        (tmp_path / name).rename(tmp_path / "sub" / name)
    answer = ask("repl", "sub/right.cs", "-o", tmp_path / "out", stdin=":state\n:undo\n:state\n")
    assert answer.code == 0
    assert answer.out.count("prog: a program, after 2 commands") == 1
    assert answer.out.endswith("nothing is assigned yet\n")
    assert (tmp_path / "out" / "sums.c").exists()


def test_what_is_left_open_at_the_end() -> None:
    answer = ask("repl", stdin="print(1")
    assert answer.code == 1
    assert "AZ101" in answer.out


def test_no_script() -> None:
    assert ask("repl", "nothing.cs").code == 2
    assert ask("repl", stdin="").code == 0
    assert ask("repl", "sums.ab").code == 2


def test_a_name_that_cannot_be_written() -> None:
    answer = ask("repl", stdin="print(1)\n:save sums.ab/x.cs\nprint(2)\n")
    assert answer.code == 1
    assert "AZ405" in answer.out
    assert answer.out.endswith("2\n")
