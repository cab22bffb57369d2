"""The mapping as it is, for the tile sizes that the script gives and no others."""

from collections.abc import Iterator

from alphaz.diagnostics.rules import TILING
from alphaz.schedule.repair.case import Case
from alphaz.schedule.repair.hint import Hint
from alphaz.verify.options import Options
from alphaz.verify.trial import sized_order


def tiles(case: Case) -> Iterator[Hint]:
    """Where the script gives all sizes."""
    order = sized_order(case.resolved) if case.has(TILING) else None
    if order is not None:
        text = f"the same mapping{order.scope} only (`alphaz verify --exact-tiles` accepts it),"
        yield Hint(text, (), case.stated, Options(exact_tiles=True))
