"""Findings name the commands that cause them and, with `explain`, the obligation in mathematics."""

from alphaz.legality.reporting.memory_conflict_text import conflicts_text
from tests.legality.mapped import Mapped

CHAIN = """affine S {N | N>=2}
input
  int A {i,j | 0<=i && i<N && 0<=j && j<N};
output
  int Y {i,j | 0<=i && i<N && 0<=j && j<N};
local
  int X {i,j | 0<=i && i<N && 0<=j && j<N};
let
  X[i,j] = A[i,j] + 1;
  Y[i,j] = case {| j<N-1} : X[i,j+1]; {| j==N-1} : 0; esac;
.
"""


def chain() -> Mapped:
    return Mapped(CHAIN).time("X", "(i,j -> i,j)").time("Y", "(i,j -> i,j+1)")


def labels(mapped: Mapped) -> list[str]:
    return [label.text for label in mapped.report().findings[0].secondary]


def explained(mapped: Mapped) -> list[str]:
    (note,) = mapped.report(explain=True).findings[0].notes
    return note.split("\n")


def test_the_statement_ordering_that_makes_a_reader_come_first_is_a_label() -> None:
    assert "Y before X" in labels(chain().order("Y", "X"))
    through = chain().order("Y", "A", "X")
    assert [text for text in labels(through) if " before " in text] == ["Y before A", "A before X"]
    assert not [text for text in labels(chain()) if " before " in text]


def test_the_band_that_breaks_an_order_is_a_label() -> None:
    legal = Mapped(CHAIN).time("X", "(i,j -> i,j)").time("Y", "(i,j -> i+1,j)")
    assert legal.report().is_proved
    assert "dimensions 0..1 are tiled together" in labels(legal.band(0, 1))


def test_a_parallel_dimension_is_a_label_only_where_it_is_the_cause() -> None:
    mapped = chain().kind("1", "P")
    assert "dimension 1 is parallel" not in labels(mapped)  # the dates are equal
    later = Mapped(CHAIN).time("X", "(i,j -> i,j)").time("Y", "(i,j -> i,j+N)")
    assert later.report().is_proved
    assert "dimension 1 is parallel" in labels(later.kind("1", "P"))


def test_nothing_is_explained_that_is_not_asked_for() -> None:
    assert not chain().report().findings[0].notes


def test_causality_is_explained_as_the_thesis_writes_it() -> None:
    lines = explained(Mapped(CHAIN).time("X", "(i,j -> i,j)").time("Y", "(i,j -> j,i)"))
    assert lines == [
        "obligation S2",
        "consumer     Y[i,j] at (j,i), reads X[i,j+1]",
        "producer     X[i,j+1] at (i,j+1)",
        "context      {N,i,j | N>=2 && i>=0 && i<N && j>=0 && j+2<=N}",
        "order        a < b: lexicographic over (sequential, sequential)",
        "to prove     for all points of the context: producer < consumer",
        "fails where  j==i && i<=j",
        "for example  N=2, i=0, j=0",
        "because      later",
    ]


def test_overwriting_is_explained_with_the_equation_of_the_cells() -> None:
    lines = explained(Mapped(CHAIN).time("X", "(i,j -> 0,i,j)").time("Y", "(i,j -> 1,i,j)").memory("X", "(i,j -> j)"))
    by_name = {line.partition("  ")[0]: line.partition("  ")[2].strip() for line in lines[1:]}
    assert lines[0] == "obligation M1"
    assert by_name["one cell"] == "j'==j+1"
    assert by_name["to prove"].endswith("writer < producer  or  consumer < writer  or  writer = consumer")
    assert by_name["writer"] == "X[i',j'] at (0,i',j')"


def test_tiles_are_explained_by_their_numbers() -> None:
    mapped = Mapped(CHAIN).time("X", "(i,j -> i,j)").time("Y", "(i,j -> i+1,j)")
    assert "obligation S2 under tiling" in explained(mapped.band(0, 1))
    (note,) = mapped.band(0, 1, (), (2, 2)).report(explain=True, exact_tiles=True).findings[0].notes
    assert "dates with tile numbers (floor(d0/2), floor(d1/2), d0, d1)" in note


def test_conflicts_are_said_by_how_far_apart_values_are() -> None:
    design = Mapped(CHAIN).time("X", "(i,j -> 0,i,j)").time("Y", "(i,j -> 1,i,j)")
    mapping = design.report().mapping
    assert mapping is not None
    text = conflicts_text(mapping)
    assert "X[i,j] and X[i+di,j+dj]: {di,dj | " in text
    assert "may not share a cell" in text.splitlines()[0]
