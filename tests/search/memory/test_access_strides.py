"""The strides of accesses in the innermost loop."""

from alphaz.legality.conflicts import conflicts_of
from alphaz.mapping.resolution import resolve
from alphaz.search.memory.access_strides import Move, steps_of
from alphaz.search.memory.map_candidates import MapComponent, bad_accesses
from tests.search.memory.programs import blur, kernel


def test_reads_that_differ_by_constants_are_one() -> None:
    """h[i,j], h[i-1,j] and h[i-2,j] lie in cache lines that are there already."""
    subject = blur()
    operations = conflicts_of(resolve(subject.design, subject.system)).operations
    text, read = steps_of(operations, "h")
    assert text == read == Move((0, 1), 1.0)


def test_a_sweep_along_columns_keeps_its_rows_together() -> None:
    """V of adi is written in lanes along j; for the sixteen rows that read it, lanes would all be strided."""
    design, system = kernel("adi-tuned")
    operations = conflicts_of(resolve(design, system)).operations
    assert {step.vector for step in steps_of(operations, "V")} == {(0, 0, 1)}


def test_recurrences_go_round_in_few_cells_and_streams_do_not() -> None:
    """left of deriche is computed of its own neighbours along its rows; image of nothing."""
    design, system = kernel("deriche-tuned")
    operations = conflicts_of(resolve(design, system)).operations
    round_ = (MapComponent((1, 0)), MapComponent((0, 1), 2))
    left, image = (steps_of(operations, name) for name in ("left", "image"))
    assert {(abs(step.vector[1]), step.is_recurrence) for step in left} == {(1, True)}
    assert bad_accesses(round_, left) == 0
    assert not any(step.is_recurrence for step in image)
    assert bad_accesses(round_, image) > 0
    # The factor of the component alone that moves counts; and rolling buffers are as long as rows.
    assert bad_accesses((MapComponent((1, 0)), MapComponent((0, 2))), left) > 0
