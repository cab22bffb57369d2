"""The kernel accepts proofs of small sets, and refuses every way of changing them that proves nothing."""

import json
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from alphaz.certificate.mapping_inventory import VERSION
from alphaz.kernel import checker
from alphaz.kernel.checker import NotConfirmed, main, outcomes
from tests.kernel.executed_lines import never_executed
from tests.kernel.small_sets import (
    EMPTY,
    SmallSet,
    absent,
    at_least,
    case,
    certificate,
    equal,
    is_confirmed,
    proofs,
    total,
)

FILE = Path(checker.__file__)
Change = Callable[[Any], Any]


@pytest.mark.parametrize("name", EMPTY)
def test_a_proof_is_accepted(name: str) -> None:
    is_confirmed(*EMPTY[name])


@pytest.mark.parametrize("name", EMPTY)
def test_no_step_can_be_left_out_or_added(name: str) -> None:
    value, steps = EMPTY[name]
    for at in range(len(steps)):
        with pytest.raises(NotConfirmed):
            is_confirmed(value, steps[:at] + steps[at + 1 :])
        with pytest.raises(NotConfirmed):
            is_confirmed(value, steps[:at])
    with pytest.raises(NotConfirmed, match=r"no goal is open before it \(step \d+ of its proof\)"):
        is_confirmed(value, [*steps, ["sum"]])


def at(number: int, value: object) -> Change:
    """Returns the change of one step."""

    def changed(steps: list[Any]) -> list[Any]:
        return [*steps[:number], value, *steps[number + 1 :]]

    return changed


TREES: list[tuple[str, Change, str]] = [
    ("two rows", at(0, ["sum", 0, 1, 1, 2]), "a sum is no contradiction"),
    ("two rows", at(0, ["sum", 0, -1, 1, -1]), "-1 is not the expected integer"),
    ("two rows", at(0, ["sum"]), "a sum is no contradiction"),
    ("two rows", at(0, ["sum", 0, 1, -1, 1]), "-1 is not the expected integer"),
    ("two rows", at(0, ["sum", 0, 1, 2, 1]), "2 is not the expected integer"),
    ("two rows", at(0, ["sum", 0, True, 1, 1]), "True is not the expected integer"),
    ("two rows", at(0, ["sum", False, 1, 1, 1]), "False is not the expected integer"),
    ("two rows", at(0, ["sum", 0, 1.0, 1, 1]), "1.0 is not the expected integer"),
    ("two rows", at(0, ["sum", 0, 1, 1, 1, 1]), "there is no such step"),
    ("two rows", at(0, ["sum", 0, 1, [1], 1]), "\\[1\\] is not the expected integer"),
    ("two rows", at(0, ["sum", [[0, 1], [1, 1]]]), "there is no such step"),
    ("two rows", at(0, []), "there is no such step"),
    ("two rows", at(0, ["trust"]), "there is no such step"),
    ("two rows", at(0, "sum"), "there is no such step"),
    ("two rows", lambda steps: {"0": steps}, "a list is missing"),
    ("two rows", at(0, ["case", 0]), "0 is not the expected integer"),
    ("two rows", at(0, ["instance", 0, []]), "0 is not the expected integer"),
    ("two cases", at(0, ["case", -1]), "-1 is not the expected integer"),
    ("two cases", at(2, ["sum", 0, 1, 1, 1]), "a sum is no contradiction"),
    ("two cases", lambda steps: [steps[0], steps[2], steps[1]], "is not the expected integer"),
    ("a split", at(0, ["split", [[1, 1], [2, -1]], 1]), "a sum is no contradiction"),
    ("a split", at(0, ["split", [[1, 1], [2, -1]], 0.5]), "0.5 is not the expected integer"),
    ("a split", at(0, ["split", [[1, 1], [3, -1]], 0]), "3 is not the expected integer"),
    ("a split", at(0, ["split", [[1, 1], [-1, -1]], 0]), "-1 is not the expected integer"),
    ("a split", at(0, ["split", [[1, 1], [1, -1]], 0]), "a variable stands twice"),
    ("a split", at(0, ["split", [[1, True], [2, -1]], 0]), "True is not the expected integer"),
    ("an absent quotient", at(0, ["let", [[0, 1]], 0, 0]), "0 is not the expected integer"),
    ("an absent quotient", at(0, ["let", [[0, 1]], 0, -2]), "-2 is not the expected integer"),
    ("an absent quotient", at(0, ["let", [[0, 1]], 0, 3]), "a sum is no contradiction"),
    ("an absent quotient", at(1, ["instance", 0, [[[[2, 1]], 0]]]), "2 is not the expected integer"),
    ("an absent value", at(0, ["instance", 0, [[[[0, 1]], 7]]]), "a sum is no contradiction"),
    ("an absent value", at(0, ["instance", 0, [[[[0, 1]], 0], [[], 0]]]), "a list is missing, or of another length"),
    ("an absent value", at(0, ["instance", 0, []]), "a list is missing, or of another length"),
    ("an absent value", at(0, ["case", 0]), "0 is not the expected integer"),
]
"""Changes of proofs that are refused, with the reason."""


