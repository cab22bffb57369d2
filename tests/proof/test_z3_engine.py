"""The second engine against the first: the same answers, the same smallest points."""

import random
import sys
from pathlib import Path

import pytest
import z3

import alphaz
from alphaz import proof
from alphaz.certificate.smt import logic_of, smt_text
from alphaz.diagnostics import NOWHERE, Witness
from alphaz.diagnostics.rules import CAUSALITY
from alphaz.poly import (
    Affine,
    Constraint,
    Domain,
    Formula,
    OutOfBudget,
    Piece,
    Space,
    at_least,
    budget,
    common,
    less,
    outside,
    smallest_point,
)
from alphaz.proof import Engine, Obligation, Proved, Refuted, Undecided, discharge
from alphaz.proof.certificate_formulas import violations_of
from alphaz.proof.z3_engine import _Cases, _context_type, find, is_empty
from tests.cases.test_wrong_programs import fence, findings
from tests.thinning import thinned

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def forget() -> None:
    """Tests that change budgets get no answers of other tests."""
    sys.modules["alphaz.proof.z3_engine"]._is_empty.cache_clear()


SPACE = Space(("N", "M"), ("i", "j"))
NAMES = (*SPACE.parameters, *SPACE.names)
WRONG = sorted((Path(__file__).parent.parent / "cases" / "wrong").glob("AZ30*.md"))

SCRIPTS = [
    script
    for folder in ("prefix-sum", "matrix-chain", "forward-substitution", "kernels/seidel-2d")
    for script in sorted((Path(__file__).parents[2] / "samples" / folder).glob("*.cs"))
]


def constraint(rng: random.Random) -> Constraint:
    terms = [(name, rng.randint(-2, 2)) for name in NAMES]
    return Constraint(Affine.of(terms, rng.randint(-4, 4)), rng.random() < 0.15)


def domain(rng: random.Random, pieces: int) -> Domain:
    """A union of pieces, in some of which an index is even or odd."""
    result = Domain.where(SPACE, *([constraint(rng) for _ in range(rng.randint(1, 3))] for _ in range(pieces)))
    if rng.random() < 0.4:
        pairs = Space(SPACE.parameters, (*SPACE.names, "h"))
        half = Affine.name("i") - Affine.name("h") * 2 - rng.randint(0, 1)
        result &= Domain.where(pairs, [Constraint(half, True)]).onto(SPACE.names)
    return result


def box() -> Domain:
    bounds = [
        c for name in NAMES for c in (at_least(Affine.name(name), -3), at_least(Affine(constant=4), Affine.name(name)))
    ]
    return Domain.where(SPACE, bounds)


@pytest.mark.parametrize("seed", thinned(range(60), 4))
def test_both_engines_find_the_same_smallest_point(seed: int) -> None:
    rng = random.Random(seed)
    some, other = box() & domain(rng, rng.randint(1, 3)), domain(rng, rng.randint(1, 4))
    for expanded, stated in ((some - other, outside(some, other)), (some & other, common(some, other, None))):
        result = find(stated)
        assert (None if result is None else result.point) == smallest_point(expanded)
        assert result is None or result.is_smallest
        assert stated.domain().equals(expanded)


def test_a_dimension_without_a_least_value_has_the_one_that_isl_takes() -> None:
    i, n = Affine.name("i"), Affine.name("N")
    below = Domain.where(
        SPACE, [less(i, n - 3), at_least(n, 0), at_least(Affine(constant=1), n), Constraint(Affine.name("j"), True)]
    )
    below &= Domain.where(SPACE, [Constraint(Affine.name("M"), True)])
    result = find(common(below))
    assert result is not None
    assert result.point == smallest_point(below) == {"N": 0, "M": 0, "i": -4, "j": 0}


def test_what_takes_too_long_is_undecided_and_never_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["alphaz.proof.z3_engine"], "STEPS", 10)
    rng = random.Random(1)
    some, other = box() & domain(rng, 3), domain(rng, 4)
    with pytest.raises(OutOfBudget, match="z3"):
        find(outside(some, other))
    asked = obligation(some - other, outside(some, other))
    assert isinstance(discharge(asked, 1), Undecided)


COMPARED = (("N", "M"), ("i", "j"))


