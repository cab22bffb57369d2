"""Decides, by any engine, whether the claims and readers of a C function cover what they must: by the sets that the
kernel states.

Claims are about instances of statements; readers are all that need a value, and each output has been read at its end.
"""

from collections.abc import Iterator

from alphaz.certificate.c_inventory import CInventory
from alphaz.certificate.document import plain, violations_of
from alphaz.certificate.engine_answer import Decide
from alphaz.certificate.mapping_inventory import PROVED, ObligationKey, ObligationRecord
from alphaz.kernel.c_coverage import coverage
from alphaz.kernel.checker import NotConfirmed


def coverage_faults(inventory: CInventory, decide: Decide) -> Iterator[tuple[str, bool]]:
    """Yields what is not shown to be covered, and whether the engine shows that it is not."""
    for place, state in coverage(plain(inventory)):
        try:
            violations = violations_of(*state())
        except NotConfirmed as reason:
            yield f"whether the inventory covers {place} is not known: {reason}", False
            continue
        entry = ObligationRecord(
            id=place,
            key=ObligationKey("coverage", None, {}, tiled=False),
            rule="",
            claim=f"{place} is covered",
            roles=(),
            violations=violations,
            isl="",
            verdict=PROVED,
            how="",
            witness=None,
            sentence="",
            reason="",
            places=(),
        )
        decision = decide(entry, None)
        if decision.empty is None:
            yield f"whether the inventory covers {place} is not known: {decision.reason}", decision.is_odd
        elif not decision.empty:
            yield f"the inventory does not cover {place}", True