@pytest.mark.parametrize(("name", "change", "reason"), TREES)
def test_a_changed_proof_is_refused(name: str, change: Change, reason: str) -> None:
    value, steps = EMPTY[name]
    with pytest.raises(NotConfirmed, match=reason):
        is_confirmed(value, change(steps))


def test_proofs_are_of_one_set() -> None:
    """A proof of one set is refused for a larger one."""
    value, steps = EMPTY["two rows"]
    for rows in ([at_least(x=1), at_least(x=-1)], [at_least(-1, x=1)], [at_least(-1, x=1), at_least(x=-1, y=1)]):
        with pytest.raises(NotConfirmed):
            is_confirmed(SmallSet("x y", ([case(*rows)],)), steps)
    with pytest.raises(NotConfirmed):
        is_confirmed(SmallSet("x", ([*value.parts[0], case()],)), steps)


ROW = at_least(-1, x=1)
MALFORMED: list[tuple[str, SmallSet, str]] = [
    ("a name twice", SmallSet("x x", ()), "a name stands twice"),
    ("an auxiliary name twice", SmallSet("x", (), auxiliary="x"), "a name stands twice"),
    ("a quotient that hides a name", SmallSet("x", ([case(ROW, x=(total(x=1), 2))],)), "a name stands twice"),
    ("an unknown name", SmallSet("x", ([case(at_least(y=1))],)), "nothing declares y"),
    ("an auxiliary name outside", SmallSet("x", (), "e", (case(at_least(e=1)),)), "nothing declares e"),
    ("a divisor 0", SmallSet("x", ([case(ROW, q=(total(x=1), 0))],)), "0 is not the expected integer"),
    ("a row without a kind", SmallSet("x", ([case({"sum": total(), "equal": 1})],)), "true or false is missing"),
    ("a coefficient that is true", SmallSet("x", ([case(at_least(x=True))],)), "True is not the expected integer"),
    ("an unknown key", SmallSet("x", ([{**case(ROW), "or": []}],)), "its keys are not rows divisions"),
    ("a name that is no text", SmallSet("x", (), absent=({**absent(""), "names": [1]},)), "a name is no text"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "given", "reason"), MALFORMED)
def test_a_malformed_set_is_refused(name: str, given: SmallSet, reason: str) -> None:
    with pytest.raises(NotConfirmed, match=reason):
        is_confirmed(given, [["instance", 0, [[[], 0]]]])


CONTENT = certificate(a=EMPTY["two rows"][0], b=EMPTY["two cases"][0])
PROOFS = proofs(CONTENT, EMPTY["two rows"][1], EMPTY["two cases"][1])


def changed(content: bytes, change: Callable[[Any], None]) -> bytes:
    document = deepcopy(json.loads(content))
    change(document)
    return json.dumps(document).encode()


def obligations(document: Any) -> Any:
    return document["systems"][0]["obligations"]