def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is seen before cases are made."""
    for name in ("_CASE", "_PLAIN"):
        monkeypatch.setattr(sys.modules["alphaz.proof.z3_engine"], name, ((2, 0, 1),))


@pytest.mark.parametrize("seed", thinned(range(40), 4))
def test_cases_are_all_there_is(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """For every division into cases, a set is empty if all its cases are empty."""
    hurry(monkeypatch)
    rng = random.Random(seed)
    some, other = box() & domain(rng, rng.randint(1, 3)), domain(rng, rng.randint(1, 4))
    for stated in (outside(some, other), common(some, other, None)):
        assert is_empty(stated, COMPARED) == stated.domain().is_empty()


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("operations", [1, 100_000])
def test_what_both_engines_are_asked_is_empty_if_it_is(
    seed: int, operations: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Any engine may answer: z3 quickly or by cases, or isl in between."""
    hurry(monkeypatch)
    rng = random.Random(seed)
    some, other = box() & domain(rng, rng.randint(1, 3)), domain(rng, rng.randint(1, 4))
    stated = outside(some, other)

    def violations() -> Domain:
        with budget(operations):
            return some - other

    assert proof.is_empty(lambda: stated, COMPARED, violations) == stated.domain().is_empty()


@pytest.mark.parametrize(("least", "most"), [(-4, -1), (0, 0), (1, 4)])
def test_no_case_is_left_out(least: int, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each case alone is enough for a set not to be empty."""
    hurry(monkeypatch)
    apart = Affine.name("i") - Affine.name("j")
    only = Domain.where(SPACE, [at_least(apart, least), at_least(Affine(constant=most), apart)])
    assert not is_empty(common(box() & only & domain(random.Random(1), 2)), COMPARED)


def shortened(stated: Formula) -> list[z3.ExprRef]:
    violations, context = violations_of(stated), z3.Context()
    facts = list(z3.parse_smt2_string(smt_text(violations), ctx=context))
    cases = _Cases(z3=z3, context=context, logic=logic_of(violations), compared=(), left=1_000_000)
    result = cases.shortened(facts)
    same = z3.Solver(ctx=context)
    assert same.check(z3.And(*facts) != z3.And(*result)) == z3.unsat
    return result


def interval(low: int, high: int, *more: Constraint) -> Piece:
    i = Affine.name("i")
    return Piece((at_least(i, low), at_least(Affine(constant=high), i), *more))


def test_what_holds_anyway_is_left_out() -> None:
    """0..3, which leave 4 on; then 4..6, which leave 7 on: one row is left of each."""
    space = Space((), ("i",))
    some = (Piece((at_least(Affine.name("i"), 0),)),)
    result = shortened(Formula(space, (), (some,), (interval(4, 6), interval(0, 3))))
    assert not any(z3.is_and(item.arg(0)) for item in result if z3.is_not(item))
    assert not is_empty(Formula(space, (), (some,), (interval(4, 6), interval(0, 3))))
    assert is_empty(Formula(space, (), ((interval(0, 6),),), (interval(4, 6), interval(0, 3))))


def test_what_holds_at_times_is_not_left_out() -> None:
    space = Space((), ("i",))
    some = (interval(0, 9),)
    assert len(shortened(Formula(space, (), (some,), (interval(3, 5),)))) == 2
    assert not is_empty(Formula(space, (), (some,), (interval(3, 5),)))
    assert not is_empty(Formula(space, (), (some,), (interval(0, 5), interval(7, 9))))
    assert is_empty(Formula(space, (), (some,), (interval(0, 5), interval(6, 9))))


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("steps", [1, 20_000])
def test_what_follows_changes_nothing(seed: int, steps: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The answer does not depend on whether the engine sees the implied constraint."""
    for name, value in (("_ROW", steps), ("_PLAIN", ((2, 0, steps), (6, 1, steps)))):
        monkeypatch.setattr(sys.modules["alphaz.proof.z3_engine"], name, value)
    rng = random.Random(seed)
    stated = outside(box() & domain(rng, rng.randint(1, 3)), domain(rng, rng.randint(1, 4)))
    shortened(stated)
    assert is_empty(stated) == stated.domain().is_empty()


def obligation(violations: Domain, stated: Formula) -> Obligation:
    return Obligation(
        CAUSALITY,
        "a claim",
        lambda: violations & violations,
        (),
        lambda values: Witness(tuple(values.items()), (), "here"),
        violations.contains,
        NOWHERE,
        stated=lambda: stated,
    )


@pytest.mark.parametrize("seed", range(20))
def test_a_verdict_says_who_decided(seed: int) -> None:
    rng = random.Random(seed)
    some, other = box() & domain(rng, 2), domain(rng, 3)
    asked = obligation(some - other, outside(some, other))
    first, second = discharge(asked), discharge(asked, 1)
    assert isinstance(first, Proved | Refuted)
    assert isinstance(second, Proved | Refuted)
    assert (first.by, second.by) == (Engine.ISL, Engine.Z3)
    assert (first == Proved()) == (second == Proved(Engine.Z3))
    if isinstance(first, Refuted) and isinstance(second, Refuted):
        assert dict(first.point) == dict(second.point)


def test_an_empty_part_is_false_and_an_empty_piece_true() -> None:
    assert find(Formula(SPACE, (), ((),))) is None
    result = find(Formula(SPACE, (), ((Piece(()),),)))
    assert result is not None
    assert set(result.point.values()) == {0}
    assert find(Formula(SPACE, (), (), (Piece(()),))) is None


@pytest.mark.parametrize("document", WRONG, ids=lambda path: path.stem)
def test_wrong_programs_are_found_by_the_second_engine_alone(document: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same findings, with the same witnesses, where isl is given nothing to spend on decisions."""
    expected = told(document)
    monkeypatch.setattr(sys.modules["alphaz.proof.discharge"], "SMALL", 1)
    assert told(document) == expected


def told(document: Path) -> list[tuple[str, str, Witness | None]]:
    text = fence(document.read_text(encoding="utf-8"), "alphabets")
    return [(finding.rule.code, finding.message, finding.witness) for finding in findings(document.name, text)]


@pytest.mark.parametrize("script", thinned(SCRIPTS, 12), ids=lambda path: path.stem)
def test_mappings_are_judged_alike_by_the_second_engine(script: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = judged(script)
    monkeypatch.setattr(sys.modules["alphaz.proof.discharge"], "SMALL", 1)
    assert judged(script) == expected


def judged(script: Path) -> list[tuple[str, str, Witness | None]]:
    report = alphaz.verify(alphaz.run(script))
    return [("", system.word, None) for system in report.systems] + [
        (finding.rule.code, finding.message, finding.witness) for finding in report.findings
    ]


def test_pieces_are_asked_apart() -> None:
    """Each of three is covered; one that is not is enough to say so; where there is one, it says nothing."""
    space = Space((), ("i",))
    covered = Formula(space, (), ((interval(0, 3), interval(5, 6), interval(8, 9)),), (interval(0, 4), interval(5, 9)))
    missed = Formula(space, (), ((interval(0, 3), interval(5, 6), interval(8, 10)),), (interval(0, 4), interval(5, 9)))
    single = Formula(space, (), ((interval(0, 3),),), (interval(0, 4),))
    for stated, expected in ((covered, True), (missed, False), (single, None)):
        violations, context = violations_of(stated), z3.Context()
        facts = list(z3.parse_smt2_string(smt_text(violations), ctx=context))
        cases = _Cases(z3=z3, context=context, logic=logic_of(violations), compared=(), left=1_000_000)
        assert cases.apart(facts) is expected


def test_what_takes_too_many_steps_is_not_known() -> None:
    space = Space((), ("i",))
    violations, context = violations_of(Formula(space, (), ((interval(0, 3),),), (interval(0, 4),))), z3.Context()
    facts = list(z3.parse_smt2_string(smt_text(violations), ctx=context))
    cases = _Cases(z3=z3, context=context, logic=logic_of(violations), compared=(), left=0)
    assert cases.tried(((2, 0, 1_000),), facts) is None
    with pytest.raises(OutOfBudget):
        cases.are_empty(facts)


def test_a_context_that_is_given_up_while_it_is_made_is_released_in_silence(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", seen.append)
    for type_ in (z3.Context, _context_type(z3)):
        made = type_.__new__(type_)
        del made
    assert len(seen) == 1
