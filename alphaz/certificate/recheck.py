"""Decides every obligation of a certificate again, with any engine, and compares the verdicts."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from alphaz.certificate.c_coverage_decision import coverage_faults
from alphaz.certificate.c_inventory import CInventory, CRecord
from alphaz.certificate.c_reader_check import reader_mistakes
from alphaz.certificate.c_required_obligations import contradictions as confused_c
from alphaz.certificate.c_required_obligations import missing as missing_of_c
from alphaz.certificate.c_type_check import type_faults, type_mistakes
from alphaz.certificate.claim_evaluation import value_mistakes
from alphaz.certificate.engine_answer import Decide, Decision
from alphaz.certificate.mapping_inventory import (
    MALFORMED,
    PROVED,
    REFUTED,
    UNDECIDED,
    Inventory,
    ObligationRecord,
    Record,
    Separation,
    Stated,
)
from alphaz.certificate.required_obligations import contradictions, missing, surplus
from alphaz.certificate.separated_operations import separations
from alphaz.certificate.undeclared_names import unlisted
from alphaz.certificate.violation_sets import faults

# The families that are about C.
OF_C = frozenset({"C0", "C1", "C4", "C6", "C7", "R1", "R2", "R3", "R4", "R5", "R6"})


class RecheckOutcome(StrEnum):
    AGREES = "agrees"
    DISAGREES = "disagrees"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Check:
    """The result for one obligation or separation (or, where it is None, for a whole system); `text` explains it."""

    entry: Stated | None
    outcome: RecheckOutcome
    text: str = ""


def recheck(record: Record | CRecord, decide: Decide) -> Iterator[Check]:
    """Yields first the checks of the whole (all obligations listed, verdict implied, all needs of C covered), then each
    separation and each obligation.
    """
    yield from _of_c(record, decide) if isinstance(record, CRecord) else _as_a_whole(record)
    for stated in record.stated:
        yield _separation_check(stated, decide) if isinstance(stated, Separation) else _again(stated, decide)


def _as_a_whole(record: Record) -> Iterator[Check]:
    if record.inventory is None:
        if record.obligations or record.separations or record.verdict not in (MALFORMED, UNDECIDED):
            yield Check(None, RecheckOutcome.DISAGREES, "its obligations have no inventory")
        else:
            yield Check(None, RecheckOutcome.UNKNOWN, f"it was {record.verdict}: there are no obligations to decide")
        return
    fault = contradictions(record.inventory)
    if fault:
        yield Check(None, RecheckOutcome.DISAGREES, fault)
        return
    for key in missing(record):
        yield Check(None, RecheckOutcome.DISAGREES, f"an obligation is not listed: {key}")
    for key in surplus(record):
        yield Check(None, RecheckOutcome.DISAGREES, f"the inventory does not require an obligation: {key}")
    yield from _separation_checks(record.inventory, record.separations)
    if record.verdict != word(record):
        text = f"the verdict says {record.verdict}, the obligations say {word(record)}"
        yield Check(None, RecheckOutcome.DISAGREES, text)


def _of_c(record: CRecord, decide: Decide) -> Iterator[Check]:
    """Yields the checks for C. A refutation by an execution is not decided here."""
    proves = bool(record.obligations) and all(obligation.verdict == PROVED for obligation in record.obligations)
    if record.inventory is None and (record.obligations or record.verdict == PROVED):
        yield Check(None, RecheckOutcome.DISAGREES, "its obligations have no inventory")
    elif record.verdict == PROVED and not proves:
        yield Check(None, RecheckOutcome.DISAGREES, "the verdict says proved, and an obligation is not")
    elif record.verdict != PROVED:
        yield Check(None, RecheckOutcome.UNKNOWN, f"it was {record.verdict}: only a proof can be confirmed")
    if record.inventory is None:
        return
    if record.inventory.order is None:
        text = "its version states no order of the statements, so accesses at once cannot be counted: prove it again"
        yield Check(None, RecheckOutcome.UNKNOWN, text)
        return
    fault = confused_c(record.inventory)
    if fault:
        yield Check(None, RecheckOutcome.DISAGREES, fault)
        return
    for text in missing_of_c(record):
        yield Check(None, RecheckOutcome.DISAGREES, text)
    yield from _of_expressions(record.inventory)
    for text, is_wrong in coverage_faults(record.inventory, decide) if proves else ():
        yield Check(None, RecheckOutcome.DISAGREES if is_wrong else RecheckOutcome.UNKNOWN, text)


def _of_expressions(inventory: CInventory) -> Iterator[Check]:
    """Yields the checks of the statements' expressions."""
    unknown = unlisted(inventory)
    faults_ = (unknown,) if unknown else tuple(type_faults(inventory))
    for text in faults_:
        yield Check(None, RecheckOutcome.DISAGREES, text)
    if faults_:
        return
    for text in (*reader_mistakes(inventory), *value_mistakes(inventory)):
        yield Check(None, RecheckOutcome.DISAGREES, text)
    for text in type_mistakes(inventory):
        yield Check(None, RecheckOutcome.UNKNOWN, text)