WRONG_CERTIFICATES: list[tuple[Callable[[Any], None], str]] = [
    (lambda d: d.update(format="x"), "no certificate of a version"),
    (lambda d: d.update(version=7), "no certificate of a version"),
    (lambda d: d.update(version=True), "True is not the expected integer"),
    (lambda d: d.update(more=[]), "its keys are not format version"),
    (lambda d: d["systems"][0].pop("parts"), "its keys are not script system"),
    (lambda d: obligations(d)[0].update(always="proved"), "its keys are not id key"),
    (lambda d: d.update(systems={}), "a list is missing"),
]  # fmt: skip
UNPROVED_SETS: list[tuple[Callable[[Any], None], str]] = [
    (lambda d: obligations(d)[0].update(verdict="refuted"), "does not call it empty"),
    (lambda d: obligations(d)[0].update(verdict="undecided"), "does not call it empty"),
    (lambda d: obligations(d)[0]["violations"].update(parts=[-2]), "-2 is not the expected integer"),
    (lambda d: obligations(d)[0]["violations"].update(parts=[9]), "9 is not the expected integer"),
    (lambda d: obligations(d)[0]["violations"].update(parts=[True]), "True is not the expected integer"),
    (lambda d: obligations(d)[0]["violations"].update(auxiliary=0), "a list is missing"),
    (lambda d: obligations(d)[0]["violations"].update(more=[]), "its keys are not"),
    (lambda d: obligations(d)[0].update(violations=obligations(d)[1]["violations"]), "1 is not the expected integer"),
    (lambda d: d["systems"][0]["parts"][0].append(case()), "0 is not the expected integer"),
    (lambda d: d["systems"][0]["parts"][0][0].update(rows=[ROW, equal(-1, x=1)]), "a sum is no contradiction"),
]  # fmt: skip
NESTED, NESTED_STEPS = EMPTY["an absent set with exceptions"]
NESTED_CONTENT = certificate(a=NESTED)


def absence(document: Any) -> Any:
    return obligations(document)[0]["violations"]["absent"][0]


# Parts 0 to 3 are of the set, of the absent set, of its `without`, and of the set that is absent inside it.
WRONG_NUMBERS: list[tuple[Callable[[Any], None], str]] = [
    (lambda d: absence(d).update(parts=[4]), "4 is not the expected integer"),
    (lambda d: absence(d).update(parts=[-3]), "-3 is not the expected integer"),
    (lambda d: absence(d).update(parts=[True]), "True is not the expected integer"),
    (lambda d: absence(d).update(parts=[1.0]), "1.0"),
    (lambda d: absence(d).update(parts=["1"]), "'1' is not the expected integer"),
    (lambda d: absence(d).update(parts=1), "a list is missing"),
    (lambda d: absence(d).update(parts=[d["systems"][0]["parts"][1]]), "is not the expected integer"),
    (lambda d: absence(d).update(without=d["systems"][0]["parts"][2]), "is not the expected integer"),
    (lambda d: absence(d).update(without=[4]), "4 is not the expected integer"),
    (lambda d: absence(d).update(without=[3]), "nothing declares v"),
    (lambda d: absence(d).update(parts=[2], without=[1]), "a sum is no contradiction"),
    (lambda d: absence(d).update(parts=[1, 0]), "a sum is no contradiction"),
    (lambda d: absence(d).update(without=[2, 2]), "-1 is not the expected integer"),
    (lambda d: absence(d)["absent"][0].update(parts=[]), "1 is not the expected integer"),
    (lambda d: absence(d)["absent"][0].update(parts=[4]), "4 is not the expected integer"),
    (lambda d: absence(d)["absent"][0].update(without=[4]), "4 is not the expected integer"),
    (lambda d: absence(d)["absent"][0].update(more=[]), "its keys are not names parts without absent"),
    (lambda d: d["systems"][0].update(parts=d["systems"][0]["parts"][:3]), "3 is not the expected integer"),
    (lambda d: d["systems"][0]["parts"].reverse(), "nothing declares"),
    (lambda d: d["systems"][0]["parts"].__setitem__(2, 0), "a list is missing"),
    (lambda d: obligations(d)[0]["violations"].update(without=[2]), "nothing declares w"),
    (lambda d: obligations(d)[0]["violations"].update(parts=[], without=[0]), "a sum is no contradiction"),
]  # fmt: skip
WRONG_PROOFS: list[tuple[Callable[[Any], None], str]] = [
    (lambda d: d.update(format="x"), "no proofs of version 2"),
    (lambda d: d.update(version=1), "no proofs of version 2"),
    (lambda d: d.update(version=1.5), "no integer|cannot|1.5"),
    (lambda d: d.update(certificate="0" * 64), "of another certificate"),
    (lambda d: d.update(more=[]), "its keys are not format version certificate steps proofs derived"),
]


