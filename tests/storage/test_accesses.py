"""How accesses move in the innermost loop."""

from alphaz.mapping.statements import resolve
from alphaz.storage.accesses import steps_of
from alphaz.verify.conflicts import conflicts_of
from tests.storage.programs import blur, kernel


def test_reads_that_differ_by_constants_are_one() -> None:
    """h[i,j], h[i-1,j] and h[i-2,j] lie in cache lines that are there already."""
    subject = blur()
    operations = conflicts_of(resolve(subject.design, subject.system)).operations
    written, read = steps_of(operations, "h")
    assert written == read == ((0, 1), 1.0)


def test_a_sweep_along_columns_keeps_its_rows_together() -> None:
    """V of adi is written in lanes along j; for the sixteen rows that read it, lanes would all be strided."""
    design, system = kernel("adi-tuned")
    operations = conflicts_of(resolve(design, system)).operations
    assert {vector for vector, _ in steps_of(operations, "V")} == {(0, 0, 1)}