def _separation_checks(inventory: Inventory, stated: tuple[Separation, ...]) -> Iterator[Check]:
    """Yields the checks that the separations follow from the inventory."""
    expected = separations(inventory)
    plain = [replace(separation_, isl="") for separation_ in stated]
    for separation_ in expected:
        if separation_ not in plain:
            text = (
                f"{separation_.settles} obligations are not listed, and no separation states that {separation_.claim}"
            )
            yield Check(None, RecheckOutcome.DISAGREES, text)
    for separation, entry in zip(stated, plain, strict=True):
        if entry not in expected:
            yield Check(separation, RecheckOutcome.DISAGREES, "the inventory does not say so")


def word(record: Record) -> str:
    """Returns the verdict that follows from those on the obligations."""
    verdicts = {entry.verdict for entry in record.obligations} - {PROVED}
    if not verdicts:
        return PROVED
    return UNDECIDED if verdicts == {UNDECIDED} else REFUTED


def _separation_check(separation: Separation, decide: Decide) -> Check:
    fault = faults(separation.violations)
    if fault:
        return Check(separation, RecheckOutcome.DISAGREES, fault)
    decision = decide(separation, None)
    if decision.empty is None:
        return _unknown(separation, decision)
    if not decision.empty:
        return Check(separation, RecheckOutcome.DISAGREES, "the values of its layers do not grow")
    return Check(separation, RecheckOutcome.AGREES)


def _again(entry: ObligationRecord, decide: Decide) -> Check:
    fault = _odd(entry) or faults(entry.violations)
    if fault:
        return Check(entry, RecheckOutcome.DISAGREES, fault)
    decision = decide(entry, None)
    if decision.empty is None:
        return _unknown(entry, replace(decision, reason=f"{decision.reason}{_of_more(entry)}"))
    outcome = PROVED if decision.empty else REFUTED
    if entry.verdict == UNDECIDED:
        return Check(
            entry, RecheckOutcome.UNKNOWN, f"undecided in the certificate ({entry.reason}); now it is {outcome}"
        )
    if entry.verdict != outcome:
        return Check(entry, RecheckOutcome.DISAGREES, f"the certificate says {entry.verdict}, the engine {outcome}")
    if entry.witness is None:
        return Check(entry, RecheckOutcome.AGREES)
    return _witness(entry, entry.witness, decide)


def _of_more(entry: ObligationRecord) -> str:
    """Returns where a proof may have been of a larger set: then a disagreement is inconclusive."""
    if entry.verdict != PROVED or entry.how != "z3" or entry.key.kind not in OF_C:
        return ""
    return "; z3 proved it, perhaps from stronger statements that the certificate does not contain"


def _odd(entry: ObligationRecord) -> str:
    """Returns the contradiction in an entry, if any."""
    if entry.verdict not in (PROVED, REFUTED, UNDECIDED):
        return f"there is no verdict {entry.verdict!r}"
    if (entry.verdict == REFUTED) != (entry.witness is not None):
        return "there is to be a witness if and only if an obligation is refuted"
    needed = {*entry.violations.parameters, *entry.violations.names}
    if entry.witness is not None and not needed <= {*entry.witness} <= needed | {*entry.violations.auxiliary}:
        return "the witness does not give a value to each name of the set"
    return ""


def _unknown(entry: Stated, decision: Decision) -> Check:
    return Check(entry, RecheckOutcome.DISAGREES if decision.is_odd else RecheckOutcome.UNKNOWN, decision.reason)


def _witness(entry: ObligationRecord, witness: Mapping[str, int], decide: Decide) -> Check:
    decision = decide(entry, witness)
    if decision.empty is None:
        return _unknown(entry, decision)
    if decision.empty:
        return Check(entry, RecheckOutcome.DISAGREES, "the witness is no violation")
    return Check(entry, RecheckOutcome.AGREES)