@pytest.mark.parametrize(("change", "reason"), WRONG_CERTIFICATES)
def test_a_certificate_that_is_none(change: Callable[[Any], None], reason: str) -> None:
    other = changed(CONTENT, change)
    with pytest.raises(NotConfirmed, match=reason):
        list(outcomes(other, proofs(other)))


@pytest.mark.parametrize(("change", "reason"), UNPROVED_SETS)
def test_a_set_that_was_changed(change: Callable[[Any], None], reason: str) -> None:
    other = changed(CONTENT, change)
    result = dict(outcomes(other, proofs(other, EMPTY["two rows"][1], EMPTY["two cases"][1])))[
        "systems[0].obligations[0]"
    ]
    assert reason in result


@pytest.mark.parametrize(("change", "reason"), WRONG_NUMBERS)
def test_parts_that_another_number_states(change: Callable[[Any], None], reason: str) -> None:
    other = changed(NESTED_CONTENT, change)
    try:
        ((_, result),) = outcomes(other, proofs(other, NESTED_STEPS))
    except NotConfirmed as refusal:
        result = str(refusal)
    assert reason in result


def test_sets_share_parts_by_numbers() -> None:
    """The same cases under other numbers, and those of `without` in one part or two, are one set."""

    def renumbered(document: Any) -> None:
        document["systems"][0]["parts"].insert(0, [])
        for stated in (obligations(document)[0]["violations"], absence(document), absence(document)["absent"][0]):
            for name in ("parts", "without"):
                stated[name] = [number + 1 for number in stated[name]]
        absence(document)["without"] += [0]

    other = changed(NESTED_CONTENT, renumbered)
    assert [reason for _, reason in outcomes(other, proofs(other, NESTED_STEPS))] == [""]


@pytest.mark.parametrize(("change", "reason"), WRONG_PROOFS)
def test_proofs_that_are_none(change: Callable[[Any], None], reason: str) -> None:
    with pytest.raises(NotConfirmed, match=reason):
        list(outcomes(CONTENT, changed(PROOFS, change)))


def test_each_set_needs_its_proof() -> None:
    first, second = (f"systems[0].obligations[{number}]" for number in range(2))
    assert dict(outcomes(CONTENT, PROOFS)) == {first: "", second: ""}
    fewer = changed(PROOFS, lambda document: document["proofs"].pop(first))
    assert dict(outcomes(CONTENT, fewer)) == {first: "it has no proof", second: ""}
    more = changed(PROOFS, lambda document: document["proofs"].update(x=[]))
    assert dict(outcomes(CONTENT, more))["x"] == "it is no set that the certificate calls empty"


@pytest.mark.parametrize("number", [-1, 99, True, 0.5, "0", [0]])
def test_the_number_of_no_step(number: object) -> None:
    first = "systems[0].obligations[0]"
    forged = changed(PROOFS, lambda document: document["proofs"][first].insert(0, number))
    with suppress(NotConfirmed):
        assert "is not the expected integer" in dict(outcomes(CONTENT, forged))[first]


