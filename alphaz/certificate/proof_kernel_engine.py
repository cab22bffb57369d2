"""The kernel as an engine for certificates, without a solver: a set is empty if the kernel accepts a proof, and has a
point if plain integers confirm its witness."""

from collections.abc import Iterable, Mapping

from alphaz.certificate.engine_answer import Decide, Decision
from alphaz.certificate.integer_points import is_in
from alphaz.certificate.mapping_inventory import REFUTED, ObligationRecord, Stated
from alphaz.certificate.violation_sets import Violations

NO_PROOF = "it has no proof"


def engine(entries: Iterable[tuple[Stated, str]], reasons: Mapping[str, str], record: str = "") -> Decide:
    """Returns the engine for the entries of a record, each with its place; `reasons` are the kernel's outcomes.

    The sets of a coverage are no entries: the id of each is its place in the inventory of the `record`.
    """
    reason_of = {id(entry): reasons.get(place, NO_PROOF) for entry, place in entries}

    def reason(entry: Stated) -> str:
        return reason_of.get(id(entry), reasons.get(f"{record}.inventory.{entry.id}", NO_PROOF))

    def decide(entry: Stated, at: Mapping[str, int] | None) -> Decision:
        if at is not None:
            return _decision_at(entry.violations, at)
        if isinstance(entry, ObligationRecord) and entry.verdict == REFUTED and entry.witness is not None:
            shown = _decision_at(entry.violations, entry.witness)
            return Decision(None, "its witness is no violation", is_odd=True) if shown.empty else shown
        return Decision(None, reason(entry)) if reason(entry) else Decision(True)

    return decide


def _decision_at(violations: Violations, at: Mapping[str, int]) -> Decision:
    """Returns the decision whether a point is no violation."""
    if violations.absent or not {*violations.auxiliary} <= {*at}:
        return Decision(None, "its witness gives no values for what exists, or does not show what is absent")
    holds = all(is_in(part, at) for part in violations.parts) and not is_in(violations.without, at)
    return Decision(not holds)
