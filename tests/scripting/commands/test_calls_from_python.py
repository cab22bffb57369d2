"""Calls from Python: where findings point, what reports and values look like."""

import linecache
from collections.abc import Callable
from pathlib import Path

import pytest

import alphaz

PROGRAM = """affine s {N | N>0}
input int A {i | 0<=i<N};
output int B {i | 0<=i<N};
let B[i] = case {| i==0}: A[i]; {| i>0}: B[i-1] + A[i]; esac;
.
"""


@pytest.fixture(name="design")
def _design() -> alphaz.Design:
    return alphaz.read(text=PROGRAM)


def _place(refused: pytest.ExceptionInfo[alphaz.Rejected]) -> tuple[str, str]:
    span = refused.value.diagnostics[0].primary.span
    return Path(span.source.name).name, span.text


def test_what_is_wrong_in_a_map_is_marked_in_the_users_file(design: alphaz.Design) -> None:
    with pytest.raises(alphaz.Rejected) as refused:
        design.set_space_time_map(
            "s", "B",
            "(i -> wrong)",
        )  # fmt: skip
    assert _place(refused) == (Path(__file__).name, "wrong")
    line = refused.value.diagnostics[0].primary.span.position[0]
    assert '"(i -> wrong)"' in Path(__file__).read_text(encoding="utf-8").splitlines()[line - 1]


def test_a_name_is_marked_too(design: alphaz.Design) -> None:
    with pytest.raises(alphaz.Rejected) as refused:
        alphaz.set_space_time_map(design, "s", "Q", "(i -> i)")
    assert _place(refused) == (Path(__file__).name, "Q")


def test_what_is_put_together_is_a_text_of_its_own_at_the_call(design: alphaz.Design) -> None:
    output = "wrong"
    with pytest.raises(alphaz.Rejected) as refused:
        design.set_space_time_map("s", "B", f"(i -> {output})")
    name, text = _place(refused)
    assert text == "wrong"
    assert f"{Path(__file__).name}:" in name


def test_a_call_without_a_file_is_shown_as_it_would_be_written(design: alphaz.Design) -> None:
    with pytest.raises(alphaz.Rejected) as refused:
        exec("design.set_space_time_map('s', 'B', '(i -> wrong)')", {"design": design})  # noqa: S102 - as a console does
    span = refused.value.diagnostics[0].primary.span
    assert span.source.name == "<python>"
    assert span.source.text == "set_space_time_map(design, 's', 'B', '(i -> wrong)')"
    assert span.text == "wrong"


def test_a_cell_of_a_notebook_is_a_file(design: alphaz.Design) -> None:
    text = "design.set_space_time_map('s', 'B',\n    '(i -> wrong)')\n"
    name = "<ipython-input-1-c0ffee>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    with pytest.raises(alphaz.Rejected) as refused:
        exec(compile(text, name, "exec"), {"design": design})  # noqa: S102 - as a notebook does
    span = refused.value.diagnostics[0].primary.span
    assert (span.source.name, span.position, span.text) == (name, (2, 12), "wrong")


def test_a_refuted_report_shows_hints_and_its_counterexample(design: alphaz.Design) -> None:
    report = alphaz.verify(design.set_space_time_map("s", "B", "(i -> -i)"))
    assert isinstance(report, alphaz.Report)
    assert "would be legal (tried)" in str(report)
    (fix,) = next(f for f in report.findings if f.fixes).fixes
    # Nothing of a script is put into a file of Python.
    assert (fix.edits, fix.script) == ((), 'setSpaceTimeMap(prog, "s", "B", "(i -> i)");')
    page = report._repr_html_()
    assert page.startswith("<pre>s: refuted, ")
    assert "B[1], at (-1), reads B[0]" in page.split("</pre>")[1]
    assert page.count("<svg") == 1
    without = alphaz.verify(design.set_space_time_map("s", "B", "(i -> -i)"), hints=False)
    assert "tried" not in str(without)


def test_a_proved_report_is_its_text(design: alphaz.Design) -> None:
    report = alphaz.verify(design.set_space_time_map("s", "B", "(i -> i)"))
    assert report._repr_html_() == f"<pre>{report}</pre>"


def test_values_are_one_line_each(design: alphaz.Design) -> None:
    mapped = design.set_space_time_map("s", "B", "(i -> i)")
    assert repr(mapped.build_prdg("s")) == "DependenceGraph(s: 1 nodes, 1 edges)"
    assert repr(alphaz.compile(mapped)).startswith("Kernel s(N, A) -> B, compiled by ")


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda design: alphaz.schedule(design, cost="pluto", strategy="nope"), "the strategy must be one of"),
        (lambda design: alphaz.schedule(design, cost="pluto", goal="nope"), "the goal must be one of TILE"),
        (lambda design: alphaz.schedule(design, cost="pluto", fuse="nope"), "the fuse must be one of"),
        (lambda design: alphaz.schedule(design, cost="pluto", system="nope"), "nope"),
        (lambda design: alphaz.schedule(design, cost="pluto", bogus=1), "AZ402 schedule: .*'bogus'"),
        (lambda design: alphaz.schedule(design, bogus=1), "AZ402 schedule: .*'bogus'"),
        (lambda design: alphaz.schedule(design, goal=None), "the goal must be one of TILE"),
        (lambda design: alphaz.schedule(design, goal="nope"), "the goal must be one of TILE"),
        (lambda design: design.normalize(1, 2, 3), "AZ402 normalize: too many positional arguments"),
        (lambda design: alphaz.verify(design, ["nope"]), "AZ403 there is no system `nope`"),
        (lambda design: alphaz.verify(design, "nope"), "AZ403 there is no system `nope`"),
        (lambda design: alphaz.verify("s.cs"), "AZ402 expected a design"),  # type: ignore[arg-type] # a path
        (lambda design: alphaz.trace(design, "nope"), "AZ403 there is no system `nope`"),
        (lambda design: design.draw(N="x"), "AZ807 .*parameter `N` is 'x', which is no integer"),
        (lambda design: design.draw(system="nope"), "AZ403 there is no system `nope`"),
        (lambda design: alphaz.compile(design.schedule())(5, [1]), "AZ807 .*given by name.*: name `N` and `A`"),
    ],
)
def test_mistakes_in_python_are_rejected(design: alphaz.Design, call: Callable[..., object], said: str) -> None:
    with pytest.raises(alphaz.Rejected, match=said):
        call(design)


def test_one_system_is_verified_by_its_name(design: alphaz.Design) -> None:
    assert alphaz.verify(design.schedule(), "s").is_proved


def test_an_option_of_the_scheduler_alone_is_enough(design: alphaz.Design) -> None:
    alone = alphaz.schedule(design, strategy="none")
    assert alone.history == alphaz.schedule(design, "s", "TILE", "SMART", "none").history
    assert alone.schedule(goal="parallel").history == alone.history
    assert design.schedule(system="s", fuse="no").mapped_systems == ("s",)
