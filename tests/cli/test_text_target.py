"""Verbs that make one text: `-o` names a file, `--stdout` and `-o -` print."""

from pathlib import Path

import pytest

from tests.cli.command_line import ask

KERNEL = "AXPY\nin  x : vector, a : scalar\nout y : vector\n{\n  y = a*x\n}\n"
VERBS = (
    ("show", "sums.ab"),
    ("schedule", "sums.ab"),
    ("matrix", "show", "axpy.m"),
    ("propose", "memory", "right.cs"),
)


@pytest.fixture(autouse=True)
def _kernel() -> None:
    Path("axpy.m").write_text(KERNEL, encoding="utf-8")


@pytest.mark.parametrize("verb", VERBS, ids=" ".join)
def test_one_text_goes_to_a_file_or_is_printed(verb: tuple[str, ...]) -> None:
    printed = ask(*verb)
    assert printed.code == 0
    assert ask(*verb, "--stdout").out == ask(*verb, "-o", "-").out == printed.out
    assert ask(*verb, "-o", "text.cs").out == "wrote text.cs\n"
    assert Path("text.cs").read_text(encoding="utf-8") == printed.out
    refused = ask(*verb, "-o", "text.cs")
    assert (refused.code, refused.out) == (2, "")
    assert refused.err == "alphaz: text.cs exists already: --force replaces it\n"
    assert ask(*verb, "-o", "text.cs", "--force").code == 0
    assert ask(*verb, "-o", "other.cs", "--stdout").code == 2
    assert ask(*verb, "-o", "new/").code == 2
    assert not Path("new").exists()


@pytest.mark.slow
@pytest.mark.long
def test_the_best_script_is_printed() -> None:
    text = Path("right.cs").read_text(encoding="utf-8")
    tiled = 'setTiling(prog, "sums", 0, choose("size", 4, 8));\n'
    Path("open.cs").write_text(text.replace("generateScheduledCode", f"{tiled}generateScheduledCode"), encoding="utf-8")
    answer = ask("tune", "open.cs", "-p", "N=50", "--threads", 1, "--stdout")
    assert answer.out.startswith("# Found by `alphaz tune open.cs`, and proved.")
    assert "choose" not in answer.out
    assert "mappings tried" in answer.err


def test_a_formatted_text_is_printed() -> None:
    Path("wide.cs").write_text("x  =  1;\n", encoding="utf-8")
    assert ask("fmt", "wide.cs", "--stdout").out == "x = 1;\n"
    assert Path("wide.cs").read_text(encoding="utf-8") == "x  =  1;\n"
    assert ask("fmt", "wide.cs", "right.cs", "--stdout").code == 2
