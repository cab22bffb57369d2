"""A certificate that was changed is caught, by what it lists, by what it says of itself, and by both engines."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cache

import pytest

from alphaz.certificate import smt
from alphaz.certificate.engine_answer import Decide, Decision
from alphaz.certificate.mapping_inventory import (
    PROVED,
    REFUTED,
    UNDECIDED,
    ObligationRecord,
    Record,
    Separation,
    Stated,
)
from alphaz.certificate.recheck import Check, RecheckOutcome, recheck
from alphaz.certificate.violation_sets import ConstraintRow, Division, LinearSum, ViolationCase, Violations
from alphaz.proof import isl_engine
from alphaz.proof.certificate_formulas import formula_of
from tests.certificate.sample_certificates import SAMPLES, records
from tests.strategies.chains import Chain

pytestmark = pytest.mark.slow

ENGINES: tuple[Callable[[], tuple[str, Decide]], ...] = (isl_engine.engine, smt.engine)


@pytest.fixture(scope="module")
def proved() -> Record:
    return records(SAMPLES / "matrix-chain" / "mcm.cs")[0]


@pytest.fixture(scope="module")
def refuted() -> Record:
    return records(SAMPLES / "matrix-chain" / "wrong-sharing.cs")[0]


def with_entry(record: Record, entry: ObligationRecord) -> Record:
    entries = tuple(entry if obligation.id == entry.id else obligation for obligation in record.obligations)
    return replace(record, obligations=entries)


@cache
def remembering(engine: Callable[[], tuple[str, Decide]]) -> Decide:
    """Returns the engine, which decides each set once: most sets of a changed record are unchanged."""
    _, decide = engine()
    answers: dict[str, Decision] = {}

    def decide_once(stated: Stated, at: Mapping[str, int] | None) -> Decision:
        question = repr((stated, at))
        if question not in answers:
            answers[question] = decide(stated, at)
        return answers[question]

    return decide_once


def complaints(record: Record, engine: Callable[[], tuple[str, Decide]]) -> list[Check]:
    return [check for check in recheck(record, remembering(engine)) if check.outcome is not RecheckOutcome.AGREES]


@pytest.mark.parametrize("engine", ENGINES)
def test_a_flipped_verdict(proved: Record, refuted: Record, engine: Callable[[], tuple[str, Decide]]) -> None:
    wrong = next(entry for entry in refuted.obligations if entry.verdict == REFUTED)
    called_right = with_entry(refuted, replace(wrong, verdict=PROVED, witness=None))
    assert [(c.entry and c.entry.id, c.outcome, c.text) for c in complaints(called_right, engine)] == [
        (wrong.id, RecheckOutcome.DISAGREES, "the certificate says proved, the engine refuted")
    ]
    right = next(entry for entry in proved.obligations if entry.how == "isl")
    point = dict.fromkeys((*right.violations.parameters, *right.violations.names), 1)
    called_wrong = complaints(with_entry(proved, replace(right, verdict=REFUTED, witness=point)), engine)
    assert [c.text for c in called_wrong] == [
        "the verdict says proved, the obligations say refuted",
        "the certificate says refuted, the engine proved",
    ]


def without_a_row(entry: ObligationRecord) -> Iterator[ObligationRecord]:
    """The entry without one of its constraints, its isl text forged to match."""
    for at, part in enumerate(entry.violations.parts):
        for there, case in enumerate(part):
            for number in range(len(case.rows)):
                rows = case.rows[:number] + case.rows[number + 1 :]
                cases = (*part[:there], replace(case, rows=rows), *part[there + 1 :])
                parts = (*entry.violations.parts[:at], cases, *entry.violations.parts[at + 1 :])
                changed = replace(entry.violations, parts=parts)
                yield replace(entry, violations=changed, isl=formula_of(changed).text())


def test_a_dropped_constraint_is_caught_where_the_proof_needs_it(proved: Record) -> None:
    """Both engines catch the same ones; not every constraint is needed (the context is stated more than once)."""
    entries = [entry for entry in proved.obligations if entry.key.kind == "S2" and entry.how == "isl"][:3]
    caught = []
    for engine in ENGINES:
        _, decide = engine()
        results = [decide(changed, None).empty is False for entry in entries for changed in without_a_row(entry)]
        caught.append(results)
    assert caught[0] == caught[1]
    assert any(caught[0])


def test_a_dropped_constraint_does_not_fit_the_isl_text(proved: Record) -> None:
    entry = next(entry for entry in proved.obligations if entry.how == "isl")
    changed = replace(next(without_a_row(entry)), isl=entry.isl)
    (check,) = complaints(with_entry(proved, changed), isl_engine.engine)
    assert (check.outcome, check.text) == (
        RecheckOutcome.DISAGREES,
        "its isl text and its plain data are not the same set",
    )


@pytest.mark.parametrize("engine", ENGINES)
def test_a_wrong_witness(refuted: Record, engine: Callable[[], tuple[str, Decide]]) -> None:
    entry = next(entry for entry in refuted.obligations if entry.verdict == REFUTED)
    assert entry.witness is not None
    forged = replace(entry, witness={**entry.witness, "N": -7})
    assert [c.text for c in complaints(with_entry(refuted, forged), engine)] == ["the witness is no violation"]
    partial = replace(entry, witness={"N": 3})
    assert "each name" in complaints(with_entry(refuted, partial), engine)[0].text


def test_every_obligation_that_is_left_out_is_named(proved: Record, refuted: Record) -> None:
    def never(entry: ObligationRecord, at: object) -> object:
        raise AssertionError("no engine is asked")

    for record in (proved, refuted, records(SAMPLES / "matrix-product" / "mm-tiled.cs")[0]):
        for entry in record.obligations:
            if entry.verdict == REFUTED:
                continue
            rest = tuple(obligation for obligation in record.obligations if obligation.id != entry.id)
            first = next(iter(recheck(replace(record, obligations=rest), never)))  # type: ignore[arg-type]
            assert first.outcome is RecheckOutcome.DISAGREES
            assert first.text == f"an obligation is not listed: {entry.key}"


@pytest.fixture(scope="module")
def nests(tmp_path_factory: pytest.TempPathFactory) -> Record:
    """Six nests that share two memory spaces."""
    return records(Chain(6, "nests", "turns").write(tmp_path_factory.mktemp("chain")))[0]


def test_what_keeps_operations_apart_settles_what_is_not_listed(nests: Record) -> None:
    """In the table of obligations every read meets every writer, and each two writers meet."""
    assert [(separation.by, separation.leading, len(separation.layers)) for separation in nests.separations] == [
        ("space", (), 4),
        ("nest", (), 6),
    ]
    assert nests.inventory is not None
    writers, reads = 7, nests.inventory.reads
    listed = [e for e in nests.obligations if e.key.kind in ("M", "M4") and not e.key.tiled]
    settled = sum(separation.settles for separation in nests.separations)
    assert settled + len(listed) == len(reads) * writers + writers * (writers + 1) // 2
    assert settled > len(listed)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_separation_that_was_changed(nests: Record, engine: Callable[[], tuple[str, Decide]]) -> None:
    *others, nest = nests.separations
    assert complaints(nests, engine) == []

    def told(*changed: Separation) -> list[str]:
        return [check.text for check in complaints(replace(nests, separations=(*others, *changed)), engine)]

    missing = f"{nest.settles} obligations are not listed, and no separation states that {nest.claim}"
    assert told() == [missing]
    one, two, *rest = nest.layers
    for layers in ((two, one, *rest), (replace(one, families=two.families), two, *rest)):
        assert told(replace(nest, layers=tuple(layers))) == [missing, "the inventory does not say so"]
    assert told(replace(nest, settles=nest.settles + 1)) == [missing, "the inventory does not say so"]
    (first, *cases), order = nest.violations.parts
    turned = replace(first, rows=(replace(first.rows[0], sum=LinearSum({"earlier": 1}, -9)), *first.rows[1:]))
    forged = replace(nest.violations, parts=((turned, *cases), order))
    assert told(replace(nest, violations=forged, isl=formula_of(forged).text())) == [
        missing,
        "the inventory does not say so",
        "the values of its layers do not grow",
    ]


def test_nests_that_are_none_settle_nothing(nests: Record) -> None:
    """Without the kinds of the dimensions the inventory no longer says that operations are apart."""
    assert nests.inventory is not None
    operations = tuple(replace(f, kinds=("SEQUENTIAL", *f.kinds[1:])) for f in nests.inventory.operations)
    changed = replace(nests, inventory=replace(nests.inventory, operations=operations))
    results = [check.text for check in complaints(changed, isl_engine.engine)]
    assert "the inventory does not say so" in results
    assert (
        sum(text.startswith("an obligation is not listed: M") for text in results) > nests.separations[-1].settles // 2
    )


CONFUSED = [
    ("moment", "later", "operations X1 have no moment 'later'"),
    ("variable", "Y", "the inventory does not say where Y is stored"),
    ("whole", 99, "the inventory speaks of operations 99, and there are"),
]


@pytest.mark.parametrize(("field", "value", "text"), CONFUSED)
def test_an_inventory_that_contradicts_itself(nests: Record, field: str, value: object, text: str) -> None:
    assert nests.inventory is not None
    at = next(at for at, family in enumerate(nests.inventory.operations) if family.name == "X1")
    families = list(nests.inventory.operations)
    families[at] = replace(families[at], **{field: value})  # type: ignore[arg-type]
    changed = replace(nests, inventory=replace(nests.inventory, operations=tuple(families)))
    assert complaints(changed, isl_engine.engine)[0].text.startswith(text)


def test_a_certificate_that_says_nothing_proves_nothing() -> None:
    decide = isl_engine.decide
    (forged,) = recheck(Record("a.cs", "S", PROVED, None, (), ()), decide)
    assert forged.outcome is RecheckOutcome.DISAGREES
    (undecided,) = recheck(Record("a.cs", "S", UNDECIDED, None, (), ()), decide)
    assert undecided.outcome is RecheckOutcome.UNKNOWN


@pytest.mark.parametrize("engine", ENGINES)
def test_undecided_stays_unknown(proved: Record, engine: Callable[[], tuple[str, Decide]]) -> None:
    entry = replace(proved.obligations[0], verdict=UNDECIDED, reason="more than 3 operations")
    result = complaints(replace(with_entry(proved, entry), verdict=UNDECIDED), engine)
    assert [c.outcome for c in result] == [RecheckOutcome.UNKNOWN]


ONE, X = LinearSum({}, 1), LinearSum({"x": 1}, 0)
FAULTS = [
    (Violations(("x",), ("x",), (), ()), "a name of the set stands twice"),
    (
        Violations((), ("x",), (), ((ViolationCase((ConstraintRow(LinearSum({"y": 1}, 0), True),), ()),),)),
        "nothing declares y",
    ),
    (Violations((), ("x",), (), ((ViolationCase((), (Division("q", X, 0),)),),)), "q divides by 0"),
    (Violations((), ("x",), (), ((ViolationCase((), (Division("x", ONE, 2),)),),)), "x is not defined once"),
    (
        Violations((), ("x",), (), ((ViolationCase((), (Division("q", LinearSum({"r": 1}, 0), 2),)),),)),
        "q is not defined once",
    ),
]


@pytest.mark.parametrize(("violations", "text"), FAULTS)
@pytest.mark.parametrize("engine", ENGINES)
def test_malformed_violation_sets_are_refused(
    proved: Record, violations: Violations, text: str, engine: Callable[[], tuple[str, Decide]]
) -> None:
    entry = replace(proved.obligations[0], violations=violations)
    (check,) = complaints(with_entry(proved, entry), engine)
    assert check.outcome is RecheckOutcome.DISAGREES
    assert check.text.startswith(text)
