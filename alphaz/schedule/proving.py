"""Lines carried out and judged: nothing is proposed that the verifier has not proved."""

from collections.abc import Iterable

from alphaz.mapping.design import Design
from alphaz.schedule.line import Apply, Line
from alphaz.verify.verified import SystemReport
from alphaz.verify.verify import verify


def proved(design: Design, system: str, lines: Iterable[Line], apply: Apply) -> tuple[Design, SystemReport]:
    """The design with these lines carried out, and the verdict on it."""
    for line in lines:
        design = apply(design, system, line)
    (report,) = (each for each in verify(design, [system]).systems if each.system == system)
    return design, report