@pytest.mark.parametrize(("steps", "reason"), [({}, "a list is missing"), ([], "not the expected integer")])
def test_a_table_without_steps(steps: object, reason: str) -> None:
    results = dict(outcomes(CONTENT, changed(PROOFS, lambda document: document.update(steps=steps))))
    assert all(reason in result for result in results.values())


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (b'{"a": 1, "a": 2}', "a key stands twice"),
        (b'{"a": 1.0}', "1.0"),
        (b'{"a": NaN}', "NaN"),
        (b"[" * 100_000, "cannot be read as JSON"),
        (b'{"a": "\xff"}', "cannot be read as JSON"),
        (b'{"a": ' + b"9" * 5000 + b"}", "cannot be read as JSON"),
        (b"[]", "an object is missing"),
        (b"", "cannot be read as JSON"),
    ],
)
def test_a_text_that_is_no_document(text: bytes, reason: str) -> None:
    with pytest.raises(NotConfirmed, match=reason):
        list(outcomes(text, PROOFS))


def test_long_proofs_need_no_recursion() -> None:
    """A chain of splits, deeper than Python's stack."""
    value, (proof,) = EMPTY["two rows"]
    is_confirmed(value, [*(["split", [[0, 1]], 5] for _ in range(2_000)), *([proof] * 2_001)])


def test_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = [str(tmp_path / name) for name in ("c.json", "c.proofs.json")]
    for name, content in zip(names, (CONTENT, PROOFS), strict=True):
        Path(name).write_bytes(content)
    assert main(names) == 0
    assert capsys.readouterr().out == "kernel: 2 of 2 sets are empty\n"
    Path(names[1]).write_bytes(proofs(CONTENT, EMPTY["two rows"][1]))
    assert main(names) == 1
    assert capsys.readouterr().out == "systems[0].obligations[1]: it has no proof\nkernel: 1 of 2 sets are empty\n"
    nothing = certificate()
    Path(names[0]).write_bytes(nothing)
    Path(names[1]).write_bytes(proofs(nothing))
    assert main(names) == 1
    for arguments in ([], [names[0], str(tmp_path / "none.json")], [names[1], names[0]]):
        with pytest.raises(SystemExit, match=r"usage|nothing is confirmed"):
            main(arguments)


def test_a_copy_of_the_file_is_enough(tmp_path: Path) -> None:
    copy = tmp_path / "copy.py"
    copy.write_bytes(FILE.read_bytes())
    names = [tmp_path / "c.json", tmp_path / "c.proofs.json"]
    for path, content in zip(names, (CONTENT, PROOFS), strict=True):
        path.write_bytes(content)
    # Without the environment, and without the folder: only the standard library is there.
    command = [sys.executable, "-I", "-S", str(copy), *map(str, names)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "kernel: 2 of 2 sets are empty\n"), done.stderr


def test_it_is_short_and_reads_the_present_version() -> None:
    assert len(FILE.read_text(encoding="utf-8").splitlines()) <= 300
    assert VERSION in checker.VERSIONS


# --- coverage ---------------------------------------------------------------------------------------------------------


def test_every_line_is_executed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def work() -> None:
        exec(compile(FILE.read_text(encoding="utf-8"), str(FILE), "exec"), {"__name__": "copy"})  # noqa: S102
        for name in EMPTY:
            test_a_proof_is_accepted(name)
        for name, change, reason in TREES:
            test_a_changed_proof_is_refused(name, change, reason)
        for name, item, reason in MALFORMED:
            test_a_malformed_set_is_refused(name, item, reason)
        for certificate_change, reason in WRONG_CERTIFICATES:
            test_a_certificate_that_is_none(certificate_change, reason)
        test_no_step_can_be_left_out_or_added("two rows")
        test_proofs_that_are_none(*WRONG_PROOFS[0])
        test_proofs_that_are_none(*WRONG_PROOFS[3])
        test_a_text_that_is_no_document(b"", "JSON")
        test_the_command_line(tmp_path, capsys)
        test_each_set_needs_its_proof()
        test_a_set_that_was_changed(*UNPROVED_SETS[0])

    last = "    sys.exit(main(sys.argv[1:]))"
    assert [line for line in never_executed([FILE], work) if line != last] == []
