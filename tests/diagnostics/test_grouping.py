"""Findings with one root are told as one, and none is lost."""

import hashlib
import json

from alphaz.diagnostics import Diagnostic, Label, Rule, Source, Span, Witness, WitnessPoint
from alphaz.diagnostics.finding_groups import fingerprints, groups, summarized
from alphaz.diagnostics.render.json import to_json
from alphaz.diagnostics.rules import ALIAS, C_OUTSIDE, OUTPUT_LOST, OVERWRITE

SCRIPT = Source("x.cs", "setMemoryMap(one);\nsetMemoryMap(two);\n")
ONE, TWO = Span(SCRIPT, 0, 17), Span(SCRIPT, 19, 36)


def finding(root: Span | None, size: int, rule: Rule = OVERWRITE) -> Diagnostic:
    witness = Witness((("N", size),), (WitnessPoint("reader", "X", (size,)),), f"N={size}")
    return Diagnostic(rule, f"at {size}", Label(ONE), witness=witness, root=root)


def test_the_smallest_witness_stands_for_all_with_its_root() -> None:
    a, b, c, d = finding(ONE, 4), finding(ONE, 2, OUTPUT_LOST), finding(TWO, 1), finding(ONE, 3)
    result = groups([a, b, c, d])
    assert [(group.head, group.others) for group in result] == [(b, (a, d)), (c, ())]
    assert [group.others_text for group in result] == ["and 2 more with this root (2 AZ601)", ""]
    assert [item.message for item in summarized([a, b, c, d])] == ["at 2", "at 1"]
    assert summarized([a, b, c, d], " (more)")[0].notes == ("and 2 more with this root (2 AZ601) (more)",)


def test_a_finding_without_a_root_stands_for_itself() -> None:
    same = [finding(None, 2), finding(None, 2)]
    assert [group.others for group in groups(same)] == [(), ()]


def test_a_note_never_stands_for_an_error() -> None:
    note = Diagnostic(ALIAS, "a note", Label(ONE), root=ONE)
    error = finding(ONE, 9)
    assert groups([note, error])[0].head is error


def test_json_has_all_of_them_with_their_group() -> None:
    message = json.loads(to_json([finding(ONE, 4), finding(TWO, 1), finding(ONE, 2)]))["diagnostics"]
    assert [(item["message"], item["group"]) for item in message] == [("at 4", 0), ("at 1", 1), ("at 2", 0)]


def test_a_baseline_with_a_former_code_knows_the_finding() -> None:
    """Fingerprints as they were computed when the rule was AZ112."""
    identity = "\0".join(("AZ112", "x.cs", "at 4", "setMemoryMap(one)"))
    known = hashlib.sha256(identity.encode()).hexdigest()[:32]
    assert fingerprints([finding(None, 4, C_OUTSIDE)]) == [f"{known}:1"]
