"""Recursive tiles: legal where the order holds wherever boxes are cut, for all tile sizes or for those given."""

from pathlib import Path

import pytest

from alphaz.certificate.required_obligations import missing
from alphaz.codegen.scheduled.scheduled_c import scheduled_c
from alphaz.diagnostics import Source
from alphaz.legality.reporting.certificate_record import record
from alphaz.legality.verdicts import Options
from alphaz.legality.verify import certify, verify
from alphaz.scripting.interpreter.run import run_script
from tests.legality.mapped import Mapped

MEASURED = Path(__file__).parents[2] / "benchmarks" / "recursive"
# U[t,i] reads U[t-1,i+1].
BACK = """affine S {N | 1<=N && N<=6}
input
  int A {i | 0<=i && i<=N};
output
  int U {t,i | 0<=t && t<N && 0<=i && i<=N-t};
let
  U[t,i] = case {| t==0} : A[i]; {| t>0} : U[t-1,i+1]; esac;
.
"""


def back(*sizes: int, date: str = "(t,i -> t,i)", recursive: bool = True) -> Mapped:
    return Mapped(BACK).time("U", date).band(0, 1, (), sizes, recursive=recursive)


def test_no_component_may_decrease() -> None:
    assert back().refuted().keys() == {"AZ702"}
    assert back(date="(t,i -> t,t+i)").report().is_proved


@pytest.mark.parametrize(("sizes", "legal"), [((1, 4), False), ((1, 1), False), ((1, 7), True), ((7, 7), True)])
def test_tiles_in_sequence_may_be_right_where_recursive_ones_are_not(sizes: tuple[int, int], legal: bool) -> None:
    """Tiles of one t, in sequence, are legal whatever i is; a box of them is cut along i as well."""
    assert back(*sizes).report(exact_tiles=True).is_proved is legal
    assert back(*sizes, recursive=False).report(exact_tiles=True).is_proved


def test_findings_about_recursive_tiles() -> None:
    text = str(back(1, 1).refuted(exact_tiles=True))
    assert "unordered: recursive tiles may be halved between the two (dimension 1, from tile 1 back to 0)" in text
    (report,) = verify(back(1, 1).design, ["S"], Options(exact_tiles=True, explain=True)).systems
    text = "\n".join(note for finding in report.findings for note in finding.notes)
    assert "recursive tiles: of (floor(d0/1), floor(d1/1)) none decreases from a to b" in text


def test_parallel_dimensions_may_not_differ() -> None:
    """The same of sizes that are given, and of those that are not."""
    rows = Mapped(BACK).time("U", "(t,i -> t,t+i)").kind("1", "P")
    assert rows.report().is_proved
    assert rows.band(0, 1, (), (1, 2), recursive=True).report(exact_tiles=True).is_proved
    assert rows.band(0, 1, recursive=True).report().is_proved
    across = Mapped(BACK).time("U", "(t,i -> t,i)").kind("1", "P")
    assert across.report().is_proved
    assert across.band(0, 1, recursive=True).refuted().keys() == {"AZ702"}
    text = str(across.band(0, 1, (), (1, 2), recursive=True).refuted(exact_tiles=True))
    assert "unordered: recursive tiles may be halved between the two (dimension 1, in parallel)" in text


def test_the_certificate_and_the_code_say_the_sizes() -> None:
    report = verify(back(1, 7).design, ["S"], Options(exact_tiles=True))
    made = record("s.cs", report.systems[0])
    assert any(entry.claim.endswith("for tile sizes 1,7 of dimensions 0,1") for entry in made.obligations)
    assert missing(made) == ()
    text = scheduled_c(certify(report), "S").files["S.c"]
    assert "for tile sizes 1,7 of dimensions 0,1 only." in text


def test_they_have_no_reduction_dimension_and_few_dimensions() -> None:
    sums = """affine S {N | N>=1}
input int A {i | 0<=i<N};
output int s;
let
  s = reduce(+, [i], A[i]);
.
"""
    report = Mapped(sums).time("s", "(i -> 0,i)").kind("1", "R").band(0, 1, recursive=True).report()
    assert "tiles that are recursive have a reduction dimension, 1" in report.findings[0].message
    date = f"(i -> {','.join('0' * 8)},i)"
    assert Mapped(sums).time("s", date).band(1, 8, recursive=True).report().is_proved
    report = Mapped(sums).time("s", date).band(0, 8, recursive=True).report()
    assert report.findings[0].message == "recursive tiles have at most 8 dimensions, and this band 9"


@pytest.mark.slow
@pytest.mark.parametrize("script", sorted(MEASURED.glob("*.cs")), ids=lambda path: path.stem)
def test_what_is_measured_is_proved(script: Path) -> None:
    session = run_script(Source(str(script), script.read_text(encoding="utf-8")), script.parent)
    assert [design_verdict.first.is_proved for design_verdict in session.design_verdicts] == [True]
