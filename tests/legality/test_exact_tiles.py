"""Tiles of the sizes that the script gives: exact, asked for by name, and said in the verdict."""

import pytest

from alphaz.codegen.scheduled.scheduled_c import scheduled_c
from alphaz.legality.reporting.certificate_record import record
from alphaz.legality.verdicts import Options
from alphaz.legality.verify import certify, verify
from tests.legality.mapped import Mapped

# U[t,i] reads U[t-1,i+1]: tiling both dimensions is right only where no tile holds two values of t, or all of i.
BACK = """affine S {N | 1<=N && N<=6}
input
  int A {i | 0<=i && i<=N};
output
  int U {t,i | 0<=t && t<N && 0<=i && i<=N-t};
let
  U[t,i] = case {| t==0} : A[i]; {| t>0} : U[t-1,i+1]; esac;
.
"""


def back(*sizes: int, wavefront: bool = False) -> Mapped:
    return Mapped(BACK).time("U", "(t,i -> t,i)").band(0, 1, (), sizes, wavefront)


def test_no_size_is_legal_for_all_sizes() -> None:
    assert back(1, 4).refuted().keys() == {"AZ702"}


@pytest.mark.parametrize(("sizes", "legal"), [((1, 4), True), ((2, 4), False), ((2, 7), True), ((4, 1), False)])
def test_each_size_has_its_own_verdict(sizes: tuple[int, ...], legal: bool) -> None:
    report = back(*sizes).report(exact_tiles=True)
    assert report.is_proved is legal
    shown = ",".join(map(str, sizes))
    assert report.scope == f"tile sizes {shown} of dimensions 0,1"
    assert (" only, " in repr(report)) is legal


def test_wavefronts_of_given_sizes_are_those_that_are_executed() -> None:
    """Along t + i both operations of the dependence (1,-1) are in one wavefront, unless one tile holds all of i."""
    assert not back(1, 1, wavefront=True).report(exact_tiles=True).is_proved
    assert "tiles of one wavefront run in parallel" in str(back(1, 1, wavefront=True).refuted(exact_tiles=True))
    assert back(1, 7, wavefront=True).report(exact_tiles=True).is_proved


def test_wavefronts_of_some_dimensions_stay_inside_the_tiles_of_the_others() -> None:
    """The dependence (1,-1,0) goes from one tile of t to the next, but is on one diagonal of t, i and j."""
    sheet = BACK.replace("t,i", "t,i,j").replace("{t,i,j | ", "{t,i,j | 0<=j && j<N && ").replace("i+1]", "i+1,j]")
    tiled = Mapped(sheet).time("U", "(t,i,j -> t,i,j)")
    some = tiled.band(0, 2, (), (1, 2, 2), (False, True, True))
    assert some.report(exact_tiles=True).is_proved
    every = tiled.band(0, 2, (), (1, 1, 1), wavefront=True)
    assert not every.report(exact_tiles=True).is_proved


def test_what_holds_for_all_sizes_has_no_scope() -> None:
    skewed = Mapped(BACK).time("U", "(t,i -> t,t+i)").band(0, 1, (), (2, 2))
    report = skewed.report(exact_tiles=True)
    assert report.is_proved
    assert not report.scope


def test_sizes_that_are_parameters_cannot_be_exact() -> None:
    mapped = Mapped(BACK).time("U", "(t,i -> t,i)").band(0, 1)
    assert mapped.refuted(exact_tiles=True).keys() == {"AZ702"}
    assert not mapped.report(exact_tiles=True).scope


def test_the_certificate_and_the_code_say_the_sizes() -> None:
    mapped = back(2, 7)
    report = verify(mapped.design, ["S"], Options(exact_tiles=True))
    claims = [entry.claim for entry in record("s.cs", report.systems[0]).obligations]
    assert any(claim.endswith("for tile sizes 2,7 of dimensions 0,1") for claim in claims)
    text = scheduled_c(certify(report), "S").files["S.c"]
    assert "for tile sizes 2,7 of dimensions 0,1 only." in text


def test_the_message_names_the_tiles() -> None:
    (sentence, *_) = back(2, 4).refuted(exact_tiles=True)["AZ702"]
    assert "later: tile of dimension 1 1 follows 0" not in sentence
    assert "tile 1 of dimension 1 follows tile 0" in sentence
