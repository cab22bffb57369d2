"""Findings: places, witnesses, one finding for each cause; and the exit status of the verdict."""

import sys
from functools import partial
from importlib import import_module

import pytest

from alphaz.diagnostics import Rejected
from alphaz.legality.verify import assume_legal, certify, verify
from alphaz.proof import discharge
from tests.legality.mapped import Mapped
from tests.legality.test_rules import stencil, sums, two


def test_a_finding_names_both_places_and_the_operations() -> None:
    (finding,) = stencil().time("B", "(i -> N-1,i)").report().findings
    assert finding.primary.span.text == "(i -> N-1,i)"
    assert [(label.span.text, label.text) for label in finding.secondary] == [
        ("X[N-1,i]", "reads X"), ("(t,i -> t,i)", "dates of X"),
    ]  # fmt: skip
    assert finding.message == "B may read X before it is written"
    assert finding.help is not None
    assert "setStatementOrdering" in finding.help
    assert finding.witness is not None
    assert finding.witness.parameters == (("N", 3),)
    assert [(p.role, p.name, p.point, p.date) for p in finding.witness.places] == [
        ("reader", "B", (0,), (2, 0)), ("producer", "X", (2, 0), (2, 0)),
    ]  # fmt: skip


def test_a_memory_finding_points_at_the_memory_map_first() -> None:
    (finding,) = stencil().memory("X", "(t,i -> i)").report().findings
    assert finding.rule.code == "AZ601"
    assert finding.primary.span.text == "(t,i -> i)"
    assert finding.secondary[0].span.text == "X[t-1,i-1]"


def test_one_cause_is_told_once_and_the_verdict_counts_everything() -> None:
    """One cell for all of X: every read loses; causality is refuted as well, and stands for the memory of that read."""
    report = stencil().time("X", "(t,i -> -t,i)").memory("X", "(t,i -> 0,0)").report()
    refuted = [r for r in report.results if type(r.verdict).__name__ == "Refuted"]
    messages = [f.rule.code for f in report.findings]
    assert len(messages) < len(refuted)
    assert "AZ502" in messages
    assert not report.is_proved


def test_a_design_without_mapped_systems_has_nothing_to_report() -> None:
    report = verify(Mapped(two().text).design)
    assert report.is_proved
    assert report.systems == ()


def test_a_system_that_does_not_exist() -> None:
    with pytest.raises(KeyError):
        verify(two().design, ["T"])


def test_a_mapping_that_is_not_well_formed_is_not_judged() -> None:
    report = two().time("C", "(i -> i)").verified()
    assert not report.is_proved
    assert report.systems[0].mapping is None
    assert report.systems[0].results == ()
    assert [f.rule.code for f in report.findings] == ["AZ411"]
    for licence in (certify, assume_legal):
        with pytest.raises(Rejected):
            licence(report)


def test_only_what_is_proved_is_certified() -> None:
    verified = certify(two().verified())
    assert verified.assumed == ()
    assert set(verified.mappings) == {"S"}
    with pytest.raises(Rejected) as refused:
        certify(two().memory("B", "(i -> 0)").verified())
    assert [d.rule.code for d in refused.value.diagnostics] == ["AZ804", "AZ602"]


def test_what_is_assumed_is_remembered() -> None:
    assumed = assume_legal(two().memory("B", "(i -> 0)").verified())
    assert [d.rule.code for d in assumed.assumed] == ["AZ602"]
    assert set(assumed.mappings) == {"S"}


def test_undecided_is_neither_proved_nor_certified(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        sys.modules["alphaz.legality.mapping_obligations"], "discharge", partial(discharge, operations=1)
    )
    monkeypatch.setattr(import_module("alphaz.proof.z3_engine"), "STEPS", 1)
    report = stencil().verified()
    assert not report.is_proved
    assert {f.rule.code for f in report.findings} == {"AZ801"}
    assert "more than 1 operations" in report.findings[0].notes[0]
    with pytest.raises(Rejected):
        certify(report)


def test_claims_say_what_was_shown() -> None:
    claims = [r.claim for r in sums().report().results]
    assert "no two operations of X.body have the same date" in claims
    assert "every X that B reads (X[i]) is written before by X.body" in claims
    assert "the operations of X.body that accumulate into one X are ordered" in claims


def test_distinct_spaces_are_never_compared() -> None:
    """Of memory nothing is left to ask where every variable has cells of its own."""
    codes = {r.rule.code for r in stencil().report().results}
    assert codes == {"AZ501", "AZ502"}
